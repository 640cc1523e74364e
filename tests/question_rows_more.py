"""More questions with what they state, in the words people use, worked out by hand."""

from __future__ import annotations

from question_rows import Row, _g, _q, cny, usd

CHEAPEST: list[Row] = [
    (
        "Which provider is least expensive for 4 RTX A6000s over 10 days?",
        _q("cheapest", gpus=[_g("A6000", 4)], hours=240),
    ),
    ("anyone beat $1.10/hr on a 4090?", _q("cheapest", gpus=[_g("RTX4090")], quoted=usd(1.1, per="hour"))),
    (
        "CoreWeave asks $4.25 per GPU-hour for H100s. Something cheaper please",
        _q("cheapest", gpus=[_g("H100")], exclude_providers=["coreweave"], quoted=usd(4.25, per="gpu_hour")),
    ),
    (
        "currently on Paperspace at $2.24 an hour for an A100 80GB, looking for something cheaper in Canada",
        _q(
            "cheapest",
            gpus=[_g("A100", None, 80)],
            exclude_providers=["paperspace"],
            regions=["ca"],
            quoted=usd(2.24, per="hour"),
        ),
    ),
    (
        "华为云8张昇腾910B一个月要价9万，有没有更便宜的",
        _q(
            "cheapest",
            gpus=[_g("Ascend910B", 8)],
            exclude_providers=["huawei"],
            quoted={"amount": 90000, "per": "month"},
        ),
    ),
    (
        "腾讯云收我们每小时30块一张A100，求更便宜的",
        _q("cheapest", gpus=[_g("A100", 1)], exclude_providers=["tencent"], quoted=cny(30, per="hour")),
    ),
    (
        "affordable L40S for 3 nights of rendering",
        _q("cheapest", gpus=[_g("L40S")], hours=36, workloads=["rendering"]),
    ),  # 3 × 12
    ("省钱方案：4张3090跑两周，竞价也行", _q("cheapest", gpus=[_g("RTX3090", 4)], hours=336, plans=["spot"])),
    ("跑一晚上的4090，哪里最划算", _q("cheapest", gpus=[_g("RTX4090")], hours=12)),
    ("三天，8张A100，最低价多少", _q("cheapest", gpus=[_g("A100", 8)], hours=72)),
    ("rank A100 40GB offers by cost, Europe or UK", _q("cheapest", gpus=[_g("A100", None, 40)], regions=["eu", "uk"])),
    (
        "best price for one H200, no hyperscalers",
        _q("cheapest", gpus=[_g("H200", 1)], exclude_providers=["aws", "azure", "gcp"]),
    ),
    ("lowest bill for 2 nodes with 8 L40S each, 100 hours", _q("cheapest", gpus=[_g("L40S", 8)], nodes=2, hours=100)),
    (
        "cheapest GPU with 16 gigs for a jupyter notebook",
        _q("cheapest", min_memory_gb=16, needs=["jupyter"], workloads=["notebook"]),
    ),
    (
        "what is the cheapest on-demand or spot A10G in us-east-2",
        _q("cheapest", gpus=[_g("A10G")], plans=["on_demand", "spot"], regions=["us-east-2"]),
    ),
    ("显存80G以上的卡，训练用，最便宜的平台", _q("cheapest", min_memory_gb=80, workloads=["training"])),
    (
        "cheapest 4x H100, but not in China or Singapore",
        _q("cheapest", gpus=[_g("H100", 4)], exclude_regions=["cn", "sg"]),
    ),
    (
        "除了竞价都行，8卡L20用一个礼拜，哪家最便宜",
        _q("cheapest", gpus=[_g("L20", 8)], hours=168, exclude_plans=["spot"]),
    ),
    (
        "cheapest V100 that is not on aws and not preemptible",
        _q("cheapest", gpus=[_g("V100")], exclude_providers=["aws"], exclude_plans=["spot"]),
    ),
    (
        "lowest cost for 1M training images on a T4, 40 hours",
        _q("cheapest", gpus=[_g("T4")], hours=40, workloads=["training"]),
    ),
]

