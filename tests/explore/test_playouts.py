"""The moves of playouts in an exported page, against Python's reasons."""

import pytest

from fmcts import Search
from fmcts.explore._data import data_of, run_of
from fmcts.games import connect4, othello, tictactoe
from fmcts.games._cells import read_cells
from fmcts.games.chance import pig
from in_node import needs_node, node, searched

READ = """
const search = grow(told);
const found = Array.from({ length: search.last }, (_, at) =>
  inFile(search, at + 1) ? playoutInFile(search, at + 1).steps : null);
const rows = found.map((it) => it && it.map(({ label, changes }) => [label, changes ?? null]));
console.log(JSON.stringify(rows));
"""


def in_file(made, game=None):
    return data_of(run_of(made), game=game, playouts=True)


def cells(notation, state):
    return ''.join(read_cells(notation.format(state)).rows)


def expected(made, notation):
    """The playout of each iteration: the words of its moves, and the cells that each changes."""
    for k in range(1, made.last + 1):
        why, state, steps = made.why(k), made.root.state, []
        for move in why.path:
            state = state.play(move)
        for move in why.playout:
            after = state.play(move)
            pairs = zip(cells(notation, state), cells(notation, after), strict=True)
            new = [(at, now) for at, (was, now) in enumerate(pairs) if was != now]
            changes = [3 * at + '.XO'.index(now) for at, now in new]
            steps.append([notation.format_move(move), changes])
            state = after
        yield steps


OPTIONS = [
    {},
    {'expansion': 'random', 'solver': True},
    {'expansion': 'full', 'schedule': 'halving'},
    {'expansion': 'jump', 'playout': 'decisive'},
]


@needs_node
@pytest.mark.parametrize('options', OPTIONS, ids=str)
def test_playouts_and_their_boards_are_read_from_the_file(options):
    made = searched(tictactoe.start.play(4), Search(60, **options))
    (search,) = in_file(made)['searches']
    assert node(READ, search) == [*expected(made, tictactoe)]


@needs_node
def test_discs_fall_as_in_the_game(monkeypatch):
    monkeypatch.setattr('fmcts.explore._playouts.CHECKED', 3)
    made = searched(connect4.start.play(3).play(3), Search(40))
    (search,) = in_file(made)['searches']
    assert node(READ, search) == [*expected(made, connect4)]


@needs_node
def test_boards_that_do_not_follow_from_the_moves_are_omitted():
    made = searched(othello.start, Search(12))
    (search,) = in_file(made)['searches']
    words = [[label for label, _ in steps] for steps in expected(made, othello)]
    found = node(READ, search)
    assert [[label for label, _ in steps] for steps in found] == words
    assert {str(changes) for steps in found for _, changes in steps} == {'None'}


@needs_node
def test_of_a_long_search_the_first_and_last_playouts_are_kept(monkeypatch):
    made = searched(tictactoe.start.play(4), Search(120, expansion='random'))
    monkeypatch.setattr('fmcts.explore._playouts.ROOM', 900)
    (search,) = in_file(made)['searches']
    (first, _), (second, _) = search['playouts']['parts']
    found, whole = node(READ, search), [*expected(made, tictactoe)]
    assert first == 1
    kept = [at for at, steps in enumerate(found) if steps is not None]
    assert {0, second - 1} <= {*kept}
    assert len(kept) < made.last
    assert all(found[at] == whole[at] for at in kept)


@needs_node
@pytest.mark.parametrize('expansion', ['in-order', 'full'])
def test_chance_outcomes_are_among_the_moves_of_playouts(expansion):
    made = searched(pig.start(12), Search(40, expansion=expansion))
    (search,) = in_file(made)['searches']
    played = [[*map(str, made.why(k).playout)] for k in range(1, 41)]
    assert [[label for label, _ in steps] for steps in node(READ, search)] == played


def test_a_search_with_an_evaluator_has_no_playouts():
    made = searched(tictactoe.start, Search(20, evaluate=lambda _state: 0.5))
    assert in_file(made)['searches'][0]['playouts'] is None


def test_a_served_page_requests_playouts():
    made = searched(tictactoe.start, Search(20))
    assert data_of(run_of(made))['searches'][0]['playouts'] is None
