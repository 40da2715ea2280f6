"""`lyra models`: which models there are, which are in use, and bringing others."""

import re
from typing import TYPE_CHECKING, Annotated

import typer

from lyra.app import model_hub, model_shelf
from lyra.core.errors import EXIT_DEPENDENCY, EXIT_OK, InvalidInput
from lyra.core.model_card import MODEL_KINDS, RERANKER, Wanted
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.models_presenter import pulled_json, shelf_json, used_json
from lyra.interfaces.untrusted import on_one_line

if TYPE_CHECKING:
    from lyra.models.shelf import ShelfModel

KindOption = Annotated[str | None, typer.Option("--as", metavar="KIND", help="help.models_as")]
NameOption = Annotated[str | None, typer.Option("--name", metavar="NAME", help="help.models_name")]
LabelsOption = Annotated[str | None, typer.Option("--labels", metavar="LABELS", help="help.models_labels")]
LanguagesOption = Annotated[str | None, typer.Option("--languages", metavar="CODES", help="help.models_languages")]
_LANGUAGE = re.compile(r"[a-z]{2,3}")


def list_(call: Invocation) -> int:
    """List the models that can be used by name, shipped ones first."""
    shelf = model_shelf(call.settings)
    models = shelf.models()
    if call.as_json:
        write_json(shelf_json(models, str(shelf.path), call.settings.models.hub_url))
    else:
        for model in models:
            _write_model(call, model)
    # What is in use and not whole would fail in the middle of a check.
    return EXIT_DEPENDENCY if any(model.in_use and model.problem for model in models) else EXIT_OK


def _write_model(call: Invocation, model: "ShelfModel") -> None:
    info = model.info
    mark = call.say("text.model_in_use") if model.in_use else ""
    write_text(on_one_line(f"{info.name} {info.version} · {call.say(f'label.model_kind_{info.kind}')}{mark}"))
    languages = call.say("text.list_separator").join(info.languages) or call.say("text.model_any_language")
    size = "?" if model.size is None else f"{model.size / 1e6:.1f}"
    origin = call.say(f"label.model_origin_{model.origin}")
    facts = call.say("text.model_facts", origin=origin, source=model.source, languages=languages, size=size)
    write_text(f"    {on_one_line(facts)}")
    if model.problem is not None:
        write_text(f"    {on_one_line(call.say('text.model_problem', file=model.problem))}")


def use(
    call: Invocation,
    model: Annotated[str, typer.Argument(metavar="MODEL", help="help.models_model")],
    *,
    kind: KindOption = None,
    name: NameOption = None,
    labels: LabelsOption = None,
    languages: LanguagesOption = None,
) -> int:
    """Put a model into use: one of the list, or one on disk by its folder or ONNX file."""
    shelf = model_shelf(call.settings)
    info = shelf.use(model, _wanted(kind, name, labels, languages))
    chosen = info.kind if info is not None else RERANKER
    if call.as_json:
        write_json(used_json(info, chosen, shelf.models()))
    elif info is None:
        write_text(call.say("text.model_turned_off", kind=call.say(f"label.model_kind_{chosen}")))
    else:
        words = {"name": info.name, "version": info.version, "kind": call.say(f"label.model_kind_{chosen}")}
        write_text(on_one_line(call.say("text.model_used", **words)))
        write_text(call.say(f"text.model_used_{chosen}"))
    return EXIT_OK


def pull(
    call: Invocation,
    model: Annotated[str, typer.Argument(metavar="NAME", help="help.models_hub_name")],
    *,
    revision: Annotated[str, typer.Option("--revision", metavar="REVISION", help="help.models_revision")] = "main",
    file: Annotated[str | None, typer.Option("--file", metavar="PATH", help="help.models_file")] = None,
    kind: KindOption = None,
    name: NameOption = None,
    labels: LabelsOption = None,
    languages: LanguagesOption = None,
    use: Annotated[bool, typer.Option("--use", help="help.models_use_now")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="help.models_offline")] = False,
) -> int:
    """Bring a model from a hub: the one command that downloads weights."""
    from lyra.workflows.pull_model import PullRequest  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.pull_model import pull as run_pull  # noqa: PLC0415 - help needs none of this

    request = PullRequest(model, revision, file, _wanted(kind, name, labels, languages))
    shelf, hub = model_shelf(call.settings), model_hub(call.settings, offline=offline)
    pulled = run_pull(hub, shelf, call.settings.home, request, call.progress())
    if use:
        shelf.use(pulled.info.name, Wanted())
    if call.as_json:
        write_json(pulled_json(pulled, used=use))
        return EXIT_OK
    words = {"name": pulled.info.name, "version": pulled.info.version, "kind": call.say(f"label.model_kind_{pulled.info.kind}")}
    write_text(on_one_line(call.say("text.model_pulled", **words, url=pulled.url, path=pulled.folder)))
    write_text(on_one_line(call.say("text.model_used" if use else "text.model_pulled_unused", **words)))
    return EXIT_OK


def _wanted(kind: str | None, name: str | None, labels: str | None, languages: str | None) -> Wanted:
    if kind is not None and kind not in MODEL_KINDS:
        raise InvalidInput("model_kind_bad", kind=kind, known=", ".join(MODEL_KINDS))
    codes = _listed(languages)
    for code in codes:
        if not _LANGUAGE.fullmatch(code):
            raise InvalidInput("model_language_bad", language=code)
    return Wanted(name, kind, _listed(labels), codes)


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip()) if text is not None else ()
