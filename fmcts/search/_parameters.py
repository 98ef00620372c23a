"""The numbers among a value's fields: run-time parameters of its formulas."""

from __future__ import annotations

import attrs

__all__ = ['Parametric']


class Parametric:
    """A frozen attrs class whose functions may use its fields that are numbers as `self.c`."""

    __slots__ = ()

    @property
    def parameters(self) -> dict[str, float]:
        """The numbers among the fields: what `self` has in compiled code, all as floats."""
        values = {field.name: getattr(self, field.name) for field in attrs.fields(type(self))}  # type: ignore[arg-type]
        return {
            name: float(value) for name, value in values.items() if isinstance(value, int | float)
        }

    @property
    def integers(self) -> tuple[str, ...]:
        """The names of the parameters that are integers."""
        fields = (field.name for field in attrs.fields(type(self)))  # type: ignore[arg-type]
        return tuple(name for name in fields if isinstance(getattr(self, name), int))
