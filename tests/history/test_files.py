"""Files: a saved search is loaded and continued as if uninterrupted; invalid files are refused."""

import gzip
import json
import re
from itertools import product

import pytest
from attrs import evolve
from hypothesis import assume, given, strategies as st

from fmcts import STOP, Search, SplitMix, StdGen, analyse, reroot
from fmcts.games import connect4, tictactoe
from fmcts.history import FileError, history, load, load_history, load_log, save
from fmcts.search import digest, plant
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import PUCT, RAVE, UCB1, Gumbel
from fmcts.search.policies import MAST
from fmcts.testing import generators, searches
from test_graph import running
from test_rewards import Ring
from tiers import is_interpreted, usually

from .conftest import SEARCHES, STARTS, halved

RNG = SplitMix.from_seed(21)
START = STARTS['connect4']


@pytest.fixture
def file(tmp_path):
    return tmp_path / 'file'


@pytest.mark.parametrize('name', SEARCHES)
@pytest.mark.parametrize('game', usually(['tictactoe'], ['tictactoe', 'connect4']))
def test_saving_and_loading_does_not_change_a_continued_search(name, game, file):
    search, state = SEARCHES[name], STARTS[game]
    half, rest = search.iterations // 2, search.iterations - search.iterations // 2
    begun, rng = analyse(state, RNG, evolve(search, iterations=half))
    assert save(file, begun, rng) == file.stat().st_size
    tree, rng = load(file, state)
    assert tree == begun.tree
    whole = analyse(state, RNG, search)
    if begun.iterations == half:
        assert analyse(state, rng, evolve(search, iterations=rest), tree=tree) == whole


@st.composite
def graph_searches(draw):
    """Draw a search by a rule of graphs, and a state that it supports."""
    if draw(st.booleans()):
        selection, rule = st.sampled_from(['ucb1', 'puct']), st.sampled_from(['sound', 'naive'])
        return draw(running), draw(
            searches(max_iterations=60, selection=draw(selection), transpositions=draw(rule))
        )
    state = Ring(draw(st.integers(1, 3)), draw(st.booleans()))
    horizon = None if state.counted else draw(st.integers(1, 4))
    discount, normalised = draw(st.sampled_from([1.0, 0.5])), draw(st.booleans())
    options = {'discount': discount, 'horizon': horizon, 'normalised': normalised}
    return state, Search(60, c=3.0, transpositions='sound', **options)


@given(graph_searches(), generators())
def test_a_graph_is_saved_loaded_and_continued(files, drawn, rng):
    """The whole graph, and what is below its first move."""
    state, search = drawn
    begun, rng = analyse(state, rng, search)
    for root in (begun.tree, *(it.as_root() for it in begun.tree.children[:1] if it.moves)):
        save(files / 'graph', root, rng)
        tree, after = load(files / 'graph', root.state)
        assert (tree.iterations, after, digest(tree)) == (root.iterations, rng, digest(root))
        more, again = (analyse(root.state, rng, search, tree=it) for it in (root, tree))
        assert again == more


def test_positions_whose_repr_varies_are_recognised(file, monkeypatch):
    analysis, _ = analyse(START, RNG, Search(20))
    monkeypatch.setattr(type(START), '__repr__', lambda _: "S(taken={'pear', 'apple'})")
    save(file, analysis)
    monkeypatch.setattr(type(START), '__repr__', lambda _: "S(taken={'apple', 'pear'})")
    assert load(file, START)[0] == analysis.tree
    monkeypatch.setattr(type(START), '__repr__', lambda _: "S(taken={'pears', 'apple'})")
    with pytest.raises(FileError, match='belongs to another position'):
        load(file, START)


@pytest.mark.parametrize(
    ('name', 'engine'),
    usually(
        lambda case: is_interpreted(case[1]) or case[0] == 'plain',
        product(['plain', 'solver', 'grave', 'mast'], ['persistent', 'compiled']),
    ),
)
def test_every_engine_saves_the_same_bytes(engine, name, file):
    analysis, rng = analyse(START, RNG, SEARCHES[name], engine=engine)
    save(file, analysis, rng)
    expected = file.with_name('expected')
    save(expected, *analyse(START, RNG, SEARCHES[name], engine='inplace'))
    assert file.read_bytes() == expected.read_bytes()


def test_trees_alone_with_root_moves_and_subtrees(file):
    save(file, plant(START))
    assert load(file, START) == (plant(START), None)
    some, rng = analyse(START, StdGen(1, 2), Search(50), root_moves=[1, 4])
    save(file, some, rng)
    assert load(file, START) == (some.tree, rng)
    below = reroot(analyse(START, RNG, Search(200))[0], 3)
    save(file, below)
    tree, _ = load(file, below.state)
    assert tree.children == below.children


