"""Every fault that price lists are known for is rejected or marked, counted, and shown with an example."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bot import cli_prices
from bot.catalog import load
from bot.feeds import gpuhunt, karpenter, skypilot, table, vast
from bot.feeds.checks import Row, observations
from bot.feeds.intake import FeedError, Origin
from bot.feeds.names import Names
from bot.feeds.offers import is_ranked
from bot.feeds.report import EFFECTS, Reading, Report
from bot.render.prices import SENTENCES
from bot.store.observed import Observation, Seen

ROOT = Path(__file__).parent.parent
FEEDS = ROOT / "tests" / "feeds"
SEEN = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture(scope="module")
def names() -> Names:
    return Names(load()[0])


def read(module: Any, file: str, names: Names, stem: str = "", provider: str | None = None) -> list[Reading]:
    data = (FEEDS / file).read_bytes()
    found: list[Reading] = module.read(data, Origin(file, stem or file.partition(".")[0], SEEN, provider), names)
    return found


@pytest.fixture(scope="module")
def cloud(names: Names) -> Reading:
    (reading,) = read(skypilot, "skypilot-cloud.csv", names, "somecloud")
    return reading


def of(reading: Reading, sku: str, plan: str = "on_demand") -> list[Observation]:
    return [one for one in reading.observations if one.facts["sku"] == sku and one.facts["plan"] == plan]


def row(**values: Any) -> Row:
    given: dict[str, Any] = {"line": 1, "provider": "somecloud", "sku": "one", "name": "A100-80GB", "count": Decimal(1)}
    return Row(**{**given, "plan": "on_demand", "amount": Decimal(2), "region": "us-east-1", **values})


def checked(rows: list[Row], names: Names) -> tuple[list[Observation], Report]:
    report = Report()
    return observations(rows, names, report), report


# ---------------------------------------------------------------- one row


def test_spot_that_equals_on_demand_or_is_zero_stands_for_none(cloud: Reading) -> None:
    assert cloud.report.count("spot-equals-on-demand") == 1  # one-a100 in us-west-2, 2.10 both
    assert cloud.report.count("spot-zero") == 1  # two-a100
    assert [one.facts["region"] for one in of(cloud, "one-a100", "spot")] == ["us-east-1"]
    assert of(cloud, "two-a100", "spot") == []


def test_spot_above_on_demand_is_rejected(cloud: Reading) -> None:
    assert cloud.report.count("spot-above-on-demand") == 1  # eight-a100: 18.00 against 16.00
    assert of(cloud, "eight-a100", "spot") == []


def test_of_several_zones_the_cheapest_stands_for_the_region(cloud: Reading) -> None:
    (spot,) = of(cloud, "one-a100", "spot")
    assert spot.amount == Decimal("0.70")
    assert cloud.report.count("zones") == 1


def test_a_price_of_zero_is_rejected_and_an_empty_one_says_not_on_demand(cloud: Reading) -> None:
    assert cloud.report.count("zero-price") == 1  # free-t4
    assert of(cloud, "free-t4") == []
    (none,) = of(cloud, "reserved-h200")
    assert none.facts["not_sold"] is True
    assert of(cloud, "reserved-h200", "spot")[0].amount == Decimal(20)


def test_several_names_are_one_product_and_one_name_may_be_several(cloud: Reading) -> None:
    named = {one.facts["sku"]: one for one in cloud.observations if one.gpu == "A100"}
    assert {sku: one.facts.get("memory_gb") for sku, one in named.items()} == {
        "one-a100": "80",
        "two-a100": "80",  # A100-80GB-160GB: the second figure is the machine's
        "four-a100": "80",
        "eight-a100": None,  # a bare A100 is neither 40 nor 80 GB
    }
    assert named["four-a100"].facts["form"] == "SXM"
    assert cloud.report.count("memory-unstated") == 1 + 1  # on demand and spot of eight-a100


def test_memory_comes_from_our_own_table(cloud: Reading) -> None:
    (squared,) = of(cloud, "odd-h100")  # 4 × 4 × 80 GB: the count twice over
    assert squared.facts["memory_gb"] == "80"
    (wrong_unit,) = of(cloud, "tiny-l4")  # GB taken for MB
    assert wrong_unit.facts["memory_gb"] == "24"
    assert wrong_unit.facts["gpus"] == "1"
    assert cloud.report.count("memory-wrong") == 2


def test_a_slice_is_a_fraction_and_never_a_gpu(cloud: Reading) -> None:
    (part,) = of(cloud, "slice-a10")  # 4 of 24 GB: a sixth
    assert part.facts["gpus"] == "0.166667"
    for sku, name, share in (
        ("g4-standard-6", "RTXPRO6000", "0.125"),
        ("Standard_NV6ads_A10_v5", "A10", "0.166667"),
        ("g6f.large", "L4", "0.125"),
    ):
        assert Names.slice_share(sku) == (True, Decimal(share)), name
    assert Names.slice_share("ecs.vgn6i-m4.xlarge") == (True, None)
    assert Names.slice_share("g6.xlarge") == (False, None)


def test_a_slice_whose_share_nobody_states_is_left_out(names: Names) -> None:
    kept, report = checked([row(sku="ecs.sgn7i-vws-m2.xlarge", name="A10", provider="alibaba")], names)
    assert kept == []
    assert report.count("slice") == 1


def test_unknown_gpus_are_kept_listed_and_not_ranked(cloud: Reading) -> None:
    assert cloud.report.unknown == {"Zeta9000": 1, "RTX3060 8 GB": 1}  # a 3060 with 8 GB is another card
    (kept,) = of(cloud, "mystery")
    assert not is_ranked(Seen("s", kept, SEEN, SEEN))


def test_a_gpu_without_its_host_or_a_host_without_its_gpu_is_no_price(cloud: Reading, names: Names) -> None:
    assert cloud.report.count("host-apart") == 1  # the row without an instance type
    kept, report = checked([row(provider="gcp", sku="n1-standard-8", name="T4", amount=Decimal("0.38"))], names)
    assert kept == []
    assert report.count("host-apart") == 1


def test_one_thing_at_two_prices_has_none(cloud: Reading) -> None:
    assert cloud.report.count("listed-twice") == 2
    assert of(cloud, "twice-v100") == []


def test_on_a_marketplace_two_prices_are_two_sellers(names: Names) -> None:
    rows = [row(provider="vast", amount=Decimal(amount)) for amount in ("1.20", "0.90")]
    kept, report = checked(rows, names)
    assert [one.amount for one in kept] == [Decimal("0.90")]
    assert report.count("listed-twice") == 0


def test_numbers_that_cannot_be_read_are_counted(cloud: Reading) -> None:
    assert cloud.report.count("unreadable") == 1
    assert cloud.report.checks["unreadable"].examples == ["19: 1.2.3"]
    assert cloud.report.count("no-gpu") == 1
    assert cloud.report.rows == 18


@pytest.mark.parametrize("text", ["-1", "NaN", "Infinity", "1e30", "1,5", "free"])
def test_no_number_is_negative_endless_or_a_word(text: str) -> None:
    from bot.feeds.checks import number

    with pytest.raises(ValueError):
        number(text)


# ---------------------------------------------------------------- many rows


def test_more_gpus_for_no_more_money_are_marked_and_never_ranked(cloud: Reading, names: Names) -> None:
    (four,) = of(cloud, "four-a100")  # 4 × A100 at 4.00 with its form stated stands apart from 2 × without one
    assert "marks" not in four.facts
    rows = [row(sku=f"x{n}", count=Decimal(n), amount=Decimal(price)) for n, price in ((1, 2), (2, 4), (4, 4), (8, 16))]
    kept, report = checked(rows, names)
    marked = [one for one in kept if "does-not-add-up" in one.facts.get("marks", [])]
    assert [one.facts["sku"] for one in marked] == ["x4"]
    assert not is_ranked(Seen("s", marked[0], SEEN, SEEN))
    assert report.count("does-not-add-up") == 1


def test_every_type_in_every_region_is_one_row_a_type_that_says_nothing_of_stock(names: Names) -> None:
    regions = ("us-east-1", "us-east-2", "us-west-1", "us-west-2", "eu-west-1")
    rows = [
        row(sku=f"x{n}", count=Decimal(n), amount=Decimal(2 * n), region=region)
        for n in (1, 2, 4)
        for region in regions
    ]
    kept, report = checked(rows, names)
    assert [(one.facts["sku"], one.facts["regions"]) for one in kept] == [
        (sku, sorted(regions)) for sku in ("x1", "x2", "x4")
    ]
    assert report.checks["everywhere"].examples == ["somecloud 3 × 5 on_demand"]
    assert report.count("everywhere") == 15
    one_missing, report = checked(rows[:-1], names)
    assert len(one_missing) == 14
    assert report.count("everywhere") == 0


def test_a_shape_that_our_own_files_know_otherwise_is_rejected(names: Names) -> None:
    """A p4d.24xlarge has eight A100 of 40 GB whatever a list says."""
    kept, report = checked(
        [
            row(provider="aws", sku="p4d.24xlarge", name="A100", count=Decimal(12)),
            row(provider="aws", sku="p4d.24xlarge", name="A100", count=Decimal(8)),
        ],
        names,
    )
    assert [(one.facts["gpus"], one.facts["memory_gb"], one.facts["form"]) for one in kept] == [("8", "40", "SXM")]
    assert report.count("shape-differs") == 1


def test_a_list_with_one_and_eight_gpus_only_is_said_to_have_gaps(names: Names) -> None:
    rows = [row(sku="x1"), row(sku="x8", count=Decimal(8), amount=Decimal(16))]
    _, report = checked(rows, names)
    assert report.checks["shapes-missing"].examples == ["somecloud A100 1 8"]


def test_every_check_has_its_sentence_and_every_sentence_its_check() -> None:
    assert {key.removeprefix("check.") for key in SENTENCES if key.startswith("check.")} == set(EFFECTS)


# ---------------------------------------------------------------- the other formats


def test_gpuhunt_has_a_row_for_each_way_of_buying(names: Names) -> None:
    (reading,) = read(gpuhunt, "gpuhunt-runpod.csv", names, "runpod")
    assert reading.source == "gpuhunt/runpod"
    found = {(one.gpu, one.facts["plan"]): one for one in reading.observations}
    assert set(found) == {("H100", "on_demand"), ("H100", "spot"), ("L4", "on_demand")}
    assert found["H100", "spot"].amount == Decimal("1.65")
    assert found["H100", "spot"].facts["region"] == "us-ks-2"
    assert reading.report.count("spot-above-on-demand") == 1  # L4: 0.50 against 0.43
    assert reading.report.count("no-gpu") == 1


def test_a_published_version_begins_with_its_day() -> None:
    assert gpuhunt.day_of("20261128-3") == datetime(2026, 11, 28, tzinfo=UTC)
    assert gpuhunt.day_of("20261328-3") is None
    assert gpuhunt.day_of("latest") is None


def test_karpenter_tables_are_dated_by_their_rows(names: Names) -> None:
    data = (FEEDS / "aws-before-june-2025.csv").read_bytes()
    (reading,) = karpenter.read(data, Origin("aws.csv", "aws"), names)
    assert reading.seen == datetime(2025, 5, 30, tzinfo=UTC)
    assert {one.facts["sku"]: one.amount for one in reading.observations}["p5.48xlarge"] == Decimal("98.32")


def test_days_as_columns_are_one_reading_a_day(names: Names) -> None:
    readings = read(table, "vast-three-days.csv", names)
    assert [one.seen.date().isoformat() for one in readings if one.seen] == ["2026-10-01", "2026-10-02", "2026-10-03"]
    assert {one.provider for one in readings[0].observations} == {"vast"}
    assert next(one.amount for one in readings[1].observations) == Decimal("3.6327")


def test_any_other_list_names_its_columns(names: Names) -> None:
    data = (FEEDS / "quotes.csv").read_bytes()
    (reading,) = table.read(data, Origin("quotes.csv", "quotes"), names)
    assert reading.seen == datetime(2026, 11, 20, tzinfo=UTC)  # the newest row
    by_sku = {str(one.facts["sku"]): one for one in reading.observations}
    assert (by_sku["ng-4"].amount, by_sku["ng-4"].unit) == (Decimal("1.10"), "gpu-hour")
    assert by_sku["ng-8"].facts["seen"].startswith("2026-11-01")  # its own, older day
    assert by_sku["ng-l4"].facts["marks"] == ["undated"]  # a row without a day is never ranked
    assert by_sku["ng-4"].facts["kind"] == "reseller"
    assert reading.report.count("undated") == 1


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        ("lambda,H100,abc,,,,,", "2: rate = abc"),
        ("lambda,H100,2.5,per-fortnight,,,,", "2: per = per-fortnight"),
        ("lambda,H100,2.5,,,,29.11.2026,", "2: date = 29.11.2026"),
        ("lambda,H100,2.5,,eight,,,", "2: count = eight"),
        ("lambda,H100,2.5,,,lease,,", "2: plan = lease"),
        ("lambda,,2.5,,,,,", "2: model = -"),
        (",H100,2.5,,,,,", "2: cloud = -"),
        ("lambda,H100,2.5,,,,,a lot", "2: memory_gb = a lot"),
    ],
)
def test_a_rejected_row_is_named_with_the_column_as_the_list_calls_it(cells: str, what: str, names: Names) -> None:
    """Whoever keeps the list finds the cell: its line, its column, what stands there."""
    data = f"cloud,model,rate,per,count,plan,date,memory_gb\n{cells}\nlambda,H100,2.5,,,,,\n".encode()
    (reading,) = table.read(data, Origin("quotes.csv", "quotes"), names)
    assert reading.report.checks["unreadable"].examples == [what]


def test_a_provider_that_the_knowledge_lacks_is_named_and_kept(names: Names) -> None:
    """Its price counts; whoever imports learns that the name is no provider of ours."""
    data = b"provider,gpu,price\nNorth Drift,H100,2.5\nlambda,H100,2.6\n"
    (reading,) = table.read(data, Origin("quotes.csv", "quotes", SEEN), names)
    assert reading.report.checks["unknown-provider"].examples == ["north-drift"]
    assert [one.provider for one in reading.observations] == ["north-drift", "lambda"]


def test_every_column_is_documented_where_people_look() -> None:
    """The help text and docs/prices.md name each column and each of its other names."""
    documented = (ROOT / "docs" / "prices.md").read_text("utf-8").casefold()
    for text in (documented, cli_prices.CSV_COLUMNS.casefold()):
        words = set(re.findall(r"\w+", text))
        assert set(table.BY_NAME) | set(table.BY_NAME.values()) <= words


def test_the_search_of_vast_counts_verified_hosts_and_the_cheapest_of_a_size(names: Names) -> None:
    (reading,) = vast.read((FEEDS / "vast-search.json").read_bytes(), Origin("vast", "search", SEEN), names)
    found = {(str(one.facts["sku"]), one.facts["plan"]): one for one in reading.observations}
    one = found["1x RTX 4090", "on_demand"]
    assert (one.amount, one.facts["region"], one.facts["memory_gb"]) == (Decimal("0.3344"), "se", "24")
    assert found["1x RTX 4090", "spot"].amount == Decimal("0.2")
    assert found["2x RTX 4090", "on_demand"].facts["memory_gb"] == "48"  # of each: cards with twice the memory


@pytest.mark.parametrize("data", [b"[]", b'{"offers": 3}', b"nonsense", b'{"a":' * 3000])
def test_an_answer_that_is_no_list_of_offers_is_refused(data: bytes, names: Names) -> None:
    with pytest.raises(FeedError) as caught:
        vast.read(data, Origin("vast", "search", SEEN), names)
    assert caught.value.key == "feed.not_json"


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("name", "memory", "model", "size", "form"),
    [
        ("A100-80G-PCIe", None, "A100", "80", "PCIe"),
        ("A100-80 SXM", None, "A100", "80", "SXM"),
        ("NVIDIA A100-SXM4-40GB", None, "A100", "40", "SXM"),
        ("H100 NVL", None, "H100", "94", "NVL"),
        ("RTX4090-48GB", None, "RTX4090", "48", None),
        ("RTXA6000", None, "A6000", "48", "PCIe"),
        ("RTX6000-Ada", None, "RTX6000Ada", "48", "PCIe"),
        ("RTX PRO 6000 WS", None, "RTXPRO6000", "96", "PCIe"),
        ("H200", "140.4", "H200", "141", None),
        ("A10G", "22", "A10G", "24", "PCIe"),
        ("B200", "192", "B200", "180", "SXM"),
        ("V100", "32", "V100", "32", None),
        ("GH200-480GB", None, "GH200", None, None),
    ],
)
def test_other_peoples_names_are_read(
    names: Names, name: str, memory: str | None, model: str, size: str | None, form: str | None
) -> None:
    card = names.card(name, None if memory is None else Decimal(memory), Decimal(1))
    assert card.known
    assert (card.model, None if card.memory_gb is None else f"{card.memory_gb:f}", card.form) == (model, size, form)


@pytest.mark.parametrize("name", ["RTX6000", "T4g", "3060 Ti", "Radeon-Pro-V520", "P4"])
def test_a_name_near_one_of_ours_is_not_taken_for_it(names: Names, name: str) -> None:
    assert not names.card(name, None, Decimal(1)).known


def test_places_are_codes_zones_or_countries(names: Names) -> None:
    assert names.region("vast", "Texas, US") == ("us", True)
    assert names.region("runpod", "IN", "AP-IN-1") == ("ap-in-1", True)
    assert names.region("gcp", "us-central1-a") == ("us-central1", True)
    assert names.region("alibaba", "eu-west-1") == ("alibaba:eu-west-1", False)  # London, where AWS has Ireland
    assert names.region("vast", "Atlantis") == ("atlantis", False)
