"""The sentences of ``/gpu-bench``, in English and Chinese side by side."""

# ruff: noqa: E501  (a sentence stands on one line, however long)

from __future__ import annotations

from typing import Any

from bot.render.words import fill


def say(key: str, lang: str, /, **slots: Any) -> str:
    """The sentence of that key; an unknown key is a mistake in the code and raises ``KeyError``."""
    return fill(SENTENCES[key][1 if lang == "zh" else 0], slots)


SENTENCES: dict[str, tuple[str, str]] = {
    # ------------------------------------------------------------ what is in the way
    "nobody": (
        "You may not run benchmarks; GPU_BOT_BENCH_USERS names who may. Your admin can add you.",
        "你没有运行基准测试的权限；可运行的人由 GPU_BOT_BENCH_USERS 指定，请联系管理员添加。",
    ),
    "cooldown": (
        "You started a benchmark a moment ago; the next one may start in {minutes} {minutes:minute/minutes}.",
        "你刚启动过基准测试；{minutes} 分钟后可再次启动。",
    ),
    "no_hosts": (
        "No GPU host is registered yet. Whoever runs the bot adds one in the terminal: gpu-bot hosts add NAME ssh://USER@HOST --key FILE",
        "还没有登记 GPU 主机。请由机器人的管理员在终端添加：gpu-bot hosts add 名称 ssh://用户@主机 --key 密钥文件",
    ),
    "unknown_host": ("I know no host “{name}”. Known: {known}.", "没有名为“{name}”的主机。已登记：{known}。"),
    "which_host": ("Which host? Known: {known}. {usage}", "测哪台主机？已登记：{known}。{usage}"),
    "unknown_word": ("I know no “{word}” here. {usage}", "没有“{word}”这个用法。{usage}"),
    "blocked": (
        "{name} is not used until someone looks at it (gpu-bot hosts test {name}): {state}.",
        "在有人检查之前不会使用 {name}（gpu-bot hosts test {name}）：{state}。",
    ),
    "extra": (
        "This bot was installed without the packages for benchmarks: run pip install -e '.[bench]' with its Python, in its checkout",
        "安装时缺少基准测试所需的包：请在代码目录里用运行它的 Python 执行 pip install -e '.[bench]'",
    ),
    "gone": ("The host is no longer registered", "该主机已不再登记"),
    "usage": (
        "/gpu-bench [HOST] [dtype] [quick] · hosts · status · cancel [HOST] · history [HOST] · all · script · help",
        "/gpu-bench [主机] [dtype] [quick] · hosts · status · cancel [主机] · history [主机] · all · script · help",
    ),
    "help": (
        "Measure a GPU host and see whether it is what was sold:\n• /gpu-bench — a form\n• /gpu-bench ml01 bf16 quick — one host; dtypes: {dtypes}; quick takes 20 s instead of 60\n• /gpu-bench hosts · status · history [HOST] · cancel [HOST]\n• /gpu-bench all — every host, then a ranking\n• /gpu-bench script — a box that is not registered: measure it there, and have the result file judged here\nHosts are registered in the terminal: gpu-bot hosts add",
        "测量 GPU 主机，判断是否与所售相符：\n• /gpu-bench — 打开表单\n• /gpu-bench ml01 bf16 quick — 测一台主机；数据类型：{dtypes}；quick 用 20 秒而不是 60 秒\n• /gpu-bench hosts · status · history [主机] · cancel [主机]\n• /gpu-bench all — 测所有主机并排名\n• /gpu-bench script — 未登记的机器：在那台机器上测，结果文件交给我判定\n主机在终端登记：gpu-bot hosts add",
    ),
    # ------------------------------------------------------------ a result file
    "script": (
        "A box that is not registered is measured where it is, by its own Python with torch:\n1. In a terminal that has gpu-bot: `gpu-bot bench script | ssh USER@BOX python3 - --quick > reading.jsonl`. On the box itself: `gpu-bot bench script > bench.py` where gpu-bot is, copy bench.py there, then `python3 bench.py --quick > reading.jsonl`.\n2. Drop reading.jsonl on /gpu-bench, or attach it to a message that mentions me or to a direct message. In the terminal: `gpu-bot bench verdict reading.jsonl`.\nAnyone may; the verdict is marked self-reported, and nothing of the file is kept.",
        "未登记的机器在它自己那里测，用它自带 torch 的 Python：\n1. 在装有 gpu-bot 的终端运行：`gpu-bot bench script | ssh 用户@机器 python3 - --quick > reading.jsonl`。也可先运行 `gpu-bot bench script > bench.py`，把 bench.py 复制到那台机器，再运行 `python3 bench.py --quick > reading.jsonl`。\n2. 把 reading.jsonl 放进 /gpu-bench 的表单，或附在提到我的消息或私信里。在终端则是：`gpu-bot bench verdict reading.jsonl`。\n任何人都可以这样做；结论会标明为自报，文件内容不会保存。",
    ),
    "file.title": ("Result file, self-reported", "结果文件（自报）"),
    "file.note": (
        "Nothing was measured by the bot. The file is not kept, and it counts in no reading, ranking or price.",
        "机器人没有测量。文件内容不会保存，也不计入实测结果、排名或价格。",
    ),
    "file.ordered": ("Compared with the order: {model}", "对照的订购型号：{model}"),
    "file.none": (
        "That file is no result of the benchmark: it needs what `gpu-bot bench script` printed, one JSON object a line. /gpu-bench script tells how.",
        "这个文件不是基准测试的结果：需要 `gpu-bot bench script` 输出的内容，每行一个 JSON 对象。方法见 /gpu-bench script。",
    ),
    "file.kind": (
        "That is no text file; drop the result as the script printed it, for example reading.jsonl.",
        "这不是文本文件；请提供脚本原样输出的结果，例如 reading.jsonl。",
    ),
    "file.large": (
        "That file is larger than {most} MB, and a result never is; drop only what the script printed.",
        "文件超过 {most} MB，而结果不会这么大；请只提供脚本的输出。",
    ),
    "file.encoding": (
        "That file is not UTF-8 text; save it as UTF-8 and drop it again (PowerShell writes UTF-16 with >).",
        "文件不是 UTF-8 文本；请以 UTF-8 保存后再试（PowerShell 用 > 会写成 UTF-16）。",
    ),
    "file.elsewhere": (
        "That file does not lie in Slack, and I fetch none from elsewhere; upload the file itself.",
        "这个文件不存放在 Slack 里，我不会从别处下载；请直接上传文件。",
    ),
    "file.gone": (
        "That file is gone, or I may not see it; upload it again.",
        "文件已不存在，或我无权查看；请重新上传。",
    ),
    "file.scope": (
        "I may not read files here: the app needs the permission files:read. Your admin can add it and install the app again.",
        "我无权读取这里的文件：应用需要 files:read 权限。请联系管理员添加并重新安装应用。",
    ),
    "file.away": (
        "Slack did not give me the file; drop it again in a minute.",
        "Slack 没有把文件给我；请一分钟后再试。",
    ),
    # ------------------------------------------------------------ the form
    "form.title": ("Benchmark a host", "测一台主机"),
    "form.submit": ("Start", "开始"),
    "form.cancel": ("Cancel", "取消"),
    "form.host": ("Host", "主机"),
    "form.dtype": ("Dtype", "数据类型"),
    "form.dtype.own": ("The card's own", "该卡默认"),
    "form.quick": ("Duration", "时长"),
    "form.quick.yes": ("Quick: 20 s instead of 60", "快速：20 秒而不是 60 秒"),
    "form.file": ("Or a result file", "或结果文件"),
    "form.file.only": ("Result file", "结果文件"),
    "form.file.hint": (
        "What gpu-bot bench script printed on a box that is not registered. With a file no host is measured; the verdict is self-reported.",
        "gpu-bot bench script 在未登记的机器上的输出。提供文件时不测量主机；结论为自报。",
    ),
    "form.ordered": ("The file's box was ordered as", "文件中的机器订购的是"),
    "form.ordered.none": ("Not said", "未说明"),
    "form.title.file": ("Judge a result file", "判定结果文件"),
    "form.submit.file": ("Judge it", "判定"),
    # ------------------------------------------------------------ a run
    "run.title": ("Benchmark of {host}{options}", "{host} 的基准测试{options}"),
    "run.dtype": (" · {dtype}", " · {dtype}"),
    "run.quick": (" · quick", " · 快速"),
    "run.queued": ("Waits for its turn", "正在排队"),
    "run.ahead": ("Waits for its turn, {n} {n:run/runs} before it", "正在排队，前面还有 {n} 个"),
    "run.connecting": ("Connecting", "正在连接"),
    "run.step": ("{step}, {share}", "{step}，{share}"),
    "run.resumed": ("The bot was interrupted; it measures again", "机器人曾中断，正在重新测量"),
    "run.stopping": ("Stopping", "正在停止"),
    "run.cancelled": ("Cancelled", "已取消"),
    "run.cancelled.by": ("Cancelled by {user}", "已由 {user} 取消"),
    "run.by": ("Asked for by {user}", "由 {user} 发起"),
    "run.cancel": ("Cancel", "取消"),
    "run.again": ("Measure again", "再测一次"),
    "run.failed": (
        "It failed on the bot's side; nothing was measured. The log of the bot has the reason under {id}.",
        "机器人出错，未得到结果。原因见机器人日志，编号 {id}。",
    ),
    "run.gave-up": (
        "It was given up: the bot ended each time it ran this. Nothing was measured ({id}).",
        "已放弃：每次运行时机器人都中断了，未得到结果（{id}）。",
    ),
    "run.silent": (
        "Nothing has been heard of it for ten minutes; it may still end well ({id}).",
        "十分钟没有消息；仍可能正常结束（{id}）。",
    ),
    "run.left-behind": (
        "It was begun by another version of the bot and cannot go on; start it again ({id}).",
        "由另一版本的机器人启动，无法继续；请重新启动（{id}）。",
    ),
    "elsewhere": ("I may not post in that channel, so the result comes here.", "无法在该频道发消息，结果发在这里。"),
    # ------------------------------------------------------------ a result
    "price": (
        "{usd} per measured PFLOP-hour: {gpu_hour} a GPU-hour is the list price of {offer} today ({age} days old) / {tflops} TFLOPS × 1,000",
        "每实测 PFLOP·小时 {usd}：{offer} 今日目录价 {gpu_hour}/卡时（{age} 天前核对）÷ {tflops} TFLOPS × 1,000",
    ),
    "price.none": (
        "Dollars per PFLOP-hour: not known, {offer} has no price today",
        "每 PFLOP·小时价格：未知，{offer} 今日没有价格",
    ),
    "price.no_offer": (
        "Dollars per PFLOP-hour: the host has no offer registered (gpu-bot hosts add … --offer ID)",
        "每 PFLOP·小时价格：该主机没有登记报价（gpu-bot hosts add … --offer 标识）",
    ),
    "chart.title": ("TFLOPS {dtype} of {host}", "{host} 的 {dtype} TFLOPS"),
    "chart.text": ("Readings so far: {points}", "历次结果：{points}"),
    # ------------------------------------------------------------ lists
    "hosts.title": ("GPU hosts", "GPU 主机"),
    "history.title": ("Readings", "历次结果"),
    "history.of": ("Readings of {host}", "{host} 的历次结果"),
    "history.none": ("No reading is stored for this.", "还没有相关的实测结果。"),
    "status.title": ("Runs now", "当前运行"),
    "status.none": ("Nothing runs or waits.", "没有正在运行或排队的测试。"),
    "cancel.none": ("You have no run that could be cancelled.", "你没有可取消的测试。"),
    "cancel.none.host": ("Nothing runs or waits on {host}.", "{host} 上没有运行或排队的测试。"),
    "cancel.not_yours": ("Only who started it, or who may run benchmarks, can cancel it.", "只有发起人或有权限的人能取消。"),
    "cancel.done": ("Cancelled: {hosts}", "已取消：{hosts}"),
    # ------------------------------------------------------------ all hosts
    "all.ask": (
        "Measure {n} {n:host/hosts} ({hosts})? Each is loaded for up to {seconds} s, one run a host at a time.",
        "测量 {n} 台主机（{hosts}）？每台最多满载 {seconds} 秒，每台同时只运行一个。",
    ),
    "all.yes": ("Measure them", "开始测量"),
    "all.title": ("Benchmark of all hosts{options}", "全部主机的基准测试{options}"),
    "all.open": ("{done} of {total} are done", "已完成 {done}/{total}"),
    "all.done": ("Ranking by measured TFLOPS", "按实测 TFLOPS 排名"),
    "all.none": ("No host can be measured now.", "目前没有可测量的主机。"),
    "column.rank": ("#", "#"),
    "column.host": ("Host", "主机"),
    "column.verdict": ("Verdict", "结论"),
    "column.tflops": ("TFLOPS", "TFLOPS"),
    "column.usd": ("$/PFLOP-h", "$/PFLOP·h"),
}  # fmt: skip
