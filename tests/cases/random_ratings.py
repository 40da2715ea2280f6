"""Random rating tables, the same on every machine and Python: what the recorded reference values were computed from."""

from random import Random

Table = list[list[int | None]]


def random_table(seed: int) -> Table:
    """A table of units and raters, values from 1 up, with holes; every value of the scale and two ratings somewhere."""
    source = Random(f"agreement {seed}")
    raters, scale, units = source.randint(2, 5), source.randint(2, 6), source.randint(8, 40)
    holes, care = source.choice((0.0, 0.1, 0.3)), source.random()
    table: Table = []
    for unit in range(units):
        truth = 1 + unit % scale if unit < scale else source.randint(1, scale)
        row: list[int | None] = []
        for rater in range(raters):
            certain = unit < scale and rater < 2
            value = truth if source.random() < care or (certain and rater == 0) else source.randint(1, scale)
            row.append(None if source.random() < holes and not certain else value)
        table.append(row)
    return table


def complete_table(seed: int) -> Table:
    """The same without holes."""
    source = Random(f"complete {seed}")
    return [[value if value is not None else source.randint(1, 2) for value in row] for row in random_table(seed)]
