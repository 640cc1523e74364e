"""The state of a price line and the worth of a currency follow from dates alone."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from rules.model import CurrencyRate, Place, PriceLine, Rate, Settlement, Source
from rules.prices import choose, convert, in_force, is_announced

AS_OF = date(2026, 11, 30)
HERE = Place("x.yaml", 1)
PAGE = Source("page", "Price page", "official")
BROKER = Source("broker", "Broker table", "aggregator")


def line(amount: str, start: date, seen: date, source: Source = PAGE, **more: object) -> PriceLine:
    rate = None if amount in ("not sold", "retired") else Rate(Decimal(amount), "USD", "gpu-hour")
    says = amount if rate is None else f"{amount} USD/gpu-hour"
    return PriceLine(start, says, rate, source, seen, HERE, **more)  # type: ignore[arg-type]


def figure(priced: PriceLine) -> Decimal | None:
    return priced.rate.amount if priced.rate else None


def test_a_line_last_looked_at_before_it_starts_is_announced_and_not_believed() -> None:
    coming = line("1.19", date(2026, 12, 1), date(2026, 11, 28))
    assert is_announced(coming)
    assert choose([coming], date(2026, 12, 5), 14).refusal == "announced"


def test_an_announced_line_is_believed_once_someone_looked_after_its_start() -> None:
    came = line("1.19", date(2026, 12, 1), date(2026, 11, 28), checked=date(2026, 12, 2))
    used = choose([came], date(2026, 12, 5), 14).used
    assert used is not None
    assert used.age_days == 3  # from 2 December to 5 December


def test_a_later_start_of_the_same_source_supersedes() -> None:
    old, new = line("2", date(2026, 1, 1), AS_OF), line("3", date(2026, 6, 1), AS_OF)
    assert in_force([new, old], AS_OF) == [new]
    assert in_force([new, old], date(2026, 5, 31)) == [old]


def test_a_line_for_one_region_does_not_supersede_the_others() -> None:
    everywhere = line("2", date(2026, 1, 1), AS_OF)
    one = line("3", date(2026, 6, 1), AS_OF, regions=("us-1",))
    assert in_force([everywhere, one], AS_OF, "eu-1") == [everywhere]
    assert in_force([everywhere, one], AS_OF, "us-1") == [one]


def test_a_withdrawal_by_the_provider_outlives_a_brokers_price() -> None:
    lines = [line("2", date(2026, 7, 1), AS_OF, BROKER), line("not sold", date(2026, 9, 1), AS_OF)]
    assert choose(lines, AS_OF, 30).refusal == "no-price"


def test_a_zero_price_of_an_offer_is_no_price() -> None:
    assert choose([line("0", date(2026, 7, 1), AS_OF)], AS_OF, 30, comparable=figure).refusal == "no-price"


def test_a_fresh_broker_goes_before_a_stale_price_page() -> None:
    page = line("2", date(2026, 1, 1), date(2026, 8, 1))
    broker = line("2.5", date(2026, 1, 1), date(2026, 11, 20), BROKER)
    used = choose([page, broker], AS_OF, 30, comparable=figure).used
    assert used is not None
    assert (used.line, used.why, used.others) == (broker, "fresher", (page,))


@pytest.mark.parametrize(("other", "conflict"), [("2.02", False), ("2.03", True)])
def test_a_difference_of_more_than_one_percent_is_a_conflict(other: str, conflict: bool) -> None:
    """0.02 of 2.00 is exactly 1 %; 0.03 is 1.5 %."""
    lines = [line("2.00", date(2026, 1, 1), AS_OF), line(other, date(2026, 1, 1), AS_OF, BROKER)]
    used = choose(lines, AS_OF, 30, comparable=figure).used
    assert used is not None
    assert bool(used.others) is conflict


def test_a_settlement_decides_until_a_newer_line_reopens_it() -> None:
    page, broker = line("2", date(2026, 1, 1), AS_OF), line("3", date(2026, 1, 1), AS_OF, BROKER)
    settled = Settlement(
        (("page", date(2026, 1, 1)), ("broker", date(2026, 1, 1))),
        "broker",
        "The page is old.",
        date(2026, 11, 1),
        HERE,
    )

    def used(lines: list[PriceLine], on: date) -> tuple[PriceLine, int]:
        found = choose(lines, on, 30, settled=[settled], comparable=figure).used
        assert found is not None
        return found.line, len(found.others)

    assert used([page, broker], AS_OF) == (broker, 0)
    assert used([page, broker], date(2026, 10, 31)) == (page, 1)
    newer = line("2.1", date(2026, 11, 15), AS_OF)
    assert used([page, broker, newer], AS_OF) == (newer, 1)


def rate(pair: str, value: str, start: date) -> CurrencyRate:
    base, quote = pair.split("/")
    return CurrencyRate(base, quote, Decimal(value), start, PAGE, start, HERE)


def test_a_rate_is_usable_both_ways_and_the_latest_start_counts() -> None:
    rates = [rate("USD/CNY", "7.2", date(2026, 1, 1)), rate("USD/CNY", "7.0", date(2026, 6, 1))]
    there, back = convert("USD", "CNY", AS_OF, rates), convert("CNY", "USD", AS_OF, rates)
    assert there is not None
    assert back is not None
    assert (there.apply(Decimal(10)), back.apply(Decimal(70))) == (Decimal(70), Decimal(10))
    older = convert("CNY", "USD", date(2026, 3, 1), rates)
    assert older is not None
    assert older.apply(Decimal(72)) == Decimal(10)


def test_no_rate_in_force_is_no_conversion() -> None:
    assert convert("CNY", "USD", date(2025, 12, 31), [rate("USD/CNY", "7.2", date(2026, 1, 1))]) is None
    assert convert("JPY", "USD", AS_OF, [rate("USD/CNY", "7.2", date(2026, 1, 1))]) is None


def test_two_rates_of_one_table_meet_in_their_common_currency() -> None:
    """1 EUR = 1.10 USD = 8.80 CNY, so 8.80 CNY are 1.10 USD."""
    rates = [rate("EUR/USD", "1.10", date(2026, 1, 1)), rate("EUR/CNY", "8.80", date(2026, 1, 1))]
    crossed = convert("CNY", "USD", AS_OF, rates)
    assert crossed is not None
    assert crossed.apply(Decimal("8.80")) == Decimal("1.10")
    assert crossed.rates == (rates[1], rates[0])
