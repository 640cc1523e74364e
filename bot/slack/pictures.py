"""Pictures on their way to Slack: uploaded once a message without its chart is to be sent."""

from __future__ import annotations

import logging

from slack_sdk import WebClient

from bot.slack.text import clip
from bot.slack.views import kit
from bot.slack.views.kit import Json, Message

log = logging.getLogger(__name__)

WAITS = (0.5, 2.0, 4.0)  # before each try: Slack looks at a file for some moments, and refuses it until then
_MOST_ALT = 1_000  # of a file


def with_picture(client: WebClient, message: Message) -> tuple[Json, ...]:
    """The plainer blocks with the message's picture after the first; none where it has none, or it cannot be uploaded.

    The file belongs to the bot alone; who sees the message sees it there.
    """
    picture = message.picture
    if picture is None:
        return ()
    try:
        uploaded = client.files_upload_v2(
            content=picture.png(), filename=picture.name, title=picture.title, alt_txt=clip(picture.alt, _MOST_ALT)
        )
        image = kit.dump([kit.image(picture, str(uploaded["files"][0]["id"]))])
    except Exception as error:  # whatever is wrong with a picture, the message says the same without it
        log.warning("the chart could not be sent as a picture: %s", error, exc_info=error)
        return ()
    return (*message.plainer[:1], *image, *message.plainer[1:])
