"""What is asked, told apart from what is only said beside it: rows and threads, worked out by hand."""

from __future__ import annotations

from question_rows import Row, _g, _q, usd

SOUGHT: list[Row] = [  # cheap is what is looked for, however many names stand there
    (
        "something cheap on the big three: 4x T4 or L4 for debugging, 24h",
        _q(
            "cheapest",
            gpus=[_g("T4", 4), _g("L4", 4)],
            providers=["aws", "azure", "gcp"],
            workloads=["debugging"],
            hours=24,
        ),
    ),
    (
        "AWS and GCP both charge $30/hr for 8xA100, is there anything cheaper?",
        _q("cheapest", gpus=[_g("A100", 8)], providers=["aws", "gcp"], quoted=usd(30, per="hour")),
    ),
    ("find me a cheap A100 or H100 for 3 days", _q("cheapest", gpus=[_g("A100"), _g("H100")], hours=72)),
    ("affordable T4 or L4 for a notebook", _q("cheapest", gpus=[_g("T4"), _g("L4")], workloads=["notebook"])),
    ("any cheap T4 or L4 around?", _q("cheapest", gpus=[_g("T4"), _g("L4")])),
    (
        "we pay $3/hr for L40S or A40, cheaper options?",
        _q("cheapest", gpus=[_g("L40S"), _g("A40")], quoted=usd(3, per="hour")),
    ),
    (
        "can anyone beat $2/hr for A100 or H100?",
        _q("cheapest", gpus=[_g("A100"), _g("H100")], quoted=usd(2, per="hour")),
    ),
    ("AWS和GCP上有没有便宜点的T4", _q("cheapest", gpus=[_g("T4")], providers=["aws", "gcp"])),
    ("有便宜的A100或者H100吗", _q("cheapest", gpus=[_g("A100"), _g("H100")])),
    ("找个便宜点的A100或4090，跑两天", _q("cheapest", gpus=[_g("A100"), _g("RTX4090")], hours=48)),
    ("想租便宜的L4或者T4，用三天", _q("cheapest", gpus=[_g("L4"), _g("T4")], hours=72)),
    ("来个便宜点的，T4或者L4，跑推理", _q("cheapest", gpus=[_g("T4"), _g("L4")], workloads=["inference"])),
    ("便宜的4090或3090，租一周", _q("cheapest", gpus=[_g("RTX4090"), _g("RTX3090")], hours=168)),
]
JUDGED: list[Row] = [  # which of the named is cheaper
    ("is A100 any cheaper than H100 on Lambda?", _q("compare", gpus=[_g("A100"), _g("H100")], providers=["lambda"])),
    ("is Lambda or Crusoe any cheaper for an A100?", _q("compare", gpus=[_g("A100")], providers=["lambda", "crusoe"])),
    (
        "which is the cheaper option, AWS or GCP for A100?",
        _q("compare", gpus=[_g("A100")], providers=["aws", "gcp"]),
    ),
    ("is AWS cheap compared to GCP for H100?", _q("compare", gpus=[_g("H100")], providers=["aws", "gcp"])),
    (
        "can Lambda or Crusoe beat $2/hr for an A100?",
        _q("compare", gpus=[_g("A100")], providers=["lambda", "crusoe"], quoted=usd(2, per="hour")),
    ),
    ("A100和A800有没有哪个更便宜", _q("compare", gpus=[_g("A100"), _g("A800")])),
    ("阿里云有比腾讯云便宜吗，V100", _q("compare", gpus=[_g("V100")], providers=["alibaba", "tencent"])),
    ("要便宜的话选A100还是H100", _q("compare", gpus=[_g("A100"), _g("H100")])),
]
BY_TOTAL: list[Row] = [  # the order of what is weighed; with a superlative the least is wanted
    (
        "coreweave vs crusoe for 8xH200, by total cost",
        _q("compare", gpus=[_g("H200", 8)], providers=["coreweave", "crusoe"], sort="total"),
    ),
    (
        "AWS和GCP按总成本对比，8张H100一周",
        _q("compare", gpus=[_g("H100", 8)], providers=["aws", "gcp"], hours=168, sort="total"),
    ),
    ("A100还是H100，按总价看，跑三天", _q("compare", gpus=[_g("A100"), _g("H100")], hours=72, sort="total")),
    (
        "AWS vs GCP, lowest total cost for 8xH100 for a week",
        _q("cheapest", gpus=[_g("H100", 8)], providers=["aws", "gcp"], hours=168, sort="total"),
    ),
    (
        "rank lambda, runpod and crusoe by total cost for 4 4090s",
        _q("cheapest", gpus=[_g("RTX4090", 4)], providers=["lambda", "runpod", "crusoe"], sort="total"),
    ),
    (
        "A100或H100，按总价排，跑三天",
        _q("cheapest", gpus=[_g("A100"), _g("H100")], hours=72, sort="total"),
    ),
]
PLACES: list[Row] = [  # two regions are weighed beside a plan
    (
        "us-west-2 vs eu-central-1 for g4dn.xlarge spot?",
        _q(
            "compare",
            gpus=[_g("T4", 1)],
            providers=["aws"],
            plans=["spot"],
            regions=["us-west-2", "eu-central-1"],
        ),
    ),
    (
        "Tokyo vs Singapore for reserved H100",
        _q("compare", gpus=[_g("H100")], plans=["reserved"], regions=["jp", "sg"]),
    ),
    (
        "spot A100 in Frankfurt or London, which is better?",
        _q("compare", gpus=[_g("A100")], plans=["spot"], regions=["de", "uk"]),
    ),
    ("东京还是新加坡，竞价A100", _q("compare", gpus=[_g("A100")], plans=["spot"], regions=["jp", "sg"])),
    ("spot A100 in Frankfurt or London, price?", _q("price", gpus=[_g("A100")], plans=["spot"], regions=["de", "uk"])),
]
COMMAS: list[Row] = [  # a comma behind an amount ends no thousands
    (
        "last bill was $9,400, for 4 A16s for a month",
        _q("price", gpus=[_g("A16", 4)], hours=730, quoted=usd(9400, per="total")),
    ),
    ("budget 12,500, what 4090s can we get", _q("budget", gpus=[_g("RTX4090")], budget={"amount": 12500})),
    (
        "AWS quoted $1,250,000, too much? 8xH100 for a year",
        _q("price", gpus=[_g("H100", 8)], hours=8760, providers=["aws"], quoted=usd(1250000, per="total")),
    ),
]
ALL_ASKED: list[Row] = [*SOUGHT, *JUDGED, *BY_TOTAL, *PLACES, *COMMAS]
ASKED_THREADS: list[list[Row]] = [
    [
        ("A100 or H100 for a day, which is cheaper?", _q("compare", gpus=[_g("A100"), _g("H100")], hours=24)),
        ("anything cheaper?", _q("cheapest", gpus=[_g("A100"), _g("H100")], hours=24)),
        ("which of them is cheaper?", _q("compare", gpus=[_g("A100"), _g("H100")], hours=24)),
        ("有便宜点的吗", _q("cheapest", gpus=[_g("A100"), _g("H100")], hours=24)),
    ],
]
