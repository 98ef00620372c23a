"""JavaScript replays a search from its log: the choices, the bytes of the tree, the digest."""

import hashlib

import pytest
from attrs import frozen

from fmcts import Search
from fmcts.explore import ReplayError, explore
from fmcts.explore._boards import boards_of
from fmcts.explore._data import fork_of, run_of, search_data, what_if_of
from fmcts.games import connect4, othello, tictactoe
from fmcts.games.chance import bearoff, mnk3, pig, tiles
from fmcts.history import history
from fmcts.search._arithmetic import logarithms
from fmcts.search._digest import serialise
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import Gumbel, ImplicitMinimax, Method
from fmcts.search.resolution.solver import proof_at, proof_number, proof_of
from fmcts.view import notation_of
from in_node import RNG, needs_node, node, searched
from lines import play_line
from naive_batches import network
from tiers import exhaustive
from urns import URNS

REPLAY = """
const search = grow(told.search);
const found = {
  paths: Array.from(search.leaf, (leaf) => search.line(leaf).map((it) => search.index[it])),
  leads: search.leads.map((it) => [it.k, search.labelAt(0, it.index)]),
  versions: told.at.map((k) => Buffer.from(serialise(search, search.version(k))).toString('hex')),
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


def paths_of(made):
    """The indices of the moves of each iteration, by Python's reasons."""
    for k in range(1, made.last + 1):
        state, found = made.root.state, []
        for move in made.why(k).path:
            found.append(state.moves.index(move))
            state = state.play(move)
        yield found


@needs_node
def test_every_version_of_plain_search_is_replayed_to_the_byte():
    made = searched(connect4.start.play(3), Search(120))
    at = [1, 2, 30, 64, 65, 119, 120, 3]
    found = replayed(run_of(made), at)
    assert found['paths'] == [*paths_of(made)]
    assert found['versions'] == [serialise(made.at(k).tree).hex() for k in at]
    assert found['digest'] == made.digest
    assert found['leads'] == [[lead.iteration, str(lead.move)] for lead in made.leaders()]


METHODS = [
    'uct',
    'ucb1-tuned',
    'ucb-v',
    'ucb1-fpu',
    'puct',
    'puct-reduced',
    'progressive-bias',
    'widening',
]


@needs_node
@pytest.mark.parametrize('name', METHODS)
@pytest.mark.parametrize('start', [tictactoe.start, exhaustive(othello.start)])
def test_methods_by_formulas_are_replayed_to_the_byte(start, name):
    made = searched(start, Search(120, selection=name))
    found = replayed(run_of(made), [60, 120])
    assert found['versions'] == [serialise(made.at(k).tree).hex() for k in (60, 120)]
    assert found['digest'] == made.digest


@needs_node
@pytest.mark.parametrize(
    'options',
    [
        {'expansion': 'random'},
        {'final': 'max'},
        {'final': 'ucb'},
        {'final': 'robust-of-all'},
        {'final': lambda edge, _parent: edge.value - 1.0 / edge.visits},
        {'max_nodes': 60},
        {'evaluate': lambda state: 0.25 + 0.125 * len(state.moves) / 9, 'evaluate_after': 1},
        {'playout': 'decisive'},
    ],
    ids=['random', 'max', 'ucb', 'robust-of-all', 'own-final', 'max_nodes', 'evaluate', 'decisive'],
)
def test_options_are_replayed(options):
    made = searched(tictactoe.start, Search(120, **options))
    found = replayed(run_of(made))
    assert found['digest'] == made.digest
    assert found['leads'] == [[lead.iteration, str(lead.move)] for lead in made.leaders()]


@needs_node
@pytest.mark.parametrize(
    'options',
    [
        {'batch': 1},
        {'batch': 16, 'selection': 'puct-reduced'},
        {'batch': 5, 'schedule': 'halving'},
        {'batch': 7, 'solver': True},
    ],
    ids=['1', '16', '5-halving', '7-solver'],
)
def test_batches_for_a_network_are_replayed(options):
    start = tictactoe.start.play(4).play(1)
    made = searched(start, Search(60, network=network, **options))
    at = [1, 6, 16, 20, 33, made.last]
    found = replayed(run_of(made), at)
    assert found['paths'] == [*paths_of(made)]
    assert found['versions'] == [serialise(made.at(k).tree).hex() for k in at]
    assert found['digest'] == made.digest
    assert found['leads'] == [[lead.iteration, str(lead.move)] for lead in made.leaders()]


SCORES = """
const search = grow(told.search);
const scores = (k) => scoresOf(search, metBy(search, k), 0, rulesAt(search, k).method).scores;
console.log(JSON.stringify(told.at.map(scores)));
"""


@needs_node
def test_the_page_and_python_compare_the_same_scores_in_a_batch():
    search = Search(60, network=network, batch=16, selection='puct-reduced')
    made = searched(tictactoe.start.play(4).play(1), search)
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
        assert found['versions'] == [serialise(it.tree).hex() for it in versions]


def judged(state):
    return 0.25 + len(state.moves) / 40


def in_words(options):
    known = {name: it if isinstance(it, str) else type(it).__name__ for name, it in options.items()}
    return ' '.join(f'{name}={it}' for name, it in known.items())


