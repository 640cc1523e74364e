"""Where ``/gpu-bench`` and sentences about benchmarks arrive: who may do what, and what is answered at once."""

from __future__ import annotations

import importlib.util
import json
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.bench import hosts as registry
from bot.bench.agent import DTYPES
from bot.bench.reported import begins_as_reading, events_of, judged
from bot.bench.verdict import resolve
from bot.jobs import JobState
from bot.render import bench as report
from bot.slack.bench import views
from bot.slack.bench.fetch import NoFileError, fetch
from bot.slack.bench.job import BenchJobs, about_of
from bot.slack.bench.views import About
from bot.slack.bench.wish import Wish
from bot.slack.bench.words import say
from bot.slack.desk import Later
from bot.slack.people import People
from bot.slack.posting import CannotPostError, Place, Poster, error_name
from bot.slack.text import escape
from bot.slack.views.kit import Message
from bot.store.benches import Host
from bot.store.conversations import refused
from bot.store.inbox import Item

log = logging.getLogger(__name__)

COOLDOWN = timedelta(minutes=5)
_SHOWN = 15  # readings of a history
_NO_FIELD = frozenset({"missing_scope", "invalid_arguments", "invalid_blocks"})  # Slack's refusals of a field


@dataclass(frozen=True, slots=True)
class Asked:
    """A wish with where it came from. ``target`` is where a message that all see belongs."""

    item: Item
    place: Place
    target: Place
    lang: str
    then: Callable[[str], None] | None = None  # hears where such a message stands

    @property
    def user(self) -> str:
        return self.place.user


