"""The stance model with two doors in its stored form: written where it was trained, read where it is exported.

Promises: matrices and tables are in four bits (two numbers a byte), everything else in float16 or, where it is small,
float32; `read` gives back what a training run computed with in its last steps. The mean of several
runs (`blend.py`) is rounded once more when it is written.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.four_bits import BLOCK, Stored, store
from training.models import Coarse
from training.two_doors import TwoDoors

TABLES = ("encoder.word", "pieces.table")


def packed(numbers: Tensor) -> np.ndarray:
    """Numbers of -7 to 7, two in a byte: the first half of each row in the low bits, the second in the high ones."""
    shifted = (numbers.cpu().numpy() + 8).astype(np.uint8)
    half = shifted.shape[1] // 2
    return shifted[:, :half] | (shifted[:, half:] << 4)


def unpacked(data: np.ndarray) -> Tensor:
    """What `packed` packed."""
    return torch.from_numpy(np.concatenate([data & 15, data >> 4], 1).astype(np.int8) - 8)


def write(model: TwoDoors, path: Path) -> None:
    """Write the stored form."""
    coarse = [name for name, module in model.named_modules() if isinstance(module, Coarse)] + list(TABLES)
    parts: dict[str, np.ndarray] = {}
    for name, tensor in model.state_dict().items():
        owner, _, leaf = name.rpartition(".")
        if owner in coarse and leaf == "weight":
            form = store(tensor)
            parts |= {f"{name}|numbers": packed(form.numbers), f"{name}|factors": form.factors.cpu().numpy()}
            parts[f"{name}|scale"] = form.scale.cpu().numpy()
        elif tensor.numel() > 100_000:
            parts[name] = tensor.cpu().half().numpy()
        else:
            parts[name] = tensor.cpu().float().numpy()
    np.savez(path, **parts)


def read(path: Path) -> tuple[dict[str, Stored], dict[str, np.ndarray]]:
    """Matrices and tables in their stored form, and everything else."""
    coarse: dict[str, Stored] = {}
    rest: dict[str, np.ndarray] = {}
    with np.load(path) as z:
        for name in z.files:
            if name.endswith("|numbers"):
                plain = name.removesuffix("|numbers")
                scale = torch.from_numpy(z[f"{plain}|scale"])
                coarse[plain] = Stored(unpacked(z[name]), torch.from_numpy(z[f"{plain}|factors"]), scale)
            elif "|" not in name:
                rest[name] = z[name].astype(np.float32)
    return coarse, rest


def state_of(path: Path) -> dict[str, Tensor]:
    """The weights of the stored form as the network computes with them."""
    coarse, rest = read(path)
    state = {name: torch.from_numpy(value) for name, value in rest.items()}
    for name, form in coarse.items():
        rows, columns = form.numbers.shape
        factors = form.factors.float().repeat_interleave(BLOCK, 1).view(rows, columns)
        state[name] = form.numbers.float() * factors * form.scale
    return state


def load(model: TwoDoors, *paths: Path) -> None:
    """Fill a model from the stored form, or from the mean of several."""
    states = [state_of(path) for path in paths]
    model.load_state_dict({name: torch.stack([s[name] for s in states]).mean(0) for name in states[0]})
