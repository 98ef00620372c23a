"""What was found out about the rules on integers of a class, once in a process."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Final, cast

from fmcts.game import GameState
from fmcts.rules import IntegerRules, rules_of
from fmcts.search.agreement import brief_walk
from fmcts.search.errors import EngineError
from fmcts.search.plies import Disagreement
from fmcts.stamps import Stamp

__all__ = ['Findings', 'check_briefly']

MOST: Final = 256  # classes of which findings are kept, the oldest forgotten


class Findings:
    """What was found out about the rules of a class: a line of complaint, or `None`.

    `find` is asked once for each class and its rules, about the first of its states that is met,
    and again when their functions have changed (with `of_states` unset, those of the rules);
    otherwise no call changes the answer.
    """

    def __init__(
        self, find: Callable[[GameState[Any]], str | None], *, of_states: bool = True
    ) -> None:
        self._find = find
        self._of_states = of_states
        self._found: weakref.WeakKeyDictionary[type, tuple[IntegerRules, Stamp, str | None]] = (
            weakref.WeakKeyDictionary()
        )

    def of(self, state: GameState[Any]) -> str | None:
        """What was, or is now, found out; `None` for a class that declares no rules."""
        rules = rules_of(state)
        if rules is None:
            return None
        kind = type(state)
        known = self._found.get(kind)
        if known is None or known[0] is not rules or not known[1].holds():
            reached = (kind, rules) if self._of_states else (rules,)
            known = rules, Stamp(*reached, compiled=True), self._find(state)
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
            '(fmcts.rules.check_rules tells more)'
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
