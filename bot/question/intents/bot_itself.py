"""help: what the bot can do, what it covers, how fresh its data is."""

from __future__ import annotations

from bot.question.intents.context import Context, says

_ABOUT_BOT = says(
    r"\b(?:which|what|how many) (?:\w+ ){0,3}?(?:do|can|does|are|is) (?:you|this bot|the bot|this thing|gpu-bot)\b"
    r"(?! (?:recommend|suggest|advise|think))",
    r"\bdo(?:es)? (?:you|this bot|the bot) (?:\w+ )?"
    r"(?:cover|support|track|know|include|speak|understand|handle|work|do)\b",
    r"\bcan (?:you|this bot|the bot) (?:do|speak|understand|read|help)\b(?! me)(?! with (?:a|an|the|my)\b)(?! find)",
    r"\b(?:can|do|could) you (?:also )?(?:do|run|have|support|offer) (?:gpu )?benchmarks?\s*\??$",
    r"\bdo(?:es)? (?:you|this bot|the bot) (?:\w+ )?(?:have|carry|list|show) "
    r"(?:any |the )?(?:prices?|pricing|data|numbers)\b",
    r"(?:\bbot|你们?|机器人)[^,，。?？a-z]{0,4}(?:cover|support|include|track)",
    r"\byour (?:data|prices|price data|pricing data|numbers|sources|source|info|information"
    r"|coverage|price list|figures"
    r"|commands|knowledge)\b",
    r"\bhow (?:fresh|old|current|recent|up[ -]to[ -]date|accurate|reliable|stale) (?:is|are)"
    r" (?:the|your|these|this|that)"
    r"(?: \w+){0,3} ?(?:data|prices|numbers|pricing|price|info)\b",
    r"\bhow often (?:\w+ ){0,4}?(?:update|updated|refresh|refreshed|check|checked|synced|scraped)\b",
    r"\bwhen (?:was|were|did) (?:\w+ ){0,5}?(?:last )?(?:updated|refreshed|update|refresh)\b",
    r"\bwhere (?:do|does|did) (?:\w+ ){0,4}?(?:data|prices|numbers|figures|pricing) come from\b",
    r"\bwhere do you get\b",
    r"\b(?:this|the) bot\b|\bgpu-bot\b",
    r"^\s*/?(?:help|usage|commands|\?)\s*[!?.]*\s*$",
    r"\blist (?:all )?(?:the )?commands\b",
    r"\bwhat (?:else )?can (?:you|i ask)\b",
    r"\bhow (?:do|should|can) i (?:use|talk to|ask) (?:you|this)\b",
    r"你(?:们)?(?:都|还|目前|现在)?(?:能|可以|会)?(?:支持|覆盖|收录|包含|包括|知道|认识)(?:了)?"
    r"(?:哪|什么|几|多少|中文|英文|[^,，。]*吗)",
    r"你(?:都|还)?(?:能|会)(?:做|干|帮)?(?:些|点)?(?:什么|啥|哪些)|你是(?:谁|什么|机器人|干)",
    r"(?:数据|价格|报价|信息)(?:源)?(?:是|都|的|会|是不是|有)?"
    r"(?:多久|什么时候|几天|何时|多长时间|每天|哪来|从哪|哪儿来|来自|来源|实时|多新|新不新|准不准|准吗|准确吗|最新|是最新)",
    r"(?:data|pricing|prices?|数据|价格|报价|信息|行情|价目表?)[^,，。?？]{0,6}(?:多久|几天|多长时间|隔多久|什么时候|何时|多少天)"
    r"[^,，。?？]{0,4}(?:更新|刷新|同步|抓|更一次|update|refresh)",
    r"(?:更新|刷新|同步)(?:的)?(?:频率|周期|得?勤)|多久(?:更新|刷新|同步|update|refresh)",
    r"(?:\bbot|你|你们|机器人)(?:的| )*(?:data|pricing|prices?|数据|价格|报价)(?!.*(?:多少|便宜|贵))",
    r"(?:支持|覆盖|收录|包含)(?:了)?哪些(?:云|平台|厂商|命令|卡|显卡|gpu|服务商|供应商|地区)",
    r"哪些(?:云|平台|厂商|服务商)(?:是|被|你)?(?:支持|覆盖|收录)",
    r"(?:这个?|那个|咱们?的?)\s*(?:gpu-?)?bot(?![a-z])",
    r"怎么(?:使用|用)(?:你|这个|本)|有(?:哪些|什么)(?:命令|功能|指令)|(?:命令|指令)(?:有哪些|列表|大全)",
    r"^\s*帮助\s*[!?。]*$|这个机器人|机器人怎么",
)


_COVERED = says(
    r"\b(?:which|what) (?:\w+ ){0,3}?(?:is|are) (?:all )?(?:covered|supported|included|tracked|known)\b\W*(?:here)?\W*$"
)


_LONGEST_SIGN = 8  # "?" alone asks for help
_MAY_BE_OF_BOT = (  # each of those patterns has one of these
    "you", "bot", "this thing", "help", "usage", "command", "fresh", "old", "current", "recent", "refresh",
    "date", "accurate", "reliable", "stale", "how often", "come from", "can i ask", "use this", "to this",
    "ask this", "cover", "support", "include", "track", "known", "pric", "data",
    "你", "机器人", "数据", "价格", "报价", "信息", "行情", "价目", "更新", "刷新", "同步", "多久", "支持",
    "覆盖", "收录", "包含", "命令", "指令", "功能", "怎么使用", "怎么用", "帮助",
)  # fmt: skip


def is_help(ask: Context) -> bool:
    """Whether the message asks about the bot; "help me find the cheapest A100" asks for numbers."""
    may_be = len(ask.source) < _LONGEST_SIGN or any(word in ask.source for word in _MAY_BE_OF_BOT)
    if not (may_be or ask.cue("helpask")):
        return False
    covered = ask.said(_COVERED) and not ask.has("gpus", "providers", "dtype")
    if not (ask.cue("helpask") or ask.said(_ABOUT_BOT) or covered):
        return False
    asks = ask.cue(
        "cheapest", "cheap", "cheaper", "howmuch", "price", "recommend", "compare", "vs", "budget", "breakeven"
    )
    return not (asks and (ask.hardware or ask.has("hours", "workloads")))
