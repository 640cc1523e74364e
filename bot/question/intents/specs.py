"""specs: a hardware fact, how much memory a model needs, whether it fits."""

from __future__ import annotations

import re

from bot.question.intents.context import Context, says

_AMOUNT = says("how much|how many|how high|多大|多少|几")
_RATE_OF_WORK = says(r"\b(?:throughput|performance|speed)\b")
_THE_FACT = says(r"^\W*(?:and |so |ok |hey )*(?:what(?:'s| is| are)|whats|which is) (?:the|its|their)\b(?!.*\bmean)")
_MEMORY_ASKED = says(r"how much (?:memory|vram|ram)", "多少显存|多大显存")
_ZH_CAN = says(
    r"(?:训练?|微调|部署|推理?|带|跑|装|放|塞|撑|吃)(?:得|不)(?:动|了|下|住|起来)",
    r"(?:能|可以|可不可以|能不能|能否)(?:够|用来|拿来|直接)?(?:预?训练?|微调|部署|推理|跑|上)[^,，。]{0,16}(?:吗|么|嘛|不\b|不\?|\?|$)",
    r"够(?:不够)?(?:预?训练?|微调|部署|推理|跑)",
)
_THAT_FITS = re.compile(
    r" fit (?:[^ ,?]{1,6} ?){0,2}C (?:model ?)?的 ?(?:card|gpu|node|就 ?行|就 ?好)? ?(?:[.,。] )?$"
)  # 能跑70B的
_FACT_WORDS = says(r"how much|how many|how big|what(?:'s| is| are)|which|多大|多少|几|够|does|哪")
_SHOPPING = says(r"what (?:gpu|card)|which (?:gpu|card|platform|provider|cloud)")
_WHICH_HAVE = says(
    r"\b(?:which|what|any) (?:gpus?|cards?|accelerators?|ones?)\b.*\b(?:have|has|support"
    r"|supports|come with|with|got|offer)\b"
)
_WHICH_HAVE_ZH = says(
    "哪些?(?:个)?(?:gpu|卡|显卡|型号).*(?:有|支持|是|达到|超过|带)",
    "(?:支持|有).*的(?:卡|gpu|显卡)?(?:有哪些|是哪些|都有)",
    "的(?:卡|gpu|显卡|型号)(?:都|分别)?(?:有|是)(?:哪些|什么|啥)[?!。]*$",
)
_SUPPORT = says("support|支持|have|native|算力|performance|throughput|fast")
_HAS_IT = re.compile(
    r" (?:does|do|is|are|has) (?:both |either |the |a |an |all )*G(?: [^P]{0,20})?(?: E | Q |have|support)"
)
_DOES_IT_HAVE = says(  # of the card that the thread is about
    r"\b(?:does|do) (?:it|they|that|those|these|this)(?: one| card| gpu)?s? (?:\w+ )?(?:have|support|come with|use)\b"
)
_HAVE_VERB = says(r"\b(?:does|do|is|are|has)\b.*\b(?:have|support|supports|come with|got|use|faster|hbm\w*)\b")
_SUPPORT_ZH = says("支持.*吗|有.*nvlink.*吗|支不支持|有没有nvlink")
_HOW_FAST = says(
    r"\bhow (?:fast|powerful|big|large|hot|much faster|much power)\b", "多快|快多少|性能差|哪个快|哪个算力|性能对比"
)
_LARGEST = says(  # that a card holds
    r"\b(?:biggest|largest|max(?:imum)?|how (?:big|large)(?: of)?(?: a)?) (?:\w+ ){0,2}?(?:models?|llms?)\b"
)
_VRAM_OF = says(r"\b(?:vram|memory) (?:\w+ )?(?:needed|required|requirements?|usage|footprint|needs)\b")
_FACT_OF = re.compile(r"^ (?:the )?G (?:'s )?(?:vram|memory)(?: (?:size|capacity|amount|total))?(?: [?.!])* $")
_FACT_FIRST = re.compile(r"^ (?:the )?(?:vram|memory|interconnect|spec) (?:of|on|for|size of|does) ")
_CAN_EN = re.compile(
    r"^ (?:[^,]* )?(?:can|could|will|would|does|do|is|are) (?:[^,]*)?(?:G|C)"
    r"| (?:can|could|will|would) (?:it|they|that|those|these|we|i) (?:even |still |actually |really |also )*"
    r"(?:run|hold|train|serve|W|do) (?:[a-z]+ ){0,2}C "
)
_CAN_RUN_ZH = says(r"(?:能|可以|可不可以|行|能不能|跑).*(?:吗|么|不|行不行|\?)", "行吗|可以吗|能否|行不")
_CAN_ON_SIZE = says(
    r"\b(?:will|would) [\w ]+ (?:do|cut it|suffice)\b(?: for| to\b|\W*$)",
    r"\b(?:can|will|could)\b .*\b(?:fit|run|train|hold|handle|serve|fine-?tune)\b",
)


