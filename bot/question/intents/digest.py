"""digest: the weekly price digest and what prices did lately."""

from __future__ import annotations

import re

from bot.question.intents.context import Context, says

_WRITES = says("write", "draft", "finish my", "写", "交周报", "我的周报")
_PRICES = re.compile(r" (?:price|G|gpu|P|L|market|行情|card) ")
_REPORT = says(r"weekly (?:report|summary|update|email|post)", "newsletter", "周报")
_OURS = says("price", "gpu", "channel", "频道", "这周", "本周", "上周", "看", "价格", "行情", "显卡", "算力")
_REGULAR = says("price", "channel", "频道", "every", "weekly", "monday", "每周", "alert", "行情", "更新")
_SEND = says(
    r"(?:send|post|push|share|email) (?:it|this|them|that|us|me|the (?:\w+ )?(?:prices"
    r"|update|report|summary)|prices)\b"
    r".*\b(?:every|each|weekly|monday|tuesday|wednesday|thursday|friday|channel)",
    "每周[一二三四五六日天]?(?:都)?(?:发|推|给)",
)
_PAST = says(
    "比(?:上周|上个?月|上礼拜|上季度|去年|之前|以前|前几天|前阵子|昨天|年初)[^,，。的]{0,4}(?:便宜|贵|涨|降|高|低|跌)(?!的)",
    r"\bwhat did .*\b(?:prices?|pricing|rates?|costs?) do\b",
    r"\b(?:did|have|has)\b.*\b(?:prices?|pricing|rates?|cheaper|pricier|costs?|expensive)\b.*"
    r"\b(?:week|month|lately|recently|since|days|yesterday|change[ds]?|moved?|come down"
    r"|dropped|gone|gotten|risen|fallen)\b",
    r"\b(?:did|have|has)\b.*\b(?:change[ds]?|moved?|drop(?:ped)?|fallen|risen|gone (?:up|down)|come down|get cheaper"
    r"|got cheaper|gotten cheaper)\b.*\b(?:prices?|pricing|rates?|week|month|lately|recently|since)\b",
    r"\bprice (?:trend|history|moves)\b",
    r"\b(?:last|previous) (?:week|month)\b.*\b(?:vs|versus|compared|and|to)\b.*\b(?:this|now|today)\b",
    r"\bthis (?:week|month)\b.*\b(?:vs|versus|compared)\b.*\b(?:last|previous)\b",
    "(?:最近|近期|这周|本周|上周|这个月|上个月|这几天).*(?:价格?|行情).*(?:变|动|波动|走势|如何|怎么样|咋样|情况)",
    "(?:价格?|行情).*(?:最近|近期|这周|本周|上周|这个月|上个月|这几天).*(?:变|动|波动|走势|如何|怎么样|咋样|情况)",
)
_NEWS = says(
    r"\bany(?:thing)? (?:new|news|changed|moved|changes|moves|movements?)\b",
    r"what(?:'s| has| have|s)? (?:\w+ )?(?:moved|changed|new|happened)\b",
)
_GOT_CHEAPER = says(
    r"\b(?:did|has|have) (?:anything|something|any of (?:them|it)|they|it|things) (?:\w+ ){0,2}?"
    r"(?:get|got|gotten|become) (?:any |a bit |much )?(?:cheaper|pricier|dearer|more expensive|less expensive)\b"
    r"|\b(?:did|has|have) (?:\w+ ){0,3}?(?:prices?|pricing|rates) (?:\w+ ){0,2}?"
    r"(?:drop|dropped|fall|fell|fallen|rise|rose|risen|increase|increased|decrease|decreased|come down|gone)\b"
)
_RECENT = re.compile(r" date |lately|recently|week|pricing|price")
_FUTURE = says(
    r"\b(?:will|going to|expected? to|predict|forecast|next (?:year|quarter|month)|in the"
    r" future|should i wait|when will"
    r"|when are)\b",
    "什么时候|何时|会降|会涨|会跌|要降|要涨|将来|未来|以后|明年|还会|会不会|会再|会继续|预计|下半年|等等",
)
_EDITS = says(
    r"\b(?:drop|remove|exclude|leave out|take out|add|include|only|without|switch|change"
    r"|move it|also|instead)\b"
)
_SCHEDULE = says(r"\b(?:monday|tuesday|wednesday|thursday|friday|daily|add|switch|change)\b")
_FROM_NOW_ON = says(
    r" (?:subscribe|add) ",
    r"\b(?:every|each) (?:mon|tue|wed|thu|fri|week|morning)",
    r"\b(?:send|post|deliver|push)\b.*\b(?:channel|here|every|weekly|us|me)\b",
    "set up|turn on|发到|推|每周|每个?星期|每个?礼拜|加上|加入|去掉|别放|不要放|换成|改成|只看|只要|开通|定时|频道",
)
_SHOW_FIRST = says(
    r"^\W*(?:(?:please|hey|hi|ok|and|can|could|may|you|i|we) )*"
    r"(?:show|what|give me|let me see|let's see|see|pull up|look at)"
    r"|^(?:看|查|给我看|发我看)"
    r"|\b(?:this week|last week|today|the latest|latest|the last|the current)(?:'s)? (?:\w+ )?digest"
)
_CHANGES = says(r"\b(?:drop|remove|exclude|leave out|take out|add|include|switch|change|move it)\b")
_TO_COME = says("every", "from now on", "going forward", "in future", "频道", "channel", "订阅", "subscribe")
_CONTENT = tuple(f"{sign}{name}" for name in ("gpus", "providers", "plans", "regions") for sign in ("", "exclude_"))


