"""Questions in everyday English: numbers that are names, split names, idioms, chat spelling. Worked out by hand."""

from __future__ import annotations

from typing import Any

from question_rows import Row, _g, _q, usd


def _quoted(provider: str, per_hour: float) -> dict[str, Any]:
    """8 A100s of a provider at so many dollars an hour, and a wish for less."""
    return {"gpus": [_g("A100", 8)], "exclude_providers": [provider], "quoted": usd(per_hour, per="hour")}


_L40S: dict[str, Any] = {"gpus": [_g("L40S", 4)], "providers": ["aws"], "quoted": usd(9, per="hour")}
_RIGS: dict[str, Any] = {"gpus": [_g("RTX3090", 4)], "providers": ["vast"]}
_H100S = [_g("H100", form="SXM"), _g("H100", form="PCIe")]
_FORMS = [_g("A100", form="PCIe"), _g("A100", form="SXM")]

# A number behind a ticket, a room, an invoice or a version is its name: neither a card nor a count (contract 4.1).
NAMED_BY_NUMBER: list[Row] = [
    ("JIRA-4090: cheapest L4", _q("cheapest", gpus=[_g("L4")])),
    ("INV-2048: price of two A100s for a week", _q("price", gpus=[_g("A100", 2)], hours=168)),
    ("OPS-3080 - cheapest 2x A40", _q("cheapest", gpus=[_g("A40", 2)])),
    ("Ticket #5090: price of 6 V100s for 10 days", _q("price", gpus=[_g("V100", 6)], hours=240)),
    ("see PR 3090, cost of 2 T4s for a day", _q("price", gpus=[_g("T4", 2)], hours=24)),
    ("order no. 5090: price of 4 T4s", _q("price", gpus=[_g("T4", 4)])),
    ("issue #12, A10G on AWS for 3 hours, cost?", _q("price", gpus=[_g("A10G")], providers=["aws"], hours=3)),
    (
        "meeting room 5090 at 3pm: what do 2 L4s cost a day?",
        _q("price", gpus=[_g("L4", 2)], hours=24),
    ),
    ("we meet in room A40, price of L40S for a week?", _q("price", gpus=[_g("L40S")], hours=168)),
    ("version 4090 of the trainer, cheapest A30 for it", _q("cheapest", gpus=[_g("A30")])),
    ("invoice no 3090 for 8 V100s on aws, price?", _q("price", gpus=[_g("V100", 8)], providers=["aws"])),
    ("工单4090:8张A800跑一周多少钱", _q("price", gpus=[_g("A800", 8)], hours=168)),
    ("在4090会议室讨论,L4一天多少钱", _q("price", gpus=[_g("L4")], hours=24)),
    ("per slide 4090, what is the price of 4 A10s?", _q("price", gpus=[_g("A10", 4)])),
    ("our 3090 users need inference on an L4, price", _q("price", gpus=[_g("L4")], workloads=["inference"])),
    ("it took 4090 steps on a V100, price of one for a day", _q("price", gpus=[_g("V100")], hours=24)),
    ('"5090 requests/s" on T4s, which gpu?', _q("recommend", gpus=[_g("T4")])),
    (  # both hours and a card
        "3090 hours on a 4090, price",
        _q("price", gpus=[_g("RTX4090")], hours=3090),
    ),
    # and what only looks like it
    ("order 4 A100s, price?", _q("price", gpus=[_g("A100", 4)])),
    ("for a training job - 8 H100s for 3 days", _q("price", gpus=[_g("H100", 8)], hours=72, workloads=["training"])),
    ("one request. 4 A100s for a week, price", _q("price", gpus=[_g("A100", 4)], hours=168)),
    ("NVIDIA-4090 price", _q("price", gpus=[_g("RTX4090")])),
    ("figure 4090s cost less than A100s?", _q("compare", gpus=[_g("RTX4090"), _g("A100")])),
    ("DUAL-4090 price", _q("price", gpus=[_g("RTX4090", 2)])),
    ("just in case 4090 is cheaper than L4", _q("compare", gpus=[_g("RTX4090"), _g("L4")])),
    ("room 4090, is lunch there?", _q("unsupported")),
]

