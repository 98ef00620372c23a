"""Two operators more for cosmic-ray, which has none for code that is made of calls.

`DeleteStatement` puts `pass` in the place of a statement in a function: an assignment, a call, a
`raise`. `GiveNone` puts `None` in the place of what a function or a lambda returns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from cosmic_ray import plugins
from cosmic_ray.operators.operator import Example, Operator
from parso.python.tree import Name

Place: TypeAlias = tuple[tuple[int, int], tuple[int, int]]

DELETED = {'expr_stmt', 'atom_expr', 'raise_stmt', 'del_stmt', 'yield_expr'}


def instead(node: Any, word: str, prefix: str | None = None) -> Name:
    """The word where `node` stands."""
    before = node.get_first_leaf().prefix if prefix is None else prefix
    return Name(word, node.start_pos, prefix=before)


class DeleteStatement(Operator):  # type: ignore[misc]
    """A statement in a function becomes `pass`."""

    def mutation_positions(self, node: Any) -> Iterator[Place]:
        """Where the statement stands, if `node` is one."""
        if node.type == 'simple_stmt' and node.search_ancestor('funcdef'):
            statement = node.children[0]
            if statement.type in DELETED:
                yield statement.start_pos, statement.end_pos

    def mutate(self, node: Any, _index: int) -> Any:
        """The node without its statement."""
        node.children[0] = instead(node.children[0], 'pass')
        return node

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """One of each."""
        return (Example('def f():\n    x = 1\n', 'def f():\n    pass\n'),)


class GiveNone(Operator):  # type: ignore[misc]
    """A function or a lambda returns `None`."""

    def mutation_positions(self, node: Any) -> Iterator[Place]:
        """Where the value stands, if `node` returns one."""
        if (
            node.type in {'return_stmt', 'lambdef'}
            and node.children[-1].get_code().strip() != 'None'
        ):
            yield node.children[-1].start_pos, node.children[-1].end_pos

    def mutate(self, node: Any, _index: int) -> Any:
        """The node with another value."""
        node.children[-1] = instead(node.children[-1], 'None', ' ')
        return node

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """One of each."""
        return (Example('def f():\n    return 1\n', 'def f():\n    return None\n'),)


def register() -> None:
    """Make cosmic-ray know them in this process, as `fmcts/DeleteStatement` and the like."""
    known = {kind.__name__: kind for kind in (DeleteStatement, GiveNone)}
    plugins.OPERATOR_PROVIDERS['fmcts'] = known
