"""Rooms that met games with dice, rewards or any number of players after they were built."""

import base64
import json
import math
import re
import zlib
from itertools import islice

import pytest
from attrs import frozen

from fmcts import Search, SplitMix, _linked as linked, analyse, prepare, trees
from fmcts.errors import EngineError, GameError
from fmcts.explore import explore
from fmcts.formulas import sqrt, where
from fmcts.game import illegal, options_of
from fmcts.games import tictactoe
from fmcts.games.chance import bearoff, mnk3
from fmcts.history import history
from fmcts.rules import OnPositions
from fmcts.search._tree import walk
from fmcts.search.methods import Method
from fmcts.view import board_svg, draw, draw_versions
from pages_shown import needs_node, node
from toy_games import BY_CHANCE

RNG = SplitMix.from_seed(1)


# ---- functions of positions in games with rewards ----


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace'])
def test_an_evaluator_of_positions_is_called_with_positions(engine):
    start, seen = mnk3.start(3, 3, 3), set()
    pack = type(start).compiled.pack

    def judge(position):
        seen.add(type(position))
        return sum(position) % 7 / 7, 0.0, 0.0

    by_position = Search(50, evaluate=OnPositions(judge))
    by_state = Search(50, evaluate=lambda state: judge(pack(state)))
    found = [analyse(start, RNG, search, engine=engine) for search in (by_position, by_state)]
    assert found[0] == found[1]
    assert seen == {type(pack(start))}


# ---- forks ----


@pytest.mark.needs_numba
def test_a_fork_does_not_depend_on_what_is_compiled():
    def judge(_state):  # of states, so only the Python engines take it
        return 0.5

    search, other = Search(60, selection='ucb1'), Search(30, evaluate=judge)
    before = history(tictactoe.start, RNG, search, 'persistent')
    prepare(tictactoe.start, search)
    h = history(tictactoe.start, RNG, search)
    assert h.engine == 'compiled'
    fork = h.fork(20, other)
    known, rng = before.at(20), before.rng_at(20)
    assert fork.tree == analyse(tictactoe.start, rng, other, tree=known)[0].tree
    asked = history(tictactoe.start, RNG, search, 'compiled')
    with pytest.raises(EngineError, match='compiled does not support evaluate=judge'):
        asked.fork(20, other)


# ---- any number of players ----


def ring(count):
    @frozen
    class Ring:
        n: int = 0
        players = tuple(range(count))
        player = property(lambda self: self.n * (count - 1) % count)
        over = property(lambda self: self.n == 4)
        moves = property(lambda self: () if self.over else (0, 1))
        rewards = property(lambda self: (0.5,) * count if self.over else ())

        def play(self, move):
            if move not in self.moves:
                raise illegal(self, move)
            return Ring(self.n + 1)

    return Ring()


def test_as_many_players_as_a_byte_numbers():
    h = history(ring(256), RNG, Search(20))
    assert max(h.log.movers) == 255
    assert h.log.digest() == h.digest
    assert h.leaders()
    for ask in (analyse, history):
        with pytest.raises(GameError, match=r'Ring has the players .*a tuple of 1 to 256'):
            ask(ring(257), RNG, Search(20))


# ---- numbers that JSON does not have ----


@frozen
class CentreFirst(Method):
    """UCB1, with `first` as the score of a move without visits."""

    move_columns = ('first', 'unused')
    scores_unvisited = True

    def score(self, edge, parent):
        bonus = edge.value + sqrt(parent.log_visits / edge.visits)
        return where(edge.visits > 0.0, bonus, edge.first)

    def first_rows(self, _state, moves):
        first = [math.inf if move == 4 else -math.inf if move == 8 else 1.0 for move in moves]
        return first, [math.nan] * len(moves)


@needs_node
def test_a_page_with_infinities_and_nan_loads():
    h = history(tictactoe.start, RNG, Search(50, selection=CentreFirst()))
    packed = re.search(r"explore\('([^']*)'", explore(h, name='NaN, "-Infinity"').html)[1]
    text = zlib.decompress(base64.b64decode(packed)).decode()
    script = """
    const data = JSON.parse(told), search = grow(data.searches[0]);
    const digest = digestOf(search, search.version(search.last));
    console.log(JSON.stringify([data.searches[0].name, digest]));
    """
    assert node(script, text) == ['NaN, "-Infinity"', h.digest]


# ---- pictures, JSON and pages ----


@pytest.mark.parametrize('name', ['mnk3', 'puzzle', '2048', 'pig'])
def test_a_search_is_seen(name):
    state = BY_CHANCE[name]
    found, _ = analyse(state, RNG, Search(60))
    read = json.loads(found.to_json(format_move=str))['tree']
    assert read['player'] == str(state.player)
    assert {child['mover'] for child in read['children']} == {str(state.player)}
    assert sum(child['visits'] for child in read['children']) == 60
    stripes = re.findall(r'<rect fill="(#\w+)" [^>]*width="3"', draw(found.tree, 'svg', visits=1))
    movers = [each.mover for each in walk(found.tree)]
    assert (len(stripes), len({*stripes})) == (len(movers), len({*movers}))
    *_, before, after = (tree for tree, _ in islice(trees(state, RNG, Search(60)), 9))
    for picture in (draw_versions(before, after), board_svg(state, found)):
        assert picture.startswith('<svg')
    assert '<img' in found._repr_html_()


def test_a_fork_of_a_search_that_had_no_choice_yet():
    h = history(tictactoe.start, RNG, Search(60, final='robust-of-all'), 'persistent')
    fork = h.fork(3)
    assert explore(h, fork).data['searches'][1]['digest'] == fork.digest == h.digest


# ---- a game that begins with a die ----


@pytest.mark.needs_numba
def test_a_game_that_begins_with_a_die_is_prepared(monkeypatch):
    asked = []
    monkeypatch.setattr(linked, 'begin', lambda root, *_: asked.append(root.state))
    prepare(bearoff.start(3), Search())
    (state,) = asked
    assert options_of(state) == state.moves != ()
