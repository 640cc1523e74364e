"""Looking into the knowledge: lists, one entry, what is due for a check, and marking a source as checked."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from rules.fields import nearest
from rules.model import Catalog, Offer, Place, PriceLine, Provider, Source, Text
from rules.prices import age_days, in_force, last_look, offer_price
from rules.wire import number
from rules.yamltext import Node, YamlError, read_yaml

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH  # whoever took it away meant the file to stay as it is
KINDS = ("providers", "gpus", "scenarios", "rules", "sources")


class KnowledgeError(Exception):
    """Something asked of the knowledge that cannot be done; ``key`` is the sentence, ``slots`` its words."""

    def __init__(self, key: str, **slots: Any) -> None:
        super().__init__(key)
        self.key, self.slots = key, slots


# ---------------------------------------------------------------- lists


Rows = list[dict[str, Any]]


def listing(catalog: Catalog, kind: str, lang: str) -> Rows:
    """One row for each entry of a kind (``KINDS``), in the order of its ids."""
    return _LISTS[kind](catalog, lang)


def _providers(catalog: Catalog, lang: str) -> Rows:
    counts: dict[str, int] = {}
    for offer in catalog.offers:
        counts[offer.provider] = counts.get(offer.provider, 0) + 1
    return [
        {"id": one.id, "name": one.name.say(lang), "kind": one.kind, "offers": counts.get(one.id, 0)}
        for one in sorted(catalog.providers.values(), key=lambda provider: provider.id)
    ]


def _gpus(catalog: Catalog, _lang: str) -> Rows:
    rows = []
    for gpu in sorted(catalog.gpus.values(), key=lambda one: one.model):
        sizes = sorted({variant.memory_gb for variant in gpu.variants if variant.memory_gb is not None})
        rows.append(
            {
                "id": gpu.model,
                "vendor": gpu.vendor,
                "memory_gb": [number(size) for size in sizes],
                "offers": len(catalog.by_gpu.get(gpu.model, ())),
            }
        )
    return rows


def _scenarios(catalog: Catalog, lang: str) -> Rows:
    return [
        {"id": one.id, "title": one.title.say(lang), "options": len(one.options), "reviewed": one.reviewed.isoformat()}
        for one in sorted(catalog.scenarios, key=lambda scenario: scenario.id)
    ]


def _rules(catalog: Catalog, lang: str) -> Rows:
    return [
        {"id": one.id, "status": one.status, "effect": one.effect, "title": one.title.say(lang)}
        for one in sorted(catalog.rules, key=lambda rule: rule.id)
    ]


def _sources(catalog: Catalog, _lang: str) -> Rows:
    return [
        {"id": f"{provider.id}/{key}", "kind": source.kind, "title": source.title, "url": source.url}
        for provider in sorted(catalog.providers.values(), key=lambda one: one.id)
        for key, source in sorted(provider.sources.items())
    ]


_LISTS: Mapping[str, Callable[[Catalog, str], Rows]] = {
    "providers": _providers,
    "gpus": _gpus,
    "scenarios": _scenarios,
    "rules": _rules,
    "sources": _sources,
}


# ---------------------------------------------------------------- one entry


def entry(catalog: Catalog, name: str) -> tuple[str, Any]:
    """The kind and the value of an id; raises ``KnowledgeError`` with the nearest id when there is none."""
    found = next((pair for pair in _entries(catalog) if pair[0] == name), None)
    folded = name.casefold()
    if found is None:
        found = next((pair for pair in _entries(catalog) if pair[0].casefold() == folded), None)
    if found is None:
        near = nearest(name, [one for one, *_ in _entries(catalog)])
        raise KnowledgeError("error.no_entry.near" if near else "error.no_entry", id=name, near=near)
    return found[1], found[2]


def _entries(catalog: Catalog) -> Iterator[tuple[str, str, Any]]:
    yield from ((one.id, "provider", one) for one in catalog.providers.values())
    yield from ((one.id, "offer", one) for one in catalog.offers)
    yield from ((one.model, "gpu", one) for one in catalog.gpus.values())
    yield from ((one.id, "rule", one) for one in catalog.rules)
    yield from ((one.id, "scenario", one) for one in catalog.scenarios)
    yield from ((one.id, "topic", one) for one in catalog.topics)
    for provider in catalog.providers.values():
        yield from ((f"{provider.id}/{key}", "source", one) for key, one in provider.sources.items())


def as_plain(value: Any, lang: str | None = None) -> Any:
    """A value of the catalogue as JSON values; what is not stated is left out, texts in ``lang`` or in both."""
    if isinstance(value, Text):
        return value.say(lang) if lang else {"en": value.en, "zh": value.zh}
    if isinstance(value, Place):
        return str(value)
    if isinstance(value, Decimal):
        return number(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, PriceLine):
        return _price_line(value, lang)
    if is_dataclass(value):
        return _fields(value, lang)
    if isinstance(value, Mapping):
        return {str(key): as_plain(item, lang) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_plain(item, lang) for item in value]
    return value


def _fields(value: Any, lang: str | None) -> dict[str, Any]:
    pairs = ((one.name, getattr(value, one.name)) for one in fields(value) if one.name != "feed")
    return {name: as_plain(item, lang) for name, item in pairs if _is_stated(item)}


def _price_line(line: PriceLine, lang: str | None) -> dict[str, Any]:
    """A line as its file says it."""
    shown: dict[str, Any] = {"from": line.start.isoformat(), "says": line.says, "source": line.source.key}
    shown["seen"] = line.seen.isoformat()
    if line.checked is not None:
        shown["checked"] = line.checked.isoformat()
    if line.regions:
        shown["regions"] = list(line.regions)
    if line.free_gb_month is not None:
        shown["free_gb_month"] = number(line.free_gb_month)
    if line.what is not None:
        shown["what"] = as_plain(line.what, lang)
    return shown | {"place": str(line.place)}


def _is_stated(value: Any) -> bool:
    return isinstance(value, (Decimal, int)) or bool(value)


# ---------------------------------------------------------------- what is due, what is priced


def stale(catalog: Catalog, as_of: date) -> Rows:
    """Sources with a line in force that nobody looked at within the provider's days; longest overdue first."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for provider, line in _lines_in_force(catalog, as_of):
        days = age_days(line, as_of)
        if days <= provider.recheck_days:
            continue
        row = rows.setdefault(
            (provider.id, line.source.key),
            {
                "provider": provider.id,
                "source": line.source.key,
                "lines": 0,
                "age_days": 0,
                "recheck_days": provider.recheck_days,
                "last_look": "",
                "url": line.source.url,
            },
        )
        row["lines"] += 1
        if days > row["age_days"]:
            row["age_days"], row["last_look"] = days, last_look(line).isoformat()
    return sorted(
        rows.values(), key=lambda row: (-(row["age_days"] - row["recheck_days"]), row["provider"], row["source"])
    )


