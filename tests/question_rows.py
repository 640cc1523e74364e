"""Questions with what they state, worked out by hand, one kind of thing after another.

A row is (text, the object without ``lang``); ``lang`` follows from the characters. Sums stand beside the numbers.
"""

from __future__ import annotations

from typing import Any

Row = tuple[str, dict[str, Any]]


def _g(
    model: str, count: float | None = None, memory_gb: float | None = None, form: str | None = None
) -> dict[str, Any]:
    entry = {"model": model, "count": count, "memory_gb": memory_gb, "form": form}
    return {k: v for k, v in entry.items() if v is not None}


def _q(intent: str, **slots: Any) -> dict[str, Any]:
    return {"intent": intent, **slots}


def usd(amount: float, **per: str) -> dict[str, Any]:
    return {"amount": amount, "currency": "USD", **per}


def cny(amount: float, **per: str) -> dict[str, Any]:
    return {"amount": amount, "currency": "CNY", **per}


GPUS: list[Row] = [
    ("price of 4xL40S", _q("price", gpus=[_g("L40S", 4)])),
    ("price of L40S*6", _q("price", gpus=[_g("L40S", 6)])),
    ("price of A30:2", _q("price", gpus=[_g("A30", 2)])),
    ("how much are six V100s", _q("price", gpus=[_g("V100", 6)])),
    ("price of A40, need 4 of them", _q("price", gpus=[_g("A40", 4)])),
    ("price of a pair of A6000s", _q("price", gpus=[_g("A6000", 2)])),
    ("price of dual RTX 3090", _q("price", gpus=[_g("RTX3090", 2)])),
    ("price of quad A10G", _q("price", gpus=[_g("A10G", 4)])),
    ("price of a dozen T4s", _q("price", gpus=[_g("T4", 12)])),
    ("price of an H200", _q("price", gpus=[_g("H200")])),
    ("price of a single B200", _q("price", gpus=[_g("B200", 1)])),
    ("8卡H800多少钱", _q("price", gpus=[_g("H800", 8)])),
    ("H800 8卡多少钱", _q("price", gpus=[_g("H800", 8)])),
    ("俩P40多少钱", _q("price", gpus=[_g("P40", 2)])),
    ("双卡4090多少钱", _q("price", gpus=[_g("RTX4090", 2)])),
    ("单卡L20多少钱", _q("price", gpus=[_g("L20", 1)])),
    ("一张L4多少钱", _q("price", gpus=[_g("L4", 1)])),
    ("2块4090多少钱", _q("price", gpus=[_g("RTX4090", 2)])),
    ("十六张A800 80G什么价", _q("price", gpus=[_g("A800", 16, 80)])),
    ("Ａ１００　８０Ｇ　４张多少钱", _q("price", gpus=[_g("A100", 4, 80)])),
    ("H100 SXM5 x 8 cost?", _q("price", gpus=[_g("H100", 8, form="SXM")])),
    ("cost of 2 H100 NVL", _q("price", gpus=[_g("H100", 2, form="NVL")])),
    ("cost of 80GB A100 PCIe", _q("price", gpus=[_g("A100", None, 80, "PCIe")])),
    ("cost of A100-80GB-SXM4", _q("price", gpus=[_g("A100", None, 80, "SXM")])),
    ("24G显存的4090多少钱", _q("price", gpus=[_g("RTX4090", None, 24)])),
    ("32G的V100两张多少钱", _q("price", gpus=[_g("V100", 2, 32)])),
    ("A100 40G vs 80G", _q("compare", gpus=[_g("A100", None, 40), _g("A100", None, 80)])),
    (
        "H100 PCIe or SXM for training?",
        _q("compare", gpus=[_g("H100", form="PCIe"), _g("H100", form="SXM")], workloads=["training"]),
    ),
    ("8x H100 or H200 for training?", _q("compare", gpus=[_g("H100", 8), _g("H200", 8)], workloads=["training"])),
    ("4张L40还是A40做推理", _q("compare", gpus=[_g("L40", 4), _g("A40", 4)], workloads=["inference"])),
    ("rtx a4000 price", _q("price", gpus=[_g("A4000")])),
    ("6000 ada price", _q("price", gpus=[_g("RTX6000Ada")])),
    ("RTX 4000 Ada price", _q("price", gpus=[_g("RTX4000Ada")])),
    ("rtx pro 6000 price", _q("price", gpus=[_g("RTXPRO6000")])),
    ("RTX-5090 price", _q("price", gpus=[_g("RTX5090")])),
    ("mi300 price", _q("price", gpus=[_g("MI300X")])),
    ("昇腾910C多少钱", _q("price", gpus=[_g("Ascend910C")])),
    ("910B 8卡多少钱", _q("price", gpus=[_g("Ascend910B", 8)])),
    ("昇腾多少钱", _q("price", gpus=[_g("Ascend")])),
    ("tpu price on gcp", _q("price", gpus=[_g("TPU")], providers=["gcp"])),
    ("TPU v5e or v5p for training?", _q("compare", gpus=[_g("TPUv5e"), _g("TPUv5p")], workloads=["training"])),
    ("price of trainium2", _q("price", gpus=[_g("Trainium2")])),
    ("price of 2080 ti", _q("price", gpus=[_g("RTX2080Ti")])),
    ("H1OO price", _q("price", gpus=[_g("H100")])),
    ("price of p4d.24xlarge", _q("price", gpus=[_g("A100", 8)], providers=["aws"])),
    ("2x p4d.24xlarge for 10 hours, price?", _q("price", gpus=[_g("A100", 8)], nodes=2, hours=10, providers=["aws"])),
    ("g5.12xlarge price per hour", _q("price", gpus=[_g("A10G", 4)], providers=["aws"])),
    ("a2-highgpu-1g for 5 hours, how much", _q("price", gpus=[_g("A100", 1)], hours=5, providers=["gcp"])),
    ("ND96isr_H100_v5 hourly price", _q("price", gpus=[_g("H100", 8)], providers=["azure"])),
    ("3 nodes of 4xA100, price?", _q("price", gpus=[_g("A100", 4)], nodes=3)),
    ("3x4xA100 price", _q("price", gpus=[_g("A100", 4)], nodes=3)),
    ("3x4 A100 nodes, price?", _q("price", gpus=[_g("A100", 4)], nodes=3)),
    ("两台8卡A100多少钱", _q("price", gpus=[_g("A100", 8)], nodes=2)),
    ("四台机器每台8张H20多少钱", _q("price", gpus=[_g("H20", 8)], nodes=4)),
    ("16 V100s on 2 servers, how much?", _q("price", gpus=[_g("V100", 8)], nodes=2)),  # 16 / 2 = 8
    ("an 8xH100 node, how much?", _q("price", gpus=[_g("H100", 8)])),
    ("32张H100分4台机器多少钱", _q("price", gpus=[_g("H100", 8)], nodes=4)),  # 32 / 4 = 8
    ("cheapest 8-GPU box", _q("cheapest", gpu_count=8, clarify=True)),
    ("cheapest 2x80GB", _q("cheapest", gpu_count=2, min_memory_gb=80)),
    ("price of an A100, not the H100", _q("price", gpus=[_g("A100")], exclude_gpus=["H100"])),
    ("cheapest 24GB card, no T4s", _q("cheapest", min_memory_gb=24, exclude_gpus=["T4"])),
    ("不要V100，24G以上显存最便宜的卡", _q("cheapest", min_memory_gb=24, exclude_gpus=["V100"])),
    ("3090 images to render on an L4, cheapest?", _q("cheapest", gpus=[_g("L4")], workloads=["rendering"])),
    ("3090 GPU hours of L4, how much", _q("price", gpus=[_g("L4")], gpu_hours=3090)),
    ("L4 with a budget of $3090, how many hours do I get?", _q("budget", gpus=[_g("L4")], budget=usd(3090))),
    ("4090s cheapest?", _q("cheapest", gpus=[_g("RTX4090")])),
]

