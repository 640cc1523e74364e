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

ROWS = [
    *RESIDENCY,
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[text for text, _ in ROWS])
def test_a_chinese_sentence_of_a_kind_is_read_by_its_rule(text: str, expected: dict[str, Any]) -> None:
    expected = {**expected, "lang": scorer().language(text)}
    assert scorer().problems(expected) == [], "the row itself must be a question that the scorer accepts"
    assert differences(expected, read(text)) == []
