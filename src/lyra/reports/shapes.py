"""The shapes in which `structured.json` comes, brought into the one that the schema describes; every step is listed."""

from collections.abc import Callable, Mapping

from lyra.reports.assumptions import Assumptions
from lyra.reports.model import LAYERS
from lyra.reports.scale import RANKS
from lyra.reports.spelling import NO_JUDGEMENT, id_of, pattern_of, plain, rule_of, type_of, value_of, verdict_of
from lyra.reports.validation import known_fields

Json = dict[str, object]

_TOP = {
    "symbol": "ticker",
    "company": "company_name",
    "source_report": "report_source",
    "knowledge_base_version": "kb_version",
    "created_at": "generated_at",
}
_CLAIM = {
    "claim_id": "id",
    "no": "id",
    "number": "id",
    "type": "claim_type",
    "title": "claim",
    "text": "claim",
    "claim_text": "claim",
    "statement": "claim",
    "label": "descriptive_label",
    "evidence": "evidence_from_report",
    "source_type": "report_type_source",
    "report_type": "report_type_source",
    "supporting_facts": "supported_by_facts",
    "source_advantage_id": "source_advantage",
    "rule_summary": "rule_evaluation",
    "rules": "rule_evaluation",
    "fact_check": "verification",
    "five_layers": "five_layer_evaluation",
    "comment": "ai_comment",
}
_RULES = {"rule_results": "results", "ca_confidence": "confidence", "score": "confidence", "reasoning": "overall_reasoning"}
_RESULT = {"rule_id": "rule", "result": "verdict", "comment": "reasoning", "reason": "reasoning"}
_VERIFICATION = {
    "status": "fact_check_status",
    "adjusted_confidence": "final_confidence",
    "confidence": "final_confidence",
    "matched_patterns": "pattern_matches",
    "rejected_patterns": "pattern_rejections",
    "detail": "details",
}
# Fields that some files keep on the claim itself, with the block they belong to.
_MOVED = {
    "final_confidence": ("verification", "final_confidence"),
    "fact_check_status": ("verification", "fact_check_status"),
    "pattern_matches": ("verification", "pattern_matches"),
    "pattern_rejections": ("verification", "pattern_rejections"),
    "confidence_delta": ("verification", "confidence_delta"),
    "ca_confidence": ("rule_evaluation", "confidence"),
    "confidence": ("rule_evaluation", "confidence"),
}
_LISTS = {
    "competitive_advantages": "competitive_advantage",
    "cagr_connections": "cagr_connection",
    "factual_claims": "factual_claim",
}
_IDS = ("supported_by_facts", "cagr_connections", "affected_claims")
# Spellings: what an assumption about one is called, and how it is settled.
_Spelling = tuple[str, Callable[[object], object]]
_ID: _Spelling = ("id", id_of)
_RULE: _Spelling = ("rule", rule_of)
_PATTERN: _Spelling = ("pattern", pattern_of)
_WORD: _Spelling = ("value", value_of)
_SCORES = ("ca_score", "score", "value", "confidence")


def settle(value: Json, noted: Assumptions) -> Json:
    """Return a file's value in the shape of the schema. What cannot be told is left for validation to refuse."""
    top = _renamed(_without_null(value), _TOP, "", noted)
    claims = top.get("claims", [])
    joined = list(claims) if isinstance(claims, list) else None
    for name, kind in _LISTS.items():
        listed = top.get(name)
        if joined is not None and isinstance(listed, list) and any(isinstance(one, dict) for one in listed):
            noted.add("claim_list", name, f"{len(listed)}", "claims")
            joined += [{"claim_type": kind, **one} if isinstance(one, dict) else one for one in listed]
            del top[name]
    if joined is not None and (joined or "claims" in top):
        top["claims"] = [_claim(one, f"claims[{at}]", noted) if isinstance(one, dict) else one for at, one in enumerate(joined)]
    return top


def _claim(value: Json, path: str, noted: Assumptions) -> Json:
    claim = _without_null(value)
    if claim.get("label") in RANKS.values():
        claim["rank"] = claim.pop("label")  # a rank name, not the label that this name means elsewhere
        noted.add("field_name", f"{path}.label", "label", "rank")
    claim = _renamed(claim, _CLAIM, path, noted)
    _blocks(claim, path, noted)
    _respell(claim, "id", _ID, path, noted)
    _respell(claim, "source_advantage", _ID, path, noted)
    for name in _IDS:
        _respell_list(claim, name, _ID, path, noted)
    _kind(claim, path, noted)
    _respell(claim, "claim_type", ("value", type_of), path, noted)
    for name in ("report_type_source", "verification_status"):
        _respell(claim, name, _WORD, path, noted)
    if isinstance(attempted := claim.get("verification_attempted"), str):
        claim["verification_attempted"] = [attempted]
    return claim


def _blocks(claim: Json, path: str, noted: Assumptions) -> None:
    _scores(claim, path, noted)
    if isinstance(rules := claim.get("rule_evaluation"), dict) and rules and all(rule_of(key) != key for key in rules):
        claim["rule_evaluation"] = {"results": _rule_list(rules, f"{path}.rule_evaluation", noted)}
    _move(claim, path, noted)
    for name, settle_block in (("rule_evaluation", _rule_evaluation), ("verification", _verification)):
        if isinstance(block := claim.get(name), dict):
            claim[name] = settle_block(_without_null(block), f"{path}.{name}", noted)
    if isinstance(layers := claim.get("five_layer_evaluation"), dict):
        settled = _five_layers(_without_null(layers), f"{path}.five_layer_evaluation", noted)
        claim["five_layer_evaluation"] = settled
        if not settled:
            del claim["five_layer_evaluation"]


