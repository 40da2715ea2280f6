"""Settings: where a value comes from, and what is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.config import KEYS, Settings, read_settings, unknown_variables, variable_of
from lyra.core.errors import EXIT_BAD_INPUT, ConfigError


def file_with(tmp_path: Path, text: str) -> dict[str, str]:
    path = tmp_path / "lyra.toml"
    path.write_text(text, encoding="utf-8")
    return {"LYRA_CONFIG": str(path)}


def origin(settings: Settings, key: str) -> str:
    return next(entry.origin for entry in settings.values if entry.key == key)


def refused(environ: dict[str, str], **flags: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        read_settings(flags, environ)
    assert caught.value.exit_code == EXIT_BAD_INPUT
    return caught.value


def test_without_anything_set_the_defaults_hold(tmp_path: Path) -> None:
    settings = read_settings({}, file_with(tmp_path, ""))
    assert (settings.judge.top_k, settings.judge.threads) == (20, 0)
    assert (settings.search.fragments, settings.search.max_claims) == (10, 8)
    assert (settings.library.max_file_mb, settings.library.pdf_seconds, settings.library.pdf_memory_mb) == (64, 60, 1024)
    assert settings.store.busy_seconds == 30.0
    assert settings.lang == "en"
    assert settings.home.is_absolute()
    assert {entry.origin for entry in settings.values} == {"default"}


def test_every_setting_is_listed_once_with_its_origin(tmp_path: Path) -> None:
    settings = read_settings({}, file_with(tmp_path, ""))
    assert tuple(entry.key for entry in settings.values) == KEYS


def test_a_flag_beats_the_environment_beats_the_file_beats_the_default(tmp_path: Path) -> None:
    environ = file_with(tmp_path, 'home = "/from/file"\n[judge]\ntop_k = 5\n[search]\nfragments = 3\n')
    environ |= {"LYRA_HOME": "/from/environment", "LYRA_JUDGE_TOP_K": "7"}
    settings = read_settings({"home": "/from/flag"}, environ)
    assert (str(settings.home), origin(settings, "home")) == ("/from/flag", "flag")
    assert (settings.judge.top_k, origin(settings, "judge.top_k")) == (7, "environment LYRA_JUDGE_TOP_K")
    assert (settings.search.fragments, origin(settings, "search.fragments")) == (3, f"file {environ['LYRA_CONFIG']}")
    assert origin(settings, "judge.threads") == "default"


def test_the_language_comes_from_the_locale_when_nothing_else_says(tmp_path: Path) -> None:
    environ = file_with(tmp_path, "")
    assert read_settings({}, environ | {"LANG": "ja_JP.UTF-8"}).lang == "ja"
    assert read_settings({}, environ | {"LANG": "ja_JP.UTF-8", "LC_ALL": "C.UTF-8"}).lang == "en"
    assert read_settings({}, environ | {"LANG": "de_DE.UTF-8", "LYRA_LANG": "ja_JP.UTF-8"}).lang == "ja"
    settings = read_settings({}, environ | {"LANG": "ja_JP.UTF-8"})
    assert origin(settings, "lang") == "environment LANG"


def test_an_empty_variable_counts_as_not_set(tmp_path: Path) -> None:
    assert read_settings({}, file_with(tmp_path, "") | {"LYRA_JUDGE_TOP_K": ""}).judge.top_k == 20


@pytest.mark.parametrize(
    ("text", "key", "nearest"),
    [
        ("[judge]\ntopk = 3", "judge.topk", "judge.top_k"),
        ("lnag = 'ja'", "lnag", "lang"),
        ("[libary]\nmax_file_mb = 3", "libary.max_file_mb", "library.max_file_mb"),
        ("[judge.deeper]\ntop_k = 3", "judge.deeper", "judge.top_k"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_known_one(tmp_path: Path, text: str, key: str, nearest: str) -> None:
    error = refused(file_with(tmp_path, text))
    assert error.code == "unknown_setting"
    assert error.params["key"] == key
    assert error.params["nearest"] == nearest
    assert nearest in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "[judge]\ntop_k = 0",
        "[judge]\ntop_k = 201",
        "[judge]\ntop_k = 2.5",
        "[judge]\ntop_k = true",
        "[judge]\ntop_k = []",
        "[judge]\ntop_k = '20'",
        "[judge]\nthreads = -1",
        "[store]\nbusy_seconds = nan",
        "[store]\nbusy_seconds = -1",
        "lang = 'fr'",
        "lang = 3",
        "home = ''",
        "home = '~nobody-of-this-name/x'",
        "home = 3",
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_what_is_taken(tmp_path: Path, text: str) -> None:
    error = refused(file_with(tmp_path, text))
    assert error.code == "bad_setting"
    assert str(error.params["takes"]) in str(error)


@pytest.mark.parametrize("value", ["x", "1e3", "٣", "1_0", "0x10", "20 20", "9" * 5000])
def test_a_variable_that_is_no_number_is_refused(tmp_path: Path, value: str) -> None:
    error = refused(file_with(tmp_path, "") | {"LYRA_JUDGE_TOP_K": value})
    assert error.code == "bad_setting"
    assert error.params["origin"] == "environment LYRA_JUDGE_TOP_K"


def test_a_flag_is_held_to_the_same_rules(tmp_path: Path) -> None:
    assert refused(file_with(tmp_path, ""), lang="fr").params["origin"] == "flag"


@pytest.mark.parametrize(
    ("content", "line"),
    [(b"home = \n", 1), (b"[judge]\ntop_k = 3\ntop_k = 4\n", 3), (b"a = 1\nb = '\xff'\n", 2), (b'home = "', 1)],
)
def test_a_broken_file_is_refused_with_its_line(tmp_path: Path, content: bytes, line: int) -> None:
    path = tmp_path / "lyra.toml"
    path.write_bytes(content)
    error = refused({"LYRA_CONFIG": str(path)})
    assert error.code == "config_broken"
    assert error.params["line"] == line


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "lyra.toml"
    path.write_bytes(b"\xef\xbb\xbf[judge]\ntop_k = 4\n")
    assert read_settings({}, {"LYRA_CONFIG": str(path)}).judge.top_k == 4


def test_a_named_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    assert refused({"LYRA_CONFIG": str(tmp_path / "none.toml")}).code == "config_missing"


def test_a_directory_in_the_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    assert refused({"LYRA_CONFIG": str(tmp_path)}).code == "config_unreadable"


def test_variables_that_look_like_settings_are_told_but_not_refused(tmp_path: Path) -> None:
    environ = file_with(tmp_path, "") | {"LYRA_JUDGE_TOPK": "3", "LYRA_DEBUG": "1", "LYRA_HOME": "/x"}
    read_settings({}, environ)
    assert unknown_variables(environ) == [("LYRA_JUDGE_TOPK", "LYRA_JUDGE_TOP_K")]


@given(st.sampled_from(KEYS), st.text(max_size=20))
def test_any_text_is_a_setting_or_a_config_error(key: str, text: str) -> None:
    try:
        settings = read_settings({key: text}, {"LYRA_CONFIG": "/dev/null"})
    except ConfigError as error:
        assert error.code == "bad_setting"
        assert key in str(error)
    else:
        assert origin(settings, key) == "flag"


def test_a_variable_is_named_after_its_key() -> None:
    assert variable_of("judge.top_k") == "LYRA_JUDGE_TOP_K"
