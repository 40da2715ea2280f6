"""One call of the program: what every command knows before its own options are looked at."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lyra.app import ModelFactory, SilentProgress
from lyra.config import Settings, read_settings
from lyra.core.errors import ConfigError
from lyra.core.messages import LANGUAGES, choose_language, render
from lyra.core.ports import Progress

_VALUED = {"--home": "home", "--lang": "lang"}


@dataclass(frozen=True, slots=True)
class Invocation:
    """The common options, the environment and the models of one call.

    `loaded` is the settings, or why they cannot be read: help is shown all the same.
    """

    environ: Mapping[str, str]
    models: ModelFactory
    lang: str
    as_json: bool
    loaded: Settings | ConfigError

    @property
    def settings(self) -> Settings:
        """Return the settings, or raise the ConfigError that stands in their place."""
        if isinstance(self.loaded, ConfigError):
            raise self.loaded
        return self.loaded

    def say(self, code: str, **params: object) -> str:
        """Return the sentence for a code in the language of this call."""
        return render(code, self.lang, **params)

    def progress(self) -> Progress:
        """Return bars on a terminal, silence anywhere else."""
        if not sys.stderr.isatty() or self.environ.get("TERM") == "dumb":
            return SilentProgress()
        from lyra.interfaces.cli.progress import TerminalProgress  # noqa: PLC0415 - rich is slow to import

        return TerminalProgress(self.lang)


def prepare(arguments: Sequence[str], environ: Mapping[str, str], models: ModelFactory) -> Invocation:
    """Return what the common options say, wherever they stand.

    They are read before the command line is parsed, because the language of its help and of its errors
    depends on them.
    """
    flags, as_json = _common_options(arguments)
    loaded: Settings | ConfigError
    try:
        loaded = read_settings(flags, environ)
        lang = loaded.lang
    except ConfigError as problem:
        wanted = flags.get("lang", "")
        loaded, lang = problem, choose_language(wanted if wanted in LANGUAGES else None, environ)
    return Invocation(environ, models, lang, as_json, loaded)


def _common_options(arguments: Sequence[str]) -> tuple[dict[str, str], bool]:
    flags: dict[str, str] = {}
    as_json = False
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    for position, argument in enumerate(own):
        name, equals, value = argument.partition("=")
        if argument == "--json":
            as_json = True
        elif name in _VALUED and equals:
            flags[_VALUED[name]] = value
        elif argument in _VALUED and position + 1 < len(own):
            flags[_VALUED[argument]] = own[position + 1]
    return flags, as_json
