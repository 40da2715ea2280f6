"""Providers by name. They are found by entry point, so that another package can bring one without touching this one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from lyra.core.errors import ConfigError, InvalidInput, LyraError
from lyra.core.ports import SearchProvider
from lyra.providers.endpoint import Endpoint, EndpointSettings
from lyra.providers.web import Web

if TYPE_CHECKING:
    from lyra.providers.browser import Browser

GROUP = "lyra.providers"


@dataclass(frozen=True, slots=True)
class Service:
    """How the settings say that one service is reached. `chosen`: the user gave the address, so it may be a private one."""

    url: str | None = None
    qps: float = 1.0
    key: str | None = None
    chosen: bool = False
    options: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProviderTools:
    """What a provider is built from. `browser` opens pages in a real one, where the extra is installed."""

    name: str
    web: Web
    service: Service
    browser: "Browser | None" = None

    def endpoint(self, *, key_header: str | None = None, key_param: str | None = None) -> Endpoint:
        """Return the JSON service at the address of the settings. Raises ConfigError where there is none."""
        if self.service.url is None:
            raise ConfigError("provider_not_set_up", name=self.name, key=f"providers.{self.name}_url")
        return Endpoint(
            self.web,
            EndpointSettings(
                self.service.url,
                qps=self.service.qps,
                key=self.service.key,
                key_header=key_header,
                key_param=key_param,
                trusted=self.service.chosen,
            ),
        )


Factory = Callable[[ProviderTools], SearchProvider]


def provider_names() -> tuple[str, ...]:
    """Return the names of all installed providers, sorted."""
    return tuple(sorted(_installed()))


def build_provider(tools: ProviderTools) -> SearchProvider:
    """Return the provider called `tools.name`.

    Raises InvalidInput `unknown_provider` with the right names, ConfigError for one that is not set up, and LyraError
    `provider_broken` for one that another package brings and that cannot be loaded.
    """
    installed = _installed()
    point = installed.get(tools.name)
    if point is None:
        raise unknown_provider(tools.name, tuple(sorted(installed)))
    try:
        factory: Factory = point.load()
    except (ImportError, AttributeError) as failure:
        raise LyraError("provider_broken", name=tools.name, detail=str(failure)[:200]) from failure
    return factory(tools)


def unknown_provider(name: str, known: tuple[str, ...]) -> InvalidInput:
    """Return the error for a name that no provider has, with the nearest one first among those that exist."""
    near = get_close_matches(name, known, n=1)
    ordered = [*near, *(one for one in known if one not in near)]
    return InvalidInput("unknown_provider", name=name[:60], known=", ".join(ordered) or "-")


def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
