"""The chart of a digest as a picture, where a workspace takes no chart: once, with words, and never in the way."""

from __future__ import annotations

import io
import json
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from slack import canned, limits
from slack.canned import Inside
from slack.peer import ALICE, BOT_TOKEN, GENERAL, TEAM
from slack.strict_proxy import Fault, Rules, as_json
from slack.world import running

from bot.digest.trend import Trend
from bot.render import picture
from bot.slack import mailing, pictures
from bot.slack.posting import Place
from bot.slack.views import digest as view
from bot.slack.views.kit import Message

TREND = Trend((date(2026, 11, 22), date(2026, 11, 29)), (("A100", (Decimal("1.19"), Decimal("1.10"))),))
TWIN = {
    "en": "A100: $1.19 → $1.10 per GPU-hour on demand (2026-11-22 to 2026-11-29)",
    "zh": "A100：按需每卡时 $1.19 → $1.10（2026-11-22 至 2026-11-29）",
}
SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Inside]:
    monkeypatch.setattr(pictures, "WAITS", (0.0, 0.0, 0.0))
    with canned.inside(tmp_path) as one:
        one.slack.rules.old = True
        yield one


def message(here: Inside, lang: str = "en") -> Message:
    from bot import digest
    from bot.digest.periods import period_of

    report = digest.digest_json(mailing.whole(here.bot, period_of("2026-W02")))
    return view.message(report, TREND, GENERAL, lang, subscribed=True)


def posted(here: Inside, given: Message) -> dict[str, Any]:
    """The one message that arrives, with its blocks as values."""
    assert here.bot.poster.first("key", Place(TEAM, GENERAL, ALICE), given, lambda _: None, "en") is None
    [call] = here.slack.done("chat.postMessage")
    return {**call.arguments, "blocks": as_json(call.arguments["blocks"])}


# ---------------------------------------------------------------- the drawing


def test_the_picture_shows_each_line_in_its_colour_and_falls_where_the_price_falls() -> None:
    """Two prices of 1 and 4 on a scale up to 4.2: the first line ends low, the second high, left to right."""
    days = (date(2026, 11, 22), date(2026, 11, 29))
    drawn = picture.png(days, (("L4", (Decimal(4), Decimal(1))), ("B200", (Decimal(1), Decimal(4)))))
    assert drawn.startswith(SIGNATURE)
    with Image.open(io.BytesIO(drawn)) as opened:
        image = opened.convert("RGB")
    assert image.size == (1200, 600)
    # 490 points high from 40 to 530: 4 / 4.2 lies at 40 + 490 * (1 - 0.952) = 63, 1 / 4.2 at 40 + 490 * 0.762 = 413
    blue, red = (0, 114, 178), (213, 94, 0)
    corners = [image.getpixel(at) for at in ((120, 63), (120, 413), (880, 63), (880, 413))]
    assert corners == [blue, red, red, blue]


def test_labels_stay_apart_and_inside_and_keep_their_order() -> None:
    assert picture.apart([300, 300, 310], 32, 40, 530) == [300, 332, 364]
    assert picture.apart([529, 528], 32, 40, 530) == [530, 498]


def test_a_long_name_does_not_cost_its_price_and_nothing_is_drawn_beyond_the_edge() -> None:
    drawn = picture.png((date(2026, 11, 22),) * 2, (("A GPU with a very long name " * 3, (Decimal(1), Decimal(1))),))
    with Image.open(io.BytesIO(drawn)) as opened:
        edge = opened.convert("L").crop((1190, 0, 1200, 600))
    assert edge.getextrema() == (255, 255)


# ---------------------------------------------------------------- in a message


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_workspace_without_charts_gets_a_picture_that_says_the_same_in_words(here: Inside, lang: str) -> None:
    sent = posted(here, message(here, lang))
    [image] = [one for one in sent["blocks"] if one["type"] == "image"]
    assert image["alt_text"] == TWIN[lang]
    assert limits.problems(sent["blocks"], old=True) == []
    [file] = here.slack.uploaded
    assert file.startswith(SIGNATURE)
    [asked] = here.slack.done("files.getUploadURLExternal")
    assert (asked.arguments["alt_txt"], int(asked.arguments["length"])) == (TWIN[lang], len(file))
    [done] = here.slack.done("files.completeUploadExternal")
    assert "channel_id" not in done.arguments  # the message shows it; the file is shared nowhere else
    assert TWIN[lang] in sent["text"].replace("&gt;", ">")
    assert TWIN[lang] in json.dumps(
        sent["blocks"][2:], ensure_ascii=False
    )  # beside the picture too, for those who skip it


