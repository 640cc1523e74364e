"""The tables beside the providers: GPUs, regions, exchange rates, vocabulary, and an overlay's own settings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from rules.currency_codes import CURRENCIES, nearest_currency
from rules.fields import Reader, Record, decimal_of, is_null, nearest
from rules.model import FORMS, PLANS, CurrencyRate, Discount, Gpu, GpuVariant, Region
from rules.read_providers import read_notes
from rules.yamltext import Node

SETTINGS = "team accounts discounts currency"
FIGURES = "memory_gb form bandwidth_gbps tdp_w peaks expect source"  # keys of what is known of a card
DTYPES = ("fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp6", "fp4", "int8", "int4")


def read_gpus(reader: Reader, root: Node) -> tuple[Gpu, ...]:
    """The models of gpus.yaml; a model with a mistake in it is left out."""
    found = []
    for item in reader.items(root, "a GPU"):
        before = reader.errors
        one = reader.record(item, "a GPU", "model vendor variants", "aliases device_names notes ledger")
        gpu = None if one is None else _gpu(one)
        if gpu is not None and reader.errors == before:
            found.append(gpu)
    return tuple(found)


def _gpu(one: Record) -> Gpu:
    model = one.id("model")
    keys = f"id interconnect {FIGURES}"
    variants = [
        read_variant(variant, model, variant.text_or_none("id"))
        for variant in one.records("variants", f"a variant of {model}", "", keys)
    ]
    if not variants and "variants" in one:
        one.error("variants", f"{model} has no variant", "write at least one, with null for what is not known")
    return Gpu(
        model=model,
        vendor=one.text("vendor"),
        place=one.place,
        aliases=one.texts("aliases"),
        device_names=one.texts("device_names"),
        variants=tuple(variants),
        notes=read_notes(one, {}),
        ledger=one.ledger(model),
    )


def read_variant(one: Record, owner: str, name: str | None) -> GpuVariant:
    """The figures of one memory size and form; ``name`` is its id in the table of accelerators."""
    source = one.record("source", "a source", "kind title", "url")
    peaks, expect = _by_dtype(one, "peaks"), _by_dtype(one, "expect")
    if source is None and (peaks or expect or "bandwidth_gbps" in one):
        one.error("peaks", f"figures of {owner} have no source", "add `source: {kind: …, title: …, url: …}`")
    return GpuVariant(
        memory_gb=one.number_or_none("memory_gb"),
        form=one.word_or_none("form", FORMS) or None,
        bandwidth_gbps=one.number_or_none("bandwidth_gbps"),
        peaks=peaks,
        interconnect=one.text_or_none("interconnect"),
        tdp_w=one.number_or_none("tdp_w"),
        expect={dtype: value for dtype, value in expect.items() if value is not None},
        source=source.source(name or owner) if source else None,
        id=name,
    )


def _by_dtype(one: Record, key: str) -> dict[str, Decimal | None]:
    record = one.record(key, f"`{key}`", "", " ".join(DTYPES))
    return {} if record is None else {dtype: record.number_or_none(dtype) for dtype in DTYPES if dtype in record}


def read_regions_table(reader: Reader, root: Node, table: dict[str, Region]) -> None:
    """Add the rows ``{region, country, area}`` of regions.yaml to ``table``, by code in lower case."""
    here: dict[str, int] = {}
    for one in reader.records(root, "a region", "region country area", "ledger"):
        code = one.id("region").lower()
        if code in here:
            one.error("region", f"region {code} stands twice", f"line {here[code]} has it already; keep one")
        elif code in table:
            one.error("region", f"region {code} is in the table already", "leave it out")
        here[code] = one.line
        one.ledger(code)
        table[code] = Region(code, one.id("country").lower(), one.id("area").lower())


def read_currencies(reader: Reader, root: Node) -> tuple[CurrencyRate, ...]:
    """The rows ``{pair: A/B, rate, from, source, seen}`` of currencies.yaml."""
    found: list[CurrencyRate] = []
    here: dict[tuple[str, str], int] = {}
    for item in reader.items(root, "an exchange rate"):
        before = reader.errors
        one = reader.record(item, "an exchange rate", "pair rate from source seen", "ledger")
        if one is None:
            continue
        base, quote = _pair(one)
        start = one.day("from")
        key = (f"{base}/{quote}", str(start))
        if key in here:
            one.error("from", f"{key[0]} from {key[1]} stands twice", f"line {here[key]} has it already; keep one")
        here[key] = one.line
        inner = one.record("source", "a source", "kind title", "url")
        one.ledger(key[0])
        rate, seen = one.number("rate"), one.day("seen")
        if inner is not None and reader.errors == before:
            source = inner.source(f"{base}-{quote}-{start}".lower())
            found.append(CurrencyRate(base, quote, rate, start, source, seen, one.place))
    return tuple(found)


def _pair(one: Record) -> tuple[str, str]:
    pair = one.text("pair")
    base, slash, quote = pair.partition("/")
    if pair and (not slash or base == quote):
        one.error("pair", f"`pair: {pair}` is no pair of currencies", "write it as USD/CNY")
        return "", ""
    for code in (base, quote):
        if code and code not in CURRENCIES:
            what = f"`{code}` is no currency code"
            one.error("pair", what, "write its three capitals, as USD or CNY", nearest_currency(code))
    return base, quote


def plain(node: Node) -> Any:
    """A node as dicts, lists, text, Decimal, bool and None; only scalars without quotes are more than text."""
    value = node.value
    if type(value) is dict:
        return {key: plain(item) for key, item in value.items()}
    if type(value) is list:
        return [plain(item) for item in value]
    if not node.plain or type(value) is not str:
        return value
    if value in ("true", "false"):
        return value == "true"
    if is_null(node):
        return None
    return number if (number := decimal_of(value)) is not None else value


# ---------------------------------------------------------------- an overlay's own settings


@dataclass(frozen=True, slots=True)
class OverlaySettings:
    team: str | None = None
    accounts: tuple[str, ...] = ()
    discounts: tuple[Discount, ...] = ()
    currency: str | None = None


def read_settings(reader: Reader, root: Node, providers: Collection[str]) -> OverlaySettings:
    """``{team, accounts, discounts, currency}`` of an overlay; every key may be missing.

    A file named after one key, as accounts.yaml, may hold that key's value alone.
    """
    key = reader.file.rpartition("/")[2].removesuffix(".yaml")
    if key in SETTINGS.split() and type(root.value) is not dict:
        root = Node({key: root}, root.line, root.column, False)
    one = reader.record(root, "an overlay's settings file", "", SETTINGS)
    if one is None:
        return OverlaySettings()
    accounts = one.texts("accounts")
    for name in accounts:
        _must_be_provider(one, "accounts", name, providers)
    return OverlaySettings(
        team=one.text_or_none("team"),
        accounts=accounts,
        discounts=_discounts(one, providers),
        currency=_currency(one),
    )


def _currency(one: Record) -> str | None:
    code = one.text_or_none("currency")
    if code and code not in CURRENCIES:
        what = f"`currency: {code}` is no currency code"
        one.error("currency", what, "write its three capitals, as USD or CNY", nearest_currency(code))
    return code or None


def _discounts(one: Record, providers: Collection[str]) -> tuple[Discount, ...]:
    found: dict[tuple[str, str | None], Discount] = {}
    for row in one.records("discounts", "a discount", "provider percent", "plan"):
        before = row.reader.errors
        provider, percent = row.text("provider"), row.number("percent")
        plan = row.word_or_none("plan", PLANS) or None
        _must_be_provider(row, "provider", provider, providers)
        if percent > 100:
            row.error("percent", f"`percent: {percent}` is above 100", "write the share that is taken off, as 12.5")
        if (provider, plan) in found:
            row.error("provider", f"{provider} has two discounts for the same plan", "keep one")
        if row.reader.errors == before:
            found[provider, plan] = Discount(provider, percent, row.place, plan)
    return tuple(found.values())


def _must_be_provider(one: Record, key: str, name: str, providers: Collection[str]) -> None:
    if name and name not in providers:
        one.error(key, f"provider `{name}` is not known", "write a provider's id", nearest(name, providers))
