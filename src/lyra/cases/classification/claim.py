"""What type a claim is (decision table D2), and the parts a compound claim comes apart into. Japanese and English."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from lyra.cases.classification.flow import Answer, Walk, charts, walk
from lyra.cases.model import ClaimType
from lyra.core.language import detect_language

YES, NO = "yes", "no"
_PREDICATE_ADJECTIVE = re.compile(
    r"(?<!な)(?<![がはも])(?:[しなたかがらよるわむすつつ]|高|低|深|長|薄|厚|遅|早|若|近|遠)い[。．]?$|的(?:だ|である|だった|であった|です)?[。．]?$"
)
_ENGLISH_JUDGEMENT = re.compile(
    r"\b(?:is|was|are|were|has been|have been|seems?|remains?|looks?|proved)\s+(?:\w+ly\s+)?(?:an?\s+)?(?:\w+ly\s+)?"
    r"([a-z-]+(?:ful|less|ous|ive|able|ible|ant|ent))\W*$",
    re.IGNORECASE,
)
# A name inside the sentence, or a verb that something was done: more likely a fact than praise, and never sure.
_ENGLISH_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+")
_JAPANESE_EVENT = re.compile(
    r"[一-龠ァ-ヶー](?:を|に|へ|と)[^、。]{0,12}(?:した|された|った|いた|んだ|せた|れた)[。．]?$|[ァ-ヶー]{3,}"
)
# A sentence that ends in a verb, or has none of "to be" and its kind, tells of something rather than describes it.
_JAPANESE_VERB = re.compile(r"(?:[^っ]た|[いんっ][ただ]|る|[^と]す|く|む|ぐ|つ|ぶ|う|れた)[。．]?$")
_JAPANESE_COPULA = re.compile(r"(?:で(?:ある|あった|す|した)|だった|(?<!ん)だ|な(?:い|かった)|ません|そう|よう)[。．]?$")
_ENGLISH_COPULA = re.compile(
    r"\b(?:am|is|are|was|were|be|been|being|seems?|seemed|looks?|looked|feels?|felt|sounds?|appears?|appeared)\b|n't\b",
    re.IGNORECASE,
)
_ENGLISH_VERB = re.compile(r"\b(?:will \w+|\w{2,}(?:ed|es|[^s\W]s))\b")
_WHEN = re.compile(
    r"\b(?:\d{4}|\d{1,2}[:.]\d{2}|january|february|march|april|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language."""

    compares: re.Pattern[str]
    not_compares: re.Pattern[str]
    evaluates: re.Pattern[str]
    not_evaluates: re.Pattern[str]
    facts: re.Pattern[str]
    likely_facts: re.Pattern[str]
    praise_after_most: re.Pattern[str]
    events: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class ClassifiedClaim:
    """The type of a claim, and how it was come by. `start` and `end` say where it stands in the text it was cut from."""

    text: str
    start: int
    end: int
    walk: Walk

    @property
    def claim_type(self) -> ClaimType:
        """The type."""
        return ClaimType(self.walk.label)


@cache
def _words() -> Mapping[str, Words]:
    data = tomllib.loads((resources.files("lyra.cases.classification") / "words.toml").read_text(encoding="utf-8"))
    return {lang: _compiled(lists, whole=lang == "en") for lang, lists in data.items()}


def _compiled(lists: Mapping[str, str | Sequence[str]], whole: bool) -> Words:
    def pattern(name: str) -> re.Pattern[str]:
        given = lists[name]
        inside = "|".join([given] if isinstance(given, str) else given)
        return re.compile(rf"(?<!\w)(?:{inside})(?!\w)" if whole else inside, re.IGNORECASE)

    events = lists.get("events_not_failures")
    return Words(
        pattern("compares"),
        pattern("not_compares"),
        pattern("evaluates"),
        pattern("not_evaluates"),
        pattern("facts"),
        pattern("likely_facts"),
        pattern("praise_after_most"),
        re.compile(str(events), re.IGNORECASE) if events else None,
    )


def classify_claim(text: str) -> ClassifiedClaim:
    """Return the type of one claim.

    Comparison goes before evaluation and evaluation before fact: what needs more corroboration decides. Where no word
    decides, a claim that names somebody, or whose predicate is a verb, is proposed as factual and any other as evaluative;
    either way a person has to confirm.
    """
    facts = _Facts(text)
    return ClassifiedClaim(text, 0, len(text), walk(charts()["claim_type"], facts.answer))


class _Facts:
    def __init__(self, text: str) -> None:
        self._text = text
        self._language = "ja" if detect_language(text) == "ja" else "en"
        self._words = _words()[self._language]

    def answer(self, question: str) -> Answer:
        """Answer one question of the chart on claims."""
        return {"compares": self._compares, "evaluates": self._evaluates, "states_a_fact": self._states_a_fact}[question]()

    def _compares(self) -> Answer:
        quoted = re.sub(r"「[^」]*」|『[^』]*』|“[^”]*”|\"[^\"]*\"", " ", self._text)
        rest = self._words.not_compares.sub(" ", quoted)
        for found in self._words.compares.finditer(rest):
            if not self._is_praise(rest, found) and not _is_part_of_a_name(rest, found):
                return Answer(YES, "comparing_word", found.group())
        return Answer(NO, "no_comparing_word")

    def _is_praise(self, text: str, found: re.Match[str]) -> bool:
        if not re.match(r"(?:most|least)\b|最も|もっとも", found.group(), re.IGNORECASE):
            return False
        return bool(self._words.praise_after_most.search(text[found.start() : found.start() + 40]))

    def _evaluates(self) -> Answer:
        rest = self._words.not_evaluates.sub(" ", self._text)
        if self._words.events is not None and _WHEN.search(rest):
            rest = self._words.events.sub(" ", rest)
        found = next((one for one in self._words.evaluates.finditer(rest) if not _is_part_of_a_name(rest, one)), None)
        if found:
            return Answer(YES, "evaluating_word", found.group())
        predicate = (_PREDICATE_ADJECTIVE if self._language == "ja" else _ENGLISH_JUDGEMENT).search(rest.strip())
        if predicate and not re.search(r"\d", rest):
            return Answer(YES, "describing_predicate", predicate.group().strip(), certain=False)
        return Answer(NO, "no_evaluating_word")

    def _states_a_fact(self) -> Answer:
        found = self._words.facts.search(self._text)
        if found:
            return Answer(YES, "factual_word", found.group())
        likely = self._words.likely_facts.search(self._text)
        if likely:
            return Answer(YES, "factual_word", likely.group().strip(), certain=False)
        named = (_JAPANESE_EVENT if self._language == "ja" else _ENGLISH_NAME).search(self._text)
        if named:
            return Answer(YES, "names_something", named.group().strip(), certain=False)
        told = self._verb()
        if told:
            return Answer(YES, "tells_something", told, certain=False)
        return Answer(NO, "no_word_decides", certain=False)

    def _verb(self) -> str:
        text = self._text.strip()
        if self._language == "ja":
            found = None if _JAPANESE_COPULA.search(text) else _JAPANESE_VERB.search(text)
        else:
            found = None if _ENGLISH_COPULA.search(text) else _ENGLISH_VERB.search(text)
        return found.group() if found else ""


def _is_part_of_a_name(text: str, found: re.Match[str]) -> bool:
    """Return whether an English word belongs to a name: it has a capital inside the sentence, or before another one."""
    if not found.group()[0].isupper() or re.search(r"\d", found.group()):
        return False
    return bool(text[: found.start()].strip()) or bool(re.match(r"\s+[A-Z]", text[found.end() :]))