# A space inside a model's name does not matter, as long as its letter is no article and no unit.
SPLIT_NAMES: list[Row] = [
    ("cheapest h 200 x8 for a fortnight", _q("cheapest", gpus=[_g("H200", 8)], hours=336)),
    ("price of 4 x H 100 sxm for a week", _q("price", gpus=[_g("H100", 4, form="SXM")], hours=168)),
    ("how much is an A 100?", _q("price", gpus=[_g("A100")])),
    ("need the a 100 40gb for 5 h, price", _q("price", gpus=[_g("A100", None, 40)], hours=5)),
    ("price of 2 L 40S on AWS", _q("price", gpus=[_g("L40S", 2)], providers=["aws"])),
    ("is T 4 enough for 7B?", _q("specs", gpus=[_g("T4")], model_params_b=7)),
    ("how much is a 100 GB volume on AWS", _q("price", providers=["aws"], storage_gb=100)),
    ("run it for 24 h 100 GPUs, price", _q("price", gpu_count=100, hours=24, clarify=True)),
    ("A 100 GPU cluster for training, which platform?", _q("recommend", gpu_count=100, workloads=["training"])),
    ("price of T4 with option b 200 hours", _q("price", gpus=[_g("T4")], hours=200)),
    ("price of 4 GB 200 for 3 days", _q("price", gpus=[_g("GB200", 4)], hours=72)),
    ("disk of 80 GB 200 hours of L4, price", _q("price", gpus=[_g("L4")], hours=200, storage_gb=80)),
]

# One model in two or three forms or memory sizes is an entry for each (4.1).
VARIANTS: list[Row] = [
    (
        "cheapest 4x H200, either SXM or NVL",
        _q("cheapest", gpus=[_g("H200", 4, form="SXM"), _g("H200", 4, form="NVL")]),
    ),
    ("A100 (PCIe or SXM) for a week, cheapest", _q("cheapest", hours=168, gpus=_FORMS)),
    ("cheapest A100 in PCIe or SXM form", _q("cheapest", gpus=_FORMS)),
    ("V100, 16GB or 32GB, cheapest", _q("cheapest", gpus=[_g("V100", None, 16), _g("V100", None, 32)])),
    (
        "16 or 32GB V100 for 2 days, cheapest",
        _q("cheapest", hours=48, gpus=[_g("V100", None, 16), _g("V100", None, 32)]),
    ),
    (
        "lowest price of 8x H100: SXM, PCIe or NVL",
        _q("cheapest", gpus=[_g("H100", 8, form="SXM"), _g("H100", 8, form="PCIe"), _g("H100", 8, form="NVL")]),
    ),
    ("A100-40 vs A100-80", _q("compare", gpus=[_g("A100", None, 40), _g("A100", None, 80)])),
    ("A100_80GB x4, price", _q("price", gpus=[_g("A100", 4, 80)])),
    ("a100sxm4 80gb price", _q("price", gpus=[_g("A100", None, 80, "SXM")])),
    ("8*h100pcie price", _q("price", gpus=[_g("H100", 8, form="PCIe")])),
    ("h200nvl price", _q("price", gpus=[_g("H200", form="NVL")])),
    ("16+ H200s, price", _q("price", gpus=[_g("H200", 16)])),
    ("8 or more A100s, price", _q("price", gpus=[_g("A100", 8)])),
    ("A100 with 80GB and 500GB of disk, price", _q("price", gpus=[_g("A100", None, 80)], storage_gb=500)),
    ("2 or 4 80GB A100s, price", _q("price", gpus=[_g("A100", 4, 80)])),
]

# T behind a number is trillions of parameters of a model, terabytes of data, or tokens, which no slot holds (4.8).
SIZES: list[Row] = [
    ("pretraining a 2T MoE, which GPU?", _q("recommend", workloads=["training"], model_params_b=2000)),
    (
        "serve a 1.5T dense model, how many H200s?",
        _q("recommend", gpus=[_g("H200")], workloads=["inference"], model_params_b=1500),
    ),
    ("does a 1T sparse mixture fit on 8xB200?", _q("specs", gpus=[_g("B200", 8)], model_params_b=1000)),
    (
        "pretrain a 1T on 512 H100s for a month, price",
        _q("price", gpus=[_g("H100", 512)], hours=730, workloads=["training"], model_params_b=1000),
    ),
    ("1T的MoE推理要几张H200", _q("recommend", gpus=[_g("H200")], workloads=["inference"], model_params_b=1000)),
    (
        "train a 1T dataset of images on an A100, price",
        _q("price", gpus=[_g("A100")], workloads=["training"], data_gb=1000),
    ),
    (
        "fine-tune 7B on 300B tokens, cheapest H100",
        _q("cheapest", gpus=[_g("H100")], workloads=["fine_tuning"], model_params_b=7),
    ),
    (
        "7B 2T tokens pretraining on 64 H100s, price",
        _q("price", gpus=[_g("H100", 64)], workloads=["training"], model_params_b=7),
    ),
    ("pretrain 3B on 2T high-quality tokens, which GPU?", _q("recommend", workloads=["training"], model_params_b=3)),
]