TIME: list[Row] = [
    ("L4 for 3d, price?", _q("price", gpus=[_g("L4")], hours=72)),
    ("L4 for 2 wks, price?", _q("price", gpus=[_g("L4")], hours=336)),
    ("L4 for 1mo, price?", _q("price", gpus=[_g("L4")], hours=730)),
    ("L4 for half a day, price?", _q("price", gpus=[_g("L4")], hours=12)),
    ("L4 for an hour and a half, price?", _q("price", gpus=[_g("L4")], hours=1.5)),
    ("L4 for two and a half days, price?", _q("price", gpus=[_g("L4")], hours=60)),
    ("L4 for a fortnight, price?", _q("price", gpus=[_g("L4")], hours=336)),
    ("L4 for a quarter, price?", _q("price", gpus=[_g("L4")], hours=2190)),
    ("L4 for half a year, price?", _q("price", gpus=[_g("L4")], hours=4380)),
    ("L4 for a couple of days, price?", _q("price", gpus=[_g("L4")], hours=48)),
    ("L4 for 90 minutes, price?", _q("price", gpus=[_g("L4")], hours=1.5)),
    ("L4 overnight, price?", _q("price", gpus=[_g("L4")], hours=12)),
    ("L4 over the weekend, price?", _q("price", gpus=[_g("L4")], hours=48)),
    ("L4 for a few days, price?", _q("price", gpus=[_g("L4")])),
    ("L4 price this week", _q("price", gpus=[_g("L4")])),
    ("L4 for 2-3 days, price?", _q("price", gpus=[_g("L4")], hours=72)),
    ("L4 for between 100 and 150 hours, price?", _q("price", gpus=[_g("L4")], hours=150)),
    ("L4跑一个半小时多少钱", _q("price", gpus=[_g("L4")], hours=1.5)),
    ("L4跑两天半多少钱", _q("price", gpus=[_g("L4")], hours=60)),
    ("L4租一个半月多少钱", _q("price", gpus=[_g("L4")], hours=1095)),
    ("L4租半个月多少钱", _q("price", gpus=[_g("L4")], hours=365)),
    ("L4租半年多少钱", _q("price", gpus=[_g("L4")], hours=4380)),
    ("L4跑通宵多少钱", _q("price", gpus=[_g("L4")], hours=12)),
    ("L4跑一晚多少钱", _q("price", gpus=[_g("L4")], hours=12)),
    ("L4跑个周末多少钱", _q("price", gpus=[_g("L4")], hours=48)),
    ("L4租两个礼拜多少钱", _q("price", gpus=[_g("L4")], hours=336)),
    ("L4租一个季度多少钱", _q("price", gpus=[_g("L4")], hours=2190)),
    ("L4跑两三天多少钱", _q("price", gpus=[_g("L4")], hours=72)),
    ("L4跑几天多少钱", _q("price", gpus=[_g("L4")])),
    ("L4跑三百个小时多少钱", _q("price", gpus=[_g("L4")], hours=300)),
    ("cost to pretrain it in 9 days on 8 H100", _q("price", gpus=[_g("H100", 8)], hours=216, workloads=["training"])),
    ("need 4 A40s in 3 days", _q("price", gpus=[_g("A40", 4)])),
    ("4 A40s starting in a week, how much?", _q("price", gpus=[_g("A40", 4)])),
    ("4张A40一周内跑完多少钱", _q("price", gpus=[_g("A40", 4)], hours=168)),
    ("4张A40，3天内到位，多少钱", _q("price", gpus=[_g("A40", 4)])),
    ("4张A40，3天后要，多少钱", _q("price", gpus=[_g("A40", 4)])),
    ("4张A40月底前要，多少钱", _q("price", gpus=[_g("A40", 4)])),
    (
        "we checkpoint every 4 hours, price of 2 A100s on spot?",
        _q("price", gpus=[_g("A100", 2)], plans=["spot"], needs=["checkpointing"]),
    ),
    ("A100 price per day", _q("price", gpus=[_g("A100")], hours=24)),
    ("how much is an A100 a day?", _q("price", gpus=[_g("A100")], hours=24)),
    ("A100一天多少钱", _q("price", gpus=[_g("A100")], hours=24)),
    ("A100 cost per week", _q("price", gpus=[_g("A100")], hours=168)),
    ("monthly bill for an A100", _q("price", gpus=[_g("A100")], hours=730)),
    ("A100每月多少钱", _q("price", gpus=[_g("A100")], hours=730)),
    ("A100一个月多少钱", _q("price", gpus=[_g("A100")], hours=730)),
    ("A100 cost per year", _q("price", gpus=[_g("A100")], hours=8760)),
    ("hourly price of an A100", _q("price", gpus=[_g("A100")])),
    ("A100一小时多少钱", _q("price", gpus=[_g("A100")])),
    ("A100 8h a day, how much", _q("price", gpus=[_g("A100")], hours_per_day=8)),
    ("A100 8h a day for 3 weeks, how much", _q("price", gpus=[_g("A100")], hours=168, hours_per_day=8)),  # 504 × 8/24
    (
        "A100 8 hours a day for a month, how much",
        _q("price", gpus=[_g("A100")], hours=243.333333, hours_per_day=8),
    ),  # 730 × 8/24
    ("A100 6h a day for 30 days, how much", _q("price", gpus=[_g("A100")], hours=180, hours_per_day=6)),  # 720 × 6/24
    (
        "A100 8h a day, 5 days a week for 4 weeks, how much",
        _q("price", gpus=[_g("A100")], hours=160, hours_per_day=8),
    ),  # 672 × 8/24 × 5/7
    ("A100每天用8小时，用三周，多少钱", _q("price", gpus=[_g("A100")], hours=168, hours_per_day=8)),
    ("A100一天8小时，跑一个月，多少钱", _q("price", gpus=[_g("A100")], hours=243.333333, hours_per_day=8)),
    ("A100 running 24/7, price?", _q("price", gpus=[_g("A100")], hours_per_day=24)),
    ("A100 around the clock for a week, price?", _q("price", gpus=[_g("A100")], hours=168, hours_per_day=24)),
    ("A100 at 200 hours a month, price?", _q("price", gpus=[_g("A100")], hours=200)),
    ("A100 at 200 hours a month for 3 months, price?", _q("price", gpus=[_g("A100")], hours=600)),  # 200 × 3
    ("A100每月用200小时多少钱", _q("price", gpus=[_g("A100")], hours=200)),
    ("A100 20 hours a week for 4 weeks, price?", _q("price", gpus=[_g("A100")], hours=80)),  # 20 × 4
    ("500 GPU hours of A100, price?", _q("price", gpus=[_g("A100")], gpu_hours=500)),
    ("A100跑500卡时多少钱", _q("price", gpus=[_g("A100")], gpu_hours=500)),
    ("60 V100 hours, price?", _q("price", gpus=[_g("V100")], gpu_hours=60)),
    ("3k H100-hours, price?", _q("price", gpus=[_g("H100")], gpu_hours=3000)),
    ("60 hours of V100, price?", _q("price", gpus=[_g("V100")], hours=60)),
    ("how many GPU hours does $500 buy on H100", _q("budget", gpus=[_g("H100")], budget=usd(500))),
    ("about 1,200 hours of T4, price?", _q("price", gpus=[_g("T4")], hours=1200)),
    ("1.5k hours of T4, price?", _q("price", gpus=[_g("T4")], hours=1500)),
    ("T4跑2千小时多少钱", _q("price", gpus=[_g("T4")], hours=2000)),
    ("up to 40 hours on a T4, price?", _q("price", gpus=[_g("T4")], hours=40)),
    ("a day, 24h, on a T4, price?", _q("price", gpus=[_g("T4")], hours=24)),
]

