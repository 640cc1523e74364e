"""Kinds of sentences whose reading went wrong once, each with other numbers, names, orders and languages."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from question_help import differences, read, read_thread, scorer
from question_rows import Row, _g, _q, cny, usd

MACHINES: list[Row] = [  # cards and machines said apart: the total is divided
    ("24张L40S分三台服务器,租一周多少钱", _q("price", gpus=[_g("L40S", 8)], nodes=3, hours=168)),
    ("H800 一共 32 卡,4 台,包月多少钱", _q("price", gpus=[_g("H800", 8)], nodes=4, plans=["monthly"])),
    ("哪家的A800最便宜?48卡,六台机器", _q("cheapest", gpus=[_g("A800", 8)], nodes=6)),
    ("4 nodes with 32 A100s in total, price", _q("price", gpus=[_g("A100", 8)], nodes=4)),
    ("12 T4s across three boxes, price?", _q("price", gpus=[_g("T4", 4)], nodes=3)),
    ("把8张A100放在两台机器上跑三天,多少钱", _q("price", gpus=[_g("A100", 4)], nodes=2, hours=72)),
    ("三台4卡V100多少钱", _q("price", gpus=[_g("V100", 4)], nodes=3)),  # a machine of four cards, three times
    ("2台机器,每台8张H100,多少钱", _q("price", gpus=[_g("H100", 8)], nodes=2)),
    ("2 nodes, 8 GPUs each, H100, cost", _q("price", gpus=[_g("H100", 8)], nodes=2)),
]
ROUTES: list[Row] = [  # from A to B: one way of the data, no alternatives
    (
        "cost of moving 800GB out of OCI to AWS",
        _q("price", providers=["oci", "aws"], data_gb=800, data_direction="out"),
    ),
    (
        "what would 6TB from gcp to coreweave cost in egress",
        _q("price", providers=["gcp", "coreweave"], data_gb=6000, data_direction="out"),
    ),
    (
        "从腾讯云迁移3TB到阿里云的流量费多少",
        _q("price", providers=["tencent", "alibaba"], data_gb=3000, data_direction="out"),
    ),
    (
        "transfer 2TB from us-east-1 to eu-west-1 on AWS, price",
        _q("price", providers=["aws"], regions=["us-east-1", "eu-west-1"], data_gb=2000, data_direction="out"),
    ),
    (
        "download 2TB from Nebius or Lambda, which is cheaper?",
        _q("compare", providers=["nebius", "lambda"], data_gb=2000, data_direction="out"),
    ),
    ("compare AWS to GCP for A100", _q("compare", gpus=[_g("A100")], providers=["aws", "gcp"])),
    ("500GB cross-region transfer on AWS, price", _q("price", providers=["aws"], data_gb=500)),
]
TIMES: list[Row] = [
    ("A30 用仨月多少钱", _q("price", gpus=[_g("A30")], hours=2190)),  # 3 x 730
    # 7 hours a day for two weeks: 336 x 7 / 24 = 98
    (
        "4张T4每天差不多跑7个钟头,用俩礼拜,多少钱",
        _q("price", gpus=[_g("T4", 4)], hours=98, hours_per_day=7),
    ),
    # 6 hours a day for a month: 730 x 6 / 24 = 182.5
    ("L4一天最多用6小时,一个月多少钱", _q("price", gpus=[_g("L4")], hours=182.5, hours_per_day=6)),
    ("三月A100会降价吗", _q("explain", gpus=[_g("A100")])),  # March is no length
    (
        "3d rendering on two 4090s, price for 2 days",
        _q("price", gpus=[_g("RTX4090", 2)], hours=48, workloads=["rendering"]),
    ),
    ("A100 3d, price", _q("price", gpus=[_g("A100")], hours=72)),
]
EVERYDAY: list[Row] = [
    (
        "a bi-modal 13B model on an A10, does it fit?",
        _q("specs", gpus=[_g("A10")], model_params_b=13),
    ),
    ("price of an A100 together with a 2TB disk", _q("price", gpus=[_g("A100")], storage_gb=2000)),
    ("Together AI H100 price", _q("price", gpus=[_g("H100")], providers=["together"])),
    ("is Modal or Together cheaper for A100?", _q("compare", gpus=[_g("A100")], providers=["modal", "together"])),
    (
        "4xA100 for a week plus 2TB egress",
        _q("price", gpus=[_g("A100", 4)], hours=168, data_gb=2000, data_direction="out"),
    ),
]
MEMORY: list[Row] = [
    ("三百亿模型做推理要多大显存", _q("specs", workloads=["inference"], model_params_b=30)),
    ("7B微调得多少显存", _q("specs", workloads=["fine_tuning"], model_params_b=7)),
    (
        "how much VRAM does a 34B need for inference on Azure?",
        _q("specs", workloads=["inference"], model_params_b=34, providers=["azure"]),
    ),
    ("跑70B要多少GB显存", _q("specs", model_params_b=70)),
    ("what's the TDP?", _q("specs", clarify=True)),
    ("how much power draw?", _q("specs", clarify=True)),
    ("how much bandwidth does the H100 have?", _q("specs", gpus=[_g("H100")])),
    ("what does memory bandwidth mean?", _q("explain")),
    ("is 48GB enough to fine-tune 13B?", _q("specs", min_memory_gb=48, workloads=["fine_tuning"], model_params_b=13)),
]
SUMS: list[Row] = [
    ("is 1,200 enough for 3 days of 4xL40S?", _q("budget", gpus=[_g("L40S", 4)], hours=72, budget={"amount": 1200})),
    ("两千够不够4张3090跑一周", _q("budget", gpus=[_g("RTX3090", 4)], hours=168, budget={"amount": 2000})),
    (
        "will six grand do for 8 H100s over a weekend?",
        _q("budget", gpus=[_g("H100", 8)], hours=48, budget={"amount": 6000}),
    ),
    ("8000能跑多久8张A100", _q("budget", gpus=[_g("A100", 8)], budget={"amount": 8000})),
    (
        "8 H100s at $25k each, when does it pay off vs renting?",  # 8 x 25000
        _q("break_even", gpus=[_g("H100", 8)], purchase_price=usd(200000)),
    ),
    ("best value card for stable diffusion", _q("recommend", sort="per_tflop")),
    ("two 48GB GPUs for a week", _q("price", gpu_count=2, min_memory_gb=48, hours=168)),
    ("2x80GB for 3 days", _q("price", gpu_count=2, min_memory_gb=80, hours=72)),
    ("how does spot compare to reserved for 8xA100?", _q("compare", gpus=[_g("A100", 8)], plans=["spot", "reserved"])),
    ("are 4 A100s enough for 70B?", _q("specs", gpus=[_g("A100", 4)], model_params_b=70)),
    ("3090 enough for 13B?", _q("specs", gpus=[_g("RTX3090")], model_params_b=13)),
    (
        "Lambda报价每小时20美元4张H100",
        _q("price", gpus=[_g("H100", 4)], providers=["lambda"], quoted=usd(20, per="hour")),
    ),
    ("他们收我们每小时12元2张4090", _q("price", gpus=[_g("RTX4090", 2)], quoted=cny(12, per="hour"))),
    ("$2.10/hr for a 4090, fair?", _q("price", gpus=[_g("RTX4090")], quoted=usd(2.1, per="hour"))),
]
CORRECTIONS: list[Row] = [
    ("H100 for a day, sorry, wait, I mean two days, price", _q("price", gpus=[_g("H100")], hours=48)),
    ("4张A100,不对,说错了,是8张V100,多少钱", _q("price", gpus=[_g("V100", 8)])),
    ("A100 80G,啊不,不对,40G,多少钱", _q("price", gpus=[_g("A100", None, 40)])),
    ("4 A100s, no, 8 V100s, price", _q("price", gpus=[_g("V100", 8)])),
    ("price of 2 T4s on AWS, no, GCP", _q("price", gpus=[_g("T4", 2)], providers=["gcp"])),
]
DIGESTS: list[Row] = [
    ("周报以后不要再带 A30 了", _q("digest", action="subscribe", exclude_gpus=["A30"])),
    ("把 P40 和 K80 从周报里去掉", _q("digest", action="subscribe", exclude_gpus=["P40", "K80"])),
    ("no more K80 in the weekly digest please", _q("digest", action="subscribe", exclude_gpus=["K80"])),
    ("take the P100 out of the digest", _q("digest", action="subscribe", exclude_gpus=["P100"])),
    ("digest不用推了", _q("digest", action="unsubscribe")),
    ("周报别再推了", _q("digest", action="unsubscribe")),
    ("你们数据几天更新一次?", _q("help")),
    ("bot 的 prices 多久 refresh 一次", _q("help")),
    ("how often do prices get refreshed?", _q("help")),
]
COMMITMENTS: list[Row] = [
    (
        "should we commit for a year on 8xA100 at AWS?",
        _q("break_even", gpus=[_g("A100", 8)], providers=["aws"], plans=["reserved_1y"]),
    ),
    ("要不要包年8张A100", _q("break_even", gpus=[_g("A100", 8)], plans=["reserved_1y"])),
    ("on-demand or monthly for 2xL4?", _q("compare", gpus=[_g("L4", 2)], plans=["on_demand", "monthly"])),
    (
        "4xA100 on-demand vs spot monthly cost",
        _q("compare", gpus=[_g("A100", 4)], plans=["on_demand", "spot"], hours=730),
    ),
]
EXPLAINED: list[Row] = [
    ("what is an MI300X?", _q("explain", gpus=[_g("MI300X")])),
    ("what is A100 price", _q("price", gpus=[_g("A100")])),
    ("什么是竞价实例", _q("explain", plans=["spot"])),
    ("how do I avoid vendor lock in?", _q("explain")),
    ("租之前要确认哪些", _q("explain")),
    ("moving from AWS to RunPod", _q("explain", providers=["aws", "runpod"])),
    ("挑个平台吧", _q("recommend", clarify=True)),
    ("what should I check in code review?", _q("unsupported")),
    ("what is the trend in fashion", _q("unsupported")),
    ("is it true that Bob left?", _q("unsupported")),
]
ROWS = [
    row
    for rows in (MACHINES, ROUTES, TIMES, EVERYDAY, MEMORY, SUMS, CORRECTIONS, DIGESTS, COMMITMENTS, EXPLAINED)
    for row in rows
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[text for text, _ in ROWS])
def test_a_sentence_of_a_kind_is_read_by_its_rule(text: str, expected: dict[str, Any]) -> None:
    expected = {**expected, "lang": scorer().language(text)}
    assert scorer().problems(expected) == [], "the row itself must be a question that the scorer accepts"
    assert differences(expected, read(text)) == []


@pytest.mark.parametrize(("nodes", "each"), list(itertools.product((2, 3, 5, 8), (2, 4, 8))))
@pytest.mark.parametrize(
    "text", ["{n}卡{m},{k}台机器,多少钱", "{m} {n}张,一共{k}台服务器,多少钱", "{n} {m}s on {k} servers, price"]
)
def test_a_total_is_divided_over_any_number_of_machines(text: str, nodes: int, each: int) -> None:
    asked = text.format(n=nodes * each, m="H20", k=nodes)
    expected = _q("price", gpus=[_g("H20", each)], nodes=nodes) | {"lang": scorer().language(asked)}
    assert differences(expected, read(asked)) == []


@pytest.mark.parametrize(("there", "here"), [("aws", "gcp"), ("azure", "lambda"), ("oci", "nebius")])
@pytest.mark.parametrize(
    "text", ["move 5TB from {a} to {b}, cost?", "{a} to {b} 5TB transfer price", "把5TB从{a}搬到{b}多少钱"]
)
def test_a_way_from_one_provider_to_another_is_a_price(text: str, there: str, here: str) -> None:
    asked = text.format(a=there, b=here)
    expected = _q("price", providers=[there, here], data_gb=5000, data_direction="out")
    assert differences(expected | {"lang": scorer().language(asked)}, read(asked)) == []


THREADS: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (
        ("price of an A10", "bench this", "now run it on gpubox-12"),
        _q("benchmark", action="run", gpus=[_g("A10")], host="gpubox-12"),
    ),
    (
        ("benchmark results for H100", "跑一下 t4-rig-2"),  # nothing inside the name is read
        _q("benchmark", action="run", gpus=[_g("H100")], host="t4-rig-2"),
    ),
    (
        ("cheapest 4xA100 for a week", "correction, we pay $4.60/hr"),
        _q("cheapest", gpus=[_g("A100", 4)], hours=168, quoted=usd(4.6, per="hour")),
    ),
    (
        ("cheapest 4xA100 for a week", "we pay $4.60/hr, is that good?"),
        _q("price", gpus=[_g("A100", 4)], hours=168, quoted=usd(4.6, per="hour")),
    ),
    (
        ("recommend a GPU for 70B inference", "we pay $3k a month", "EU only"),
        _q("recommend", workloads=["inference"], model_params_b=70, quoted=usd(3000, per="month"), regions=["eu"]),
    ),
    (("70B推理要多少显存", "int8呢"), _q("specs", workloads=["inference"], model_params_b=70, dtype="int8")),
    (("每周发价格周报到这个频道", "不用再推了"), _q("digest", action="unsubscribe")),
    (("价格周报", "以后别带P100"), _q("digest", action="subscribe", exclude_gpus=["P100"])),
    (
        ("不要AWS,4张A100最便宜", "也不要 Colab", "大概用 20 小时"),
        _q("cheapest", gpus=[_g("A100", 4)], exclude_providers=["aws", "colab"], hours=20),
    ),
    (("cheapest H100 for a week", "make it 16 on 2 nodes"), _q("cheapest", gpus=[_g("H100", 8)], nodes=2, hours=168)),
    (("A100 一周多少钱", "加上 H100", "哪个便宜"), _q("compare", gpus=[_g("A100"), _g("H100")], hours=168)),
    (
        ("when does reserving 8xH100 for a year pay off?", "3 years instead"),
        _q("break_even", gpus=[_g("H100", 8)], plans=["reserved_3y"]),
    ),
    (("预算3000块能租几天4090", "5000呢"), _q("budget", gpus=[_g("RTX4090")], budget=cny(5000))),
    (("A100多少钱,除了aws", "vast也不要"), _q("price", gpus=[_g("A100")], exclude_providers=["aws", "vast"])),
]


@pytest.mark.parametrize(("texts", "expected"), THREADS, ids=[" / ".join(texts) for texts, _ in THREADS])
def test_a_fragment_that_states_a_slot_asks_nothing_new(texts: tuple[str, ...], expected: dict[str, Any]) -> None:
    assert differences(expected | {"lang": scorer().language(texts[-1])}, read_thread(*texts)) == []


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("4張A100跑72小時哪家最便宜", "4张A100跑72小时哪家最便宜"),
        ("兩臺8卡H100，週末用，搶占式也行，多少錢", "两台8卡H100，周末用，抢占式也行，多少钱"),
        ("預算2萬塊，H20能租幾天", "预算2万块，H20能租几天"),
        ("騰訊雲和華為雲的V100哪個便宜", "腾讯云和华为云的V100哪个便宜"),
        ("訓練70億參數的模型，不要競價實例", "训练70亿参数的模型，不要竞价实例"),
    ],
)
def test_traditional_characters_are_read_as_simplified_ones(traditional: str, simplified: str) -> None:
    assert read(traditional) == read(simplified)
