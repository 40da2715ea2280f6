"""Domain categories: where a source comes from. They weigh ranking and are shown; they never enter confidence."""

DEFAULT_CATEGORY = "unverified"

CATEGORY_WEIGHTS = {
    "primary": 1.0,
    "government": 0.95,
    "academic": 0.90,
    "trusted": 0.75,
    "low": 0.40,
    "unverified": 0.30,
    "blocked": 0.0,
}


def category_weight(category: str | None) -> float:
    """Return the ranking weight of a category; a page without a host has none and weighs 1."""
    return 1.0 if category is None else CATEGORY_WEIGHTS[category]
