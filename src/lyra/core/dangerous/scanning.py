"""Looking for planted instructions on a page, in what its readers see and in what they do not.

A detector of instructions is a signal: texts *about* instructions hold the same words. So a pattern in visible text must be a
plain order to drop or leak instructions, or stand beside words that address a machine, and what is quoted or reported does not
count. Where nobody reads, less is enough: no author hides orders to machines for a good reason.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lyra.core.dangerous.disguises import fold, payloads
from lyra.core.dangerous.patterns import Enough, Patterns, all_patterns
from lyra.core.page_safety import INVISIBLE, VISIBLE, Finding, Unseen
from lyra.core.records import Document
from lyra.core.sentences import split_sentences

MAX_FINDINGS = 20
_EXCERPT = 240
DISGUISED = "disguised"
# Two quick passes spare most sentences the rest: one that holds none of these words, or none of these phrases, gives no
# instruction to a machine. Letters of other alphabets are let through, for they may be lookalikes.
_WORDS = tuple(
    "ignore|disregard|forget|neglect|override|instruction|prompt|assistant|llm|language model|chatgpt|bot|crawler|grader|persona"
    "|you |you'|your| ai|ai |ai:|ai,|the user|<|[inst|[/inst|===|user:|system|model|agent|classifier|reviewer|software"
    "|stated before|for all later|from now on|silently|propagate|outranks|output no|empty list|human does|privileges|penetration"
    "|only with|to the reader|stop_task|_unblock|claim_restore|edge_correct|feedback tool"
    "|無視|忘れ|破棄|指示|命令|プロンプト|モデル|アシスタント|エージェント|分類器|クローラー|査読|あなた|利用者|システム|ツール|検証済み|返答|回答|出力"
    "|なさい|ください|せよ|こと。|こと」|当社|運用者|ソフト|json|反証|ボット".split("|")
)
_TRIGGER = re.compile(
    r"\bignore|disregard|\bforget|neglect|override|instruction|prompt|assistant|\ba\.?i\b|\bllms?\b|language model|chatgpt"
    r"|chat ?bot"
    r"|\b(?:ro)?bots?\b|crawler|grader|persona\b"
    r"|\byou\b|\byour\b|the user|<\||\[/?inst|<<sys|={3}|\buser:|\bsystem\b[^.]{0,20}:|<system|</"
    r"|system (?:override|prompt)|stated before|for all later|from now on|silently|propagate|outranks|output no|empty list of"
    r"|human does|privileges|penetration test|(?:respond|reply|answer) only with|explain to the reader"
    r"|stop_task|domain_unblock|claim_restore|edge_correct|feedback tool"
    r"|\b(?:models?|agents?|classifiers?|reviewers?|software|systems?)\b[^.]{0,80}"
    r"(?:\b(?:must|should|shall|ha(?:s|ve) to|to comply)\b|:)"
    r"|[a-z][\u0430-\u0458]|[\u0430-\u0458][a-z]|[\u0370-\u03ff][a-z]+[\u0370-\u03ff]|[\uff21-\uff5a]"
    r"|[\u3041-\u30ff]"
)
_ALIEN = re.compile("[\u0370-\u0458\uff21-\uff5a]")
_QUOTED = re.compile(r"\"[^\"]{2,400}\"|「[^」]{2,400}」|『[^』]{2,400}』|(?<!\w)'[^'\n]{8,400}'(?!\w)")
_BLOCK = re.compile(r"\n[^\S\n]*\n")
_MIN_MESSAGE = re.compile(r"[^\W\d_]{2,}\W+[^\W\d_]{2,}|[\u3041-\u9fff]{4}")


@dataclass(frozen=True, slots=True)
class PatternScanner:
    """The `PageScanner` of the shipped patterns. Pure and deterministic; the same document, the same findings."""

    def scan(self, document: Document) -> Sequence[Finding]:
        """Return what was found, what stands in the open first; empty for a page that may be used."""
        return find_patterns(document.text, (*_titles(document), *document.unseen))


def _titles(document: Document) -> Iterator[Unseen]:
    if document.title and document.title not in document.text:
        yield Unseen("metadata", document.title)


def find_patterns(text: str, unseen: Sequence[Unseen] = ()) -> list[Finding]:
    """Return the planted instructions in a text and in what stands beside it unseen; at most MAX_FINDINGS."""
    found: dict[Finding, None] = {}
    for finding in _findings(text, unseen):
        found[finding] = None
        if len(found) >= MAX_FINDINGS:
            break
    return list(found)


def _findings(text: str, unseen: Sequence[Unseen]) -> Iterator[Finding]:
    for block in _BLOCK.split(text):
        if _may_instruct(block.lower()):
            yield from _in_block(block, VISIBLE, hidden=False)
    for message in payloads(text):
        yield from (Finding(DISGUISED, VISIBLE, one.excerpt) for one in _in_block(message, VISIBLE, hidden=True))
    for one in unseen:
        if one.place == INVISIBLE and _MIN_MESSAGE.search(one.text):
            yield Finding(INVISIBLE, INVISIBLE, one.text[:_EXCERPT])
        else:
            yield from _in_block(one.text, one.place, hidden=True)
            for message in payloads(one.text):
                yield from (Finding(DISGUISED, one.place, found.excerpt) for found in _in_block(message, one.place, hidden=True))


def _may_instruct(lowered: str) -> bool:
    if any(word in lowered for word in _WORDS):
        return True
    return not lowered.isascii() and ("ai" in lowered or _ALIEN.search(lowered) is not None)


def _is_telling(lowered: str) -> bool:
    return _may_instruct(lowered) and _TRIGGER.search(lowered) is not None


def _in_block(block: str, place: str, *, hidden: bool) -> Iterator[Finding]:
    """Yield at most one finding per sentence of a block of text."""
    sentences = [block[start:end] for start, end in split_sentences(block)]
    telling = [hidden or _is_telling(sentence.lower()) for sentence in sentences]
    for at, sentence in enumerate(sentences):
        near = slice(max(0, at - 1), at + 2)
        if not any(telling[near]):
            continue
        family = _family(fold(sentence), fold(" ".join(sentences[near])), hidden=hidden)
        if family is not None:
            yield Finding(family, place, sentence[:_EXCERPT])


def _family(sentence: str, around: str, *, hidden: bool) -> str | None:
    """Return the family of the instruction that a folded sentence gives, beside its neighbours; None if it gives none."""
    quoted = [match.span() for match in _QUOTED.finditer(sentence)]
    if any(patterns.reported.search(sentence) for patterns in all_patterns()):
        return None
    addressed = any(_is_addressed(patterns, sentence, around) for patterns in all_patterns())
    for patterns in all_patterns():
        for rule in patterns.rules:
            if rule.enough is Enough.ADDRESSED and not addressed:
                break
            if rule.enough is Enough.UNSEEN and not (hidden or addressed):
                continue
            if any(not _within(match.span(), quoted) for match in rule.pattern.finditer(sentence)):
                return rule.family
        if hidden and patterns.told.search(sentence):
            return "address"
    return None


def _is_addressed(patterns: Patterns, sentence: str, around: str) -> bool:
    """Return whether a machine is spoken to here or next to here, or told what to do about the text itself."""
    if patterns.spoken_to.search(sentence) or patterns.spoken_to.search(around):
        return True
    return bool(patterns.told.search(sentence) and patterns.own.search(sentence))


def _within(span: tuple[int, int], quotations: Sequence[tuple[int, int]]) -> bool:
    return any(start < span[0] and span[1] <= end for start, end in quotations)
