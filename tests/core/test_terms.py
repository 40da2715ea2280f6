"""Terms for a full-text index that does not segment Japanese."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.terms import MAX_TERMS, index_terms, match_query


def index(*texts: str) -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5(text, tokenize='porter unicode61')")
    for text in texts:
        connection.execute("INSERT INTO words(text) VALUES (?)", (index_terms(text),))
    return connection


def found(connection: apsw.Connection, query: str) -> list[int]:
    expression = match_query(query)
    if expression is None:
        return []
    rows = connection.execute("SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words)", (expression,))
    return [int(rowid) for (rowid,) in rows]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Vitamin D", "vitamin d"),
        ("骨折", "骨折"),
        ("骨折予防", "骨折 折予 予防"),
        ("肝", "肝"),
        ("COVID-19感染", "covid 19 感染"),
        ("ﾜｸﾁﾝ", "ワク クチ チン"),
        ("データベース", "デー ータ タベ ベー ース"),
        ("①ＡＢＣ", "1abc"),
        ("\x00\ud800 ok", "ok"),
    ],
)
def test_cjk_runs_become_pairs_and_words_stay(text: str, terms: str) -> None:
    assert index_terms(text) == terms


def test_a_japanese_query_finds_the_text_that_shares_its_words() -> None:
    connection = index("ビタミンDは骨折を減らす。", "コーヒーは睡眠を短くする。", "Coffee shortens sleep.")
    assert found(connection, "骨折の予防") == [1]
    assert found(connection, "睡眠とコーヒー") == [2]


def test_an_english_query_finds_other_forms_of_a_word() -> None:
    connection = index("Fractures were reduced.", "Sleep was longer.")
    assert found(connection, "reducing a fracture") == [1]


def test_particles_alone_do_not_make_a_match() -> None:
    connection = index("それはこのようにしている。", "骨折")
    assert found(connection, "骨折については") == [2]


def test_a_query_of_hiragana_only_is_still_a_query() -> None:
    connection = index("りんごはあまい。")
    assert found(connection, "りんご") == [1]


def test_a_single_kanji_finds_the_words_it_begins() -> None:
    assert found(index("肝臓の病気"), "肝") == [1]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("2024年の地震", "令和6年に起きた。"),
        ("2024年の地震", "令和六年度の予算"),
        ("令和6年の地震", "2024年1月のこと"),
        ("令和6年の地震", "二〇二四年のこと"),
        ("23万人", "約230,000人が集まった"),
        ("230,000人", "二十三万人が集まった"),
        ("20%の企業", "2割ほどが答えた"),
        ("3兆円", "三兆円に上る"),
        ("週休三日", "3日の休み"),
        ("タバコ", "たばこの害"),
        ("がんの検診", "ガンを見つける"),
        ("傷の手当", "壁や床の傷がある"),
        ("もっともらしい", "いかにももっともらしく言う"),
        ("ﾜｸﾁﾝ", "ワクチンを打つ"),
    ],
)
def test_a_japanese_text_is_found_by_another_spelling(query: str, text: str) -> None:
    assert found(index("関係のない文である。", text), query) == [2]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("2024年の地震", "2023年、令和5年、16年のこと"),
        ("23万人", "123万円と三万"),
        ("2割を占める", "12割と30%"),
        ("山を歩く", "本をのぼる"),
    ],
)
def test_another_figure_or_a_particle_is_no_match(query: str, text: str) -> None:
    assert found(index(text), query) == []


def test_old_forms_of_kanji_are_left_alone() -> None:
    assert found(index("國學院", "国学院"), "國學院") == [1]


@pytest.mark.parametrize("text", ["", "!?", "\x00", "…", "\ud800"])
def test_a_text_without_terms_gives_no_query(text: str) -> None:
    assert match_query(text) is None


def test_stop_words_are_used_only_when_there_is_nothing_else() -> None:
    assert match_query("the effect of it") == '"effect"'
    assert match_query("to be or not to be") == '"to" OR "be" OR "or" OR "not"'


@pytest.mark.parametrize("text", ['a" OR b', "NEAR(a b)", "text:x", "a*", "^a", "-a", "a AND NOT b", '""', "(a", "{x}"])
def test_nothing_is_read_as_query_syntax(text: str) -> None:
    assert found(index("something else"), text) == []


def test_a_long_query_keeps_its_telling_terms() -> None:
    expression = match_query("それではこのようにして" * 3 + "".join(chr(0x4E00 + n) for n in range(200)))
    assert expression is not None
    terms = expression.split(" OR ")
    assert len(terms) == MAX_TERMS
    assert terms[0] == f'"{chr(0x4E00)}{chr(0x4E01)}"'


NASTY = st.text() | st.text(alphabet='"*()^:{}-+ANDORNOTab骨折がのｱ\x00\ud83d\u0301²½')


@given(NASTY)
def test_a_real_index_takes_every_text_and_every_query(text: str) -> None:
    assert found(index("unrelated words only", text), "unrelated")[:1] == [1]


@given(NASTY)
def test_a_text_is_found_by_itself(text: str) -> None:
    assert match_query(text) is None or found(index(text), text) == [1]
