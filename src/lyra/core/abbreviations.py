"""Full stops that end a word, not a sentence, in English text."""

import re

from lyra.core.lexicon import words

# Never the last word of a sentence.
_ALWAYS = words(
    """dr mr mrs ms prof rev gen col sgt capt lt hon mt messrs e.g i.e eg ie cf viz vs v approx ca resp incl excl esp
    fig figs eq eqs eqn tab suppl ref refs sect"""
)
# An abbreviation only before a number or a label (Vol. 3, No. 12, p. S4, Sept. 5).
_BEFORE_NUMBER = words(
    """no nos vol vols p pp pg ch chap sec art para pt ver ed app jan feb mar apr jun jul aug sep sept oct nov dec"""
)
# May end a sentence: then the next word is one that usually opens one.
_MAYBE = words(
    """al etc inc ltd co corp llc jr sr st ave blvd dept univ assoc avg est max min ph.d m.d b.sc m.sc a.m p.m sp spp subsp var
    gov natl int intl nat am br eur acad inst soc proc trans rept j n.b q.e.d a.k.a"""
)
_OPENERS = words(
    """the a an this that these those it its they he she we i you our their his her in on at of for from with to by as after
    before during since while when where if although though because however moreover furthermore therefore thus hence meanwhile
    additionally finally first second third also but and or yet so no not all some many most both each several another other
    overall despite there here such what who why how according among between patients participants researchers results studies
    conversely similarly nevertheless nonetheless consequently instead using based one two three"""
)
# "vitamin D." ends a sentence where "J. Smith" does not.
_LETTER_NAMES = words(
    """vitamin vitamins hepatitis type group class grade phase protein factor panel plan part appendix influenza strain table
    figure section option category team arm cohort provitamin immunoglobulin schedule"""
)
_LAST_WORD = re.compile(r"(?:^|[\s(\[\"'“‘/—–-])([A-Za-z](?:[A-Za-z.]*[A-Za-z])?)$")
_WORD_BEFORE = re.compile(r"([A-Za-z]+)\s+\S+$")
_LABEL = re.compile(r"[A-Z]{0,2}\d|[IVX]+\b")
_PLAIN_WORD = re.compile(r"[A-Za-z]+")


def ends_in_abbreviation(head: str, next_word: str) -> bool:
    """Return whether the full stop after `head` belongs to an abbreviation, given the word that follows it."""
    match = _LAST_WORD.search(head)
    if match is None:
        return False
    last = match[1]
    lowered = last.lower()
    opener = _PLAIN_WORD.match(next_word)
    opens_sentence = opener is not None and opener.group().lower() in _OPENERS
    if lowered in _ALWAYS:
        return True
    if lowered in _BEFORE_NUMBER:
        return _LABEL.match(next_word) is not None
    if len(last) == 1 and last.isupper():
        return not opens_sentence and not _names_a_letter(head)
    return (lowered in _MAYBE or "." in last) and not opens_sentence


def _names_a_letter(head: str) -> bool:
    before = _WORD_BEFORE.search(head)
    return before is not None and before[1].lower() in _LETTER_NAMES
