"""What must hold before a row of a price source may count: rejected or marked, counted, never silently dropped.

Rows of one source go in, observations come out. Every rule is one function, and says what it found in the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from bot.feeds.names import Card, Names
from bot.feeds.report import Report
from bot.store.observed import Observation

_ONE = Decimal(1)
_EVERYWHERE_SHAPES, _EVERYWHERE_REGIONS = 3, 5  # so many shapes, all in the same regions, are a cross product
_ONE_SHAPE_REGIONS = 20
_LARGEST = Decimal("1E9")  # no amount, count or memory of a row is larger


@dataclass(slots=True)
class Row:
    """One price of one line of a source. ``amount`` None: the column of an on-demand price is empty."""

    line: int
    provider: str  # ours
    sku: str
    name: str  # of the GPU, as written
    count: Decimal
    plan: str
    amount: Decimal | None
    region: str = ""
    zone: str = ""
    memory_gb: Decimal | None = None
    share: Decimal | None = None  # of one physical GPU, where the source says so
    currency: str = "USD"
    unit: str = "machine-hour"
    facts: dict[str, Any] = field(default_factory=dict)
    memory_each: bool = False  # the source is known to state the memory of one GPU, never the machine's

    def __str__(self) -> str:
        place = f" {self.region}" if self.region else ""
        amount = "-" if self.amount is None else f"{self.amount:f} {self.currency}"
        return f"{self.line}: {self.provider} {self.sku}{place} {self.plan} {amount}"


def number(text: str) -> Decimal | None:
    """A number as a source writes it, None when the field is empty; raises ``ValueError`` for anything else."""
    if not text:
        return None
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise ValueError(text) from None
    if not value.is_finite() or not 0 <= value <= _LARGEST:
        raise ValueError(text)
    return value


@dataclass(slots=True)
class _Sold:
    """A row whose card, place and size are settled."""

    row: Row
    card: Card
    gpus: Decimal
    memory_gb: Decimal | None
    form: str | None
    regions: tuple[str, ...]
    marks: set[str] = field(default_factory=set)

    @property
    def shape(self) -> tuple[Any, ...]:
        row = self.row
        return (row.provider, row.sku, self.card.model, self.memory_gb, self.form, self.gpus, row.currency, row.unit)


def observations(rows: Iterable[Row], names: Names, report: Report) -> list[Observation]:
    """The observations of one source, one for each offer and region; ``report`` says what became of the rest."""
    sold = [one for row in rows if (one := _settled(row, names, report)) is not None]
    kept = _one_each(_sane_spot(sold, report), names, report)
    _mark_sums(kept, names, report)
    kept = _everywhere(kept, report)
    _note_shapes(kept, report)
    found = list(_with_keys(kept))
    report.kept = len(found)
    return found


# ---------------------------------------------------------------- one row


def _settled(row: Row, names: Names, report: Report) -> _Sold | None:
    if row.amount is None and row.plan != "on_demand":
        return None  # no such price, and none is claimed
    if row.amount == 0:
        report.note("spot-zero" if row.plan == "spot" else "zero-price", row)
        return None
    if names.is_host_only(row.provider, row.sku):
        report.note("host-apart", row)
        return None
    if not names.knows(row.provider):
        report.note("unknown-provider", row.provider)
    card = names.card(row.name, row.memory_gb, _ONE if row.memory_each else row.count, row.sku)
    size = _gpus(row, card, names, report)
    if size is None:
        return None
    memory, form = card.memory_gb, card.form
    ours = names.shape(row.provider, row.sku)
    if ours is not None and card.known:
        if ours.gpu != card.model or abs(ours.gpus - size) > Decimal("0.01"):
            report.note("shape-differs", row, f"{card.model} × {size:f}, ours {ours.gpu} × {ours.gpus:f}")
            return None
        memory, form = ours.memory_gb or memory, ours.form or form
    _note_card(row, card, memory, report)
    code, known = names.region(row.provider, row.region, row.zone) if row.region or row.zone else ("", True)
    if not known:
        report.note("region-unknown", row.provider, row.region)
    sold = _Sold(row, card, size, memory, form, (code,) if code else ())
    if not card.known:
        sold.marks.add("unknown-gpu")
    return sold


def _gpus(row: Row, card: Card, names: Names, report: Report) -> Decimal | None:
    """GPUs of the machine, below 1 for a slice; None when its share is not known."""
    is_slice, documented = names.slice_share(row.sku)
    share = row.share if row.share is not None and row.share < 1 else None
    if share is None and row.count < 1:
        share = row.count
    if share is None:
        share = documented or card.share
    if share is None and not is_slice:
        return row.count
    if share is None:
        report.note("slice", row, "share not known, left out")
        return None
    report.note("slice", row, share, "of a GPU")
    return share * max(_ONE, row.count)


def _note_card(row: Row, card: Card, memory: Decimal | None, report: Report) -> None:
    if not card.known:
        report.note("unknown-gpu", row, card.model)
        report.unknown[card.model] = report.unknown.get(card.model, 0) + 1
        return
    if card.memory_wrong:
        said = "-" if row.memory_gb is None else f"{row.memory_gb.normalize():f}"
        report.note("memory-wrong", row, said, "GB a GPU, ours", "-" if memory is None else memory)
    if memory is None and card.open_memory:
        report.note("memory-unstated", row, row.name)
    if card.alias:
        report.note("alias", row.name, "=", card.model)


# ---------------------------------------------------------------- one offer, one price


def _one_each(sold: Sequence[_Sold], names: Names, report: Report) -> list[_Sold]:
    """One row for each offer and region: of several zones the cheapest, of two prices for one thing none."""
    groups: dict[tuple[Any, ...], list[_Sold]] = {}
    for one in sold:
        groups.setdefault((*one.shape, one.row.plan, one.regions), []).append(one)
    kept = []
    for members in groups.values():
        best = members[0] if len(members) == 1 else _best(members, names, report)
        if best is not None:
            kept.append(best)
    return _without_empty(kept, report)


def _best(members: Sequence[_Sold], names: Names, report: Report) -> _Sold | None:
    priced = [one for one in members if one.row.amount is not None]
    if not priced:
        return members[0]
    first = priced[0].row
    if not names.is_market(first.provider):
        by_zone: dict[str, set[Decimal]] = {}
        for one in priced:
            by_zone.setdefault(one.row.zone, set()).add(one.row.amount or Decimal(0))
        if any(len(amounts) > 1 for amounts in by_zone.values()):
            amounts = sorted({one.row.amount for one in priced if one.row.amount is not None})
            report.note("listed-twice", first, "also", *amounts[1:], count=len(priced))
            return None
        if len(by_zone) < len(priced):
            report.note("repeated", first, count=len(priced) - len(by_zone))
    if len({one.row.amount for one in priced}) > 1:
        report.note("zones", first, "cheapest of", len(priced), count=len(priced) - 1)
    return min(priced, key=lambda one: (one.row.amount, one.row.line))


def _without_empty(sold: Sequence[_Sold], report: Report) -> list[_Sold]:
    """Keep "no on-demand price" as what it says: this shape is not sold on demand here."""
    for one in sold:
        if one.row.amount is None:
            report.note("not-on-demand", one.row)
    return list(sold)


def _sane_spot(sold: Sequence[_Sold], report: Report) -> list[_Sold]:
    """Spot that costs as much as on demand in its zone, or more, stands for "none" or for a mistake."""
    listed: dict[tuple[Any, ...], Decimal] = {}
    for one in sold:
        amount = one.row.amount
        if one.row.plan == "on_demand" and amount is not None:
            place = (*one.shape, one.regions)
            listed[*place, one.row.zone] = amount
            listed[place] = min(amount, listed.get(place, amount))
    kept = []
    for one in sold:
        place, amount, full = (*one.shape, one.regions), one.row.amount, None
        if one.row.plan == "spot":
            full = listed.get((*place, one.row.zone), listed.get(place))
        if full is not None and amount is not None and amount >= full:
            check = "spot-equals-on-demand" if amount == full else "spot-above-on-demand"
            report.note(check, one.row, "on demand", full)
        else:
            kept.append(one)
    return kept


# ---------------------------------------------------------------- many rows


def _mark_sums(sold: Sequence[_Sold], names: Names, report: Report) -> None:
    """More GPUs of one kind in one place must cost more; where sellers or auctions set prices they need not."""
    groups: dict[tuple[Any, ...], dict[Decimal, list[_Sold]]] = {}
    for one in sold:
        row = one.row
        hourly = row.unit.startswith("machine") and row.amount is not None and row.plan != "spot"
        if hourly and one.gpus >= 1 and one.card.known and not names.is_market(row.provider):
            key = (row.provider, one.card.model, one.memory_gb, one.form, row.plan, one.regions, row.currency)
            groups.setdefault(key, {}).setdefault(one.gpus, []).append(one)
    for by_count in groups.values():
        lowest: Decimal | None = None
        for count in sorted(by_count):
            amounts = [one.row.amount for one in by_count[count] if one.row.amount is not None]
            if lowest is not None:
                for one in by_count[count]:
                    if one.row.amount is not None and one.row.amount <= lowest:
                        one.marks.add("does-not-add-up")
                        report.note("does-not-add-up", one.row, f"{count:f} GPUs, fewer cost {lowest:f}")
            sound = [amount for amount in amounts if lowest is None or amount > lowest]
            lowest = min(sound, default=lowest)


def _everywhere(sold: Sequence[_Sold], report: Report) -> list[_Sold]:
    """A list that pairs every shape with every region is a price list: one row a shape, and stock is not known."""
    by_provider: dict[tuple[str, str], list[_Sold]] = {}
    for one in sold:
        by_provider.setdefault((one.row.provider, one.row.plan), []).append(one)
    kept: list[_Sold] = []
    for members in by_provider.values():
        shapes: dict[tuple[Any, ...], list[_Sold]] = {}
        for one in members:
            shapes.setdefault(one.shape, []).append(one)
        if not _is_cross_product(list(shapes.values())):
            kept += members
            continue
        for rows in shapes.values():
            regions = tuple(sorted({code for one in rows for code in one.regions}))
            rows[0].regions = regions
            rows[0].marks.add("everywhere")
            kept.append(rows[0])
        first = members[0].row
        report.note("everywhere", first.provider, len(shapes), "×", len(regions), first.plan, count=len(members))
    return kept


def _is_cross_product(shapes: Sequence[Sequence[_Sold]]) -> bool:
    regions = {one.regions for one in shapes[0]}
    enough = len(regions) >= (_EVERYWHERE_REGIONS if len(shapes) >= _EVERYWHERE_SHAPES else _ONE_SHAPE_REGIONS)
    return enough and all(
        {one.regions for one in rows} == regions and len({one.row.amount for one in rows}) == 1 for rows in shapes
    )


def _note_shapes(sold: Sequence[_Sold], report: Report) -> None:
    """A source that lists one GPU and eight, and nothing between, would name a wrong winner for four."""
    counts: dict[tuple[str, str], set[Decimal]] = {}
    for one in sold:
        if one.card.known and one.row.unit.startswith("machine"):
            counts.setdefault((one.row.provider, one.card.model), set()).add(one.gpus)
    for (provider, model), sizes in sorted(counts.items()):
        if {_ONE, Decimal(8)} <= sizes and not {Decimal(2), Decimal(4)} & sizes:
            report.note("shapes-missing", provider, model, *sorted(sizes))


# ---------------------------------------------------------------- observations


def _with_keys(sold: Sequence[_Sold]) -> Iterator[Observation]:
    """Keys are the source's own words, so that a better table of ours does not make an old offer a new one."""
    used: set[str] = set()
    for one in sold:
        row = one.row
        place = "*" if "everywhere" in one.marks else ",".join(one.regions)
        key = f"{row.provider}|{row.sku}|{row.count.normalize():f}|{row.plan}|{place}"
        for more in ("", f"|{row.name}", f"|{one.memory_gb}", f"|{row.currency}|{row.unit}", f"|{row.line}"):
            key += more
            if key not in used:
                break
        used.add(key)
        yield Observation(
            key, row.provider, one.card.model, _facts(one), row.amount or Decimal(0), row.currency, row.unit
        )


def _facts(one: _Sold) -> dict[str, Any]:
    row = one.row
    facts: dict[str, Any] = {"sku": row.sku, "plan": row.plan, "gpus": f"{one.gpus.normalize():f}", **row.facts}
    if len(one.regions) == 1:
        facts["region"] = one.regions[0]
    elif one.regions:
        facts["regions"] = list(one.regions)
    if one.memory_gb is not None:
        facts["memory_gb"] = f"{one.memory_gb.normalize():f}"
    if one.form is not None:
        facts["form"] = one.form
    if row.name != one.card.model:
        facts["name"] = row.name
    if row.amount is None:
        facts["not_sold"] = True
    if one.marks:
        facts["marks"] = sorted(one.marks)
    return facts