def is_specs(ask: Context) -> bool:
    """Whether a fact of hardware is asked, not a price, a platform or a number of cards."""
    if ask.cue("cheapest", "howmuch", "breakeven", "budget") or ask.states("quoted"):
        return False
    if ask.said(_MEMORY_ASKED) and ask.cue("spec") and not ask.cue("price"):
        return True  # how much memory, whatever else is named
    if ask.cue("price", "cheap", "cheaper", "M", "rentverb", "billing") and not ask.cue("fit", "enough"):
        return False
    ordered = ask.states("sort") or ask.slots.get("sort") == "per_tflop"
    if (ask.cue("howmany") or ordered) and not ask.cue("spec"):
        return False  # 性价比, 总成本最低: which to take, no fact
    hardware = ask.hardware or ask.cue("gpu", "card", "vram")
    if ask.said(_THE_FACT) and ask.cue("Q") and ask.said(_RATE_OF_WORK):
        return True
    if ask.cue("spec") and (hardware or ask.said(_AMOUNT) or ask.said(_THE_FACT)):
        return not ask.cue("download", "upload", "recommend") or ask.said(_MEMORY_ASKED)
    if (ask.said(_LARGEST) and hardware) or (ask.said(_VRAM_OF) and ask.has("model_params_b")):
        return True
    return (hardware and _fits(ask)) or _enough(ask, hardware) or _fact(ask)


def _fits(ask: Context) -> bool:
    if ask.drawn(_THAT_FITS):
        return False
    return ask.cue("fit") or (ask.said(_ZH_CAN) and not ask.cue("which", "recommend", "or", "vs", "cheap"))


def _enough(ask: Context, hardware: bool) -> bool:
    asked = ask.cue("enough") and (hardware or ask.has("gpu_count"))
    return asked and not (ask.has("budget", "budget_per_hour") or ask.states("plans"))


def _fact(ask: Context) -> bool:
    return (
        (ask.cue("vram", "memory", "ram") and ask.said(_FACT_WORDS) and ask.hardware
         and not ask.cue("recommend") and not ask.said(_SHOPPING))
        or _which_have(ask)
        or ("gpus" in ask.slots and _of_gpu(ask))
        or _runs(ask)
    )  # fmt: skip


def _which_have(ask: Context) -> bool:
    """Which GPUs have 80 GB, which support fp8."""
    if ask.states("workloads", "budget"):
        return False
    if ask.said(_WHICH_HAVE) and ask.has("min_memory_gb", "dtype") and not ask.states("hours", "model_params_b"):
        return True
    if ask.states("budget_per_hour", "hours", "providers", "regions", "model_params_b"):
        return False
    return ask.said(_WHICH_HAVE_ZH) and (ask.has("min_memory_gb", "dtype") or ask.cue("E"))


def _of_gpu(ask: Context) -> bool:
    if ask.has("dtype") and ask.said(_SUPPORT) and not ask.cue("W"):
        return True
    if ask.said(_DOES_IT_HAVE) and ask.cue("E", "Q", "F") and not ask.cue("P"):
        return True
    if ask.drawn(_HAS_IT) and ask.said(_HAVE_VERB) and not ask.cue("P"):
        return True
    if ask.said(_SUPPORT_ZH) and ask.cue("E", "Q") and not ask.cue("P"):
        return True
    if ask.said(_HOW_FAST) and not ask.states("hours", "providers"):
        return True
    return ask.drawn(_FACT_FIRST) or ask.drawn(_FACT_OF)


def _runs(ask: Context) -> bool:
    """Can a 4090 run 13B, 能用两张A100跑70B吗."""
    if ask.has("model_params_b") and ask.has("gpus", "min_memory_gb"):
        weighed = ask.cue("which", "better", "or", "vs", "recommend", "who", "price")
        if ask.has("gpus") and ask.drawn(_CAN_EN) and not weighed:
            return True
        if ask.said(_CAN_RUN_ZH) and not ask.cue("which", "or", "recommend", "cheap", "price"):
            return True
    on_size = ask.said(_CAN_ON_SIZE) and ask.has("min_memory_gb") and ask.has("model_params_b", "workloads")
    return on_size and not ask.cue("which", "who", "recommend")
