"""JSON files of our own, read so that whatever does not fit is named by its place."""


class Part:
    """One JSON object, read strictly: ValueError names the place that does not fit."""

    def __init__(self, name: str, value: object) -> None:
        if not isinstance(value, dict):
            raise ValueError(name or "{}")
        self._name = name
        self._values: dict[str, object] = value

    def where(self, key: str) -> str:
        """Return the place of a key, as it is named to people."""
        return f"{self._name}.{key}" if self._name else key

    def names(self) -> list[str]:
        """Return the keys."""
        return list(self._values)

    def has(self, key: str) -> bool:
        """Return whether there is a value."""
        return self._values.get(key) is not None

    def part(self, key: str) -> "Part":
        """Return an object."""
        return Part(self.where(key), self._values.get(key))

    def text(self, key: str) -> str:
        """Return a text that is not empty."""
        value = self._values.get(key)
        if not isinstance(value, str) or not value:
            raise ValueError(self.where(key))
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        values = self._values.get(key)
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise ValueError(self.where(key))
        return tuple(values)

    def whole(self, key: str) -> int:
        """Return a whole number above zero."""
        value = self._values.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            raise ValueError(self.where(key))
        return value

    def positive(self, key: str) -> float:
        """Return a number above zero."""
        value = self._values.get(key)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < float("inf"):
            raise ValueError(self.where(key))
        return float(value)
