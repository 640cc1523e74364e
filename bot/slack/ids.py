"""Names that Slack gives back: of buttons, menus, forms and shortcuts. One place, so that a test can match them."""

from __future__ import annotations

from dataclasses import dataclass

REFINE = "refine"  # a button that changes the question
REFINE_REGION = "refine_region"
REFINE_HOURS = "refine_hours"
EDIT = "edit"  # opens the form
MORE = "more"  # the overflow menu
READY = "ready"  # a complete question to pick; numbered
FEEDBACK = "feedback"

BENCH_CANCEL = "bench_cancel"
BENCH_AGAIN = "bench_again"
BENCH_ALL = "bench_all"  # every host, after the question whether

BENCH_FORM = "bench_form"
EDIT_FORM = "edit_form"
FEEDBACK_FORM = "feedback_form"
SHARE_FORM = "share_form"
SUBSCRIBE_FORM = "subscribe_form"

DIGEST_CHANGE = "digest_change"  # opens the form of a channel's digest
DIGEST_STOP = "digest_stop"

ASK_SHORTCUT = "ask_gpu_bot"

MORE_CHOICES = ("offers", "csv", "share", "save")


@dataclass(frozen=True, slots=True)
class Ref:
    """Which answer a control belongs to, and whose it is: two people may get the same answer."""

    answer: str
    asker: str

    def __str__(self) -> str:
        return f"{self.answer}:{self.asker}"

    @classmethod
    def read(cls, text: str) -> Ref:
        """Raises ``ValueError`` for what is no reference."""
        answer, colon, asker = text.partition(":")
        if not (answer and colon and asker):
            raise ValueError(f"{text!r} refers to no answer")
        return cls(answer, asker)


def with_key(key: str, ref: Ref) -> str:
    """The value of a control: what to do, and with which answer."""
    return f"{key}|{ref}"


def read_value(value: str) -> tuple[str, Ref]:
    """Raises ``ValueError`` for a value that is none of ours."""
    key, _, ref = value.rpartition("|")
    return key, Ref.read(ref)