PROVIDERS: list[Row] = [
    ("T4 on EC2, price?", _q("price", gpus=[_g("T4")], providers=["aws"])),
    ("T4 on Google Cloud, price?", _q("price", gpus=[_g("T4")], providers=["gcp"])),
    ("T4 on Microsoft's cloud, price?", _q("price", gpus=[_g("T4")], providers=["azure"])),
    ("Lambda Labs H100 price", _q("price", gpus=[_g("H100")], providers=["lambda"])),
    ("lamda labs H100 price", _q("price", gpus=[_g("H100")], providers=["lambda"])),
    ("vast.ai 4090 price", _q("price", gpus=[_g("RTX4090")], providers=["vast"])),
    ("together ai H100 price", _q("price", gpus=[_g("H100")], providers=["together"])),
    ("H100 on Modal, price?", _q("price", gpus=[_g("H100")], providers=["modal"])),
    ("H100 on Replicate, price?", _q("price", gpus=[_g("H100")], providers=["replicate"])),
    ("hugging face A10G price", _q("price", gpus=[_g("A10G")], providers=["huggingface"])),
    ("compare the big three for 8xA100", _q("compare", gpus=[_g("A100", 8)], providers=["aws", "azure", "gcp"])),
    ("三大云的8卡A100对比", _q("compare", gpus=[_g("A100", 8)], providers=["aws", "azure", "gcp"])),
    ("亚马逊的T4多少钱", _q("price", gpus=[_g("T4")], providers=["aws"])),
    ("火山引擎的L20多少钱", _q("price", gpus=[_g("L20")], providers=["volcengine"])),
    ("谷歌云的L4多少钱", _q("price", gpus=[_g("L4")], providers=["gcp"])),
    ("a vast amount of A100 training to run, cheapest?", _q("cheapest", gpus=[_g("A100")], workloads=["training"])),
    ("cheapest H100, not on AWS", _q("cheapest", gpus=[_g("H100")], exclude_providers=["aws"])),
    ("cheapest H100, no vast or runpod", _q("cheapest", gpus=[_g("H100")], exclude_providers=["vast", "runpod"])),
    ("cheapest H100 anywhere but Azure", _q("cheapest", gpus=[_g("H100")], exclude_providers=["azure"])),
    ("cheapest H100 other than coreweave", _q("cheapest", gpus=[_g("H100")], exclude_providers=["coreweave"])),
    ("cheapest H100, leave Oracle out", _q("cheapest", gpus=[_g("H100")], exclude_providers=["oci"])),
    (
        "cheapest H100 except aws, gcp and azure",
        _q("cheapest", gpus=[_g("H100")], exclude_providers=["aws", "gcp", "azure"]),
    ),
    ("除了阿里云，哪家H20最便宜", _q("cheapest", gpus=[_g("H20")], exclude_providers=["alibaba"])),
    ("H20哪家最便宜，腾讯云不行", _q("cheapest", gpus=[_g("H20")], exclude_providers=["tencent"])),
    ("H20哪家最便宜，不要华为云和百度云", _q("cheapest", gpus=[_g("H20")], exclude_providers=["huawei", "baidu"])),
    ("anything cheaper than Lambda for an A100?", _q("cheapest", gpus=[_g("A100")], exclude_providers=["lambda"])),
    ("alternatives to coreweave for 8 H100s?", _q("recommend", gpus=[_g("H100", 8)], exclude_providers=["coreweave"])),
    ("有没有比AWS便宜的A100", _q("cheapest", gpus=[_g("A100")], exclude_providers=["aws"])),
    ("is Nebius cheaper than Lambda for an H100?", _q("compare", gpus=[_g("H100")], providers=["nebius", "lambda"])),
    (
        "runpod charges us $2.20/hr for an H100, anything cheaper?",
        _q("cheapest", gpus=[_g("H100")], exclude_providers=["runpod"], quoted=usd(2.2, per="hour")),
    ),
    ("our AWS Lambda costs doubled, why?", _q("unsupported")),
]