def test_where_charts_are_taken_nothing_is_drawn_or_uploaded(here: Inside) -> None:
    here.slack.rules.old = False
    sent = posted(here, message(here))
    assert [one["type"] for one in sent["blocks"]].count("data_visualization") == 1
    assert here.slack.uploaded == []


def test_a_picture_that_slack_has_not_looked_at_yet_is_tried_again(here: Inside) -> None:
    here.slack.rules.looks_at_files = 2
    assert "image" in [one["type"] for one in posted(here, message(here))["blocks"]]
    assert len(here.slack.uploaded) == 1


def test_a_picture_that_slack_never_takes_leaves_the_words(here: Inside) -> None:
    here.slack.rules.looks_at_files = 99
    sent = posted(here, message(here))
    assert "image" not in [one["type"] for one in sent["blocks"]]
    assert TWIN["en"] in json.dumps(sent["blocks"], ensure_ascii=False).replace("&gt;", ">")


@pytest.mark.parametrize(
    "fault",
    [
        Fault("files.getUploadURLExternal", error="missing_scope"), Fault("files.getUploadURLExternal", status=503),
        Fault("files.completeUploadExternal", error="file_uploads_disabled"),
        Fault("files.getUploadURLExternal", error="ratelimited", status=429),
    ],
)  # fmt: skip
def test_a_refused_upload_leaves_the_words_and_no_error(here: Inside, fault: Fault) -> None:
    here.slack.faults.append(fault)
    sent = posted(here, message(here))
    assert "image" not in [one["type"] for one in sent["blocks"]]
    assert TWIN["en"] in json.dumps(sent["blocks"], ensure_ascii=False).replace("&gt;", ">")


def test_without_the_drawing_library_the_words_stand_alone(here: Inside) -> None:
    def missing() -> bytes:
        raise ImportError("No module named 'PIL'")

    given = message(here)
    assert given.picture is not None
    sent = posted(here, replace(given, picture=replace(given.picture, png=missing)))
    assert "image" not in [one["type"] for one in sent["blocks"]]
    assert here.slack.uploaded == []


# ---------------------------------------------------------------- as its users meet it

PRICES = "provider,gpu,gpus,price,seen\nmornai,A100,1,{price},{seen}\n"


@pytest.mark.needs_slack_peer
def test_a_local_slack_without_charts_shows_the_uploaded_picture_in_the_digest(tmp_path: Path) -> None:
    """Asked for in a thread after two lists, five weeks and one day old: a chart of several weeks, as one picture."""
    import subprocess
    import sys

    today = datetime.now(UTC).date()
    with running(tmp_path, rules=Rules(old=True, rate=20, burst=40)) as world:
        bot = world.bot(GPU_BOT_KNOWLEDGE=str(canned.SMALL))
        for days, price in ((36, "1.25"), (1, "0.95")):
            list_ = tmp_path / "list.csv"
            list_.write_text(PRICES.format(price=price, seen=today - timedelta(days=days)), encoding="utf-8")
            done = subprocess.run(
                [sys.executable, "-m", "bot", "prices", "import", str(list_), "--as", "csv"], env=bot.env,
                capture_output=True, text=True, timeout=60, check=False, cwd=Path(__file__).parent.parent,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
        reply = world.ask("what moved with the A100 in the last week?", 30)
        [image] = [one for one in reply["blocks"] if one["type"] == "image"]
        assert "A100: " in image["alt_text"]
        url = world.peer.api("files.info", file=image["slack_file"]["id"])["file"]["url_private"]
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {BOT_TOKEN}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert answer.read(8) == SIGNATURE
        assert "data_visualization" not in json.dumps(reply["blocks"])
