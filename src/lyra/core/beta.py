"""Quantiles of the Beta distribution, without a numerics library.

The regularised incomplete beta function is evaluated by its continued fraction (modified Lentz; see
Abramowitz & Stegun 26.5.8) and inverted by Newton steps inside a shrinking bracket, which cannot diverge.
"""

import math

_TINY = 1e-300
_EPSILON = 1e-15
_MAX_TERMS = 100_000
_QUANTILE_WIDTH = 1e-13
_MAX_STEPS = 200


def _continued_fraction(a: float, b: float, x: float) -> float:
    c = 1.0
    d = 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    value = d
    for m in range(1, _MAX_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 + term * d
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = 1.0 + term / c
            c = c if abs(c) > _TINY else _TINY
            value *= c * d
        if abs(c * d - 1.0) < _EPSILON:
            break
    return value


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return P(X ≤ x) for X ~ Beta(a, b)."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    front = math.exp(log_front)
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _continued_fraction(a, b, x) / a
    return 1.0 - front * _continued_fraction(b, a, 1.0 - x) / b


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return x with P(X ≤ x) = p, to about 1e-12: Newton steps, halving the bracket whenever one would leave it."""
    low, high, x = 0.0, 1.0, a / (a + b)
    log_constant = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    for _ in range(_MAX_STEPS):
        error = beta_cdf(x, a, b) - p
        low, high = (x, high) if error < 0.0 else (low, x)
        if high - low <= _QUANTILE_WIDTH:
            break
        density = math.exp(log_constant + (a - 1.0) * math.log(x) + (b - 1.0) * math.log1p(-x))
        step = x - error / density if density > 0.0 else low
        following = step if low < step < high else (low + high) / 2.0
        if abs(following - x) <= _QUANTILE_WIDTH:
            return following
        x = following
    return x


def central_interval(a: float, b: float, mass: float) -> tuple[float, float]:
    """Return the interval that leaves (1 − mass) / 2 of Beta(a, b) on each side."""
    tail = (1.0 - mass) / 2.0
    return beta_quantile(tail, a, b), beta_quantile(1.0 - tail, a, b)
