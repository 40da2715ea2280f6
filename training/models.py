"""The two encoder shapes used here, in plain torch: BERT (embedder) and MPNet (judge).

Promises: parameter names equal those of the published checkpoints, so their safetensors load
directly; outputs equal the reference implementation within float rounding (see `selfcheck.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from training.four_bits import as_stored

STANCES = ("supports", "refutes", "neutral")


@dataclass(frozen=True)
class Shape:
    """Sizes of an encoder."""

    vocab: int
    hidden: int
    layers: int
    heads: int
    inner: int
    positions: int
    eps: float
    relative: bool  # MPNet: shared relative attention bias, positions from 2, no token types


MINILM = Shape(30522, 384, 6, 12, 1536, 512, 1e-12, False)
MPNET = Shape(30527, 768, 12, 12, 3072, 514, 1e-5, True)


def relative_buckets(length: int, device: torch.device) -> Tensor:
    """MPNet's bucket number (0..31) for every pair of positions."""
    place = torch.arange(length, device=device)
    n = place[:, None] - place[None, :]  # minus (memory - context)
    side = (n < 0).long() * 16
    n = n.abs()
    large = 8 + (torch.log(n.float().clamp(min=1) / 8) / math.log(128 / 8) * 8).long()
    return side + torch.where(n < 8, n, large.clamp(max=15))


class Coarse(nn.Linear):
    """A linear layer that can be trained as it will be stored: in four bits."""

    coarse = False

    def forward(self, input: Tensor) -> Tensor:
        """The product, with the stored form of the weights once `coarse` is set."""
        return F.linear(input, as_stored(self.weight) if self.coarse else self.weight, self.bias)


