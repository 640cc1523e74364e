"""Pieces of messages within Slack's limits, built with slackblocks, which refuses what Slack would refuse.

What people or feeds wrote goes through ``text.plain`` or ``text.mrkdwn`` here, so that no builder can forget it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import slackblocks as sb

from bot.slack.text import clip, escape, mrkdwn, plain

Json = dict[str, Any]

MOST_TEXT = 3_900  # of the top-level text: Slack advises 4,000
MOST_BLOCKS_CHARS = 12_000  # of all blocks together: about 13,200 are refused, though no page says so
SECTION, BUTTON, OPTION, CELL, TITLE = 3_000, 75, 75, 120, 150
MODAL_TITLE, VALUE, OPTION_VALUE = 24, 2_000, 150


@dataclass(frozen=True, slots=True)
class Picture:
    """What is shown where a chart is not taken. It is drawn and uploaded only then, and stands after the first of the
    plainer blocks, which say the same without it."""

    png: Callable[[], bytes]
    name: str  # of the file
    title: str
    alt: str  # what it shows, in words


@dataclass(frozen=True, slots=True)
class Message:
    """What is posted: ``text`` for screen readers and notifications, ``blocks`` for eyes, and ``plainer`` blocks for a
    workspace that does not take the newer ones."""

    text: str
    blocks: tuple[Json, ...] = ()
    plainer: tuple[Json, ...] = ()
    picture: Picture | None = None


def dump(blocks: Iterable[Any]) -> tuple[Json, ...]:
    """Blocks as JSON values."""
    return tuple(json.loads(json.dumps(block._resolve())) for block in blocks)  # noqa: SLF001  (its way to JSON)


def size(blocks: Sequence[Json]) -> int:
    return len(json.dumps(blocks, ensure_ascii=False))


def top_text(lines: Iterable[str]) -> str:
    """The top-level text: escaped, and short enough to be read aloud."""
    return clip(escape("\n".join(line for line in lines if line)), MOST_TEXT)


# ---------------------------------------------------------------- text


def label(text: str, most: int) -> Any:
    return sb.PlainText(clip(plain(text), most))


def said(lines: Sequence[tuple[str, bool]], block_id: str) -> Any:
    """Lines of literal text, bold where it says so: nothing in them is interpreted."""
    parts: list[Any] = [
        sb.RichText(plain(text) + ("\n" if n < len(lines) - 1 else ""), bold=bold or None)
        for n, (text, bold) in enumerate(lines)
    ]
    return sb.RichTextBlock([sb.RichTextSection(parts)], block_id=block_id)


def section(text: str, block_id: str) -> Any:
    """Ready mrkdwn, cut to what a section holds."""
    return sb.SectionBlock(sb.Text(clip(text, SECTION)), block_id=block_id)


def titled(title: str, lines: str, block_id: str) -> Any:
    """Literal lines, under a title where there is one."""
    return section((f"*{mrkdwn(title)}*\n" if title else "") + mrkdwn(lines), block_id)


def context(pieces: Sequence[str], block_id: str) -> Any:
    """Small print; the pieces are ready mrkdwn."""
    texts: list[Any] = [sb.Text(clip(piece, 2_000)) for piece in pieces[:10]]
    return sb.ContextBlock(texts, block_id=block_id)


def link(url: str | None, title: str) -> str:
    """A title that leads to its source, where it has an address that cannot break out of the link."""
    if url is None or not url.startswith(("https://", "http://")) or any(sign in url for sign in "<>|\n "):
        return mrkdwn(title)
    return f"<{escape(url)}|{mrkdwn(title)}>"


def image(picture: Picture, file: str) -> Any:
    """A picture that was uploaded as ``file``."""
    title, alt = label(picture.title, 2_000), clip(plain(picture.alt), 2_000)
    return sb.ImageBlock(slack_file=sb.SlackFile(None, file), title=title, alt_text=alt, block_id="picture")


# ---------------------------------------------------------------- tables


def table(
    titles: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool], wrapped: Sequence[bool], block_id: str
) -> Any:
    cells = [[_cell(text) for text in row] for row in (titles, *rows)]
    settings = [
        sb.ColumnSettings(align="right" if to_right else "left", is_wrapped=wrap)
        for to_right, wrap in zip(right, wrapped, strict=True)
    ]
    return sb.TableBlock(cells, settings, block_id=block_id)


def data_table(titles: Sequence[str], rows: Sequence[Sequence[str]], caption: str, block_id: str) -> Any:
    cells = [[_cell(text) for text in row] for row in (titles, *rows)]
    return sb.DataTableBlock(cells, caption=clip(plain(caption), TITLE), page_size=10, block_id=block_id)


def _cell(text: str) -> Any:
    return sb.RawText(clip(plain(text).strip(), CELL) or "–")  # Slack refuses an empty cell


# ---------------------------------------------------------------- controls


def button(text: str, action_id: str, value: str, *, primary: bool = False) -> Any:
    return sb.Button(
        label(text, BUTTON), action_id=action_id, value=value[:VALUE], style="primary" if primary else None
    )


def option(text: str, value: str) -> Any:
    assert len(value) <= OPTION_VALUE, value
    return sb.Option(label(text, OPTION), value)


def menu(placeholder: str, action_id: str, options: Sequence[Any]) -> Any:
    return sb.StaticSelectMenu(action_id, list(options), placeholder=label(placeholder, TITLE))


def overflow(action_id: str, options: Sequence[Any]) -> Any:
    return sb.OverflowMenu(action_id, list(options))


def actions(elements: Sequence[Any], block_id: str) -> Any:
    return sb.ActionsBlock(list(elements), block_id=block_id)


def folded(title: str, children: Sequence[Any], block_id: str) -> Any:
    """A part that stays closed until someone opens it; takes sections and context only."""
    return sb.ContainerBlock(
        list(children[:10]), title=label(title, TITLE), is_collapsible=True, default_collapsed=True, block_id=block_id
    )


def feedback(good: str, bad: str, labels: tuple[str, str], action_id: str, values: tuple[str, str], block: str) -> Any:
    buttons = sb.FeedbackButtons(
        sb.FeedbackButton(label(good, BUTTON), values[0], accessibility_label=clip(labels[0], BUTTON)),
        sb.FeedbackButton(label(bad, BUTTON), values[1], accessibility_label=clip(labels[1], BUTTON)),
        action_id=action_id,
    )
    return sb.ContextActionsBlock([buttons], block_id=block)


def listed(rows: Sequence[Sequence[str]]) -> str:
    """Rows for a place without tables, as ready mrkdwn: one line each, the first cell first."""
    return "\n".join("• " + mrkdwn(" · ".join(cell for cell in row if cell)) for row in rows)
