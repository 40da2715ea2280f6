"""A small body of invented literature that all loopback services share: papers, and who cites whom."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """One invented paper. `cites` holds the keys of others."""

    key: str
    title: str
    abstract: str | None
    authors: tuple[str, ...]
    published_on: str
    venue: str
    cited_by: int
    doi: str | None = None
    pmid: str | None = None
    arxiv: str | None = None
    retracted: bool = False
    cites: tuple[str, ...] = ()

    @property
    def s2_id(self) -> str:
        return f"{int(self.key[1:]):040x}"

    @property
    def openalex_id(self) -> str:
        return f"W{int(self.key[1:]) + 7_000_000}"

    @property
    def year(self) -> int:
        return int(self.published_on[:4])


PAPERS = {
    paper.key: paper
    for paper in (
        Paper(
            "p1",
            "Green tea and systolic blood pressure: a randomised crossover trial",
            "We gave 64 adults with mild hypertension three cups of green tea or hot water daily for eight weeks. Green tea "
            "lowered systolic blood pressure by 3.1 mmHg compared with hot water. Diastolic pressure did not change.",
            ("Hana Placeholder", "Tomas Specimen"),
            "2021-04-12",
            "Journal of Illustrative Cardiology",
            48,
            doi="10.5555/ijc.2021.0001",
            pmid="90000001",
            cites=("p3", "p4", "p5"),
        ),
        Paper(
            "p2",
            "No effect of green tea extract on blood pressure in a twelve-month trial",
            "In this double-blind trial 410 adults took green tea extract or a placebo for twelve months. Green tea extract did "
            "not lower systolic blood pressure. Adverse events were rare in both groups.",
            ("Ingrid Sample", "Kofi Example"),
            "2023-09-02",
            "Annals of Invented Medicine",
            10,
            doi="10.5555/aim.2023.0007",
            pmid="90000002",
            cites=("p1", "p4"),
        ),
        Paper(
            "p3",
            "Catechins and vascular function: a laboratory study",
            "Catechins from green tea relaxed isolated arteries of rats in a dose-dependent way. The effect was absent when the "
            "endothelium had been removed.",
            ("Marta Fictive",),
            "2016",
            "Vascular Letters of Nowhere",
            1000,
            doi="10.5555/vln.2016.0042",
        ),
        Paper(
            "p4",
            "Tea drinking and hypertension: a pooled analysis of eleven cohorts",
            "We pooled eleven cohorts with 88,000 participants. Drinking tea every day was associated with lower blood pressure "
            "and with a lower risk of hypertension. The association was stronger for green tea than for black tea.",
            ("Oskar Muster", "Lin Placeholder"),
            "2019-11-30",
            "Epidemiology of Examples",
            10,
            doi="10.5555/ee.2019.0110",
            pmid="90000004",
            cites=("p3", "p6"),
        ),
        Paper(
            "p5",
            "Measuring blood pressure at home",
            None,
            ("Rosa Beispiel",),
            "2012",
            "Practice Notes",
            5,
            doi="10.5555/pn.2012.0003",
        ),
        Paper(
            "p6",
            "Caffeine raises blood pressure for a short time",
            "A single dose of caffeine raised systolic blood pressure by 8 mmHg for about two hours in people who rarely drink "
            "coffee. Regular drinkers showed no rise.",
            ("Pavel Vzorek",),
            "2008-01",
            "Stimulant Research",
            0,
            doi="10.5555/sr.2008.0016",
        ),
        Paper(
            "p7",
            "A preprint on matcha and attention",
            "Matcha improved attention in a small group of students. The effect on blood pressure was not measured.",
            ("Yuki Mihon",),
            "2024-02-20",
            "arXiv",
            2,
            doi="10.48550/arxiv.2402.01234",
            arxiv="2402.01234",
            cites=("p1",),
        ),
        Paper(
            "p8",
            "RETRACTED: Green tea cures hypertension within a week",
            "Green tea lowered systolic blood pressure by 40 mmHg within one week in all participants.",
            ("Doubtful Author",),
            "2018-06-01",
            "Journal of Haste",
            120,
            doi="10.5555/joh.2018.0099",
            retracted=True,
        ),
        Paper(
            "p9",
            "緑茶と血圧に関する無作為化比較試験",
            "高血圧の成人120人に緑茶を12週間飲んでもらった。緑茶を飲んだ群では収縮期血圧が2.8 mmHg低下した。",
            ("見本 太郎", "仮名 花子"),
            "2022-05-10",
            "架空医学雑誌",
            3,
            doi="10.5555/kiz.2022.0021",
            cites=("p1", "p4"),
        ),
    )
}


def search(query: str) -> list[Paper]:
    """Papers that share words with a query, most first."""
    words = {word for word in query.lower().replace("?", " ").split() if len(word) > 2} | {query}
    scored = []
    for paper in PAPERS.values():
        text = f"{paper.title} {paper.abstract or ''}".lower()
        score = sum(word in text for word in words)
        if score:
            scored.append((-score, paper.key, paper))
    return [paper for _, _, paper in sorted(scored)]


def citing(key: str) -> list[Paper]:
    """Papers that cite a paper, the most cited first."""
    return sorted((paper for paper in PAPERS.values() if key in paper.cites), key=lambda paper: -paper.cited_by)


def find(kind: str, value: str) -> Paper | None:
    """The paper with an identifier (`doi`, `pmid`, `arxiv`, `s2`, `openalex`)."""
    names = {"doi": "doi", "pmid": "pmid", "arxiv": "arxiv", "s2": "s2_id", "openalex": "openalex_id"}
    return next((paper for paper in PAPERS.values() if getattr(paper, names[kind]) == value.lower().replace("w7", "W7")), None)
