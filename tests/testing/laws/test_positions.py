"""The positions where bots and searches are checked: which, in what order, and nearer ones."""

from itertools import count, cycle, islice

import pytest
from attrs import evolve, field, frozen

from fmcts import Player, SplitMix
from fmcts.errors import GameError
from fmcts.testing import Drawn, Graph
from fmcts.testing._laws.positions import (
    Reached,
    nearest_positions,
    positions_of,
    random_positions,
    shortened,
)

X, O = Player  # noqa: E741 - the player's name


def drawn(*after):
    """A game of positions by number, where each move of one leads to."""
    return Drawn(Graph(after, (X,) * len(after), (None,) * len(after)))


# The nearest.

MEETING = drawn((1, 2), (3, 4), (3, 5), (5,), (), ())


def test_nearest_positions_come_first_and_once():
    assert [(one.state.at, one.line) for one in nearest_positions(MEETING)] == [
        (0, ()),
        (1, (0,)),
        (2, (1,)),
        (3, (0, 0)),
    ]


def test_a_finished_game_has_no_positions():
    assert [*nearest_positions(drawn(()))] == []


def test_states_without_a_hash_are_distinguished_by_their_moves():
    class Unhashed(Drawn):
        __hash__ = None

    lines = [one.line for one in nearest_positions(Unhashed(MEETING.graph))]
    assert lines == [(), (0,), (1,), (0, 0), (1, 0)]


def test_a_contradictory_game_is_an_error():
    class Silent(Drawn):
        over = False

    with pytest.raises(GameError, match='has no moves but is not over'):
        [*nearest_positions(Silent(drawn((1,), ()).graph))]
    with pytest.raises(GameError, match='has no moves but is not over'):
        next(nearest_positions(Silent(drawn(()).graph)))


def test_no_more_moves_are_played_than_needed():
    played = []

    class Noted(Drawn):
        def play(self, move):
            played.append(move)
            return super().play(move)

    game = Noted(drawn(*((1, 2, 3),) * 3, (4,), ()).graph)
    assert [one.line for one in islice(nearest_positions(game), 3)] == [(), (0,), (1,)]
    assert played == [0, 1]


# Of random games.


@frozen
class Scripted:
    """A generator whose children draw what is written; what was asked of them is noted."""

    scripts: dict
    asked: list = field(factory=list)
    script: object = None

    def child(self, index):
        self.asked.append([])
        return evolve(self, script=iter(self.scripts[index]))

    def uniform(self, low, high):
        self.asked[-1].append((low, high))
        return next(self.script), self


def nth(game, number, script, others=(0,) * 99):
    """The position that is drawn of the random game of that number, and what was asked for it."""
    scripts = {**dict.fromkeys(range(number), others), number: script}
    rng = Scripted(scripts)
    *_, one = islice(random_positions(game, rng), number + 1)
    return one.line, rng.asked[-1]


ENDS_AT_0 = drawn((4, 1), (4, 2), (4, 3), (4,), ())
"""Of a chain of positions, each of which is ended by the move 0, and gone on from by 1."""


@pytest.mark.parametrize('number', [0, 3])
@pytest.mark.parametrize('index', [0, 1])
def test_a_random_game_and_a_position_of_it_are_drawn(number, index):
    line, asked = nth(ENDS_AT_0, number, [1, 0, index])
    assert line == (1,) * index
    assert asked == [(0, 1), (0, 1), (0, 1)]


@pytest.mark.parametrize('number', [1, 4])
@pytest.mark.parametrize('index', [0, 1, 2])
def test_the_second_random_game_is_the_longest_of_several(number, index):
    """At first the second draw goes on, then the last of eight does, then none of them."""
    script = [0, 1, *[0] * 7, 1, *[0] * 8, index]
    line, asked = nth(ENDS_AT_0, number, script)
    assert line == (1,) * index
    assert asked == [(0, 1)] * 18 + [(0, 2)]


@pytest.mark.parametrize('number', [2, 5])
@pytest.mark.parametrize('index', [0, 1, 2, 3])
def test_the_third_kind_is_the_last_position_with_fewest_moves(number, index):
    game = drawn((1, 1, 1), (2, 2), (3, 3), (4, 4, 4), ())
    line, asked = nth(game, number, [0, 1, 1, *[0] * 8, index])
    assert line == (0, 1)
    assert asked == [(0, 2), (0, 1), (0, 1), *[(0, 2)] * 8, (0, 3)]


@frozen
class Endless:
    plies: int = 0
    player, moves, over, winner = X, ('on',), False, None

    def play(self, _move):
        return Endless(self.plies + 1)


