"""The numbers among a value's fields: run-time parameters of its formulas."""

from __future__ import annotations

import attrs


class Parametric:
    """A frozen attrs class whose numeric fields its functions may use as `self.c`."""

    __slots__ = ()

    @property
    def parameters(self) -> dict[str, float]:
        """The numeric fields as floats: the values of `self` in compiled code."""
        values = {field.name: getattr(self, field.name) for field in attrs.fields(type(self))}  # type: ignore[arg-type]
        return {
            name: float(value) for name, value in values.items() if isinstance(value, int | float)
        }

    @property
    def integers(self) -> tuple[str, ...]:
        """The names of the parameters that are integers."""
        fields = (field.name for field in attrs.fields(type(self)))  # type: ignore[arg-type]
        return tuple(name for name in fields if isinstance(getattr(self, name), int))
