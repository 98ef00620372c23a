"""Bots called again later, and in another process."""

from itertools import count

import pytest

import zoo_bots
from fmcts.testing._laws.bots import NOT_ASKED, BotCase
from lines import play_line
from looking_at_bots import ELSEWHERE, GRID, LATER, RNG, SOME, found
from zoo_bots import some


def after_line(*cells):
    return play_line(GRID, cells)


class Remembering:
    """It plays the last move where it was asked of a position before, once or right before."""

    def __init__(self, of, at=GRID, *, just=False):
        self.of, self.at, self.just, self.asked = of, at, just, []

    def __call__(self, state, rng):
        known = self.of in (self.asked[-1:] if self.just else self.asked)
        self.asked.append(state)
        return state.moves[-1 if known and state == self.at else 0], rng


LAST = 'played 0, and after calls at other positions 8'


@pytest.mark.parametrize(
    ('bot', 'words'),
    [
        (zoo_bots.some, None),
        (Remembering(after_line(4)), LAST),
        (Remembering(after_line(4, 3)), LAST),
        (Remembering(after_line(5)), None),
        (
            Remembering(GRID, after_line(0, 1), just=True),
            ('after 0 and 1 it played 2, and right after a call at the first position 8'),
        ),
    ],
    ids=count(),
)
def test_answers_must_not_depend_on_earlier_positions(bot, words):
    before = (after_line(4), after_line(4, 3))
    assert found(LATER, bot, before=before) == words


def test_finished_games_have_no_later_position():
    for cells in [(0, 3, 1, 4), (0, 1, 2, 3, 4, 5, 7, 6)]:
        state = after_line(*cells)
        bot = Remembering(None)
        ends = state.play(2 if 2 in state.moves else 8).over
        assert ends
        case = BotCase(lambda state, rng: (state.moves[0], rng), state, RNG)
        assert case.played_on is None
        assert found(LATER, bot, state) is None


def test_answers_of_another_process_are_compared():
    assert found(ELSEWHERE, some) is None
    assert found(ELSEWHERE, some, elsewhere=NOT_ASKED) is None
    assert found(ELSEWHERE, some, elsewhere=SOME) is None
    assert found(ELSEWHERE, some, elsewhere=(9, SOME[1])) == (
        f'played {SOME[0]}, and in a second process 9'
    )
