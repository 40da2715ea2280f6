"""Random cases that break no rule, by the class of their sources, and one way or more to break each rule alone."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from lyra.cases.shape import read_case
from lyra.cases.sources import corroborated, verifiers

Json = dict[str, Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

FAILURES = ("404", "paywall", "region_blocked", "error")
COI = ("none", "self", "affiliated", "unknown")
OUTCOMES = ("Success", "Failure", "Mixed", "PartialSuccess", "Unknown")
PRIMARY_TYPES = ("ir_filing", "government_gazette", "court_document", "official_press", "annual_report", "official_video")
UNSETTLED = ("source_insufficient", "ongoing", "ambiguous")
KINDS = ("none", "rejected", "unreachable", "indirect", "unverified", "correct", "incorrect")

words = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=12).filter(
    lambda t: t.strip() == t
)


def url_of(number: int) -> str:
    return f"https://host{number}.example/{number}"


@st.composite
def verifying_source(draw: Draw, number: int, coi: tuple[str, ...] = COI) -> Json:
    role = draw(st.sampled_from(("primary_source", "secondary_source")))
    source = {"url": url_of(number), "source_role": role, "coi_status": draw(st.sampled_from(coi))}
    access = draw(st.sampled_from((None, "ok", "archived")))
    if access:
        source["access"] = access
    if role == "primary_source" and draw(st.booleans()):
        source["primary_type"] = draw(st.sampled_from(PRIMARY_TYPES))
    return source


@st.composite
def pointer_source(draw: Draw, number: int) -> Json:
    """A pointer that was descended from, to nothing that verifies."""
    opened = {"url": url_of(number + 50), "source_role": "secondary_source", "access": draw(st.sampled_from(FAILURES))}
    listed = {"url": url_of(number + 60)}
    return {"url": url_of(number), "source_role": "pointer_only", "coi_status": "none", "references": [opened, listed]}


@st.composite
def idle_source(draw: Draw, number: int) -> Json:
    """A source that can be opened and verifies nothing."""
    if draw(st.booleans()):
        return draw(pointer_source(number))  # type: ignore[no-any-return]
    return {"url": url_of(number), "source_role": "context_only", "coi_status": draw(st.sampled_from(COI))}


@st.composite
def failed_source(draw: Draw, number: int) -> Json:
    role = draw(st.sampled_from(("primary_source", "secondary_source", "pointer_only", "context_only")))
    coi, access = draw(st.sampled_from(COI)), draw(st.sampled_from(FAILURES))
    found = draw(st.sampled_from(("not_found", "not_tried")))
    return {"url": url_of(number), "source_role": role, "coi_status": coi, "access": access, "archive_search": found}


def rejected_source(number: int) -> Json:
    return {"url": url_of(number), "source_role": "rejected", "coi_status": "unknown"}


@st.composite
def sources_of(draw: Draw, kind: str) -> list[Json]:
    """Sources of the class that a kind of case has, in any order."""
    if kind == "none":
        return draw(st.sampled_from(([], [{"url": ""}])))  # type: ignore[no-any-return]
    found = [rejected_source(n) for n in range(draw(st.integers(0, 2)))]
    if kind == "rejected":
        return [*found, rejected_source(9)]
    if kind == "unreachable":
        found += [draw(failed_source(10 + n)) for n in range(draw(st.integers(1, 3)))]
    else:
        found += [draw(idle_source(20 + n)) for n in range(draw(st.integers(1 if kind == "indirect" else 0, 2)))]
        failing = ("pointer_only", "context_only")
        found += [draw(failed_source(30 + n)) | {"source_role": failing[n % 2]} for n in range(draw(st.integers(0, 1)))]
    if kind in ("unverified", "correct", "incorrect"):
        found += [draw(verifying_source(40 + n)) for n in range(draw(st.integers(1, 3)))]
    return list(draw(st.permutations(found)))


@st.composite
def claims_for(draw: Draw, case: Json) -> list[Json]:
    """Claims that fit a case: an opinion is correct only where somebody without an interest verifies it."""
    able = verifiers(read_case(case).case)
    trusted = any(one.coi == "none" for one in able)
    claims = []
    for number in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(("factual", "evaluative", "comparative", None)))
        statuses = ["verified_correct", None]
        if case["outcome_status"] != "verified_correct":
            statuses += ["unverified", "verified_incorrect"]
        if kind in ("evaluative", "comparative") and not trusted:
            statuses.remove("verified_correct")
        claim = {"id": f"k{number}", "text": draw(words), "claim_type": kind, "outcome_status": draw(st.sampled_from(statuses))}
        claims.append({name: value for name, value in claim.items() if value is not None})
    return claims


@st.composite
def valid_case(draw: Draw, kind: str | None = None) -> Json:
    """A case that breaks no rule, neither an error nor a warning."""
    kind = kind or draw(st.sampled_from(KINDS))
    case: Json = {"id": draw(words), "text": draw(words), "sources": draw(sources_of(kind))}
    if kind in ("correct", "incorrect"):
        able = verifiers(read_case(case).case)
        assume(any(one.coi != "unknown" for one in able))
        levels = ("high", "medium") if corroborated(able) else ("medium",)
        case |= {"outcome_status": f"verified_{kind}", "verification_confidence": draw(st.sampled_from(levels))}
        case["outcome"] = draw(st.sampled_from(OUTCOMES[:4]))
        own_word = all(one.coi in ("self", "affiliated") for one in able)
        if kind == "correct" and own_word and case["outcome"] == "Success":
            case["outcome"] = "Failure"
        if kind == "incorrect":
            case |= draw(correction(case["outcome"]))
    else:
        fixed = {"none": "no_source", "unreachable": "source_unavailable"}
        open_level = kind in ("indirect", "unverified")
        case |= {
            "outcome": "Unknown",
            "outcome_status": "unverified",
            "unverified_reason": fixed.get(kind) or draw(st.sampled_from(UNSETTLED)),
            "verification_confidence": draw(st.sampled_from(("low", "none"))) if open_level else "none",
        }
    claims = draw(claims_for(case))
    if claims:
        case["claims"] = claims
    return case


@st.composite
def correction(draw: Draw, outcome: str) -> Json:
    error = draw(st.sampled_from(("minor_error", "major_error", "critical_error")))
    suggested = [one for one in OUTCOMES[:4] if one != outcome]
    if error == "minor_error":
        suggested.append(outcome)
    if error == "critical_error":
        suggested.append("Unknown")
    return {"error_type": error, "error_description": draw(words), "suggested_outcome": draw(st.sampled_from(suggested))}


# One defect for each rule: the kinds of case it fits, and what it changes.

Break = Callable[[Json, Draw], None]


def _choose(draw: Draw, *options: Any) -> Any:
    return draw(st.sampled_from(options))


def _illegal(case: Json, draw: Draw) -> None:
    holders = [(case, ("outcome", "outcome_status", "verification_confidence"))]
    holders += [(one, ("source_role", "coi_status", "access")) for one in case["sources"] if one["url"]]
    holder, names = _choose(draw, *holders)
    holder[_choose(draw, *names)] = _choose(draw, "ｕｎｖｅｒｉｆｉｅｄ", "HIGH", "nonsense", 7, True, ["x"])


def _abolished(case: Json, draw: Draw) -> None:
    _choose(draw, case, *case["sources"], *case.get("claims", []))[_choose(draw, "tier", "trust_level", "credibility_rank")] = (
        "gold"
    )


def _unknown_field(case: Json, draw: Draw) -> None:
    _choose(draw, case, *case["sources"], *case.get("claims", []))[_choose(draw, "memo", "outcom", "備考")] = "x"


def _missing(case: Json, draw: Draw) -> None:
    holders = [(case, name) for name in ("id", "text", "outcome", "outcome_status", "verification_confidence")]
    holders += [(one, name) for one in case["sources"] if one["url"] for name in ("source_role", "coi_status")]
    holder, name = _choose(draw, *holders)
    if _choose(draw, True, False):
        del holder[name]
    else:
        holder[name] = None


def _bad_reference(case: Json, draw: Draw) -> None:
    way = _choose(draw, "empty", "dangling", "twice")
    if way == "empty":
        case["id"] = _choose(draw, "", "  ", "　")
    elif way == "dangling":
        case.setdefault("claims", []).append({"text": "t", "claim_type": "evaluative", "source_refs": ["nobody"]})
        if case["outcome_status"] == "verified_correct":
            case["claims"][-1]["outcome_status"] = "verified_correct"
    else:
        case.setdefault("claims", []).extend([{"id": "same", "text": "t"}, {"id": "same", "text": "u"}])


def _set(**changes: Any) -> Break:
    """Change fields; a tuple is a choice, None takes the field away."""

    def apply(case: Json, draw: Draw) -> None:
        for name, value in changes.items():
            chosen = _choose(draw, *value) if isinstance(value, tuple) else value
            if chosen is None:
                case.pop(name, None)
            else:
                case[name] = chosen

    return apply


def _as_verified(case: Json, draw: Draw) -> None:
    _set(outcome_status="verified_correct", verification_confidence="medium", unverified_reason=None, outcome="Failure")(
        case, draw
    )


def _suggestion(case: Json, draw: Draw) -> None:
    way = _choose(draw, "missing", "same", "unknown")
    if way == "missing":
        del case["suggested_outcome"]
    elif way == "same":
        case |= {"error_type": _choose(draw, "major_error", "critical_error"), "suggested_outcome": case["outcome"]}
    else:
        case |= {"error_type": _choose(draw, "minor_error", "major_error"), "suggested_outcome": "Unknown"}


def _unavailable(case: Json, draw: Draw) -> None:
    works = [one for source in case["sources"] for one in (source, *source.get("references", []))]
    assume(not any(one.get("access") in FAILURES for one in works))
    case["unverified_reason"] = "source_unavailable"


def _wrong_type(case: Json, draw: Draw) -> None:
    others = [one for one in case["sources"] if one["url"] and one["source_role"] != "primary_source"]
    assume(others)
    _choose(draw, *others)["primary_type"] = _choose(draw, *PRIMARY_TYPES)


def _pointer_left_alone(case: Json, draw: Draw) -> None:
    references = _choose(draw, [], [{"url": url_of(80)}], [{"url": url_of(80), "access": "not_fetched"}])
    case["sources"].append({"url": url_of(81), "source_role": "pointer_only", "coi_status": "none", "references": references})


def _too_high(case: Json, draw: Draw) -> None:
    assume(not corroborated(verifiers(read_case(case).case)))
    case["verification_confidence"] = "high"


def _interests(case: Json, coi: str) -> None:
    for one in case["sources"]:
        if one["url"] and one["source_role"] in ("primary_source", "secondary_source"):
            one["coi_status"] = coi


def _unknown_interests(case: Json, draw: Draw) -> None:
    _interests(case, "unknown")


def _own_opinion(case: Json, draw: Draw) -> None:
    _interests(case, _choose(draw, "self", "affiliated"))
    case["verification_confidence"] = "medium"
    kind = _choose(draw, "evaluative", "comparative")
    case["claims"] = [{"text": "t", "claim_type": kind, "outcome_status": "verified_correct"}]


def _claim_behind(case: Json, draw: Draw) -> None:
    status = _choose(draw, "unverified", "verified_incorrect")
    case.setdefault("claims", []).append({"text": "t", "claim_type": "factual", "outcome_status": status})


def _own_success(case: Json, draw: Draw) -> None:
    _interests(case, _choose(draw, "self", "affiliated"))
    case.pop("claims", None)
    case |= {"verification_confidence": "medium", "outcome": "Success"}


ERROR_TYPES = ("minor_error", "major_error", "critical_error")
BREAKS: dict[str, tuple[tuple[str, ...], Break]] = {
    "L01": (KINDS, _illegal),
    "L02": (KINDS, _abolished),
    "L03": (KINDS, _unknown_field),
    "L04": (KINDS, _missing),
    "L05": (KINDS, _bad_reference),
    "L10": (("correct",), _set(verification_confidence=("low", "none"))),
    "L11": (("incorrect",), _set(verification_confidence=("low", "none"))),
    "L12": (("indirect", "unverified"), _set(verification_confidence=("high", "medium"))),
    "L20": (("correct",), _set(outcome="Unknown")),
    "L21": (("none", "rejected", "unreachable", "indirect", "unverified"), _set(unverified_reason=None)),
    "L22": (("correct", "incorrect"), _set(unverified_reason=UNSETTLED)),
    "L23": (("incorrect",), _set(error_type=None)),
    "L24": (("correct", "unverified", "indirect", "none"), _set(error_type=ERROR_TYPES)),
    "L25": (("incorrect",), _set(error_description=(None, "", "  "))),
    "L26": (("incorrect",), _suggestion),
    "L27": (("correct", "unverified", "none"), _set(suggested_outcome=(None, "Mixed"), error_description="x")),
    "L28": (("none", "rejected", "unreachable", "indirect", "unverified"), _set(outcome=OUTCOMES[:4])),
    "L30": (
        ("none",),
        lambda case, draw: _choose(draw, _set(unverified_reason=UNSETTLED), _set(verification_confidence="low"))(case, draw),
    ),
    "L31": (("rejected",), lambda case, draw: _choose(draw, _as_verified, _set(verification_confidence="low"))(case, draw)),
    "L32": (("indirect",), _as_verified),
    "L33": (("unreachable",), lambda case, draw: _choose(draw, _as_verified, _set(unverified_reason=UNSETTLED))(case, draw)),
    "L34": (("indirect", "unverified"), _set(unverified_reason="no_source")),
    "L35": (("indirect", "unverified"), _unavailable),
    "L36": (("rejected", "unreachable", "indirect", "unverified", "correct"), _wrong_type),
    "L37": (("unverified", "correct", "incorrect"), _pointer_left_alone),
    "L38": (("correct", "incorrect"), _too_high),
    "L39": (("correct", "incorrect"), _unknown_interests),
    "L40": (("correct",), _own_opinion),
    "L41": (("correct",), _claim_behind),
    "L42": (("correct",), _own_success),
    "L50": (KINDS, _set(needs_review=True)),
}


@st.composite
def broken_case(draw: Draw, rule: str) -> tuple[Json, Json]:
    """A sound case, and the same case with the one defect of a rule."""
    kinds, apply = BREAKS[rule]
    sound = draw(valid_case(draw(st.sampled_from(kinds))))
    case = deepcopy(sound)
    apply(case, draw)
    assume(case != sound)
    return sound, case
