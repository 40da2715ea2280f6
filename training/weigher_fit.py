"""A small net of one hidden layer beside a linear part, fitted by Adam in numpy."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np


@dataclass
class Net:
    """Inputs to three logits: direct weights plus hidden units cut off at zero."""

    hidden: np.ndarray
    bias: np.ndarray
    direct: np.ndarray
    output: np.ndarray
    offset: np.ndarray

    def outputs(self, x: np.ndarray) -> np.ndarray:
        """Logits, one row per row of inputs."""
        out: np.ndarray = x @ self.direct + np.maximum(x @ self.hidden + self.bias, 0) @ self.output + self.offset
        return out


def joined(nets: list[Net]) -> Net:
    """One net that gives the mean of several: their hidden units side by side."""
    return Net(
        hidden=np.concatenate([net.hidden for net in nets], 1),
        bias=np.concatenate([net.bias for net in nets]),
        direct=np.mean([net.direct for net in nets], 0),
        output=np.concatenate([net.output for net in nets], 0) / len(nets),
        offset=np.mean([net.offset for net in nets], 0),
    )


def fit(x: np.ndarray, gold: np.ndarray, weight: np.ndarray, args: argparse.Namespace, seed: int) -> Net:
    """The net with the least weighted log loss plus decay; it starts as the logits themselves at a third of their size."""
    rng = np.random.default_rng(seed)
    width = args.hidden
    net = Net(
        hidden=rng.normal(0, 0.5, (x.shape[1], width)) * (np.abs(x).max(0) > 0)[:, None],
        bias=np.zeros(width),
        direct=np.zeros((x.shape[1], 3)),
        output=rng.normal(0, 0.1, (width, 3)),
        offset=np.zeros(3),
    )
    net.direct[:3] = np.eye(3)
    anchor = net.direct.copy()
    chance = np.cumsum(weight / weight.sum())
    names = ("hidden", "bias", "direct", "output", "offset")
    mean = {name: np.zeros_like(getattr(net, name)) for name in names}
    square = {name: np.zeros_like(getattr(net, name)) for name in names}
    everything, wanted = x.astype(np.float32), np.eye(3)[gold]
    for step in range(1, args.steps + 1):
        drawn = np.minimum(np.searchsorted(chance, rng.random(args.batch)), len(gold) - 1)
        x = everything[drawn]
        pre = x @ net.hidden + net.bias
        units = np.maximum(pre, 0)
        out = x @ net.direct + units @ net.output + net.offset
        out -= out.max(1, keepdims=True)
        said = np.exp(out)
        said /= said.sum(1, keepdims=True)
        error = (said - wanted[drawn]) / args.batch
        back = (error @ net.output.T) * (pre > 0)
        slope = {
            "hidden": x.T @ back + args.decay * net.hidden,
            "bias": back.sum(0),
            "direct": x.T @ error + args.decay * (net.direct - anchor),
            "output": units.T @ error + args.decay * net.output,
            "offset": error.sum(0),
        }
        rate = args.rate * (1 - step / (args.steps + 1))
        for name in names:
            mean[name] = 0.9 * mean[name] + 0.1 * slope[name]
            square[name] = 0.999 * square[name] + 0.001 * slope[name] ** 2
            change = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
            setattr(net, name, getattr(net, name) - rate * change)
    return net
