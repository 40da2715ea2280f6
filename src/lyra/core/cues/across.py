"""A Japanese claim in plain English words, so that it can be judged against an English sentence.

No translation: words of a lexicon, put into English order by the particles that mark them. Whoever judges the pair sees
subject, verb with its denial, object, figures and comparison where an English sentence has them.
"""

import re
from dataclasses import dataclass, field

from lyra.core.cues.across_english import compared, denied, participle, past, present
from lyra.core.cues.across_words import SIDE, Word, words

# Under this share of known characters a gloss would be about something else.
LEAST_KNOWN = 0.55
_LONGEST = 300
_DENIED = re.compile("な(?:い|く(?!な)|かっ)|ませ|ず$|ずに|ぬ$")
_DOUBLY = re.compile("ないわけ(?:では|じゃ)ない|ないことはない|なくはない|ないとは(?:いえ|限ら)ない")
_NOT_ALL = re.compile("わけでは(?:な|あり)|とは限らな|とはいえな|とは言えな")
_PASSIVE = re.compile("^(?:さ|[かがさたなばまらわ])?れ[たてるなまず]|^られ[たてるなまず]|^され")
_CAN = re.compile("でき|られる|られな(?=い|か)|える$|^え(?:な|る)|^れ(?:な|る)")
_MAY = re.compile("かもしれ|可能性があ|恐れがあ|うる$|得る$")
_PROBABLY = re.compile("らしい|とみられ|と考えられ|だろう|でしょう|ようだ")
_EASILY, _HARDLY = re.compile("やす[いくか]"), re.compile("にく[いくか]|づら[いくか]")
_BEFORE = re.compile("た$|た[がのと、]|った|かった|でした|ました")
_THERE = re.compile("^(?:が|は|も)?(?:ほとんど)?(?:あ[っるりら]|い[たるなまて]|な[いか]|お[らり])")
_IN = frozenset(
    """country region city town village urban areas rural areas sea ocean river lake forest school university hospital factory
    world
    Japan Europe summer winter spring autumn morning afternoon night""".split()
)
_ORDER = {
    "に": "to", "へ": "to", "には": "in", "にも": "to", "で": "with", "では": "in", "において": "in", "における": "in",
    "から": "from", "からは": "from", "まで": "until",
    "までに": "by", "によって": "by", "により": "by", "による": "by", "について": "about",
    "に対して": "against", "に対する": "against", "に関する": "about", "にとって": "for", "として": "as", "と": "with",
    "とは": "with", "、": "", "ほど": "as much as", "ごと": "every", "あたり": "per", "のうち": "of", "など": "",
}  # fmt: skip
_MORE = {"for long": "longer", "early": "earlier", "often": "more often", "high": "higher", "low": "lower"}
_COUNTING = frozenset(
    "about at fewer more almost over within all most many some few half one two three both every several only".split()
)
_MADE = {
    "short": "shorten", "long": "lengthen", "strong": "strengthen", "weak": "weaken", "high": "raise", "low": "lower",
    "good": "improve", "bad": "worsen", "large": "enlarge", "small": "reduce", "slow": "slow", "fast": "speed up",
    "early": "hasten", "many": "increase",
    "few": "reduce", "cool": "cool", "hot": "heat", "cheap": "lower the price of",
}  # fmt: skip
# What frames a claim: taken off its end, and put before it.
_FRAMES = (
    (re.compile("(?:という)?可能性(?:が|は)(?:ある|あった|高い|あります|指摘されている)$"), "かもしれない", ""),
    (re.compile("(?:という)?(?:可能性|こと)(?:が|は)(?:否定された|ないと確認された|ないとされた)$"), "", "it is not true that "),
    (
        re.compile(
            "(?:という)?(?:こと)?(?:を示す)?(?:確かな)?証拠[はが](?:得られなかった|見つから?(?:なかった|っていない)|ない|なかった)$"
        ),
        "",
        "there is no evidence that ",
    ),
    (
        re.compile("か(?:どうか)?(?:は|については)(?:[分わ]かっていない|不明である|不明だ|明らかでない|明らかになっていない)$"),
        "",
        "it is unclear whether ",
    ),
    (re.compile("(?:という)?こと[がは](?:証明|確認|立証)され(?:た|ている)$|ことは確実である$"), "", "it is proved that "),
    (re.compile("(?:という)?こと[がは](?:示された|示されている|分かった|明らかになった|知られている)$"), "", ""),
    (re.compile("(?:という)?こと(?:を|が)示唆(?:する|した|された|されている)$"), "かもしれない", ""),
    (re.compile("と(?:述べた|認めた|答えた|主張した|した|発表した|みている|考えている)$"), "", ""),
    (re.compile("と(?:予想|期待|推定)(?:している|された|される|した)$"), "", ""),
    (re.compile("(?:という)?ことはない$"), "ことはない", ""),
)