PRICE: list[Row] = [
    (
        "how much does a month of 8xH100 cost on Crusoe?",
        _q("price", gpus=[_g("H100", 8)], hours=730, providers=["crusoe"]),
    ),
    ("what'd 2 weeks of a dual 4090 box cost", _q("price", gpus=[_g("RTX4090", 2)], hours=336)),
    (
        "quote for 64 H200s, 30 days, InfiniBand, Norway",
        _q("price", gpus=[_g("H200", 64)], hours=720, needs=["interconnect"], regions=["no"]),
    ),
    ("RunPod serverless H100 pricing?", _q("price", gpus=[_g("H100")], providers=["runpod"], plans=["serverless"])),
    (
        "spot price of g6e.xlarge in Ohio",
        _q("price", gpus=[_g("L40S", 1)], providers=["aws"], plans=["spot"], regions=["us"]),
    ),
    ("A100 80G 8卡，一周，Azure", _q("price", gpus=[_g("A100", 8, 80)], hours=168, providers=["azure"])),
    ("H20 96G包月什么价位", _q("price", gpus=[_g("H20", None, 96)], plans=["monthly"])),
    ("AWS上p5.48xlarge跑10小时多少钱", _q("price", gpus=[_g("H100", 8)], hours=10, providers=["aws"])),
    ("价格：4090 x2，五天", _q("price", gpus=[_g("RTX4090", 2)], hours=120)),
    ("训练半个月用16张A800大概要花多少钱", _q("price", gpus=[_g("A800", 16)], hours=365, workloads=["training"])),
    (
        "how much for 10 hours of A10G plus 100GB of egress on AWS?",
        _q("price", gpus=[_g("A10G")], hours=10, providers=["aws"], data_gb=100, data_direction="out"),
    ),
    ("downloading 2TB from GCS costs what?", _q("price", data_gb=2000, data_direction="out")),
    ("cost to store 5TB on Lambda for a month", _q("price", providers=["lambda"], storage_gb=5000, hours=730)),
    (
        "cost of 4 A100s at 6 hours per day over 2 months",
        _q("price", gpus=[_g("A100", 4)], hours=365, hours_per_day=6),
    ),  # 1460 × 6/24
    (
        "price for one L4, 12h nightly, a week",
        _q("price", gpus=[_g("L4", 1)], hours=84, hours_per_day=12),
    ),  # 168 × 12/24
    ("2.5k GPU-hours of MI300X, what would that be?", _q("price", gpus=[_g("MI300X")], gpu_hours=2500)),
    ("is ¥18一小时的H100贵不贵", _q("price", gpus=[_g("H100")], quoted=cny(18, per="hour"))),
    ("found an L40S for $0.79/hr, good price?", _q("price", gpus=[_g("L40S")], quoted=usd(0.79, per="hour"))),
    ("H200每卡时大概多少", _q("price", gpus=[_g("H200")], sort="per_gpu_hour")),
    (
        "price of 10 A16s in westeurope on azure",
        _q("price", gpus=[_g("A16", 10)], providers=["azure"], regions=["westeurope"]),
    ),
]

COMPARE: list[Row] = [
    (
        "AWS or Lambda for 8 A100s, 2 weeks?",
        _q("compare", gpus=[_g("A100", 8)], hours=336, providers=["aws", "lambda"]),
    ),
    (
        "RTX 4090 versus L40S for SDXL inference",
        _q("compare", gpus=[_g("RTX4090"), _g("L40S")], workloads=["inference"]),
    ),
    (
        "how do Nebius and Crusoe compare on H200 price?",
        _q("compare", gpus=[_g("H200")], providers=["nebius", "crusoe"]),
    ),
    ("A800和H800差多少钱", _q("compare", gpus=[_g("A800"), _g("H800")])),
    (
        "阿里云、腾讯云、华为云的V100包月各要多少钱",
        _q("compare", gpus=[_g("V100")], providers=["alibaba", "tencent", "huawei"], plans=["monthly"]),
    ),
    (
        "spot or reserved for a 3-week run on 8 H100s?",
        _q("compare", gpus=[_g("H100", 8)], hours=504, plans=["spot", "reserved"]),
    ),
    (
        "is a 4090 better than an A5000 for fine-tuning?",
        _q("compare", gpus=[_g("RTX4090"), _g("A5000")], workloads=["fine_tuning"]),
    ),
    (
        "Frankfurt vs Ireland for 4 A10Gs on AWS, which is cheaper?",
        _q("compare", gpus=[_g("A10G", 4)], providers=["aws"], regions=["de", "ie"]),
    ),
    ("V100 16GB or 32GB?", _q("compare", gpus=[_g("V100", None, 16), _g("V100", None, 32)])),
    (
        "用AutoDL还是RunPod跑4090实验",
        _q("compare", gpus=[_g("RTX4090")], providers=["autodl", "runpod"], workloads=["experiment"]),
    ),
    (
        "3张4090和1张A100哪个更合适做微调",
        _q("compare", gpus=[_g("RTX4090", 3), _g("A100", 1)], workloads=["fine_tuning"]),
    ),
    ("MI300X against H100 on price performance", _q("compare", gpus=[_g("MI300X"), _g("H100")], sort="per_tflop")),
    (
        "TPU v6e or H100 for pretraining a 7B?",
        _q("compare", gpus=[_g("TPUv6e"), _g("H100")], workloads=["training"], model_params_b=7),
    ),
]

