"""Whether an amount is a price that the asker was quoted, has found, pays or paid, and not what may be spent."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Words before the amount in its clause that tell of a price: somebody asks for it, somebody pays it, it was found.
_TOLD = re.compile(
    r" (?:quotes?|quoted|quoting|charged?|charges|charging|pay|pays|paying|paid|billed|bills?|billing|wants?|asks?"
    r"|asking|offers?|offered|offering|cost us|costs us|costing|cost me|costs me|found|saw|seeing|spotted|seen|invoice"
    r"|invoiced|currently|current|right now|rate is|price is|now at|at present|listed at|lists|listing|sells|advertises"
    r"|advertised|getting|got quoted|last time|spent|renting at|date at|rents? (?:them |it |one |us )?(?:for|at)) "
)
_TOLD_ZH = re.compile(
    r"报价|报的|报了|报给|报|收我|收了|收费|付了|付|花了|给的价|给我们|给的|账单|要价|开价|看到|找到|收|现价|目前是|现在是|租的|在租"
    r"|花着|(?:现在|目前|一直|已经|正在?)[^想要能可打准 ]{0,4}(?: per[a-z]+)? ?花|交|挂|卖"
    r"|rentverb (?:的(?! ?话)|着|了)"
)
_SURELY_TOLD = re.compile(r" (?:quoted|charge|charged|billed|paying|paid|offer|offers|offered|报价) ")
_WOULD_PAY = re.compile(
    r" (?:would|could|will|can|should|want to|willing to|like to|going to|happy to|afford to|able to|i'd|we'd) "
    r"(?:[^ ]+ ){0,2}(?:pay|spend) "
)
_MAY_SPEND = re.compile(r" (?:have|(?<! P )has|got|spend|budget|afford|能付|愿意付|最多付|想花|打算花|准备花) ")
_BILL = re.compile(
    r"\bbill (?:was|came|is|of|has)|\b(?:last|previous|current|our|the|that|my) (?:\w+ )?(?:bill|invoice)\b"
    r"|\b(?:we're|i'm|we are|i am|currently|now|already|they're) (?:\w+ )?spending\b"
    r"|\b(?:we|i|they|us) (?:currently |now )?spend\b|\bspent\b"
    r"|\b(?:we|i|they|us) (?:just |already |have )?(?:blew|burn(?:ed|t)?|racked up|shelled out|forked (?:out|over))\b"
    r"|\b(?:was|were|been|got) told\b"
    r"|\bquot(?:e|es|ed|ing)\b"
    r"|(?<!who )(?<!which )(?<!anyone )(?<!anybody )\bcharg(?:e|es|ed|ing)\b"
    r"(?! (?:our |my |the )?(?:customers?|clients?|users?))"
)
_TO_BEAT = re.compile(r" (?:beat|undercut|cheaper) $")
# What is said of the amount right behind it, or anywhere in the message.
_THEN = re.compile(
    r"^ (?:(?:each|perhour|now|date|already|T) )*(?:quote|quoted|date|now|currently|at the moment"
    r"|的 ?报价|的 ?价格?|报价|rentverb ?(?:的(?!话)|着|了|到|来的)"
    r"|, is (?:that|this|it)|, (?:good|fair|ok|reasonable|too much)"
    r"|(?:a |an )?(?:good|fair|reasonable|decent|ok|okay|steep|expensive|too much|high|normal|rip|overpriced"
    r"|competitive|great|bad)|贵吗|贵不贵|贵|算贵|合理|值|算便宜|高吗|高不高|正常|划算|breakeven"
    r"|算 ?cheap|cheap 吗|cheap ?不)"
)
_JUDGED = re.compile(
    r"(?:价|price) ?(?:格|钱|位)? ?(?:还 ?|算 ?|是 ?|到底 ?|属于 ?)*"
    r"(?:行|怎么样|如何|合适|高|可以|好吗|好不好|咋样|贵|坑|能接受|过得去)"
    r"|贵吗|贵不贵|算贵|合理吗|合不合理|cheap ?吗|cheap ?不|正常吗|坑吗|偏高|偏贵"
    r"|(?:good|fair|reasonable|decent|ok|okay|normal|competitive|great|bad) (?:price|rate|deal|offer|quote) "
    r"| [,.;:-] (?:is (?:that|this|it) )?(?:a )?(?:good|fair|reasonable|decent|steep|overpriced|expensive|normal"
    r"|high) \?"
    r"| (?:is|was) (?:that|it|this) (?:(?:too|really|even|any|a) )*(?:cheap|expensive|normal) "
    r"| M [^.;?!]{0,60} (?:is|sounds|seems|looks) (?:(?:a|quite|pretty|too|so|about|what's) )*"
    r"(?:normal|fair|good|reasonable|steep|expensive|high|competitive) "
    r"| (?:good|fair|reasonable|steep|overpriced|competitive) \? $"
    r"| (?:too expensive|overpriced|a rip|rip off|ripped) "
    r"| M(?: ?的 ?[GL])*(?: ?[,，。?]| (?:gpu|card))* ?(?:[这那该]个? ?)?howmuch(?: ?[吗呢呀啊?？!])* $"  # 价格怎么样
    r"|how(?:'s| is| does)? (?:that|this|the) (?:price|rate|deal|offer|M|for a price) "
)
_IS = re.compile(r" is (?:about |around )?$")
_GOOD = re.compile(
    r"^ (?:a |an |too |really |any |considered )?(?:good|fair|reasonable|decent|ok|okay|steep|expensive|much|high"
    r"|normal|overpriced|competitive|great|bad|cheap) "
)
_GOOD_LATER = re.compile(
    r" (?:good|fair|reasonable|decent|steep|expensive|overpriced|competitive|normal) (?:deal|price|offer|rate|quote)?"
)
_OF_PROVIDER = re.compile(r" P(?: (?:'s|price|的|is|at|for|has|now|G|N|x|it|them|with|here|上|instance|的 ?G))* ?$")
_RENTED_AT = re.compile(r" rentverb (?:[^ ,]+ ){0,3}?(?:for|at) $")


@dataclass(frozen=True, slots=True)
class Said:
    """An amount with the sketch around it.

    ``clause`` is what stands before it in its clause, ``raw`` the words as written there, ``after`` what follows,
    ``text`` the whole sketch; ``rate`` says that it is for a time, ``bought`` that a price of buying was found before.
    """

    clause: str
    raw: str
    after: str
    text: str
    rate: bool
    bought: bool


def is_quoted(said: Said) -> bool:
    """Whether this amount is a quoted price; limits are told apart before."""
    if _WOULD_PAY.search(said.clause):
        return False
    if _BILL.search(said.raw) or (_TO_BEAT.search(said.clause) and not said.raw.endswith("cheaper")):
        return True
    spends = _MAY_SPEND.search(said.clause) is not None
    if _TOLD.search(said.clause) or _TOLD_ZH.search(said.clause):
        return not spends or _SURELY_TOLD.search(said.clause) is not None
    if not spends and _is_judged(said):
        return True
    return said.rate and _is_rate_of_another(said)


def _is_judged(said: Said) -> bool:
    """Is $2/hr a good price, 18元一小时贵不贵."""
    if _JUDGED.search(said.text) and " breakeven " not in said.text:
        return True
    if _THEN.match(said.after) and (said.rate or " breakeven" not in said.after):
        return True
    later = said.after + said.text[said.text.find(" M ") :]
    return bool(_IS.search(said.clause)) and bool(_GOOD.match(said.after) or _GOOD_LATER.search(later))


def _is_rate_of_another(said: Said) -> bool:
    """A provider's own rate with a wish for a better one, or what renting costs beside buying."""
    wish = re.search(r" (?:cheaper|cheap|better|alternative) ", said.text)
    if wish and _OF_PROVIDER.search(said.clause):
        return True
    if re.search(r" M .*cheaper ", said.text) and not re.search(r" (?:vs|or|than) ", said.text):
        return True
    buys = said.bought or (" buy " in said.text and " breakeven " in said.text)
    return buys or _RENTED_AT.search(said.clause) is not None