class Layer(nn.Module):
    """One transformer layer, post-norm."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout, self.plain = shape.heads, dropout, False
        h = shape.hidden
        self.query, self.key, self.value, self.out = (Coarse(h, h) for _ in range(4))
        self.norm1 = nn.LayerNorm(h, eps=shape.eps)
        self.up, self.down = Coarse(h, shape.inner), Coarse(shape.inner, h)
        self.norm2 = nn.LayerNorm(h, eps=shape.eps)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """`bias` is added to the attention scores: [batch, 1 or heads, length, length or 1]."""
        b, n, h = x.shape
        drop = self.dropout if self.training else 0.0

        def split(t: Tensor) -> Tensor:
            return t.view(b, n, self.heads, h // self.heads).transpose(1, 2)

        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        if self.plain:  # exported graph: explicit products
            scores = q @ k.transpose(-1, -2) * (1.0 / math.sqrt(h // self.heads)) + bias
            mixed = torch.softmax(scores, -1) @ v
        else:
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype), dropout_p=drop)
        mixed = mixed.transpose(1, 2).reshape(b, n, h)
        x = self.norm1(x + F.dropout(self.out(mixed), drop))
        return self.norm2(x + F.dropout(self.down(F.gelu(self.up(x))), drop))


class Encoder(nn.Module):
    """Token ids to hidden states. `types` are read by BERT only."""

    def __init__(self, shape: Shape, dropout: float = 0.1) -> None:
        super().__init__()
        self.shape, self.dropout = shape, dropout
        self.word = nn.Embedding(shape.vocab, shape.hidden)
        self.place = nn.Embedding(shape.positions, shape.hidden)
        if shape.relative:
            self.relative = nn.Embedding(32, shape.heads)
        else:
            self.kind = nn.Embedding(2, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, eps=shape.eps)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))

    def embed(self, ids: Tensor, types: Tensor) -> Tensor:
        """Sum of the embeddings, normalised."""
        places = torch.arange(ids.shape[1], device=ids.device)
        if self.shape.relative:
            return self.norm(self.word(ids) + self.place(places + 2))
        return self.norm(self.word(ids) + self.place(places) + self.kind(types))

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """`mask` is 1 for real tokens, 0 for padding."""
        x = self.embed(ids, types)
        if self.training:
            x = F.dropout(x, self.dropout)
        bias = (1.0 - mask[:, None, None, :].to(torch.float32)) * -10000.0
        if self.shape.relative:
            table = self.relative(relative_buckets(ids.shape[1], ids.device))
            bias = bias + table.permute(2, 0, 1)[None].float()
            width = (ids.shape[1] + 7) // 8 * 8  # the fused kernel wants aligned rows
            bias = F.pad(bias, (0, width - ids.shape[1]))[..., : ids.shape[1]]
        elif not self.layers[0].plain:
            bias = bias.expand(-1, 1, ids.shape[1], -1)
        if x.is_cuda and torch.is_autocast_enabled():
            bias = bias.to(torch.bfloat16)
        for layer in self.layers:
            x = layer(x, bias)
        return x


def mean_pool(x: Tensor, mask: Tensor) -> Tensor:
    """Mean of the hidden states of real tokens."""
    weight = mask[:, :, None].to(x.dtype)
    return (x * weight).sum(1) / weight.sum(1).clamp(min=1.0)


class Embedder(nn.Module):
    """Text to a unit vector: mean pooling, then L2 normalisation."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.encoder = Encoder(shape, dropout)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """Unit vectors, one row per text."""
        pooled = mean_pool(self.encoder(ids, mask, types), mask).float()
        return pooled / pooled.norm(dim=-1, keepdim=True).clamp(min=1e-9)


def rename(name: str) -> str | None:
    """Our name for a published parameter name; None for parts not used here."""
    for prefix in ("bert.", "mpnet."):
        name = name.removeprefix(prefix)
    fixed = {
        "embeddings.word_embeddings.weight": "word.weight",
        "embeddings.position_embeddings.weight": "place.weight",
        "embeddings.token_type_embeddings.weight": "kind.weight",
        "embeddings.LayerNorm.weight": "norm.weight",
        "embeddings.LayerNorm.bias": "norm.bias",
        "encoder.relative_attention_bias.weight": "relative.weight",
    }
    if name in fixed:
        return fixed[name]
    if not name.startswith("encoder.layer."):
        return None
    number, rest = name.removeprefix("encoder.layer.").split(".", 1)
    inside, _, leaf = rest.rpartition(".")
    parts = {
        "attention.self.query": "query", "attention.self.key": "key", "attention.self.value": "value",
        "attention.output.dense": "out", "attention.output.LayerNorm": "norm1",
        "attention.attn.q": "query", "attention.attn.k": "key", "attention.attn.v": "value",
        "attention.attn.o": "out", "attention.LayerNorm": "norm1",
        "intermediate.dense": "up", "output.dense": "down", "output.LayerNorm": "norm2",
    }  # fmt: skip
    return f"layers.{number}.{parts[inside]}.{leaf}"


def load_published(path: Path) -> dict[str, Tensor]:
    """Encoder parameters of a published checkpoint, under our names, as float32."""
    renamed = {rename(name): tensor for name, tensor in load_file(str(path)).items()}
    return {name: tensor.float() for name, tensor in renamed.items() if name is not None}


def grown(state: dict[str, Tensor], extra: int, seed: int = 7) -> dict[str, Tensor]:
    """Copy of an encoder state with `extra` word rows: random, with the spread of the old rows."""
    old = state["word.weight"]
    generator = torch.Generator().manual_seed(seed)
    new = torch.randn(extra, old.shape[1], generator=generator) * old.std(0) + old.mean(0)
    return {**state, "word.weight": torch.cat([old, new])}


def save_half(module: nn.Module, path: Path) -> None:
    """Write all parameters as float16 safetensors."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({k: v.detach().cpu().half().contiguous() for k, v in module.state_dict().items()}, str(path))


def load_half(module: nn.Module, path: Path) -> None:
    """Read what `save_half` wrote."""
    module.load_state_dict({k: v.float() for k, v in load_file(str(path)).items()})
