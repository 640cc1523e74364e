"""Sentences: both languages, the same slots, and no word of one left in the other."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from bot.render import figures
from bot.render.words import SENTENCES, fill, join, natural, say, word

SLOT = re.compile(r"\{(\w+)(?::[^{}]*)?\}")
MODEL = re.compile(r"[A-Z]+[0-9]+[A-Z]?")
HAN = re.compile(r"[\u4e00-\u9fff]")
# Names, signs of units and what is typed as it stands.
NAMES = set(
    """GPU GPUs GB TFLOPS USD CNY EUR NVLink Kubernetes Jupyter Windows GDPR ISO SOC LoRA QLoRA Lambda RunPod B h s
    gpu bot bench prices subscribe digest kb stale list check ask batch all explain lang en zh as of json YYYY MM DD G
    per machine gpus currencies yaml LOG LEVEL debug BOT UTF coverage help KV AdamW manifest socket https example
    NAME value pip install e""".split()
)


def test_every_sentence_stands_in_both_languages() -> None:
    """No key lacks a language."""
    assert [key for key, pair in SENTENCES.items() if len(pair) != 2 or not all(text.strip() for text in pair)] == []


def test_both_languages_name_the_same_slots() -> None:
    """What one language says, the other says too."""
    differ = {key: pair for key, pair in SENTENCES.items() if set(SLOT.findall(pair[0])) != set(SLOT.findall(pair[1]))}
    assert differ == {}


def test_english_holds_no_chinese() -> None:
    """An English reader meets no Han character."""
    assert [key for key, (en, _) in SENTENCES.items() if HAN.search(en)] == []


def test_chinese_holds_no_english_words() -> None:
    """Apart from names and what is typed, a Chinese sentence is Chinese."""
    left = {}
    for key, (_, zh) in SENTENCES.items():
        words = set(re.findall(r"[A-Za-z]+", MODEL.sub("", SLOT.sub("", zh)))) - NAMES
        if words:
            left[key] = words
    assert left == {}


def test_a_slot_that_is_not_known_reads_as_a_question_mark() -> None:
    """A sentence is never lost for one missing fact."""
    assert fill("A {hours} h run on {offer.plan}", {"question.hours": Decimal("72.0")}) == "A 72 h run on ?"


def test_a_slot_is_looked_up_and_never_evaluated() -> None:
    """Knowledge files cannot reach into the program."""
    assert fill("{x.__class__} {x}", {"x": "{y}", "y": "no"}) == "? {y}"


def test_an_unknown_key_is_an_error() -> None:
    """A misspelt key is found by the tests, not by a reader."""
    with pytest.raises(KeyError):
        say("no such sentence", "en")


@pytest.mark.parametrize(
    ("value", "said"),
    [(Decimal("1234.50"), "1,234.5"), (True, "✓"), (None, "?"), (["a", "b"], "a, b"), (3, "3"), (0.25, "0.25")],
)
def test_values_are_written_naturally(value: object, said: str) -> None:
    """Numbers carry separators and no needless zeros."""
    assert natural(value) == said


def test_chinese_is_set_with_a_space_before_latin_and_none_between_han() -> None:
    """The slots' neighbours decide, so that a name in either script reads well."""
    sentence = "{a} 最便宜，共 {b}每小时"
    assert fill(sentence, {"a": "岭风", "b": "$1.50"}) == "岭风最便宜，共 $1.50 每小时"
    assert fill(sentence, {"a": "RunPod", "b": "1 元"}) == "RunPod 最便宜，共 1 元每小时"


def test_a_blank_beside_a_wide_sign_is_not_doubled() -> None:
    """A full-width bracket brings its own space."""
    assert fill("{a} 用 {b}", {"a": "8 台（每台 1 张）", "b": "72 小时"}) == "8 台（每台 1 张）用 72 小时"


def test_number_chooses_the_form() -> None:
    """One machine, two machines."""
    assert [say("machines", "en", n=n) for n in (1, 2)] == ["1 machine", "2 machines"]


def test_lists_are_joined_in_both_languages() -> None:
    """The last of a list is linked by a word."""
    assert join(["a", "b", "c"], "en") == "a, b and c"
    assert join(["甲", "乙", "丙"], "zh", "or") == "甲、乙或丙"
    assert join(["A100", "H100"], "zh", "or") == "A100 或 H100"
    assert join(["a"], "en") == "a"


def test_a_word_without_an_entry_stands_for_itself() -> None:
    """A rule's id is shown as it is."""
    assert word("plan", "spot", "zh") == "竞价"
    assert word("caution", "my-rule", "en") == "my-rule"


@pytest.mark.parametrize(
    ("amount", "currency", "said"),
    [
        ("0.005", "USD", "$0.01"),  # half up
        ("0.0049", "USD", "< $0.01"),
        ("0", "USD", "$0.00"),
        ("-1.5", "USD", "-$1.50"),
        ("1580.945", "USD", "$1,580.95"),
        ("1234.5", "JPY", "JP¥1,235"),
        ("3628.8", "CNY", "¥3,628.80"),
    ],
)
def test_money_goes_to_the_cent(amount: str, currency: str, said: str) -> None:
    """Amounts are rounded half up once; a currency without cents has none."""
    assert figures.money(Decimal(amount), currency) == said


def test_what_money_buys_is_never_rounded_up() -> None:
    """78.529 h that are paid for are not 78.53 h."""
    assert figures.count_down(Decimal("78.529")) == "78.52"
