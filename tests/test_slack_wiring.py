"""The manifest, the listeners and the controls name the same things, and what needs no answer gets none."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from slack import canned, recorded
from slack.canned import Inside
from slack.peer import ALICE, BOB, BOT_USER, GENERAL, until

from bot.catalog import load
from bot.slack import ids
from bot.slack.listeners.commands import prices_kind, prices_says
from bot.slack.listeners.events import EVENTS
from bot.slack.manifest import NEEDED, OPTIONAL, manifest
from bot.slack.templates import templates
from bot.store import inbox

HERE = Path(__file__).parent
SCHEMA = json.loads((HERE / "slack" / "manifest.schema.json").read_text(encoding="utf-8"))
LISTENERS = sorted((HERE.parent / "bot" / "slack" / "listeners").glob("*.py"))


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Inside]:
    with canned.inside(tmp_path) as made:
        yield made


def walk(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for one in value.values():
            yield from walk(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from walk(one)


# ---------------------------------------------------------------- the manifest


@pytest.mark.parametrize("url", [None, "https://bot.example/"])
def test_the_manifest_is_one_that_slack_takes(url: str | None) -> None:
    jsonschema.validate(manifest(url), SCHEMA)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("display_information", "name"), "n" * 36),
        (("features", "slash_commands", 0, "command"), "gpu"),
        (("features", "agent_view", "suggested_prompts"), [{"title": "t", "message": "m"}] * 5),
        (("features", "shortcuts", 0, "name"), "n" * 25),
        (("settings", "surprise"), True),
    ],
)
def test_the_schema_refuses_what_slack_refuses(path: tuple[Any, ...], value: Any) -> None:
    wrong: Any = manifest()
    *way, last = path
    place = wrong
    for step in way:
        place = place[step]
    place[last] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, SCHEMA)


def test_each_scope_says_what_it_is_for() -> None:
    scopes = manifest()["oauth_config"]["scopes"]
    assert set(scopes["bot"]) == set(NEEDED) | set(OPTIONAL)
    assert set(scopes["bot_optional"]) == set(OPTIONAL)
    guide = (HERE.parent / "docs" / "connect-slack.md").read_text(encoding="utf-8")
    assert [scope for scope in scopes["bot"] if scope not in guide] == []


def test_http_needs_its_address_and_socket_mode_none() -> None:
    socket, http = manifest(), manifest("https://bot.example/")
    assert socket["settings"]["socket_mode_enabled"]
    assert not http["settings"]["socket_mode_enabled"]
    assert http["settings"]["event_subscriptions"]["request_url"] == "https://bot.example/slack/events"
    assert all(one["url"] == "https://bot.example/slack/events" for one in http["features"]["slash_commands"])


def test_commands_events_and_shortcuts_are_those_of_the_listeners(here: Inside) -> None:
    found = manifest()
    for one in found["features"]["slash_commands"]:
        assert here.deliver(recorded.command(one["command"], "help", response_url=here.slack.hook))[0] == 200
    assert here.deliver(recorded.command("/gpu-other", "help"))[0] == 404
    assert [one["callback_id"] for one in found["features"]["shortcuts"]] == [ids.ASK_SHORTCUT]
    heard = {event.partition(".")[0] for event in found["settings"]["event_subscriptions"]["bot_events"]}
    assert heard == set(EVENTS)


# ---------------------------------------------------------------- every control has its listener


def test_every_control_of_every_message_is_heard(here: Inside) -> None:
    controls: dict[str, dict[str, Any]] = {}
    for name, blocks in templates(load(canned.SMALL)[0]):
        if name.startswith("edit-"):
            continue  # the fields of a form say nothing before it is submitted
        for one in walk(blocks):
            if one.get("type") in ("button", "static_select", "overflow", "feedback_buttons") and "action_id" in one:
                controls.setdefault(one["action_id"], one)
    assert {ids.EDIT, ids.MORE, ids.FEEDBACK, ids.REFINE_REGION, ids.REFINE_HOURS} <= set(controls)
    for action_id, control in controls.items():
        action: dict[str, Any] = {"type": control["type"], "action_id": action_id, "block_id": "b"}
        if "options" in control:
            action["selected_option"] = control["options"][0]
        else:
            action["value"] = control.get("value") or control.get("positive_button", {}).get("value")
        status, _, _ = here.deliver(recorded.press(action, "5.0"))
        assert status == 200, f"nobody hears {action_id}"


@pytest.mark.parametrize("callback", [ids.EDIT_FORM, ids.SHARE_FORM, ids.FEEDBACK_FORM, ids.SUBSCRIBE_FORM])
def test_every_form_is_heard(here: Inside, callback: str) -> None:
    about = {
        "place": {"team": "T01TEST", "channel": GENERAL, "user": ALICE}, "answer": "a" * 12, "asker": ALICE,
        "question": {"intent": "cheapest", "lang": "en"}, "lang": "en",
    }  # fmt: skip
    values = {"channel": {"channel": {"type": "conversations_select", "selected_conversation": GENERAL}}}
    assert here.deliver(recorded.submission(callback, about, values))[0] == 200


def test_what_nobody_listens_to_is_not_acknowledged(here: Inside) -> None:
    assert (
        here.deliver(recorded.press({"type": "button", "action_id": "of_another_app", "value": "v"}, "5.0"))[0] == 404
    )


LOOKED_AT_BEFORE = {("views.py", "edit"), ("views.py", "subscribe")}


def test_every_listener_acknowledges_first() -> None:
    """Only a form is looked at before: what is wrong with it is part of the acknowledgement."""
    late = []
    for path in LISTENERS:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef) or "ack" not in [one.arg for one in node.args.args]:
                continue
            first = ast.unparse(node.body[0])
            if first != "ack()" and (path.name, node.name) not in LOOKED_AT_BEFORE:
                late.append(f"{path.name}:{node.lineno} {node.name}: {first}")
    assert late == []


# ---------------------------------------------------------------- what is nobody's question


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(recorded.mention("E1", "H100", "2.0", user=BOT_USER), id="itself"),
        pytest.param(recorded.mention("E2", "H100", "2.0", bot_id="B1"), id="a bot"),
        pytest.param(recorded.mention("E3", "H100", "2.0", edited={"user": ALICE, "ts": "2.1"}), id="an edit"),
        pytest.param(recorded.message("E4", "H100 price?", "2.0"), id="a channel message"),
        pytest.param(recorded.message("E5", f"<@{BOT_USER}> H100?", "2.0", thread_ts="1.0"), id="the mention's twin"),
        pytest.param(recorded.message("E6", "H100?", "2.0", subtype="message_changed"), id="a changed message"),
        pytest.param(recorded.message("E7", "x", "2.0", subtype="channel_join", channel_type="im"), id="a join"),
        pytest.param(recorded.event("E8", type="reaction_added", user=ALICE), id="a reaction"),
        pytest.param(recorded.event("E9", type="message", channel=GENERAL, ts="2.0"), id="nobody"),
    ],
)
def test_it_is_acknowledged_and_nothing_is_kept(here: Inside, payload: dict[str, Any]) -> None:
    assert here.deliver(payload)[0] == 200
    assert inbox.waiting(here.bot.database) == 0
    assert here.slack.done("chat.postMessage") == []


def test_only_the_channels_of_the_settings_are_answered(tmp_path: Path) -> None:
    with canned.inside(tmp_path, GPU_BOT_CHANNELS="C7") as here:
        here.deliver(recorded.mention("E1", "H100", "2.0"))
        here.deliver(recorded.mention("E2", "cheapest for 72h on 4xA100", "3.0", channel="C7"))
        assert until(lambda: here.slack.done("chat.postMessage"))
        assert {call.arguments["channel"] for call in here.slack.done("chat.postMessage")} == {"C7"}


# ---------------------------------------------------------------- the same thing twice


def test_a_repeated_event_is_answered_once(here: Inside) -> None:
    for _ in range(3):
        assert here.deliver(recorded.mention("E1", "cheapest for 72h on 4xA100", "2.0"))[0] == 200
    here.deliver(recorded.mention("E2", "cheapest for 72h on 4xA100", "2.0"))  # another event, the same message
    assert until(lambda: here.slack.done("chat.postMessage"))
    assert until(lambda: inbox.waiting(here.bot.database) == 0)
    assert len(here.slack.done("chat.postMessage")) == 1


def test_a_command_that_slack_repeats_is_answered_once(here: Inside) -> None:
    payload = recorded.command("/gpu-bench", "", response_url=None)
    payload.pop("response_url")
    here.deliver(payload)
    here.deliver(payload)
    assert until(lambda: here.slack.done("chat.postEphemeral"))
    assert until(lambda: inbox.waiting(here.bot.database) == 0)
    assert len(here.slack.done("chat.postEphemeral")) == 1


# ---------------------------------------------------------------- errors


def test_an_exception_in_a_listener_is_told_to_the_asker_alone(here: Inside) -> None:
    """A value that no version of ours wrote."""
    action = {"type": "button", "action_id": "refine_spot", "block_id": "b", "value": "nonsense"}
    payload = recorded.press(action, "5.0", user=BOB)
    payload.pop("response_url")
    assert here.deliver(payload)[0] == 200
    told = until(lambda: here.slack.done("chat.postEphemeral"))
    assert told
    assert told[-1].arguments["user"] == BOB
    assert "id" in told[-1].arguments["text"]
    assert here.slack.done("chat.postMessage") == []


def test_forged_deliveries_reach_no_listener(here: Inside) -> None:
    payload = recorded.mention("E1", "H100", "2.0")
    assert here.deliver(payload, secret="wrong")[0] == 401
    assert here.deliver(payload, age=301)[0] == 401
    assert inbox.waiting(here.bot.database) == 0


# ---------------------------------------------------------------- the grammar of the commands


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("subscribe", "subscribe", None), ("Unsubscribe", "unsubscribe", None), ("list", "listed", None),
        ("watch A100 below 1.2", "watch", None), ("退订", "unsubscribe", None), ("", None, "help.prices"),
        ("help", None, "help.prices"), ("sub", None, "unknown.sub"),
    ],
)  # fmt: skip
def test_the_grammar_of_gpu_prices(text: str, kind: str | None, key: str | None) -> None:
    assert prices_kind(text) == kind
    assert kind is not None or prices_says(text)[0] == key


# ---------------------------------------------------------------- answers that one person sees


def hooks(here: Inside, n: int = 1) -> list[dict[str, Any]]:
    """What was sent to response urls, at least ``n`` of it."""
    assert until(lambda: len(here.slack.done("hook")) >= n)
    return [call.arguments for call in here.slack.done("hook")]


def test_the_shortcut_answers_a_message_for_its_user_alone(here: Inside) -> None:
    """1.50 × 4 × 72 = 432.00, and 4 % on top = 449.28."""
    here.deliver(recorded.shortcut("anyone knows: cheapest for 72h on 4xA100?", response_url=here.slack.hook))
    sent = hooks(here)[-1]
    assert sent["response_type"] == "ephemeral"
    assert "$449.28" in sent["text"]
    assert here.slack.done("chat.postMessage") == []


def test_a_commands_answer_changes_in_place_and_can_be_shared(here: Inside) -> None:
    """Its buttons edit by the response url; sharing posts it where its user chose, with an id that is kept."""
    here.deliver(recorded.command("/gpu", "cheapest for 72h on 4xA100", response_url=here.slack.hook))
    sent = hooks(here)[-1]
    controls = {one["action_id"]: one for one in walk(sent["blocks"]) if "action_id" in one}
    option = next(one for one in controls["refine_hours"]["options"] if one["value"].startswith("hours_24"))
    action = {"type": "static_select", "action_id": "refine_hours", "block_id": "b", "selected_option": option}
    container = {"type": "message", "message_ts": "7.0", "channel_id": GENERAL, "is_ephemeral": True}
    payload = recorded.press(action, "7.0", container=container, response_url=here.slack.hook)
    payload.pop("message")
    here.deliver(payload)
    changed = hooks(here, 2)[-1]
    assert changed["replace_original"] in (True, "true")
    assert "$149.76" in changed["text"]  # 1.50 × 4 × 24 = 144.00, and 4 % = 149.76
    ref = ids.Ref.read(next(one for one in walk(changed["blocks"]) if one.get("action_id") == "edit")["value"])
    about = {
        "place": {"team": "T01TEST", "channel": GENERAL, "user": ALICE, "response_url": here.slack.hook},
        "answer": ref.answer, "asker": ref.asker, "question": {},
    }  # fmt: skip
    chosen = {"channel": {"channel": {"type": "conversations_select", "selected_conversation": "C5"}}}
    here.deliver(recorded.submission(ids.SHARE_FORM, about, chosen))
    assert until(lambda: here.slack.done("chat.postMessage", channel="C5"))
    assert "$149.76" in here.slack.done("chat.postMessage", channel="C5")[0].arguments["text"]


def test_sharing_where_it_may_not_write_is_told_to_its_user(here: Inside) -> None:
    here.deliver(recorded.command("/gpu", "cheapest for 72h on 4xA100", response_url=here.slack.hook))
    edit = next(one for one in walk(hooks(here)[-1]["blocks"]) if one.get("action_id") == "edit")
    ref = ids.Ref.read(edit["value"])
    here.slack.rules.posts_in = frozenset()
    about = {
        "place": {"team": "T01TEST", "channel": GENERAL, "user": ALICE, "response_url": here.slack.hook},
        "answer": ref.answer, "asker": ref.asker, "question": {},
    }  # fmt: skip
    chosen = {"channel": {"channel": {"type": "conversations_select", "selected_conversation": "C5"}}}
    here.deliver(recorded.submission(ids.SHARE_FORM, about, chosen))
    assert "/invite" in hooks(here, 2)[-1]["text"]


def test_a_control_of_an_answer_that_is_gone_says_so(here: Inside) -> None:
    action = {"type": "button", "action_id": "refine_spot", "block_id": "b", "value": f"spot|{'f' * 12}:{ALICE}"}
    here.deliver(recorded.press(action, "5.0", response_url=here.slack.hook))
    assert "no longer kept" in hooks(here)[-1]["text"]


def test_a_quoted_price_of_no_one_offer_cannot_be_saved(here: Inside) -> None:
    """A price of four cards of whichever plan is saved; words without a provider are not."""
    text = "they want $7 per hour for 4xA100, anything cheaper?"
    here.deliver(recorded.command("/gpu", text, response_url=here.slack.hook))
    more = next(one for one in walk(hooks(here)[-1]["blocks"]) if one.get("action_id") == "more")
    option = next(one for one in more["options"] if one["value"].startswith("save|"))
    action = {"type": "overflow", "action_id": "more", "block_id": "b", "selected_option": option}
    here.deliver(recorded.press(action, "5.0", response_url=here.slack.hook))
    assert "Nothing was saved" in hooks(here, 2)[-1]["text"]


def test_the_home_tab_and_the_prompts_of_the_messages_tab(here: Inside) -> None:
    for tab, method in (("home", "views.publish"), ("messages", "assistant.threads.setSuggestedPrompts")):
        here.deliver(recorded.event(f"E{tab}", type="app_home_opened", user=ALICE, channel="D1", tab=tab))
        assert until(lambda method=method: here.slack.done(method))
    prompts = here.slack.done("assistant.threads.setSuggestedPrompts")[0].arguments["prompts"]
    assert len(prompts) == 4


# ---------------------------------------------------------------- alone with the bot


def test_alone_with_the_bot_a_fragment_goes_on_and_thanks_get_silence(here: Inside) -> None:
    """1.50 × 4 × 8 = 48.00, and 4 % = 49.92."""
    direct = {"channel": "D01DIRECT", "channel_type": "im"}
    here.deliver(recorded.message("E1", "cheapest for 72h on 4xA100", "2.0", **direct))
    assert until(lambda: len(here.slack.done("chat.postMessage")) == 1)
    assert until(lambda: inbox.waiting(here.bot.database) == 0)
    here.deliver(recorded.message("E2", "and for 8 hours?", "3.0", **direct))
    assert until(lambda: len(here.slack.done("chat.postMessage")) == 2)
    assert "$49.92" in here.slack.done("chat.postMessage")[-1].arguments["text"]
    assert until(lambda: inbox.waiting(here.bot.database) == 0)
    here.deliver(recorded.message("E3", "thanks!", "4.0", **direct))
    assert until(lambda: inbox.waiting(here.bot.database) == 0)
    assert len(here.slack.done("chat.postMessage")) == 2