# Work in GPU-hours with the model between, and its thousands in k (4.2).
WORK: list[Row] = [
    ("1.2k T4 GPU-hours on gcp, what's the cost?", _q("price", gpus=[_g("T4")], gpu_hours=1200, providers=["gcp"])),
    ("500 A100 GPU hours, price", _q("price", gpus=[_g("A100")], gpu_hours=500)),
    ("10,000 A100 80GB GPU-hours, cheapest", _q("cheapest", gpus=[_g("A100", None, 80)], gpu_hours=10000)),
    ("2万H100卡时多少钱", _q("price", gpus=[_g("H100")], gpu_hours=20000)),
    ("3k H200-hours, price", _q("price", gpus=[_g("H200")], gpu_hours=3000)),
    ("40 hours of 8 H100s, price", _q("price", gpus=[_g("H100", 8)], hours=40)),
    (
        "12 grand for 4k H100 GPU-hours, fair?",
        _q("price", gpus=[_g("H100")], gpu_hours=4000, quoted={"amount": 12000, "per": "total"}),
    ),
]

# A price of each card, with and without a currency, and the state the cards are in (4.7).
BOUGHT: list[Row] = [
    (  # 6 x 1.5 grand
        "buying 6 RTX 4090s at 1.5 grand each vs renting, when do we break even?",
        _q("break_even", gpus=[_g("RTX4090", 6)], purchase_price={"amount": 9000}),
    ),
    (  # 8 x 25000
        "buy 8 H100s at 25000 each or rent?",
        _q("break_even", gpus=[_g("H100", 8)], purchase_price={"amount": 200000}),
    ),
    (  # 2 x 1.2k
        "two second-hand 3090s at 1.2k apiece, worth buying vs renting?",
        _q("break_even", gpus=[_g("RTX3090", 2)], purchase_price={"amount": 2400}),
    ),
    (  # 8 x 30k
        "purchase price 30k per card for 8 H200, break even against on-demand?",
        _q("break_even", gpus=[_g("H200", 8)], plans=["on_demand"], purchase_price={"amount": 240000}),
    ),
    (
        "we could buy three used A6000s for 7,500 bucks all in, worth it or keep renting on vast?",
        _q("break_even", gpus=[_g("A6000", 3)], providers=["vast"], purchase_price=usd(7500)),
    ),
    ("price of 4 brand new A100s", _q("price", gpus=[_g("A100", 4)])),
    ("cheapest 8 dedicated H100s", _q("cheapest", gpus=[_g("H100", 8)])),
    ("16 spare V100s for a day, price", _q("price", gpus=[_g("V100", 16)], hours=24)),
    ("买4张二手4090一共3万,比租划算吗", _q("break_even", gpus=[_g("RTX4090", 4)], purchase_price={"amount": 30000})),
    ("2 nodes with 8 each, H100, price", _q("price", gpus=[_g("H100", 8)], nodes=2)),
]

# The everyday word spot is no plan (4.5); a card that comes out is on the market, not ruled out (7).
IDIOMS: list[Row] = [
    ("in a rough spot here: does 13B fit on an A10?", _q("specs", gpus=[_g("A10")], model_params_b=13)),
    ("save me a spot, and price of A100 on AWS", _q("price", gpus=[_g("A100")], providers=["aws"])),
    ("got a spot on the H100 waitlist, price on lambda?", _q("price", gpus=[_g("H100")], providers=["lambda"])),
    ("in a difficult spot financially, cheapest T4?", _q("cheapest", gpus=[_g("T4")])),
    ("same spot as last year, price of an L4", _q("price", gpus=[_g("L4")])),
    ("cheapest A100 on a spot basis", _q("cheapest", gpus=[_g("A100")], plans=["spot"])),
    ("get me a spot 4090 for 2 days, price", _q("price", gpus=[_g("RTX4090")], hours=48, plans=["spot"])),
    (
        "price of an 8xH100 at the current spot on AWS",
        _q("price", gpus=[_g("H100", 8)], plans=["spot"], providers=["aws"]),
    ),
    ("will H100 prices fall when the B200 is out?", _q("explain", gpus=[_g("H100"), _g("B200")])),
    ("after the B300 is out, will H200 prices fall?", _q("explain", gpus=[_g("B300"), _g("H200")])),
    ("MI355X is out now, what does it cost?", _q("price", gpus=[_g("MI355X")])),
    ("now that the B300 is out, who offers it?", _q("recommend", gpus=[_g("B300")])),
    ("if AWS is out, cheapest A100?", _q("cheapest", gpus=[_g("A100")], exclude_providers=["aws"])),
    ("spot is out, A100 price", _q("price", gpus=[_g("A100")], exclude_plans=["spot"])),
]

