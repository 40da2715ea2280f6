"""Providers by name, ours and those of other packages."""

import sys
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

from lyra.core.errors import ConfigError, InvalidInput, LyraError
from lyra.core.works import Answer, Item, ProviderInfo, ProviderKind, answered
from lyra.providers import registry
from lyra.providers.registry import ProviderTools, Service, build_provider, provider_names
from tests.loopback.client import make_web


class Elsewhere:
    """A provider that another package brings."""

    info = ProviderInfo("elsewhere", ProviderKind.WEB, None)

    def search(self, query: str, limit: int) -> Answer[Item]:
        return answered([Item("elsewhere", query)])


def build_elsewhere(tools: ProviderTools) -> Elsewhere:
    return Elsewhere()


def tools(name: str, service: Service | None = None) -> ProviderTools:
    return ProviderTools(name, make_web(), service or Service("https://service.example.org/v1"))


def test_the_four_of_the_box_are_installed() -> None:
    assert {"browser", "openalex", "searxng", "semantic_scholar"} <= set(provider_names())


@pytest.mark.parametrize("name", ["openalex", "searxng", "semantic_scholar"])
def test_each_is_built_from_its_settings(name: str) -> None:
    provider = build_provider(tools(name))
    assert provider.info.name == name
    assert provider.info.endpoint == "https://service.example.org/v1"


def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    with pytest.raises(InvalidInput) as refusal:
        build_provider(tools("semantic_schoolar"))
    assert str(refusal.value).startswith("There is no provider semantic_schoolar: use one of semantic_scholar, browser")


def test_one_that_is_not_set_up_says_which_setting_is_missing() -> None:
    with pytest.raises(ConfigError, match=r"providers\.searxng_url"):
        build_provider(tools("searxng", Service()))
    with pytest.raises(ConfigError, match="browser"):
        build_provider(tools("browser"))


def test_another_package_can_bring_one(monkeypatch: pytest.MonkeyPatch) -> None:
    found = EntryPoint("elsewhere", "lyra_elsewhere:build", registry.GROUP)
    monkeypatch.setitem(sys.modules, "lyra_elsewhere", SimpleNamespace(build=build_elsewhere))
    missing = EntryPoint("gone", "no_such_package:build", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [found, missing])
    monkeypatch.setattr(
        EntryPoint, "load", lambda self: build_elsewhere if self.name == "elsewhere" else __import__("no_such_package")
    )
    assert build_provider(tools("elsewhere")).search("tea", 1).found[0].title == "tea"
    with pytest.raises(LyraError, match="reinstall"):
        build_provider(tools("gone"))
