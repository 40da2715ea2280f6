"""Quantiles of many Beta distributions at once: the method of `beta`, on arrays. Imported only where numpy is at hand."""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from lyra.core.beta import central_interval

Floats = NDArray[np.float64]

_TERMS = 200
_STEPS = 60
_EPSILON = 1e-14
_TINY = 1e-300
_WIDTH = 1e-12
_NEAR = 1e-6
# Stirling's series for the logarithm of the gamma function; from 10 on five terms give sixteen digits.
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
_LARGE = 10


def central_intervals(a: Floats, b: Floats, mass: float) -> Floats:
    """Return, for each pair, the interval that leaves (1 − mass) / 2 on each side, as `central_interval` does, to 1e-9."""
    tail = (1.0 - mass) / 2.0
    low, high = _quantile(tail, a, b), _quantile(1.0 - tail, a, b)
    found = np.stack([low, high], axis=1)
    for place in np.flatnonzero(~np.isfinite(found).all(axis=1)):  # extreme shapes, one by one
        found[place] = central_interval(float(a[place]), float(b[place]), mass)
    return found


def _log_gamma(x: Floats) -> Floats:
    """Return the logarithm of the gamma function for x ≥ 1: shifted up to where Stirling's series holds."""
    shift = np.zeros_like(x)
    raised = x.copy()
    for _ in range(_LARGE):
        small = raised < _LARGE
        if not small.any():
            break
        shift[small] += np.log(raised[small])
        raised[small] += 1.0
    inverse = 1.0 / raised
    series, power = np.zeros_like(x), inverse.copy()
    for coefficient in _STIRLING:
        series += coefficient * power
        power *= inverse * inverse
    found: Floats = (raised - 0.5) * np.log(raised) - raised + 0.5 * np.log(2.0 * np.pi) + series - shift
    return found


def _quantile(p: float, a: Floats, b: Floats) -> Floats:
    constant = _log_gamma(a + b) - _log_gamma(a) - _log_gamma(b)
    low, high, x = np.zeros_like(a), np.ones_like(a), _guess(p, a, b)
    result = np.full_like(a, np.nan)
    active = np.arange(len(a))
    for _ in range(_STEPS):
        density = np.exp(constant + (a - 1.0) * np.log(x) + (b - 1.0) * np.log1p(-x))
        error = _cdf(x, a, b, constant) - p
        low, high = np.where(error < 0.0, x, low), np.where(error < 0.0, high, x)
        correction = error / np.maximum(density, _TINY)
        step = x - correction
        # Newton's method squares the error: after so small a step it is far below what is asked for. Such a step may lead
        # out of the bracket by a rounding error, and halving the bracket instead would begin all over.
        close = np.abs(correction) < _NEAR * x * (1.0 - x) / (a + b)
        following = np.where(close | ((low < step) & (step < high)), step, (low + high) / 2.0)
        following[~np.isfinite(error)] = np.nan
        done = close | ~(np.abs(following - x) > _WIDTH)
        result[active[done]] = following[done]
        left = ~done
        if not left.any():
            break
        active, a, b, constant = active[left], a[left], b[left], constant[left]
        low, high, x = low[left], high[left], following[left]
    return result


def _guess(p: float, a: Floats, b: Floats) -> Floats:
    """Return about the quantile (Abramowitz and Stegun 26.5.22), so that few steps are left; the mean where that fails."""
    y = NormalDist().inv_cdf(1.0 - p)
    one, two = 1.0 / np.maximum(2.0 * a - 1.0, 1.0), 1.0 / np.maximum(2.0 * b - 1.0, 1.0)
    h, k = 2.0 / (one + two), (y * y - 3.0) / 6.0
    w = y * np.sqrt(np.maximum(h + k, 0.0)) / h - (two - one) * (k + 5.0 / 6.0 - 2.0 / (3.0 * h))
    x = a / (a + b * np.exp(np.clip(2.0 * w, -500.0, 500.0)))
    return np.where((x > _WIDTH) & (x < 1.0 - _WIDTH), x, a / (a + b))


def _cdf(x: Floats, a: Floats, b: Floats, constant: Floats) -> Floats:
    front = np.exp(constant + a * np.log(x) + b * np.log1p(-x))
    direct = x < (a + 1.0) / (a + b + 2.0)
    first, second = np.where(direct, a, b), np.where(direct, b, a)
    value = front * _fraction(first, second, np.where(direct, x, 1.0 - x)) / first
    return np.where(direct, value, 1.0 - value)


def _fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    """Return the continued fraction of the incomplete beta function (modified Lentz), until all have converged."""
    c = np.ones_like(x)
    d = 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    value = d.copy()
    for m in range(1, _TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / _away_from_zero(1.0 + term * d)
            c = _away_from_zero(1.0 + term / c)
            change = c * d
            value = value * change
        if np.abs(change - 1.0).max() < _EPSILON:
            return value
    value[np.abs(change - 1.0) >= _EPSILON] = np.nan
    return value


def _away_from_zero(values: Floats) -> Floats:
    return np.where(np.abs(values) > _TINY, values, _TINY)