RESOLVED = [{'solver': True}, {'solver': True, 'bounds': True}, {'closing': True}]
EXPANDED = [
    {'expansion': 'full'},
    {'expansion': 'jump'},
    {'schedule': 'halving'},
    {'schedule': 'shot'},
]
DERIVED = [
    {'selection': ImplicitMinimax(heuristic=judged), 'solver': True},
    {'selection': 'power-mean', 'bounds': True, 'solver': True},
    {'selection': 'bayes-uct2', 'closing': True},
]
COMBINED = [
    {'selection': 'baeldung', 'expansion': 'full', 'final': 'first-robust'},
    {'expansion': 'jump', 'solver': True},
    {'expansion': 'full', 'solver': True, 'final': 'ucb'},
    {'selection': 'ucb1-tuned', 'expansion': 'random', 'solver': True},
    {'expansion': 'random', 'schedule': 'halving'},
    {'expansion': 'jump', 'schedule': 'halving'},
]


@needs_node
@pytest.mark.parametrize('options', [*RESOLVED, *EXPANDED, *DERIVED, *COMBINED], ids=in_words)
def test_derived_columns_and_draws_are_replayed(options):
    made = searched(tictactoe.start.play(4).play(1), Search(250, **options))
    found = replayed(run_of(made), [made.last // 2])
    assert found['versions'] == [serialise(made.at(made.last // 2).tree).hex()]
    assert found['digest'] == made.digest
    assert found['leads'] == [[lead.iteration, str(lead.move)] for lead in made.leaders()]


CHANCE = {
    'pig-full': (pig.start(12), {'expansion': 'full'}, 1.0),
    'pig-jump': (pig.start(12), {'expansion': 'jump', 'selection': 'ucb1-tuned'}, None),
    'bearoff-random': (bearoff.start(3).play((4, 1)), {'expansion': 'random'}, None),
    '2048': (tiles.start(2).play((0, 1)).play((3, 1)), {}, None),
    'mnk3': (mnk3.start(3, 3, 3), {'expansion': 'random'}, (0.0, 1.0, 0.0)),
    'urns': (URNS, {'selection': 'baeldung', 'expansion': 'full', 'final': 'first-robust'}, None),
}


@needs_node
@pytest.mark.parametrize('name', CHANCE)
def test_games_with_chance_or_other_players_are_replayed_to_the_byte(name):
    state, options, worth = CHANCE[name]
    made = searched(state, Search(60, **options))
    run = run_of(made)
    found = replayed(run, [30])
    assert found['versions'] == [serialise(made.at(30).tree).hex()]
    assert found['digest'] == made.digest
    write = notation_of(state).format_move
    assert found['leads'] == [[lead.iteration, write(lead.move)] for lead in made.leaders()]
    if worth is not None:
        k = next(k for k in range(30, 61) if made.why(k).playout)
        other = made.what_if(k, worth)
        assert replayed(what_if_of(run, other, ''))['digest'] == other.history.digest


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
def test_forks_are_replayed(first):
    base = searched(tictactoe.start, Search(100, expansion='random', solver=True))
    other = base.fork(first, Search(80, c=0.3, expansion='full', solver=True))
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


@frozen
class Branching(Method):
    def score(self, edge, _parent):
        return edge.value if edge.visits > 3.0 else 1.0


@frozen
class Counting(Branching):
    columns = ('lost',)

    def update(self, edge, reward):
        return (edge.lost + (1.0 if reward < 0.5 else 0.0),)


PARTLY = {
    'rave': {'selection': 'rave'},
    'grave-solver': {'selection': 'grave', 'solver': True},
    'mast': {'playout': 'mast', 'selection': 'ucb1-tuned'},
    'reply-solver': {'playout': 'last-good-reply', 'solver': True},
    'branching-update': {'selection': Counting(), 'solver': True},
}
WHOLE = {
    'gumbel': {'network': network, 'selection': Gumbel(), 'schedule': GumbelHalving()},
    'chains': {'rollout_expand': True},
    'chains-tuned': {'rollout_expand': True, 'selection': 'ucb1-tuned', 'solver': True},
    'branching-score': {'selection': Branching(), 'solver': True},
}


@needs_node
@pytest.mark.parametrize('name', [*PARTLY, *WHOLE])
def test_every_search_with_a_log_has_a_page(name):
    made = searched(tictactoe.start.play(4), Search(60, **(PARTLY | WHOLE)[name]))
    run = run_of(made)
    data = data_of(run)
    found = replayed(run)
    assert data['whole'] == (name in WHOLE)
    assert found['digest'] == (made.digest if name in WHOLE else made.log.digest())
    assert found['paths'] == [*paths_of(made)]
    assert found['leads'] == [[lead.iteration, str(lead.move)] for lead in made.leaders()]


@needs_node
def test_scores_are_shown_unless_they_need_what_a_page_lacks():
    for name, there in (('mast', True), ('rave', False), ('gumbel', False)):
        made = searched(tictactoe.start.play(4), Search(60, **(PARTLY | WHOLE)[name]))
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
    other = base.what_if(40, 1.0 - base.why(40).outcome)
    for against, digest in ((fork, fork.digest), (other, other.history.digest)):
        first, second = explore(base, against).data['searches']
        assert (first['digest'], second['digest']) == (base.digest, digest)
        assert node(REPLAY, {'search': second, 'at': ()})['digest'] == digest
    elsewhere = searched(tictactoe.start, Search(60, c=0.2))
    for wrong in (elsewhere.fork(20), elsewhere.what_if(40, 0)):
        with pytest.raises(ReplayError, match='of another'):
            explore(base, wrong)
    for words in ((tictactoe.start,), (base, tictactoe.start)):
        with pytest.raises(TypeError, match='history'):
            explore(*words)