PLANS: list[Row] = [
    ("preemptible T4 price", _q("price", gpus=[_g("T4")], plans=["spot"])),
    ("抢占式T4多少钱", _q("price", gpus=[_g("T4")], plans=["spot"])),
    ("T4 pay as you go price", _q("price", gpus=[_g("T4")], plans=["on_demand"])),
    ("T4按量付费多少钱", _q("price", gpus=[_g("T4")], plans=["on_demand"])),
    ("T4 with a savings plan, price?", _q("price", gpus=[_g("T4")], plans=["reserved"])),
    ("T4 1yr RI price", _q("price", gpus=[_g("T4")], plans=["reserved_1y"])),
    ("T4 reserved for 3 years, price?", _q("price", gpus=[_g("T4")], plans=["reserved_3y"])),
    ("T4 price when committing for a year", _q("price", gpus=[_g("T4")], plans=["reserved_1y"])),
    ("T4三年预留多少钱", _q("price", gpus=[_g("T4")], plans=["reserved_3y"])),
    ("T4包年多少钱", _q("price", gpus=[_g("T4")], plans=["reserved_1y"])),
    ("T4 with a 9-month commitment, price?", _q("price", gpus=[_g("T4")], plans=["reserved"], hours=6570)),  # 9 × 730
    ("T4 month-to-month price", _q("price", gpus=[_g("T4")], plans=["monthly"])),
    ("T4包月多少钱", _q("price", gpus=[_g("T4")], plans=["monthly"])),
    ("T4包两个月多少钱", _q("price", gpus=[_g("T4")], plans=["monthly"], hours=1460)),  # 2 × 730
    ("T4包年包月多少钱", _q("price", gpus=[_g("T4")], plans=["monthly", "reserved_1y"])),
    ("T4 for a month, price?", _q("price", gpus=[_g("T4")], hours=730)),
    ("serverless A10G price", _q("price", gpus=[_g("A10G")], plans=["serverless"])),
    ("cheapest T4, spot is fine", _q("cheapest", gpus=[_g("T4")], plans=["spot"])),
    ("cheapest T4, no spot", _q("cheapest", gpus=[_g("T4")], exclude_plans=["spot"])),
    ("cheapest non-preemptible T4", _q("cheapest", gpus=[_g("T4")], exclude_plans=["spot"])),
    ("cheapest T4, spot is not an option", _q("cheapest", gpus=[_g("T4")], exclude_plans=["spot"])),
    ("T4哪家最便宜，不要竞价", _q("cheapest", gpus=[_g("T4")], exclude_plans=["spot"])),
    ("cheapest T4, must not be interrupted", _q("cheapest", gpus=[_g("T4")], needs=["no_interruption"])),
    ("T4最便宜的是哪家，不想被抢占", _q("cheapest", gpus=[_g("T4")], needs=["no_interruption"])),
    ("T4哪家最便宜，中途不能中断", _q("cheapest", gpus=[_g("T4")], needs=["no_interruption"])),
]

