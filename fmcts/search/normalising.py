"""Values on a scale that nobody knows, mapped to [0, 1] by what was seen in the search's own tree.

J. Schrittwieser and others, "Mastering Atari, Go, chess and shogi by planning with a learned
model", Nature 588, 2020 (MuZero), appendix B: "we normalise Q value estimates by using the minimum
and maximum values observed in the search tree up to that point".

The columns `least` and `most` of a node are the lowest and the highest mean of a move below it, as
they were after each iteration; those of the root are the scale of the whole tree.

Departs from the article: as long as all values seen are equal, they count as 1/2, where the
article's program uses them as they are, so that one large value would be taken for ever. The root's
own value does not count. A visit that waits for a network, in a batch, counts as the least.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Final

import attrs
from attrs import frozen

from fmcts.formulas import maximum, minimum, where
from fmcts.search.derived import Derived, Place
from fmcts.search.methods.method import Edge, Method, Parent, Scale

__all__ = ['RANGE', 'Range', 'normalised']


@frozen
class Range(Derived):
    """The columns `least` and `most`; see the module."""

    names = ('least', 'most')
    first = (math.inf, -math.inf)
    running = True

    def end(self, reward: float) -> tuple[float, ...]:
        """Return the node's own value, twice."""
        return (reward, reward)

    def leaf(self, reward: float) -> tuple[float, ...]:
        """Return the node's own value, twice."""
        return (reward, reward)

    def fold(self, seen: tuple[float, ...], child: Any) -> tuple[float, ...]:
        """Return the range with what was seen below a child, and its own mean."""
        least, most = seen
        return (
            minimum(minimum(least, child.least), child.value),
            maximum(maximum(most, child.most), child.value),
        )

    def node(self, seen: tuple[float, ...], node: Place) -> tuple[float, ...]:  # noqa: ARG002 - no need
        """Return the range."""
        return seen


RANGE: Final = Range()


class Normalised:
    """The base that a method's class gets: scores are of values on the scale of the tree."""

    __slots__ = ()

    @property
    def derived(self) -> tuple[Derived, ...]:
        """The method's own statistics, and the range."""
        return (*super().derived, RANGE)  # type: ignore[misc] # of the method

    def __reduce__(self) -> tuple[Any, ...]:
        # The class has no name in its module, so the method that it was made of is pickled.
        return normalised, (_made(type(self).__bases__[1], self),)

    def score(self, edge: Edge, parent: Parent) -> Any:
        """Return the method's score of the normalised value."""
        method: Any = super()
        scale = Scale(parent.least, parent.most - parent.least)
        # A move without visits has the value 0 for every method.
        value = where(edge.visits > 0.0, scale.value(edge.value), 0.0)
        given = method.scaled(edge, scale)._replace(value=value, reward=value * edge.visits)
        return method.score(given, parent._replace(value=scale.value(parent.value)))


@functools.lru_cache(maxsize=1 << 8)
def _class_of(kind: type) -> Any:
    members = {'__slots__': (), '__module__': kind.__module__, '__doc__': kind.__doc__}
    made: Any = type(kind)
    found = made(kind.__name__, (Normalised, kind), members)
    found.__qualname__ = f'{kind.__qualname__}.normalised'
    return found


def normalised(method: Method) -> Method:
    """Return a method whose scores are of normalised values."""
    kind: Any = type(method)
    return _made(_class_of(kind), method)  # type: ignore[no-any-return]


def _made(kind: Any, method: Any) -> Any:
    """Return the method as one of another class with the same fields."""
    fields = attrs.fields(type(method))
    return kind(**{field.alias: getattr(method, field.name) for field in fields if field.init})
