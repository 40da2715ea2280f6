"""The stance model with two doors: English words, and pieces of Japanese and English.

One transformer reads both. Through the first door come English pairs as the published English model tokenises them;
through the second come Japanese pairs and pairs of two languages, as pieces whose meaning the multilingual sentence
encoder knows (see `muse.py`).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from training.four_bits import as_stored
from training.models import MPNET, STANCES, Coarse, Encoder, Shape, mean_pool, relative_buckets
from training.muse import ORDERS, WIDTH

INNER = 256
EARLY = 4  # after so many layers a first guess is made, good enough to tell what clearly says nothing


class Branch(nn.Module):
    """One n-gram branch of the sentence encoder: two convolutions, each added to what it read."""

    def __init__(self, order: int, left: int, eps: float) -> None:
        super().__init__()
        self.reach = (left, order - 1 - left)
        self.enter = nn.Linear(WIDTH, INNER)
        self.norm = nn.LayerNorm(INNER, eps=eps)
        self.first, self.second = nn.Conv1d(INNER, INNER, order), nn.Conv1d(INNER, INNER, order)

    def forward(self, rows: Tensor, mask: Tensor) -> Tensor:
        """`mask`: [batch, 1, length], 0 where there is no token."""
        x = self.norm(self.enter(rows)).transpose(1, 2) * mask
        for step in (self.first, self.second):
            x = (torch.relu(step(F.pad(x, self.reach))) + x) * mask
        return x.transpose(1, 2)


class Pieces(nn.Module):
    """The second door: piece ids to vectors in the space of the English words."""

    def __init__(self, vocabulary: int, hidden: int, eps: float = 1e-12) -> None:
        super().__init__()
        self.table = nn.Embedding(vocabulary, WIDTH)
        self.branches = nn.ModuleList(Branch(order, left, eps) for order, left in ORDERS)
        self.norm = nn.LayerNorm(WIDTH + INNER * len(ORDERS), eps=eps)
        self.into = Coarse(WIDTH + INNER * len(ORDERS), hidden)

    def forward(self, rows: Tensor, mask: Tensor) -> Tensor:
        """Rows of the table to vectors."""
        seen = mask[:, None, :].to(rows.dtype)
        x = torch.cat([rows, *(branch(rows, seen) for branch in self.branches)], -1)
        return self.into(self.norm(x))


class TwoDoors(nn.Module):
    """Premise and claim in one sequence to logits in the order of `STANCES`, by either door."""

    def __init__(self, pieces: int, shape: Shape = MPNET, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder = Encoder(shape, dropout)
        self.pieces = Pieces(pieces, shape.hidden)
        self.dense = Coarse(2 * shape.hidden, shape.hidden)
        self.classify = nn.Linear(shape.hidden, len(STANCES))
        self.early = nn.Linear(2 * shape.hidden, len(STANCES))
        self.drop = nn.Dropout(dropout)
        self.dropout, self.coarse = dropout, False

    def set_coarse(self) -> None:
        """From now on compute with weights as they will be stored."""
        self.coarse = True
        for module in self.modules():
            if isinstance(module, Coarse):
                module.coarse = True

    def look_up(self, table: nn.Embedding, ids: Tensor) -> Tensor:
        """Rows of a table, in their stored form once the model is coarse."""
        return F.embedding(ids, as_stored(table.weight) if self.coarse else table.weight)

    def embed(self, ids: Tensor, mask: Tensor, by_pieces: bool) -> Tensor:
        """Vectors before the first layer, not yet normalised."""
        if by_pieces:
            return self.pieces(self.look_up(self.pieces.table, ids), mask)
        return self.look_up(self.encoder.word, ids)

    def forward(self, ids: Tensor, mask: Tensor, by_pieces: bool) -> tuple[Tensor, Tensor]:
        """Logits and the first guess, one row per pair."""
        return self.read(self.embed(ids, mask, by_pieces), mask)

    def read(self, words: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and the first guess from the vectors of the words."""
        length, drop = words.shape[1], self.dropout if self.training else 0.0
        places = torch.arange(length, device=words.device)
        x = F.dropout(self.encoder.norm(words + self.encoder.place(places + 2)), drop)
        table = self.encoder.relative(relative_buckets(length, words.device))
        bias = table.permute(2, 0, 1)[None].float() + (1.0 - mask[:, None, None, :].to(torch.float32)) * -10000.0
        if x.is_cuda and torch.is_autocast_enabled():
            bias = bias.to(torch.bfloat16)
        for layer in self.encoder.layers[:EARLY]:
            x = layer(x, bias)
        guess = self.early(self.drop(torch.cat([x[:, 0], mean_pool(x, mask)], -1)))
        for layer in self.encoder.layers[EARLY:]:
            x = layer(x, bias)
        both = torch.cat([x[:, 0], mean_pool(x, mask)], -1)
        return self.classify(self.drop(torch.tanh(self.dense(self.drop(both))))), guess

    def open_second_door(self, path: Path) -> None:
        """Take table, convolutions and matrix as `muse.py` wrote them."""
        with np.load(path) as z:
            rows = z["table"].astype(np.float32) * z["step"] + z["low"]
            state = {"table.weight": rows, "norm.weight": z["ln_g"], "norm.bias": z["ln_b"]}
            state |= {"into.weight": z["matrix"][:-1].T, "into.bias": z["matrix"][-1]}
            for number, (order, _) in enumerate(ORDERS):
                name = f"branches.{number}."
                state |= {name + "enter.weight": z[f"proj{order}"].T, name + "enter.bias": z[f"proj_b{order}"]}
                state |= {name + "norm.weight": z[f"ln_g{order}"], name + "norm.bias": z[f"ln_b{order}"]}
                for step, which in (("1", "first"), ("2", "second")):
                    kernel = z[f"w{step}_{order}"].reshape(order, INNER, INNER).transpose(2, 1, 0)
                    state |= {f"{name}{which}.weight": kernel, f"{name}{which}.bias": z[f"b{step}_{order}"]}
        self.pieces.load_state_dict({k: torch.from_numpy(np.ascontiguousarray(v)).float() for k, v in state.items()})