@pytest.mark.parametrize('name', [name for name, it in SEARCHES.items() if name != 'rule'])
def test_a_history_is_saved_and_loaded(name, file):
    h = history(STARTS['tictactoe'], RNG, SEARCHES[name], 'persistent')
    save(file, h)
    assert load_log(file) == h.log
    plain = SEARCHES[name].evaluate is None
    again = load_history(file, h.root.state, None if plain else SEARCHES[name])
    assert (again.tree, again.after, again.root) == (h.tree, h.after, h.root)
    assert again.log == h.log


@pytest.mark.parametrize('rule', [None, 'sound', 'naive'])
def test_a_fork_is_saved_with_its_root(file, rule):
    h = history(START, RNG, Search(100, transpositions=rule), root_moves=[0, 3, 5])
    fork = h.fork(60, Search(50, c=0.3, transpositions=rule), StdGen(5, 6))
    save(file, fork)
    assert load_history(file, START) == fork
    log = load_log(file)
    assert (log, log.digest(70)) == (fork.log, fork.at(70).digest)


def test_schedules_and_early_ends(file):
    for search in (Search(90, schedule='halving'), Search(90, schedule='shot')):
        h = history(START, RNG, search)
        save(file, h)
        assert load_history(file, START) == h
    won = tictactoe.parse('XO.XO....').unwrap()
    for state, search in ((START, Search(90, max_nodes=40)), (won, Search(90, solver=True))):
        h = history(state, RNG, search)
        assert h.last < search.iterations
        save(file, h)
        assert load_history(file, state) == h
    for known, search in ((None, Search(10**6)), (valued := Search(10**6, evaluate=halved),) * 2):
        h = history(START, RNG, search, watch=lambda done: STOP if done else None)
        save(file, h)
        assert load_history(file, START, known) == h
    again = load_history(file, START, evolve(valued, iterations=h.last))
    assert again.tree == h.tree
    solved = history(START, RNG, Search(200, stop=lambda stats: stats[0].visits > 1))
    assert solved.last == 100
    save(file, solved)
    with pytest.raises(FileError, match='its search has functions'):
        load_history(file, START)
    assert load_history(file, START, solved.search) == solved


PARTS = [
    {'selection': RAVE(c=0.1)},
    {'selection': PUCT(), 'playout': MAST(epsilon=0.5)},
    {'selection': Gumbel(c_scale=0.1), 'schedule': GumbelHalving(considered=4)},
]


@pytest.mark.parametrize('options', PARTS)
def test_parts_with_numbers_are_read_from_a_file(options, file):
    h = history(START, RNG, Search(20, **options))
    save(file, h)
    again = load_history(file, START)
    assert (again, again.search) == (h, h.search)


@pytest.mark.parametrize('text', ['exit()', 'RAVE(c=1)', 'RAVE(k=0)', 'RAVE', 'RAVE(**{})', '('])
def test_no_other_text_is_a_part(text, files):
    path = altered(files, 'history', lambda found: found['search'].update(selection=[text]))
    with pytest.raises(FileError, match='its search has functions, or parts that cannot be read'):
        load_history(path, START)


@pytest.fixture(scope='module')
def files(tmp_path_factory):
    """A file of each kind, and one to write to."""
    folder = tmp_path_factory.mktemp('files')
    save(folder / 'tree', *analyse(START, RNG, Search(40)))
    save(folder / 'history', history(START, RNG, Search(40)))
    return folder


def reads(path, kind):
    """What each function that reads files of that kind read, or its error as text."""
    readers = {'tree': [lambda: load(path, START)]}
    for read in readers.get(kind, [lambda: load_log(path), lambda: load_history(path, START)]):
        try:
            found = read()
        except FileError as error:
            found = str(error)
        assert not isinstance(found, str) or re.match(rf'{path}: .+$', found)
        yield found


@given(kind=st.sampled_from(['tree', 'history']), data=st.data())
def test_any_changed_byte_is_refused_in_one_line(kind, data, files):
    whole, path = (files / kind).read_bytes(), files / 'changed'
    place = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[place]))
    path.write_bytes(whole[:place])
    assert all(isinstance(it, str) for it in reads(path, kind))
    path.write_bytes(bytes([*whole[:place], other, *whole[place + 1 :]]))
    for found, as_it_was in zip(reads(path, kind), reads(files / kind, kind), strict=True):
        # The header of gzip says when and where it was written, which changes nothing.
        assert isinstance(found, str) or (place < 10 and found == as_it_was)


def altered(files, kind, change):
    """A file of that kind with other contents; its checksum is right."""
    found = json.loads(gzip.decompress((files / kind).read_bytes()))
    change(found)
    (files / 'altered').write_bytes(gzip.compress(json.dumps(found).encode()))
    return files / 'altered'


@given(data=st.data())
def test_any_changed_number_of_a_tree_is_refused(data, files):
    name = data.draw(st.sampled_from(['indexes', 'children', 'visits', 'rewards', 'mover']))
    other = data.draw(st.integers(-2, 50) | st.none() | st.just('x'))
    place = data.draw(st.integers(name == 'indexes', 40))

    def change(found):
        column = found['tree'][name]
        if name == 'mover':
            assume(other not in (1, -1))
            found['tree'][name] = other
        else:
            assume(column[place] != other)
            column[place] = other

    (found,) = reads(altered(files, 'tree', change), 'tree')
    assert isinstance(found, str)


