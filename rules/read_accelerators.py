"""The table of accelerators: what a driver reports of each card, and what its expected rate rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from rules.fields import Reader, Record, nearest
from rules.model import SOURCE_KINDS, Accelerator, Basis, Gpu, GpuVariant, Source, Typical
from rules.read_tables import DTYPES, FIGURES, read_variant
from rules.yamltext import Node

KINDS = ("steady", "best-shape")
CARD = (
    "name figures device_names pci_ids cc sms memory_mib sizes_gb devices class fp16_acc_ratio derivation "
    "expect_from runs sources"
)
_PCI_ID = re.compile(r"[0-9a-f]{4}", re.ASCII)


def read_accelerators(reader: Reader, root: Node, gpus: Mapping[str, Gpu], *, strict: bool) -> dict[str, Accelerator]:
    """The cards of accelerators.yaml by id, each with its figures from ``gpus``; one with a mistake is left out.

    An id that ``gpus`` lacks is a mistake where ``strict``; elsewhere the card is passed over.
    """
    whole = reader.record(root, "the table of accelerators", "sources classes accelerators")
    if whole is None:
        return {}
    table = _Table(_sources(whole), _classes(whole), _variants(gpus), strict)
    found: dict[str, Accelerator] = {}
    for one in whole.records("accelerators", "an accelerator", "id", CARD):
        before = reader.errors
        card = table.card(one)
        if card is None or reader.errors != before:
            continue
        if card.id in found:
            one.error("id", f"accelerator {card.id} is already at {found[card.id].place}", "keep one entry")
        found.setdefault(card.id, card)
    return found


def _variants(gpus: Mapping[str, Gpu]) -> dict[str, tuple[str, GpuVariant]]:
    return {one.id: (gpu.model, one) for gpu in gpus.values() for one in gpu.variants if one.id is not None}


def _sources(whole: Record) -> dict[str, Source]:
    node = whole.fields.get("sources")
    if node is None:
        return {}
    named = whole.reader.record(node, "`sources`", "", " ".join(node.value) if type(node.value) is dict else "")
    found: dict[str, Source] = {}
    for key in named.fields if named else ():
        source = named.record(key, "a source", "kind title", "url") if named else None
        if source is not None:
            title, kind = source.text("title"), source.word("kind", SOURCE_KINDS)
            found[key] = Source(key, title, kind, source.url_or_none())
    return found


def _classes(whole: Record) -> dict[str, Typical]:
    found: dict[str, Typical] = {}
    for one in whole.records("classes", "a class", "class low high", "cards"):
        name, low, high = one.id("class"), one.number("low"), one.number("high")
        if low >= high:
            one.error("low", f"class {name} is empty: {low} is not below {high}", "write the smaller share first")
        found[name] = Typical(name, low, high)
    return found


class _Table:
    """What the cards of one file may refer to."""

    def __init__(
        self, sources: Mapping[str, Source], classes: Mapping[str, Typical],
        variants: Mapping[str, tuple[str, GpuVariant]], strict: bool,
    ) -> None:  # fmt: skip
        self.sources, self.classes, self.variants, self.strict = sources, classes, variants, strict

    def card(self, one: Record) -> Accelerator | None:
        name = one.id()
        joined = self._figures(one, name)
        if joined is None:
            return None
        model, variant = joined
        derivation = one.record("derivation", "`derivation`", "flop_per_clk_sm", "boost_mhz")
        kind = one.word_or_none("class", self.classes, "name one of `classes`")
        runs = one.flag_or_none("runs")
        return Accelerator(
            id=name,
            model=model,
            variant=variant,
            place=one.place,
            device_names=one.texts("device_names"),
            pci_ids=_pci_ids(one),
            cc=one.text_or_none("cc"),
            sms=one.number_or_none("sms", whole=True),
            memory_mib=one.number_or_none("memory_mib", whole=True),
            sizes_gb=_numbers(one, "sizes_gb"),
            devices=one.number_or_none("devices", whole=True) or Decimal(1),
            typical=self.classes.get(kind or ""),
            fp16_acc_ratio=one.number_or_none("fp16_acc_ratio"),
            flop_per_clk_sm=derivation.number_or_none("flop_per_clk_sm") if derivation else None,
            boost_mhz=derivation.number_or_none("boost_mhz") if derivation else None,
            basis=self._basis(one, name, variant),
            runs=runs is not False,
            sources=self._named(one),
        )

    def _figures(self, one: Record, name: str) -> tuple[str, GpuVariant] | None:
        """The figures in the table of GPUs, or the card's own where that table lacks it."""
        there, own = self.variants.get(name), one.record("figures", "`figures`", "", FIGURES)
        if there is not None and own is not None:
            one.error("figures", f"the figures of {name} stand in gpus.yaml", "leave them out here")
        if there is not None:
            return there
        if own is not None:
            return one.text("name") or name, read_variant(own, name, name)
        if self.strict and name:
            fix = "write its id there, or its `name` and `figures` here"
            one.error("id", f"gpus.yaml has no variant {name}", fix, nearest(name, self.variants))
        return None

    def _basis(self, one: Record, name: str, variant: GpuVariant) -> dict[str, Basis]:
        dtypes = one.record("expect_from", "`expect_from`", "", " ".join(DTYPES))
        found: dict[str, Basis] = {}
        for dtype in dtypes.fields if dtypes else ():
            row = dtypes.record(dtype, f"the basis of {dtype}", "readings kind", "sources") if dtypes else None
            if row is None:
                continue
            if dtype not in variant.expect:
                row.error("kind", f"{name} has no expected {dtype} rate", "write it under `expect`, or leave this out")
            found[dtype] = Basis(row.number("readings", whole=True), row.word("kind", KINDS), self._named(row))
        return found

    def _named(self, one: Record) -> tuple[Source, ...]:
        keys = one.texts("sources")
        for key in keys:
            if key not in self.sources:
                one.error(
                    "sources", f"source `{key}` is not declared", "add it to `sources`", nearest(key, self.sources)
                )
        return tuple(self.sources[key] for key in keys if key in self.sources)


def _pci_ids(one: Record) -> tuple[str, ...]:
    found = one.texts("pci_ids")
    for text in found:
        if not _PCI_ID.fullmatch(text):
            one.error("pci_ids", f"`{text}` is no PCI id", 'write four hexadecimal digits, as "2335"')
    return found


def _numbers(one: Record, key: str) -> tuple[Decimal, ...]:
    node = one.node(key)
    if node is None:
        return ()
    items = one.reader.items(node, f"a number of `{key}`")
    for item in items:
        item.key_line = item.line
    found = [one.reader.number(item, key) for item in items]
    return tuple(value for value in found if value is not None)
