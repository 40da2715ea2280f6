"""What a query answers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Blob:
    """A value that is neither text nor number; only its size is told."""

    size: int


Cell = str | int | float | Blob | None

ROWS, SIZE = "rows", "size"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of named columns. `truncated` is `rows` or `size` where there were more than the limit; `cut_cells` texts were cut."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    truncated: str | None = None
    cut_cells: int = 0


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """What one statement may cost: its time, its memory, how many rows and bytes it may answer, and how long a text may be."""

    seconds: float = 1.5
    memory_bytes: int = 128 * 2**20
    rows: int = 100
    answer_bytes: int = 2**20
    cell_chars: int = 2_000
