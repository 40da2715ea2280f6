import math
import random
from pathlib import Path

import pytest

from lyra.core.errors import ModelError
from lyra.core.records import Relation
from lyra.models.doors import TwoDoorSession, guess_is_enough, manner_of
from lyra.models.shelf import Shelf
from lyra.models.stance import OnnxStance
from lyra.models.weights import Doors, Weights
from tests.models.tiny import PLAIN_WORDS, REFUTING, SUPPORTING, VOCABULARY, WINDOW, TinyWeights
from tests.models.tiny_doors import (
    KNOWN,
    PIECES,
    SCREEN,
    UNKNOWN_WORD,
    WARMTH,
    counting,
    describe_doors,
    make_tiny_doors,
    write_first,
    write_pieces,
    write_rest,
)

CLAIM_TOKENS = 20
NEUTRAL_PAIR = ("word1 " * 40, "word2 " * 10)


@pytest.fixture
def doors(tmp_path: Path) -> TinyWeights:
    return make_tiny_doors(tmp_path / "doors")


def judge(tiny: TinyWeights, threads: int | None = 1) -> OnnxStance:
    return OnnxStance(Weights(tiny.directory), threads)


def counted(tiny: TinyWeights, words: tuple[str, str], pieces: tuple[str, str], pair: tuple[str, str]) -> tuple[float, ...]:
    """Return how often two tokens, and how many tokens at all, come to the network for a pair."""
    write_first(tiny.directory / "stance.onnx", counting(VOCABULARY[:KNOWN], words, empty=True))
    write_pieces(tiny.directory / "stance_pieces.onnx", counting(PIECES, pieces, empty=False))
    describe_doors(tiny)
    said = TwoDoorSession(Weights(tiny.directory), 1).read(*pair, CLAIM_TOKENS)
    return said.guess


@pytest.mark.parametrize(
    ("fragment", "claim", "manner"),
    [
        ("word1 word2", "word3", "en"),
        ("日本語の日本語", "日本語は", "ja"),
        ("The words agree.", "日本語は日本語", "x"),
        ("日本語は日本語", "The words agree.", "x"),
        ("12 %", "12 %", "en"),
    ],
)
def test_the_languages_of_a_pair_choose_how_it_is_read(fragment: str, claim: str, manner: str) -> None:
    assert manner_of(fragment, claim) == manner


def test_english_comes_as_words_with_two_borders_in_the_middle(doors: TinyWeights) -> None:
    pair = ("word1 word2 word3", "word4 word5")
    assert counted(doors, ("[CLS]", "[SEP]"), ("<s>", "</s>"), pair) == (1.0, 3.0, 3 + 2 + 4)


def test_japanese_comes_as_pieces_with_a_beginning_and_an_end_each(doors: TinyWeights) -> None:
    # A text begins with the mark of a space, so five and three characters are six and four pieces.
    assert counted(doors, ("[CLS]", "[SEP]"), ("<s>", "</s>"), ("日本語の日", "日本語")) == (2.0, 2.0, 6 + 4 + 4)


def test_words_the_network_does_not_know_come_as_unknown(doors: TinyWeights) -> None:
    pair = (f"word1 {UNKNOWN_WORD}", f"{UNKNOWN_WORD} word2")
    assert counted(doors, ("[UNK]", "word1"), ("<s>", "</s>"), pair) == (2.0, 1.0, 4 + 4)


def test_borders_written_in_a_text_are_no_borders(doors: TinyWeights) -> None:
    english = counted(doors, ("[SEP]", "[CLS]"), ("<s>", "</s>"), ("word1 [SEP] word2 [CLS]", "word3 [SEP]"))
    assert english[:2] == (3.0, 1.0)
    japanese = counted(doors, ("[SEP]", "[CLS]"), ("<s>", "</s>"), ("日本語 </s> 日 <s>", "日本語 </s>"))
    assert japanese[:2] == (2.0, 2.0)


