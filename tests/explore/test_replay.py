"""JavaScript replays a search from its log: the choices, the bytes of the tree, the digest."""

import hashlib

import pytest
from attrs import frozen

from drawn_games import start_of
from fmcts import Search
from fmcts._arithmetic import logarithms
from fmcts.asking import asking
from fmcts.explore import ReplayError, _data, explore
from fmcts.explore._boards import boards_of
from fmcts.explore._data import fork_of, run_of, search_data, what_if_of
from fmcts.game import options_of
from fmcts.games import connect4, othello, tictactoe
from fmcts.games.chance import bearoff, mnk3, pig, tiles
from fmcts.history import history
from fmcts.search import digest
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import Gumbel, ImplicitMinimax, Method
from fmcts.search.proposals import Width
from fmcts.search.resolution.solver import proof_at, proof_number, proof_of
from fmcts.view import notation_of
from naive_batches import network
from pages_shown import RNG, needs_node, node, searched
from told import Words, finished, said
from toy_games import URNS, Throw, play_line, propose

REPLAY = """
const search = grow(told.search);
const found = {
  paths: Array.from(search.leaf, (_, at) => search.path(at + 1).map((it) => search.index[it])),
  leads: search.leads.map((it) => [it.k, search.labelAt(0, it.index)]),
  versions: told.at.map((k) => digestOf(search, search.version(k))),
  digest: digestOf(search, search.version(search.last)),
};
console.log(JSON.stringify(found));
"""


def data_of(run):
    state = run.nodes[0].state
    notation = notation_of(state)
    return search_data(run, notation, boards_of(state, notation))


def replayed(run, at=()):
    return node(REPLAY, {'search': data_of(run), 'at': at})


def tree_at(made, iteration):
    return next(made.versions(iteration))


def paths_of(made):
    """The indices of the moves of each iteration, by Python's reasons."""
    for k in range(1, made.last + 1):
        state, found = made.root.state, []
        for move in made.why(k).path:
            found.append(options_of(state).index(move))
            state = state.play(move)
        yield found


def judged(state):
    return 0.25 + len(state.moves) / 40


def own(edge, _parent):
    return edge.value - 1.0 / edge.visits


@frozen
class Branching(Method):
    def score(self, edge, _parent):
        return edge.value if edge.visits > 3.0 else 1.0


@frozen
class Counting(Branching):
    columns = ('lost',)

    def update(self, edge, reward):
        return (edge.lost + (1.0 if reward < 0.5 else 0.0),)


START = tictactoe.start.play(4).play(1)
HALVING = {'schedule': 'halving'}
METHODS = (
    *('uct', 'ucb1-tuned', 'ucb-v', 'ucb1-fpu', 'puct', 'puct-reduced'),
    *('progressive-bias', 'widening', 'implicit-minimax'),
)
WHOLE = {
    **{name: {'selection': name} for name in METHODS},
    'baeldung': {'selection': 'baeldung', 'expansion': 'full', 'final': 'first-robust'},
    'max': {'final': 'max'},
    'ucb': {'final': 'ucb', 'expansion': 'full', 'solver': True},
    'robust-of-all': {'final': 'robust-of-all'},
    'own final': {'final': own},
    'max_nodes': {'max_nodes': 60},
    'evaluate': {'evaluate': judged, 'evaluate_after': 1},
    'decisive': {'playout': 'decisive'},
    'batch 1': {'network': network, 'batch': 1},
    'sliding': {'network': network, 'batch': 5, 'sliding': True, 'solver': True},
    'values alone': {'network': network, 'batch': 5, 'selection': 'ucb1-tuned'},
    'batch 5': {'network': network, 'batch': 5, **HALVING},
    'batch 7': {'network': network, 'batch': 7, 'solver': True},
    'gumbel': {'network': network, 'selection': Gumbel(), 'schedule': GumbelHalving()},
    'solver': {'solver': True},
    'bounds': {'solver': True, 'bounds': True, 'selection': 'power-mean'},
    'closing': {'closing': True, 'selection': 'bayes-uct2'},
    'jump': {'expansion': 'jump', 'solver': True},
    'shot': {'schedule': 'shot'},
    'random halving': {'expansion': 'random', **HALVING},
    'chains': {'rollout_expand': True},
    'branching score': {'selection': Branching(), 'solver': True},
    'sound': {'transpositions': 'sound'},
    'sound full': {'transpositions': 'sound', 'expansion': 'full', 'max_nodes': 200},
    'naive': {'transpositions': 'naive', 'expansion': 'jump'},
}
PARTLY = {
    'rave': {'selection': 'rave'},
    'grave': {'selection': 'grave', 'solver': True},
    'mast': {'playout': 'mast', 'selection': 'ucb1-tuned'},
    'reply': {'playout': 'last-good-reply', 'solver': True},
    'branching update': {'selection': Counting(), 'solver': True},
}
"""Searches of which a page cannot compute all statistics."""


