"""Numbers as people write them: 1,200  1.5k  2万  a hundred  十六  三百."""

from __future__ import annotations

import re
from decimal import Decimal

_DIGIT = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2, "仨": 3, "貳": 2, "叁": 3}
_TEN = {"十": 10, "百": 100, "千": 1000}
_BIG = {"万": Decimal(10) ** 4, "亿": Decimal(10) ** 8}
HAN_NUMERAL = re.compile("[零〇一二两三四五六七八九十百千万亿俩仨]+")


def han_number(text: str) -> Decimal | None:
    """The value of a Chinese numeral such as 三百, 二十四, 两万, 千亿; None when it is not one number."""
    total, section, digit = Decimal(0), Decimal(0), None
    seen_unit = False
    last_unit = 0
    for c in text:
        if c in _DIGIT:
            if digit is not None and digit != 0:
                return None
            digit = _DIGIT[c]
        elif c in _TEN:
            section += (1 if digit is None else digit) * _TEN[c]
            last_unit = _TEN[c]
            digit, seen_unit = None, True
        else:
            part = section + (digit or 0)
            total = (total + part if part else total or Decimal(1)) * _BIG[c]
            last_unit = int(_BIG[c])
            section, digit, seen_unit = Decimal(0), None, True
    if digit is not None and seen_unit and last_unit >= 100 and text[-2] not in "零〇":
        section += digit * (last_unit // 10)  # 两万五 is 25000, 三百二 is 320
    elif digit is not None:
        section += digit
    return total + section


def han_range(text: str) -> tuple[Decimal, Decimal] | None:
    """两三 (2 to 3), 三五 (3 to 5), 十七八 (17 to 18): two neighbouring digits."""
    if len(text) >= 2 and text[-1] in _DIGIT and text[-2] in _DIGIT:
        low, high = han_number(text[:-1]), han_number(text[:-2] + text[-1])
        if low is not None and high is not None and 0 < low < high:
            return low, high
    return None
