"""Writing a bundle of files: as one zip, or as a folder. Whole or not at all."""

import io
import os
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

from lyra.core.errors import InvalidInput, LyraError
from lyra.core.own_result import is_own_result
from lyra.interfaces.cli.output import refuse_bad_place, write_bytes
from lyra.interfaces.exports.rocrate import METADATA

_ZIP = ".zip"
# Zip files cannot say "no time": this is the earliest they know.
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_READABLE = 0o644 << 16
_HEAD = 4096


def refuse_unwritable_bundle(path: Path) -> None:
    """Raise InvalidInput, before any work is done, for a place where a bundle could not be written afterwards."""
    if path.is_dir() and (path.suffix.lower() == _ZIP or not _is_own_folder(path)):
        raise InvalidInput("out_is_directory" if path.suffix.lower() == _ZIP else "out_exists", path=path)
    if path.exists() and not path.is_dir() and not _is_own_zip(path):
        raise InvalidInput("out_exists", path=path)
    refuse_bad_place(path)


def _is_own_folder(path: Path) -> bool:
    try:
        names = [entry.name for entry in path.iterdir()]
        head = (path / METADATA).read_bytes()[:_HEAD] if METADATA in names else b""
    except OSError as problem:
        raise InvalidInput("out_unwritable", path=path, detail=problem.strerror) from problem
    return not names or is_own_result(head.decode("utf-8", "replace"))


def _is_own_zip(path: Path) -> bool:
    try:
        if path.is_file() and not path.stat().st_size:
            return True
        with zipfile.ZipFile(path) as bundle, bundle.open(METADATA) as metadata:
            return is_own_result(metadata.read(_HEAD).decode("utf-8", "replace"))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, RuntimeError, NotImplementedError):
        return False


def write_bundle(path: Path, files: Mapping[str, bytes], task_id: str) -> None:
    """Write the files into a zip of that name, or into a folder if the name is none of a zip. Raises LyraError."""
    if path.suffix.lower() == _ZIP:
        write_bytes(path, zipped(files), task_id)
        return
    draft = path.absolute().with_name(f".{path.name}.{os.getpid()}.part")
    old = path.absolute().with_name(f".{path.name}.{os.getpid()}.old")
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        for name, content in files.items():
            (draft / name).write_bytes(content)
        if path.exists():
            path.rename(old)
        draft.rename(path)
    except OSError as failure:
        if old.exists() and not path.exists():
            old.rename(path)
        raise LyraError("out_failed", path=path, detail=failure.strerror or failure, task=task_id) from failure
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return the files as a zip; the same files give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = _READABLE
            bundle.writestr(entry, content)
    return stream.getvalue()