def to_come(state):
    """What is still to come for a single player."""
    return (sum(state.position) * 7 % 17 - 8) / 2.0


GAMES = {
    'connect4': (connect4.start.play(3), {}),
    'othello': (othello.start, {'selection': 'ucb1-tuned'}),
    'pig full': (pig.start(12), {'expansion': 'full'}),
    'pig jump': (pig.start(12), {'expansion': 'jump', 'selection': 'ucb1-tuned'}),
    'bearoff': (bearoff.start(3).play((4, 1)), {'expansion': 'random'}),
    '2048': (tiles.start(2).play((0, 1)).play((3, 1)), {}),
    'mnk3': (mnk3.start(3, 3, 3), {'expansion': 'random'}),
    'returns': (start_of(3, 2, ends=True), {'c': 2.0, 'discount': 0.9, 'horizon': 3}),
    'returns puct': (start_of(1), {'normalised': True, 'selection': 'puct-reduced'}),
    'returns tuned': (start_of(2, 3), {'c': 2.0, 'selection': 'ucb1-tuned', 'discount': 0.5}),
    'returns sound': (
        start_of(2, 2, ends=True),
        {'c': 2.0, 'discount': 0.5, 'horizon': 3, 'transpositions': 'sound'},
    ),
    'returns minimax': (
        start_of(5, ends=True),
        {'selection': ImplicitMinimax(heuristic=to_come, c=2.0), 'discount': 0.5, 'horizon': 3},
    ),
    'pig minimax': (pig.start(12), {'selection': ImplicitMinimax(heuristic=judged)}),
    'normalised sound': (start_of(2), {'normalised': True, 'transpositions': 'sound'}),
    'mnk3 naive': (mnk3.start(3, 3, 3), {'transpositions': 'naive'}),
    'urns': (URNS, {'selection': 'baeldung', 'expansion': 'full', 'final': 'first-robust'}),
}
CASES = {
    **{name: (START, options) for name, options in (WHOLE | PARTLY).items()},
    **GAMES,
}


@needs_node
@pytest.mark.parametrize('name', CASES)
def test_every_search_with_a_history_has_a_page(name):
    """The digest of every version, of visits and rewards where a page cannot compute all."""
    state, options = CASES[name]
    made = searched(state, Search(120, **options))
    run = run_of(made)
    data = data_of(run)
    assert data['whole'] == (name not in PARTLY)
    at = [it for it in (1, 2, 33, 64, 65, made.last, 3) if it <= made.last]
    found = node(REPLAY, {'search': data, 'at': at})
    assert found['paths'] == [*paths_of(made)]
    write = notation_of(state).format_move
    assert found['leads'] == [[lead.iteration, write(lead.move)] for lead in made.leaders()]
    if data['whole']:
        assert found['versions'] == [digest(tree_at(made, k)) for k in at]
        assert found['digest'] == made.digest
    else:
        assert found['versions'] == [made.log.digest(k) for k in at]


SCORES = """
const search = grow(told.search);
const scores = (k) => scoresOf(search, metBy(search, k), 0, rulesAt(search, k).method).scores;
console.log(JSON.stringify(told.at.map(scores)));
"""