@pytest.mark.parametrize(("word", "counts"), [("word3", ("word3", "word1")), ("日", ("日", "本"))])
def test_a_long_pair_is_cut_to_the_window_and_keeps_its_claim(doors: TinyWeights, word: str, counts: tuple[str, str]) -> None:
    separator = "" if word == "日" else " "
    other = "本" if word == "日" else "word1"
    pair = (separator.join([other] * 500), separator.join([word] * 12))
    found = counted(doors, counts, counts, pair)
    assert found[0] == 12.0
    assert found[2] == WINDOW


def test_a_long_claim_leaves_the_fragment_its_room(doors: TinyWeights) -> None:
    found = counted(doors, ("word3", "word1"), ("<s>", "</s>"), ("word1 " * 500, "word3 " * 500))
    assert found == (CLAIM_TOKENS, WINDOW - 4 - CLAIM_TOKENS, WINDOW)


@pytest.mark.parametrize(
    ("pair", "label"),
    [
        ((f"word1 {SUPPORTING}", "word2"), Relation.SUPPORTS),
        ((f"word1 {REFUTING}", "word2"), Relation.REFUTES),
        (("日本語の賛", "日本語"), Relation.SUPPORTS),
        (("日本語の否", "日本語"), Relation.REFUTES),
        ((f"The word1 {REFUTING} of it.", "日本語は日本語"), Relation.REFUTES),
        (NEUTRAL_PAIR, Relation.NEUTRAL),
    ],
)
def test_both_doors_lead_to_one_judgement(doors: TinyWeights, pair: tuple[str, str], label: Relation) -> None:
    assert judge(doors).judge([pair])[0].label is label


@pytest.mark.parametrize(
    ("pair", "manner"), [((SUPPORTING, "word2"), "en"), (("賛", "日本語は"), "ja"), ((SUPPORTING, "日本語は"), "x")]
)
def test_each_manner_has_its_own_temperature(doors: TinyWeights, pair: tuple[str, str], manner: str) -> None:
    calibrated = judge(doors).judge([pair])[0]
    temperature = {"en": 2.0, "ja": 4.0, "x": 8.0}[manner]
    describe_doors(doors, calibration=WARMTH | {"temperature": {"en": temperature}})
    assert judge(doors).judge([pair])[0] == calibrated
    assert calibrated.nli_confidence < calibrated.raw


def test_what_the_guess_settles_is_not_read_further(doors: TinyWeights) -> None:
    (doors.directory / "stance_rest.onnx").unlink()
    settled = judge(doors).judge([NEUTRAL_PAIR])[0]
    power = math.exp(0.1 * (40 + 10 + 4) / 2.0)
    assert settled.label is Relation.NEUTRAL
    assert settled.neutral == pytest.approx(power / (power + 2), abs=1e-5)
    with pytest.raises(ModelError) as caught:
        judge(doors).judge([(f"word1 {SUPPORTING}", "word2")])
    assert caught.value.code == "weights_missing"
    assert "stance_rest.onnx" in str(caught.value)


@pytest.mark.parametrize(
    "screen", [None, {"temperature": 2.0, "neutral": {"en": 1.0}}, {"temperature": 2.0, "neutral": {"ja": 0.5}}]
)
def test_without_a_threshold_every_pair_is_read_to_the_end(doors: TinyWeights, screen: dict[str, object] | None) -> None:
    guessed = judge(doors).judge([NEUTRAL_PAIR])[0]
    describe_doors(doors, screen=screen)
    read = judge(doors).judge([NEUTRAL_PAIR])[0]
    assert read.neutral > guessed.neutral
    (doors.directory / "stance_rest.onnx").unlink()
    with pytest.raises(ModelError, match=r"stance_rest\.onnx"):
        judge(doors).judge([NEUTRAL_PAIR])


def test_a_guess_at_the_threshold_is_enough_and_one_below_is_not() -> None:
    guess = (0.0, 0.0, 2.0)
    sure = math.exp(2.0) / (math.exp(2.0) + 2)
    for least, enough in ((sure - 1e-9, True), (sure + 1e-9, False), (1.0, False)):
        assert guess_is_enough(guess, 2, "en", Doors(9, 1.0, {"en": least})) is enough
    assert not guess_is_enough((0.0, 0.0, 1e9), 2, "en", Doors(9, 1.0, {"en": 1.0}))