@dataclass(slots=True)
class _Build:
    """What has been read of a clause so far."""

    segments: list[list[str]] = field(default_factory=list)
    joined: str = ""
    phrases: list[tuple[str, str]] = field(default_factory=list)
    adverbs: list[str] = field(default_factory=list)
    relative: str = ""
    done: list[str] = field(default_factory=list)


def gloss(claim_ja: str) -> str | None:
    """Return the claim as English words in English order, or None where too little of it is known."""
    claim, frame = _unframed(claim_ja[:_LONGEST])
    found, known = words(claim)
    if known < LEAST_KNOWN or not any(word.english for word in found):
        return None
    build = _Build()
    place = 0
    while place < len(found):
        place = _take(build, found, place)
    if build.segments or build.phrases or build.adverbs:
        build.done.append(_clause(build, _noun_phrase(build), ""))
    text = frame + " ".join(" and ".join(part for part in build.done if part).split())
    return text[:1].upper() + text[1:] + "." if text else None


def _unframed(claim: str) -> tuple[str, str]:
    plain = claim.strip().rstrip("。.")
    for pattern, instead, frame in _FRAMES:
        if pattern.search(plain):
            return pattern.sub(instead, plain), frame
    return plain, ""


def _take(build: _Build, found: list[Word], place: int) -> int:
    """Take one word, with its ending where it has one; return the place of the next."""
    word = found[place]
    tail = found[place + 1].text if place + 1 < len(found) and found[place + 1].kind == "t" else ""
    next_place = place + (2 if tail else 1)
    after = found[next_place] if next_place < len(found) else None
    if word.kind == "p":
        _particle(build, word.text)
        return place + 1
    if word.kind == "x":
        _close(build, "、")
        return place + 1
    if word.kind == "t":
        _bare(build, word.text)
        return place + 1
    step = 2 if tail else 1
    if word.kind == "v" or (word.kind == "s" and re.match("[しすさせで]|でき", tail) and not re.match("では|でな|です", tail)):
        _verb(build, word.english, tail, after)
    elif word.kind == "a" or (word.kind == "k" and tail):
        _adjective(build, word, tail, after)
    elif tail and after is None and word.kind in "nsmqd":
        _add(build, word)
        _copula(build, tail)
    elif word.kind == "d" and not (after is not None and after.kind == "p" and after.text in {"が", "を", "の"}):
        build.adverbs.append(word.english)
        step = 2 if after is not None and after.kind == "p" else 1
    else:
        _add(build, word)
        step = 1
    return place + step


def _add(build: _Build, word: Word) -> None:
    english = word.noun if word.kind in "sk" and word.noun else word.english
    if not build.segments or build.joined:
        build.segments.append([])
    if build.joined == "と":
        build.segments[-1].append("and")
    build.joined = ""
    if english:
        build.segments[-1].append(english)


def _particle(build: _Build, particle: str) -> None:
    if particle in {"の", "と", "や"} and build.segments:
        build.joined = "と" if particle == "や" else particle
        return
    _close(build, particle)


def _close(build: _Build, particle: str) -> None:
    if build.joined == "と":
        build.joined, particle = "", particle or "と"
    text = _noun_phrase(build)
    if text:
        build.phrases.append((text, particle))


