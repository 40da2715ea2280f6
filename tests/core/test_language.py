"""Which language a text is in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.language import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Vitamin D reduces the risk of fractures.", "en"),
        ("Aspirin", "en"),
        ("p < .05", "en"),
        ("ビタミンDは骨折を減らす。", "ja"),
        ("新型感染症対策", "ja"),
        ("COVID-19ワクチンの有効性について", "ja"),
        ("ｶﾀｶﾅ", "ja"),
        ("これはtestです", "ja"),
        ("The word 効果 (kouka) means effect in Japanese medical writing.", "en"),
        ("这是一个关于维生素的中文文本内容很长而且没有任何假名出现在其中因此不是日文", "und"),
        ("维生素D可以预防骨折。", "und"),
        ("骨质疏松症", "und"),
        ("他说：“对！”", "und"),
        ("個人情報保護法施行規則等一部改正省令案概要説明資料公表一覧表", "ja"),
        ("中国語の「维生素」は「ビタミン」の意味である。", "ja"),
        ("國學院大學圖書館", "ja"),
        ("今日は暑い☀️🥵", "ja"),
        ("Это русский текст о погоде.", "und"),
        ("이것은 한국어 문장입니다", "und"),
        ("Die Wirkung der Behandlung ist nicht mit dem Alter der Patienten verbunden.", "und"),
        ("Les effets de la vitamine sur les os dans une étude.", "und"),
        ("", "und"),
        ("12 % — 34", "und"),
    ],
)
def test_the_script_decides(text: str, language: str) -> None:
    assert detect_language(text) == language


@given(st.text())
def test_every_text_gets_one_of_three_answers_and_always_the_same(text: str) -> None:
    assert detect_language(text) in {"ja", "en", "und"}
    assert detect_language(text) == detect_language(text)
