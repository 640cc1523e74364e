"""Kinds of Chinese sentences, each in several wordings: what they state follows from their grammar, worked out by hand."""

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

ROWS = [
    *RESIDENCY,
    *NOT_TO_SHOW,
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[text for text, _ in ROWS])
def test_a_chinese_sentence_of_a_kind_is_read_by_its_rule(text: str, expected: dict[str, Any]) -> None:
    expected = {**expected, "lang": scorer().language(text)}
    assert scorer().problems(expected) == [], "the row itself must be a question that the scorer accepts"
    assert differences(expected, read(text)) == []
