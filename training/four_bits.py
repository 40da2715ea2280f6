"""Weights in four bits: how they are stored, and how training looks at them as they will be stored.

A row of a matrix has one float scale; each block of 64 of its values has a whole-number factor of 1 to 9, and each value
a number of -7 to 7. Factor times number fits into seven bits, so the product runs on eight-bit integers, on CPUs without
VNNI too, and unpacking is exact.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

BLOCK, NUMBERS, FACTORS = 64, 7, 9


class Stored(NamedTuple):
    """A matrix in its stored form."""

    numbers: Tensor  # int8, -7..7, [rows, columns]
    factors: Tensor  # int8, 1..9, [rows, columns / 64]
    scale: Tensor  # float32, [rows, 1]

    def products(self) -> Tensor:
        """Whole numbers of -63 to 63."""
        rows, columns = self.numbers.shape
        blocks = self.numbers.view(rows, columns // BLOCK, BLOCK).to(torch.int16) * self.factors[:, :, None].to(torch.int16)
        return blocks.to(torch.int8).view(rows, columns)


def _parts(weight: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    rows, columns = weight.shape
    blocks = weight.view(rows, columns // BLOCK, BLOCK)
    largest = blocks.abs().amax(-1, keepdim=True)
    scale = (largest.amax(1, keepdim=True) / (NUMBERS * FACTORS)).clamp(min=1e-9)
    factors = (largest / (NUMBERS * scale) - 1e-4).ceil().clamp(1, FACTORS)  # rounded up: nothing is clipped
    numbers = (blocks / (factors * scale)).round().clamp(-NUMBERS, NUMBERS)
    return numbers, factors, scale


def as_stored(weight: Tensor) -> Tensor:
    """The weights after storing, with the gradient of the weights before it."""
    with torch.no_grad():
        numbers, factors, scale = _parts(weight.detach())
        moved = (numbers * factors * scale).view_as(weight) - weight
    return weight + moved


def store(weight: Tensor) -> Stored:
    """The stored form of a matrix whose rows are a multiple of 64 long."""
    numbers, factors, scale = _parts(weight.detach().float())
    return Stored(numbers.to(torch.int8).view_as(weight), factors.to(torch.int8)[:, :, 0], scale[:, :, 0])