def _lines_in_force(catalog: Catalog, as_of: date) -> Iterator[tuple[Provider, PriceLine]]:
    for offer in catalog.offers:
        if not offer.feed and offer.provider in catalog.providers:
            yield from ((catalog.providers[offer.provider], line) for line in in_force(offer.prices, as_of))
    for provider in catalog.providers.values():
        for lines in (provider.transfer_out, provider.transfer_in, provider.storage, provider.fees):
            yield from ((provider, line) for line in in_force(lines, as_of))


def priced(catalog: Catalog, as_of: date) -> Rows:
    """For each provider and GPU: offers, those with a usable price, the oldest look, and how many are disputed."""
    groups: dict[tuple[str, str], list[Offer]] = {}
    for offer in catalog.offers:
        groups.setdefault((offer.provider, offer.gpu), []).append(offer)
    return [_priced_row(catalog, key, offers, as_of) for key, offers in sorted(groups.items())]


def _priced_row(catalog: Catalog, key: tuple[str, str], offers: Sequence[Offer], as_of: date) -> dict[str, Any]:
    provider = catalog.providers[key[0]]
    used = [
        choice
        for offer in offers
        if (choice := offer_price(offer, provider, as_of, catalog.currencies, _region(offer)).used) is not None
    ]
    return {
        "provider": key[0],
        "gpu": key[1],
        "offers": len(offers),
        "priced": len(used),
        "oldest_days": max((one.age_days for one in used), default=None),
        "stale": sum(one.stale for one in used),
        "disputed": sum(bool(one.others) for one in used),
    }


def _region(offer: Offer) -> str | None:
    return offer.regions[0] if offer.regions else None


# ---------------------------------------------------------------- an outside ledger of facts

LEDGER_PARTS = ("facts", "contradictions")


def coverage(catalog: Catalog, path: Path) -> dict[str, Any]:
    """Which ids of a ledger the knowledge answers for, and where; ids without an entry are missing.

    The file holds `facts` and `contradictions`, lists of mappings with an `id`. Raises ``KnowledgeError`` when it
    cannot be read as that.
    """
    wanted = _ledger_ids(path)
    where: dict[str, list[dict[str, str]]] = {}
    for ident, owner, place in catalog.ledger:
        row = {"entry": owner, "place": str(place)}
        if row not in where.setdefault(ident, []):
            where[ident].append(row)
    mapped = [{"id": ident, "where": where[ident]} for ident, _ in wanted if ident in where]
    missing = [{"id": ident, "place": place} for ident, place in wanted if ident not in where]
    return {"ids": len(wanted), "mapped": mapped, "missing": missing}


