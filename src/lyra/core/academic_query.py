"""Whether a query asks for scholarly work. It decides where a search starts, and nothing else."""

import re
import unicodedata

from lyra.core.identifiers import identifiers_in_address, identifiers_in_text, scholarly

# What people write who look for studies rather than for pages: kinds of study, of publication and of measure.
_ENGLISH = re.compile(
    r"\b(?:randomi[sz]ed|placebo|double[- ]blind|cross[- ]?over trial|(?:clinical |controlled |human )?trials?|rcts?"
    r"|cohorts?|case[- ]control|longitudinal|cross[- ]sectional|meta[- ]?analys[ei]s|systematic reviews?|literature reviews?"
    r"|scoping reviews?|peer[- ]reviewed|preprints?|papers?|journals?|proceedings|dissertations?|thes[ei]s|abstracts?"
    r"|stud(?:y|ies)|researchers?|research|scientific|scholar(?:ly)?|academic|literature|evidence[- ]based|empirical"
    r"|hypothes[ei]s|methodolog(?:y|ies)|p[- ]values?|confidence intervals?|effect sizes?|odds ratios?|hazard ratios?"
    r"|in vitro|in vivo|epidemiolog(?:y|ical)|biomarkers?|pathogenesis|aetiology|etiology|prevalence|incidence"
    r"|efficacy|pharmacokinetics?|mechanisms? of action|neural networks?|arxiv|pubmed|medline|doi|cochrane)\b",
    re.IGNORECASE,
)
_JAPANESE = re.compile(
    r"論文|学術|研究|査読|文献|学会|紀要|学位|博士|修士論文|先行研究|系統的レビュー"
    r"|システマティックレビュー|メタ[・ ]?アナリシス|メタ分析"
    r"|メタ解析|無作為化|ランダム化|プラセボ|偽薬|二重盲検|臨床試験|治験|比較試験|コホート|症例対照|横断研究|縦断研究|疫学"
    r"|有意差|信頼区間|オッズ比|ハザード比|効果量|相関係数|仮説|検定|実証|有病率|罹患率|発症率|生体内|試験管内|作用機序|病因"
    r"|科学的根拠|エビデンス|プレプリント"
)
# A word and what stands around it that makes it something else than scholarship.
_EVERYDAY = re.compile(
    r"\bpapers? (?:towels?|bags?|cups?|planes?|plates?|size|mills?)\b|\b(?:wall|toilet|tissue|wrapping|news)[- ]?papers?\b"
    r"|\bstud(?:y|ies) (?:rooms?|desks?|abroad|tips?|guides?|playlists?)\b|\btrial (?:versions?|periods?|lawyers?|dates?)\b"
    r"|\bfree trials?\b|\bbullet journals?\b|\bjournal(?:ing)? prompts?\b",
    re.IGNORECASE,
)


def is_academic_query(query: str) -> bool:
    """Return whether to ask indexes of papers first: for queries that name a paper, or kinds of study, in English or Japanese.

    A query that is wrongly taken for an everyday one loses nothing but the start: papers met on the way are followed all the
    same.
    """
    text = unicodedata.normalize("NFKC", query)
    named = [*identifiers_in_text(text), *(one for word in text.split() for one in identifiers_in_address(word))]
    if scholarly(named):
        return True
    plain = _EVERYDAY.sub(" ", text)
    return bool(_ENGLISH.search(plain) or _JAPANESE.search(plain))
