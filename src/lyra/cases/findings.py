"""What validation says: a finding names its rule, the field and the values of its sentence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from lyra.core.messages import render


class Severity(StrEnum):
    """An error makes a case invalid; a warning is for a person to look at."""

    ERROR = "error"
    WARNING = "warning"


_E, _W = Severity.ERROR, Severity.WARNING
RULES: Final[Mapping[str, Severity]] = {
    "L01": _E,
    "L02": _E,
    "L03": _W,
    "L04": _E,
    "L05": _E,
    "L10": _E,
    "L11": _E,
    "L12": _E,
    "L20": _E,
    "L21": _E,
    "L22": _E,
    "L23": _E,
    "L24": _E,
    "L25": _E,
    "L26": _E,
    "L27": _E,
    "L28": _W,
    "L30": _E,
    "L31": _E,
    "L32": _E,
    "L33": _E,
    "L34": _E,
    "L35": _E,
    "L36": _E,
    "L37": _W,
    "L38": _W,
    "L39": _W,
    "L40": _E,
    "L41": _E,
    "L42": _W,
    "L50": _W,
}
# Rules whose sentence depends on what exactly is wrong; the others have one sentence each.
VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "L01": ("nearest", "none_near", "kind"),
    "L03": ("nearest", "none_near", "read_as"),
    "L05": ("empty", "duplicate", "duplicate_case", "dangling"),
    "L26": ("missing", "same", "unknown"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that a case breaks, at one field. `variant` tells apart the sentences of a rule that has several."""

    rule: str
    path: str
    variant: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def severity(self) -> Severity:
        """Return whether this makes the case invalid."""
        return RULES[self.rule]

    @property
    def is_error(self) -> bool:
        """Return whether this makes the case invalid."""
        return RULES[self.rule] is Severity.ERROR

    @property
    def code(self) -> str:
        """Return the message code of its sentence."""
        return f"rule.{self.rule.lower()}" + (f"_{self.variant}" if self.variant else "")

    @property
    def hint_code(self) -> str:
        """Return the message code of its hint."""
        return f"hint.{self.rule.lower()}"

    def sentence(self, lang: str = "en") -> str:
        """Return what is wrong, in English or Japanese."""
        kind = {"kind": render(f"kind.{self.params['kind']}", lang)} if "kind" in self.params else {}
        return render(self.code, lang, **{**self.params, **kind})

    def hint(self, lang: str = "en") -> str:
        """Return what to do about it, in English or Japanese."""
        return render(self.hint_code, lang)
