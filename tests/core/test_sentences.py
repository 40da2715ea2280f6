"""Sentence boundaries in English and Japanese."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.sentences import MAX_SENTENCE_CHARS, split_sentences

PIECES = st.sampled_from(
    """. |! |? |。|！|？|．|…|\n|\n\n|- |1. |(|)|「|」|『|』|（|）|“|”|"|[12]|Dr|et al|e.g|U.S|Fig|p < .05|3.5
    |３．５|The|word |骨折|が|ある|︒|︕|﹁|﹂|︑|😅|\ufe0f|Yahoo!|ニュース|の|第1条|一\u3000
    |\t|\u3000|\r|\x0c|xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx""".split("|")
)
MIXED = st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=200)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith et al. (2020) found a drop of 3.5% (p < .05).",
        "The U.S. Food and Drug Administration approved it, e.g. for adults, i.e. those over 18.",
        "See Fig. 2 and approx. 40 vs. 50 cases, cf. Sect. 3.",
        "J. K. Rowling and A. B. Carter agree.",
        "The trial (see above. And below) was small.",
        "Wait ... for it.",
        "“Why?” she asked.",
        "No. 5 was sold out in Sept. 2020.",
        "Python 3.11 is at example.org/a.b today.",
        "効果があった（図1参照。追加の解析も行った。）ことが示された。",
        "彼は「治る。本当だ。」と言った。",
        "値は３．５だった。",
        "本当に効くのか？という疑問がある。",
        "改行された文が\n続いている。",
        "A line that was\nwrapped by hand.",
        "1. Introduction comes first.",
        "１．はじめに述べる。",
        "︽題名︾には﹁会話だ︒﹂とある︒",
        "『彼女は「違う。」と言った。』と本にある。",
        "Yahoo!ニュースが報じた。",
        "モーニング娘。の曲が売れた。",
        "そうだ──と彼は言った。",
        "ﾃｽﾄは｢終わり｡｣と言った｡",
    ],
)
def test_one_sentence_stays_whole(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rained. It poured! Did it? Yes.", ["It rained.", "It poured!", "Did it?", "Yes."]),
        ('He said "it works." She left.', ['He said "it works."', "She left."]),
        ("Mortality fell.[12] Costs rose.", ["Mortality fell.[12]", "Costs rose."]),
        ("It lowered mortality.12 The cost rose.", ["It lowered mortality.12", "The cost rose."]),
        ("They took vitamin D. The risk fell.", ["They took vitamin D.", "The risk fell."]),
        ("They took vitamin D. Patients improved.", ["They took vitamin D.", "Patients improved."]),
        ("It was made in the U.S. The maker is known.", ["It was made in the U.S.", "The maker is known."]),
        (
            "This was seen by Smith et al. However, others disagree.",
            ["This was seen by Smith et al.", "However, others disagree."],
        ),
        ("It worked in cells. mRNA was degraded.", ["It worked in cells.", "mRNA was degraded."]),
        ("The answer is no. Nobody knew.", ["The answer is no.", "Nobody knew."]),
        ("In 2019. 45 patients died.", ["In 2019.", "45 patients died."]),
        ("雨が降った。風も強い！本当？", ["雨が降った。", "風も強い！", "本当？"]),
        ("「効く。」医師は述べた。", ["「効く。」", "医師は述べた。"]),
        ("効果があった（図1参照。）次に述べる．終わり．", ["効果があった（図1参照。）", "次に述べる．", "終わり．"]),
        ("有意であった(p<0.05).次に,年齢を調べた.", ["有意であった(p<0.05).", "次に,年齢を調べた."]),
        ("結果は良好︒次の章︑参照︕終わり︖", ["結果は良好︒", "次の章︑参照︕", "終わり︖"]),
        ("すごい！！本当に？！そう思う。", ["すごい！！", "本当に？！", "そう思う。"]),
        ("「本当ですか？」と聞いた。「はい！」彼女は答えた。", ["「本当ですか？」と聞いた。", "「はい！」", "彼女は答えた。"]),
        ("暑い☀️。雨かも😅 傘を🙏", ["暑い☀️。", "雨かも😅", "傘を🙏"]),
        ("やった！🎉そして次へ。", ["やった！🎉", "そして次へ。"]),
        ("　前の段落\n　次の段落", ["前の段落", "次の段落"]),
        ("第1条　目的\n一　定義\n二　範囲", ["第1条　目的", "一　定義", "二　範囲"]),
        ("1.はじめに\n2.方法", ["1.はじめに", "2.方法"]),
        ("骨折を防ぐ。维生素D可以预防骨折。他说：“对！”", ["骨折を防ぐ。", "维生素D可以预防骨折。", "他说：“对！”"]),
        ("終わった。はい、そうだ。", ["終わった。", "はい、そうだ。"]),
        ("A heading\n\nIts text.", ["A heading", "Its text."]),
        ("Causes:\n- smoking\n- alcohol\n2. age", ["Causes:", "- smoking", "- alcohol", "2. age"]),
        ("原因\n・喫煙\n・飲酒", ["原因", "・喫煙", "・飲酒"]),
        ("| a | b\n| c | d", ["| a | b", "| c | d"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_an_unclosed_bracket_does_not_hold_the_page_together() -> None:
    assert len(sentences("An (open bracket. " + "Then a sentence. " * 50)) == 51


def test_a_run_without_a_stop_is_cut_at_a_comma() -> None:
    text = "word " * 180 + "and, then " + "word " * 300
    first, *rest = sentences(text)
    assert first.endswith("and,")
    assert all(len(part) <= MAX_SENTENCE_CHARS for part in [first, *rest])


@pytest.mark.parametrize("clause", ["あ", "これは文であり、", "漢字とかなの続く文であり︑"])
def test_ten_thousand_characters_without_a_stop_are_cut_at_a_comma_where_there_is_one(clause: str) -> None:
    text = clause * (10_000 // len(clause))
    parts = sentences(text)
    assert "".join(parts) == text
    assert all(len(part) <= MAX_SENTENCE_CHARS and (len(clause) == 1 or part.endswith(clause[-1])) for part in parts)


@given(MIXED)
def test_spans_are_ordered_disjoint_trimmed_and_cover_all_that_is_not_white_space(text: str) -> None:
    spans = split_sentences(text)
    covered: set[int] = set()
    previous = 0
    for start, end in spans:
        assert previous <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        assert end - start <= MAX_SENTENCE_CHARS
        covered.update(range(start, end))
        previous = end
    assert all(index in covered or character.isspace() for index, character in enumerate(text))


@given(MIXED)
def test_a_blank_line_always_ends_a_sentence(text: str) -> None:
    assert split_sentences(text + "\n\nZ")[-1] == (len(text) + 2, len(text) + 3)
