"""Text to pieces: the longest phrase of the vocabulary at each place, else a number, else the word itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from bot.question.everyday import is_everyday
from bot.question.numerals import HAN_NUMERAL, han_number, han_range
from bot.question.sketch import Piece
from bot.question.spelling import correct, nearest_unit
from bot.question.values import Gpu, Number
from bot.question.vocabulary import END, TOKEN, Meaning, Trie, Vocabulary

# Names that must not be split into words and digits.
_WHOLE = re.compile(
    r"(?<![A-Za-z0-9_-])(?:(?:us|eu|ap|ca|sa|me|af|il|mx|cn)-(?:gov-)?[a-z]+-\d[a-z]?"
    r"|(?:us|europe|asia|australia|northamerica|southamerica|me|africa)-[a-z]+\d(?:-[a-f])?"
    r"|(?:cn|ap|na|la|af)-[a-z]{4,}"
    r"|[a-z]\d[a-z]{0,3}(?:-[a-z]+\d*)?\.(?:\d*x?large|metal|medium|small|micro|nano)"
    r"|[a-z]\d[a-z]?-(?:highgpu|megagpu|ultragpu|edgegpu|standard|highmem|highcpu)-\d+g?"
    r"|(?:standard_)?n[cdv]\d+[a-z]+(?:_[a-z0-9]+)+)(?![A-Za-z0-9_])"
)
LARGEST = Decimal(10) ** 15  # nobody rents, waits or pays more; a number above it is left unread
_LOOKALIKE = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z][lI]OO"
    r"|(?=[A-Za-z]*[0-9])[A-Za-z]{0,4}[0-9OoIl]{2,5}[A-Za-z]{0,2})(?![A-Za-z0-9])"
)
_TIMES = re.compile(
    r"(?:(?<![a-z\d.])(?P<n>\d+(?:\.\d+)?)\s*|(?<=\d))[x*](?=(?(n)\s*)[a-z\d㐀-鿿])(?!\s*\d*x?large)"
    r"|(?:^|(?<=[\d)gbs\s]))x(?=\s*\d+(?![\d.]*x?[a-z]))|(?<=[a-z\d)])\s*\*(?=\s*\d)",
    re.IGNORECASE,
)
_CORES = re.compile(r"(?<![a-z0-9.])(\d{1,3})c(\d{1,4})g(?![a-z0-9])", re.IGNORECASE)  # 4c8g: four cores, 8 GB
_MODEL_SHAPE = re.compile(
    r"(?:[abhlvtpk]\d{2,4}[a-z]{0,4}|(?:rtx|gtx|mi|gb|gh|quadro|titan|radeon|rx|tpuv|gaudi"
    r"|trainium|inferentia|tesla)\d{1,4}[a-z]{0,5}"
    r"|z\d{3}|x\d{3}|\d{4}(?:ti|d|s|super|xt)|910[a-z])"
)
_THAT_FOR_WHICH = re.compile(  # 那家便宜: "that one" where a judgement follows is "which one"
    "那(?=(?:一?家|一?个|里|边|儿|种|款|张|台|朵云|个云|个平台|家云|家平台)"
    "(?:的|价格|总价|卡|机器|租|跑|用|会|比较|才|还|最|更|性价比|相对|要){0,2}"
    "(?:便宜|好(?!像|了|的|吧)|划算|合适|实惠|省|靠谱|强|快|低|稳|值))"
)
_FORMS = ("sxm", "pcie", "nvl")
_SUFFIXES = frozenset({"ti", "super", "laptop", "mobile", "max-q", "maxq"})
_NUMERALS = frozenset("零〇一二两三四五六七八九十百千万亿俩仨")
_LONGEST_NUMERAL = 12  # characters; nobody writes a longer one
_NUMBER_SIGNS = frozenset(("#", "no", "nr", "number", "num", "id", "号", "编号"))  # ticket no. 12, PR #12
_LONGEST_SIGN = 3  # tokens
_BEFORE_NAME = frozenset(("a", "an", "the", "x", "N"))  # "the a 100", where "a" is no article
_COUNTED_BY_ALL = frozenset(  # counted by any number: 4090 images
    "steps images samples pictures photos epochs files frames tokens requests users customers queries calls prompts"
    " rows"
    " records sequences clips videos documents docs iterations iters words people students employees messages emails"
    " seconds minutes req reqs qps rps tps tok pages sentences episodes".split()
)
_COUNTED_NOUNS = frozenset(("gpu", "card", "node", "gpuhour", "hour", "day", "instance"))
_TENS = {"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}


class Token(NamedTuple):
    text: str  # lower case, spelling corrected
    raw: str
    glued: bool  # no space before it
    kind: str  # "a" letters, "1" digits, "h" a Chinese character, "w" a whole name, "." a sign


def tokenise(text: str, vocabulary: Vocabulary) -> list[Token]:
    """The tokens of a plain text; ``8xH100`` and ``H100*8`` come apart."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    if vocabulary.slip is not None:
        low = vocabulary.slip.sub(lambda m: vocabulary.slips[m.group()].ljust(len(m.group()))[: len(m.group())], low)
    if "那" in low:
        low = _THAT_FOR_WHICH.sub("哪", low)
    out: list[Token] = []
    end = -1
    whole = {m.start(): m for m in _WHOLE.finditer(low)}
    inside = 0
    for start, stop in _pieces(low, whole):
        if start < inside:
            continue
        word = low[start:stop]
        raw = text[start:stop]
        first = word[0]
        if start in whole:
            kind = "w"
        elif first.isdigit() or (first == "." and len(word) > 1):
            kind = "1"
        elif "㐀" <= first <= "鿿":
            kind = "h"
        elif first.isalpha():
            kind = "a"
            if start != end or not out or out[-1].kind != "1":
                word = correct(word, vocabulary)
        else:
            kind = "."
        out.append(Token(word, raw, start == end, kind))
        end = stop
        inside = stop
    return out


