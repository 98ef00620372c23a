"""Laws as tests for pytest: one line in a test file, one test per law."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from returns.pipeline import is_successful

from fmcts.testing._laws.games import check_game, law_names


def game_tests(start: Any, **told: Any) -> Callable[[str], None]:
    """Return tests of the game that begins at `start`, one for each law; name them `test_...`.

    >>> from fmcts.games import tictactoe
    >>> test_tictactoe = game_tests(tictactoe.start)

    Laws that do not apply to the game (such as those of text, if none is given) have no test. A law
    that cannot be checked where the tests run is skipped, with the reason.

    :param told: the other arguments of `check_game`, such as `text`, `symmetry`, `invariants` and
        `without`.
    :raises ValueError: as `check_game`.
    """
    import pytest  # noqa: PLC0415 - whoever has no tests need not have it

    for name in ('known', 'memos'):
        if name in told:
            told[name] = tuple(told[name])  # it is gone through once a test
    names = law_names(start, **told)
    told.pop('without', None)
    every = law_names(start, every=True, **told)

    @pytest.mark.parametrize('law', names)
    def test(law: str) -> None:
        others = [name for name in every if name != law]
        result = check_game(start, without=others, **told)
        if not is_successful(result):
            pytest.fail(str(result.failure()), pytrace=False)
        for name, why in result.unwrap().left_out:
            if name == law:
                pytest.skip(why)

    return test
