"""A report that a person filled in, read back: conviction marks, answers, boxes.

The form is looked for where the template has it, claim by claim; what is not filled in is None or empty. A form filled in twice
over, or with a number above 100, is listed as a problem and gives no score.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lyra.core.errors import InvalidInput
from lyra.reports.human import HIGHEST_SCORE, HumanEvaluation, HumanScore
from lyra.reports.scale import CONFIDENCES

Json = dict[str, object]

_MARKS = "○◯〇⭕●◎☑☒✅✓✔■"
_BOX = re.compile(rf"(\[[xX✓ ]?\]|[{_MARKS}□☐])\s*([^\n□☐{_MARKS}\[]*)")
_CHECKED = re.compile(rf"\[[xX✓]\]|[{_MARKS}]")
_NUMBER = re.compile(r"(\d(?: ?\d){0,2})\s*%?")
_VALUE = r"\s*\d[\d ]*%?\s*"
_MARKED = re.compile(rf"[{_MARKS}]|\[[xX✓]\]|\({_VALUE}\)|\*+{_VALUE}\*+|_+{_VALUE}_+|=={_VALUE}==|<u>\s*\d|\[{_VALUE}\]|【")
_BETWEEN = re.compile(rf"[/|、,・→←\n]|(?<=%)\s+(?=[{_MARKS}□☐(*]*(?:\[[xX✓ ]?\])?\s*\d)")
_RANGE = re.compile(r"\d\s*%?\s*[〜~–—-]\s*\d+\s*%?")
_STRUCK = re.compile(r"~~[^~]*~~")
_HINT = re.compile(r"←\s*丸をつける")
# Chooses the coloured form of a sign; people type it without knowing.
_VARIANT = "\ufe0f"
_CLAIM = re.compile(r"^ {0,3}#{2,6}\s+#\s*(\d{1,9})\s*:\s*(.*?)\s*$")
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*$")
_TITLE = re.compile(r"^ {0,3}#\s+(\S+)\s+競争優位性評価レポート")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
# The labels of the form with what ends them: an answer that only begins with the same words is an answer.
_LABELS = {
    "納得度": ("score", "[:：]"),
    "該当する質問に": ("questions", "[^:：\\n]*[:：]"),
    "回答": ("answer", "[:：]"),
    "この指摘は他の銘柄にも": ("elsewhere", "[^?？\\n]*[?？]"),
    "補足": ("note", r"(?:[(（]任意[)）])?\s*[:：]"),
    "レポート全体として": ("agreement", "[^?？\\n]*[?？]"),
    "最も良かった主張の番号": ("best", "[:：]"),
    "最も問題のある主張の番号": ("worst", "[:：]"),
    "全体的な印象": ("impression", r"(?:[(（]自由記述[)）])?\s*[:：]"),
    "AIの評価で最も違和感": ("strangest", "[^:：\\n]*[:：]"),
}
_ENDS = "|".join(rf"{name}\s*{end}" for name, (_, end) in _LABELS.items())
_LABEL = re.compile(rf"^[\s*_]*(?=({'|'.join(_LABELS)}))(?:{_ENDS})[\s*_]*(?:[(（]任意[)）])?[\s*_]*")
_ELSEWHERE = {"はい": "yes", "いいえ": "no", "わからない": "unknown"}
_AGREEMENT = {"概ね": "mostly", "部分的": "partly", "沿っていない": "no"}
_OVERALL = "全体フィードバック"
# A rule ends an answer, and so does the folded part with the metadata.
_END = re.compile(r"^\s*(?:-{3,}|\*{3,}|_{3,})\s*$|^\s*<details\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClaimFeedback:
    """What a person wrote on one claim."""

    number: int
    text: str
    line: int
    score: int | None = None
    answer: str = ""
    applies_elsewhere: str | None = None
    note: str = ""

    @property
    def is_filled(self) -> bool:
        """Return whether anything was written."""
        return any((self.score is not None, self.answer, self.applies_elsewhere, self.note))


@dataclass(frozen=True, slots=True)
class Overall:
    """What a person wrote on the report as a whole."""

    agreement: str | None = None
    best_claim: int | None = None
    worst_claim: int | None = None
    impression: str = ""
    strangest_point: str = ""

    @property
    def is_filled(self) -> bool:
        """Return whether anything was written."""
        return self != Overall()


@dataclass(frozen=True, slots=True)
class Problem:
    """A place that was filled in so that it cannot be used: `several_scores`, `several_boxes` or `off_scale`."""

    line: int
    code: str
    found: str


@dataclass(frozen=True, slots=True)
class Feedback:
    """A whole filled-in report."""

    ticker: str
    claims: tuple[ClaimFeedback, ...]
    overall: Overall
    problems: tuple[Problem, ...]

    @property
    def candidates(self) -> tuple[ClaimFeedback, ...]:
        """Return the claims whose remark holds for other companies, too: candidates for the knowledge."""
        return tuple(claim for claim in self.claims if claim.applies_elsewhere == "yes")

    @property
    def evaluation(self) -> HumanEvaluation:
        """Return the scores, for measuring accuracy. The form asks for none on CAGR connections."""
        scored = ((claim, claim.score) for claim in self.claims if claim.score is not None)
        return HumanEvaluation(tuple(HumanScore(one.text, score, one.line, one.number, one.answer) for one, score in scored), ())


def read_feedback(text: str, where: str) -> Feedback:
    """Return what a person filled in. Raises InvalidInput for a text without claims, or with nothing filled in."""
    problems: list[Problem] = []
    ticker, claims, overall = "", [], Overall()
    for section in _sections(text):
        if section.kind == "title":
            ticker = ticker or section.text
        elif section.kind == "claim":
            claims.append(_claim(section, problems))
        elif not overall.is_filled:
            overall = _overall(section, problems)
    if not claims:
        raise InvalidInput("feedback_not_a_report", path=where)
    if not problems and not overall.is_filled and not any(claim.is_filled for claim in claims):
        raise InvalidInput("feedback_nothing_filled_in", path=where)
    return Feedback(ticker, tuple(claims), overall, tuple(problems))


def feedback_json(feedback: Feedback, source: str) -> Json:
    """Return the feedback as JSON-ready values, valid against its schema; `accuracy --human` reads it."""
    overall = feedback.overall
    return {
        "schema_version": "1",
        "ticker": feedback.ticker,
        "source": source,
        "advantages": [
            {
                "number": claim.number,
                "text": claim.text,
                "score": claim.score,
                "line": claim.line,
                "answer": claim.answer,
                "applies_elsewhere": claim.applies_elsewhere,
                "note": claim.note,
            }
            for claim in feedback.claims
        ],
        "connections": [],
        "knowledge_candidates": [
            {"number": claim.number, "text": claim.text, "score": claim.score, "answer": claim.answer, "note": claim.note}
            for claim in feedback.candidates
        ],
        "overall": {
            "agreement": overall.agreement,
            "best_claim": overall.best_claim,
            "worst_claim": overall.worst_claim,
            "impression": overall.impression,
            "strangest_point": overall.strangest_point,
        },
        "unusable": [{"line": problem.line, "code": problem.code, "found": problem.found} for problem in feedback.problems],
    }


@dataclass(frozen=True, slots=True)
class _Section:
    kind: str
    text: str
    number: int
    line: int
    body: tuple["_Line", ...]


class _Line(NamedTuple):
    number: int
    text: str
    fenced: bool


def _sections(text: str) -> Iterator[_Section]:
    kind, title, number, line, body = "", "", 0, 0, list[_Line]()
    for one in _lines(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")):
        at, raw, spelled = one.number, one.text, "" if one.fenced else unicodedata.normalize("NFKC", one.text)
        if found := _TITLE.match(spelled):
            yield _Section("title", found[1], 0, at, ())
        claim, heading = _CLAIM.match(spelled), _HEADING.match(spelled)
        ends = claim or (heading and (len(heading[1]) <= 2 or _OVERALL in heading[2]))  # noqa: PLR2004 - a part of the report
        if not ends:
            body.append(one)
            continue
        if kind:
            yield _Section(kind, title, number, line, tuple(body))
        kind, title, number, line, body = "", "", 0, at, []
        if claim:
            kind, title, number = "claim", _unescaped(re.split("[:：]", raw, maxsplit=1)[1].strip()), int(claim[1])
        elif heading and _OVERALL in heading[2]:
            kind = "overall"
    if kind:
        yield _Section(kind, title, number, line, tuple(body))


def _lines(lines: Sequence[str]) -> Iterator[_Line]:
    """Number the lines, and tell those of a fence: they are a part of an answer at most, never of the form."""
    fence = ""
    for number, line in enumerate(lines, start=1):
        mark = _FENCE.match(line)
        yield _Line(number, line, fenced=bool(fence or mark))
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]


def _unescaped(text: str) -> str:
    plain = re.sub(r"\\([\\`*_\[\]|~#+=:.)-])", r"\1", text)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _answers(body: Iterable[_Line]) -> dict[str, tuple[int, str]]:
    """What stands under each label of the form, with its line: from behind the label to the next label or rule."""
    found: dict[str, tuple[int, list[str]]] = {}
    current: list[str] | None = None
    for at, raw, fenced in body:
        if label := None if fenced else _LABEL.match(raw):
            current = [raw[label.end() :].strip()]
            found.setdefault(_LABELS[label[1]][0], (at, current))
        elif not fenced and _END.match(raw):
            current = None
        elif current is not None:
            current.append(raw.strip())
    return {name: (at, "\n".join(lines).strip()) for name, (at, lines) in found.items()}


def _claim(section: _Section, problems: list[Problem]) -> ClaimFeedback:
    answers = _answers(section.body)
    line, marked = answers.get("score", (section.line, ""))
    return ClaimFeedback(
        number=section.number,
        text=section.text,
        line=line,
        score=_score(marked, line, problems),
        answer=answers.get("answer", (0, ""))[1],
        applies_elsewhere=_chosen(answers.get("elsewhere", (0, "")), _ELSEWHERE, problems),
        note=answers.get("note", (0, ""))[1],
    )


def _score(said: str, line: int, problems: list[Problem]) -> int | None:
    """The value that is marked; where none is, one that was written instead of, or beside, the five."""
    text = _STRUCK.sub("", _HINT.sub("", _spelled(said)))
    options = [option for option in _BETWEEN.split(text) if _NUMBER.search(option)]
    marked = [option for option in options if _MARKED.search(option)]
    if not marked:
        marked = _written(options)
    if between := next((option.strip() for option in marked if _RANGE.search(option)), None):
        problems.append(Problem(line, "several_scores", between))
        return None
    return _one_of([_value(option) for option in marked], line, problems)


def _written(options: list[str]) -> list[str]:
    """What stands there beside the five values of the form, or instead of them."""
    left = list(options)
    if len(options) >= len(CONFIDENCES):
        for value in CONFIDENCES:
            if found := next((option for option in left if _value(option) == value), None):
                left.remove(found)
    return left


def _one_of(marked: list[int], line: int, problems: list[Problem]) -> int | None:
    if len(set(marked)) > 1:
        problems.append(Problem(line, "several_scores", ", ".join(f"{value}%" for value in marked)))
        return None
    if marked and marked[0] > HIGHEST_SCORE:
        problems.append(Problem(line, "off_scale", f"{marked[0]}%"))
        return None
    return marked[0] if marked else None


def _spelled(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace(_VARIANT, "")


def _value(option: str) -> int:
    found = _NUMBER.search(option)
    return int(found[1].replace(" ", "")) if found else 0


def _chosen(said: tuple[int, str], names: dict[str, str], problems: list[Problem]) -> str | None:
    line, text = said
    ticked = [label.strip() for box, label in _BOX.findall(_spelled(text)) if _CHECKED.fullmatch(box)]
    chosen = [code for label in ticked for name, code in names.items() if label.startswith(name)]
    if len(set(chosen)) > 1:
        problems.append(Problem(line, "several_boxes", ", ".join(ticked)))
        return None
    return chosen[0] if chosen else None


def _overall(section: _Section, problems: list[Problem]) -> Overall:
    answers = _answers(section.body)
    return Overall(
        agreement=_chosen(answers.get("agreement", (0, "")), _AGREEMENT, problems),
        best_claim=_claim_number(answers.get("best", (0, ""))[1]),
        worst_claim=_claim_number(answers.get("worst", (0, ""))[1]),
        impression=answers.get("impression", (0, ""))[1],
        strangest_point=answers.get("strangest", (0, ""))[1],
    )


def _claim_number(said: str) -> int | None:
    found = re.search(r"\d{1,9}", unicodedata.normalize("NFKC", said))
    return int(found[0]) if found else None
