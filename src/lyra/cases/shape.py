"""From a mapping as it stands in a file to a record: what is no legal value is said and left out, nothing is guessed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lyra.cases.fields import (
    ABOLISHED,
    ALIASES,
    CASE_FIELDS,
    CLAIM_FIELDS,
    FIRST_SOURCE_COLUMNS,
    PARTY_FIELDS,
    REFERENCE_FIELDS,
    RELATION_FIELDS,
    SOURCE_FIELDS,
    Field,
    Kind,
)
from lyra.cases.findings import Finding
from lyra.cases.model import Case, CaseClaim, Party, PartyRelation, Reference, Source, works
from lyra.cases.near import nearest, shown

_EMPTY: Mapping[str, object] = {}
_CASE_NEEDS, _SOURCE_NEEDS, _CLAIM_NEEDS, _RELATION_NEEDS = (
    {name: field for name, field in fields.items() if field.required}
    for fields in (CASE_FIELDS, SOURCE_FIELDS, CLAIM_FIELDS, RELATION_FIELDS)
)


@dataclass(frozen=True, slots=True)
class Shaped:
    """A case as read, what is wrong with its values, and the fields that other rules must therefore leave alone.

    `suspended` holds the names of fields (`outcome`, or `sources.access` for that of any source or reference), of lists
    that could not be read, and paths (`claims[2].source_refs`).
    """

    case: Case
    findings: list[Finding] = field(default_factory=list)
    suspended: set[str] = field(default_factory=set)


def read_case(raw: Mapping[str, object]) -> Shaped:
    """Return the case in a mapping. Never raises for any content: what cannot be read is a finding."""
    reader = _Reader()
    if "source_url" in raw and not raw.get("sources"):
        raw = reader.first_source(raw)
    values, extra = reader.record(raw, CASE_FIELDS, "", "")
    sources = reader.sources(values.pop("sources", None))
    claims = reader.claims(values.pop("claims", None), sources)
    parties = reader.parties(values.pop("parties", None))
    reader.require(values, _CASE_NEEDS, raw, "")
    identity, text = values.pop("id", ""), values.pop("text", "")
    case = Case(identity, text, sources=sources, claims=claims, parties=parties, extra=extra, **values)
    return Shaped(case, reader.findings, reader.suspended)


def with_source_list(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the mapping with its sources as a list of objects, whichever of the accepted forms they stand in.

    The fields of a first source that stand beside those of the case move there, and an address alone becomes a source.
    """
    case, listed = dict(raw), raw.get("sources")
    if "source_url" in case and not listed:
        moved = {FIRST_SOURCE_COLUMNS[name]: case.pop(name) for name in raw if name in FIRST_SOURCE_COLUMNS}
        case["sources"] = [moved] if moved["url"] else []
    elif isinstance(listed, list):
        case["sources"] = [{"url": one} if isinstance(one, str) else one for one in listed]
    return case


def _key(name: str, path: str) -> str:
    """Return under which name a field is suspended: sources are looked at together, claims one by one."""
    return f"sources.{name}" if path.startswith("sources") else path + name