def _bare(build: _Build, tail: str) -> None:
    """Take a verb that is written in hiragana alone: being there, and becoming."""
    if re.match("な[っりるら]", tail) and build.phrases and build.phrases[-1][1] == "に":
        result, _ = build.phrases.pop()
        build.done.append(_clause(build, _became(result, tail), tail))
    elif _THERE.match(tail) and build.phrases:
        build.done.append(_there(build, tail))


def _became(result: str, tail: str) -> str:
    if result == "half":
        return _inflected("halve", tail)
    if result.endswith(" times"):
        return _inflected("double" if result == "2 times" else f"increase {result}", tail)
    return f"{_inflected('fall to' if result.startswith(('one third', 'a quarter')) else 'become', tail)} {result}"


def _noun_phrase(build: _Build) -> str:
    """Return the words since the last particle in English order: what の joins stands behind, with of."""
    if not build.segments:
        return ""
    parts: list[str] = []
    for segment in build.segments:
        text = " ".join(segment)
        if text.startswith("and ") and parts:
            parts[-1] = f"{parts[-1]} {text}"
        elif text:
            parts.append(text)
    build.segments, build.joined = [], ""
    # Numbers and quantifiers stand before what they count.
    ordered = [part for part in parts if not _counts(part)]
    counted = [part for part in parts if _counts(part)]
    text = " of ".join(reversed(ordered))
    text = f"{' '.join(counted)} {text}".strip() if counted else text
    if build.relative:
        text, build.relative = f"{text} {build.relative}", ""
    match = re.match("(.*?) ?(after|before|since|until)((?: of .*)?)$", text)
    return f"{match[2]} {match[1]}{match[3]}" if match and (match[1] or match[3]) else text


def _counts(text: str) -> bool:
    first = text.split(" ", maxsplit=1)[0]
    return first[:1].isdigit() or first in _COUNTING


def _verb(build: _Build, english: str, tail: str, after: Word | None) -> None:
    _close(build, "")
    verb = _inflected(english, tail)
    if after is not None and after.kind in "nskmq" and re.search("[たるいうくすつぬむぶぐ]$", tail or "る"):
        taken = [phrase for phrase in build.phrases if phrase[1] not in {"は", "も", "では", "には"}]
        build.phrases = [phrase for phrase in build.phrases if phrase not in taken]
        subject = " ".join(text for text, particle in taken if particle == "が")
        build.relative = f"that {subject} {verb} {_rest(taken)}".strip()
        return
    doubt = tail + (after.text if after is not None else "")
    if after is not None and after.text == "可能性":
        verb = f"may {english}"
    build.done.append(_clause(build, verb, doubt))


def _inflected(english: str, tail: str) -> str:
    before = _BEFORE.search(tail) is not None or re.match("ん?だ", tail) is not None
    negative = _DENIED.search(tail) is not None and not _DOUBLY.search(tail) and "かもしれない" not in tail
    base = english
    if _PASSIVE.match(tail) and not english.startswith(("be ", "can ")):
        base = f"be {participle(english)}"
    elif _CAN.search(tail) and not english.startswith("can "):
        base = f"can {english}"
    if _EASILY.search(tail):
        base = f"be more likely to {english}"
    elif _HARDLY.search(tail):
        base = f"be less likely to {english}"
    if _MAY.search(tail):
        return f"may {'not ' if negative else ''}{base}"
    if _NOT_ALL.search(tail):
        return f"not always {base}"
    if negative:
        return denied(base, before=before)
    return past(base) if before else present(base)