REGIONS: list[Row] = [
    ("T4 in Frankfurt, Germany, price?", _q("price", gpus=[_g("T4")], regions=["de"])),
    ("T4 in Mumbai, price?", _q("price", gpus=[_g("T4")], regions=["in"])),
    ("T4 in us-west-2, price?", _q("price", gpus=[_g("T4")], regions=["us-west-2"])),
    ("T4 in europe-west4, price?", _q("price", gpus=[_g("T4")], regions=["europe-west4"])),
    ("T4在cn-hangzhou多少钱", _q("price", gpus=[_g("T4")], regions=["cn-hangzhou"])),
    ("A100 in the EU or UK, price?", _q("price", gpus=[_g("A100")], regions=["eu", "uk"])),
    ("can you tell us the price of a T4 in the US", _q("price", gpus=[_g("T4")], regions=["us"])),
    ("香港或者新加坡的T4多少钱", _q("price", gpus=[_g("T4")], regions=["hk", "sg"])),
    ("国内平台的T4多少钱", _q("price", gpus=[_g("T4")], regions=["cn"])),
    ("cheapest T4 outside the US", _q("cheapest", gpus=[_g("T4")], exclude_regions=["us"])),
    ("cheapest T4 in Asia but not China", _q("cheapest", gpus=[_g("T4")], regions=["apac"], exclude_regions=["cn"])),
    ("T4哪家最便宜，不要美国机房", _q("cheapest", gpus=[_g("T4")], exclude_regions=["us"])),
    ("T4哪家最便宜，日本以外", _q("cheapest", gpus=[_g("T4")], exclude_regions=["jp"])),
    ("cheapest T4, data must stay in Germany", _q("cheapest", gpus=[_g("T4")], regions=["de"])),
    (
        "cheapest T4, data must stay in China",
        _q("cheapest", gpus=[_g("T4")], regions=["cn"], needs=["data_residency_cn"]),
    ),
    ("T4哪家最便宜，数据不出境", _q("cheapest", gpus=[_g("T4")], regions=["cn"], needs=["data_residency_cn"])),
]

