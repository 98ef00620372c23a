"""States made from rules: members, values, pickles, subclasses, and refusals."""

import copy
import pickle
from typing import NamedTuple

import pytest
from attrs import evolve, frozen
from hypothesis import given, strategies as st

from fmcts import Search, SplitMix, analyse, mcts, play_game, random_bot
from fmcts.errors import GameError, IllegalMoveError, RulesError
from fmcts.game import Player, key_of
from fmcts.games import GAMES, find_game
from fmcts.games._printing import Unwritten
from fmcts.games.from_rules import make_game
from fmcts.notices import listening
from fmcts.rules import IntegerRules, nobody_wins
from fmcts.testing import positions


class Heap(NamedTuple):
    left: int
    turn: int


RULES = IntegerRules(
    menu=lambda heap: min(heap.left, 3),
    count=lambda menu: menu,
    pick=lambda _menu, index: index + 1,
    play=lambda heap, taken: Heap(heap.left - taken, 1 - heap.turn),
    side=lambda heap: heap.turn,
    winner=lambda heap: 1 - heap.turn,
)
subtraction = make_game('subtraction', Heap(13, 0), RULES)


by_word = make_game('by word', Heap(5, 0), RULES, moves=('none', 'one', 'two', 'three'))


def test_a_game_made_in_one_step():
    state = subtraction.start
    assert (state.player, state.moves, state.over, state.winner) == (
        Player.X, (1, 2, 3), False, None,
    )  # fmt: skip
    end = state.play(3).play(3).play(3).play(3).play(1)
    assert (end.moves, end.over, end.winner) == ((), True, Player.X)
    move, _ = mcts(Search(500))(state, SplitMix.from_seed(1))
    assert move in state.moves
    record, _ = play_game(state, mcts(Search(50)), random_bot, SplitMix.from_seed(1))
    assert sum(record.moves) == 13


@pytest.mark.parametrize(
    ('name', 'rule', 'said'),
    [
        ('side', lambda _: 'X', "side gave 'X': accepted are the integers 0 to 1"),
        ('side', lambda _: 0.5, 'side gave 0.5: accepted are the integers 0 to 1'),
        ('count', lambda menu: menu / 2, 'count gave 1.5, which is not an integer'),
        ('count', lambda _: None, 'count gave None, which is not an integer'),
    ],
)
def test_answers_of_another_kind_are_named(name, rule, said):
    state = make_game('wrong', Heap(13, 0), evolve(RULES, **{name: rule})).start
    with pytest.raises((GameError, RulesError), match=f'^{said}$'):
        analyse(state, SplitMix.from_seed(1), Search(9), engine='inplace')


@pytest.mark.parametrize('name', ['position', 'moves', 'other'])
def test_states_are_frozen(name):
    with pytest.raises(AttributeError):
        setattr(subtraction.start, name, 0)


def test_illegal_moves_are_refused():
    for move in (0, 4, None, 'one', 1.5, []):
        with pytest.raises(IllegalMoveError, match='the legal moves are 1, 2, 3'):
            subtraction.start.play(move)
    with pytest.raises(IllegalMoveError, match='the game is over'):
        subtraction.at(0, 1).play(1)


def test_moves_can_have_names():
    state = by_word.start
    assert state.moves == ('one', 'two', 'three')
    assert [key_of(state, move) for move in state.moves] == [1, 2, 3]
    assert state.play('two').moves == ('one', 'two', 'three')
    assert state.play('two') == by_word.at(3, 1)
    assert by_word.parse_move('Two').unwrap() == 'two'
    assert by_word.format_move('two') == 'two'
    assert by_word.parse_move('four').failure() == (
        "unknown move 'four': expected none, one, two, three"
    )
    with pytest.raises(ValueError, match="unknown move 'four'"):
        by_word.format_move('four')
    with pytest.raises(IllegalMoveError):
        state.play(2)
    one, _ = analyse(state, SplitMix.from_seed(1), Search(100, selection='amaf'), engine='inplace')
    assert one.move in state.moves


class Misere(type(subtraction.start)):
    """Who takes the last counter loses."""

    @property
    def winner(self):
        won = super().winner
        return won and won.other


@frozen
class Noted(type(find_game('hex:3').unwrap().start)):
    """With a field of its own."""

    note: str = ''


def test_a_subclass_keeps_its_class_and_overrides():
    state = Misere(Heap(4, 0)).play(3)
    assert type(state) is Misere
    assert state.play(1).winner is Player.X  # O has taken the last one
    with listening([].append):
        analysis, _ = analyse(Misere(Heap(5, 0)), SplitMix.from_seed(1), Search(300))
    assert type(analysis.tree.state) is Misere
    assert pickle.loads(pickle.dumps(state)) == state  # noqa: S301 - made here


