"""How many pairs of 128 tokens a GPU judges in a second with the stance model, in float16 (a figure for the model card)."""

from __future__ import annotations

import json
import time

import torch

from training.two_doors import TwoDoors


def main() -> None:
    """Measure and print."""
    model = TwoDoors(1_000).half().cuda().eval()
    ids, mask = torch.randint(5, 900, (512, 128), device="cuda"), torch.ones(512, 128, dtype=torch.long, device="cuda")
    with torch.inference_mode(), torch.autocast("cuda", torch.float16):
        for _ in range(5):
            model(ids, mask, False)
        torch.cuda.synchronize()
        began, rounds = time.perf_counter(), 40
        for _ in range(rounds):
            model(ids, mask, False)
        torch.cuda.synchronize()
    rate = rounds * len(ids) / (time.perf_counter() - began)
    print(json.dumps({"device": torch.cuda.get_device_name(), "pairs_per_second_128_tokens": round(rate)}))


if __name__ == "__main__":
    main()
