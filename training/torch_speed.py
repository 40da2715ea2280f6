"""How many pairs torch judges in a second with the architecture of the stance model: float32, batches padded to 256 tokens."""

from __future__ import annotations

import argparse
import time

import torch

from training.two_doors import TwoDoors

BATCH, TOKENS, BATCHES = 32, 256, 3


def rate(threads: int) -> float:
    """Pairs per second on a CPU. The time does not depend on the texts, so a few batches tell it."""
    torch.set_num_threads(threads)
    model = TwoDoors(1_000).eval()
    ids, mask = torch.randint(5, 30_000, (BATCH, TOKENS)), torch.ones(BATCH, TOKENS, dtype=torch.long)
    with torch.inference_mode():
        model(ids[:2], mask[:2], False)
        began = time.perf_counter()
        for _ in range(BATCHES):
            model(ids, mask, False)
    return BATCH * BATCHES / (time.perf_counter() - began)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    print(f"{rate(parser.parse_args().threads):.2f} pairs per second")