def _scores(claim: Json, path: str, noted: Assumptions) -> None:
    if isinstance(score := claim.get("confidence"), dict):
        claim["confidence"] = next((score[key] for key in _SCORES if key in score), score)
        noted.add("field_place", f"{path}.confidence", list(score), "rule_evaluation.confidence")
    if claim.get("claim_type") == "cagr_connection" and "cagr_confidence" in claim and "confidence" not in claim:
        claim["confidence"] = claim.pop("cagr_confidence")


def _move(claim: Json, path: str, noted: Assumptions) -> None:
    scored = claim.get("claim_type") != "factual_claim"
    for name, (block, inner) in _MOVED.items():
        if name not in claim or (inner.endswith("confidence") and not scored):
            continue
        target = claim.setdefault(block, {})
        if isinstance(target, dict) and inner not in target:
            target[inner] = claim.pop(name)
            noted.add("field_place", f"{path}.{name}", target[inner], f"{block}.{inner}")


def _kind(claim: Json, path: str, noted: Assumptions) -> None:
    if "claim_type" in claim:
        return
    if "source_advantage" in claim or "parameters" in claim:
        kind = "cagr_connection"
    elif ("verification_status" in claim or "affected_claims" in claim) and "rule_evaluation" not in claim:
        kind = "factual_claim"
    else:
        kind = "competitive_advantage"
    claim["claim_type"] = kind
    noted.add("claim_type", path, "claim_type", kind)


def _rule_list(rules: Json, path: str, noted: Assumptions) -> list[object]:
    results: list[object] = []
    for name, said in rules.items():
        if isinstance(said, dict):
            results.append({"rule": name, **said})
        elif isinstance(said, str):
            verdict, reasoning = verdict_of(said)
            if plain(verdict) in NO_JUDGEMENT:
                noted.add("left_out", f"{path}.{name}", said, "–")
                continue
            results.append({"rule": name, "verdict": verdict, "reasoning": reasoning})
        else:
            results.append({"rule": name, "verdict": said})
    noted.add("field_place", path, list(rules), "results")
    return results


def _rule_evaluation(rules: Json, path: str, noted: Assumptions) -> Json:
    rules = _renamed(rules, _RULES, path, noted)
    _respell_list(rules, "applied_rules", _RULE, path, noted)
    results = rules.get("results")
    if isinstance(results, dict):
        results = _rule_list(results, f"{path}.results", noted)
    if isinstance(results, list):
        settled: list[object] = []
        for at, one in enumerate(results):
            result = _renamed(_without_null(one), _RESULT, f"{path}.results[{at}]", noted) if isinstance(one, dict) else one
            if isinstance(result, dict):
                _respell(result, "rule", _RULE, f"{path}.results[{at}]", noted)
            settled.append(result)
        rules["results"] = settled
    return rules


def _verification(verification: Json, path: str, noted: Assumptions) -> Json:
    verification = _renamed(verification, _VERIFICATION, path, noted)
    _respell(verification, "fact_check_status", _WORD, path, noted)
    for name in ("pattern_matches", "pattern_rejections"):
        _respell_list(verification, name, _PATTERN, path, noted)
        if isinstance(patterns := verification.get(name), list):
            verification[name] = [one for at, one in enumerate(patterns) if one not in patterns[:at]]
    return verification


def _five_layers(layers: Json, path: str, noted: Assumptions) -> Json:
    home = {judgement: layer for layer, judgements in LAYERS.items() for judgement in judgements}
    for name in [name for name in layers if name in home]:
        target = layers.setdefault(home[name], {})
        if isinstance(target, dict):
            noted.add("field_place", f"{path}.{name}", layers[name], f"{home[name]}.{name}")
            target.setdefault(name, layers.pop(name))
    for layer, judgements in LAYERS.items():
        if not isinstance(block := layers.get(layer), dict):
            continue
        settled = _without_null(block)
        for name in judgements:
            _respell(settled, name, _WORD, f"{path}.{layer}", noted)
            if isinstance(said := settled.get(name), str) and said in NO_JUDGEMENT:
                noted.add("not_evaluated", f"{path}.{layer}.{name}", said, "–")
                del settled[name]
        layers[layer] = settled
        if not settled:
            del layers[layer]
    return layers


def _renamed(value: Json, names: Mapping[str, str], path: str, noted: Assumptions) -> Json:
    """Rename known other names. A name whose usual field is there, too, is an ordinary unknown field."""
    taken: Json = {}
    for name, content in value.items():
        known = names.get(name)
        if known is None or known in value or known in taken:
            taken[name] = content
            continue
        taken[known] = content
        noted.add("field_name", f"{path}.{name}".lstrip("."), name, known)
    return taken


def _without_null(value: Json) -> Json:
    """Read null in a field of ours as its absence; in other fields it is kept."""
    return {name: content for name, content in value.items() if content is not None or name not in known_fields()}


def _respell(value: Json, name: str, spelling: _Spelling, path: str, noted: Assumptions) -> None:
    code, spell = spelling
    if name in value and (settled := spell(value[name])) != value[name]:
        noted.add(code, f"{path}.{name}", value[name], settled)
        value[name] = settled


def _respell_list(value: Json, name: str, spelling: _Spelling, path: str, noted: Assumptions) -> None:
    if name not in value:
        return
    listed = value[name]
    if not isinstance(listed, list):
        noted.add("list", f"{path}.{name}", listed, [listed])
        listed = [listed]
    entries: Json = {f"{name}[{at}]": one for at, one in enumerate(listed)}
    for entry in list(entries):
        _respell(entries, entry, spelling, path, noted)
    value[name] = list(entries.values())
