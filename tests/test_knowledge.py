"""The packaged knowledge reads without a mistake and holds what is known to be true where others are often wrong.

Expected values are written by hand from the public pages that the files name; none is copied from an output.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from rules.load import read_folder
from rules.model import Catalog, GpuVariant, Offer, PriceLine, Problem
from rules.prices import convert, offer_price

ROOT = Path(__file__).parents[1] / "knowledge"
DAY = date(2026, 11, 30)
MODELS = (
    "A100 A800 H100 H800 H200 H20 GH200 B200 B300 GB200 V100 P100 P40 K80 T4 L4 L20 L40 L40S A10 A10G A16 A30 A40 "
    "A2000 A4000 A5000 A6000 RTX2080Ti RTX3060 RTX3080 RTX3090 RTX4080 RTX4090 RTX5080 RTX5090 RTX4000Ada RTX5000Ada "
    "RTX6000Ada RTXPRO6000 MI210 MI250 MI300X MI325X MI355X Gaudi2 Gaudi3 TPU TPUv2 TPUv3 TPUv4 TPUv5e TPUv5p TPUv6e "
    "Trainium Trainium2 Inferentia2 Ascend Ascend910B Ascend910C"
).split()


@pytest.fixture(scope="module")
def read() -> tuple[Catalog, tuple[Problem, ...]]:
    return read_folder(ROOT)


@pytest.fixture(scope="module")
def known(read: tuple[Catalog, tuple[Problem, ...]]) -> Catalog:
    return read[0]


def lines_of(catalog: Catalog) -> list[PriceLine]:
    """Every price line of the folder: offers, transfer, storage, fees."""
    found = [line for offer in catalog.offers for line in offer.prices]
    for provider in catalog.providers.values():
        found += [*provider.transfer_out, *provider.transfer_in, *provider.storage, *provider.fees]
    return found


def amounts(offer: Offer) -> set[Decimal]:
    return {line.rate.amount for line in offer.prices if line.rate}


def shape(offer: Offer) -> tuple[int, int]:
    """GPUs of the machine and memory of each."""
    return int(offer.gpus), int(offer.memory_gb or 0)


def usd_per_gpu(catalog: Catalog, name: str) -> Decimal:
    """The dollar price per GPU-hour that counts for an offer on the day, whichever way its source says it."""
    offer = catalog.by_id[name]
    used = offer_price(offer, catalog.providers[offer.provider], DAY, catalog.currencies, None).used
    assert used is not None
    assert used.line.rate is not None
    rate = used.line.rate
    return rate.amount / offer.gpus if rate.unit.startswith("machine") else rate.amount


def refusal(catalog: Catalog, name: str) -> str | None:
    offer = catalog.by_id[name]
    return offer_price(offer, catalog.providers[offer.provider], DAY, catalog.currencies, None).refusal


def variant(catalog: Catalog, model: str, memory: int, form: str | None = None) -> GpuVariant:
    found = [v for v in catalog.gpus[model].variants if v.memory_gb == memory and v.form == form]
    assert found, f"{model} {memory} GB {form}"
    return found[0]


# ---------------------------------------------------------------- the folder as a whole


def test_the_packaged_folder_reads_without_a_problem(read: tuple[Catalog, tuple[Problem, ...]]) -> None:
    assert [str(problem) for problem in read[1]] == []


def test_every_model_a_question_can_name_is_known(known: Catalog) -> None:
    assert [model for model in MODELS if model not in known.gpus] == []


def test_a_suffix_that_is_no_card_of_the_table_has_no_entry(known: Catalog) -> None:
    assert not {"RTX4090D", "A1000", "H100Z", "Z999"} & set(known.gpus)


def test_every_price_has_a_named_source_and_a_day_that_has_passed(known: Catalog) -> None:
    lines = lines_of(known)
    assert len(lines) > 1000
    for line in lines:
        assert line.source.title, line.place
        assert date(2024, 1, 1) <= line.seen <= DAY, line.place
        assert line.checked is None or line.seen <= line.checked <= DAY, line.place


def test_an_offer_is_named_after_its_provider(known: Catalog) -> None:
    assert [offer.id for offer in known.offers if not offer.id.startswith(f"{offer.provider}-")] == []


def test_the_providers_that_a_team_asks_about_are_there_with_both_names(known: Catalog) -> None:
    asked = (
        "aws azure gcp oci alibaba tencent huawei lambda coreweave vast runpod paperspace nebius crusoe colab autodl"
    )
    for name in asked.split():
        assert known.providers[name].name.en
        assert known.providers[name].name.zh


def test_providers_are_classed_by_how_their_price_forms(known: Catalog) -> None:
    kinds = {name: provider.kind for name, provider in known.providers.items()}
    assert {kinds[x] for x in ("aws", "azure", "gcp", "alibaba", "tencent", "huawei")} == {"hyperscaler"}
    assert {kinds[x] for x in ("lambda", "coreweave", "paperspace")} == {"specialist"}
    assert (kinds["vast"], kinds["colab"]) == ("marketplace", "notebook")


# ---------------------------------------------------------------- cards


@pytest.mark.parametrize(
    ("model", "memory", "form", "dtype", "peak"),
    [
        ("V100", 16, "SXM", "fp16", "125"),
        ("A100", 80, "SXM", "fp16", "312"),
        ("H100", 80, "SXM", "fp16", "989.5"),
        ("H100", 80, "PCIe", "fp16", "756"),
        ("H200", 141, "SXM", "bf16", "989.5"),
        ("TPUv4", 32, None, "bf16", "275"),
        ("TPUv4", 32, None, "int8", "275"),
        ("MI300X", 192, None, "bf16", "1307.4"),
    ],
)
def test_peaks_are_the_dense_ones(
    known: Catalog, model: str, memory: int, form: str | None, dtype: str, peak: str
) -> None:
    assert variant(known, model, memory, form).peaks[dtype] == Decimal(peak)


def test_what_no_source_states_is_unknown_and_not_zero(known: Catalog) -> None:
    assert variant(known, "V100", 16, "SXM").peaks["bf16"] is None
    assert variant(known, "A100", 40, "SXM").peaks["fp8"] is None
    assert all(v.memory_gb is None and not v.peaks for v in known.gpus["TPU"].variants)


def test_a_gaudi_3_has_128_gb_and_no_nvidia_card_has(known: Catalog) -> None:
    with_128 = {gpu.model for gpu in known.gpus.values() for v in gpu.variants if v.memory_gb == 128}
    assert with_128 == {"Gaudi3", "MI250", "Ascend910C"}


def test_a_healthy_card_is_expected_below_its_peak_where_readings_say_so(known: Catalog) -> None:
    assert variant(known, "H100", 80, "SXM").expect["bf16"] == Decimal("783.7")
    assert variant(known, "A100", 80, "SXM").expect["bf16"] == Decimal("264.5")


# ---------------------------------------------------------------- AWS


def test_p4d_is_a_machine_of_eight_40_gb_cards_with_efa(known: Catalog) -> None:
    p4d = known.by_id["aws-p4d-24xlarge"]
    assert (p4d.gpu, shape(p4d), p4d.sold_as) == ("A100", (8, 40), "machine")
    assert p4d.traits is not None
    assert p4d.traits.interconnect == ("nvlink", "efa")
    assert any("400 Gbps" in note.text.en and "400 Gbps" in note.text.zh for note in p4d.notes)


def test_p4d_holds_its_old_and_its_new_list_price_and_uses_the_new_one(known: Catalog) -> None:
    p4d = known.by_id["aws-p4d-24xlarge"]
    assert {Decimal("32.77"), Decimal("21.957642")} <= amounts(p4d)
    assert Decimal("3.26") not in amounts(p4d)
    choice = offer_price(p4d, known.providers["aws"], DAY, known.currencies, "us-east-1")
    assert choice.used is not None
    assert (choice.used.line.says, choice.used.age_days) == ("21.957642 USD/machine-hour", 21)  # seen on 9 November
    assert choice.used.others == ()


def test_p4d_reserved_for_a_year_is_below_on_demand_and_three_years_are_unknown(known: Catalog) -> None:
    year = offer_price(
        known.by_id["aws-p4d-24xlarge-1y"], known.providers["aws"], DAY, known.currencies, "us-east-1"
    ).used
    assert year is not None
    assert (year.line.says, year.age_days) == ("13.921094 USD/machine-hour", 96)  # looked at again on 26 August
    assert Decimal("13.921094") < Decimal("21.957642")
    assert known.by_id["aws-p4d-24xlarge-3y"].prices == ()


@pytest.mark.parametrize("name", ["aws-p3-2xlarge", "aws-p3-16xlarge", "azure-nc6s-v3", "azure-nc24s-v3"])
def test_v100_machines_that_ended_are_retired_although_a_price_file_lists_them(known: Catalog, name: str) -> None:
    assert refusal(known, name) == "retired"


def test_sagemaker_is_its_own_sku_without_a_price(known: Catalog) -> None:
    assert known.by_id["aws-ml-p4d-24xlarge"].prices == ()


def test_aws_charges_egress_after_100_gb_and_nothing_for_uploads(known: Catalog) -> None:
    out, into = known.providers["aws"].transfer_out[0], known.providers["aws"].transfer_in[0]
    assert (out.says, out.free_gb_month, into.says) == ("0.09 USD/gb", Decimal(100), "0 USD/gb")


# ---------------------------------------------------------------- Azure and Google


def test_nd_a100_v4_is_eight_a100_with_infiniband_and_nd_h100_v5_is_h100(known: Catalog) -> None:
    nd40, nd80 = known.by_id["azure-nd96asr-v4"], known.by_id["azure-nd96amsr-a100-v4"]
    assert (nd40.sku, nd40.gpu, shape(nd40)) == ("Standard_ND96asr_v4", "A100", (8, 40))
    assert (nd80.gpu, shape(nd80)) == ("A100", (8, 80))
    assert nd40.traits is not None
    assert nd40.traits.interconnect == ("nvlink", "infiniband")
    assert nd40.traits.windows is False
    assert known.by_id["azure-nd96isr-h100-v5"].gpu == "H100"


def test_azures_four_a100s_have_no_infiniband(known: Catalog) -> None:
    nc96 = known.by_id["azure-nc96ads-a100-v4"]
    assert (shape(nc96), nc96.form) == ((4, 80), "PCIe")
    assert nc96.traits is not None
    assert not nc96.traits.interconnect


def test_the_windows_price_of_azures_four_a100s_is_held_and_settled_away(known: Catalog) -> None:
    nc96 = known.by_id["azure-nc96ads-a100-v4"]
    assert {Decimal("14.692"), Decimal("19.108")} <= amounts(nc96)
    assert Decimal("19.108") - Decimal("14.692") == 96 * Decimal("0.046")  # the licence of 96 vCPUs
    choice = offer_price(nc96, known.providers["azure"], DAY, known.currencies, "eastus")
    assert choice.used is not None
    assert choice.used.line.says == "14.692 USD/machine-hour"


def test_a_sixth_of_an_a10_is_a_slice(known: Catalog) -> None:
    nv6 = known.by_id["azure-nv6ads-a10-v5"]
    assert nv6.gpus < 1
    assert nv6.memory_gb == 4


def test_google_sells_a_machine_of_sixteen(known: Catalog) -> None:
    assert known.by_id["gcp-a2-megagpu-16g"].gpus == 16


def test_small_a3_shapes_are_sold_as_spot_only(known: Catalog) -> None:
    assert refusal(known, "gcp-a3-highgpu-1g") == "no-price"
    assert known.by_id["gcp-a3-highgpu-1g-spot"].prices


def test_tpu_v4_costs_3_22_a_chip_and_needs_a_quota(known: Catalog) -> None:
    v4 = known.by_id["gcp-tpu-v4"]
    assert amounts(v4) == {Decimal("3.22")}
    assert v4.access is not None
    assert v4.access.how == "quota"


# ---------------------------------------------------------------- specialists and marketplaces


@pytest.mark.parametrize(
    ("name", "gpus", "memory", "per_machine"),
    [
        ("lambda-gpu-1x-a100", 1, 40, "1.99"),
        ("lambda-gpu-2x-a100", 2, 40, "3.98"),
        ("lambda-gpu-4x-a100", 4, 40, "7.96"),
        ("lambda-gpu-8x-a100", 8, 40, "15.92"),
        ("lambda-gpu-8x-a100-80gb-sxm4", 8, 80, "22.32"),
        ("lambda-gpu-8x-v100", 8, 16, "6.32"),
        ("coreweave-a100-80-x8", 8, 80, "21.60"),
        ("coreweave-a100-80-x8-spot", 8, 80, "9.65"),
        ("coreweave-h100-x8-spot", 8, 80, "19.71"),
    ],
)
def test_list_prices_of_whole_machines(known: Catalog, name: str, gpus: int, memory: int, per_machine: str) -> None:
    offer = known.by_id[name]
    assert shape(offer) == (gpus, memory)
    assert usd_per_gpu(known, name) * gpus == Decimal(per_machine)


def test_lambda_sells_on_demand_only_and_no_price_often_told_of_it_counts(known: Catalog) -> None:
    mine = [offer for offer in known.offers if offer.provider == "lambda"]
    sold = {offer.plan for offer in mine if refusal(known, offer.id) is None}
    assert sold == {"on_demand"}
    assert usd_per_gpu(known, "lambda-gpu-1x-a100") == Decimal("1.99")  # not the 3.50 beside it
    assert refusal(known, "lambda-a100-80-monthly") == "no-price"  # 2,500 a month
    assert refusal(known, "lambda-a100-reserved") == "no-price"  # 3.20 reserved


def test_spot_is_sold_by_these_and_runpods_is_not_entered(known: Catalog) -> None:
    with_spot = {offer.provider for offer in known.offers if offer.plan == "spot"}
    assert {"aws", "azure", "gcp", "coreweave", "vast", "tencent"} <= with_spot
    assert not {"lambda", "runpod", "autodl"} & with_spot


def test_egress_is_free_where_the_page_says_so_and_unknown_on_vast(known: Catalog) -> None:
    for name in ("lambda", "coreweave", "nebius", "hyperstack"):
        assert known.providers[name].transfer_out[0].says == "0 USD/gb"
    assert known.providers["vast"].transfer_out == ()


def test_billing_steps(known: Catalog) -> None:
    steps = {name: known.providers[name].billing for name in ("aws", "lambda", "vast", "runpod", "hyperstack")}
    assert {name: billing.step for name, billing in steps.items()} == {
        "aws": "second", "lambda": "minute", "vast": "second", "runpod": "second", "hyperstack": "minute",
    }  # fmt: skip
    assert round(steps["aws"].minimum_hours * 3600) == 60
    assert known.providers["verda"].billing.step is None  # two readings contradict each other


def test_paperspace_ranks_no_footnoted_price(known: Catalog) -> None:
    mine = [offer for offer in known.offers if offer.provider == "paperspace"]
    assert not any(Decimal("1.15") in amounts(offer) for offer in mine)  # what must be committed for it is not known
    assert refusal(known, "paperspace-a100-basic") == "no-price"  # 1.23
    assert known.by_id["paperspace-a100-monthly"].prices[0].says == "1994 USD/gpu-month"
    assert known.by_id["paperspace-h100"].regions == ("paperspace-ny2",)


def test_aws_lambda_is_no_name_of_lambda(known: Catalog) -> None:
    names = {alias.lower() for alias in known.providers["lambda"].aliases}
    assert "lambda labs" in names
    assert "aws lambda" not in names


# ---------------------------------------------------------------- China


@pytest.mark.parametrize(
    ("family", "gpu", "memory"),
    [
        ("gn7-", "A100", 40),
        ("gn7e-", "A100", 80),
        ("gn7i-", "A10", 24),
        ("gn6v-", "V100", 16),
        ("gn6e-", "V100", 32),
        ("gn6i-", "T4", 16),
    ],
)
def test_alibaba_families_hold_the_card_they_have(known: Catalog, family: str, gpu: str, memory: int) -> None:
    mine = [offer for offer in known.offers if offer.sku.startswith(f"ecs.{family}")]
    assert {(offer.gpu, offer.memory_gb) for offer in mine} == {(gpu, Decimal(memory))}


def test_alibabas_a100_40_comes_by_one_four_and_eight_without_a_price(known: Catalog) -> None:
    gn7 = [offer for offer in known.offers if offer.sku.startswith("ecs.gn7-")]
    assert {offer.gpus for offer in gn7} == {1, 4, 8}
    assert not any(offer.prices for offer in gn7)


def test_gn10xp_is_v100_and_gt4_is_a100_both_without_a_price(known: Catalog) -> None:
    for family, gpu, memory in (("GN10Xp", "V100", 32), ("GT4", "A100", 40)):
        mine = [offer for offer in known.offers if offer.sku.startswith(family)]
        assert {(offer.gpu, offer.memory_gb) for offer in mine} == {(gpu, Decimal(memory))}
        assert not any(offer.prices for offer in mine)


def test_huawei_has_no_price_to_rank(known: Catalog) -> None:
    assert not any(offer.prices for offer in known.offers if offer.provider == "huawei")


def test_the_newest_reading_of_autodls_4090_counts(known: Catalog) -> None:
    offer = known.by_id["autodl-rtx4090"]
    used = offer_price(offer, known.providers["autodl"], DAY, known.currencies).used
    assert used is not None
    assert (used.line.says, used.others) == ("1.98 CNY/gpu-hour", ())


# ---------------------------------------------------------------- places and money


@pytest.mark.parametrize(
    ("code", "country", "area"),
    [
        ("us-east-1", "us", "us"),
        ("europe-west2", "uk", "uk"),
        ("uksouth", "uk", "uk"),
        ("cn-hangzhou", "cn", "cn"),
        ("cn-hongkong", "hk", "apac"),
        ("eastasia", "hk", "apac"),
        ("fin-03", "fi", "eu"),
        ("ca-central-1", "ca", "ca"),
        ("ap-southeast-3", "id", "apac"),
    ],
)
def test_a_region_code_lies_where_it_lies(known: Catalog, code: str, country: str, area: str) -> None:
    region = known.regions[code]
    assert (region.country, region.area) == (country, area)


def test_chinese_clouds_name_no_region_that_is_another_place_at_aws(known: Catalog) -> None:
    ambiguous = {"ap-southeast-3", "ap-southeast-5", "eu-west-1", "me-central-1"}
    assert not any(ambiguous & set(x.regions) for x in known.offers if x.provider in ("alibaba", "huawei"))


def test_yuan_become_dollars_over_the_euro_of_the_central_bank(known: Catalog) -> None:
    # On 2026-10-30 one euro was 7.4326 CNY and 1.1172 USD, so 7.4326 CNY are 1.1172 USD.
    conversion = convert("CNY", "USD", DAY, known.currencies)
    assert conversion is not None
    assert round(conversion.apply(Decimal("7.4326")), 10) == Decimal("1.1172")
    assert [rate.start for rate in conversion.rates] == [date(2026, 10, 30)] * 2
