"""What was found out about a class of states, its rules on integers say, once in a process."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Final, cast

from fmcts._agreement.plies import Disagreement
from fmcts._agreement.walks import brief_walk
from fmcts._content.stamps import Stamp
from fmcts.errors import EngineError
from fmcts.game import GameState
from fmcts.rules import IntegerRules, rules_of

__all__ = ['Findings', 'check_briefly']

MOST: Final = 256  # classes of which findings are kept, the oldest forgotten


class Findings:
    """What was found out about a class of states: a line of complaint, or `None`.

    `find` is asked once for each class and what `by` gives for its states (the rules on integers),
    about the first of its states that is met, and again when their functions have changed (with
    `of_states` unset, those of what `by` gives alone); otherwise no call changes the answer.
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
        """Return what was, or is now, found out; `None` for a class that `by` gives `None` for."""
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
            f'the rules on integers of {type(state).__name__} disagree with it: {found} '
            '(fmcts.testing.check_rules tells more)'
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