SIZES_AND_MONEY: list[Row] = [
    ("cheapest card with at least 40GB VRAM", _q("cheapest", min_memory_gb=40)),
    ("cheapest a 24GB card", _q("cheapest", min_memory_gb=24)),
    ("24G显存的卡哪家最便宜", _q("cheapest", min_memory_gb=24)),
    ("cheapest ≥40GB per card", _q("cheapest", min_memory_gb=40)),
    ("cheapest 24-48GB card", _q("cheapest", min_memory_gb=24)),
    ("cheapest way to 160GB total VRAM", _q("cheapest", total_memory_gb=160)),
    ("总显存320G最便宜的方案", _q("cheapest", total_memory_gb=320)),
    ("A10 with 64GB of RAM and 16 vCPUs, price?", _q("price", gpus=[_g("A10")])),
    ("A10 plus 2TB of SSD, price?", _q("price", gpus=[_g("A10")], storage_gb=2000)),
    ("A10加500G云盘多少钱", _q("price", gpus=[_g("A10")], storage_gb=500)),
    ("A10 and upload 3TB, price?", _q("price", gpus=[_g("A10")], data_gb=3000, data_direction="in")),
    ("cost of 1PB egress from GCP", _q("price", providers=["gcp"], data_gb=1000000, data_direction="out")),
    ("把20T数据从AWS拉出来要多少钱", _q("price", providers=["aws"], data_gb=20000, data_direction="out")),
    ("A10 for a 200GB dataset, price?", _q("price", gpus=[_g("A10")], data_gb=200)),
    ("cheapest A10 under $0.50/hr", _q("cheapest", gpus=[_g("A10")], budget_per_hour=usd(0.5))),
    ("cheapest A10, max $1/hr each", _q("cheapest", gpus=[_g("A10")], budget_per_hour=usd(1, per="gpu"))),
    ("A10最便宜的，每小时5块以内", _q("cheapest", gpus=[_g("A10")], budget_per_hour=cny(5))),
    ("A10最便宜的，每卡每小时20块以内", _q("cheapest", gpus=[_g("A10")], budget_per_hour=cny(20, per="gpu"))),
    ("A10最便宜的，每小时不超过2块5", _q("cheapest", gpus=[_g("A10")], budget_per_hour=cny(2.5))),
    ("cheapest A10, budget $500 a month", _q("cheapest", gpus=[_g("A10")], budget=usd(500), hours=730)),
    ("cheapest A10, budget five grand", _q("cheapest", gpus=[_g("A10")], budget={"amount": 5000})),
    ("A10最便宜的，预算2w", _q("cheapest", gpus=[_g("A10")], budget={"amount": 20000})),
    ("A10最便宜的，预算三千块", _q("cheapest", gpus=[_g("A10")], budget=cny(3000))),
    ("cheapest A10, budget £300", _q("cheapest", gpus=[_g("A10")], budget={"amount": 300, "currency": "GBP"})),
    ("cheapest A10, budget ₹90,000", _q("cheapest", gpus=[_g("A10")], budget={"amount": 90000, "currency": "INR"})),
    ("A10最便宜的，预算五万日元", _q("cheapest", gpus=[_g("A10")], budget={"amount": 50000, "currency": "JPY"})),
    ("cheapest A10, $500-800 budget", _q("cheapest", gpus=[_g("A10")], budget=usd(800))),
    (
        "we pay $3k a month for 8 L40S, anything cheaper?",
        _q("cheapest", gpus=[_g("L40S", 8)], quoted=usd(3000, per="month")),
    ),
    (
        "our H100s are now at $2.10 per GPU-hour, can anyone beat that?",
        _q("cheapest", gpus=[_g("H100")], quoted=usd(2.1, per="gpu_hour")),
    ),
    (
        "last bill was $900 for an A40, anything cheaper?",
        _q("cheapest", gpus=[_g("A40")], quoted=usd(900, per="total")),
    ),
    (
        "we pay $12 a day for a T4, anything cheaper?",
        _q("cheapest", gpus=[_g("T4")], quoted=usd(0.5, per="hour")),
    ),  # 12 / 24
    (
        "they quoted $730 a month per card for L40S, is that good?",
        _q("price", gpus=[_g("L40S")], quoted=usd(1, per="gpu_hour")),
    ),  # 730 / 730
    ("is $2/hr a good price for an H100?", _q("price", gpus=[_g("H100")], quoted=usd(2, per="hour"))),
    (
        "8 H100s at $25k each: when does buying beat renting?",
        _q("break_even", gpus=[_g("H100", 8)], purchase_price=usd(200000)),
    ),  # 8 × 25k
]