RECOMMEND: list[Row] = [
    ("what hardware should I use for a 3B LoRA?", _q("recommend", workloads=["fine_tuning"], model_params_b=3)),
    ("哪家平台支持GDPR和ISO27001", _q("recommend", needs=["compliance_gdpr", "compliance_iso27001"])),
    (
        "推荐一个能跑Blender的云平台，预算一个月500刀",
        _q("recommend", workloads=["rendering"], budget=usd(500), hours=730),
    ),
    (
        "团队没人懂运维，想要托管的k8s跑推理，用哪家",
        _q("recommend", team=["no_ops"], needs=["managed", "kubernetes"], workloads=["inference"]),
    ),
    (
        "we have an experienced infra team; where to train 30B on InfiniBand?",
        _q("recommend", team=["experienced"], workloads=["training"], model_params_b=30, needs=["interconnect"]),
    ),
    ("is RunPod reliable enough for production?", _q("recommend", providers=["runpod"], workloads=["production"])),
    ("4090适合做7B推理吗", _q("recommend", gpus=[_g("RTX4090")], workloads=["inference"], model_params_b=7)),
    ("我要在边缘做低延迟推理，选什么卡", _q("recommend", workloads=["edge", "inference"], needs=["low_latency"])),
    ("best GPU for the money to fine-tune 8B models?", _q("recommend", workloads=["fine_tuning"], model_params_b=8)),
    (
        "how many 4090s do I need for a 70B model in int4?",
        _q("recommend", gpus=[_g("RTX4090")], model_params_b=70, dtype="int4"),
    ),
    ("谁家有B200现货，新加坡的", _q("recommend", gpus=[_g("B200")], regions=["sg"])),
    ("which cloud can I run 8 H100s in without quotas?", _q("recommend", gpus=[_g("H100", 8)])),
    (
        "what should a startup use for hybrid cloud training?",
        _q("recommend", team=["startup"], workloads=["hybrid", "training"]),
    ),
    ("批量推理用竞价实例合适吗", _q("recommend", workloads=["batch", "inference"], plans=["spot"])),
]

