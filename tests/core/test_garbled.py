"""Text in the wrong encoding is recognised, and nothing else is taken for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.judgement import finding
from lyra.core.claim_input import check_claim, parse_claims
from lyra.core.errors import InvalidInput
from lyra.core.fragments import cut_fragments
from lyra.core.garbled import garbled_share, is_garbled
from lyra.core.records import Section

SENTENCE = "骨粗しょう症の患者は増えている。専門家は、予防が大切だと述べた。"
MISREAD = [
    ("utf-8", "cp932"),
    ("utf-8", "cp1252"),
    ("utf-8", "latin-1"),
    ("utf-8", "gbk"),
    ("utf-8", "mac_roman"),
    ("utf-8", "koi8_r"),
    ("cp932", "cp1252"),
    ("cp932", "utf-8"),
    ("euc_jp", "latin-1"),
    ("euc_jp", "cp932"),
    ("euc_jp", "utf-8"),
    ("cp932", "euc_jp"),
]


@pytest.mark.parametrize(("written", "read"), MISREAD)
def test_a_japanese_text_in_the_wrong_encoding_is_garbled(written: str, read: str) -> None:
    assert is_garbled(SENTENCE.encode(written).decode(read, "replace"))


def test_characters_that_were_lost_are_garbled() -> None:
    assert is_garbled("?????????????????D??????")
    assert is_garbled(SENTENCE.encode("iso2022_jp").decode("latin-1").replace("\x1b", ""))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Vitamin D lowers the risk.",
        SENTENCE,
        "ﾋﾞﾀﾐﾝDは､骨折を減らす｡",
        "ﾊﾝｶｸｶﾅﾉﾌﾞﾝｼｮｳﾃﾞｽ､ﾖﾛｼｸ｡",
        "東京ﾄﾞｰﾑで行われた。",
        "Café à la crème, où l'été déjà passé…",
        "¿Qué? ¡Año nuevo!",
        "x² ± 3 µm × 5° ÷ 2",
        "What??? Really????",
        "縺れた糸を解く。",
        "繧繝縁は畳の縁の一種である。",
        "文字化けの例「縺ゅ＞縺」は、UTF-8をShift_JISで読むと現れる。",
        "国家重点实验室发现，维生素D可以预防骨折。",
        "今日は暑い☀️🥵🥵🥵",
        "國學院大學圖書館",
        "䷀䷁ ㍻㍼ ①②③",
    ],
)
def test_ordinary_text_is_not(text: str) -> None:
    assert not is_garbled(text)


def test_no_passage_of_the_japanese_suite_is() -> None:
    assert max(map(garbled_share, finding.passages().values())) < 0.05


@given(st.text())
def test_every_text_has_a_share(text: str) -> None:
    assert 0 <= garbled_share(text) <= 1


def test_a_garbled_passage_is_no_fragment_and_the_others_are() -> None:
    garbled = SENTENCE.encode().decode("cp932", "replace")
    text = f"{SENTENCE}\n\n{garbled}"
    sections = [Section(0, len(SENTENCE)), Section(len(SENTENCE) + 2, len(text))]
    assert [text[span.start : span.end] for span in cut_fragments(text, sections)] == [SENTENCE]


def test_a_garbled_claim_is_refused_and_its_row_named() -> None:
    garbled = SENTENCE.encode().decode("cp932", "replace")
    with pytest.raises(InvalidInput) as refusal:
        check_claim(garbled)
    assert refusal.value.code == "garbled_claim"
    parsed = parse_claims(f"claim\n{SENTENCE}\n{garbled}\n", ".csv", "claims.csv")
    assert [claim.text for claim in parsed.claims] == [SENTENCE]
    assert [(problem.code, problem.params["where"]) for problem in parsed.problems] == [("garbled_claim", "claims.csv:3: ")]


def test_a_garbled_file_of_claims_is_refused_as_a_whole() -> None:
    with pytest.raises(InvalidInput) as refusal:
        parse_claims(f"主張\n{SENTENCE}\n".encode().decode("cp932", "replace"), ".csv", "claims.csv")
    assert (refusal.value.code, refusal.value.params["where"]) == ("garbled_claim", "claims.csv: ")
