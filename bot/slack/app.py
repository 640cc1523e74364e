"""The Bolt app: one for each process, the same for Socket Mode and HTTP."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.error import URLError

from slack_bolt import App, BoltRequest, BoltResponse
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot import metrics
from bot.slack import listeners, payload
from bot.slack.desk import Desk
from bot.slack.posting import error_name
from bot.slack.text import escape, tell
from bot.slack.views.kit import Message
from bot.slack.work import Bot

log = logging.getLogger(__name__)

SLACK_API = "https://slack.com/api/"
REFUSED = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "not_allowed_token_type", "missing_scope"}
)
CALL_SECONDS = 10  # how long one call to Slack may take


def client(token: str | None, api_url: str | None) -> WebClient:
    """A client of the Web API that repeats nothing on its own: what may be repeated is decided where it is sent."""
    base = (api_url or SLACK_API).rstrip("/") + "/"
    return WebClient(token=token, base_url=base, timeout=CALL_SECONDS, retry_handlers=[])


def build(bot: Bot, desk: Desk, bot_id: str | None) -> App:
    """The app with all its listeners. It asks Slack for nothing while it acknowledges."""
    token = bot.settings.slack_bot_token

    def authorize(**_: Any) -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=None, team_id=bot.team, bot_id=bot_id, bot_user_id=bot.user, bot_token=token
        )

    app = App(
        logger=logging.getLogger("slack_bolt.gpu_bot"),
        client=bot.poster.client,
        authorize=authorize,
        # Socket Mode signs nothing; without a secret no HTTP request can be right.
        signing_secret=bot.settings.slack_signing_secret or secrets.token_hex(32),
        attaching_conversation_kwargs_enabled=False,
    )
    listeners.register(app, bot, desk)
    app.error(_teller(bot))
    return app


def _teller(bot: Bot) -> Callable[..., None]:
    """What becomes of an error in a listener: a line in the log, and a sentence to the one who asked."""

    def tell_asker(error: Exception, body: dict[str, Any]) -> None:
        id_ = secrets.token_hex(4)
        metrics.failures.inc()
        log.error("a listener failed", extra={"log_id": id_}, exc_info=error)
        place = payload.place_of_anything(body)
        if place is None:
            return
        sentence = tell("error.log", bot.people.lang(place.user), id=id_)
        try:
            bot.poster.respond(place, Message(escape(sentence)))
        except Exception as second:  # noqa: BLE001  (nothing more can be done for this person)
            log.warning("the asker could not be told", extra={"log_id": id_, "error": type(second).__name__})

    return tell_asker


class SlackRefusedError(Exception):
    """Slack answered no; ``str()`` is its word for why."""

    @property
    def is_final(self) -> bool:
        """Whether asking again cannot help."""
        return str(self) in REFUSED


class SlackAwayError(Exception):
    """Slack cannot be reached; ``str()`` names the kind of failure."""


def ask_slack(call: Callable[[], Any]) -> Any:
    """What a call gives. Raises ``SlackRefusedError`` or ``SlackAwayError``: others need not know Slack's own."""
    try:
        return call()
    except SlackApiError as error:
        raise SlackRefusedError(error_name(error)) from None
    except (OSError, URLError) as error:
        raise SlackAwayError(error_name(error)) from None


def over_http(app: App, body: str, query: str, headers: Mapping[str, Any]) -> tuple[int, str, dict[str, Any]]:
    """One delivery by HTTP: its signature is checked before anything else. Gives status, body and headers."""
    response = dispatch(app, BoltRequest(body=body, query=query, headers=dict(headers)))
    kept = {name: values for name, values in response.headers.items() if name != "content-length"}
    return response.status, response.body or "", kept


def dispatch(app: App, request: BoltRequest) -> BoltResponse:
    """Hand a delivery to the app and measure how long the acknowledgement took."""
    start = time.perf_counter()
    response = app.dispatch(request)
    metrics.ack_seconds.observe(time.perf_counter() - start)
    return response