# What is asked, told by the rule and not by one word.
ASKED: list[Row] = [
    # a digest that is asked to be shown, and one whose content is to change (5)
    ("show me last week's digest, reserved only", _q("digest", action="show", plans=["reserved"])),
    ("please show the digest excluding T4", _q("digest", action="show", exclude_gpus=["T4"])),
    ("give me today's digest w/o V100", _q("digest", action="show", exclude_gpus=["V100"])),
    ("latest digest for A100 only please", _q("digest", action="show", gpus=[_g("A100")])),
    ("drop the L4 from the digest", _q("digest", action="subscribe", exclude_gpus=["L4"])),
    ("add L4 to the latest digest", _q("digest", action="subscribe", gpus=[_g("L4")])),
    ("show only spot in the digest from now on", _q("digest", action="subscribe", plans=["spot"])),
    ("show me the digest every monday", _q("digest", action="subscribe")),
    # chat spelling
    ("which providers do u support?", _q("help")),
    ("how fresh is ur data", _q("help")),
    ("wat clouds r covered", _q("help")),
    ("hw much r 8 A100s w/ NVLink for a week", _q("price", gpus=[_g("A100", 8)], hours=168, needs=["interconnect"])),
    ("cheapest H100 w/o spot", _q("cheapest", gpus=[_g("H100")], exclude_plans=["spot"])),
    ("can u find the cheapest A100?", _q("cheapest", gpus=[_g("A100")])),
    ("price in U.S. for an A100", _q("price", gpus=[_g("A100")], regions=["us"])),
    ("R&D team needs an A100, price", _q("price", gpus=[_g("A100")])),
    ("bot 都 support 哪些 clouds?", _q("help")),
    ("你们都cover哪些云", _q("help")),
    # a machine without a GPU, and an asker without one
    ("need a 32 vCPU server on GCP, no GPU", _q("unsupported")),
    ("16 core cpu server without a gpu on Azure, price?", _q("unsupported")),
    ("we don't need a GPU, just 32 vCPUs", _q("unsupported")),
    ("8 vCPU instance, non-GPU, price on GCP", _q("unsupported")),
    ("we have no GPUs, which platform should we rent from?", _q("recommend", clarify=True)),
    ("no GPU on our box, cheapest L4?", _q("cheapest", gpus=[_g("L4")])),
    # money that has no amount
    ("what would our credits get us?", _q("budget", clarify=True)),
    ("how far will our grant go?", _q("budget", clarify=True)),
    ("how long will my cloud credits last?", _q("budget", clarify=True)),
    ("what can we rent with our remaining funding?", _q("budget", clarify=True)),
    ("do AWS credits expire?", _q("explain", providers=["aws"])),
    # a comparison of nothing yet, and the difference of two terms
    ("could you compare those for us?", _q("compare", clarify=True)),
    ("compare all three", _q("compare", clarify=True)),
    ("side by side comparison please", _q("compare", clarify=True)),
    ("how do the two compare?", _q("compare", clarify=True)),
    ("compare reserved and on-demand", _q("explain", plans=["reserved", "on_demand"])),
    # a term, however plain the answer is to be
    ("what is infiniband, in plain english?", _q("explain")),
    ("what's rdma in layman's terms?", _q("explain")),
    ("what is k8s, in simple terms?", _q("explain")),
    # a price that is told beside the question for a platform (tie-breaker 4)
    (
        "Our last bill was $12,000 for 4 H100s. Which platform should we switch to?",
        _q("recommend", gpus=[_g("H100", 4)], quoted=usd(12000, per="total")),
    ),
    (
        "Lambda quoted us $2/hr for an A100, who would you recommend for training?",
        _q("recommend", gpus=[_g("A100")], providers=["lambda"], quoted=usd(2, per="hour"), workloads=["training"]),
    ),
    (
        "We pay CoreWeave $2.2 per GPU-hour for 16 H100s; what platform do you suggest with kubernetes?",
        _q(
            "recommend",
            gpus=[_g("H100", 16)],
            providers=["coreweave"],
            quoted=usd(2.2, per="gpu_hour"),
            needs=["kubernetes"],
        ),
    ),
    ("paid $900 for 2 A100s, is that a good price?", _q("price", gpus=[_g("A100", 2)], quoted=usd(900, per="total"))),
    ("quoted $3/hr for H100, which cloud is cheaper?", _q("cheapest", gpus=[_g("H100")], quoted=usd(3, per="hour"))),
]

