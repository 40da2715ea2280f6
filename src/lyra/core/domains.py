"""Domain categories: where a source comes from. They are shown and weigh in ranking; they never enter confidence."""

# From the lowest to the highest standing.
CATEGORIES = ("blocked", "unverified", "low", "trusted", "academic", "government", "primary")
BLOCKED = "blocked"
DEFAULT_CATEGORY = "unverified"
# What an unverified domain becomes when a claim that it supports is verified.
PROMOTED_CATEGORY = "low"
_HIGH = CATEGORIES.index("trusted")
WEIGHTS = {
    "primary": 1.0,
    "government": 0.95,
    "academic": 0.90,
    "trusted": 0.75,
    "low": 0.40,
    "unverified": 0.30,
    "blocked": 0.0,
}


def standing(category: str | None) -> int:
    """Return the place of a category in the order; a source without one stands as an unverified one."""
    return CATEGORIES.index(category or DEFAULT_CATEGORY)


def is_high(category: str | None) -> bool:
    """Return whether a category is trusted or above: such a domain is never demoted automatically."""
    return standing(category) >= _HIGH