@needs_node
@pytest.mark.parametrize(
    'options',
    [
        {'network': network, 'batch': 16, 'selection': 'puct-reduced'},
        *({'transpositions': rule, 'selection': 'ucb1-fpu'} for rule in ('sound', 'naive')),
        {'normalised': True, 'selection': 'ucb1-fpu'},
        {'normalised': True, 'network': network, 'batch': 16},
    ],
)
def test_the_page_and_python_compare_the_same_scores(options):
    made = searched(tictactoe.start.play(4).play(1), Search(60, **options))
    at = range(1, made.last + 1)
    expected = [[row.score for row in made.why(k).choices[0].scores] for k in at]
    assert node(SCORES, {'search': data_of(run_of(made)), 'at': [*at]}) == expected


@needs_node
def test_a_fork_inside_a_batch_is_replayed():
    made = searched(connect4.start, Search(50, network=network, batch=16))
    for other in (Search(20, network=network, batch=3), Search(20, selection='puct')):
        fork = made.fork(20, other)
        found = replayed(fork_of(run_of(made), 20, fork, 'other'), [20, 27, 40])
        versions = [made.at(20), fork.at(27), fork.at(40)]
        assert found['versions'] == [it.digest for it in versions]


PROOFS = """
const search = grow(told.search);
console.log(JSON.stringify(search.proofs.map((it) => [it.k, it.index, it.words])));
"""


def proofs_of(made):
    """When the root or one of its moves was proven, and what, by Python's trees."""
    known = {}
    for tree in made.versions():
        rows = [*enumerate(tree.moves), (None, None)]
        for index, move in rows:
            node = tree if index is None else tree.child(move)
            number = 0.0 if node is None else proof_number(node)
            proof = proof_at(tree) if index is None else proof_of(number)
            if proof and known.get(index) != str(proof):
                known[index] = str(proof)
                yield [tree.iterations, index, str(proof)]


@needs_node
@pytest.mark.parametrize('moves', [(4, 1), (0, 4, 8)])
def test_the_page_knows_when_a_node_was_proven(moves):
    state = play_line(tictactoe.start, moves)
    made = searched(state, Search(1500, solver=True))
    expected = [*proofs_of(made)]
    assert {index is None for _, index, _ in expected} == {True, False}
    assert node(PROOFS, {'search': data_of(run_of(made))}) == expected


@needs_node
@pytest.mark.parametrize('first', [1, 40, 99])
@pytest.mark.parametrize('kept', [{'solver': True}, {'transpositions': 'sound'}])
def test_forks_are_replayed(first, kept):
    base = searched(tictactoe.start, Search(100, expansion='random', **kept))
    other = base.fork(first, Search(80, c=0.3, expansion='full', **kept))
    found = replayed(fork_of(run_of(base), first, other, 'fork'))
    assert found['digest'] == other.digest
    assert found['paths'][:first] == [*paths_of(base)][:first]


@needs_node
def test_what_if_is_replayed():
    base = searched(tictactoe.start, Search(100))
    for k in (1, 57, 100):
        outcome = 1.0 - base.why(k).outcome if base.why(k).outcome != 0.5 else 1.0
        other = base.what_if(k, outcome)
        assert replayed(what_if_of(run_of(base), other, ''))['digest'] == other.history.digest


@needs_node
def test_the_hash_equals_hashlib_s():
    texts = [bytes(range(256)) * 3, *(b'x' * length for length in (0, 1, 127, 128, 129, 256, 1000))]
    found = node(
        "console.log(JSON.stringify(told.map((it) => blake2b(Buffer.from(it, 'hex')))));",
        [text.hex() for text in texts],
    )
    assert found == [hashlib.blake2b(text, digest_size=32).hexdigest() for text in texts]


@needs_node
def test_logarithms_equal_the_table():
    found = node('console.log(JSON.stringify(logarithms(5000)));', None)
    assert found[1:] == [*logarithms(5000)[1:5001]]


