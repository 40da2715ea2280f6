"""Opinions of lenses as JSON-ready values and as words. A lens brings no sentences: its codes have them in the catalogues."""

from collections.abc import Mapping

from lyra.core.lens_view import Opinion
from lyra.core.messages import codes, render
from lyra.interfaces.presenter import Json, document
from lyra.interfaces.untrusted import on_one_line


def opinion_json(name: str, task_id: str, opinion: Opinion, lang: str) -> Json:
    """Return the answer of `lens`; beside a `code` that has a sentence, the sentence stands as `detail`."""
    return document(lens=name, task_id=task_id, items=[_with_details(item, lang) for item in opinion.items])


def _with_details(value: object, lang: str) -> object:
    if isinstance(value, Mapping):
        shown: Json = {name: _with_details(inner, lang) for name, inner in value.items()}
        words = code_words(value, lang)
        return shown if words is None else {**shown, "detail": words}
    if isinstance(value, (list, tuple)):
        return [_with_details(inner, lang) for inner in value]
    return value


def code_words(value: Mapping[str, object], lang: str) -> str | None:
    """Return the sentence for an object with a `code`; None where there is none."""
    code = f"text.lens_{value.get('code')}"
    if code not in codes(lang):
        return None
    return render(code, lang, **{name: inner for name, inner in value.items() if name not in ("code", "lang")})


def field_word(name: str, lang: str) -> str:
    """Return how a field is called; a field of a lens that brings no word is shown by its name."""
    code = f"label.lens_{name}"
    return render(code, lang) if code in codes(lang) else name


def value_words(value: object, lang: str) -> str | None:
    """Return a value in words; None for an object that has to be shown field by field."""
    if isinstance(value, Mapping):
        return code_words(value, lang)
    if isinstance(value, (list, tuple)):
        return ", ".join(on_one_line(str(inner)) for inner in value)
    code = f"label.lens_value_{value}"
    return render(code, lang) if code in codes(lang) else on_one_line(str(value))
