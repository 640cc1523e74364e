"""What is asked, told apart from what is only said beside it: rows and threads, worked out by hand."""

from __future__ import annotations

from question_rows import Row, _g, _q, cny, usd

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
    ("is T4 or L4 cheap?", _q("compare", gpus=[_g("T4"), _g("L4")])),
    ("租A100便宜还是租4090便宜，三天", _q("compare", gpus=[_g("A100"), _g("RTX4090")], hours=72)),
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
PLACES_ALONE: list[Row] = [  # one place against another, in a sentence of its own
    (
        "is Singapore cheaper than Japan for an MI300X on vultr, 200 hours",
        _q("compare", gpus=[_g("MI300X")], regions=["sg", "jp"], providers=["vultr"], hours=200),
    ),
    (
        "is it cheaper in Germany than in France for 4 L40S",
        _q("compare", gpus=[_g("L40S", 4)], regions=["de", "fr"]),
    ),
    ("香港的4090比国内便宜吗", _q("compare", gpus=[_g("RTX4090")], regions=["hk", "cn"])),
    ("新加坡比日本便宜吗，MI300X", _q("compare", gpus=[_g("MI300X")], regions=["sg", "jp"])),
]

MOST_OF_ALL: list[Row] = [  # an order that is asked for is no fact of hardware; a spot to rent at is no plan
    (
        "显存不低于80G，4张卡，哪家总价最低",
        _q("cheapest", gpu_count=4, min_memory_gb=80, sort="total"),
    ),
    (
        "cheapest spot to get two T4s for 5 hours?",
        _q("cheapest", gpus=[_g("T4", 2)], hours=5),
    ),
    (
        "cheapest spot T4 to rent for 5 hours?",
        _q("cheapest", gpus=[_g("T4")], hours=5, plans=["spot"]),
    ),
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
IN_HAND: list[Row] = [  # money of which no currency is said: what one has, and nothing is counted
    ("手上有8千，能租啥卡训练两周", _q("budget", budget={"amount": 8000}, hours=336, workloads=["training"])),
    ("手头有8000，租H100能用多久", _q("budget", gpus=[_g("H100")], budget={"amount": 8000})),
    ("账上还有5万，能开几张H100", _q("budget", gpus=[_g("H100")], budget={"amount": 50000})),
    ("兜里还剩3000，够跑L4一周吗", _q("budget", gpus=[_g("L4")], hours=168, budget={"amount": 3000})),
    ("we have 5k left, what can we rent?", _q("budget", budget={"amount": 5000})),
    ("I've got 2000, which gpus could I get for a month?", _q("budget", budget={"amount": 2000}, hours=730)),
    (
        "we've 8k to burn, what could we train on for two weeks?",
        _q("budget", budget={"amount": 8000}, hours=336, workloads=["training"]),
    ),
    (
        "there's 10k left, is it enough for 8xA100 for a week?",
        _q("budget", gpus=[_g("A100", 8)], hours=168, budget={"amount": 10000}),
    ),
    ("手里有8张A100，能跑70B吗", _q("specs", gpus=[_g("A100", 8)], model_params_b=70)),
    ("还剩3天，A100多少钱", _q("price", gpus=[_g("A100")], hours=72)),
    (
        "we have 2000 images, what can I rent to train on them?",
        _q("recommend", workloads=["training"]),
    ),
    (
        "we have 500 users, which gpu for serving a 7B?",
        _q("recommend", workloads=["inference"], model_params_b=7),
    ),
]
STOPPED: list[Row] = [  # the digest is to come no more; with a thing named, its content changes
    ("别再给我发 weekly price digest 了", _q("digest", action="unsubscribe")),
    ("别往这里推周报了", _q("digest", action="unsubscribe")),
    ("不要再给我们发价格周报", _q("digest", action="unsubscribe")),
    ("以后不用给我发周报了", _q("digest", action="unsubscribe")),
    ("别发每周价格了", _q("digest", action="unsubscribe")),
    ("don't send me the digest anymore", _q("digest", action="unsubscribe")),
    ("please don't post the price digest here again", _q("digest", action="unsubscribe")),
    ("we no longer want to get the weekly digest", _q("digest", action="unsubscribe")),
    ("quit posting the gpu price digest in this channel", _q("digest", action="unsubscribe")),
    ("don't send the T4 in the digest anymore", _q("digest", action="subscribe", exclude_gpus=["T4"])),
    ("周报里别再发T4", _q("digest", action="subscribe", exclude_gpus=["T4"])),
    ("每周一给我发价格周报", _q("digest", action="subscribe")),
    ("别推荐贵的，推荐便宜的4090", _q("cheapest", gpus=[_g("RTX4090")])),
]
SAVINGS: list[Row] = [  # a savings plan is no saving that is asked for
    ("difference between a savings plan and spot?", _q("explain", plans=["reserved", "spot"])),
    ("savings plan和竞价有什么区别", _q("explain", plans=["reserved", "spot"])),
    ("difference between savings plans and pay-as-you-go", _q("explain", plans=["reserved", "on_demand"])),
    ("difference in cost between a savings plan and spot", _q("compare", plans=["reserved", "spot"])),
    ("savings plan vs on-demand, price gap?", _q("compare", plans=["reserved", "on_demand"])),
    ("savings plan和按需差多少钱", _q("compare", plans=["reserved", "on_demand"])),
]
VALUE: list[Row] = [  # for its money, not its memory
    ("48G显存的卡里性价比高的是哪个", _q("recommend", min_memory_gb=48, sort="per_tflop")),
    ("24G显存里哪张卡性价比最高", _q("recommend", min_memory_gb=24, sort="per_tflop")),
    ("which cards with 24GB have the best bang for the buck?", _q("recommend", min_memory_gb=24, sort="per_tflop")),
    (
        "which gpus with at least 48GB offer the best price/performance?",
        _q("recommend", min_memory_gb=48, sort="per_tflop"),
    ),
    ("which cards have 80GB?", _q("specs", min_memory_gb=80)),
    ("显存80G的卡有哪些", _q("specs", min_memory_gb=80)),
]
HOW_IS_IT: list[Row] = [  # a price that was found is judged
    (
        "AutoDL的4090现在每小时2块5，这价格怎么样",
        _q("price", gpus=[_g("RTX4090")], providers=["autodl"], quoted=cny(2.5, per="hour")),
    ),
    ("一小时18块的A100，这个价格怎么样", _q("price", gpus=[_g("A100")], quoted=cny(18, per="hour"))),
    ("看到H20每小时6块，这价格如何", _q("price", gpus=[_g("H20")], quoted=cny(6, per="hour"))),
    ("A100一个月6000块，这价格咋样", _q("price", gpus=[_g("A100")], quoted=cny(6000, per="month"))),
    (
        "lambda has the H100 at $2.99/hr, how is that price?",
        _q("price", gpus=[_g("H100")], providers=["lambda"], quoted=usd(2.99, per="hour")),
    ),
    ("L40S at $0.90 per hour, how's that price?", _q("price", gpus=[_g("L40S")], quoted=usd(0.9, per="hour"))),
    ("每小时5块以内的4090价格怎么样", _q("price", gpus=[_g("RTX4090")], budget_per_hour=cny(5))),
    ("预算每小时5块，4090价格怎么样", _q("price", gpus=[_g("RTX4090")], budget_per_hour=cny(5))),
]
OTHER_SUBJECTS: list[Row] = [  # roads, food, rent, tickets and leisure, with a price of their own
    ("the A40 near Oxford is closed, I'll be 20 min late", _q("unsupported")),
    ("stuck in traffic on the A10, start without me", _q("unsupported")),
    ("there's a jam on the A100 in Berlin, take the U-Bahn", _q("unsupported")),
    ("roadworks on the A16, add 30 min", _q("unsupported")),
    ("the L4 bus is delayed by 10 minutes", _q("unsupported")),
    ("fuel prices on the A16 are crazy, how much do you pay", _q("unsupported")),
    ("what's the cheapest hotel near the A40", _q("unsupported")),
    ("周末去哪玩，有推荐吗", _q("unsupported")),
    ("推荐个好玩的地方，三天两晚", _q("unsupported")),
    ("公司楼下哪家理发店便宜", _q("unsupported")),
    ("食堂套餐是不是又涨价了吗", _q("unsupported")),
    ("油价又涨了", _q("unsupported")),
    ("房租涨了吗", _q("unsupported")),
    ("地铁票涨价了吗", _q("unsupported")),
    ("电费最近涨了吗", _q("unsupported")),
    ("kayak prices went up lately", _q("unsupported")),
    ("did milk get cheaper this week", _q("unsupported")),
    ("has the train fare gone up lately?", _q("unsupported")),
    ("tuition went up again", _q("unsupported")),
    ("how much is the electricity bill this month?", _q("unsupported")),
    ("how much does a manicure cost?", _q("unsupported")),
    ("which phone plan is cheapest", _q("unsupported")),
    ("驾照多少钱", _q("unsupported")),
    ("打羽毛球一小时多少钱", _q("unsupported")),
    ("上海A30高速今天堵吗", _q("unsupported")),
    ("how long does the drive on the A16 take?", _q("unsupported")),
    ("is the A30 clear this morning? traffic wise", _q("unsupported")),
    ("update the A100 price on slide 12 please", _q("unsupported")),
]
SETTING: list[Row] = [  # slides and meetings around a card whose cost is asked
    (
        "board deck is due and my slide is empty: least expensive B300 if we're committing for 3 years?",
        _q("cheapest", gpus=[_g("B300")], plans=["reserved_3y"]),
    ),
    (
        "for my slides in the board meeting: how much are 8 H100s for a month?",
        _q("price", gpus=[_g("H100", 8)], hours=730),
    ),
    (
        "CFO meeting in an hour, slide still blank, 8xH200 for a quarter, how much?",
        _q("price", gpus=[_g("H200", 8)], hours=2190),
    ),
    ("周会要汇报，文档里缺个数，4张A100跑一周最便宜多少", _q("cheapest", gpus=[_g("A100", 4)], hours=168)),
    (
        "meeting the deadline: train 7B within 9 days, how many A100s?",
        _q("recommend", gpus=[_g("A100")], hours=216, workloads=["training"], model_params_b=7),
    ),
    ("羽毛球动作识别，微调，租什么卡", _q("recommend", workloads=["fine_tuning"])),
    ("公交调度模型推理用T4还是L4", _q("compare", gpus=[_g("T4"), _g("L4")], workloads=["inference"])),
    ("邮件里要写个数，H20一周多少钱", _q("price", gpus=[_g("H20")], hours=168)),
    ("A100 for a restaurant recommendation model, 3 days, how much", _q("price", gpus=[_g("A100")], hours=72)),
]
NEWS: list[Row] = [  # what prices of cards did
    ("最近又涨价了?", _q("digest", action="show")),
    ("云厂商又涨价了吗", _q("digest", action="show")),
    ("did prices drop?", _q("digest", action="show")),
    ("have prices fallen since last month?", _q("digest", action="show")),
    ("did anything get cheaper this week?", _q("digest", action="show")),
    ("did H100 rates rise this month?", _q("digest", action="show", gpus=[_g("H100")])),
]
PICTURES: list[Row] = [  # 张 counts pictures too
    ("我们有3000张图片，租什么卡训练", _q("recommend", workloads=["training"])),
    ("2000张照片要跑YOLO，4090一天多少钱", _q("price", gpus=[_g("RTX4090")], hours=24)),
    ("500张图，微调SDXL用什么卡", _q("recommend", workloads=["fine_tuning"])),
    ("8张图形卡跑一周多少钱", _q("price", gpu_count=8, hours=168, clarify=True)),
]
CAN_THEY: list[Row] = [  # whether the cards one has are enough
    ("we have 4 A100s, can they run 70B?", _q("specs", gpus=[_g("A100", 4)], model_params_b=70)),
    ("two 4090s here, could they even run a 34B model?", _q("specs", gpus=[_g("RTX4090", 2)], model_params_b=34)),
]
ALL_ASKED: list[Row] = [
    *PLACES_ALONE,
    *MOST_OF_ALL,
    *SOUGHT,
    *JUDGED,
    *BY_TOTAL,
    *PLACES,
    *COMMAS,
    *IN_HAND,
    *STOPPED,
    *SAVINGS,
    *VALUE,
    *HOW_IS_IT,
    *OTHER_SUBJECTS,
    *SETTING,
    *NEWS,
    *CAN_THEY,
    *PICTURES,
]
ASKED_THREADS: list[list[Row]] = [
    [
        ("A100 or H100 for a day, which is cheaper?", _q("compare", gpus=[_g("A100"), _g("H100")], hours=24)),
        ("anything cheaper?", _q("cheapest", gpus=[_g("A100"), _g("H100")], hours=24)),
        ("which of them is cheaper?", _q("compare", gpus=[_g("A100"), _g("H100")], hours=24)),
        ("有便宜点的吗", _q("cheapest", gpus=[_g("A100"), _g("H100")], hours=24)),
    ],
    [  # a limit is taken back, under any of its names
        (
            "which platform for fine-tuning a 13B model under $2/hr?",
            _q("recommend", workloads=["fine_tuning"], model_params_b=13, budget_per_hour=usd(2)),
        ),
        (
            "we need SOC 2 and an SLA",
            _q(
                "recommend",
                workloads=["fine_tuning"],
                model_params_b=13,
                budget_per_hour=usd(2),
                needs=["compliance_soc2", "sla"],
            ),
        ),
        (
            "forget the hourly limit",
            _q("recommend", workloads=["fine_tuning"], model_params_b=13, needs=["compliance_soc2", "sla"]),
        ),
        (
            "and drop the SOC 2 requirement",
            _q("recommend", workloads=["fine_tuning"], model_params_b=13, needs=["sla"]),
        ),
    ],
    [
        (
            "cheapest A100 with $2/hr cap in the EU",
            _q("cheapest", gpus=[_g("A100")], regions=["eu"], budget_per_hour=usd(2)),
        ),
        ("remove the price limit", _q("cheapest", gpus=[_g("A100")], regions=["eu"])),
        ("no region restriction", _q("cheapest", gpus=[_g("A100")])),
        ("drop the T4", _q("cheapest", gpus=[_g("A100")], exclude_gpus=["T4"])),
    ],
    [
        ("4090每小时3块以内哪家便宜", _q("cheapest", gpus=[_g("RTX4090")], budget_per_hour=cny(3))),
        ("取消上限", _q("cheapest", gpus=[_g("RTX4090")])),
    ],
    [
        ("H100每小时3刀以内，一周，哪家便宜", _q("cheapest", gpus=[_g("H100")], hours=168, budget_per_hour=usd(3))),
        ("每小时上限无所谓了", _q("cheapest", gpus=[_g("H100")], hours=168)),
    ],
    [  # what a term means, asked beside a price
        (
            "cheapest 8x A100 with NVLink for 3 days",
            _q("cheapest", gpus=[_g("A100", 8)], hours=72, needs=["interconnect"]),
        ),
        ("what is NVLink exactly?", _q("explain", gpus=[_g("A100", 8)], hours=72)),
        (
            "which is cheapest?",
            _q("cheapest", gpus=[_g("A100", 8)], hours=72, needs=["interconnect"]),
        ),
    ],
    [
        ("price of spot A100 for a week", _q("price", gpus=[_g("A100")], hours=168, plans=["spot"])),
        ("what's spot again?", _q("explain", gpus=[_g("A100")], hours=168, plans=["spot"])),
    ],
    [
        ("4张A100竞价跑三天多少钱", _q("price", gpus=[_g("A100", 4)], hours=72, plans=["spot"])),
        ("竞价是啥来着", _q("explain", gpus=[_g("A100", 4)], hours=72, plans=["spot"])),
    ],
    [
        (
            "A100 price with 2TB egress",
            _q("price", gpus=[_g("A100")], data_gb=2000, data_direction="out"),
        ),
        ("what's egress?", _q("explain", gpus=[_g("A100")], data_gb=2000, data_direction="out")),
        ("what's the total?", _q("price", gpus=[_g("A100")], data_gb=2000, data_direction="out")),
    ],
    [  # what prices did, beside a digest
        ("post the weekly price digest here from now on", _q("digest", action="subscribe")),
        ("add the H200", _q("digest", action="subscribe", gpus=[_g("H200")])),
        ("any price drops lately?", _q("digest", action="show", gpus=[_g("H200")])),
    ],
    [
        ("每周一发价格周报到这个频道", _q("digest", action="subscribe")),
        ("最近有降价吗", _q("digest", action="show")),
        ("取消订阅", _q("digest", action="unsubscribe")),
    ],
    [  # an order asks for nothing by itself, and one that was said before even less
        ("AWS vs GCP for 8xH100", _q("compare", gpus=[_g("H100", 8)], providers=["aws", "gcp"])),
        ("by total cost", _q("compare", gpus=[_g("H100", 8)], providers=["aws", "gcp"], sort="total")),
        ("for two weeks", _q("compare", gpus=[_g("H100", 8)], providers=["aws", "gcp"], sort="total", hours=336)),
        ("how much for a month?", _q("price", gpus=[_g("H100", 8)], providers=["aws", "gcp"], sort="total", hours=730)),
        ("which is cheapest?", _q("cheapest", gpus=[_g("H100", 8)], providers=["aws", "gcp"], sort="total", hours=730)),
    ],
    [
        ("price of A100 on lambda and runpod", _q("compare", gpus=[_g("A100")], providers=["lambda", "runpod"])),
        ("sort by total", _q("cheapest", gpus=[_g("A100")], providers=["lambda", "runpod"], sort="total")),
    ],
    [  # of the two that were named
        (
            "compare savings plan and on-demand for 8xH100",
            _q("compare", gpus=[_g("H100", 8)], plans=["reserved", "on_demand"]),
        ),
        ("what's the difference?", _q("compare", gpus=[_g("H100", 8)], plans=["reserved", "on_demand"])),
    ],
    [
        ("recommend a GPU for 70B inference", _q("recommend", workloads=["inference"], model_params_b=70)),
        (
            "we have 5k left",
            _q("recommend", workloads=["inference"], model_params_b=70, budget={"amount": 5000}),
        ),
    ],
    [
        ("每周一推价格周报到这个频道", _q("digest", action="subscribe")),
        ("别再给我发了", _q("digest", action="unsubscribe")),
    ],
    [
        ("weekly digest please", _q("digest", action="show")),
        ("don't send it anymore", _q("digest", action="unsubscribe")),
    ],
]