def test_english_needs_no_pieces_and_japanese_names_the_missing_ones(doors: TinyWeights) -> None:
    for name in ("stance_pieces.onnx", "pieces_tokenizer.json"):
        (doors.directory / name).rename(doors.directory / f"{name}.away")
        asked = judge(doors)
        assert asked.judge([(f"word1 {REFUTING}", "word2")])[0].label is Relation.REFUTES
        with pytest.raises(ModelError) as caught:
            asked.judge([("日本語の否", "日本語")])
        assert caught.value.code == "weights_missing"
        assert name in caught.value.sentence("ja")
        (doors.directory / f"{name}.away").rename(doors.directory / name)
        assert asked.judge([("日本語の否", "日本語")])[0].label is Relation.REFUTES


@pytest.mark.parametrize("name", ["stance.onnx", "stance_rest.onnx", "stance_pieces.onnx", "pieces_tokenizer.json"])
def test_a_damaged_part_is_named_before_it_is_used(doors: TinyWeights, name: str, tmp_path: Path) -> None:
    content = bytearray((doors.directory / name).read_bytes())
    content[len(content) // 2] ^= 1
    (doors.directory / name).write_bytes(content)
    with pytest.raises(ModelError) as caught:
        judge(doors).judge([("日本語の否", "日本語")])
    assert caught.value.code == "weights_damaged"
    assert name in str(caught.value)
    with pytest.raises(ModelError, match=name):
        Shelf(tmp_path, Weights(doors.directory)).open(1).verify()


@pytest.mark.parametrize("name", ["stance_rest.onnx", "stance_pieces.onnx", "pieces_tokenizer.json"])
def test_the_shelf_tells_which_part_is_missing_and_how_large_all_are(doors: TinyWeights, name: str, tmp_path: Path) -> None:
    parts = ("stance.onnx", "stance_rest.onnx", "stance_pieces.onnx", "pieces_tokenizer.json")
    whole = sum((doors.directory / part).stat().st_size for part in parts)
    shelf = Shelf(tmp_path, Weights(doors.directory))
    assert {model.info.kind: (model.size, model.problem) for model in shelf.models()}["stance"] == (whole, None)
    (doors.directory / name).unlink()
    problem = {model.info.kind: model.problem for model in shelf.models()}["stance"]
    assert problem == str(doors.directory / name)


def test_a_graph_that_gives_something_else_is_of_the_wrong_kind(doors: TinyWeights) -> None:
    write_rest(doors.directory / "stance_rest.onnx", output="answer")
    describe_doors(doors)
    with pytest.raises(ModelError) as caught:
        judge(doors).judge([(f"word1 {SUPPORTING}", "word2")])
    assert caught.value.code == "model_wrong_kind"
    assert "stance_rest.onnx" in str(caught.value)


def test_a_second_tokenizer_without_borders_is_refused(doors: TinyWeights) -> None:
    (doors.directory / "pieces_tokenizer.json").write_bytes((doors.directory / "tokenizer.json").read_bytes())
    describe_doors(doors)
    with pytest.raises(ModelError) as caught:
        judge(doors).judge([("日本語の否", "日本語")])
    assert caught.value.code == "model_bad_tokenizer"
    assert "pieces_tokenizer.json" in str(caught.value)


def test_any_number_of_threads_gives_the_same_numbers(doors: TinyWeights) -> None:
    rng = random.Random(8)
    words = [*PLAIN_WORDS, SUPPORTING, REFUTING, ".", "賛", "日本語の", "。"]
    pairs = [(" ".join(rng.choices(words, k=30)), " ".join(rng.choices(words, k=5))) for _ in range(40)]
    alone = [judge(doors).judge([pair])[0] for pair in pairs]
    assert judge(doors, threads=3).judge(pairs) == alone
    assert judge(doors, threads=2).judge(pairs[::-1])[::-1] == alone


def test_a_sentence_that_comes_again_is_judged_once(doors: TinyWeights, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[tuple[str, str]] = []
    whole = TwoDoorSession.read

    def watched(session: TwoDoorSession, fragment: str, claim: str, claim_tokens: int) -> object:
        read.append((fragment, claim))
        return whole(session, fragment, claim, claim_tokens)

    monkeypatch.setattr(TwoDoorSession, "read", watched)
    first, second = f"Word1 {SUPPORTING}.", "Word2 word3."
    wholes = f"{first} {second}", f"{second} {first}"
    stances = judge(doors).judge([(wholes[0], "word4"), (wholes[1], "word4"), (wholes[0], "word4"), (first, "word5")])
    asked = {(wholes[0], "word4"), (wholes[1], "word4"), (first, "word4"), (second, "word4"), (first, "word5")}
    assert sorted(read) == sorted(asked)
    stances.pop(2)
    assert [stance.label for stance in stances] == [Relation.SUPPORTS] * 3
    assert [stance.decisive for stance in stances] == [(0, len(first)), (len(second) + 1, len(second) + 1 + len(first)), None]


def test_a_passage_is_read_as_a_whole_and_more_closely_only_where_it_may_take_a_side(
    doors: TinyWeights, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    whole = TwoDoorSession.read

    def watched(session: TwoDoorSession, fragment: str, claim: str, claim_tokens: int) -> object:
        read.append(fragment)
        return whole(session, fragment, claim, claim_tokens)

    monkeypatch.setattr(TwoDoorSession, "read", watched)
    neutral, sided = "Word1 word2. Word3 word4.", f"Word1 word2. Word3 {REFUTING}. Word4 word5."
    assert judge(doors).judge([(neutral, "word6")])[0].label is Relation.NEUTRAL
    assert read == [neutral]
    read.clear()
    stance = judge(doors).judge([(sided, "word6")])[0]
    assert stance.label is Relation.REFUTES
    assert stance.decisive == (13, 13 + len(f"Word3 {REFUTING}."))
    assert sorted(read) == sorted([sided, "Word1 word2.", f"Word3 {REFUTING}.", "Word4 word5."])
    read.clear()
    six = [f"Word{n} word{n}." for n in (1, 2, 3, 4, 5, 7)]
    assert judge(doors).judge([(" ".join(six), "word6")])[0].label is Relation.NEUTRAL
    assert read == [" ".join(six)]
    read.clear()
    six[3] = f"Word4 {REFUTING}."
    assert judge(doors).judge([(" ".join(six), "word6")])[0].label is Relation.REFUTES
    assert sorted(read) == sorted([" ".join(six), " ".join(six[0:3]), " ".join(six[2:5]), " ".join(six[4:6]), *six[2:5]])
    read.clear()
    assert judge(doors).judge([(f"Word3 {REFUTING}.", "word6")])[0].decisive is None
    assert read == [f"Word3 {REFUTING}."]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"pieces": None}, "models.stance.pieces"),
        ({"vocabulary": None}, "models.stance.vocabulary"),
        ({"rest": {"file": "../rest.onnx", "sha256": "0" * 64}}, "models.stance.rest.file"),
        ({"pieces": {"file": "stance_pieces.onnx", "sha256": "0" * 64}}, "models.stance.pieces.tokenizer"),
        ({"screen": {"neutral": {"en": 0.9}}}, "models.stance.screen.temperature"),
        ({"screen": SCREEN | {"neutral": {"en": 0.3}}}, "models.stance.screen.neutral.en"),
        ({"screen": SCREEN | {"neutral": {"ja": 1.5}}}, "models.stance.screen.neutral.ja"),
        ({"screen": SCREEN | {"neutral": {"ja": "much"}}}, "models.stance.screen.neutral.ja"),
    ],
)
def test_an_entry_that_does_not_fit_is_named(doors: TinyWeights, changes: dict[str, object], place: str) -> None:
    describe_doors(doors, **changes)
    with pytest.raises(ModelError) as caught:
        Weights(doors.directory).info("stance")
    assert caught.value.code == "weights_manifest_broken"
    assert str(caught.value.params["reason"]) == place