@given(data=st.data())
def test_any_changed_number_of_a_log_is_refused(data, files):
    name = data.draw(st.sampled_from(['leaves', 'outcomes', 'made', 'parents', 'indexes', 'moves']))
    other, place = data.draw(st.integers(-2, 50)), data.draw(st.integers(0, 39))

    def change(found):
        column = found['log'][name]
        assume(column[place] != other)
        column[place] = other

    found, again = reads(altered(files, 'history', change), 'history')
    assert isinstance(found, str)
    assert not isinstance(again, str)  # which does not believe the log


@pytest.mark.parametrize(
    ('kind', 'changes', 'complaint'),
    [
        ('tree', {'kind': 'trees'}, "it holds a 'trees', expected a 'tree'"),
        ('tree', {'format': 'fmcts-file-9'}, 'expected one of the format fmcts-file-2'),
        ('tree', {'rng': 5}, 'contradict each other'),
        ('tree', {'rng': 'splitmix:x'}, 'its generator: '),
        ('tree', {'tree': {}}, "contradict each other (KeyError('state'))"),
        ('tree', {'digest': 'f' * 64}, 'by the rules of this game, has another digest'),
        ('history', {'search': {'iterations': 39}}, 'repeated, gives another tree'),
        ('history', {'search': {'iterations': 0}}, 'its search: iterations must be a whole number'),
        ('history', {'search': {'colour': 'blue'}}, 'has options unknown to this version'),
        ('history', {'search': {'reward': []}}, 'its search has functions'),
    ],
)
def test_other_contents_are_refused(kind, changes, complaint, files):
    path = altered(files, kind, lambda found: found.update(changes))
    assert complaint in [*reads(path, kind)][-1]


def test_foreign_and_older_files_are_refused_and_not_written_over(file):
    tree = analyse(START, RNG, Search(3))[0]
    old = b'fmcts-file-1\n{"kind": "tree", "fmcts": "0.0.9", "bytes": 3}\nxyz'
    for content, complaint in (
        (b'', 'not a file of fmcts'),
        (b'PK\x03\x04', 'not a file of fmcts'),
        (gzip.compress(b'[]'), 'not a file of fmcts'),
        (gzip.compress(b'[' * 10**5), 'it was altered or cut off'),
        (old, 'not a file of fmcts: expected one of the format fmcts-file-2'),
    ):
        file.write_bytes(content)
        with pytest.raises(FileError, match=complaint):
            load(file, START)
        if content:
            with pytest.raises(FileError, match='is not a file of fmcts; nothing was written'):
                save(file, tree)
            assert file.read_bytes() == content
    with pytest.raises(FileNotFoundError):
        load(file.with_name('nothing'), START)
    file.write_bytes(b'')  # as tempfile makes it
    save(file, tree)
    file.write_bytes(file.read_bytes()[:-9])
    save(file, tree)
    assert load(file, START)[0] == tree.tree


def test_another_position_of_the_same_shape_is_detected(file):
    """Connect Four after 2 and after 4 are mirror images."""
    save(file, analyse(connect4.start.play(2), RNG, Search(30))[0])
    with pytest.raises(FileError, match='it belongs to another position') as caught:
        load(file, connect4.start.play(4))
    there, here = str(caught.value).split(', ', 1)[1].split(' not ')
    assert there.rstrip(',') != here


def test_unsupported_values_cannot_be_saved(file):
    with pytest.raises(TypeError, match='a what_if is not saved itself: save its history'):
        save(file, history(START, RNG, Search(9)).what_if(1, 0.5))
    with pytest.raises(TypeError, match='tree must be a Node or an Analysis'):
        save(file, 'tree')
    with pytest.raises(TypeError, match='rng must be a SplitMix or a StdGen'):
        save(file, analyse(START, RNG, Search(3))[0], 'rng')


def test_a_search_with_functions_must_be_given_to_load(file):
    h = history(tictactoe.start, RNG, Search(30, evaluate=halved))
    save(file, h)
    with pytest.raises(FileError, match='pass the search to load_history'):
        load_history(file, tictactoe.start)
    assert load_history(file, tictactoe.start, h.search) == h
    for options, complaint in (
        ({'c': 0.5, 'iterations': 31}, r'its search is another: iterations=30, not 31; c=None, n'),
        (
            {'iterations': 9, 'selection': UCB1(c=0.5)},
            r"ns=30, not 9; selection='ucb1', not UCB1\(c=0",
        ),
        ({'evaluate': lambda _state: 0.25}, r'most likely a function \(evaluate\) is not pure, or'),
    ):
        with pytest.raises(FileError, match=complaint):
            load_history(file, tictactoe.start, evolve(h.search, **options))