@needs_node
def test_scores_are_shown_unless_they_need_what_a_page_lacks():
    for name, there in (('mast', True), ('rave', False), ('gumbel', False)):
        made = searched(tictactoe.start.play(4), Search(60, **(WHOLE | PARTLY)[name]))
        (scores,) = node(SCORES, {'search': data_of(run_of(made)), 'at': [60]})
        assert (None not in scores) == there


@needs_node
def test_a_search_among_root_moves_has_a_page():
    made = history(tictactoe.start, RNG, Search(40), engine='persistent', root_moves=(1, 2))
    assert replayed(run_of(made))['digest'] == made.digest


def test_a_history_that_starts_with_a_tree_is_refused():
    made = searched(tictactoe.start, Search(20)).fork(10)
    with pytest.raises(ReplayError, match='this history at iteration 11: explore'):
        run_of(made)


@needs_node
def test_forks_and_what_if_are_shown_beside_their_history():
    base = searched(tictactoe.start, Search(60))
    fork = base.fork(20, Search(30, c=0.3))
    first, second = explore(base, fork).data['searches']
    assert (first['digest'], second['digest']) == (base.digest, fork.digest)
    elsewhere = searched(tictactoe.start, Search(60, c=0.2))
    for wrong in (elsewhere.fork(20), elsewhere.what_if(40, 0)):
        with pytest.raises(ReplayError, match='of another'):
            explore(base, wrong)
    for words in ((tictactoe.start,), (base, tictactoe.start)):
        with pytest.raises(TypeError, match='history'):
            explore(*words)


STEPS = """
const search = grow(told.search);
const steps = (k) => stepsOf(search, k).map((it) => [it.label, it.why]);
console.log(JSON.stringify(Array.from(search.leaf, (_, at) => steps(at + 1))));
"""


@needs_node
@pytest.mark.parametrize('width', [None, Width(1.5, 0.5)])
def test_a_search_that_was_told_proposals_is_replayed(width):
    """Its scores are shown unless more moves were asked for, which changes the priors."""
    asked = asking(Words(), RNG, Search(60, selection='puct', proposals=width), window=3)
    made = finished(asked, lambda request: said(request.path, request.known)).history()
    run = run_of(made)
    assert replayed(run)['digest'] == made.log.digest() != made.digest
    for k, steps in enumerate(node(STEPS, {'search': data_of(run)}), 1):
        assert [label for label, _ in steps] == [str(move) for move in made.why(k).path]
        assert width or not any('not in this page' in why for _, why in steps)
    assert explore(made).title == 'Words: puct c=1.25 first_play=0.5 network, 60 iterations'


@needs_node
@pytest.mark.parametrize('count', [1, 2])
def test_a_search_with_proposals_is_replayed(count):
    """A move that is proposed is no row before; the page knows at which visits one is."""
    start = Throw(long=3, count=count, kinds=6)
    made = history(start, RNG, Search(120, proposals=propose))
    run = run_of(made)
    assert replayed(run)['digest'] == made.log.digest() != made.digest
    for k, steps in enumerate(node(STEPS, {'search': data_of(run)}), 1):
        choices = made.why(k).choices
        assert [label for label, _ in steps] == [str(choice.move) for choice in choices]
        for choice, (_, why) in zip(choices, steps, strict=True):
            assert (choice.by == 'proposed') == (why == 'it is proposed at this visit')
            assert (choice.by == 'untried') == why.startswith('its first visit')
            assert (choice.by == 'only move') == (why == 'the only move')


def test_how_much_of_two_logs_is_written_is_heard():
    """Each node is heard twice: by its moves, and by its board."""
    runs = [run_of(searched(connect4.start, Search(40, c=c)), seeds=0) for c in (1.0, 1.5)]
    shares = []
    _data.data_of(*runs, watch=shares.append)
    assert len(shares) == sum(2 * len(run.nodes) for run in runs)
    assert shares == sorted(shares)
    assert 0.5 in shares
    assert (shares[0], round(shares[-1], 1)) == (0, 1)
