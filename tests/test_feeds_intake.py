"""Bytes that cannot be a price list are refused in one sentence; those that can are read whatever their dress."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path
from secrets import token_hex

import pytest

from bot.catalog import load
from bot.feeds import intake, skypilot
from bot.feeds.intake import FeedError, Origin, read_file, table, take, unpacked
from bot.feeds.names import Names
from bot.render.prices import SENTENCES, why_refused

HEADER = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region"
ROWS = ["one,A100-80GB,1,2.00,,us-east-1", "two,A100-80GB,2,4.00,,us-east-1"]
GOOD = "\n".join([HEADER, *ROWS]) + "\n"


@pytest.fixture(scope="module")
def names() -> Names:
    return Names(load()[0])


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name.replace("_", "."), content)
    return out.getvalue()


REFUSED = {
    "cut off in the last row": ((GOOD + "three,A100-80GB,4").encode(), "feed.cut"),
    "a row too long": ((HEADER + "\n" + ROWS[0] + ",more\n" + ROWS[1] + "\n").encode(), "feed.ragged"),
    "a row too short": ((HEADER + "\none,A100-80GB\n" + ROWS[1] + "\n").encode(), "feed.ragged"),
    "a web page": (b"<!DOCTYPE html><html><body>Sign in</body></html>", "feed.web_page"),
    "UTF-16": (GOOD.encode("utf-16"), "feed.not_utf8"),
    "GB 18030": (GOOD.replace("us-east-1", "北京").encode("gb18030"), "feed.not_utf8"),
    "packed another way": (gzip.compress(GOOD.encode()), "feed.not_utf8"),
    "Latin-1": (GOOD.replace("us-east-1", "Montréal").encode("latin-1"), "feed.not_utf8"),
    "zero bytes": (GOOD.replace("one", "o\0e").encode(), "feed.not_text"),
    "nothing": (b"", "feed.empty"),
    "blanks": (b"\n \n", "feed.empty"),
    "a missing column": (GOOD.replace("Price,SpotPrice", "Cost,SpotPrice").encode(), "feed.no_column"),
    "a column twice": (GOOD.replace("SpotPrice", "Price").encode(), "feed.column_twice"),
    "a quote that never ends": ((HEADER + '\n"one,A100-80GB,1,2,,us-east-1\n').encode(), "feed.broken"),
}


@pytest.mark.parametrize("what", list(REFUSED))
def test_a_damaged_table_is_refused_as_a_whole(what: str, names: Names) -> None:
    data, key = REFUSED[what]
    with pytest.raises(FeedError) as caught:
        skypilot.read(data, Origin("aws.csv", "aws"), names)
    assert caught.value.key == key


@pytest.mark.parametrize("what", list(REFUSED))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_refusal_is_one_sentence_that_names_the_file(what: str, lang: str) -> None:
    data, _ = REFUSED[what]
    with pytest.raises(FeedError) as caught:
        list(table(data, "aws.csv", skypilot.NEEDED))
    said = why_refused(caught.value.key, lang, caught.value.slots)
    assert "aws.csv" in said
    assert "\n" not in said
    assert "{" not in said


def test_columns_and_rows_may_come_in_any_order_with_or_without_a_byte_order_mark(names: Names) -> None:
    swapped = "Region,Price,SpotPrice,AcceleratorCount,AcceleratorName,InstanceType\n"
    swapped += "us-east-1,4.00,,2,A100-80GB,two\nus-east-1,2.00,,1,A100-80GB,one\n"

    def seen(data: bytes) -> list[tuple[str, str]]:
        (reading,) = skypilot.read(data, Origin("aws.csv", "aws"), names)
        return sorted((one.key, str(one.amount)) for one in reading.observations)

    assert seen(swapped.encode()) == seen(GOOD.encode()) == seen(GOOD.encode("utf-8-sig"))
    assert len(seen(GOOD.encode())) == 2


class Endless:
    """A stream that never ends; ``given`` counts what was taken of it."""

    def __init__(self, piece: bytes) -> None:
        self.piece, self.given = piece, 0

    def read(self, size: int, /) -> bytes:
        out = (self.piece * (size // len(self.piece) + 1))[:size]
        self.given += len(out)
        return out


def test_a_line_of_two_gigabytes_is_refused_after_its_first_hundred_kilobytes() -> None:
    stream = Endless(b"x")
    with pytest.raises(FeedError) as caught:
        take(stream, "aws.csv")
    assert caught.value.key == "feed.long_line"
    assert stream.given < 1_000_000


def test_lines_without_end_are_refused_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MAX_BYTES", 1_000_000)
    stream = Endless(b"a,b\n")
    with pytest.raises(FeedError) as caught:
        take(stream, "aws.csv")
    assert caught.value.key == "feed.too_large"
    assert stream.given < 1_200_000


def test_a_file_of_two_gigabytes_is_not_even_opened(tmp_path: Path) -> None:
    file = tmp_path / "aws.csv"
    with file.open("wb") as stream:
        stream.truncate(2 << 30)  # holes only: it takes no room
    with pytest.raises(FeedError) as caught:
        read_file(file)
    assert caught.value.key == "feed.too_large"


def test_a_zip_with_one_table_is_read_and_any_other_zip_is_not() -> None:
    assert unpacked(zipped(aws_csv=GOOD.encode()), "catalog.zip") == GOOD.encode()
    assert unpacked(GOOD.encode(), "aws.csv") == GOOD.encode()
    broken = zipped(aws_csv=GOOD.encode())[:60] + b"cut"
    bomb = zipped(aws_csv=b"0" * 4_000_000)  # 4 MB of zeros pack to about 4 kB: a thousand to one
    for data, key in (
        (zipped(a_csv=b"", b_csv=b""), "feed.zip_tables"),
        (zipped(a_txt=b""), "feed.zip_tables"),
        (broken, "feed.bad_zip"),
        (bomb, "feed.zip_bomb"),
        (zipped(aws_csv=token_hex(60_000).encode()), "feed.long_line"),  # 120,000 letters that hardly pack
    ):
        with pytest.raises(FeedError) as caught:
            unpacked(data, "catalog.zip")
        assert caught.value.key == key


def test_a_zip_that_lies_about_its_size_stops_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The index may say anything; what is unpacked is counted."""
    data = bytearray(zipped(aws_csv=b"a,b\n" * 100_000))
    monkeypatch.setattr(intake, "MAX_BYTES", 300_000)
    monkeypatch.setattr(intake, "_MAX_RATIO", 10_000)
    central = data.rindex(b"PK\x01\x02")
    data[central + 24 : central + 28] = (1000).to_bytes(4, "little")  # the size in the index
    with pytest.raises(FeedError) as caught:
        unpacked(bytes(data), "catalog.zip")
    assert caught.value.key in ("feed.too_large", "feed.bad_zip")


def test_every_sentence_exists_in_both_languages_with_the_same_slots() -> None:
    import re

    from bot.render import digest

    slot = re.compile(r"\{(\w+)")
    for key, (english, chinese) in {**SENTENCES, **digest.SENTENCES}.items():
        assert set(slot.findall(english)) == set(slot.findall(chinese)), key
        words = re.search("[a-z]{4}", re.sub(r"\{[^}]*\}", "", english))
        assert not words or re.search(r"[\u4e00-\u9fff]", chinese), key
