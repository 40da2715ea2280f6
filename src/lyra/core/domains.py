"""Domain categories: where a source comes from. They are shown beside evidence; they never enter confidence."""

DEFAULT_CATEGORY = "unverified"