class Bench:
    """The desk's part of the benchmarks."""

    def __init__(self, jobs: BenchJobs, poster: Poster, people: People) -> None:
        self.jobs, self.poster, self.people = jobs, poster, people

    # ------------------------------------------------------------ entrances

    def work(self, item: Item, place: Place) -> Later | None:
        """An item of the kind "bench": a command, a form or a button."""
        lang = self.people.lang(place.user)
        target = replace(place, response_url=None, ephemeral=False, message_ts=None)
        return self.do(Wish.from_json(item.body["wish"]), Asked(item, place, target, lang))

    def do(self, wish: Wish, asked: Asked) -> Later | None:
        """Do what is wanted, or say in one sentence why not."""
        lang = asked.lang
        if wish.wrong is not None:
            return self._say(asked, say("unknown_word", lang, word=wish.wrong, usage=say("usage", lang)))
        if wish.do in ("history", "status", "hosts", "cancel"):
            return {
                "history": self._history, "status": self._status, "hosts": self._hosts, "cancel": self._cancel,
            }[wish.do](wish, asked)  # fmt: skip
        if wish.do in ("run", "all", "everything"):
            return self._begin(wish, asked)
        if wish.do == "file":
            return self._show(asked, self._judged(wish, lang))
        if wish.do == "script":
            return self._say(asked, say("script", lang))
        return self._say(asked, say("help", lang, dtypes=" ".join(DTYPES)))

    def open_form(self, place: Place, trigger: str, client: WebClient) -> None:
        """Open the form at once: the right to do so lasts three seconds. Who may not run one, and where no host is, can
        still have a file judged."""
        lang = self.people.lang(place.user)
        names = [one.name for one in self._known()]
        wrong = self._forbidden(place.user, lang) or (None if names else say("no_hosts", lang))
        models = sorted({one.model for one in self.jobs.accelerators().values()}, key=str.casefold)
        # An app without files:read may not show a field for files, and no page lists the endings that one takes.
        for file in ("typed", "any", *(() if wrong else ("none",))):
            view = views.form(
                [] if wrong else names, place.to_json(), lang, models=models, note=wrong or "", file=file
            )  # fmt: skip
            try:
                client.views_open(trigger_id=trigger, view=view)
            except SlackApiError as error:
                if error_name(error) not in _NO_FIELD:
                    raise
                log.warning("the form was refused (file field: %s): %s", file, error_name(error))
            else:
                return
        self.poster.respond(place, Message(escape(wrong or say("file.scope", lang))))

    # ------------------------------------------------------------ who may

    def may(self, user: str) -> bool:
        """Whether a person may run benchmarks: named in the settings, or a member where all members may."""
        users = self.jobs.settings.bench_users
        return user in users or ("*" in users and self.people.is_member(user))

    def _forbidden(self, user: str, lang: str) -> str | None:
        if not self.may(user):
            return say("nobody", lang)
        return say("extra", lang) if importlib.util.find_spec("asyncssh") is None else None

    def _too_soon(self, asked: Asked) -> str | None:
        """The wait of somebody who has just started a run; an item that another process began counts once."""
        if asked.item.tries > 1:
            return None
        jobs = self.jobs
        wait = refused(jobs.database, asked.place.team, f"bench:{asked.user}", jobs.now(), every=COOLDOWN)
        if wait is None:
            return None
        return say("cooldown", asked.lang, minutes=max(1, math.ceil(wait.total_seconds() / 60)))

    def _name(self, asked: Asked) -> str:
        return self.jobs.name_of(asked.user)

    # ------------------------------------------------------------ running

    def _begin(self, wish: Wish, asked: Asked) -> Later | None:
        wrong = self._forbidden(asked.user, asked.lang)
        hosts = self._known()
        if wrong is None and not hosts:
            wrong = say("no_hosts", asked.lang)
        if wrong is not None:
            return self._say(asked, wrong)
        if wish.do == "run":
            return self._run(wish, asked, hosts)
        usable = [one.name for one in hosts if one.state not in registry.BLOCKED]
        if not usable:
            return self._say(asked, say("all.none", asked.lang))
        if wish.do == "all":
            return self._whisper(asked, views.ask_all(usable, wish.dtype, wish.quick, asked.lang))
        return self._run_all(wish, asked, usable)

    def _run(self, wish: Wish, asked: Asked, hosts: Sequence[Host]) -> Later | None:
        wrong = self._unusable(wish, asked.lang, hosts) or self._too_soon(asked)
        if wrong is not None:
            return self._say(asked, wrong)
        assert wish.host is not None
        about = About(asked.item.key, wish.host, wish.dtype, wish.quick, asked.user, asked.lang, self._name(asked))
        ahead = len(self.jobs.open_runs(host=wish.host))
        message = views.live(about, views.waiting(ahead, asked.lang))

        def then(place: Place) -> None:
            self.jobs.submit(about, place)

        return self._first(asked, message, then)

    def _unusable(self, wish: Wish, lang: str, hosts: Sequence[Host]) -> str | None:
        """Why a host cannot be measured: none named, not registered, or not to be used."""
        known = views.known([one.name for one in hosts], lang)
        if wish.host is None:
            return say("which_host", lang, known=known, usage=say("usage", lang))
        host = next((one for one in hosts if one.name == wish.host), None)
        if host is None:
            return say("unknown_host", lang, name=wish.host, known=known)
        if host.state in registry.BLOCKED:
            return say("blocked", lang, name=host.name, state=report.word("state", host.state, lang))
        return None

    def _run_all(self, wish: Wish, asked: Asked, names: Sequence[str]) -> Later | None:
        wrong = self._too_soon(asked)
        if wrong is not None:
            return self._say(asked, wrong)
        lang = asked.lang
        about = About(asked.item.key, "", wish.dtype, wish.quick, asked.user, lang, self._name(asked))
        rows = [views.Rank(name, False, views.waiting(0, lang)) for name in names]

        def then(place: Place) -> None:
            for name in names:
                self.jobs.submit(replace(about, host=name), place, batch=True)

        return self._first(asked, views.ranking(about, rows), then)

    # ------------------------------------------------------------ a file that somebody else measured

    def attached(self, file: str, lang: str, *, alone: bool) -> Message | None:
        """The verdict on a file that came with a message. None where the file is something else and the message asks
        something; ``alone``: it says nothing without its file, so what is wrong with that is said."""
        try:
            data = fetch(self.poster.client, file)
            if not begins_as_reading(data):
                raise NoFileError("file.none")
            return self._verdict(data, None, lang)
        except NoFileError as error:
            return Message(escape(say(error.key, lang, **error.slots))) if alone else None

    def _judged(self, wish: Wish, lang: str) -> Message:
        """The verdict on a file, or one sentence why there is none."""
        try:
            if wish.file is None:
                raise NoFileError("file.gone")
            return self._verdict(fetch(self.poster.client, wish.file), wish.ordered, lang)
        except NoFileError as error:
            return Message(escape(say(error.key, lang, **error.slots)))

    def _verdict(self, data: bytes, ordered: str | None, lang: str) -> Message:
        """The same verdict as the terminal's; nothing of it is kept, so that it is no reading of the team."""
        events = events_of(data)
        if not events:
            raise NoFileError("file.none")
        table = self.jobs.accelerators()
        known = ordered if ordered and resolve(ordered, table) else None
        return views.reported(judged(events, table, ordered_as=known), lang)

    # ------------------------------------------------------------ cancelling

    def _cancel(self, wish: Wish, asked: Asked) -> Later | None:
        """The asker's runs, or those of one host."""
        runs = self.jobs.open_runs(host=wish.host)
        if wish.host is None:
            runs = [one for one in runs if one.asked_by == asked.user]
        return self._cancel_these(runs, wish.host, asked)

    def cancel_post(self, item: Item, place: Place) -> Later | None:
        """The button under a run's message."""
        target = replace(place, response_url=None, message_ts=None)
        asked = Asked(item, place, target, self.people.lang(place.user))
        return self._cancel_these(self.jobs.open_runs(post=str(item.body["post"])), None, asked, quiet=True)

    def _cancel_these(
        self, runs: Sequence[JobState], host: str | None, asked: Asked, *, quiet: bool = False
    ) -> Later | None:
        lang = asked.lang
        if not runs:
            return self._say(asked, say("cancel.none.host", lang, host=host) if host else say("cancel.none", lang))
        mine = [one for one in runs if one.asked_by == asked.user or self.may(asked.user)]
        if not mine:
            return self._say(asked, say("cancel.not_yours", lang))
        for one in mine:
            self.jobs.cancel(one, asked.user)
        if quiet:
            return None  # the message says it
        return self._say(asked, say("cancel.done", lang, hosts=views.known([str(one.lane) for one in mine], lang)))

    # ------------------------------------------------------------ looking

    def _hosts(self, _wish: Wish, asked: Asked) -> Later | None:
        hosts = self._known()
        if not hosts:
            return self._say(asked, say("no_hosts", asked.lang))
        last: dict[str, str] = {}
        for one in self.jobs.hosts.readings(limit=500):
            last.setdefault(one.host, f"{report.rate(one.tflops)} TFLOPS {one.dtype or ''} ({one.at.date()})")
        rows = [(one.name, one.state, one.ordered_as, last.get(one.name)) for one in hosts]
        return self._whisper(asked, views.hosts(rows, asked.lang))

    def _history(self, wish: Wish, asked: Asked) -> Later | None:
        lang = asked.lang
        found = [
            one
            for one in self.jobs.hosts.readings(host=wish.host, limit=200)
            if wish.dtype is None or one.dtype == wish.dtype
        ][:_SHOWN]
        if not found:
            known = views.known([one.name for one in self._known()], lang)
            registered = wish.host is None or wish.host in [one.name for one in self._known()]
            sentence = say("history.none", lang)
            if not registered and known:
                sentence = say("unknown_host", lang, name=wish.host, known=known)
            return self._show(asked, Message(escape(sentence)))
        rows = [
            views.history_row(one.host, one.at.date(), one.gpu, one.dtype, one.tflops, one.verdict, lang)
            for one in found
        ]
        head = say("history.of", lang, host=wish.host) if wish.host else say("history.title", lang)
        versions = {one.record.get("protocol_version") for one in found}
        note = report.say("history.versions", lang) if len(versions) > 1 else ""
        return self._show(asked, views.listed(head, rows, note))

    def _status(self, _wish: Wish, asked: Asked) -> Later | None:
        lang = asked.lang
        runs = self.jobs.open_runs()
        if not runs:
            return self._say(asked, say("status.none", lang))
        rows = []
        for one in runs:
            known = self.jobs.jobs.status(one.id) or one
            about = about_of(one.args)
            line = (
                views.waiting(known.ahead or 0, lang)
                if known.state == "queued"
                else views.doing(known.note or {}, lang)
            )
            rows.append([about.host + views.options_of(about.dtype, about.quick, lang), line])
        return self._whisper(asked, views.listed(say("status.title", lang), rows))

    # ------------------------------------------------------------ saying

    def _known(self) -> list[Host]:
        return self.jobs.hosts.all()

    def _say(self, asked: Asked, sentence: str) -> Later | None:
        """A sentence to the one who asked."""
        return self._whisper(asked, Message(escape(sentence)))

    def _whisper(self, asked: Asked, message: Message) -> Later | None:
        """To the asker alone: where they typed, and where that way is spent, beside it or in a direct message."""
        if asked.place.response_url is None and asked.then is not None:
            return self._show(asked, message)
        return self.poster.respond(asked.place, message)

    def _show(self, asked: Asked, message: Message) -> Later | None:
        """Where it was asked: a mention is answered in its thread, a command to its user."""
        if asked.place.response_url is not None or asked.then is None:
            return self.poster.respond(asked.place, message)
        return self.poster.first(asked.item.key, asked.target, message, asked.then, asked.lang)

    def _first(self, asked: Asked, message: Message, then: Callable[[Place], None]) -> Later | None:
        """Post a message that all see, once; where the bot may not write, the asker gets it as a direct message."""

        def arrived(place: Place, ts: str) -> None:
            then(replace(place, message_ts=ts))
            if asked.then is not None and place is asked.target:
                asked.then(ts)

        def begin() -> Later | None:
            return self.poster.first(asked.item.key, asked.target, message, partial(arrived, asked.target), asked.lang)

        def elsewhere() -> Later | None:
            opened = self.poster.client.conversations_open(users=asked.user)
            direct = Place(asked.place.team, str((opened.get("channel") or {})["id"]), asked.user)
            if asked.place.response_url is not None:
                self.poster.respond(asked.place, Message(escape(say("elsewhere", asked.lang))))
            key = f"{asked.item.key}|direct"
            return self.poster.first(key, direct, message, partial(arrived, direct), asked.lang)

        return _or(begin, elsewhere)


def _or(step: Callable[[], Later | None], otherwise: Callable[[], Later | None]) -> Later | None:
    """Do a step and what follows from it; where the bot may not write, do the other one."""
    try:
        later = step()
    except CannotPostError:
        return otherwise()
    return None if later is None else Later(later.seconds, lambda: _or(later.step, otherwise))


def wish_of_button(value: str, do: str) -> Mapping[str, Any]:
    """The wish that a button carries; what is no such value raises ``ValueError``."""
    data = json.loads(value)
    if not isinstance(data, dict):
        raise ValueError(f"{value!r} carries no wish")
    return Wish.from_json({**data, "do": do, "wrong": None}).to_json()
