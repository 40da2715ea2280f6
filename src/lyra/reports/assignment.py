"""One-to-one assignment with the best total, "no partner" being one of the choices.

Every row may go without a partner for the worth of the threshold, by a column of its own; so a pair below the threshold is never
made, and a weak pair is not made when that leaves better ones to others. Shortest augmenting paths with potentials (the Hungarian
method in the form of Jonker and Volgenant), exact and deterministic; among equal totals lower indices go first.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """A row and a column that belong together, their score, and how far ahead it is of the best rival or of no partner."""

    row: int
    column: int
    score: float
    margin: float


def assign(scores: Sequence[Sequence[float]], threshold: float) -> tuple[Pair, ...]:
    """Return the pairs of the best one-to-one assignment, by row.

    Maximises the sum of the scores of the pairs made plus `threshold` for every row left alone.
    """
    if not scores or not scores[0]:
        return ()
    columns, rows = len(scores[0]), len(scores)
    costs = [[-score for score in row] + [-threshold] * rows for row in scores]
    chosen = _cheapest(costs)
    return tuple(
        Pair(row, column, scores[row][column], _margin(scores, row, column, threshold))
        for row, column in enumerate(chosen)
        if column < columns and scores[row][column] > threshold
    )


def _margin(scores: Sequence[Sequence[float]], row: int, column: int, threshold: float) -> float:
    beside = [score for at, score in enumerate(scores[row]) if at != column]
    below = [line[column] for at, line in enumerate(scores) if at != row]
    return scores[row][column] - max([*beside, *below, threshold])


def _cheapest(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row in the cheapest complete assignment; there must be at least as many columns as rows."""
    rows, columns = len(costs), len(costs[0])
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    partner = [0] * (columns + 1)  # of each column, counted from 1; 0 is "free", column 0 the row being placed
    for row in range(1, rows + 1):
        partner[0] = row
        _place(costs, row_price, column_price, partner)
    chosen = [0] * rows
    for column in range(1, columns + 1):
        if partner[column]:
            chosen[partner[column] - 1] = column - 1
    return chosen


def _place(costs: Sequence[Sequence[float]], row_price: list[float], column_price: list[float], partner: list[int]) -> None:
    """Find the shortest path from the new row to a free column, and move everyone along it by one."""
    columns = len(column_price) - 1
    distance, before, done = [math.inf] * (columns + 1), [0] * (columns + 1), [False] * (columns + 1)
    here = 0
    while partner[here]:
        done[here] = True
        row, nearest, step = partner[here], 0, math.inf
        for column in range(1, columns + 1):
            if done[column]:
                continue
            reduced = costs[row - 1][column - 1] - row_price[row] - column_price[column]
            if reduced < distance[column]:
                distance[column], before[column] = reduced, here
            if distance[column] < step:
                nearest, step = column, distance[column]
        for column in range(columns + 1):
            if done[column]:
                row_price[partner[column]] += step
                column_price[column] -= step
            else:
                distance[column] -= step
        here = nearest
    while here:
        partner[here] = partner[before[here]]
        here = before[here]
