"""Writes THIRD_PARTY.md: every package Lyra runs on, with its licence as installed. Refuses a licence nobody has agreed to."""

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import Message
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import cast

from packaging.markers import Marker

PERMISSIVE = frozenset(
    "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause CC0-1.0 CNRI-Python HPND ISC "
    "MIT MIT-0 MIT-CMU PSF-2.0 Python-2.0 Unlicense Zlib".split()
)
# Copyleft that stays within the package's own files, which Lyra uses unchanged.
FILE_LEVEL = frozenset({"MPL-1.1", "MPL-2.0"})

# Spellings found in metadata that is older than SPDX expressions.
SPELLINGS = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "The BSD 2-Clause License": "BSD-2-Clause",
}


@dataclass(frozen=True, slots=True)
class Review:
    """A person's reading of a declaration no program can read. Void as soon as the declaration changes."""

    declared: str
    licence: str


REVIEWS = {
    "apsw": Review("any-OSI", "Zlib"),
    "orjson": Review("MPL-2.0 AND (Apache-2.0 OR MIT)", "MPL-2.0 AND Apache-2.0"),
    "pypdfium2": Review("BSD-3-Clause, Apache-2.0, dependency licenses", "BSD-3-Clause AND Apache-2.0"),
}
# Packages that some platforms do not install, where the licence cannot be read.
NOT_EVERYWHERE = {"colorama": "BSD-3-Clause", "hf-xet": "Apache-2.0", "pywin32": "PSF-2.0"}

NOTES = {
    "apsw": "Or any OSI-approved licence, as its user likes. Carries SQLite, which is in the public domain.",
    "huggingface-hub": "Required by tokenizers. Lyra never calls it, and downloads nothing through it.",
    "numpy": "The wheels carry OpenBLAS (BSD-3-Clause) and, as separate libraries, the GCC runtime (GPL with the runtime"
    " exception) and libquadmath (LGPL). Lyra redistributes none of them.",
    "onnxruntime": "The wheel carries the notices of the libraries built into it.",
    "pypdfium2": "Carries PDFium (BSD-3-Clause and Apache-2.0) with the notices of the libraries built into it.",
    "tld": "Offered under three licences; Lyra uses it under the MPL alone.",
}

HEADER = """# Third-party packages

Lyra itself is under the Apache License 2.0. It runs on the packages below, at the versions that `requirements/run.txt`
pins, and contains none of them. Licences are read from each installed package; where a package offers a choice, the first
column of licences says which one Lyra uses. MPL packages are used unchanged: their copyleft covers their own files.

Written by `make notices`; `make lint` fails when it is out of date or a licence is not permissive.

| package | version | licence used | as declared | note |
|---|---|---|---|---|
"""

FOOTER = """
## Weights

The shipped weights are trained further from these published ones and carry what is left of them.

| weights | licence | used for |
|---|---|---|
| all-MiniLM-L6-v2 | Apache-2.0 | the embedder, and the English part of the tokenizer both models share |
| all-mpnet-base-v2 | Apache-2.0 | the judge |
| multilingual Universal Sentence Encoder, version 3 | Apache-2.0 | the judge's door for Japanese: a part of its pieces |
"""


class LicenceProblem(Exception):
    """A package may not be shipped with, or its licence cannot be told. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Pin:
    """One line of a lock."""

    name: str
    version: str
    installed_here: bool


@dataclass(frozen=True, slots=True)
class Notice:
    """One row of the table."""

    name: str
    version: str
    licence: str
    declared: str

    def row(self) -> str:
        """The Markdown row. The declaration is left out where it says the same as the licence."""
        declared = "" if self.declared == self.licence else self.declared
        return f"| {self.name} | {self.version} | {self.licence} | {declared} | {NOTES.get(self.name, '')} |\n"


def read_pins(lock: str) -> list[Pin]:
    """The packages of a requirements file with `==` pins."""
    lines = re.findall(r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)(?:\s*;\s*([^\\\n]+))?", lock, re.MULTILINE)
    return [Pin(name, version, not marker or Marker(marker.strip()).evaluate()) for name, version, marker in lines]


def acceptable(expression: str) -> str | None:
    """The first alternative of an SPDX expression whose terms are all agreed to, or None."""
    for alternative in expression.split(" OR "):
        if all(term in PERMISSIVE | FILE_LEVEL for term in alternative.split(" AND ")):
            return alternative
    return None


def declared_licence(metadata: Message) -> str:
    """What a package's metadata says of its licence: the SPDX expression, else the free text, else the classifier; or nothing."""
    classifiers = [
        line.rsplit(" :: ", 1)[1] for line in metadata.get_all("Classifier", []) if line.startswith("License :: OSI Approved ::")
    ]
    candidates = [metadata.get("License-Expression", ""), metadata.get("License", ""), *classifiers]
    return next((text for text in candidates if text and "\n" not in text), "")


def decide(name: str, declared: str) -> str:
    """The licence Lyra uses a package under. Raises LicenceProblem when there is none."""
    review = REVIEWS.get(name)
    expression = review.licence if review and review.declared == declared else SPELLINGS.get(declared, declared)
    licence = acceptable(expression)
    if licence is None:
        raise LicenceProblem(f"{name}: licence {declared!r} is not among those agreed to: replace the package, or review it")
    return licence


def notice(pin: Pin) -> Notice:
    """The row for a pinned package. Raises LicenceProblem when it is not installed as pinned or may not be used."""
    try:
        installed = distribution(pin.name)
    except PackageNotFoundError:
        if pin.installed_here or pin.name not in NOT_EVERYWHERE:
            remedy = "install requirements/dev.txt" if pin.installed_here else "read its licence and add it to NOT_EVERYWHERE"
            raise LicenceProblem(f"{pin.name} {pin.version}: not installed here: {remedy}") from None
        declared = NOT_EVERYWHERE[pin.name]
    else:
        if installed.version != pin.version:
            raise LicenceProblem(
                f"{pin.name}: {pin.version} is pinned, {installed.version} installed: install requirements/dev.txt"
            )
        declared = declared_licence(cast(Message, installed.metadata))
    return Notice(pin.name, pin.version, decide(pin.name, declared), declared)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table, or with `--check` compare it with the one that is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path.cwd())
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    table: Path = options.root / "THIRD_PARTY.md"
    notices, problems = [], []
    for pin in read_pins((options.root / "requirements" / "run.txt").read_text("utf-8")):
        try:
            notices.append(notice(pin))
        except LicenceProblem as problem:
            problems.append(str(problem))
    text = HEADER + "".join(entry.row() for entry in notices) + FOOTER
    if options.check and not problems and (not table.is_file() or table.read_text("utf-8") != text):
        problems.append("THIRD_PARTY.md is out of date: run make notices")
    for line in problems:
        print(line, file=sys.stderr)
    if problems:
        return 1
    if not options.check:
        table.write_text(text, encoding="utf-8")
    print(f"licences: {len(notices)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
