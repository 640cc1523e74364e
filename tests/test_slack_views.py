"""Messages, forms and tables as values: within Slack's limits, complete in both languages, and nothing in them live."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slack import limits

from bot.catalog import load
from bot.slack import answering, conversation, ids
from bot.slack.ids import Ref
from bot.slack.listeners.views import read_edit
from bot.slack.templates import QUESTIONS, templates
from bot.slack.text import SENTENCES, clip, clip_lines, escape, mrkdwn, plain, tell
from bot.slack.views import answer as answer_view
from bot.slack.views import forms, home, kit, offers
from rules.model import Catalog, Text

SMALL = load(Path(__file__).parent / "worlds" / "small")[0]
PACKAGED = load()[0]
DAY = date(2026, 11, 30)
ASKER = "U01ALICE"
HOSTILE = "<!channel> <@U02BOB> <#C01X|x> <https://evil.example|pay here> & *b* _i_ ~s~ `c`"


def given_answer(text: str, lang: str, catalog: Catalog = SMALL) -> answering.Given:
    return answering.give(conversation.hear(text, None, catalog).parsed, catalog, DAY, lang)


def walk(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for one in value.values():
            yield from walk(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from walk(one)


OWN_LINK = re.compile(r"<https?://[^<>|\s]+\|[^<>|]*>")


def live(text: str, blocks: Any) -> list[str]:
    """Whatever in a message Slack would take for markup that is not ours."""
    found = [] if inert(text) else [text]
    for one in walk(blocks):
        said = one.get("text")
        if not isinstance(said, str):
            continue
        if one.get("type") == "mrkdwn":
            found += [] if inert(OWN_LINK.sub("", said)) else [said]
        elif re.search(r"<[!@#]", said):
            found.append(said)
    return found


def inert(text: str) -> bool:
    return not re.search(r"[<>]|&(?!amp;|lt;|gt;)", text)


# ---------------------------------------------------------------- every template


@pytest.mark.parametrize("catalog", [SMALL, PACKAGED], ids=["small", "packaged"])
def test_every_message_is_one_that_slack_takes(catalog: Catalog) -> None:
    """Both languages, rich and plain."""
    seen = set()
    for name, blocks in templates(catalog):
        surface = "home" if name.startswith("home") else "modal" if name.startswith("edit") else "message"
        assert limits.problems(blocks, surface) == [], name
        assert live("", blocks) == [] or name.startswith("home"), name  # the home tab names channels
        seen.add(name)
    assert {f"{name}-{lang}" for name in QUESTIONS for lang in ("en", "zh")} <= seen


def test_plainer_messages_use_old_blocks_only() -> None:
    for name, blocks in templates(SMALL):
        if name.endswith("-plainer"):
            assert limits.problems(blocks, old=True) == [], name


@pytest.mark.parametrize(("lang", "text"), [("en", "cheapest for 72h on 4xA100"), ("zh", "4张A100跑72小时哪家最便宜")])
def test_the_text_alone_is_the_whole_answer(lang: str, text: str) -> None:
    """Screen readers and notifications get nothing else: 1.50 × 4 × 72 = 432.00, and 4 % = 449.28."""
    found = given_answer(text, lang)
    message = found.message(ASKER, SMALL)
    assert message.text.startswith(escape(found.document.headline))
    assert "$449.28" in message.text
    assert all(escape(line) in message.text for line in found.document.also)


def test_the_small_print_has_reading_sources_with_age_and_the_id() -> None:
    found = given_answer("cheapest for 72h on 4xA100", "en")
    message = found.message(ASKER, SMALL)
    printed = json.dumps([one for one in message.blocks if one["type"] == "context"], ensure_ascii=False)
    assert "Read as: 4 × A100" in printed
    assert found.id in printed
    assert "due for a check" in printed  # Corrievane was looked at 20 days ago, its limit is 10
    assert "4 of 4" not in printed  # all four offers stand in the table


def test_a_table_is_at_most_five_by_five_and_says_what_it_leaves_out() -> None:
    for text in ("cheapest 8xH100 for a week", "compare H100 and A100 for 72h", "is a 1 year H100 worth it?"):
        message = given_answer(text, "en", PACKAGED).message(ASKER, PACKAGED)
        tables = [one for one in walk(message.blocks) if one.get("type") == "table"]
        assert len(tables) <= 1
        for table in tables:
            assert len(table["rows"]) <= 5
            assert all(len(row) <= 5 for row in table["rows"])


def test_two_sizes_of_memory_are_offered_as_readings() -> None:
    """ "A100" is 40 and 80 GB in this world; a question that says which is not asked again."""
    keys = {one.get("action_id") for one in walk(given_answer("4xA100 72h", "en").message(ASKER, SMALL).blocks)}
    assert {"refine_memory_40", "refine_memory_80"} <= keys
    keys = {one.get("action_id") for one in walk(given_answer("4xA100 80GB 72h", "en").message(ASKER, SMALL).blocks)}
    assert not any(str(key).startswith("refine_memory") for key in keys)


def test_an_unknown_gpu_has_at_most_three_buttons_and_no_amount() -> None:
    message = given_answer("cheapest A1000 for 24h", "en", PACKAGED).message(ASKER, PACKAGED)
    ready = [one for one in walk(message.blocks) if str(one.get("action_id")).startswith("ready_")]
    assert 1 <= len(ready) <= 3
    assert "$" not in message.text


# ---------------------------------------------------------------- nothing is live


@given(st.text(alphabet="<>&!@#|*_~`ab \n", max_size=80))
def test_escaped_text_is_inert(text: str) -> None:
    assert inert(escape(text))
    assert inert(mrkdwn(text))
    assert not re.search(r"<[!@#]", plain(text))
    assert not set("*`~") & set(mrkdwn(text))


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="<>&!@#|*_~`A1004xhH cheapst", max_size=60))
def test_whatever_is_asked_the_message_is_inert_and_allowed(text: str) -> None:
    parsed = conversation.hear(text, None, SMALL).parsed
    for lang in ("en", "zh"):
        message = answering.give(parsed, SMALL, DAY, lang).message(ASKER, SMALL)
        for blocks in (message.blocks, message.plainer):
            assert live(message.text, blocks) == []
            assert limits.problems(blocks) == []


def hostile(catalog: Catalog) -> Catalog:
    """The same knowledge with markup in every text that a message can show."""
    providers = {
        key: replace(one, name=Text(f"{HOSTILE} {one.name.en}", f"{HOSTILE} {one.name.zh}"))
        for key, one in catalog.providers.items()
    }
    offers_ = tuple(
        replace(
            offer,
            sku=f"{HOSTILE} {offer.sku}",
            prices=tuple(
                replace(
                    line,
                    says=f"{line.says} {HOSTILE}",
                    source=replace(
                        line.source, title=f"{HOSTILE} {line.source.title}", url="https://a.example/|x> <!here"
                    ),
                )
                for line in offer.prices
            ),
        )
        for offer in catalog.offers
    )
    rules = tuple(replace(one, because=Text(HOSTILE, HOSTILE), title=Text(HOSTILE, HOSTILE)) for one in catalog.rules)
    by_gpu: dict[str, Any] = {}
    for offer in offers_:
        by_gpu.setdefault(offer.gpu, []).append(offer)
    return replace(
        catalog, providers=providers, offers=offers_, rules=rules, by_id={one.id: one for one in offers_},
        by_gpu={gpu: tuple(some) for gpu, some in by_gpu.items()},
    )  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("text", [pair[0] for pair in QUESTIONS.values()])
def test_markup_in_the_knowledge_is_shown_and_never_live(text: str, lang: str) -> None:
    catalog = hostile(SMALL)
    found = given_answer(text, lang, catalog)
    names = {one.id: one.name.say(lang) for one in catalog.providers.values()}
    for message in (found.message(ASKER, catalog), offers.offers(found.data, found.id, names, lang)):
        for blocks in (message.blocks, message.plainer):
            assert live(message.text, blocks) == []
            assert limits.problems(blocks) == []


def test_a_link_that_could_break_out_is_only_named() -> None:
    assert kit.link("https://a.example/|x>", "T") == "T"
    assert kit.link("javascript:alert(1)", "T") == "T"
    assert kit.link("https://a.example/p?a=1&b=2", "T & <U>") == "<https://a.example/p?a=1&amp;b=2|T &amp; &lt;U&gt;>"


# ---------------------------------------------------------------- controls


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("spot", {"plans": ["spot"]}),
        ("no_spot", {"plans": ["on_demand"]}),
        ("region_", {"regions": None, "exclude_regions": None}),
        ("region_eu", {"regions": ["eu"], "exclude_regions": None}),
        ("hours_24", {"hours": 24, "gpu_hours": None, "hours_per_day": None}),
        ("memory_80", {"gpus": [{"model": "A100", "count": 4, "memory_gb": 80}]}),
    ],
)
def test_what_a_control_changes(key: str, change: dict[str, Any]) -> None:
    assert answer_view.change(key, {"gpus": [{"model": "A100", "count": 4}]}) == change


def test_a_control_of_another_version_changes_nothing() -> None:
    with pytest.raises(ValueError, match="changes nothing"):
        answer_view.change("surprise", {})


def test_values_of_controls_come_back_as_they_went() -> None:
    ref = Ref("0123456789ab", "U01ALICE")
    assert ids.read_value(ids.with_key("cheapest A|B for 24h", ref)) == ("cheapest A|B for 24h", ref)
    with pytest.raises(ValueError, match="refers to no answer"):
        ids.read_value("nonsense")


# ---------------------------------------------------------------- the form


QUESTION = {
    "intent": "cheapest", "lang": "en", "gpus": [{"model": "A100", "count": 4}], "hours": 72,
    "exclude_providers": ["bluestave"],
}  # fmt: skip
UNTOUCHED = {"gpus": "4×A100", "hours": "72", "plans": [], "region": "any", "exclude": "bluestave", "limit": None}


def test_a_form_that_is_sent_as_it_came_changes_nothing() -> None:
    changes, errors = read_edit(UNTOUCHED, QUESTION, SMALL)
    assert errors == {}
    assert conversation.changed(QUESTION, changes) == conversation.changed(QUESTION, {})


def test_a_form_changes_what_was_changed() -> None:
    given_ = {**UNTOUCHED, "gpus": "2×A100 80GB", "hours": "8", "plans": ["spot"], "region": "eu", "exclude": "Qingtan",
              "limit": "12.5"}  # fmt: skip
    changes, errors = read_edit(given_, QUESTION, SMALL)
    asked = conversation.changed(QUESTION, changes)
    assert errors == {}
    assert (asked.gpus[0].count, asked.gpus[0].memory_gb, asked.hours) == (Decimal(2), Decimal(80), Decimal(8))
    assert (asked.plans, asked.regions, asked.exclude_providers) == (("spot",), ("eu",), ("qingtan",))
    assert asked.budget_per_hour is not None
    assert (asked.budget_per_hour.amount, asked.budget_per_hour.currency) == (Decimal("12.5"), "USD")


@pytest.mark.parametrize(
    ("field", "value"),
    [("hours", "0"), ("hours", "-1"), ("hours", "nan"), ("hours", "x"), ("limit", "1e999999999"), ("gpus", "A1000Z"),
     ("gpus", "something"), ("exclude", "nobody")],
)  # fmt: skip
def test_what_is_wrong_in_a_form_is_said_beside_its_field(field: str, value: str) -> None:
    _, errors = read_edit({**UNTOUCHED, field: value}, QUESTION, SMALL)
    assert set(errors) == {field}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_forms_and_home_are_within_the_limits(lang: str) -> None:
    place = {"place": {"team": "T", "channel": "C", "user": "U"}, "question": QUESTION}
    for view in (forms.edit(QUESTION, place, lang), forms.feedback(place, lang), forms.share(place, lang)):
        assert limits.view_problems(view) == []
    many = [home.Digest(f"C{n:09}", "weekly", "09:00", "Europe/Berlin") for n in range(200)]
    view = home.home(home.Data(1, 2, 1, 0, None), many, [(HOSTILE, "ready")] * 200, "1", lang)
    assert limits.view_problems(view) == []


# ---------------------------------------------------------------- all offers and the CSV


def test_the_csv_has_formula_source_and_date_for_every_offer() -> None:
    """The first row by hand: 1.50 × 4 × 72 = 432.00, and 4 % = 449.28."""
    found = given_answer("cheapest for 72h on 4xA100", "en")
    rows = list(csv.DictReader(io.StringIO(offers.as_csv(found.data, found.id))))
    assert len(rows) == 4
    first = rows[0]
    assert (first["offer"], first["total_usd"], first["answer"]) == ("corrievane-a100-80", "449.28", found.id)
    assert "1.50 USD/gpu-hour × 4 × 72 h" in first["formula"]
    assert first["source"]
    assert date.fromisoformat(first["looked_at"]) == date(2026, 11, 10)  # 20 days before


def test_a_text_that_looks_like_a_formula_is_text() -> None:
    body = {"quotes": [{"provider": "=HYPERLINK(1)", "sku": "+1", "lines": [], "sources": []}], "as_of": "2026-11-30"}
    row = next(csv.DictReader(io.StringIO(offers.as_csv(body, "x"))))
    assert (row["provider"], row["sku"]) == ("'=HYPERLINK(1)", "'+1")


def test_many_offers_are_cut_to_what_a_message_holds() -> None:
    quote = given_answer("cheapest for 72h on 4xA100", "en").data["quotes"][0]
    message = offers.offers({"quotes": [quote] * 300, "as_of": "2026-11-30"}, "x" * 12, {}, "en")
    assert limits.problems(message.blocks) == []
    assert "of 300" in message.text


def test_a_csv_as_text_is_short_and_says_what_is_missing() -> None:
    text = offers.csv_as_text("\n".join(["a,b,c" * 20] * 200), "en")
    assert len(text) < 3_900
    assert re.search(r"\d+ more rows did not fit", text)


# ---------------------------------------------------------------- sentences


def test_every_sentence_is_said_in_both_languages_with_the_same_slots() -> None:
    slot = re.compile(r"\{(\w+)")
    for key, (english, chinese) in SENTENCES.items():
        assert english, key
        assert chinese, key
        assert set(slot.findall(english)) == set(slot.findall(chinese)), key
        if re.search("[a-z]{4} [a-z]{2}", english):
            assert re.search("[\u4e00-\u9fff]", chinese) or english == chinese, key


def test_cutting_marks_the_cut() -> None:
    assert clip("abcdef", 4) == "abc…"
    assert clip("abcd", 4) == "abcd"
    assert clip_lines(["one", "two", "three"], 12, "more") == "one\nmore"
    assert tell("sources.more", "en", n=1) == "1 more source"