# Prices as people tell them: without a currency, without a verb of the trade, of a machine against a provider (4.7).
TOLD: list[Row] = [
    (
        "quote from Nebius: $2.05/GPU-hr for 32 H100s. reasonable?",
        _q("price", gpus=[_g("H100", 32)], providers=["nebius"], quoted=usd(2.05, per="gpu_hour")),
    ),
    (
        "got 1.9 per gpu hour from crusoe for an h200, can anyone beat it",
        _q("cheapest", gpus=[_g("H200")], exclude_providers=["crusoe"], quoted={"amount": 1.9, "per": "gpu_hour"}),
    ),
    (
        "someone offers 2.1/hr for an A100, good?",
        _q("price", gpus=[_g("A100")], quoted={"amount": 2.1, "per": "hour"}),
    ),
    (
        "we blew $11k on 8xA100 last month at AWS, is there anything cheaper in europe?",
        _q(
            "cheapest",
            gpus=[_g("A100", 8)],
            exclude_providers=["aws"],
            regions=["eu"],
            quoted=usd(11000, per="total"),
        ),
    ),
    (
        "Azure charges us $30/hr for 8 V100s, anything cheaper?",
        _q("cheapest", gpus=[_g("V100", 8)], exclude_providers=["azure"], quoted=usd(30, per="hour")),
    ),
    (
        "when would a $15,000 A40 server pay for itself versus lambda at $0.80/hr?",
        _q(
            "break_even",
            gpus=[_g("A40")],
            providers=["lambda"],
            purchase_price=usd(15000),
            quoted=usd(0.8, per="hour"),
        ),
    ),
    (
        "a $3k 4090 rig vs runpod, when does it break even?",
        _q("break_even", gpus=[_g("RTX4090")], providers=["runpod"], purchase_price=usd(3000)),
    ),
    (  # a month, around the clock
        "is 20k/month enough for 16 H100s around the clock?",
        _q("budget", gpus=[_g("H100", 16)], hours=730, hours_per_day=24, budget={"amount": 20000}),
    ),
    (
        "I've got 750 bucks. longest I can run 4 L40S?",
        _q("budget", gpus=[_g("L40S", 4)], budget=usd(750)),
    ),
    # 6 hours a day on 5 days of 7 for 4 weeks: 672 x 6/24 x 5/7 = 120
    ("L4 6h a day monday to friday for 4 weeks, price", _q("price", gpus=[_g("L4")], hours=120, hours_per_day=6)),
    ("anywhere but us: A100 for 20 h", _q("price", gpus=[_g("A100")], hours=20, exclude_regions=["us"])),
    ("TPU v5e pod of 16 for 2 days", _q("price", gpus=[_g("TPUv5e", 16)], hours=48)),
    (
        "runpod wants 0.69 an hour for a 4090, fair?",
        _q("price", gpus=[_g("RTX4090")], providers=["runpod"], quoted={"amount": 0.69, "per": "hour"}),
    ),
    (
        "paying lambda 1.29/hr now for an A100. alternatives?",
        _q("recommend", gpus=[_g("A100")], exclude_providers=["lambda"], quoted={"amount": 1.29, "per": "hour"}),
    ),
    # 18 hours on each of 20 days; 3 months of 15 days of 8 hours
    ("18 hours a day, 20 days a month, T4, price", _q("price", gpus=[_g("T4")], hours=360, hours_per_day=18)),
    ("8h a day, 15 days a month, for 3 months on L4, price", _q("price", gpus=[_g("L4")], hours=360, hours_per_day=8)),
    ("total of 640GB vram for a 405B, what do you recommend", _q("recommend", total_memory_gb=640, model_params_b=405)),
    ("will 24 gigs do for sdxl training?", _q("specs", min_memory_gb=24, workloads=["training"])),
    ("mi300x hbm size?", _q("specs", gpus=[_g("MI300X")])),
    ("H200 memory?", _q("specs", gpus=[_g("H200")])),
    ("do you have prices for hyperstack?", _q("help")),
    ("do you have prices for 8xA100 on AWS?", _q("price", gpus=[_g("A100", 8)], providers=["aws"])),
    (
        "moving 12 TB from google cloud to lambda, what does it cost?",
        _q("price", providers=["gcp", "lambda"], data_gb=12000, data_direction="out"),
    ),
]