def _pieces(low: str, whole: dict[int, re.Match[str]]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    at = 0
    for start in sorted(whole):
        spans += [m.span() for m in TOKEN.finditer(low, at, start)]
        spans.append(whole[start].span())
        at = whole[start].end()
    spans += [m.span() for m in TOKEN.finditer(low, at)]
    return spans


class Reader:
    """Walks over the tokens of one message once and gives its pieces."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        text = _LOOKALIKE.sub(self._look_again, text)
        text = _CORES.sub(r"\1核\2G", _TIMES.sub(lambda m: f"{m['n'] or ''} x ", text))
        self.tokens = tokenise(text, vocabulary)
        self.has_tpu = any(t.text in ("tpu", "tpus") for t in self.tokens)
        self.pieces: list[Piece] = []
        self.steps = 0

    def _look_again(self, match: re.Match[str]) -> str:
        """H1OO is H100: a letter O or l is a digit only where that gives a known name."""
        word = match.group()
        if not re.search("[OoIl]", word):
            return word
        folded = re.sub(r"(?<=[0-9OoIl])[Oo]|(?<=[A-Za-z])[Oo](?=[0-9Oo]|$)", "0", word[:1] + word[1:])
        folded = folded[:1] + re.sub("[Il](?=[0-9])", "1", folded[1:])
        for candidate in (
            folded,
            folded[:1] + folded[1:].replace("O", "0").replace("o", "0").replace("l", "1").replace("I", "1"),
        ):
            if (
                candidate != word
                and candidate.lower() in self.vocabulary.gpu_names
                and word.lower() not in self.vocabulary.gpu_names
            ):
                return candidate
        return word

    def read(self) -> list[Piece]:
        at = 0
        while at < len(self.tokens):
            self.steps += 1
            at = self._one(at)
        return self.pieces

    def _one(self, at: int) -> int:
        token = self.tokens[at]
        if token.kind == "w":
            return self._whole(at)
        if token.kind != "a" or token.text in self.vocabulary.numbered or token.raw.isupper():
            end = self._numbered(at)
            if end > at:
                return end
        attempts: tuple[Callable[[int], int], ...] = (self._gpu, self._phrase_or_number)
        if token.kind == "1" and token.text in self.vocabulary.gpus and self._goes_on(at + 1):
            attempts = (self._gpu, self._unknown_model, self._phrase_or_number)  # 4090D is no 4090 days
        for attempt in attempts:
            end = attempt(at)
            if end > at:
                return end
        end = self._unknown_model(at)
        if end > at:
            return end
        self.pieces.append(Piece(token.text if not token.text.isupper() else token.text.lower(), token.raw))
        return at + 1

    # ------------------------------------------------------------ names with digits

    def _numbered(self, at: int) -> int:
        """A ticket, a room, an invoice, a version with its number: a name, neither a card nor a count."""
        end = self._place_behind(at)
        if end > at:
            self.pieces.append(Piece("name", self._raw(at, end)))
            return end
        found = None if self._stuck(at) else self._walk(self.vocabulary.numbered, at)
        how = found[1][0].value if found is not None else "key" if self._is_key(at) else ""
        noun = found[0] if found is not None else at + bool(how)
        start = self._number_sign(noun)
        signed = start > noun
        if not (how or (signed and self.tokens[at].text == "#")) or start >= len(self.tokens):
            return at
        token = self.tokens[start]
        if token.kind == "1" and token.text.isdecimal() and not self._goes_on(start + 1):
            card = token.text in self.vocabulary.gpus
            plain = how == "key" and self.tokens[at].text in self.vocabulary.known  # ML-8: perhaps a count
            named = card or not plain if signed else card and how != "signed"
            end = start + 1 if named else at
        else:
            place = how == "place" and not signed and self._gpu_alias(start)
            end = place[0] if place and self.tokens[place[0] - 1].text != "s" else at
        if end > at:
            self.pieces.append(Piece("name", self._raw(at, end)))
        return end

    def _place_behind(self, at: int) -> int:
        """Where 4090会议室 ends: a number that names the place behind it."""
        token = self.tokens[at]
        if token.kind != "1" or at + 1 >= len(self.tokens) or self.tokens[at + 1].kind != "h":
            return at
        found = self._walk(self.vocabulary.numbered, at + 1)
        return found[0] if found is not None and found[1][0].value == "place" else at

    def _number_sign(self, at: int) -> int:
        """Where what announces a number ends: #12, no. 12, or the hyphen of OPS-12 (a dash between spaces is none)."""
        end = at
        while end < len(self.tokens) and end - at < _LONGEST_SIGN and self.tokens[end].text in _NUMBER_SIGNS:
            end += 1
        if end > at and end < len(self.tokens) and self.tokens[end].text == ".":
            return end + 1
        hyphen = end == at and end + 1 < len(self.tokens) and self.tokens[end].text == "-"
        return end + 1 if hyphen and self.tokens[end].glued and self.tokens[end + 1].glued else end

    def _is_key(self, at: int) -> bool:
        """Capitals tied to a number that are no word of the trade: JIRA-4090, INV-2048."""
        token = self.tokens[at]
        if token.kind != "a" or len(token.raw) < 2 or not token.raw.isupper() or self._stuck(at):
            return False
        tied = at + 2 < len(self.tokens) and self.tokens[at + 1].glued and self.tokens[at + 2].glued
        words = self.vocabulary
        hardware = token.text in words.gpus or token.text in words.gpu_prefixes or token.text in words.numbers
        return tied and self.tokens[at + 1].text == "-" and not hardware and token.text not in ("gpu", "gtx", "non")

    def _whole(self, at: int) -> int:
        token = self.tokens[at]
        name = token.text.removeprefix("standard_")
        known = self.vocabulary.instances.get(name)
        if known is not None:
            provider, model, count = known
            self.pieces.append(Piece("G", token.raw, Gpu(model, count=count, provider=provider, machine=True)))
        elif token.text in self.vocabulary.region_codes:
            self.pieces.append(Piece("R", token.raw, token.text))
        elif re.fullmatch(r"[a-z]+-[a-z]+\d-[a-f]|[a-z]+-(?:gov-)?[a-z]+-\d[a-f]", token.text):
            self.pieces.append(Piece("R", token.raw, re.sub(r"-?[a-f]$", "", token.text)))
        elif re.fullmatch(r"[a-z]{2,}-(?:gov-)?[a-z]+-?\d", token.text):
            self.pieces.append(Piece("R", token.raw, token.text))
        else:
            self.pieces.append(Piece("cpumachine" if "." in token.text else "name", token.raw))
        return at + 1

    def _gpu(self, at: int) -> int:
        start = at
        for _ in range(3):
            if start < len(self.tokens) and self.tokens[start].text in self.vocabulary.gpu_prefixes:
                start += 1
        for begin in (at, start) if start > at else (at,):
            found = self._gpu_alias(begin)
            if found is not None:
                end, model = found
                raw = "".join(("" if t.glued else " ") + t.raw for t in self.tokens[at:end]).strip()
                self.pieces.append(Piece("G", raw, Gpu(model)))
                return end
        return at

    def _gpu_alias(self, at: int) -> tuple[int, str] | None:
        """The longest alias that begins here and ends where a word ends: (end, model)."""
        if at >= len(self.tokens) or self._stuck(at) or self._is_unit_here(at):
            return None
        if self.has_tpu and self.tokens[at].text == "v":
            version = self._tpu_version(at)
            if version is not None:
                return version
        node: Trie = self.vocabulary.gpus
        found: tuple[int, str] | None = None
        i = at
        while i < len(self.tokens):
            i, below = self._alias_step(node, i, at)
            if below is None:
                found = self._plural(node, i, at) or found
                break
            node = below
            i += 1
            if END in node:
                stop = self._alias_end(i)
                found = (stop, node[END][0]) if stop is not None else None
        if (
            found is not None
            and found[0] == at + 1
            and self.tokens[at].kind == "1"
            and not self._bare_card(at, found[0])
        ):
            return None
        return found

    def _alias_step(self, node: Trie, i: int, at: int) -> tuple[int, Trie | None]:
        """The token that goes on an alias (a hyphen before it is skipped), and what lies below it."""
        token = self.tokens[i]
        if i == at:
            return i, node.get(token.text)
        if token.text in ("-", "_") and token.glued and i + 1 < len(self.tokens) and self.tokens[i + 1].glued:
            token = self.tokens[i + 1]
            return i + 1, node.get(" " + token.text, node.get(token.text))
        if token.glued or (i == at + 1 and self._is_spaced_letter(at)):
            return i, node.get(token.text, node.get(" " + token.text))
        return i, node.get(" " + token.text)

    def _is_unit_here(self, at: int) -> bool:
        """80 GB 200 hours: the unit of one number before the next, and no GB200."""
        counted = bool(self.pieces) and self.pieces[-1].mark == "N" and at + 2 < len(self.tokens)
        spaced = counted and not self.tokens[at + 1].glued and self.tokens[at].text in self.vocabulary.units
        return spaced and self.tokens[at + 1].kind == "1" and self._walk_unit(at + 2) is not None

    def _is_spaced_letter(self, at: int) -> bool:
        """Whether the one letter here belongs to the number behind it, H 100: no article, no unit, no amount."""
        token, before = self.tokens[at], self.pieces[-1].mark if self.pieces else ""
        if len(token.text) > 1 or self._walk_unit(at + 2) is not None:
            return False
        if token.text == "a" and token.raw == "a":
            return before in _BEFORE_NAME
        if token.text == "a" and at + 2 < len(self.tokens):
            noun = self._walk(self.vocabulary.phrases, at + 2)
            return noun is None or noun[1][0].value not in _COUNTED_NOUNS
        return before != "N" or token.raw in ("H", "L", "V")

    def _plural(self, node: Trie, i: int, at: int) -> tuple[int, str] | None:
        """A10Gs: the plural of an alias that ends in a letter."""
        token = self.tokens[i]
        if i == at or not token.glued or token.kind != "a" or not token.text.endswith("s"):
            return None
        single = node.get(token.text[:-1], {})
        return (i + 1, single[END][0]) if END in single and not self._goes_on(i + 1) else None

    def _tpu_version(self, at: int) -> tuple[int, str] | None:
        if at + 1 >= len(self.tokens) or not self.tokens[at + 1].glued:
            return None
        text = "tpuv" + self.tokens[at + 1].text
        end = at + 2
        if end < len(self.tokens) and self.tokens[end].glued and self.tokens[end].kind == "a":
            text += self.tokens[end].text
            end += 1
        for model in self.vocabulary.models:
            if model.lower() == text or (text == "tpuv6" and model == "TPUv6e"):
                named = end < len(self.tokens) and self.tokens[end].text in ("tpu", "tpus")
                return end + named, model
        return None

    def _stuck(self, at: int) -> bool:
        """Whether letters or digits stand right before this token."""
        token = self.tokens[at]
        return token.glued and at > 0 and token.kind in "a1" and self.tokens[at - 1].kind in "a1"

    def _alias_end(self, i: int) -> int | None:
        """Where an alias that ends before token i really ends: a plural s belongs to it; None when it goes on."""
        if i < len(self.tokens):
            token = self.tokens[i]
            if token.kind == "a" and self.tokens[i - 1].kind == "h":
                return i  # 昇腾NPU
            if token.glued and token.kind in "a1":
                after = self.tokens[i + 1] if i + 1 < len(self.tokens) else None
                free = after is None or not after.glued or after.kind not in "a1"
                if token.text in ("s", "'s") and free:
                    return i + 1
                if token.text.startswith(_FORMS):
                    return i
                return None
            if token.text == "'" and token.glued and i + 1 < len(self.tokens) and self.tokens[i + 1].text == "s":
                return i + 2
            if token.text in _SUFFIXES and token.kind == "a":
                return None
        return i

    def _bare_card(self, at: int, end: int) -> bool:
        """Whether a plain number such as 4090 is the card: not after a currency, not before another noun."""
        if end > at + 1:
            return True
        before = self.pieces[-1] if self.pieces else None
        if before is not None and before.mark in ("U", "budget", ".", "#"):
            return False
        if end >= len(self.tokens):
            return True
        token = self.tokens[end]
        found = self._walk(self.vocabulary.phrases, end)
        if token.raw.lower() in _COUNTED_BY_ALL:
            return False
        if found is not None and (found[1][0].mark == "U" or found[1][0].value in ("gpuhour", "hour", "day")):
            return (
                found[1][0].value == "gpuhour" and bool(self.pieces) and self.pieces[-1].mark in ("howlong", "howmany")
            )
        if self._walk(self.vocabulary.units, end) is not None and token.text not in ("s", "d"):
            return False
        if token.kind == "h" and token.text in "块元刀":
            return False
        return not (token.kind == "a" and token.text not in self.vocabulary.known and token.text.endswith("s"))

    def _unknown_model(self, at: int) -> int:
        """A word shaped like an accelerator that no alias names: Z999, 4090D, RTX 3080 Ti."""
        if self._stuck(at) or self.tokens[at].kind not in "a1":
            return at
        text, end = self.tokens[at].text, at + 1
        while end < len(self.tokens):
            token = self.tokens[end]
            joined = token.glued and token.kind in "a1"
            if not joined and not (
                token.kind == "1" and text in ("rtx", "gtx", "mi", "quadro", "titan", "tesla", "radeon", "rx")
            ):
                break
            text += token.text
            end += 1
        if end < len(self.tokens) and self.tokens[end].text in _SUFFIXES and re.search(r"\d{4}$", text):
            text += self.tokens[end].text
            end += 1
        plain = text[:-1] if text.endswith("s") else text
        if _MODEL_SHAPE.fullmatch(text) or _MODEL_SHAPE.fullmatch(plain):
            raw = "".join(("" if t.glued else " ") + t.raw for t in self.tokens[at:end]).strip()
            self.pieces.append(Piece("Z", raw, raw))
            return end
        return at

    # ------------------------------------------------------------ words and numbers

    def _walk(self, trie: Trie, at: int) -> tuple[int, tuple[Meaning, ...]] | None:
        """The longest phrase that begins here: where it ends and what it means."""
        node: Trie = trie
        best: tuple[int, tuple[Meaning, ...]] | None = None
        i = at
        while i < len(self.tokens):
            token = self.tokens[i]
            self.steps += 1
            below = node.get(token.text)
            if below is None and i > at and token.text == "-" and i + 1 < len(self.tokens):
                below = node.get(self.tokens[i + 1].text)
                i += 1
            if below is None:
                break
            node = below
            i += 1
            if END in node and not self._goes_on(i):
                best = (i, node[END])
        return best

    def _goes_on(self, i: int) -> bool:
        """Whether token i continues the word before it (letters and digits without a space)."""
        if i >= len(self.tokens):
            return False
        token, before = self.tokens[i], self.tokens[i - 1]
        return token.glued and token.kind in "a1" and before.kind in "a1"

    def _phrase_or_number(self, at: int) -> int:
        number = self._number(at)
        form = self.tokens[at].text.startswith(_FORMS)  # h100pcie
        found = None if self._stuck(at) and not form else self._walk(self.vocabulary.phrases, at)
        unit = self._unit(at)
        longest = max(number[0] if number else 0, unit[0] + 1 if unit else 0)  # of a tie, the unit wins
        if found is not None and found[0] >= longest:
            return self._phrase(at, found)
        if unit is not None:
            self.pieces.append(Piece(unit[1], self._raw(at, unit[0])))
            return unit[0]
        if number is not None:
            mark = "N" if number[1].value <= LARGEST else "toolarge"
            self.pieces.append(Piece(mark, self._raw(at, number[0]), number[1]))
            return number[0]
        return self._phrase(at, found) if found is not None else at

    def _raw(self, at: int, end: int) -> str:
        return "".join(("" if t.glued else " ") + t.raw for t in self.tokens[at:end]).strip()

    def _phrase(self, at: int, found: tuple[int, tuple[Meaning, ...]]) -> int:
        end, meanings = found
        raw = self._raw(at, end)
        if is_everyday(self.tokens, at, end, meanings[0]):
            self.pieces += [Piece(t.text, t.raw) for t in self.tokens[at:end]]
            return end
        for n, meaning in enumerate(meanings):
            if meaning.mark == "N":
                self.pieces.append(Piece("N", raw, Number(Decimal(meaning.value), word=True)))
            elif meaning.mark:
                self.pieces.append(Piece(meaning.mark, raw, meaning.value))
            else:
                self.pieces.append(Piece(meaning.value, raw))
            if n == 0 and not meaning.mark:
                break
        return end

    def _unit(self, at: int) -> tuple[int, str] | None:
        """A unit, if a number (or half, a few) stands right before."""
        before = self.pieces[-1].mark if self.pieces else ""
        if before == "-" and len(self.pieces) > 1 and self.pieces[-2].mark == "N":
            return self._unit_slip(at)
        if before not in ("N", "half", "few", "个"):
            return None
        token = self.tokens[at]
        if (
            before == "个"
            and not (before == "个" and token.text == "半")
            and (len(self.pieces) < 2 or self.pieces[-2].mark not in ("N", "half", "few"))
        ):
            return None
        found = self._walk_unit(at)
        if found is None:
            return self._unit_slip(at)
        end, unit = found
        if token.text == "月" and before != "half" and self.tokens[at - 1].text not in "两俩仨":
            return None  # 三月 is March, 俩月 a length
        if len(token.text) > 1 or token.kind != "a" or token.glued:
            return end, unit
        alone = token.text in ("h", "g") or (token.text in ("t", "b") and token.raw.isupper())
        return (end, unit) if alone else None

    def _unit_slip(self, at: int) -> tuple[int, str] | None:
        """A misspelt unit: 20 hrous, 1 yer."""
        token = self.tokens[at]
        if token.kind != "a" or token.raw.lower() in self.vocabulary.known or self._goes_on(at + 1):
            return None
        meant = nearest_unit(token.raw.lower(), self.vocabulary.units)
        return None if meant is None else (at + 1, self.vocabulary.units[meant][END][0])

    def _walk_unit(self, at: int) -> tuple[int, str] | None:
        node: Trie = self.vocabulary.units
        best: tuple[int, str] | None = None
        i = at
        while i < len(self.tokens):
            below = node.get(self.tokens[i].text)
            if below is None:
                break
            node = below
            i += 1
            if END in node and not self._unit_goes_on(i):
                best = (i, node[END][0])
        return best

    def _unit_goes_on(self, i: int) -> bool:
        if i >= len(self.tokens):
            return False
        token, before = self.tokens[i], self.tokens[i - 1]
        return token.glued and token.kind == "a" and before.kind == "a"

    def _number(self, at: int) -> tuple[int, Number] | None:
        token = self.tokens[at]
        if self._stuck(at) and token.kind == "a":
            return None
        if token.kind == "1":
            if self._stuck(at):
                return None
            return self._digits(at)
        if token.kind == "a":
            return self._english(at)
        if token.text in "单双" and at + 1 < len(self.tokens) and self.tokens[at + 1].text in ("卡", "张", "块", "gpu"):
            return at + 1, Number(Decimal(1 if token.text == "单" else 2), word=True)
        if token.text in _NUMERALS and not (at and self.tokens[at - 1].text == "第"):
            return self._han(at)
        return None

    def _digits(self, at: int) -> tuple[int, Number]:
        value = Decimal(self.tokens[at].text.replace(",", ""))
        i = at + 1
        if i < len(self.tokens):
            token = self.tokens[i]
            if (
                token.text in ("k", "grand")
                and (token.glued or token.text == "grand")
                and not self._unit_goes_on(i + 1)
            ):
                return i + 1, Number(value * 1000)
            said_as_money = bool(self.pieces) and self.pieces[-1].mark == "budget"  # 预算 2 w
            if token.text == "w" and (token.glued or said_as_money) and not self._unit_goes_on(i + 1):
                return i + 1, Number(value * 10000)
            if token.text in ("thousand", "hundred"):
                return i + 1, Number(value * (1000 if token.text == "thousand" else 100))
            if token.text in ("million", "billion") and at and self.pieces and self.pieces[-1].mark == "U":
                return i + 1, Number(value * (10**6 if token.text == "million" else 10**9))
        while i < len(self.tokens) and self.tokens[i].text in ("百", "千", "万", "亿") and not self._names(i):
            value *= {"百": 100, "千": 1000, "万": 10**4, "亿": 10**8}[self.tokens[i].text]
            i += 1
        if i > at + 1 and i < len(self.tokens) and self.tokens[i].kind == "1" and len(self.tokens[i].text) == 1:
            last = {"百": 10, "千": 100, "万": 1000, "亿": 10**7}[self.tokens[i - 1].text]
            return i + 1, Number(value + int(self.tokens[i].text) * last)
        return i, Number(value)

    def _names(self, i: int) -> bool:
        """Whether the numeral at i begins a word such as 百度, 千问 or 万兆, and multiplies nothing."""
        found = self._walk(self.vocabulary.phrases, i)
        return found is not None and any(t.text not in _NUMERALS for t in self.tokens[i : found[0]])

    def _english(self, at: int) -> tuple[int, Number] | None:
        numbers = self.vocabulary.numbers
        text = self.tokens[at].text
        i = at
        if (
            text in ("a", "an")
            and i + 1 < len(self.tokens)
            and self.tokens[i + 1].text in ("hundred", "thousand", "grand")
        ):
            value = Decimal(1)
            i += 1
        elif text in numbers:
            value = numbers[text]
            i += 1
            if text in _TENS and i < len(self.tokens):
                j = i + 1 if self.tokens[i].text == "-" and i + 1 < len(self.tokens) else i
                unit = numbers.get(self.tokens[j].text)
                if unit is not None and unit < 10 and self.tokens[j].text.isascii():
                    value += unit
                    i = j + 1
        else:
            return None
        while i < len(self.tokens) and self.tokens[i].text in ("hundred", "thousand", "grand"):
            value *= 100 if self.tokens[i].text == "hundred" else 1000
            i += 1
        return i, Number(value, word=True)

    def _han(self, at: int) -> tuple[int, Number] | None:
        i = at
        while i < len(self.tokens) and self.tokens[i].text in _NUMERALS and i - at <= _LONGEST_NUMERAL:
            if i > at and self.tokens[i].text in "百千万" and self._names(i):
                break
            i += 1
        if i - at > _LONGEST_NUMERAL:
            return None
        text = "".join(t.text for t in self.tokens[at:i])
        if not HAN_NUMERAL.fullmatch(text):
            return None
        pair = han_range(text)
        if pair is not None:
            return i, Number(pair[1], low=pair[0], word=True)
        value = han_number(text)
        if value is None and i - at == 2 and self.pieces and self.pieces[-1].mark == "块":  # 一块六一小时
            return at + 1, Number(han_number(text[0]) or Decimal(0), word=True)
        return (i, Number(value, word=True)) if value else None
