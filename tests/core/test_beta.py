"""Quantiles of the Beta distribution against values known in closed form."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lyra.core.beta import beta_cdf, beta_quantile, central_interval

shapes = st.floats(min_value=1.0, max_value=200.0)
probabilities = st.floats(min_value=0.001, max_value=0.999)
places = st.floats(min_value=0.0, max_value=1.0)


def binomial_tail(x: float, a: int, b: int) -> float:
    """P(X ≤ x) for whole a and b: the chance of at least a successes in a + b − 1 trials (Abramowitz & Stegun 26.5.24)."""
    trials = a + b - 1
    return math.fsum(math.comb(trials, k) * x**k * (1 - x) ** (trials - k) for k in range(a, trials + 1))


def test_the_uniform_distribution_leaves_a_twentieth_on_each_side() -> None:
    assert central_interval(1.0, 1.0, 0.90) == pytest.approx((0.05, 0.95), abs=1e-12)


@given(probabilities)
def test_with_beta_one_the_quantile_is_a_root(p: float) -> None:
    assert beta_quantile(p, 2.0, 1.0) == pytest.approx(math.sqrt(p), abs=1e-11)
    assert beta_quantile(p, 5.0, 1.0) == pytest.approx(p ** (1 / 5), abs=1e-11)


@given(probabilities)
def test_with_alpha_one_the_quantile_is_a_mirrored_root(p: float) -> None:
    assert beta_quantile(p, 1.0, 3.0) == pytest.approx(1 - (1 - p) ** (1 / 3), abs=1e-11)


def test_the_interval_of_one_certain_support_is_known() -> None:
    assert central_interval(2.0, 1.0, 0.90) == pytest.approx((math.sqrt(0.05), math.sqrt(0.95)), abs=1e-12)


@given(places)
def test_two_and_two_is_a_cubic(x: float) -> None:
    assert beta_cdf(x, 2.0, 2.0) == pytest.approx(3 * x**2 - 2 * x**3, abs=1e-12)


@given(places, st.integers(1, 30), st.integers(1, 30))
def test_whole_shapes_give_binomial_tails(x: float, a: int, b: int) -> None:
    assert beta_cdf(x, float(a), float(b)) == pytest.approx(binomial_tail(x, a, b), abs=1e-10)


@pytest.mark.parametrize("shape", [1.0, 1.9, 5.5, 40.0, 1e4, 1e6])
def test_equal_shapes_have_their_middle_at_one_half(shape: float) -> None:
    assert beta_quantile(0.5, shape, shape) == pytest.approx(0.5, abs=1e-9)
    low, high = central_interval(shape, shape, 0.90)
    assert low + high == pytest.approx(1.0, abs=1e-9)


@given(shapes, shapes, probabilities)
def test_exchanging_the_shapes_mirrors_the_quantiles(a: float, b: float, p: float) -> None:
    assert beta_quantile(p, a, b) == pytest.approx(1 - beta_quantile(1 - p, b, a), abs=1e-9)


@given(shapes, shapes, probabilities)
def test_the_quantile_inverts_the_distribution(a: float, b: float, p: float) -> None:
    assert beta_cdf(beta_quantile(p, a, b), a, b) == pytest.approx(p, abs=1e-8)


@given(shapes, shapes, places, places)
def test_the_distribution_never_falls(a: float, b: float, first: float, second: float) -> None:
    assume(first < second)
    assert beta_cdf(first, a, b) <= beta_cdf(second, a, b) + 1e-12


def test_a_million_supports_are_handled() -> None:
    low, high = central_interval(1e6, 1.0, 0.90)
    assert low == pytest.approx(0.05 ** (1 / 1e6), abs=1e-11)
    assert high == pytest.approx(0.95 ** (1 / 1e6), abs=1e-11)


def test_a_million_on_each_side_is_nearly_normal() -> None:
    deviation = math.sqrt(1 / (4 * (2e6 + 1)))
    low, high = central_interval(1e6, 1e6, 0.90)
    assert (low, high) == pytest.approx((0.5 - 1.6448536 * deviation, 0.5 + 1.6448536 * deviation), abs=1e-8)


@pytest.mark.parametrize(("x", "expected"), [(-0.5, 0.0), (0.0, 0.0), (1.0, 1.0), (1.5, 1.0)])
def test_outside_of_the_unit_interval_the_distribution_is_flat(x: float, expected: float) -> None:
    assert beta_cdf(x, 2.5, 3.5) == expected