# What kind of answer is asked for (5).
KINDS: list[Row] = [
    ("should i worry about egress fees", _q("explain")),
    ("should we care about preemption on spot?", _q("explain", plans=["spot"])),
    ("are h200 prices going down?", _q("explain", gpus=[_g("H200")])),
    ("when will the MI355X be available?", _q("explain", gpus=[_g("MI355X")])),
    ("gpu prices last month vs this month", _q("digest", action="show")),
    ("any changes in L4 prices?", _q("digest", action="show", gpus=[_g("L4")])),
    ("anything new in prices?", _q("digest", action="show")),
    ("what did rig-2 score in tf32?", _q("benchmark", action="show", dtype="tf32", host="rig-2")),
    ("what's the biggest model I can run on a 3090?", _q("specs", gpus=[_g("RTX3090")])),
    ("largest llm that fits 2 H100s?", _q("specs", gpus=[_g("H100", 2)])),
    ("how big a model can an L40S serve?", _q("specs", gpus=[_g("L40S")], workloads=["inference"])),
    ("what is the biggest model i can train for $5000?", _q("budget", budget=usd(5000), workloads=["training"])),
    ("vram needed for mixtral 8x22b in int4", _q("specs", model_params_b=141, dtype="int4")),
    ("memory requirements of a 34B", _q("specs", model_params_b=34)),
    ("A100 in europe or us, which is cheaper?", _q("compare", gpus=[_g("A100")], regions=["eu", "us"])),
    ("price of a T4 in tokyo, singapore or us", _q("price", gpus=[_g("T4")], regions=["jp", "sg", "us"])),
]

MORE: list[Row] = [
    (
        "I was told $25/hr for 8xA100 40GB on AWS is normal, true?",
        _q("price", gpus=[_g("A100", 8, 40)], providers=["aws"], quoted=usd(25, per="hour")),
    ),
    (
        "2000 INR/hr for 2 A100s, is that cheap?",
        _q("price", gpus=[_g("A100", 2)], quoted={"amount": 2000, "currency": "INR", "per": "hour"}),
    ),
    (
        "£1.20 per hour for a 4090 in the UK, expensive?",
        _q("price", gpus=[_g("RTX4090")], regions=["uk"], quoted={"amount": 1.2, "currency": "GBP", "per": "hour"}),
    ),
    (
        "do not show me vast or runpod. cheapest 4x3090 for 60h",
        _q("cheapest", gpus=[_g("RTX3090", 4)], hours=60, exclude_providers=["vast", "runpod"]),
    ),
    ("don't suggest aws, cheapest 2 L4s", _q("cheapest", gpus=[_g("L4", 2)], exclude_providers=["aws"])),
    (
        "endpoint for 7B, p95 under 200ms",
        _q("recommend", workloads=["inference"], model_params_b=7, needs=["low_latency"]),
    ),
    (
        "A100 80 on lambda vs runpod for 100h",
        _q("compare", gpus=[_g("A100", None, 80)], providers=["lambda", "runpod"], hours=100),
    ),
    ("A100 80 hours, price", _q("price", gpus=[_g("A100")], hours=80)),
    ("A100, 40 of them, price", _q("price", gpus=[_g("A100", 40)])),
    (  # a rate of data, no unit of the price
        "egress 3TB/month from aws and gcp: compare",
        _q("compare", providers=["aws", "gcp"], data_gb=3000, data_direction="out"),
    ),
    ("x8 A100 80GB SXM, price per month", _q("price", gpus=[_g("A100", 8, 80, "SXM")], hours=730)),
    (
        "train 13B on 8 A100s, finish in 5 days, price",
        _q("price", gpus=[_g("A100", 8)], hours=120, workloads=["training"], model_params_b=13),
    ),
    ("A100, 80GB, for a week, price", _q("price", gpus=[_g("A100", None, 80)], hours=168)),
    ("need a GPU, 24GB, cheapest", _q("cheapest", min_memory_gb=24)),
]