_STOPS = says(r"^\W*(?:please )?(?:unsubscribe|退订|取消订阅)(?: me| us| please| this channel|吧|了)*\W*$")


_NOT = "(?:别|不要|不用|不必|不想|不需要|甭)"
NO_MORE = says(
    f"{_NOT}再?(?:[给往向朝在到](?:我们?|咱们?|大家|这里|这儿|这边|[这本]?个?群里?|[这本]?个?频道里?)?)?"
    "再?(?:里|这里|群里)?(?:收到?|发送?|推送?(?!荐)|寄|播)",
    r"\b(?:don'?t|do not|no longer|never|quit|please stop|stop) (?:want to |need to |wish to )?(?:\w+ )?"
    r"(?:send|sending|post|posting|push|pushing|get|getting|receive|receiving|share|sharing|email|emailing|deliver)\b",
    r"\bno (?:more|further) (?:\w+ ){0,2}(?:digests?|updates?|reports?|newsletters?)\b",
)


_NOT_TO_US = says(f"{_NOT}再?(?:[给往向朝](?:我|咱|大家|这)|推(?!荐))")


def digest_action(ask: Context) -> str | None:
    """``show``, ``subscribe`` or ``unsubscribe`` when the message is about the digest or price moves, else None."""
    if ask.said(_WRITES) and not ask.cue("price", "subscribe", "unsubscribe"):
        return None
    about_prices = ask.drawn(_PRICES)
    if ask.cue("digest"):
        of_ours = about_prices or ask.cue("subscribe", "unsubscribe") or ask.said(_OURS) or ask.said(_NOT_TO_US)
        return None if ask.said(_REPORT) and not of_ours else _action(ask)
    if ask.said(_STOPS):
        return "unsubscribe"
    signs_up = ask.cue("subscribe", "unsubscribe") and (ask.said(_REGULAR) or ask.cue("price", "moved"))
    if signs_up and not ask.cue("cheapest", "howmuch", "L", "P"):
        return _action(ask)
    if ask.said(_SEND):
        return "subscribe"
    return "show" if _asks_moves(ask, about_prices) else None


def _asks_moves(ask: Context, about_prices: bool) -> bool:
    """Whether it asks what prices did lately; where they are heading is ``explain``."""
    if ask.cue("why", "howmuch", "cheapest", "recommend"):
        return False
    moves = ask.cue("moved") or ask.said(_GOT_CHEAPER)
    moves = moves or (about_prices and ask.said(_PAST) and not ask.cue("M", "difference"))
    moves = moves or (about_prices and ask.said(_NEWS) and ask.drawn(_RECENT))
    return moves and not ask.said(_FUTURE)


def _action(ask: Context) -> str:
    if ask.said(NO_MORE) and not ask.has(*_CONTENT):
        return "unsubscribe"
    shows = ask.said(_SHOW_FIRST) and not ask.said(_TO_COME) and not ask.said(_CHANGES)
    if ask.has("exclude_gpus", "exclude_providers", "exclude_plans", "exclude_regions") and not shows:
        return "subscribe"
    edits = ask.said(_EDITS) and "unsubscribe" not in ask.source and not shows
    if edits and (ask.has(*_CONTENT) or ask.said(_SCHEDULE)):
        return "subscribe"
    if ask.cue("unsubscribe") and not re.search("加上|加到|改成", ask.source):
        return "unsubscribe"
    if _FROM_NOW_ON.search(f"{ask.source} {ask.text}"):
        return "show" if ask.said(_SHOW_FIRST) and not ask.said(_TO_COME) else "subscribe"
    return "show"
