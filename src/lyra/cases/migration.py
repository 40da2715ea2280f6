"""From the labels before the definitions to theirs: what can be carried over is, what needs a person says so."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lyra.cases.fields import ABOLISHED, CASE_FIELDS, SOURCE_FIELDS, Kind
from lyra.cases.model import OutcomeStatus, UnverifiedReason, VerificationConfidence
from lyra.core.identity import normalise_text

_V1_LABELS = [name for name, field in CASE_FIELDS.items() if field.kind is Kind.LABEL and name != "outcome"]
_V1_SOURCE_LABELS = [name for name, field in SOURCE_FIELDS.items() if field.kind is Kind.LABEL]
_GROUPS = ("sources", "claims", "parties")
_OVERWRITTEN = ("outcome_status", "verification_confidence", "unverified_reason")


@dataclass(frozen=True, slots=True)
class Change:
    """One field that migration changed; None stands for a field that was or is not there."""

    path: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class Migrated:
    """A case after migration with what was changed; nothing where it already followed the definitions."""

    case: dict[str, Any]
    changes: tuple[Change, ...] = ()


def migrate_case(case: Mapping[str, Any]) -> Migrated:
    """Return the case under the present definitions. Migrating twice changes nothing the second time."""
    old = _abolished(case)
    if not old and _has_labels(case):
        return Migrated(dict(case))
    draft = {name: value for name, value in case.items() if name not in ABOLISHED}
    kept = {name: value for name, value in case.items() if name in ABOLISHED}
    changes = [Change(name, value, None) for name, value in kept.items()]
    _move_source_url(draft, changes)
    _clean_sources(draft, changes)
    if not _filled(draft, "outcome_status"):
        _label(draft, kept, changes)
    if kept:
        before = draft.get("migrated_from")
        draft["migrated_from"] = {**before, **kept} if isinstance(before, dict) else kept
    if draft.get("needs_review") is not True:
        changes.append(Change("needs_review", draft.get("needs_review"), True))
        draft["needs_review"] = True
    return Migrated(draft, tuple(changes))


def _abolished(case: Mapping[str, Any]) -> bool:
    parts = [one for group in _GROUPS for one in _records(case, group)]
    named = [one for source in _records(case, "sources") for one in _records(source, "references")]
    return any(name in ABOLISHED for holder in (case, *parts, *named) for name in holder)


def _has_labels(case: Mapping[str, Any]) -> bool:
    if any(_filled(case, name) for name in _V1_LABELS):
        return True
    return any(_filled(source, name) for source in _records(case, "sources") for name in _V1_SOURCE_LABELS)


def _records(case: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    items = case.get(name)
    return [one for one in items if isinstance(one, dict)] if isinstance(items, list) else []


def _filled(holder: Mapping[str, Any], name: str) -> bool:
    return holder.get(name) not in (None, "")


def _label(draft: dict[str, Any], kept: dict[str, Any], changes: list[Change]) -> None:
    has_url = any(str(source.get("url") or "").strip() for source in _records(draft, "sources"))
    level = normalise_text(str(kept.get("trust_level") or "")).casefold()
    confidence: VerificationConfidence | None
    if level == "verified":
        status, confidence = OutcomeStatus.VERIFIED_CORRECT, None
    elif level == "plausible":
        status = OutcomeStatus.UNVERIFIED
        confidence = VerificationConfidence.LOW if has_url else VerificationConfidence.NONE
    else:
        status, confidence = OutcomeStatus.UNVERIFIED, VerificationConfidence.NONE
    no_source = status is OutcomeStatus.UNVERIFIED and not has_url
    reason = UnverifiedReason.NO_SOURCE if no_source else None
    for name, label in zip(_OVERWRITTEN, (status, confidence, reason), strict=True):
        before, after = draft.pop(name, None), None if label is None else label.value
        if before not in (None, "", after):
            kept[name] = before
        if after is not None:
            draft[name] = after
        if before != after:
            changes.append(Change(name, before, after))


def _move_source_url(draft: dict[str, Any], changes: list[Change]) -> None:
    if "source_url" not in draft or _records(draft, "sources"):
        return
    url = draft.pop("source_url")
    draft["sources"] = [{"url": url}] if isinstance(url, str) and url.strip() else []
    if draft["sources"]:
        changes += [Change("source_url", url, None), Change("sources[0].url", None, url)]


def _clean_sources(draft: dict[str, Any], changes: list[Change]) -> None:
    """Put the abolished fields of each source, reference, claim and party under a `migrated_from` of its own."""
    for name in _GROUPS:
        if isinstance(draft.get(name), list):
            draft[name] = [_cleaned(one, f"{name}[{position}]", changes) for position, one in enumerate(draft[name])]


def _cleaned(item: Any, path: str, changes: list[Change]) -> Any:
    if not isinstance(item, dict):
        return item
    if isinstance(item.get("references"), list):
        named = [_cleaned(one, f"{path}.references[{at}]", changes) for at, one in enumerate(item["references"])]
        item = {**item, "references": named}
    old = {name: value for name, value in item.items() if name in ABOLISHED}
    if not old:
        return item
    changes += [Change(f"{path}.{name}", value, None) for name, value in old.items()]
    before = item.get("migrated_from")
    kept = {**before, **old} if isinstance(before, dict) else old
    return {name: value for name, value in item.items() if name not in ABOLISHED} | {"migrated_from": kept}
