"""Templates for questions to a language model: a person's own files where there are some, else the shipped ones."""

from pathlib import Path

from lyra.core.errors import ConfigError
from lyra.core.prompts import MAX_CHARS, PLACES, check_prompt, shipped_prompt


def load_prompts(folder: Path) -> dict[str, str]:
    """Return every template by name. Raises ConfigError for a file that cannot be read or lacks a place."""
    found = {}
    for name in PLACES:
        path = folder / f"{name}.txt"
        try:
            with path.open(encoding="utf-8") as stream:
                text = stream.read(MAX_CHARS + 1)
        except FileNotFoundError:
            found[name] = shipped_prompt(name)
            continue
        except (OSError, UnicodeDecodeError) as problem:
            raise ConfigError("prompt_unreadable", path=str(path), detail=type(problem).__name__) from problem
        found[name] = check_prompt(name, text, str(path))
    return found