def test_endless_games_are_played_for_a_thousand_plies():
    line, asked = nth(Endless(), 0, [*[0] * 1000, 999])
    assert len(line) == 999
    assert asked[-1] == (0, 999)
    assert len(asked) == 1001


# Both.


@pytest.mark.parametrize(('number', 'near', 'far'), [(1, 1, 0), (2, 1, 1), (5, 3, 2), (6, 3, 3)])
def test_half_of_the_positions_are_near(number, near, far):
    rng = SplitMix.from_seed(3)
    found = [*positions_of(MEETING, rng, number)]
    assert found[:near] == [*islice(nearest_positions(MEETING), near)]
    assert found[near:] == [*islice(random_positions(MEETING, rng), far)]
    assert len(found) == number


# Shorter lines.


@frozen
class Letters:
    """A letter is written in each move; some texts are ends, and some letters cannot follow."""

    text: str = ''
    ends: tuple = ('abcd',)
    letters: str = 'abc'
    player, winner = X, None

    over = property(lambda self: self.text in self.ends or len(self.text) > 5)
    moves = property(lambda self: () if self.over else tuple(self.letters))

    def play(self, move):
        return evolve(self, text=self.text + move)


def tried(text, tries=999, finds=lambda _text: None, **game):
    """The texts in which something was looked for, and what was told in the end."""
    looked = []

    def looks(reached):
        assert ''.join(reached.line) == reached.state.text
        looked.append(reached.state.text)
        return finds(reached.state.text)

    start = Letters(**game)
    reached = Reached(evolve(start, text=text), tuple(text))
    one, found = shortened(start, reached, 'as before', looks, tries)
    assert ''.join(one.line) == one.state.text
    return looked, (one.state.text, found)


NEAREST = ['', 'a', 'b', 'c', *(one + two for one in 'abc' for two in 'abc')]


def test_order_in_which_shorter_lines_are_tried():
    looked, told = tried('abc')
    assert looked == ['', 'a', 'ab', 'c', 'b', 'a', 'bc', 'ac', 'ab', *NEAREST]
    assert told == ('abc', 'as before')


def test_finished_and_unplayable_lines_are_not_tried():
    looked, _ = tried('abc', ends=('b', 'bc', 'ba', 'bb', 'ca'))
    assert looked == [
        '',
        'a',
        'ab',
        'c',
        'a',
        'ac',
        'ab',
        '',
        'a',
        'c',
        'aa',
        'ab',
        'ac',
        'cb',
        'cc',
    ]
    looked, _ = tried('xay', letters='a')
    assert looked == ['', 'a', '', 'a', 'aa']


@pytest.mark.parametrize('tries', [0, 1, 4, 11, 21, 22, 23])
def test_the_given_number_of_positions_is_tried(tries):
    looked, _ = tried('abc', tries=tries)
    assert looked == ['', 'a', 'ab', 'c', 'b', 'a', 'bc', 'ac', 'ab', *NEAREST][:tries]


def test_the_empty_line_cannot_be_shortened():
    assert tried('') == ([], ('', 'as before'))


@pytest.mark.parametrize(
    ('text', 'wrong', 'looked', 'shortest'),
    [
        ('abc', {'ab', 'b'}, ['', 'a', 'ab', '', 'a', '', 'b', '', '', ''], 'b'),
        (
            'abc',
            {'bc'},
            ['', 'a', 'ab', 'c', 'b', 'a', 'bc', '', 'b', '', 'c', 'b', *NEAREST[:4]],
            'bc',
        ),
        (
            'abc',
            {'cc', 'ca'},
            ['', 'a', 'ab', 'c', 'b', 'a', 'bc', 'ac', 'ab', *NEAREST[:11]],
            'ca',
        ),
    ],
    ids=count(),
)
def test_shortening_continues_from_each_shorter_breach(text, wrong, looked, shortest):
    found = tried(text, finds=lambda given: f'wrong at {given}' if given in wrong else None)
    assert found == (looked, (shortest, f'wrong at {shortest}'))


def test_random_games_continue_in_turn():
    """By turns of three, for ever: here the turns of six games by what is asked of them."""
    rng = Scripted(dict(enumerate([[0, 0], [*[0] * 8, 0], [*[0] * 8, 0]] * 2)))
    assert len([*islice(random_positions(ENDS_AT_0, rng), 6)]) == 6
    assert [len(asked) for asked in rng.asked] == [*islice(cycle([2, 9, 9]), 6)]
