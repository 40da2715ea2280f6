"""Claims as they come in: from the command line, a file or standard input."""

import errno
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lyra.core.claim_input import check_claim, parse_claims
from lyra.core.errors import InvalidInput
from lyra.core.units import MEBIBYTE

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class GatheredClaims:
    """The claims that can be used, and why the others cannot."""

    texts: tuple[str, ...]
    problems: tuple[InvalidInput, ...]


def gather_claims(arguments: Sequence[str], file: str | None, max_mb: int) -> GatheredClaims:
    """Return the claims of the command line and of the file, each checked by itself.

    Raises InvalidInput when the file cannot be read or understood as a whole, or there is no claim at all.
    """
    texts: list[str] = []
    problems: list[InvalidInput] = []
    for argument in arguments:
        try:
            texts.append(check_claim(argument))
        except InvalidInput as problem:
            problems.append(problem)
    if file is not None:
        parsed = parse_claims(_read(file, max_mb), "" if file == STANDARD_INPUT else Path(file).suffix, file)
        texts += [claim.text for claim in parsed.claims]
        problems += parsed.problems
    if not texts and not problems:
        raise InvalidInput("no_claims")
    return GatheredClaims(tuple(texts), tuple(problems))


def _read(file: str, max_mb: int) -> str:
    from lyra.providers.decoding import decode  # noqa: PLC0415 - only a file needs it

    limit = max_mb * MEBIBYTE
    try:
        if file == STANDARD_INPUT:
            if sys.stdin is None:
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            content = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(file).open("rb") as stream:
                content = stream.read(limit + 1)
    except FileNotFoundError:
        raise InvalidInput("claims_file_missing", path=file) from None
    except (OSError, ValueError) as failure:
        detail = getattr(failure, "strerror", None) or failure
        raise InvalidInput("claims_file_unreadable", path=file, detail=detail) from None
    if len(content) > limit:
        raise InvalidInput("claims_file_too_large", path=file, limit=max_mb)
    decoded = decode(content)
    if decoded is None:
        raise InvalidInput("claims_file_not_text", path=file)
    return decoded.text