WORKLOADS: list[Row] = [
    ("which GPU for production inference?", _q("recommend", workloads=["inference", "production"])),
    ("which GPU to debug my training script?", _q("recommend", workloads=["debugging", "training"])),
    ("which GPU for batch inference?", _q("recommend", workloads=["batch", "inference"])),
    ("which platform to train, then serve a model?", _q("recommend", workloads=["training", "inference"])),
    ("which GPU for QLoRA on 8B?", _q("recommend", workloads=["fine_tuning"], model_params_b=8)),
    ("where can I host a 13B model?", _q("recommend", workloads=["inference"], model_params_b=13)),
    ("which card for Octane?", _q("recommend", workloads=["rendering"])),
    ("which platform for a PoC?", _q("recommend", workloads=["experiment"])),
    ("跑批处理推荐什么卡", _q("recommend", workloads=["batch"])),
    ("which GPU for a 350M model", _q("recommend", model_params_b=0.35)),
    ("which GPU to train a 1T model", _q("recommend", workloads=["training"], model_params_b=1000)),
    ("训练百亿参数模型用什么卡", _q("recommend", workloads=["training"], model_params_b=10)),
    ("微调130亿的模型选什么卡", _q("recommend", workloads=["fine_tuning"], model_params_b=13)),
    ("which GPU to serve 8x22B", _q("recommend", workloads=["inference"], model_params_b=141)),
    ("which GPU to serve a 16x3B mixture", _q("recommend", workloads=["inference"], model_params_b=48)),  # 16 × 3
    ("which GPU to serve 235B-A22B", _q("recommend", workloads=["inference"], model_params_b=235)),
    ("which GPU to fine-tune 7-13B", _q("recommend", workloads=["fine_tuning"], model_params_b=13)),
    ("what platform for a startup without devops?", _q("recommend", team=["startup", "no_ops"])),
    ("大企业、有运维经验，选什么平台", _q("recommend", team=["enterprise", "experienced"])),
    ("which provider has InfiniBand and Kubernetes?", _q("recommend", needs=["interconnect", "kubernetes"])),
    ("哪家支持高速互联和多机训练", _q("recommend", workloads=["training"], needs=["interconnect", "multi_node"])),
    (
        "which platform is ISO 27001 and SOC 2 certified?",
        _q("recommend", needs=["compliance_iso27001", "compliance_soc2"]),
    ),
    (
        "which platform gives managed Jupyter notebooks?",
        _q("recommend", needs=["managed", "jupyter"], workloads=["notebook"]),
    ),
    ("推理延迟敏感，推荐什么平台", _q("recommend", workloads=["inference"], needs=["low_latency"])),
    ("best value GPU for training", _q("recommend", workloads=["training"], sort="per_tflop")),
    ("性价比最高的卡推荐", _q("recommend", sort="per_tflop")),
    ("cheapest A100 overall by total cost", _q("cheapest", gpus=[_g("A100")], sort="total")),
    ("A100哪家总价最低", _q("cheapest", gpus=[_g("A100")], sort="total")),
    ("A100每卡每小时多少钱", _q("price", gpus=[_g("A100")], sort="per_gpu_hour")),
    ("A100 price per TFLOP", _q("price", gpus=[_g("A100")], sort="per_tflop")),
]

