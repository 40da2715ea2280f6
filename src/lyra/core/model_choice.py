"""Which of several models reads a pair, by the languages that each says it reads."""

from collections.abc import Sequence

from lyra.core.language import detect_language
from lyra.core.ports import StanceModel
from lyra.core.records import ModelInfo, Stance

UNDETERMINED = "und"


def reads(model: ModelInfo, *languages: str) -> bool:
    """Return whether a model reads texts in all these languages. One that names no language reads every one."""
    return not model.languages or set(languages) <= set(model.languages)


def choose_judge(specialists: Sequence[ModelInfo], claim_language: str, fragment_language: str) -> int | None:
    """Return the first specialist that reads both sides of a pair; None leaves the pair to the general judge.

    A side whose language is not known asks for nothing. Where neither is known, no specialist is better than the
    general judge.
    """
    known = {claim_language, fragment_language} - {UNDETERMINED}
    if not known:
        return None
    return next((place for place, model in enumerate(specialists) if reads(model, *known)), None)


def judge_texts(general: StanceModel, specialists: Sequence[StanceModel], pairs: Sequence[tuple[str, str]]) -> list[Stance]:
    """Return one stance per (fragment, claim) pair, in order, each by the model that reads both of its languages."""
    infos = [one.info for one in specialists]
    groups: dict[int | None, list[int]] = {}
    for position, (fragment, claim) in enumerate(pairs):
        judge = choose_judge(infos, detect_language(claim), detect_language(fragment))
        groups.setdefault(judge, []).append(position)
    found: dict[int, Stance] = {}
    for place, positions in groups.items():
        model = general if place is None else specialists[place]
        found.update(zip(positions, model.judge([pairs[position] for position in positions]), strict=True))
    return [found[position] for position in range(len(pairs))]
