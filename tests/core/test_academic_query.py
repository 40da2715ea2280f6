"""Where a search starts: which queries ask for scholarly work."""

import pytest

from lyra.core.academic_query import is_academic_query


@pytest.mark.parametrize(
    "query",
    [
        "randomised trial of green tea",
        "systematic review sleep and memory",
        "meta-analysis statins",
        "What does research say about screen time?",
        "10.5555/ijc.2021.0001",
        "https://doi.org/10.5555/ijc.2021.0001",
        "PMID: 90000001",
        "arXiv:2402.01234 attention",
        "https://arxiv.org/abs/2402.01234",
        "odds ratio of smoking and stroke",
        "緑茶 血圧 無作為化比較試験",
        "睡眠不足 先行研究",
        "機械学習 論文",
        "喫煙と肺がんのコホート",
        "ビタミンＤのメタ分析",
    ],
)
def test_queries_for_studies_start_at_the_indexes_of_papers(query: str) -> None:
    assert is_academic_query(query)


@pytest.mark.parametrize(
    "query",
    [
        "green tea blood pressure",
        "best teapots 2025",
        "wallpaper for a small kitchen",
        "paper towels bulk price",
        "free trial of a music app",
        "study desk with drawers",
        "bullet journal ideas",
        "機械学習の最新動向",
        "京都 紅葉 見頃",
        "緑茶 おすすめ 通販",
        "",
    ],
)
def test_everyday_queries_start_on_the_web(query: str) -> None:
    assert not is_academic_query(query)
