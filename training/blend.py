"""Make one stance model of several that descend from the same one: the mean of their weights, stored anew.

`--shift` is added to the logits of supports and refutes, where `calibrate.py` finds that one of them is said too rarely.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from tokenizers import Tokenizer

from training import stored
from training.two_doors import TwoDoors


def main() -> None:
    """Read, average, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stance", type=Path, nargs="+", required=True, help="files written by refine_joint.py")
    parser.add_argument("--shift", type=float, nargs=2, default=(0.0, 0.0), metavar=("SUPPORTS", "REFUTES"))
    parser.add_argument("--base", type=Path, required=True, help="muse_tokenizer.json")
    parser.add_argument("--out", type=Path, required=True, help="stance.npz to write")
    args = parser.parse_args()
    model = TwoDoors(Tokenizer.from_file(str(args.base / "muse_tokenizer.json")).get_vocab_size())
    stored.load(model, *args.stance)
    with torch.no_grad():
        model.classify.bias += torch.tensor([*args.shift, 0.0])
    args.out.parent.mkdir(parents=True, exist_ok=True)
    stored.write(model, args.out)


if __name__ == "__main__":
    main()