INTENTS: list[Row] = [
    ("which is cheaper, T4 or L4?", _q("compare", gpus=[_g("T4"), _g("L4")])),
    ("A100 on AWS and on GCP, how much?", _q("compare", gpus=[_g("A100")], providers=["aws", "gcp"])),
    (
        "A100还是H100训练7B更划算",
        _q("compare", gpus=[_g("A100"), _g("H100")], workloads=["training"], model_params_b=7),
    ),
    ("cheapest of T4 and L4", _q("cheapest", gpus=[_g("T4"), _g("L4")])),
    ("difference between spot and reserved", _q("explain", plans=["spot", "reserved"])),
    ("按需和包月有什么区别", _q("explain", plans=["on_demand", "monthly"])),
    ("how much cheaper is spot than on-demand?", _q("compare", plans=["spot", "on_demand"])),
    ("按需和竞价差多少钱", _q("compare", plans=["on_demand", "spot"])),
    ("包月划算还是按需划算", _q("break_even", plans=["monthly", "on_demand"])),
    ("L40S包月多久回本", _q("break_even", gpus=[_g("L40S")], plans=["monthly"])),
    ("is a 3-year commitment on H100 worth it?", _q("break_even", gpus=[_g("H100")], plans=["reserved_3y"])),
    ("$800能租啥卡", _q("budget", budget=usd(800))),
    ("what are my options for $800?", _q("budget", budget=usd(800))),
    ("which platform should I use with $800 for training?", _q("recommend", budget=usd(800), workloads=["training"])),
    ("预算800刀，用什么好", _q("recommend", budget=usd(800))),
    ("how many A100s to train 30B?", _q("recommend", gpus=[_g("A100")], workloads=["training"], model_params_b=30)),
    ("训练30B至少要几张A100", _q("recommend", gpus=[_g("A100")], workloads=["training"], model_params_b=30)),
    ("how much VRAM does a 70B model need?", _q("specs", model_params_b=70)),
    ("does the L4 support fp8?", _q("specs", gpus=[_g("L4")], dtype="fp8")),
    ("H20的显存带宽多大", _q("specs", gpus=[_g("H20")])),
    ("一张4090装得下32B吗", _q("specs", gpus=[_g("RTX4090", 1)], model_params_b=32)),
    ("can a 24GB card run 13B?", _q("specs", min_memory_gb=24, model_params_b=13)),
    ("how does RunPod charge?", _q("explain", providers=["runpod"])),
    ("how much does RunPod charge for an A40?", _q("price", gpus=[_g("A40")], providers=["runpod"])),
    ("does Lambda bill stopped instances?", _q("explain", providers=["lambda"])),
    ("AutoDL怎么计费", _q("explain", providers=["autodl"])),
    ("竞价实例被回收了怎么办", _q("explain", plans=["spot"])),
    ("will H100 prices fall next year?", _q("explain", gpus=[_g("H100")])),
    ("how do I move my data between clouds?", _q("explain")),
    ("who offers Gaudi3?", _q("recommend", gpus=[_g("Gaudi3")])),
    ("is the L4 good for inference?", _q("recommend", gpus=[_g("L4")], workloads=["inference"])),
    ("2x T4, azure, one week", _q("price", gpus=[_g("T4", 2)], hours=168, providers=["azure"])),
    ("which clouds do you cover?", _q("help")),
    ("how fresh is your data?", _q("help")),
    ("你们的价格多久更新一次", _q("help")),
    ("send it every Monday with the weekly digest", _q("digest", action="subscribe")),
    ("stop the weekly digest", _q("digest", action="unsubscribe")),
    ("最近H100涨价了吗", _q("digest", action="show", gpus=[_g("H100")])),
    ("bench H200 fp8", _q("benchmark", action="run", gpus=[_g("H200")], dtype="fp8")),
    ("/gpu-bench", _q("benchmark", action="run")),
    ("/gpu-bench ml01 half precision", _q("benchmark", action="run", host="ml01", dtype="fp16")),
    ("what did t4-rig-2 reach in the benchmark?", _q("benchmark", action="show", host="t4-rig-2")),
    ("H100实测成绩", _q("benchmark", action="show", gpus=[_g("H100")])),
    ("cheap 3090 for rendering", _q("cheapest", gpus=[_g("RTX3090")], workloads=["rendering"])),
    ("how do I install CUDA on Ubuntu?", _q("unsupported")),
    ("is the 4090 good for Cyberpunk?", _q("unsupported")),
    ("NVDA stock price today", _q("unsupported")),
    ("flights to Tokyo for a week, how much?", _q("unsupported")),
    ("CPU-only server with 32 vCPUs, price?", _q("unsupported")),
    ("哈哈，周末愉快", _q("unsupported")),
    ("what can we rent?", _q("recommend", clarify=True)),
]

CORRECTIONS: list[Row] = [
    ("price of a T4, sorry, L4", _q("price", gpus=[_g("L4")])),
    ("price of 4 T4s, I mean 8", _q("price", gpus=[_g("T4", 8)])),
    ("T4 for 3 days, no wait, 5 days, price?", _q("price", gpus=[_g("T4")], hours=120)),
    ("T4哦不L4多少钱", _q("price", gpus=[_g("L4")])),
    ("A100 80G，说错了，40G，多少钱", _q("price", gpus=[_g("A100", None, 40)])),
    ("price of ~T4~ L4 for ~2~ 3 days", _q("price", gpus=[_g("L4")], hours=72)),
    ("cheapest A100 on AWS... actually not AWS", _q("cheapest", gpus=[_g("A100")], exclude_providers=["aws"])),
    ("*cheapest* `A100` for _3 days_", _q("cheapest", gpus=[_g("A100")], hours=72)),
    (
        "<@U12345> cheapest A100 :rocket: <https://a.example/x|on Lambda>",
        _q("cheapest", gpus=[_g("A100")], providers=["lambda"]),
    ),
    ("chepest A100 for 3 dyas", _q("cheapest", gpus=[_g("A100")], hours=72)),
    ("那家便宜A100", _q("cheapest", gpus=[_g("A100")])),
]

ALL: list[Row] = [*GPUS, *TIME, *PROVIDERS, *PLANS, *REGIONS, *SIZES_AND_MONEY, *WORKLOADS, *INTENTS, *CORRECTIONS]
