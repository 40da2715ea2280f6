"""What training minimises where labels are known in part."""

from __future__ import annotations

import torch
from torch import Tensor


def gold_loss(logits: Tensor, gold: Tensor, smoothing: float = 0.0) -> Tensor:
    """Cross-entropy; -log(1 - p(supports)) where only "not supported" is known; 0 where nothing is."""
    logs = torch.log_softmax(logits.float(), -1)
    plain = -logs.gather(1, gold.clamp(min=0)[:, None])[:, 0]
    if smoothing:
        plain = (1 - smoothing) * plain - smoothing * logs.mean(1)
    other = -torch.log((1 - logs[:, 0].exp()).clamp(min=1e-6))
    return torch.where(gold >= 0, plain, torch.where(gold == -1, other, torch.zeros_like(plain)))
