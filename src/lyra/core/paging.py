"""Pages of a long list: the orders there are, and cursors that say where the next page begins.

A cursor is opaque to whoever holds it. It names its task and its order, so it cannot be used for another.
"""

import base64
import binascii
import json
from dataclasses import dataclass
from difflib import get_close_matches

from lyra.core.errors import InvalidInput
from lyra.core.records import Evidence, Relation

ADDED = "added"
ORDERS = (ADDED, "confidence", "lowest_confidence", "uncertainty", "controversy", "evidence")
MAX_PAGE = 1_000
_VERSION = "c1"
_MAX_CURSOR = 400


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page begins: after `place` claims of the kept order `order_id`, or, without one, after the position `place`."""

    task_id: str
    order: str
    place: int
    order_id: str | None = None
    adopted: bool | None = None


def write_cursor(cursor: Cursor) -> str:
    """Return the cursor as text that survives a shell, a URL and JSON."""
    fields = [cursor.task_id, cursor.order, cursor.place, cursor.order_id, cursor.adopted]
    packed = base64.urlsafe_b64encode(json.dumps(fields, separators=(",", ":")).encode())
    return f"{_VERSION}.{packed.decode().rstrip('=')}"


def read_cursor(text: str, task_id: str) -> Cursor:
    """Return the cursor that a text stands for, or raise InvalidInput for one that is no cursor of this task."""
    version, _, packed = text.strip().partition(".")
    try:
        if version != _VERSION or len(packed) > _MAX_CURSOR:
            raise ValueError(text)
        fields = json.loads(base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        raise InvalidInput("bad_cursor") from None
    match fields:
        case [str(task), str(order), int(place), None | str() as order_id, None | bool() as adopted] if (
            task == task_id and order in ORDERS and not isinstance(place, bool) and 0 <= place < 2**31
        ):
            return Cursor(task, order, place, order_id, adopted)
    raise InvalidInput("bad_cursor")


def check_order(name: str) -> str:
    """Return the name of an order, or raise InvalidInput with those there are."""
    if name not in ORDERS:
        nearest = get_close_matches(name, ORDERS, n=1, cutoff=0.0)[0]
        raise InvalidInput("unknown_order", name=name, nearest=nearest, known=", ".join(ORDERS))
    return name


def choose_evidence(evidence: tuple[Evidence, ...], limit: int | None) -> tuple[Evidence, ...]:
    """Return at most `limit` items, in the order they had: the strongest of both sides in turn, neutral ones last.

    So a short list never hides that there is evidence on the other side.
    """
    if limit is None or len(evidence) <= limit:
        return evidence
    ranks: dict[Relation, int] = {}
    places = []
    for position, edge in enumerate(evidence):
        rank = ranks[edge.relation] = ranks.get(edge.relation, -1) + 1
        places.append((edge.relation is Relation.NEUTRAL, rank, position))
    kept = {position for _, _, position in sorted(places)[:limit]}
    return tuple(edge for position, edge in enumerate(evidence) if position in kept)
