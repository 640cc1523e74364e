"""The sentences that only Slack needs, in English and Chinese side by side, and making text safe for Slack."""

# ruff: noqa: E501  (a sentence stands on one line, however long)

from __future__ import annotations

import re
from typing import Any

from bot.render.words import fill
from bot.slack.text_prices import PRICES

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MARKS = str.maketrans({"*": "∗", "`": "ˋ", "~": "∼"})  # look-alikes that format nothing
_UNDERSCORE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_LIVE = re.compile(r"<(?=[!@#])")
_JOINER = "\u2060"  # has no width
_NAMED = re.compile(r"([@#])(?=\w)")  # Slack makes links of these words on its own


def escape(text: str) -> str:
    """Text for a place that Slack formats: nothing in it can be a mention, a link or a broadcast."""
    return _CONTROL.sub("", text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def mrkdwn(text: str) -> str:
    """Like ``escape``, and nothing in it turns bold, struck or code either."""
    return _NAMED.sub(rf"\1{_JOINER}", _UNDERSCORE.sub("\uff3f", escape(text).translate(_MARKS)))


def plain(text: str) -> str:
    """Text for a place that Slack shows as it is (cells, buttons): a mention in it stays dead even when copied."""
    return _LIVE.sub(f"<{_JOINER}", _CONTROL.sub("", text))


def clip(text: str, most: int) -> str:
    """At most ``most`` characters, the cut marked."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def clip_lines(lines: list[str] | tuple[str, ...], most: int, more: str) -> str:
    """Whole lines up to ``most`` characters; ``more`` stands for those that did not fit."""
    kept: list[str] = []
    room = most - len(more) - 1
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return "\n".join([*kept, more]) if kept else clip(line, most)
        kept.append(line)
    return "\n".join(kept)


def tell(key: str, lang: str, /, **slots: Any) -> str:
    """The sentence of that key; an unknown key is a mistake in the code and raises ``KeyError``."""
    return fill(SENTENCES[key][1 if lang == "zh" else 0], slots)


SENTENCES: dict[str, tuple[str, str]] = {
    **PRICES,
    # ------------------------------------------------------------ under an answer
    "button.edit": ("Edit…", "修改…"),
    "menu.region": ("Region", "地区"),
    "menu.region.any": ("Anywhere", "不限地区"),
    "menu.hours": ("Duration", "时长"),
    "more.offers": ("All offers", "全部报价"),
    "more.csv": ("Download as CSV", "下载 CSV"),
    "more.share": ("Share to a channel", "分享到频道"),
    "more.save": ("Save the quoted price", "保存所报价格"),
    "button.memory": ("{gb} GB only", "只看 {gb} GB"),
    "feedback.good": ("Helpful", "有帮助"),
    "feedback.bad": ("Not right", "不对"),
    "feedback.good.label": ("This answer helped me", "这个回答有帮助"),
    "feedback.bad.label": ("Something in this answer is wrong", "这个回答有问题"),
    "details.title": ("How this was computed", "计算过程"),
    "details.more": ("… the rest: gpu-bot replay {id}", "……其余内容：gpu-bot replay {id}"),
    "sources.more": ("{n} more {n:source/sources}", "另有 {n} 个来源"),
    "source.age": ("{title}, {age} old", "{title}，{age}前"),
    "source.today": ("{title}, looked at today", "{title}，今天核对"),
    "source.stale": ("{title}, {age} old, due for a check", "{title}，{age}前，需重新核对"),
    "source.undated": ("{title}, date not known", "{title}，日期未知"),
    "answer.id": ("Answer {id} · prices as of {date}", "回答 {id} · 价格截至 {date}"),
    "table.rows": ("{shown} of {total} offers shown", "显示 {total} 个报价中的 {shown} 个"),
    # ------------------------------------------------------------ beside an answer
    "offers.title": ("All offers ranked for answer {id}", "回答 {id} 的全部排名报价"),
    "offers.none": ("This answer has no ranked offers.", "这个回答没有排名报价。"),
    "offers.cut": ("The first {shown} of {total}; the CSV holds all.", "前 {shown} 个，共 {total} 个；CSV 里有全部。"),
    "column.provider": ("Provider", "云厂商"),
    "column.gpus": ("GPUs", "GPU"),
    "column.plan": ("Plan", "计费方式"),
    "column.region": ("Region", "地区"),
    "column.gpu_hour": ("$/GPU-h", "$/卡时"),
    "column.total": ("Total $", "合计 $"),
    "column.hour": ("$/h", "$/小时"),
    "column.age": ("Days old", "天数"),
    "csv.title": ("Offers of answer {id}, with formula, source and date", "回答 {id} 的报价，含算式、来源和日期"),
    "csv.name": ("gpu-bot-{id}.csv", "gpu-bot-{id}.csv"),
    "csv.inline": (
        "As a file it needs the scope files:write; here are the rows as text:",
        "以文件发送需要 files:write 权限；以下为文本：",
    ),
    "csv.cut": ("… {n} more {n:row/rows} did not fit", "……还有 {n} 行放不下"),
    "share.by": ("Shared by {user}", "由 {user} 分享"),
    "share.title": ("Share the answer", "分享回答"),
    "share.channel": ("Channel", "频道"),
    "share.submit": ("Share", "分享"),
    "share.done": ("Shared to {channel}.", "已分享到 {channel}。"),
    "share.failed": (
        "I could not post to {channel}. Invite me there with /invite, then share again.",
        "无法在 {channel} 发消息。请先用 /invite 邀请我，再分享。",
    ),
    "save.none": ("The question names no quoted price to save.", "问题里没有可保存的报价。"),
    "feedback.title": ("What is not right?", "哪里不对？"),
    "feedback.reason": ("What should it say?", "应该怎样回答？"),
    "feedback.submit": ("Send", "发送"),
    "feedback.thanks": ("Thank you, it is kept with the answer.", "谢谢，已和回答一起保存。"),
    "answer.gone": (
        "That answer is no longer kept; ask the question again.",
        "那个回答已不再保存，请重新提问。",
    ),
    # ------------------------------------------------------------ the form
    "edit.title": ("Change the question", "修改问题"),
    "edit.submit": ("Ask", "提问"),
    "cancel": ("Cancel", "取消"),
    "edit.gpus": ("GPUs", "GPU"),
    "edit.gpus.hint": ("As you would write it: 4×A100 80GB", "照常书写：4×A100 80GB"),
    "edit.hours": ("Hours in all", "总小时数"),
    "edit.plans": ("Ways of paying", "计费方式"),
    "edit.region": ("Region", "地区"),
    "edit.exclude": ("Providers to leave out", "不考虑的云厂商"),
    "edit.exclude.hint": ("Separated by commas", "用逗号分隔"),
    "edit.limit": ("At most, in USD per hour", "每小时上限（美元）"),
    "edit.error.gpu": ("I know no GPU of that name.", "没有这个名字的 GPU。"),
    "edit.error.gpu.near": ("I know no GPU “{word}”. Near: {near}", "没有名为“{word}”的 GPU。相近：{near}"),
    "edit.error.number": ("Write a number above 0 and below 1,000,000,000.", "请填写大于 0、小于 10 亿的数字。"),
    "edit.error.provider": ("I know no provider “{word}”.", "没有名为“{word}”的云厂商。"),
    # ------------------------------------------------------------ home and help
    "home.title": ("GPU prices you can check", "可以核对的 GPU 价格"),
    "home.intro": (
        "Ask in a channel with a mention, here in Messages, or with /gpu. Every number comes with its source and date.",
        "在频道里 @ 我、在这里的消息页，或用 /gpu 提问。每个数字都附来源和日期。",
    ),
    "home.examples": ("Try", "试试"),
    "home.data": ("Prices", "价格数据"),
    "home.data.line": (
        "{offers} offers of {providers} providers, {priced} with a price; looked at {newest} at the latest, {stale} due for a check.",
        "{providers} 家云厂商的 {offers} 个报价，{priced} 个有价格；最近核对于 {newest}，{stale} 个需重新核对。",
    ),
    "home.subscriptions": ("Digests", "价格周报"),
    "home.subscriptions.none": (
        "No channel gets a digest yet: /gpu-prices help",
        "还没有频道订阅周报：/gpu-prices help",
    ),
    "home.subscription": ("{channel}: {period}, {time} {zone}", "{channel}：{period}，{time} {zone}"),
    "home.hosts": ("GPU hosts", "GPU 主机"),
    "home.hosts.none": ("No host is connected: /gpu-bench help", "还没有接入主机：/gpu-bench help"),
    "home.host": ("{name}: {state}", "{name}：{state}"),
    "home.version": ("gpu-bot {version}", "gpu-bot {version}"),
    "period.weekly": ("weekly", "每周"),
    "period.daily": ("daily", "每天"),
    "help.gpu": (
        "Ask what a GPU job costs, for example:\n• {one}\n• {two}\n• {three}\nIn a thread I go on from what was asked: “and on spot?”, “in the EU”, “for a month”.",
        "可以问 GPU 任务的费用，例如：\n• {one}\n• {two}\n• {three}\n在同一讨论串里可以接着问：“竞价呢？”“换成 H100”“跑一个月”。",
    ),
    "help.prices": (
        "/gpu-prices subscribe · unsubscribe · list · watch GPU below PRICE · unwatch GPU · help",
        "/gpu-prices subscribe · unsubscribe · list · watch GPU 低于 价格 · unwatch GPU · help",
    ),
    "unknown.sub": ("I know no “{word}”. {usage}", "没有“{word}”这个用法。{usage}"),
    "bench.not_yet": (
        "Benchmarks are not connected yet; nothing was started.",
        "基准测试还没有接通，没有启动任何测试。",
    ),
    "prompt.1.title": ("Cheapest for a job", "任务最低价"),
    "prompt.1": ("cheapest for 72h on 4×A100", "4张A100跑72小时哪家最便宜"),
    "prompt.2.title": ("Compare two GPUs", "对比两种 GPU"),
    "prompt.2": ("compare H100 and A100 for 72h", "对比H100和A100，跑72小时"),
    "prompt.3.title": ("What a budget buys", "预算能用多久"),
    "prompt.3": ("how long do 8 H100 last on $3000?", "预算2万，8张H100能租几天"),
    "prompt.4.title": ("Is reserving worth it?", "包年划算吗"),
    "prompt.4": ("is a 1 year reservation of an H100 worth it?", "H100包年划算吗"),
    # ------------------------------------------------------------ when something is in the way
    "error.log": (
        "Something went wrong on my side, and nothing was posted. If it happens again, tell your admin this id: {id}",
        "我这边出了问题，没有发布任何内容。如果再次发生，请把这个编号告诉管理员：{id}",
    ),
    "error.away": (
        "My database does not answer, so I could not reply. Please ask again in a minute (id {id}).",
        "数据库没有响应，暂时无法回答。请一分钟后再问（编号 {id}）。",
    ),
    "error.long": (
        "That message has {n} characters; I read questions of up to {most}. Please ask in fewer words.",
        "这条消息有 {n} 个字符；我只读 {most} 个字符以内的问题，请写短一些。",
    ),
    "error.empty": ("Ask me what a GPU job costs, for example: {one}", "请问我 GPU 任务的费用，例如：{one}"),
    "error.maybe": (
        "I was interrupted while I answered and cannot see whether the answer arrived. If it did not, press the button.",
        "回答时被中断，无法确认回答是否已送达。如果没有看到，请按按钮。",
    ),
    "error.not_in_channel": (
        "I may not post in {channel}. Invite me there with /invite, then ask again.",
        "我无法在 {channel} 发消息。请先用 /invite 邀请我，再提问。",
    ),
    "error.channels": ("I answer in these channels only: {channels}", "我只在这些频道回答：{channels}"),
    # ------------------------------------------------------------ starting and checking
    "serve.missing": (
        "{names} must be set; Slack shows it on the page of the app, see docs/connect-slack.md",
        "请先设置 {names}；可在 Slack 应用页面找到，见 docs/connect-slack.md",
    ),
    "serve.knowledge": (
        "the knowledge has {n} {n:error/errors}, the first: {first}; see gpu-bot check",
        "知识库有 {n} 个错误，第一个：{first}；请运行 gpu-bot check",
    ),
    "serve.refused": ("Slack refuses {token}: {error}. Copy it again from the page of the app", "Slack 拒绝 {token}：{error}。请从应用页面重新复制"),
    "serve.unreachable": ("Slack cannot be reached ({error}); check the network and SLACK_API_URL", "无法连接 Slack（{error}）；请检查网络和 SLACK_API_URL"),
    "serve.port": (
        "cannot listen at {address}: {reason}. Set GPU_BOT_BIND and GPU_BOT_PORT to a free address",
        "无法监听 {address}：{reason}。请把 GPU_BOT_BIND 和 GPU_BOT_PORT 设为空闲地址",
    ),
    "serve.sentence": ("{text}", "{text}"),
    "replay.none": ("no answer {id} is kept; ids stand under each answer in Slack", "没有保存编号为 {id} 的回答；编号在 Slack 每条回答下方"),
    "check.ok": ("ok", "正常"),
    "check.warn": ("look", "注意"),
    "check.fail": ("wrong", "错误"),
    "check.unknown": ("not known", "未知"),
    "check.line": ("{state}: {what}", "{state}：{what}"),
    "check.settings.ok": ("the settings name every token that is needed", "设置中已填写所需的全部令牌"),
    "check.missing.SLACK_BOT_TOKEN": (
        "SLACK_BOT_TOKEN is not set: copy the Bot User OAuth Token (xoxb-…) from OAuth & Permissions, on the page of the app at https://api.slack.com/apps",
        "未设置 SLACK_BOT_TOKEN：请在应用页面（https://api.slack.com/apps）的 OAuth & Permissions 里复制 Bot User OAuth Token（xoxb-…）",
    ),
    "check.missing.SLACK_APP_TOKEN": (
        "SLACK_APP_TOKEN is not set: generate one (xapp-…) with the scope connections:write under Basic Information → App-Level Tokens, on the page of the app at https://api.slack.com/apps",
        "未设置 SLACK_APP_TOKEN：请在应用页面（https://api.slack.com/apps）的 Basic Information → App-Level Tokens 里生成一个带 connections:write 权限的令牌（xapp-…）",
    ),
    "check.missing.SLACK_SIGNING_SECRET": (
        "SLACK_SIGNING_SECRET is not set: copy the Signing Secret from Basic Information, on the page of the app at https://api.slack.com/apps",
        "未设置 SLACK_SIGNING_SECRET：请在应用页面（https://api.slack.com/apps）的 Basic Information 里复制 Signing Secret",
    ),
    "check.skipped.SLACK_BOT_TOKEN": (
        "the bot's name, permissions, clock and channels were not checked: they need a working SLACK_BOT_TOKEN",
        "未检查机器人名称、权限、时钟和频道：这些检查需要可用的 SLACK_BOT_TOKEN",
    ),
    "check.skipped.SLACK_APP_TOKEN": (
        "whether Socket Mode can connect was not checked: it needs SLACK_APP_TOKEN",
        "未检查 Socket Mode 能否连接：该检查需要 SLACK_APP_TOKEN",
    ),
    "check.settings.token": ("{name} should start with {prefix}; this is another kind of token", "{name} 应以 {prefix} 开头；这是另一种令牌"),
    "check.bot.ok": ("Slack knows the bot {bot} in the workspace {team}", "Slack 认识工作区 {team} 中的机器人 {bot}"),
    "check.scopes.ok": ("all needed scopes are granted", "所需权限齐全"),
    "check.scopes.missing": ("the scope {scope} is missing: {use}. Paste the manifest again and reinstall the app", "缺少权限 {scope}：{use}。请重新粘贴 manifest 并重新安装应用"),
    "check.scopes.optional": ("without the optional scope {scope} there is no: {use}", "没有可选权限 {scope}，因此没有：{use}"),
    "check.scopes.unknown": ("Slack did not say which scopes are granted", "Slack 没有说明已授予哪些权限"),
    "check.socket.ok": ("Socket Mode can connect", "Socket Mode 可以连接"),
    "check.clock.ok": ("the clock agrees with Slack's to {seconds} s", "时钟与 Slack 相差 {seconds} 秒"),
    "check.clock.off": ("the clock is {seconds} s off Slack's; set it, or signatures will be refused", "时钟与 Slack 相差 {seconds} 秒；请校准，否则签名会被拒绝"),
    "check.channel.ok": ("the bot is in {channel}", "机器人在 {channel} 中"),
    "check.channel.out": ("the bot is not in {channel}: /invite it there", "机器人不在 {channel} 中：请用 /invite 邀请"),
    "check.channel.unknown": ("whether the bot is in {channel} cannot be seen: {error}", "无法得知机器人是否在 {channel} 中：{error}"),
    "check.data.ok": ("{priced} of {offers} offers have a price, looked at {newest} at the latest, {stale} due for a check", "{offers} 个报价中 {priced} 个有价格，最近核对于 {newest}，{stale} 个需重新核对"),
    "check.database.ok": ("the database {database} answers", "数据库 {database} 正常"),
    "check.inbox": ("{n} {n:question waits/questions wait} for an answer", "有 {n} 个问题等待回答"),
    "check.jobs.ok": ("{n} {n:process runs/processes run} now; {failed} failed {failed:job/jobs} in the last week", "现有 {n} 个进程运行；最近一周 {failed} 个任务失败"),
    "check.template.ok": ("Slack takes the template {template}", "Slack 接受模板 {template}"),
    "check.template.bad": ("Slack refuses the template {template}: {error}", "Slack 拒绝模板 {template}：{error}"),
    "error.not_yours": (
        "Only who asked can change that answer; here is yours.",
        "只有提问者能修改那个回答；这是你的版本。",
    ),
}  # fmt: skip
