"""Pack published weights small for a transfer, and unpack them again.

Promises: `pack` writes a safetensors file with matrices either as float16 or, with `--int8`, as
8-bit integers with one float16 scale per 64 values (relative error about 0.6 % of a weight's
spread, far below what fine-tuning changes); `split` and `join` verify a sha256.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from training.models import load_published

GROUP = 64


def pack(state: dict[str, Tensor], int8: bool) -> dict[str, Tensor]:
    """Small copy of a state."""
    small: dict[str, Tensor] = {}
    for name, tensor in state.items():
        if int8 and tensor.ndim == 2 and tensor.shape[1] % GROUP == 0:
            grouped = tensor.reshape(-1, GROUP)
            scale = (grouped.abs().amax(1, keepdim=True) / 127).clamp(min=1e-8).half()
            small[name] = (grouped / scale.float()).round().clamp(-127, 127).to(torch.int8).reshape(tensor.shape)
            small[name + "|scale"] = scale
        else:
            small[name] = tensor.half()
    return small


def unpack(path: Path) -> dict[str, Tensor]:
    """Float32 state from a packed file."""
    small = load_file(str(path))
    state: dict[str, Tensor] = {}
    for name, tensor in small.items():
        if name.endswith("|scale"):
            continue
        if name + "|scale" in small:
            grouped = tensor.float().reshape(-1, GROUP) * small[name + "|scale"].float()
            state[name] = grouped.reshape(tensor.shape)
        else:
            state[name] = tensor.float()
    return state


def split(path: Path, size: int) -> list[Path]:
    """Cut a file into pieces `name.00`, `name.01`, … and note its sha256."""
    data = path.read_bytes()
    pieces = []
    for number, start in enumerate(range(0, len(data), size)):
        piece = path.with_name(f"{path.name}.{number:02d}")
        piece.write_bytes(data[start : start + size])
        pieces.append(piece)
    note = {"sha256": hashlib.sha256(data).hexdigest(), "pieces": [p.name for p in pieces]}
    path.with_name(path.name + ".sum").write_text(json.dumps(note))
    return pieces


def join(path: Path) -> None:
    """Rebuild a file from its pieces; raise when a piece is missing or the sum differs."""
    note = json.loads(path.with_name(path.name + ".sum").read_text())
    data = b"".join(path.with_name(piece).read_bytes() for piece in note["pieces"])
    if hashlib.sha256(data).hexdigest() != note["sha256"]:
        raise ValueError(f"{path.name}: sha256 differs")
    path.write_bytes(data)


def main() -> None:
    """`pack SRC DST [--int8]`, `split FILE --mb N`, `join FILE`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["pack", "split", "join"])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--int8", action="store_true")
    parser.add_argument("--mb", type=float, default=45.0)
    args = parser.parse_args()
    if args.action == "pack":
        save_file(pack(load_published(args.files[0]), args.int8), str(args.files[1]))
    for path in args.files if args.action != "pack" else []:
        if args.action == "split":
            split(path, int(args.mb * 1e6))
        else:
            join(path)


if __name__ == "__main__":
    main()
