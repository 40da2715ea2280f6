"""Lenses: interpretations of a task's materials. Each module here is a lens; its function `look` gives the opinion.

A lens is pure. It gets materials, writes nothing, and nothing it says is ever stored.
"""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

from lyra.core.errors import InvalidInput
from lyra.core.lens_view import LensView, Opinion

Lens = Callable[[LensView], Opinion]


def lens_names() -> list[str]:
    """Return the names of all lenses."""
    return sorted(module.name for module in iter_modules(__path__))


def load_lens(name: str) -> Lens:
    """Return a lens by its name, or raise InvalidInput with the names there are."""
    if name not in lens_names():
        raise InvalidInput("unknown_lens", name=name, lenses=", ".join(lens_names()))
    look: Lens = import_module(f"{__name__}.{name}").look
    return look