def _ledger_ids(path: Path) -> list[tuple[str, str]]:
    """Each id once, with the place where the ledger lists it."""
    try:
        root, _ = read_yaml(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise KnowledgeError("error.ledger.read", file=path, reason=error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise KnowledgeError("error.ledger.utf8", file=path) from None
    except YamlError as error:
        raise KnowledgeError(
            "error.ledger.yaml", place=f"{path}:{error.line}", what=error.what, fix=error.fix
        ) from None
    parts = root.value if root is not None and type(root.value) is dict else {}
    lists = [parts[name].value for name in LEDGER_PARTS if name in parts]
    found: dict[str, str] = {}
    if not lists:
        raise KnowledgeError("error.ledger.shape", file=path)
    for items in lists:
        if type(items) is not list:
            raise KnowledgeError("error.ledger.shape", file=path)
        for item in items:
            ident = item.value.get("id") if type(item.value) is dict else None
            if ident is None or type(ident.value) is not str or not ident.value:
                raise KnowledgeError("error.ledger.id", place=f"{path}:{item.line}")
            found.setdefault(ident.value, f"{path}:{ident.line}")
    return list(found.items())


# ---------------------------------------------------------------- marking a source as checked


@dataclass(frozen=True, slots=True)
class Checked:
    """What was done: the file, the lines that moved, and those that had a later look already."""

    file: Path
    moved: int
    kept: int


def mark_checked(folder: Path, catalog: Catalog, provider_id: str, source: str, day: date, today: date) -> Checked:
    """Set ``checked`` to ``day`` on every price line of a source, touching nothing else of the provider's file.

    The file is replaced as a whole or not at all. Raises ``KnowledgeError`` when the provider or source is not
    known, the day is to come, or the file cannot be written.
    """
    provider = catalog.providers.get(provider_id)
    if provider is None:
        raise _not_known("error.no_provider", provider_id, catalog.providers)
    if source not in provider.sources:
        raise _not_known("error.no_source", source, provider.sources, provider=provider_id)
    if day > today:
        raise KnowledgeError("error.day_to_come", date=day.isoformat())
    path = folder / provider.place.file
    try:
        if not path.stat().st_mode & _WRITABLE:
            raise KnowledgeError("error.not_written", file=str(path), reason=os.strerror(errno.EACCES))
        before = path.read_bytes().decode("utf-8")
        after, moved, kept = with_checked(before, source, day)
        if after != before:
            _replace(path, after)
    except (OSError, UnicodeDecodeError, YamlError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise KnowledgeError("error.not_written", file=str(path), reason=reason) from None
    return Checked(path, moved, kept)


def _not_known(
    key: str, name: str, known: Mapping[str, Source] | Mapping[str, Provider], **slots: str
) -> KnowledgeError:
    near = nearest(name, known)
    return KnowledgeError(
        key if near else f"{key}.none", id=name, near=near or ", ".join(sorted(known)) or "-", **slots
    )


@dataclass(frozen=True, slots=True)
class _Edit:
    """Put ``text`` in place of ``length`` characters at a 0-based line and column."""

    line: int
    column: int
    length: int
    text: str


def with_checked(text: str, source: str, day: date) -> tuple[str, int, int]:
    """The text with ``checked`` of that source's price lines moved to ``day``; how many moved and how many stayed.

    A line that was looked at on that day or later stays as it is.
    """
    root, _ = read_yaml(text)
    if root is None:
        return text, 0, 0
    lines = text.splitlines(keepends=True)
    edits: list[_Edit] = []
    kept = 0
    for entry_node in _price_nodes(root, source):
        edit = _edit(entry_node, lines, day)
        if edit is None:
            kept += 1
        else:
            edits.append(edit)
    for edit in sorted(edits, key=lambda one: (one.line, one.column), reverse=True):
        line = lines[edit.line]
        lines[edit.line] = line[: edit.column] + edit.text + line[edit.column + edit.length :]
    return "".join(lines), len(edits), kept


def _price_nodes(node: Node, source: str) -> Iterator[dict[str, Node]]:
    """Every price line of the source, wherever it stands in the file."""
    if type(node.value) is list:
        for item in node.value:
            yield from _price_nodes(item, source)
    elif type(node.value) is dict:
        keys = node.value
        if "says" in keys and "seen" in keys and "source" in keys and keys["source"].value == source:
            yield keys
            return
        for item in keys.values():
            yield from _price_nodes(item, source)


def _edit(keys: Mapping[str, Node], lines: Sequence[str], day: date) -> _Edit | None:
    looks = [str(keys[name].value) for name in ("seen", "checked") if name in keys]
    if max(looks) >= day.isoformat():  # ISO dates sort as text
        return None
    if "checked" in keys:
        node = keys["checked"]
        return _Edit(node.line - 1, node.column - 1, len(str(node.value)), day.isoformat())
    seen = keys["seen"]
    row, end = seen.line - 1, seen.column - 1 + len(str(seen.value))
    rest = lines[row][end:].lstrip()
    if rest.startswith((",", "}")):
        return _Edit(row, end, 0, f", checked: {day.isoformat()}")
    indent = " " * _key_column(lines[row][: seen.column - 1])
    newline = "\r\n" if lines[row].endswith("\r\n") else "\n"
    body = lines[row].rstrip("\r\n")
    return _Edit(row, len(body), 0, f"{newline}{indent}checked: {day.isoformat()}")


def _key_column(before_value: str) -> int:
    """Where the key ``seen`` begins in its line."""
    return before_value.rindex("seen")


def _replace(path: Path, text: str) -> None:
    """Write beside the file and move over it, so that a reader sees the old or the new one and never half."""
    mode = path.stat().st_mode
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    beside = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(mode & 0o7777)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