class _Reader:
    """Reads the records of one case and collects what is wrong with them."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.suspended: set[str] = set()

    def record(
        self, raw: Mapping[str, object], fields: Mapping[str, Field], path: str, within: str
    ) -> tuple[dict[str, Any], Mapping[str, object]]:
        """Return the values of the known fields and the unknown ones; lists of records are left as they are."""
        values: dict[str, Any] = {}
        extra: dict[str, object] | None = None
        for name, value in raw.items():
            known = fields.get(name)
            if known is None:
                if name == "migrated_from":
                    extra = extra or {}
                    extra[name] = value
                    continue
                if name in ABOLISHED:
                    self.findings.append(Finding("L02", path + name, params={"replacement": ABOLISHED[name]}))
                    continue
                alias = self._unknown(name, fields, path, within)
                if alias is not None and alias not in raw:
                    name, known = alias, fields[alias]  # noqa: PLW2901 - read as the field that was meant
                else:
                    extra = extra or {}
                    extra[name] = value
                    continue
            kind = known.kind
            if kind is Kind.LABEL:
                if type(value) is str and (member := known.values.get(value)) is not None:  # nearly always
                    values[name] = member
                    continue
                self._label(values, name, value, known, path)
            elif kind is Kind.RECORDS:
                values[name] = value
            elif value is not None:
                self._plain(values, name, value, kind, path)
        return values, extra or _EMPTY

    def _label(self, values: dict[str, Any], name: str, value: object, known: Field, path: str) -> None:
        if value is None or value == "":
            return
        if type(value) is int:
            value = str(value)
        member = known.values.get(value) if isinstance(value, str) else None
        if member is not None:
            values[name] = member
            return
        self.suspended.add(_key(name, path))
        legal = ", ".join(known.values)
        close = nearest(value, known.values) if isinstance(value, str) else None
        variant = "nearest" if close else "none_near"
        self.findings.append(Finding("L01", path + name, variant, {"value": shown(value), "nearest": close, "legal": legal}))

    def _plain(self, values: dict[str, Any], name: str, value: Any, kind: Kind, path: str) -> None:
        match kind:
            case Kind.NAME if type(value) in (str, int):
                if str(value).strip():
                    values[name] = str(value).strip()
                else:
                    values[name] = ""
                    self.findings.append(Finding("L05", path + name, "empty"))
            case Kind.TEXT if isinstance(value, str):
                if value.strip():
                    values[name] = value
            case Kind.FLAG if isinstance(value, bool):
                values[name] = value
            case Kind.OBJECT if isinstance(value, dict):
                values[name] = value
            case Kind.TEXTS if isinstance(value, list) and all(isinstance(one, str) for one in value):
                values[name] = tuple(value)
            case Kind.TEXTS if isinstance(value, str):
                values[name] = (value,) if value.strip() else ()
            case _ if value != "":
                self._wrong_kind(name, value, kind, path)

    def _wrong_kind(self, name: str, value: object, kind: Kind, path: str) -> None:
        self.suspended.add(_key(name, path))
        self.findings.append(Finding("L01", path + name, "kind", {"value": shown(value), "kind": kind.value}))

    def _unknown(self, name: str, fields: Mapping[str, Field], path: str, within: str) -> str | None:
        alias = ALIASES.get(within, {}).get(name)
        if alias is not None:
            self.findings.append(Finding("L03", path + name, "read_as", {"nearest": alias}))
            return alias
        close = nearest(name, fields)
        self.findings.append(Finding("L03", path + shown(name), "nearest" if close else "none_near", {"nearest": close}))
        return None

    def first_source(self, raw: Mapping[str, object]) -> Mapping[str, object]:
        """Return the case with the fields of a source that stand beside its own where they belong."""
        for name in raw:
            if name in FIRST_SOURCE_COLUMNS:
                target = f"sources[0].{FIRST_SOURCE_COLUMNS[name]}"
                self.findings.append(Finding("L03", name, "read_as", {"nearest": target}))
        return with_source_list(raw)

    def require(self, values: Mapping[str, Any], needed: Mapping[str, Field], raw: Mapping[str, object], path: str) -> None:
        """Say which required fields were not given; a value that was given and is not legal was said already."""
        for name, known in needed.items():
            if name not in values:
                given = raw.get(name)
                if given is None or given == "" or (known.kind is Kind.TEXT and isinstance(given, str)):
                    self.findings.append(Finding("L04", path + name))
                    self.suspended.add(_key(name, path))

    def _list(self, value: object, path: str, name: str) -> list[tuple[str, Mapping[str, object]]]:
        """Return the objects of a list with their paths; what is no list or no object suspends the whole list."""
        if value is None or value == "":
            return []
        if not isinstance(value, list):
            self._wrong_kind(name, value, Kind.RECORDS, path)
            self.suspended.add(name)
            return []
        found: list[tuple[str, Mapping[str, object]]] = []
        for position, one in enumerate(value):
            where = f"{path}{name}[{position}]"
            if isinstance(one, dict):
                found.append((where + ".", one))
            elif name in ("sources", "references") and isinstance(one, str):
                found.append((where + ".", {"url": one}))
            elif name == "relations" and isinstance(one, str):
                found.append((where + ".", {"kind": one}))
            else:
                self._wrong_kind(where, one, Kind.OBJECT, "")
                self.suspended.add(name)
        return found

    def sources(self, value: object) -> tuple[Source, ...]:
        """Return the sources of a case with the references they name."""
        found = []
        for path, raw in self._list(value, "", "sources"):
            values, extra = self.record(raw, SOURCE_FIELDS, path, "sources")
            references = self.references(values.pop("references", None), path)
            if not values.get("url"):
                values["url"] = ""
            else:
                self.require(values, _SOURCE_NEEDS, raw, path)
            found.append(Source(references=references, extra=extra, **values))
        self._once([source.id for source in found], "sources")
        return tuple(found)

    def references(self, value: object, path: str) -> tuple[Reference, ...]:
        """Return the works that a source names."""
        found = []
        for where, raw in self._list(value, path, "references"):
            values, extra = self.record(raw, REFERENCE_FIELDS, where, "references")
            values.setdefault("url", "")
            found.append(Reference(extra=extra, **values))
        return tuple(found)

    def claims(self, value: object, sources: tuple[Source, ...]) -> tuple[CaseClaim, ...]:
        """Return the claims of a case; a reference to a source that is not there is a finding."""
        found = []
        for path, raw in self._list(value, "", "claims"):
            values, extra = self.record(raw, CLAIM_FIELDS, path, "claims")
            self.require(values, _CLAIM_NEEDS, raw, path)
            refs = values.get("source_refs")
            if refs:
                self._refer(refs, sources, path + "source_refs")
            values.setdefault("text", "")
            found.append(CaseClaim(extra=extra, **values))
        self._once([claim.id for claim in found], "claims")
        return tuple(found)

    def _refer(self, refs: tuple[str, ...], sources: tuple[Source, ...], path: str) -> None:
        known = {name for source in sources for one in works(source) for name in (one.id, one.url) if name}
        for position, ref in enumerate(refs):
            if not ref.strip():
                variant = "empty"
            elif ref not in known and "sources" not in self.suspended:
                variant = "dangling"
            elif ref in refs[:position]:
                variant = "duplicate"
            else:
                continue
            self.suspended.add(path)
            self.findings.append(Finding("L05", f"{path}[{position}]", variant, {"value": shown(ref)}))

    def _once(self, ids: list[str | None], name: str) -> None:
        seen: set[str] = set()
        for position, identity in enumerate(ids):
            if identity and identity in seen:
                self.findings.append(Finding("L05", f"{name}[{position}].id", "duplicate", {"value": shown(identity)}))
            elif identity:
                seen.add(identity)

    def parties(self, value: object) -> tuple[Party, ...]:
        """Return the parties of a case with their relations."""
        found = []
        for path, raw in self._list(value, "", "parties"):
            values, extra = self.record(raw, PARTY_FIELDS, path, "parties")
            relations = []
            for where, one in self._list(values.pop("relations", None), path, "relations"):
                relation, _ = self.record(one, RELATION_FIELDS, where, "relations")
                self.require(relation, _RELATION_NEEDS, one, where)
                if "kind" in relation:
                    relations.append(PartyRelation(**relation))
            values.setdefault("names", ())
            found.append(Party(relations=tuple(relations), extra=extra, **values))
        return tuple(found)