def test_a_subclass_keeps_its_fields():
    start = find_game('hex:3').unwrap().start
    state = Noted(start.position, note='kept').play(4)
    assert (type(state), state.note, state.position) == (Noted, 'kept', start.play(4).position)
    again = pickle.loads(pickle.dumps(state))  # noqa: S301 - made here
    assert again == state
    assert again.play(0) == state.play(0)


SCRIPT = """
import multiprocessing
from typing import NamedTuple
from fmcts.games import find_game
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules, nobody_wins

class Heap(NamedTuple):
    left: int
    turn: int

game = make_game('mine', Heap(5, 0), IntegerRules(
    menu=lambda heap: min(heap.left, 3), count=lambda menu: menu, pick=lambda _, index: index + 1,
    play=lambda heap, taken: Heap(heap.left - taken, 1 - heap.turn),
    side=lambda heap: heap.turn, winner=lambda heap: 1 - heap.turn,
))

def play_two(state):
    return state.play(2)

if __name__ == '__main__':
    with multiprocessing.get_context('spawn').Pool(1) as pool:
        starts = [game.start, find_game('hex:4').unwrap().start]
        print(pool.map(play_two, starts) == [*map(play_two, starts)])
"""


def test_states_reach_worker_processes(run_python, tmp_path):
    file = tmp_path / 'with_workers.py'
    file.write_text(SCRIPT)
    done = run_python(str(file), check=True, timeout=600)
    assert done.stdout == 'True\n'


def test_pickling_a_local_class_fails_with_the_reason():
    local = make_game('local', Heap(3, 0), RULES)
    assert copy.deepcopy(local.start) == local.start
    with pytest.raises(pickle.PicklingError, match='assign the game to a variable of the module'):
        pickle.dumps(local.start)


def test_default_text():
    state = subtraction.start.play(2)
    assert subtraction.format(state) == 'left 11\nturn 1\nO to move\n'
    assert Unwritten('mine:start', state).format(state) == subtraction.format(state)
    assert subtraction.parse(subtraction.format(state)).unwrap() == state
    assert subtraction.parse('left 11\nturn 1').unwrap() == state
    for text in ('', 'left 11', 'left x\nturn 1', 'left 1\nside 1', 'left 1\nturn 1\nmore'):
        assert subtraction.parse(text).failure() == (
            'expected a line with a whole number for each of left, turn'
        )
    assert subtraction.format(subtraction.at(0, 1)) == 'left 0\nturn 1\nX wins\n'
    shared = evolve(RULES, winner=nobody_wins, rewards=lambda *_: 0.5)
    for state in (Heap(5, 1), Heap(0, 1)):  # 'the second to move', 'the first gets 0.5, ...'
        game = make_game('shared', state, shared, players=('the first', 'the second'))
        assert game.parse(game.format(game.start)).unwrap() == game.start
    assert subtraction.parse_move(' 2 ').unwrap() == 2
    assert subtraction.parse_move('two').failure() == "unknown move 'two': expected a whole number"


def test_custom_text():
    game = make_game(
        'dots', Heap(3, 0), RULES, format=lambda state: '*' * state.position.left + '\n'
    )
    assert game.format(game.start) == '***\n'
    assert game.parse('***').failure() == (
        'this game has no parse function for boards: give the moves instead'
    )


@pytest.mark.parametrize(
    ('change', 'why'),
    [
        ({'rules': evolve(RULES, pack=lambda state: state)}, 'must not have a pack: leave it out'),
        ({'start': (1, 2)}, r'start must be a NamedTuple of integers, not \(1, 2\)'),
        ({'start': Heap('a', 0)}, 'start must be a NamedTuple of integers'),
        ({'moves': ('a', 'a')}, 'two of the moves are equal'),
        ({'names': ('a', 'A')}, "the names 'a' and 'A' of two moves"),
        ({'names': ('a,b',)}, "the name 'a,b' of a move: expected one word without commas"),
        ({'moves': ('a', 'b'), 'names': ('a',)}, 'there are 2 moves and 1 names'),
        ({'parse': lambda text: text}, 'parse is given without format'),
    ],
)
def test_invalid_definitions_are_refused_at_once(change, why):
    given = {'name': 'x', 'start': Heap(3, 0), 'rules': RULES} | change
    with pytest.raises(ValueError, match=why):
        make_game(given.pop('name'), given.pop('start'), given.pop('rules'), **given)


# ---- subclasses of the games ----


CLASSES = {name: type(game.start) for name, game in GAMES.items()}


@pytest.mark.parametrize('name', CLASSES)
@given(data=st.data())
def test_every_position_is_of_the_subclass(name, data):
    """With a field of its own, which must be given by name; the game itself stays what it is."""

    @frozen(kw_only=True)
    class Mine(CLASSES[name]):
        note: str

    start = Mine(note='kept')
    state = data.draw(positions(start, running=True))
    assert (type(state), state.note) == (Mine, 'kept')
    assert {type(state.play(move)) for move in state.moves} == {Mine}
    with pytest.raises(IllegalMoveError):
        state.play(-1)
