"""What Slack refuses in blocks, as its reference pages state it; each finding says where and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]

MESSAGE_TYPES = frozenset(
    "actions card carousel container context context_actions data_table data_visualization divider file header image "
    "input markdown plan rich_text section table task_card video".split()
)
NEW_TYPES = frozenset({"table", "data_table", "data_visualization", "container", "context_actions"})
MOST_CHARS = 13_000  # of all blocks together; no page states it, people measured about 13,200
IN_CONTAINER = frozenset({"section", "context", "table", "divider", "image", "header"})


def text_of(value: Any) -> str:
    return str(value.get("text", "")) if isinstance(value, Mapping) else ""


def problems(blocks: Sequence[Json], surface: str = "message", *, old: bool = False) -> list[str]:
    """Everything wrong with the blocks of a message, a modal or a home tab; ``old``: a workspace without new blocks."""
    found = list(_whole(blocks, surface))
    for n, block in enumerate(blocks):
        found += [f"/blocks/{n}: {what}" for what in _block(block, surface, old=old)]
    return found


def _whole(blocks: Sequence[Json], surface: str) -> Iterator[str]:
    if len(blocks) > (50 if surface == "message" else 100):
        yield f"{len(blocks)} blocks"
    ids = [block["block_id"] for block in blocks if block.get("block_id")]
    if len(ids) != len(set(ids)):
        yield "block_id twice"
    flat = [child for block in blocks for child in (block, *block.get("child_blocks", []))]
    if sum(block.get("type") in ("table", "data_table") for block in flat) > 1:
        yield "only_one_table_allowed"
    if sum(block.get("type") == "data_visualization" for block in flat) > 2:
        yield "more than two charts"
    if surface == "message" and len(json.dumps(blocks, ensure_ascii=False)) > MOST_CHARS:
        yield "msg_blocks_too_long"


def _block(block: Json, surface: str, *, old: bool) -> Iterator[str]:
    kind = block.get("type")
    if surface in ("message", "home") and block.get("element", {}).get("type") == "file_input":
        yield "file input outside a modal"
    if surface == "message" and kind not in MESSAGE_TYPES:
        yield f"block type {kind!r}"
    if old and kind in NEW_TYPES:
        yield f"block type {kind!r} is not available here"
    if len(str(block.get("block_id", ""))) > 255:
        yield "block_id too long"
    judge = _BY_KIND.get(str(kind))
    if judge is not None:
        yield from judge(block)


def _section(block: Json) -> Iterator[str]:
    if not block.get("text") and not block.get("fields"):
        yield "section without text"
    if block.get("text") and not 1 <= len(text_of(block["text"])) <= 3000:
        yield f"section of {len(text_of(block['text']))} characters"
    fields = block.get("fields", [])
    if len(fields) > 10 or any(not 1 <= len(text_of(field)) <= 2000 for field in fields):
        yield "fields of a section"


def _header(block: Json) -> Iterator[str]:
    if not 1 <= len(text_of(block.get("text"))) <= 150:
        yield "header length"
    if block.get("text", {}).get("type") != "plain_text":
        yield "header is plain text"


def _context(block: Json) -> Iterator[str]:
    elements = block.get("elements", [])
    if not 1 <= len(elements) <= 10 or any(e["type"] != "image" and not text_of(e) for e in elements):
        yield "elements of a context"


def _actions(block: Json) -> Iterator[str]:
    elements = block.get("elements", [])
    names = [element.get("action_id") for element in elements]
    if not 1 <= len(elements) <= 25:
        yield f"{len(elements)} elements"
    if len(names) != len(set(names)) or any(not name or len(name) > 255 for name in names):
        yield "action_id twice, missing or too long"
    for element in elements:
        yield from _element(element)


def _element(element: Json) -> Iterator[str]:
    kind, options = element.get("type"), element.get("options", [])
    if kind == "button":
        if not 1 <= len(text_of(element.get("text"))) <= 75:
            yield "text of a button"
        if len(str(element.get("value", ""))) > 2000:
            yield "value of a button"
    if kind == "overflow" and not 1 <= len(options) <= 5:
        yield "options of an overflow menu"
    if kind == "static_select" and not 1 <= len(options) <= 100:
        yield "options of a menu"
    if kind in ("checkboxes", "radio_buttons") and not 1 <= len(options) <= 10:
        yield "options of boxes"
    for option in options:
        if not 1 <= len(text_of(option.get("text"))) <= 75 or not 1 <= len(option.get("value", "")) <= 150:
            yield "text or value of an option"
    values = [option.get("value") for option in options]
    if len(values) != len(set(values)):
        yield "value of an option twice"


def _table(block: Json) -> Iterator[str]:
    rows = block.get("rows", [])
    most = 100 if block["type"] == "table" else 201
    if not 1 <= len(rows) <= most or any(not 1 <= len(row) <= 20 for row in rows):
        yield "size of a table"
    if any(cell.get("type") == "raw_text" and not cell.get("text") for row in rows for cell in row):
        yield "empty cell"
    if len({len(row) for row in rows}) > 1:
        yield "rows of unequal length"
    if block["type"] == "data_table" and (len(rows) < 2 or not block.get("caption")):
        yield "data_table without rows or caption"


def _container(block: Json) -> Iterator[str]:
    children = block.get("child_blocks", [])
    if not 1 <= len(children) <= 10:
        yield "children of a container"
    if not 1 <= len(text_of(block.get("title"))) <= 150:
        yield "title of a container"
    for child in children:
        if child.get("type") not in IN_CONTAINER:
            yield f"{child.get('type')} in a container"
        yield from _block(child, "message", old=False)


def _context_actions(block: Json) -> Iterator[str]:
    if not 1 <= len(block.get("elements", [])) <= 5:
        yield "elements of context actions"
    for element in block.get("elements", []):
        if element.get("type") not in ("feedback_buttons", "icon_button"):
            yield f"{element.get('type')} in context actions"


def _rich_text(block: Json) -> Iterator[str]:
    if not block.get("elements"):
        yield "empty rich text"
    for part in block.get("elements", []):
        for element in part.get("elements", []):
            if element.get("type") == "text" and not element.get("text"):
                yield "empty text in rich text"


def _input(block: Json) -> Iterator[str]:
    if not 1 <= len(text_of(block.get("label"))) <= 2000:
        yield "label of an input"
    element = block.get("element", {})
    yield from _element(element)
    if element.get("type") == "file_input":
        if not 1 <= element.get("max_files", 10) <= 10:
            yield "files of a file input"
        if element.get("filetypes") == []:
            yield "endings of a file input"


def _image(block: Json) -> Iterator[str]:
    if not 1 <= len(str(block.get("alt_text") or "")) <= 2000:
        yield "alt text of an image"
    if ("image_url" in block) == ("slack_file" in block):
        yield "an image has one of image_url and slack_file"
    if "title" in block and not 1 <= len(text_of(block["title"])) <= 2000:
        yield "title of an image"


_BY_KIND = {
    "section": _section, "header": _header, "context": _context, "actions": _actions, "table": _table,
    "data_table": _table, "container": _container, "context_actions": _context_actions, "rich_text": _rich_text,
    "input": _input, "image": _image,
}  # fmt: skip


def view_problems(view: Json) -> list[str]:
    """What is wrong with a modal or a home tab."""
    found = problems(view.get("blocks", []), str(view.get("type")))
    if view.get("type") == "modal":
        for name in ("title", "submit", "close"):
            if name in view and not 1 <= len(text_of(view[name])) <= 24:
                found.append(f"{name} of {len(text_of(view[name]))} characters")
    if len(str(view.get("private_metadata", ""))) > 3000:
        found.append("private_metadata too long")
    return found
