"""Compare the plain torch encoders with the reference implementation on a few texts."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from transformers import AutoModel, AutoTokenizer

from training.models import MINILM, MPNET, Encoder, load_published, mean_pool

TEXTS = ["Magnesium lowered CRP.", "No difference was seen between the two groups after 8 weeks. " * 8]


def main() -> None:
    """Print the largest absolute difference; exit 1 when above 1e-4."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minilm", type=Path, required=True, help="folder of the published model")
    parser.add_argument("--mpnet", type=Path, required=True)
    args = parser.parse_args()
    worst = 0.0
    for folder, shape in ((args.minilm, MINILM), (args.mpnet, MPNET)):
        batch = AutoTokenizer.from_pretrained(folder)(TEXTS, padding=True, return_tensors="pt")
        reference = AutoModel.from_pretrained(folder).eval()
        ours = Encoder(shape).eval()
        ours.load_state_dict(load_published(folder / "model.safetensors"))
        mask = batch["attention_mask"]
        with torch.no_grad():
            wanted = mean_pool(reference(**batch).last_hidden_state, mask)
            got = mean_pool(ours(batch["input_ids"], mask, torch.zeros_like(mask)), mask)
        difference = (wanted - got).abs().max().item()
        print(folder.name, f"{difference:.2e}")
        worst = max(worst, difference)
    raise SystemExit(int(worst > 1e-4))


if __name__ == "__main__":
    main()
