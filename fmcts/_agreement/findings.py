"""Results of a check of a class of states or its rules, remembered within a process."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Final, cast

from fmcts._agreement.walks import Disagreement, brief_walk
from fmcts._content.stamps import Stamp
from fmcts.errors import EngineError
from fmcts.game import GameState
from fmcts.rules import IntegerRules, rules_of

MOST: Final = 256  # classes to remember, after which the oldest is forgotten


class Findings:
    """The result of a check of each class of states: an error in one line, or `None`.

    `find` is called once for each class and value of `by` for its states (the rules on integers),
    with the first of its states, and again when their functions have changed (with `of_states`
    unset, only the functions of `by`'s value); otherwise the result never changes.
    """

    def __init__(
        self,
        find: Callable[[GameState[Any]], str | None],
        by: Callable[[GameState[Any]], object] = rules_of,
        *,
        of_states: bool = True,
    ) -> None:
        self._find = find
        self._by = by
        self._of_states = of_states
        self._found: weakref.WeakKeyDictionary[type, tuple[object, Stamp, str | None]] = (
            weakref.WeakKeyDictionary()
        )

    def of(self, state: GameState[Any]) -> str | None:
        """Return the result for the state's class; `None` if `by` returns `None`."""
        about = self._by(state)
        if about is None:
            return None
        kind = type(state)
        known = self._found.get(kind)
        if known is None or known[0] is not about or not known[1].holds():
            reached = (kind, about) if self._of_states else (about,)
            known = about, Stamp(*reached, compiled=True), self._find(state)
            if known[2] is not None or not state.over:  # the end of a game shows little
                while len(self._found) >= MOST:
                    self._found.pop(next(iter(self._found)), None)
                self._found[kind] = known
        return known[2]


def _disagreement(state: GameState[Any]) -> str | None:
    try:
        for _ in brief_walk(state, cast('IntegerRules', rules_of(state))):
            pass
    except Disagreement as found:
        return (
            f'the rules on integers of {type(state).__name__} disagree with it: {found} (see '
            'fmcts.testing.check_rules)'
        )
    return None


_disagreements: Final = Findings(_disagreement)


def check_briefly(state: GameState[Any]) -> None:
    """Compare the rules that the state's class declares, if any, with the states that follow.

    It is done once for a class and its rules, and takes some milliseconds.

    :raises EngineError: they do not agree.
    """
    complaint = _disagreements.of(state)
    if complaint is not None:
        raise EngineError(complaint)