ALL_ENGLISH: list[Row] = [
    *NAMED_BY_NUMBER, *SPLIT_NAMES, *VARIANTS, *SIZES, *WORK, *BOUGHT, *IDIOMS, *ASKED, *TOLD, *KINDS, *MORE,
]  # fmt: skip

_A100 = [_g("A100", 8)]
_PRICED = _q("price", gpus=[_g("A100", 4)], hours=168)

# A thread: what is quoted, asked and corrected changes in place (8).
ENGLISH_THREADS: list[list[Row]] = [
    [  # a correction replaces the quoted price, and no limit comes of it
        ("GCP charges us $44/hr for 8xA100, anything cheaper?", _q("cheapest", **_quoted("gcp", 44))),
        ("correction: they charge us $41/hr", _q("cheapest", **_quoted("gcp", 41))),
        ("sorry, $39 an hour", _q("cheapest", **_quoted("gcp", 39))),
        ("they lowered it to $36/hr", _q("cheapest", **_quoted("gcp", 36))),
        ("under $30/hr", _q("cheapest", **_quoted("gcp", 36), budget_per_hour=usd(30))),
        (
            "how does that compare to azure?",
            _q("compare", **_quoted("gcp", 36), budget_per_hour=usd(30), providers=["azure"]),
        ),
    ],
    [
        (
            "Lambda quoted $2.40 per GPU-hour for H100s, good price?",
            _q("price", gpus=[_g("H100")], providers=["lambda"], quoted=usd(2.4, per="gpu_hour")),
        ),
        (
            "correction: $2.10",
            _q("price", gpus=[_g("H100")], providers=["lambda"], quoted=usd(2.1, per="gpu_hour")),
        ),
        (
            "what about $1.90?",
            _q("price", gpus=[_g("H100")], providers=["lambda"], quoted=usd(1.9, per="gpu_hour")),
        ),
    ],
    [
        (
            "we pay $3000 a month for 2 A100s, good?",
            _q("price", gpus=[_g("A100", 2)], quoted=usd(3000, per="month")),
        ),
        ("correction, $2800 a month", _q("price", gpus=[_g("A100", 2)], quoted=usd(2800, per="month"))),
        ("actually it's 2,700", _q("price", gpus=[_g("A100", 2)], quoted=usd(2700, per="month"))),
    ],
    [
        ("Azure报价每小时30美元8张A100,贵吗", _q("price", gpus=_A100, providers=["azure"], quoted=usd(30, per="hour"))),
        ("说错了,是每小时28美元", _q("price", gpus=_A100, providers=["azure"], quoted=usd(28, per="hour"))),
    ],
    [  # 8 x 25k, 8 x 28k
        ("buy 8 A100s at $25k each or rent?", _q("break_even", gpus=_A100, purchase_price=usd(200000))),
        ("correction: $28k each", _q("break_even", gpus=_A100, purchase_price=usd(224000))),
        ("sorry, $210k in total", _q("break_even", gpus=_A100, purchase_price=usd(210000))),
    ],
    [
        ("cheapest L4 with 500GB egress", _q("cheapest", gpus=[_g("L4")], data_gb=500, data_direction="out")),
        ("sorry, 300GB", _q("cheapest", gpus=[_g("L4")], data_gb=300, data_direction="out")),
    ],
    [
        ("4 A100s for a week, price", _PRICED),
        ("does a 70B fit on that?", {**_PRICED, "intent": "specs", "model_params_b": 70}),
        ("what is the total?", {**_PRICED, "model_params_b": 70}),
        ("10 days instead of 7", {**_PRICED, "hours": 240, "model_params_b": 70}),
        ("sorry 6, not 4", {**_PRICED, "gpus": [_g("A100", 6)], "hours": 240, "model_params_b": 70}),
        (
            "either 40GB or 80GB",
            {**_PRICED, "gpus": [_g("A100", 6, 40), _g("A100", 6, 80)], "hours": 240, "model_params_b": 70},
        ),
    ],
    [  # a fact of hardware and a term, after a price that was quoted
        ("we pay $9/hr for 4 L40S on aws, fair?", _q("price", **_L40S)),
        ("what's the memory bandwidth of that?", _q("specs", **_L40S)),
        ("can it run 34B in int8?", _q("specs", **_L40S, model_params_b=34, dtype="int8")),
        ("does aws bill stopped instances?", _q("explain", **_L40S, model_params_b=34, dtype="int8")),
        ("what is nvlink?", _q("explain", **_L40S, model_params_b=34, dtype="int8")),
        ("which platform should we move to?", _q("recommend", **_L40S, model_params_b=34, dtype="int8")),
    ],
    [
        ("H100 price on lambda", _q("price", gpus=[_g("H100")], providers=["lambda"])),
        ("does it have nvlink?", _q("specs", gpus=[_g("H100")], providers=["lambda"])),
        ("either SXM or PCIe, price?", _q("price", gpus=_H100S, providers=["lambda"])),
    ],
    [
        ("2k T4 GPU-hours on aws", _q("price", gpus=[_g("T4")], gpu_hours=2000, providers=["aws"])),
        ("what about 3k?", _q("price", gpus=[_g("T4")], gpu_hours=3000, providers=["aws"])),
        ("just 40 hours", _q("price", gpus=[_g("T4")], hours=40, providers=["aws"])),
    ],
    [
        ("show me this week's digest", _q("digest", action="show")),
        ("spot only", _q("digest", action="show", plans=["spot"])),
        ("only spot from now on", _q("digest", action="subscribe", plans=["spot"])),
    ],
    [
        ("cheapest A100 in the EU", _q("cheapest", gpus=[_g("A100")], regions=["eu"])),
        ("per JIRA-4090 make it 4 of them", _q("cheapest", gpus=[_g("A100", 4)], regions=["eu"])),
        ("ticket #3090 says two weeks", _q("cheapest", gpus=[_g("A100", 4)], regions=["eu"], hours=336)),
        ("h 200 instead", _q("cheapest", gpus=[_g("H200", 4)], regions=["eu"], hours=336)),
    ],
    [  # a supposition is about the price of buying, too: 4 x 1800, 4 x 1600
        ("should I buy 4 3090s at $1800 each or rent on vast?", _q("break_even", **_RIGS, purchase_price=usd(7200))),
        ("what if they cost $1600 each?", _q("break_even", **_RIGS, purchase_price=usd(6400))),
    ],
    [  # whether a price that was quoted before is good
        (
            "8 A100s for a week, AWS quote was $5,400",
            _q("price", gpus=_A100, hours=168, providers=["aws"], quoted=usd(5400, per="total")),
        ),
        (
            "sorry it was $4,500",
            _q("price", gpus=_A100, hours=168, providers=["aws"], quoted=usd(4500, per="total")),
        ),
        ("is that good?", _q("price", gpus=_A100, hours=168, providers=["aws"], quoted=usd(4500, per="total"))),
    ],
    [
        ("is 24GB enough for 13B?", _q("specs", min_memory_gb=24, model_params_b=13)),
        ("what about 48?", _q("specs", min_memory_gb=48, model_params_b=13)),
    ],
    [  # what is taken back is not named
        ("A100 price", _q("price", gpus=[_g("A100")])),
        ("forget the A100, H200 please", _q("price", gpus=[_g("H200")])),
    ],
    [
        ("recommend a cloud for inference of 13B", _q("recommend", workloads=["inference"], model_params_b=13)),
        (
            "latency matters",
            _q("recommend", workloads=["inference"], model_params_b=13, needs=["low_latency"]),
        ),
    ],
    [  # what is named without its unit, its way or its memory
        ("cheapest 4090", _q("cheapest", gpus=[_g("RTX4090")])),
        ("A100 instead, 80GB", _q("cheapest", gpus=[_g("A100", None, 80)])),
        ("monthly?", _q("cheapest", gpus=[_g("A100", None, 80)], hours=730)),
        ("and yearly?", _q("cheapest", gpus=[_g("A100", None, 80)], hours=8760)),
    ],
    [
        ("compare A100 and H100 for training", _q("compare", gpus=[_g("A100"), _g("H100")], workloads=["training"])),
        ("per tflop", _q("compare", gpus=[_g("A100"), _g("H100")], workloads=["training"], sort="per_tflop")),
    ],
    [
        ("egress 2TB from aws, price", _q("price", providers=["aws"], data_gb=2000, data_direction="out")),
        ("what if I upload it instead?", _q("price", providers=["aws"], data_gb=2000, data_direction="in")),
    ],
    [
        ("L4 at $0.5/hr on vast, good?", _q("price", gpus=[_g("L4")], providers=["vast"], quoted=usd(0.5, per="hour"))),
        ("runpod wants $0.7", _q("price", gpus=[_g("L4")], providers=["runpod"], quoted=usd(0.7, per="hour"))),
    ],
]