OTHER: list[Row] = [
    (
        "when does buying 8 A6000s at £4,000 each beat renting on Hyperstack?",
        _q(
            "break_even",
            gpus=[_g("A6000", 8)],
            providers=["hyperstack"],
            purchase_price={"amount": 32000, "currency": "GBP"},
        ),
    ),  # 8 × 4000
    ("H800包年值不值，每天跑20小时", _q("break_even", gpus=[_g("H800")], plans=["reserved_1y"], hours_per_day=20)),
    (
        "does a one-year commitment on an L4 pay off at 300 hours a month?",
        _q("break_even", gpus=[_g("L4")], plans=["reserved_1y"], hours=300),
    ),
    ("买两张5090花3.6万，比租划算吗", _q("break_even", gpus=[_g("RTX5090", 2)], purchase_price={"amount": 36000})),
    ("is reserved worth it over spot for 8 H200s?", _q("break_even", gpus=[_g("H200", 8)], plans=["reserved", "spot"])),
    (
        "with $200, how many hours of a 4090 do I get on vast?",
        _q("budget", gpus=[_g("RTX4090")], providers=["vast"], budget=usd(200)),
    ),
    ("3000块够8张3090跑一周吗", _q("budget", gpus=[_g("RTX3090", 8)], hours=168, budget=cny(3000))),
    ("每月两万块能租几张H20", _q("budget", gpus=[_g("H20")], hours=730, budget=cny(20000))),
    (
        "what does €1.5k get us in A100 time?",
        _q("budget", gpus=[_g("A100")], budget={"amount": 1500, "currency": "EUR"}),
    ),
    (
        "will $1,000 be enough to fine-tune a 13B for 3 days?",
        _q("budget", budget=usd(1000), workloads=["fine_tuning"], model_params_b=13, hours=72),
    ),
    ("which GPU has the most memory bandwidth, H200 or MI300X?", _q("specs", gpus=[_g("H200"), _g("MI300X")])),
    ("L40S支持FP8吗", _q("specs", gpus=[_g("L40S")], dtype="fp8")),
    ("40G显存够微调13B吗", _q("specs", min_memory_gb=40, workloads=["fine_tuning"], model_params_b=13)),
    ("全量训练7B需要多少显存", _q("specs", workloads=["training"], model_params_b=7)),
    ("B200的功耗多少", _q("specs", gpus=[_g("B200")])),
    ("is 4x A10G enough for 34B?", _q("specs", gpus=[_g("A10G", 4)], model_params_b=34)),
    ("does 30B fit in 24GB?", _q("specs", min_memory_gb=24, model_params_b=30)),
    ("how does per-second billing work?", _q("explain")),
    ("竞价实例和按需实例的区别是什么", _q("explain", plans=["spot", "on_demand"])),
    ("what's the risk of running training on spot?", _q("explain", plans=["spot"], workloads=["training"])),
    ("how do I resume a job after a preemption?", _q("explain")),
    ("训练到一半机器挂了怎么办", _q("explain", workloads=["training"])),
    ("云厂商和算力集市有什么区别", _q("explain")),
    ("is egress free on Cloudflare-style providers?", _q("explain")),
    ("do reserved instances auto-renew?", _q("explain", plans=["reserved"])),
    ("how should I protect my API keys on rented GPUs?", _q("explain")),
    ("H100价格今年还会跌吗", _q("explain", gpus=[_g("H100")])),
    ("put us on the weekly price list, H200 only", _q("digest", action="subscribe", gpus=[_g("H200")])),
    ("别再推价格周报了", _q("digest", action="unsubscribe")),
    ("本周价格周报给我看看", _q("digest", action="show")),
    ("每周一把A100和H100的价格发到这个频道", _q("digest", action="subscribe", gpus=[_g("A100"), _g("H100")])),
    ("what changed in spot prices since last week?", _q("digest", action="show", plans=["spot"])),
    ("跑一下gpu-07的fp32基准测试", _q("benchmark", action="run", host="gpu-07", dtype="fp32")),
    ("ml-rig-3上次跑分多少", _q("benchmark", action="show", host="ml-rig-3")),
    ("benchmark this machine in tf32", _q("benchmark", action="run", dtype="tf32")),
    ("did anyone bench the 5090 already?", _q("benchmark", action="show", gpus=[_g("RTX5090")])),
    ("你们支持哪些云", _q("help")),
    ("这个机器人怎么用", _q("help")),
    ("are your prices up to date?", _q("help")),
    ("can you read Chinese?", _q("help")),
    ("who's bringing snacks to the offsite?", _q("unsupported")),
    ("the build is red again, anyone looking?", _q("unsupported")),
    ("Azure DevOps is down", _q("unsupported")),
    ("how much is the train to Berlin?", _q("unsupported")),
    ("has anyone seen my A4 notebook?", _q("unsupported")),
    ("显卡驱动装不上怎么办", _q("unsupported")),
    ("晚上一起打游戏吗", _q("unsupported")),
    ("which Postgres instance should I use on RDS?", _q("unsupported")),
    ("nvidia-smi shows no devices, help", _q("unsupported")),
    ("周五团建去哪", _q("unsupported")),
    ("let's spot check the invoices", _q("unsupported")),
    ("can we work together on the deck?", _q("unsupported")),
]

MONEY_AND_TERMS: list[Row] = [
    ("我们的4张A30每卡每小时6元，有更便宜的吗", _q("cheapest", gpus=[_g("A30", 4)], quoted=cny(6, per="gpu_hour"))),
    ("我们2张L20每月付9000元，有更便宜的吗", _q("cheapest", gpus=[_g("L20", 2)], quoted=cny(9000, per="month"))),
    ("is there an A40 cheaper than $0.60 per hour?", _q("cheapest", gpus=[_g("A40")], budget_per_hour=usd(0.6))),
    ("what does $90 buy in T4s for 10 hours?", _q("budget", gpus=[_g("T4")], hours=10, budget=usd(90))),
    (
        "does a 3-year g5.xlarge reservation pay off",
        _q("break_even", gpus=[_g("A10G", 1)], providers=["aws"], plans=["reserved_3y"]),
    ),
    (
        "40GB or 80GB A100 for inference?",
        _q("compare", gpus=[_g("A100", None, 40), _g("A100", None, 80)], workloads=["inference"]),
    ),
    ("1-year vs 3-year reserved L4, price gap?", _q("compare", gpus=[_g("L4")], plans=["reserved_1y", "reserved_3y"])),
    ("would a 1-year RI beat spot for a T4?", _q("break_even", gpus=[_g("T4")], plans=["reserved_1y", "spot"])),
]

ALL_MORE: list[Row] = [*CHEAPEST, *PRICE, *COMPARE, *RECOMMEND, *OTHER, *MONEY_AND_TERMS]
