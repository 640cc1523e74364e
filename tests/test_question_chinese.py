"""Kinds of Chinese sentences, each in several wordings; what they state is worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from question_help import differences, read, read_thread, scorer
from question_rows import Row, _g, _q, cny, usd

TRADITIONAL = [  # the words of the trade as they are written, and in part said, in Taiwan and Hong Kong
    ("團隊沒有運維，想要託管的推理服務，推薦哪家", "团队没有运维，想要托管的推理服务，推荐哪家"),
    ("資料不能出境，8張A100訓練，推薦哪家", "数据不能出境，8张A100训练，推荐哪家"),
    ("無伺服器的H100，還是隨選都行，幫我比較一下", "无服务器的H100，还是随选都行，帮我比较一下"),
    ("兩台伺服器，各8張H100，租三個月，總價最低的是哪家", "两台服务器，各8张H100，租三个月，总价最低的是哪家"),
    ("每卡48GB顯示記憶體，對延遲敏感，推薦什麼顯示卡", "每卡48GB显存，对延迟敏感，推荐什么显卡"),
    ("企業級專案，硬碟500G，預留一年划算嗎", "企业级专案，硬盘500G，预留一年划算吗"),
    ("排除騰訊雲，4090渲染動畫，彙總一下誰家最便宜", "排除腾讯云，4090渲染动画，汇总一下谁家最便宜"),
    ("別給我推華為雲，僅限歐盟，A30按量付費多少錢", "别给我推华为云，仅限欧盟，A30按量付费多少钱"),
]


@pytest.mark.parametrize(("traditional", "simplified"), TRADITIONAL)
def test_traditional_words_mean_what_the_simplified_ones_mean(traditional: str, simplified: str) -> None:
    assert read(traditional) == read(simplified)


RESIDENCY: list[Row] = [
    (
        f"{says}，推荐哪家",
        _q("recommend", regions=["cn"], needs=["data_residency_cn"]),
    )
    for says in (
        "数据禁止出境", "资料不能出境", "数据别出境", "数据不能传到境外", "用户数据不可以出境", "数据不许离境",
        "数据要求不出境", "数据不能流到海外",
    )
]  # fmt: skip
RESIDENCY.append(("数据可以出境，4张A100推荐哪家", _q("recommend", gpus=[_g("A100", 4)])))

NOT_TO_SHOW: list[Row] = [  # what is not to be shown is ruled out, wherever the negation stands
    (
        "MI300X谁家最便宜，Nebius和Vultr别给我推",
        _q("cheapest", gpus=[_g("MI300X")], exclude_providers=["nebius", "vultr"]),
    ),
    ("A100多少钱，RunPod就别推荐了", _q("price", gpus=[_g("A100")], exclude_providers=["runpod"])),
    (
        "推荐什么卡做训练，T4和K80就别说了",
        _q("recommend", exclude_gpus=["T4", "K80"], workloads=["training"]),
    ),
    (
        "5万日元能租几天L4，别算竞价的",
        _q("budget", gpus=[_g("L4")], exclude_plans=["spot"], budget={"amount": 50000, "currency": "JPY"}),
    ),
    ("找最便宜的A30，腾讯云就不用给我看了", _q("cheapest", gpus=[_g("A30")], exclude_providers=["tencent"])),
    ("H100一天多少钱，别把AWS算进去", _q("price", gpus=[_g("H100")], hours=24, exclude_providers=["aws"])),
    ("spot就别报了，T4一个月多少钱", _q("price", gpus=[_g("T4")], hours=730, exclude_plans=["spot"])),
    (
        "别跟我提Azure，两张A10做推理哪家便宜",
        _q("cheapest", gpus=[_g("A10", 2)], workloads=["inference"], exclude_providers=["azure"]),
    ),
    ("AWS就先不看了，L4多少钱", _q("price", gpus=[_g("L4")], exclude_providers=["aws"])),
    ("A100别再推了，推荐训练7B的卡", _q("recommend", exclude_gpus=["A100"], workloads=["training"], model_params_b=7)),
    ("别算上香港的机房，A100多少钱", _q("price", gpus=[_g("A100")], exclude_regions=["hk"])),
    ("GCP的就别给我报价了，4卡V100多少钱", _q("price", gpus=[_g("V100", 4)], exclude_providers=["gcp"])),
    ("H100别推荐太贵的", _q("recommend", gpus=[_g("H100")])),  # what is dear is not to be shown, the H100 is
    ("别忘了算上AWS，A100多少钱", _q("price", gpus=[_g("A100")], providers=["aws"])),
]

UNITS: list[Row] = [
    (
        "要上传3个T的数据集，再租2张A40跑半个月，多少钱",
        _q("price", gpus=[_g("A40", 2)], hours=365, data_gb=3000, data_direction="in"),
    ),
    ("200个G的数据从AWS拉出来多少钱", _q("price", providers=["aws"], data_gb=200, data_direction="out")),
    ("A100跑一周，存储500个G，多少钱", _q("price", gpus=[_g("A100")], hours=168, storage_gb=500)),
    ("显存要40个G以上的卡，一天多少钱", _q("price", hours=24, min_memory_gb=40)),
    ("7个B的模型推理用什么卡", _q("recommend", workloads=["inference"], model_params_b=7)),
    ("导出一个半T的数据多少钱", _q("price", data_gb=1500, data_direction="out")),
    ("上传半个T的数据要多少钱", _q("price", data_gb=500, data_direction="in")),
    ("80个G的A100多少钱", _q("price", gpus=[_g("A100", None, 80)])),
    ("3个T4多少钱", _q("price", gpus=[_g("T4", 3)])),  # a card, no terabytes
    ("半打4090做渲染，跑三天多少钱", _q("price", gpus=[_g("RTX4090", 6)], hours=72, workloads=["rendering"])),
    ("一打T4跑一周多少钱", _q("price", gpus=[_g("T4", 12)], hours=168)),
    ("A100来半打，一天多少钱", _q("price", gpus=[_g("A100", 6)], hours=24)),
    ("打算租3打H100", _q("price", gpus=[_g("H100", 36)])),  # 3 x 12
    ("A100打折吗，多少钱", _q("price", gpus=[_g("A100")])),
    ("half a dozen 4090s for a day, price", _q("price", gpus=[_g("RTX4090", 6)], hours=24)),
]
NUMERALS_IN_WORDS: list[Row] = [  # 百 of 百度 is no hundred
    ("Ａ４０＊２ 百度云 １０天", _q("price", gpus=[_g("A40", 2)], providers=["baidu"], hours=240)),
    ("A100x8百度智能云一周", _q("price", gpus=[_g("A100", 8)], providers=["baidu"], hours=168)),
    ("V100 x 4 百川 微调 多少钱", _q("price", gpus=[_g("V100", 4)], workloads=["fine_tuning"])),
    ("A100*8 万兆 一天多少钱", _q("price", gpus=[_g("A100", 8)], hours=24)),
    ("8张A100 万兆网 多少钱", _q("price", gpus=[_g("A100", 8)])),
    ("L20*2 千问 推理 一个月", _q("price", gpus=[_g("L20", 2)], workloads=["inference"], hours=730)),
    ("2千卡时的A100多少钱", _q("price", gpus=[_g("A100")], gpu_hours=2000)),
    ("预算2 万 A100能租几天", _q("budget", gpus=[_g("A100")], budget={"amount": 20000})),
    ("预算3万一个月，能租几张A100", _q("budget", gpus=[_g("A100")], budget={"amount": 30000}, hours=730)),
]
BUDGETS: list[Row] = [  # an amount without a currency, for a month
    ("要托管，预算2w一个月，用哪家", _q("recommend", needs=["managed"], budget={"amount": 20000}, hours=730)),
    ("预算 2 w 一个月，推荐哪家", _q("recommend", budget={"amount": 20000}, hours=730)),
    ("每月2万能租什么卡", _q("budget", budget={"amount": 20000}, hours=730)),
    ("2w一个月能租几张A100", _q("budget", gpus=[_g("A100")], budget={"amount": 20000}, hours=730)),
    ("一个月3万，能租几张H100", _q("budget", gpus=[_g("H100")], budget={"amount": 30000}, hours=730)),
    ("预算800一周，4090够吗", _q("budget", gpus=[_g("RTX4090")], budget={"amount": 800}, hours=168)),
    ("预算5千一天，跑8张H100够不够", _q("budget", gpus=[_g("H100", 8)], budget={"amount": 5000}, hours=24)),
    ("经费一年10万，推荐什么卡", _q("recommend", budget={"amount": 100000}, hours=8760)),
    ("budget 3k a month, which platform for L4?", _q("recommend", gpus=[_g("L4")], budget={"amount": 3000}, hours=730)),
]

SUMMED: list[Row] = [  # a number that sums up a list counts no cards
    (
        "Gaudi3、MI300X、H100 三个 compare 一下，做 inference",
        _q("compare", gpus=[_g("Gaudi3"), _g("MI300X"), _g("H100")], workloads=["inference"]),
    ),
    ("A100和H100两个哪个便宜", _q("compare", gpus=[_g("A100"), _g("H100")])),
    ("A100、H100这两张卡哪个训练快", _q("compare", gpus=[_g("A100"), _g("H100")], workloads=["training"])),
    ("L40S、A6000、4090三款对比一下，跑一周", _q("compare", gpus=[_g("L40S"), _g("A6000"), _g("RTX4090")], hours=168)),
    ("H100和H200两张卡跑一周差多少钱", _q("compare", gpus=[_g("H100"), _g("H200")], hours=168)),
    ("T4或L4 2种哪个好", _q("compare", gpus=[_g("T4"), _g("L4")])),
    ("A100和H100各两张，跑一天多少钱", _q("compare", gpus=[_g("A100", 2), _g("H100", 2)], hours=24)),
    ("3个A100多少钱", _q("price", gpus=[_g("A100", 3)])),
]
WEIGHED: list[Row] = [
    (
        "CoreWeave、Crusoe，两台8卡H200，跑20天，总成本谁更低",
        _q("compare", gpus=[_g("H200", 8)], nodes=2, hours=480, providers=["coreweave", "crusoe"], sort="total"),
    ),
    (
        "AWS和GCP跑一周A100，哪个总成本低",
        _q("compare", gpus=[_g("A100")], hours=168, providers=["aws", "gcp"], sort="total"),
    ),
    (
        "竞价和按需，8卡A100跑三天总花费哪个低",
        _q("compare", gpus=[_g("A100", 8)], hours=72, plans=["spot", "on_demand"], sort="total"),
    ),
    (
        "Lambda和RunPod的H100总价哪家最低",  # a superlative
        _q("cheapest", gpus=[_g("H100")], providers=["lambda", "runpod"], sort="total"),
    ),
    ("哪家总成本低，4张A100跑一周", _q("cheapest", gpus=[_g("A100", 4)], hours=168, sort="total")),
    ("国内租4090跟香港租4090，哪个便宜", _q("compare", gpus=[_g("RTX4090")], regions=["cn", "hk"])),
    ("美国和欧洲的H100哪边便宜", _q("compare", gpus=[_g("H100")], regions=["us", "eu"])),
    ("上海还是新加坡机房租A100便宜", _q("compare", gpus=[_g("A100")], regions=["cn", "sg"])),
    ("日本或者韩国的L40S，哪里更划算", _q("compare", gpus=[_g("L40S")], regions=["jp", "kr"])),
    ("A100在东京跟首尔最便宜的是哪家", _q("cheapest", gpus=[_g("A100")], regions=["jp", "kr"])),
    ("帮我对比一下呗", _q("compare", clarify=True)),
    ("能不能帮忙比较一下", _q("compare", clarify=True)),
    ("对比一下竞价和按需", _q("explain", plans=["spot", "on_demand"])),
]
EITHER: list[Row] = [  # both named cards will do, a platform is asked for
    (
        "H800或者910B都行，训练用，推荐哪家",
        _q("recommend", gpus=[_g("H800"), _g("Ascend910B")], workloads=["training"]),
    ),
    ("A100、H100都可以，做推理，用哪家好", _q("recommend", gpus=[_g("A100"), _g("H100")], workloads=["inference"])),
    (
        "4090或3090随便，渲染用，哪个平台合适",
        _q("recommend", gpus=[_g("RTX4090"), _g("RTX3090")], workloads=["rendering"]),
    ),
    ("L40S或A40均可，预算3000，推荐哪家", _q("recommend", gpus=[_g("L40S"), _g("A40")], budget={"amount": 3000})),
    ("A100或者H100都行，跑三天多少钱", _q("compare", gpus=[_g("A100"), _g("H100")], hours=72)),  # a cost of two
    ("T4或L4都行，推荐哪个", _q("compare", gpus=[_g("T4"), _g("L4")])),  # of the two themselves
]
ENOUGH: list[Row] = [  # 就够 states, 够吗 asks
    (
        "4卡就够，500G SSD，budget 每小时3刀以内，用哪家",
        _q("recommend", gpu_count=4, storage_gb=500, budget_per_hour=usd(3)),
    ),
    ("两张就够了，预算2000，推荐哪家", _q("recommend", gpu_count=2, budget={"amount": 2000})),
    ("4张A100足够了，一周预算1万，选哪家", _q("recommend", gpus=[_g("A100", 4)], budget={"amount": 10000}, hours=168)),
    ("16G显存就够用，预算500，用哪个平台", _q("recommend", min_memory_gb=16, budget={"amount": 500})),
    ("8张A100够了吗，跑70B", _q("specs", gpus=[_g("A100", 8)], model_params_b=70)),
    ("一张4090就够用了吧，跑13B", _q("specs", gpus=[_g("RTX4090", 1)], model_params_b=13)),
    ("预算5000，4张A100跑一周就够吗", _q("budget", gpus=[_g("A100", 4)], hours=168, budget={"amount": 5000})),
]
CHOICES: list[Row] = [  # what a limit leaves to choose from
    ("每卡每小时2.5刀以内有什么选择", _q("budget", budget_per_hour=usd(2.5, per="gpu"))),
    ("每小时10块以内有哪些卡", _q("budget", budget_per_hour=cny(10))),
    ("预算3000，能选啥", _q("budget", budget={"amount": 3000})),
    ("预算2万，有啥可选的", _q("budget", budget={"amount": 20000})),
    ("一天200块以内能挑哪些卡", _q("budget", budget=cny(200), hours=24)),
    ("每小时8块以下，有没有选择", _q("budget", budget_per_hour=cny(8))),
    ("预算1万有什么推荐", _q("recommend", budget={"amount": 10000})),
    ("每小时5块以内有哪些平台可以用", _q("recommend", budget_per_hour=cny(5))),
]
SIGNED: list[Row] = [  # a commitment and its term, with a verb between
    (
        "H200 savings plan 签三年 vs on-demand，要用多少小时才 worth it",
        _q("break_even", gpus=[_g("H200")], plans=["reserved_3y", "on_demand"]),
    ),
    ("预留签一年的A100划算吗", _q("break_even", gpus=[_g("A100")], plans=["reserved_1y"])),
    ("RI 买三年的H100，跟按需比差多少钱", _q("compare", gpus=[_g("H100")], plans=["reserved_3y", "on_demand"])),
    ("预留实例买个三年，8卡A100多少钱", _q("price", gpus=[_g("A100", 8)], plans=["reserved_3y"])),
    ("签三年预留，H100多少钱", _q("price", gpus=[_g("H100")], plans=["reserved_3y"])),
    ("预留合同一年，4张L40S多少钱", _q("price", gpus=[_g("L40S", 4)], plans=["reserved_1y"])),
    ("预留签半年，H100多少钱", _q("price", gpus=[_g("H100")], plans=["reserved"], hours=4380)),
]
RENTED_AT: list[Row] = [  # what it is rented at is a price that is paid
    # 1460 / 730 hours
    ("每卡每月1460块租的H20，这个价还行吗", _q("price", gpus=[_g("H20")], quoted=cny(2, per="gpu_hour"))),
    ("每小时30块租的A100，这价格高不高", _q("price", gpus=[_g("A100")], quoted=cny(30, per="hour"))),
    ("现在租的4张A100每小时60块，有更便宜的吗", _q("cheapest", gpus=[_g("A100", 4)], quoted=cny(60, per="hour"))),
    ("一个月2万租着8张4090，贵不贵", _q("price", gpus=[_g("RTX4090", 8)], quoted={"amount": 20000, "per": "month"})),
    ("我们租了两台H100，每小时150块，这价行吗", _q("price", gpus=[_g("H100")], nodes=2, quoted=cny(150, per="hour"))),
    ("4090每小时1.8元租的，价格合适不", _q("price", gpus=[_g("RTX4090")], quoted=cny(1.8, per="hour"))),
    ("H20一天96块租到的，算便宜吗", _q("price", gpus=[_g("H20")], quoted=cny(4, per="hour"))),  # 96 / 24
    ("想租的A100每小时20块以内，哪家便宜", _q("cheapest", gpus=[_g("A100")], budget_per_hour=cny(20))),
    ("租的话每小时5块以内的卡推荐哪个", _q("recommend", budget_per_hour=cny(5))),
]

SLIPS: list[Row] = [  # a sound for another one
    (
        "4块3090渲染一晚上，那家便易，要能装windows",
        _q("cheapest", gpus=[_g("RTX3090", 4)], hours=12, workloads=["rendering"], needs=["windows"]),
    ),
    ("8卡A100跑一周那家最变宜", _q("cheapest", gpus=[_g("A100", 8)], hours=168)),
    ("4090那里租最片宜", _q("cheapest", gpus=[_g("RTX4090")])),
    ("AWS和GCP的L4那家租便益", _q("compare", gpus=[_g("L4")], providers=["aws", "gcp"])),
    ("A100和H100那个更快", _q("compare", gpus=[_g("A100"), _g("H100")])),
    (
        "T4推里那个平台性价必更好",
        _q("recommend", gpus=[_g("T4")], workloads=["inference"], sort="per_tflop"),
    ),
    ("抢战式A100那边便宜", _q("cheapest", gpus=[_g("A100")], plans=["spot"])),
    ("那个A100要多少钱", _q("price", gpus=[_g("A100")])),  # "that one" stays
]
INSTALLED: list[Row] = [  # what a machine must run besides the job is a need, no question
    ("能装Windows的4090多少钱一天", _q("price", gpus=[_g("RTX4090")], hours=24, needs=["windows"])),
    ("A100能跑k8s的平台推荐哪家", _q("recommend", gpus=[_g("A100")], needs=["kubernetes"])),
    ("4090能跑70B吗，要能装windows", _q("specs", gpus=[_g("RTX4090")], model_params_b=70)),
]
NOT_OURS: list[Row] = [
    *(
        (text, _q("unsupported"))
        for text in (
            "5090打游戏能跑多少帧", "4090玩黑神话能跑吗", "5090和4090打游戏哪个好", "3080吃鸡够用吗",
            "4090跑赛博朋克多少fps", "打lol用什么显卡", "will a 4090 reach 120 frames per second in Cyberpunk?",
            "cuda 12.4 out of memory 怎么解决啊", "A100上cuda 11.8装不上怎么办", "nvcc找不到怎么办",
            "4090 torch.cuda.is_available() 返回False", "系统识别不到显卡，A100",
            "pytorch报CUDA error怎么解决，用的是V100",
            "4核8G的CPU云主机一个月多少钱", "2核4G的轻量服务器推荐哪家", "4c8g云主机多少钱",
            "纯CPU机器32核128G，一天多少钱", "不要GPU，8核16G的机器哪家便宜", "16核 64G 的服务器包年什么价",
        )
    ),
    ("租张4090打游戏一晚上多少钱", _q("price", gpus=[_g("RTX4090")], hours=12)),
    (
        "训练打游戏的AI用4张A100，推荐哪家",
        _q("recommend", gpus=[_g("A100", 4)], workloads=["training"]),
    ),
    ("预装CUDA的A100，推荐哪个平台", _q("recommend", gpus=[_g("A100")])),
    ("13B在4090上会爆显存吗", _q("specs", gpus=[_g("RTX4090")], model_params_b=13)),
    ("8核32G带一张T4，一个月多少钱", _q("price", gpus=[_g("T4", 1)], hours=730)),  # memory of the host
    ("64核256G内存，4张A100，跑三天多少钱", _q("price", gpus=[_g("A100", 4)], hours=72)),
]  # fmt: skip

SAID_OTHERWISE: list[Row] = [
    ("T4不够用了，换啥卡推理13B好", _q("recommend", gpus=[_g("T4")], workloads=["inference"], model_params_b=13)),
    ("24G不够吗，跑13B", _q("specs", min_memory_gb=24, model_params_b=13)),
    # a rate before the amount: money, no twelve cards
    (
        "阿里云报价每卡时12块的A100，是不是被坑了",
        _q("price", gpus=[_g("A100")], providers=["alibaba"], quoted=cny(12, per="gpu_hour")),
    ),
    ("每小时12块的A100贵吗", _q("price", gpus=[_g("A100")], quoted=cny(12, per="hour"))),
    ("一小时5块钱的4090哪里有", _q("recommend", gpus=[_g("RTX4090")], budget_per_hour=cny(5))),
    ("4块的A100多少钱", _q("price", gpus=[_g("A100", 4)])),
    # 730 x 8/24 x 5/7 = 173.809524
    (
        "A100从周一到周五每天8小时，一个月多少钱",
        _q("price", gpus=[_g("A100")], hours=173.809524, hours_per_day=8),
    ),
    # 336 x 10/24 x 5/7 = 100
    ("4张L4工作日每天10小时，两周多少钱", _q("price", gpus=[_g("L4", 4)], hours=100, hours_per_day=10)),
    (
        "百亿参数的模型训练要多少张A100",
        _q("recommend", gpus=[_g("A100")], workloads=["training"], model_params_b=10),
    ),
    ("微调70B需要多少卡", _q("recommend", workloads=["fine_tuning"], model_params_b=70)),
    ("推理70B大概多少张4090", _q("recommend", gpus=[_g("RTX4090")], workloads=["inference"], model_params_b=70)),
    ("上海有没有A100可以租", _q("recommend", gpus=[_g("A100")], regions=["cn"])),
    ("H200还有货吗，一天多少钱", _q("price", gpus=[_g("H200")], hours=24)),
]

VERSIONS_AND_ROUTES: list[Row] = [
    (
        "A100 40G版和80G版哪个划算，跑7B推理",
        _q("compare", gpus=[_g("A100", None, 40), _g("A100", None, 80)], workloads=["inference"], model_params_b=7),
    ),
    ("A100的40G版和80G版差多少钱", _q("compare", gpus=[_g("A100", None, 40), _g("A100", None, 80)])),
    ("H100 SXM版和PCIe版哪个好", _q("compare", gpus=[_g("H100", form="SXM"), _g("H100", form="PCIe")])),
    ("A100的80G版多少钱", _q("price", gpus=[_g("A100", None, 80)])),
    (
        "autodl上3090一块六一小时，还有更便宜的没",
        _q("cheapest", gpus=[_g("RTX3090")], exclude_providers=["autodl"], quoted=cny(1.6, per="hour")),
    ),
    (
        "跑个13B的LoRA，单卡24G能行吗",
        _q("specs", gpu_count=1, min_memory_gb=24, workloads=["fine_tuning"], model_params_b=13),
    ),
    # nothing pays off here: it comes back to the local machine
    ("把500G数据从gcp拉回本地要花多少", _q("price", providers=["gcp"], data_gb=500, data_direction="out")),
    ("往S3传2T数据，要多少钱", _q("price", providers=["aws"], data_gb=2000, data_direction="in")),
    ("NVMe 2T一个月存储费", _q("price", storage_gb=2000, hours=730)),
    ("从Azure下载3TB的流量费", _q("price", providers=["azure"], data_gb=3000, data_direction="out")),
    ("lambda收流量费吗", _q("explain", providers=["lambda"])),
]

PRICES_AND_MACHINES: list[Row] = [
    (
        "单卡每小时不超过3块的4090推荐哪家",
        _q("recommend", gpus=[_g("RTX4090")], budget_per_hour=cny(3, per="gpu")),
    ),
    (
        "我们现在每月花8万在AWS上租8卡A100，贵不贵",
        _q("price", gpus=[_g("A100", 8)], providers=["aws"], quoted={"amount": 80000, "per": "month"}),
    ),
    (
        "目前每小时花40块租2张A100，有更便宜的吗",
        _q("cheapest", gpus=[_g("A100", 2)], quoted=cny(40, per="hour")),
    ),
    (
        "AWS上一张A100每小时4.1刀，有没有平替",
        _q("recommend", gpus=[_g("A100", 1)], exclude_providers=["aws"], quoted=usd(4.1, per="hour")),
    ),
    ("人家报价A100一个月6500，你看合理吗", _q("price", gpus=[_g("A100")], quoted={"amount": 6500, "per": "month"})),
    ("T4一小时三毛五，贵吗", _q("price", gpus=[_g("T4")], quoted=cny(0.35, per="hour"))),
    ("4090报价一小时一块两毛，贵吗", _q("price", gpus=[_g("RTX4090")], quoted=cny(1.2, per="hour"))),
    ("P40每小时8毛以内，推荐哪家", _q("recommend", gpus=[_g("P40")], budget_per_hour=cny(0.8))),
    # sixteen cards in two machines, thirty-two in four; up to eight are those of one machine
    ("2机16卡H100训练，哪家合适", _q("recommend", gpus=[_g("H100", 8)], nodes=2, workloads=["training"])),
    ("四机32卡A100，一个半月多少钱", _q("price", gpus=[_g("A100", 8)], nodes=4, hours=1095)),
    ("2机16卡，训练70B，推荐哪家", _q("recommend", gpu_count=8, nodes=2, workloads=["training"], model_params_b=70)),
    ("两机8卡A100多少钱", _q("price", gpus=[_g("A100", 8)], nodes=2)),
    ("包季的8卡A800多少钱", _q("price", gpus=[_g("A800", 8)], plans=["monthly"], hours=2190)),
    ("2000的4090一个月多少钱", _q("price", gpus=[_g("RTX4090")], hours=730)),  # no two thousand cards
]

OUT_AND_IN: list[Row] = [
    ("从AWS拉2T数据出来多少钱", _q("price", providers=["aws"], data_gb=2000, data_direction="out")),
    ("从AWS拉2T数据要多少钱", _q("price", providers=["aws"], data_gb=2000, data_direction="out")),
    ("把3T数据从阿里云搬到本地多少钱", _q("price", providers=["alibaba"], data_gb=3000, data_direction="out")),
    ("从本地传2T到AWS多少钱", _q("price", providers=["aws"], data_gb=2000, data_direction="in")),
    ("40G以上的卡有哪些", _q("specs", min_memory_gb=40)),
    ("国内24G的卡有哪些", _q("recommend", regions=["cn"], min_memory_gb=24)),
    ("显存越大越好，预算每小时5块", _q("recommend", budget_per_hour=cny(5))),
]

BENCHMARKS_AND_NEWS: list[Row] = [
    ("给我看看gpu-box-3上次跑了多少分", _q("benchmark", action="show", host="gpu-box-3")),
    ("ml01 测了多少分", _q("benchmark", action="show", host="ml01")),
    ("测一下 10.0.0.5 的bf16", _q("benchmark", action="run", host="10.0.0.5", dtype="bf16")),
    ("周报把V100删了", _q("digest", action="subscribe", exclude_gpus=["V100"])),
    ("把T4从周报里删除", _q("digest", action="subscribe", exclude_gpus=["T4"])),
    ("现在租H100是不是比去年便宜了", _q("digest", action="show", gpus=[_g("H100")])),
    ("A100比上个月贵了吗", _q("digest", action="show", gpus=[_g("A100")])),
]

TAKEN_BACK: list[Row] = [
    ("4张A100，哦不是，8张，跑一周多少钱", _q("price", gpus=[_g("A100", 8)], hours=168)),
    ("4张A100，说错了，8张，多少钱", _q("price", gpus=[_g("A100", 8)])),
    ("阿里云上，不，腾讯云上的V100一个月多少钱", _q("price", gpus=[_g("V100")], providers=["tencent"], hours=730)),
    ("既不要AWS也不要GCP，H100哪家便宜", _q("cheapest", gpus=[_g("H100")], exclude_providers=["aws", "gcp"])),
    ("不要T4也不要P40，推荐推理卡", _q("recommend", exclude_gpus=["T4", "P40"], workloads=["inference"])),
    ("AWS也不要，H100哪家便宜", _q("cheapest", gpus=[_g("H100")], exclude_providers=["aws"])),
    ("spot A100 会被 preempt 吗", _q("explain", gpus=[_g("A100")], plans=["spot"])),
    ("这个 bot 怎么用", _q("help")),
    ("4*H100，一个礼拜，total cost最低", _q("cheapest", gpus=[_g("H100", 4)], hours=168, sort="total")),
    (
        "p5.48xlarge 包年 RI 和 on-demand 差多少钱",
        _q("compare", gpus=[_g("H100", 8)], providers=["aws"], plans=["reserved_1y", "on_demand"]),
    ),
]

ROWS = [
    *TAKEN_BACK,
    *BENCHMARKS_AND_NEWS,
    *OUT_AND_IN,
    *PRICES_AND_MACHINES,
    *VERSIONS_AND_ROUTES,
    *SAID_OTHERWISE,
    *SLIPS,
    *INSTALLED,
    *NOT_OURS,
    *SUMMED,
    *WEIGHED,
    *EITHER,
    *ENOUGH,
    *CHOICES,
    *SIGNED,
    *RENTED_AT,
    *RESIDENCY,
    *NOT_TO_SHOW,
    *UNITS,
    *NUMERALS_IN_WORDS,
    *BUDGETS,
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[text for text, _ in ROWS])
def test_a_chinese_sentence_of_a_kind_is_read_by_its_rule(text: str, expected: dict[str, Any]) -> None:
    expected = {**expected, "lang": scorer().language(text)}
    assert scorer().problems(expected) == [], "the row itself must be a question that the scorer accepts"
    assert differences(expected, read(text)) == []


THREADS: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("4张A40跑两天多少钱", "时间翻倍呢", "卡数也翻倍"), _q("price", gpus=[_g("A40", 8)], hours=96)),
    (("8张A100一周哪家便宜", "卡减一半，时间翻倍"), _q("cheapest", gpus=[_g("A100", 4)], hours=336)),
    (("8张A100一周哪家便宜", "张数翻一番"), _q("cheapest", gpus=[_g("A100", 16)], hours=168)),
    (("4张H100一个月多少钱", "再加一倍的卡"), _q("price", gpus=[_g("H100", 8)], hours=730)),
    (("4张H100跑两天", "时长乘以3"), _q("price", gpus=[_g("H100", 4)], hours=144)),
    (("4张H100跑两天", "GPU数也要乘三"), _q("price", gpus=[_g("H100", 12)], hours=48)),
    (("2张A100跑3天多少钱", "时间也减半"), _q("price", gpus=[_g("A100", 2)], hours=36)),
    (
        ("推荐个推理卡", "能跑70B的"),
        _q("recommend", workloads=["inference"], model_params_b=70),
    ),  # states, asks nothing
    (("8卡A100跑一周多少钱", "够跑70B吗"), _q("specs", gpus=[_g("A100", 8)], hours=168, model_params_b=70)),
    (
        ("AWS报价一小时32刀8卡A100", "贵吗"),
        _q("price", gpus=[_g("A100", 8)], providers=["aws"], quoted=usd(32, per="hour")),
    ),
    (("A100多少钱", "贵吗"), _q("unsupported")),  # no price was told
    (("看看价格周报", "只看H100", "每周一发到这里"), _q("digest", action="subscribe", gpus=[_g("H100")])),
    (("A100多少钱", "AWS就别推了"), _q("price", gpus=[_g("A100")], exclude_providers=["aws"])),
]


@pytest.mark.parametrize(("texts", "expected"), THREADS, ids=[" / ".join(texts) for texts, _ in THREADS])
def test_a_chinese_thread_goes_on_by_its_rule(texts: tuple[str, ...], expected: dict[str, Any]) -> None:
    assert differences(expected | {"lang": scorer().language(texts[-1])}, read_thread(*texts)) == []