def _adjective(build: _Build, word: Word, tail: str, after: Word | None) -> None:
    attributive = after is not None and after.kind in "nsmqd" and re.search("(?:い|な|かった|の)$", tail)
    more = any(particle in {"より", "よりも"} for _, particle in build.phrases) or any(SIDE in text for text, _ in build.phrases)
    english = compared(word.english) if more else word.english
    if attributive and not build.segments and not any(particle in {"が", "の"} for _, particle in build.phrases[-1:]):
        build.segments.append([word.english])
        return
    if attributive:
        subject = " ".join(text for text, particle in build.phrases if particle in {"が"})
        build.phrases = [phrase for phrase in build.phrases if phrase[1] != "が"]
        build.relative = f"with {word.english} {subject or _noun_phrase(build)}"
        return
    if tail.startswith("く") and after is not None and after.kind in "vs":
        build.adverbs.append(english)
        return
    _close(build, "")
    negative = _DENIED.search(tail.removeprefix("なかった").removeprefix("ない") if word.text == "少な" else tail) is not None
    before = _BEFORE.search(tail) is not None
    if re.match("く(?:は)?(?:し[たてなま]|す[るれ])", tail):
        verb = _inflected(_MADE.get(word.english, f"make {word.english}"), tail[1:])
    elif re.search("く(?:は)?な[っりるら]|にな[っりるら]", tail):
        verb = _inflected(f"become {compared(word.english)}", tail[tail.find("な") + 1 :])
    else:
        verb = ("was " if before else "is ") + ("not " if negative else "") + english
    build.done.append(_clause(build, verb, tail))


def _copula(build: _Build, tail: str) -> None:
    noun = _noun_phrase(build)
    if re.match("に(?:な|上)", tail):
        verb = f"{_inflected('become', tail[2:])} {noun}"
    else:
        negative = _DENIED.search(tail) is not None and not _NOT_ALL.search(tail)
        verb = ("was " if _BEFORE.search(tail) else "is ") + ("not " if negative else "") + noun
    build.done.append(_clause(build, verb, tail))


def _there(build: _Build, tail: str) -> str:
    """Return a clause of being there, or not: ある, いる, ない."""
    before = _BEFORE.search(tail) is not None
    negative = _DENIED.search(tail) is not None and not _DOUBLY.search(tail)
    subject, rest = _subject(build)
    if "ほとんど" in tail and negative:
        return f"almost no {subject} {rest}"
    verb = ("was" if before else "is") + (" no" if negative and not subject.startswith("no ") else "")
    return f"there {verb} {subject} {rest} {' '.join(_adverbs(build))}"


def _subject(build: _Build) -> tuple[str, str]:
    """Return subject and everything else; of topic and subject the topic becomes what the subject belongs to."""
    topic = " and ".join(text for text, particle in build.phrases if particle in {"は", "も"})
    subject = " and ".join(text for text, particle in build.phrases if particle == "が")
    rest = [phrase for phrase in build.phrases if phrase[1] not in {"は", "も", "が"}]
    subject, topic = (text.replace(f"{SIDE} of ", "").replace(SIDE, "").strip() for text in (subject, topic))
    both = f"{subject} of {topic}" if subject and topic else subject or topic
    if subject and topic and _counts(subject):
        both = f"{subject} {topic}"
    build.phrases = []
    return both, _rest(rest)


def _rest(phrases: list[tuple[str, str]]) -> str:
    direct = [text for text, particle in phrases if particle in {"を", ""}]
    than = [f"than {text}" for text, particle in phrases if particle in {"より", "よりも"}]
    only = [f"only {text}" for text, particle in phrases if particle in {"だけ", "のみ", "しか"}]
    others = []
    for text, particle in phrases:
        if particle in _ORDER:
            before = "" if text.startswith(("after ", "before ", "since ", "until ")) else _ORDER[particle]
            if before and particle in {"に", "で"} and (text[:4].isdigit() or text.split()[-1] in _IN):
                before = "in"
            others.append(f"{before} {text}".strip())
    return " ".join([*direct, *than, *only, *others])


def _adverbs(build: _Build) -> list[str]:
    found, build.adverbs = build.adverbs, []
    return found


def _clause(build: _Build, verb: str, tail: str) -> str:
    subject, rest = _subject(build)
    if _NOT_ALL.search(tail) and subject.startswith("all"):
        subject, verb = f"not {subject}", verb.replace("not always ", "")
    if _MAY.search(tail) and not verb.startswith("may"):
        verb = f"may {verb}"
    elif _PROBABLY.search(tail):
        verb = f"probably {verb}"
    adverbs = _adverbs(build)
    if "than " in rest:
        return " ".join(part for part in (subject, verb, *(_MORE.get(one, one) for one in adverbs), rest) if part)
    return " ".join(part for part in (subject, verb, rest, *adverbs) if part)
