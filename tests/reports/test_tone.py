"""The tone analyser: negation, concession and verdicts, and its figures on the labelled comments."""

from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import ModelError
from lyra.reports import tone_vectors
from lyra.reports.tone import Polarity, ToneReading, analyse, contradicts
from lyra.reports.tone_learned import TONES, learned
from lyra.reports.tone_vectors import FILE, checked

CORPUS = Path(__file__).parent / "tone"


def labelled(part: str) -> list[tuple[str, str]]:
    rows = [line.split("\t") for line in (CORPUS / f"{part}.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    return [(row[-3], row[-1]) for row in rows]


@pytest.mark.parametrize(
    ("comment", "polarity"),
    [
        ("納得感あり", "positive"),
        ("優位性として妥当", "positive"),
        ("ある程度の優位性として認められる", "positive"),
        ("方向性は認めるが、定量的裏付けが不足しており納得感は限定的", "negative"),
        ("優位性として納得できない。", "negative"),
        ("納得できないわけではない。", "positive"),
        ("問題はない。", "positive"),
        ("問題がないとは言えない。", "negative"),
        ("不足はあるが、納得できる。", "positive"),
        ("評価は五分五分だ。", "mixed"),
        ("判断を保留する。", "neutral"),
        ("店舗数は百である。", "neutral"),
        ("", "neutral"),
        ("A fine moat.", "neutral"),
    ],
)
def test_a_comment_is_read_by_its_main_clause(comment: str, polarity: str) -> None:
    assert analyse(comment).polarity == polarity


def test_the_reason_is_the_words_with_the_sign_they_have_in_the_clause() -> None:
    reading = analyse("方向性は認めるが、定量的裏付けが不足しており納得感は限定的")
    assert reading.matched == ("+認め", "-定量的裏付けが不足し", "-納得感は限定的")
    assert reading.score < -0.3


def test_an_improvement_that_is_only_wished_for_does_not_count() -> None:
    assert analyse("あまり納得しない。数値があれば、高く評価できる。").polarity == "negative"


def test_what_is_quoted_or_asked_is_not_said() -> None:
    assert analyse("原文には「納得できる」とある。").polarity == "neutral"
    assert analyse("妥当かどうかを調べる。").polarity == "neutral"


@pytest.mark.parametrize("underlined", ["<u>納得できない</u>。", "納得<u>できない</u>。"])
def test_underlining_changes_nothing(underlined: str) -> None:
    assert analyse(underlined).polarity == "negative"


@given(st.text())
def test_any_text_has_a_reading_with_a_bounded_score(text: str) -> None:
    reading = analyse(text)
    assert -1 <= reading.score <= 1
    assert reading.polarity in ("positive", "negative", "neutral", "mixed")


@given(
    st.lists(
        st.sampled_from(["納得", "でき", "ない", "が、", "不足", "しかし、", "。", "妥当", "とは言えない", "れば、", "根拠"]),
        max_size=12,
    )
)
def test_a_reading_agrees_with_its_score(pieces: list[str]) -> None:
    reading = analyse("".join(pieces))
    assert (reading.polarity == "positive") == (reading.score >= 0.3)
    assert (reading.polarity == "negative") == (reading.score <= -0.3)


def test_the_labelled_parts_do_not_overlap_and_hold_all_four_tones() -> None:
    tune, learn, test, unseen, blind, blind2 = map(labelled, ("tune", "learn", "test", "unseen", "blind", "blind2"))
    comments = [comment for _, comment in tune + learn + test + unseen + blind + blind2]
    assert len(set(comments)) == len(comments) >= 200
    for part in (test, unseen, blind, blind2):
        assert {polarity for polarity, _ in part} == {"positive", "negative", "neutral", "mixed"}


def test_the_test_part_is_read_right_in_85_of_100_and_at_most_3_would_be_corrected_wrongly() -> None:
    test = labelled("test")
    readings = [(polarity, analyse(comment)) for polarity, comment in test]
    assert sum(label == read.polarity for label, read in readings) / len(test) >= 0.85
    wrongly = sum(label != read.polarity and read.polarity in ("positive", "negative") and read.sure for label, read in readings)
    assert wrongly / len(test) <= 0.03


def test_what_argues_by_plain_facts_is_read_by_the_learned_scores_and_names_the_pieces() -> None:
    reading = analyse("値上げの後も、主要な顧客は一社も離れていない。")
    assert reading.polarity == "positive"
    assert reading.matched and all(
        word[0] == "+" and word[1:] in "値上げの後も、主要な顧客は一社も離れていない。" for word in reading.matched
    )


def test_only_a_sure_reading_may_be_corrected() -> None:
    assert analyse("納得できない。根拠がない。").sure
    assert not analyse("倉庫の屋根を三年前に葺き替えた。").sure
    assert not analyse("A fine moat.").sure


@pytest.mark.parametrize(
    ("polarity", "confidence", "expected"),
    [("positive", 30, True), ("positive", 50, False), ("negative", 70, True), ("negative", 50, False), ("mixed", 10, False)],
)
def test_a_tone_contradicts_a_confidence_outside_the_middle_only(polarity: Polarity, confidence: int, expected: bool) -> None:
    assert contradicts(ToneReading(polarity, 0.0, ()), confidence) is expected


def test_the_coefficients_are_small_and_whole_numbers_for_four_tones() -> None:
    model = (resources.files("lyra.reports") / "tone_model.json").read_text(encoding="utf-8")
    assert len(model.encode()) < 600_000
    assert len((resources.files("lyra.reports") / "tone_vectors.npz").read_bytes()) == learned().vectors[0] < 8_000_000
    known = learned()
    assert all(len(values) == len(TONES) for values in [*known.pieces.values(), *known.signals.values()])


def test_a_damaged_file_of_vectors_is_refused_by_name() -> None:
    size, digest = learned().vectors
    data = (resources.files("lyra.reports") / FILE).read_bytes()
    assert checked(data, size, digest, FILE) == data
    for broken in (data[:-1], b"x" + data[1:], b""):
        with pytest.raises(ModelError) as failed:
            checked(broken, size, digest, FILE)
        assert failed.value.code == "weights_damaged" and FILE in str(failed.value) and failed.value.exit_code == 3


def test_a_missing_file_of_vectors_is_said_and_no_comment_is_read_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tone_vectors, "FILE", "nowhere.npz")
    with pytest.raises(ModelError) as failed:
        tone_vectors.shipped.__wrapped__(*learned().vectors)
    assert failed.value.code == "weights_missing" and "nowhere.npz" in str(failed.value)


def test_a_text_is_cut_into_known_pieces_and_unknown_letters_and_its_vector_has_length_one() -> None:
    encoder, _ = tone_vectors.shipped(*learned().vectors)
    pieces = tone_vectors.segmented(encoder, "根拠資料は一次情報。")
    assert pieces[0] == tone_vectors.FIRST and pieces[-1] == tone_vectors.LAST and tone_vectors.UNKNOWN not in pieces
    assert tone_vectors.UNKNOWN in tone_vectors.segmented(encoder, "\U0001f600")
    vector = tone_vectors.encoded(encoder, "")
    assert vector.shape == (512,) and abs(float(vector @ vector) - 1) < 1e-5


def test_what_means_the_same_lies_nearer_than_what_does_not() -> None:
    encoder, _ = tone_vectors.shipped(*learned().vectors)
    said, alike, other = (
        tone_vectors.encoded(encoder, text) for text in ("納得できる主張だ。", "もっともな意見である。", "来月に会議がある。")
    )
    assert said @ alike > said @ other
