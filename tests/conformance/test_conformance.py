"""The conformance kit: dialects, traces and what is found in them, beside naive transcriptions."""

import json
import math
import runpy
import struct
import subprocess
import sys
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import pytest
from attrs import define, evolve, field
from returns.result import Success

from fmcts import EngineError, Player, SplitMix
from fmcts.conformance import (
    Dialect,
    Step,
    check,
    difference,
    drawn,
    expected,
    from_json,
    to_json,
    tree_of,
    trees,
)
from fmcts.conformance.__main__ import DIALECTS, main
from fmcts.conformance._engine import engine_trace

ROOT = Path(__file__).parents[2]
MCTX = Dialect('puct', 1.25, base=19652.0, expansion='selected', first_play=0.0)


def position(player, result, **moves):
    return {'player': player, 'result': result, 'moves': moves}


# ---- search as in the textbooks, and the faults that people write into it ----


@define(eq=False)
class Node:
    tree: object
    parent: object = None
    children: dict = field(factory=dict)
    visits: int = 0
    wins: float = 0.0  # of the player who chose this node
    sum_for_x: float = 0.0


def uct(tree, iterations, *, c=2**0.5, fault=None):
    """UCT: in order, ln N, rewards from 0 to 1. Yields the path, result, visits and values."""
    root = Node(tree)
    steps = []
    for _ in range(iterations):
        path, node = descend(root, c, fault)
        result = node.tree.result
        if fault == 'another result':
            result = node.tree.moves_to[0][1].result if node.tree.moves else result
        along = [node]
        while node.parent is not None:
            node = node.parent
            along.insert(0, node)
        ends_again = along[-1].visits > 0
        for depth, it in enumerate(along):
            if fault == 'finished games count once' and ends_again:
                break
            chooser = it.parent.tree.player if it.parent else tree.player
            if fault == 'the player to move gains':
                chooser = it.tree.player
            elif fault == 'sides alternate by depth':
                chooser = list(Player)[(depth + 1) % 2]
            elif fault == 'all gain as X does':
                chooser = Player.X
            it.visits += 1
            it.sum_for_x += result
            it.wins += result if chooser is Player.X else 1 - result
        below = 1 if fault == 'a mean of one too many' else 0
        values = tuple(it.sum_for_x / (it.visits + below) for it in along)
        steps.append(Step(path, result, tuple(it.visits for it in along), values))
    return steps


def descend(root, c, fault):
    path, node = [], root
    while node.tree.moves:
        untried = [move for move in node.tree.moves if move not in node.children]
        if untried:
            move = untried[-1 if fault == 'the last move first' else 0]
            node.children[move] = Node(node.tree.play(move), node)
            path.append(move)
            node = node.children[move]
            if fault == 'expands to the end':
                continue
            break

        def score(move, node=node):
            child = node.children[move]
            parent = node.visits + (fault == 'ln of one more')
            value = child.wins / child.visits
            if fault == 'half of c':
                return value + c / 2 * math.sqrt(math.log(parent) / child.visits)
            return value + c * math.sqrt(math.log(parent) / child.visits)

        moves = [*node.children]
        move = max(moves[::-1] if fault == 'ties to the last' else moves, key=score)
        path.append(move)
        node = node.children[move]
    return tuple(path), node


def muzero(tree, iterations, *, siblings=False, arithmetic=Fraction, ties=()):
    """mctx's MuZero policy with equal priors, transcribed: values from -1 to 1, by negamax.

    `arithmetic` rounds a fraction as the running means do; scores are computed in doubles. Of equal
    moves the one in the same place of `ties`, a list of paths, is taken, else the first.
    """

    def sign(node):
        return 1 if node.player is Player.X else -1

    visits, value, paths = {(): 1}, {(): arithmetic(sign(tree) * (2 * tree.result - 1))}, [()]
    for number in range(1, iterations):
        path, node = (), tree
        while True:
            n = visits[path]

            def score(move, n=n, path=path, node=node):
                after = (*path, move)
                tried = visits.get(after, 0)
                q = {
                    it: sign(node) * sign(node.play(it)) * value[*path, it]
                    for it in node.moves
                    if visits.get((*path, it), 0)
                }
                low, high = (-1, 1)
                if siblings:
                    around = (value[path], *q.values())
                    low, high = min(around), max(around)
                known = float(q.get(move, low) - low) / max(float(high - low), 1e-8)
                bonus = 1.25 + math.log((n + 19652 + 1) / 19652)
                return known + bonus * math.sqrt(n) / len(node.moves) / (1 + tried)

            scores = {move: score(move) for move in node.moves}
            equal = [move for move in scores if max(scores.values()) - scores[move] < 1e-6]
            move = next((it[len(path)] for it in ties[number:][:1] if it[: len(path)] == path), '')
            move = move if move in equal else equal[0]
            path, node = (*path, move), node.play(move)
            if node.over or path not in visits:
                break
        paths.append(path)
        gained = sign(node) * (2 * node.result - 1)
        for plies in range(len(path), -1, -1):
            here = path[:plies]
            mine = gained * sign(node) * sign(tree.at(here))
            seen = visits.get(here, 0)
            before = value.get(here, arithmetic(0))
            value[here] = arithmetic(arithmetic(before * seen + Fraction(mine)) / (seen + 1))
            visits[here] = seen + 1
    return paths


# ---- trees ----


def test_drawn_trees_are_games_of_the_given_size():
    for size in (2, 7, 30):
        tree, after = drawn(SplitMix.from_seed(size), size)
        assert tree.size == size
        assert drawn(SplitMix.from_seed(size), size) == (tree, after)
        assert tree_of(json.loads(json.dumps(tree.to_json()))) == tree
    sizes = [tree.size for tree in trees(SplitMix.from_seed(1), 60)]
    assert sizes == [2] * 20 + [3] * 20 + [4] * 20


# ---- dialects, engines and naive searches ----


@pytest.mark.parametrize('engine', ['persistent', 'monadic', 'inplace'])
@pytest.mark.parametrize('dialect', [*DIALECTS, Dialect(expansion='any')], ids=str)
def test_engines_search_as_their_dialects_say(engine, dialect):
    def run(tree, iterations):
        return engine_trace(tree, dialect, iterations, engine=engine)

    assert check(run, dialect, count=60, iterations=25) == Success(60)


@pytest.mark.parametrize('dialect', [it for it in DIALECTS if it.logarithm == 'N'], ids=str)
def test_vectors_equal_a_textbook_search(dialect):
    for tree in trees(SplitMix.from_seed(3), 200):
        steps = uct(tree, 30, c=dialect.c)
        assert expected(tree, dialect, 30) == steps == engine_trace(tree, dialect, 30)


@pytest.mark.parametrize('scale', ['fixed', 'siblings'])
def test_puct_equals_a_transcription(scale):
    def run(tree, iterations):
        paths = muzero(tree, iterations, siblings=scale == 'siblings')
        return [Step(path, tree.at(path).result) for path in paths]

    assert check(run, evolve(MCTX, scale=scale), count=150) == Success(150)


def test_dialects_that_no_engine_has_are_refused():
    tree, _ = drawn(SplitMix.from_seed(1), 5)
    for dialect in (MCTX, Dialect(ties='last'), Dialect(rewards=(-1.0, 1.0))):
        with pytest.raises(
            EngineError, match=r'^our engines have the dialects with the score ucb1'
        ):
            engine_trace(tree, dialect, 3)


def test_rewards_from_minus_one_are_the_same_search_with_half_of_c():
    for tree in trees(SplitMix.from_seed(4), 100):
        one = expected(tree, Dialect(c=0.75), 30)
        two = expected(tree, Dialect(c=1.5, rewards=(-1.0, 1.0)), 30)
        assert [it.path for it in one] == [it.path for it in two]


# ---- what is found ----

FAULTS = {
    'another result': 'iteration 1, result at ',
    'finished games count once': 'iteration 2, visits at the root: 1, expected 2',
    'the player to move gains': 'iteration 3, selection at the root: a with 1.1774 = 0.0000 + 1.',
    'sides alternate by depth': 'iteration 4, selection at a: ',
    'all gain as X does': 'iteration 4, selection at a: a with 1.4823 = 0.0000 + 1.4823, expe',
    'a mean of one too many': 'iteration 1, value at the root: 0.25, expected 0.5',
    'the last move first': 'iteration 1, expansion at the root: b, expected a',
    'expands to the end': 'iteration 1, leaf at a: continued with a, expected the end of the iter',
    'ln of one more': 'iteration 17, selection at the root: ',
    'half of c': 'iteration 5, selection at the root: ',
    'ties to the last': 'iteration 3, selection at the root: b with ',
}


@pytest.mark.parametrize('fault', FAULTS)
def test_faults_are_named_with_a_small_tree(fault):
    found = check(lambda *given: uct(*given, fault=fault), Dialect()).failure()
    assert str(found.difference).startswith(FAULTS[fault])
    assert found.tree.size <= 4
    assert str(found) == f'{found.difference}; {found.tree.size} positions: ' + json.dumps(
        found.tree.to_json(), separators=(',', ':')
    )


def test_an_iteration_that_ends_too_early_is_named():
    tree = tree_of(position('X', 0.5, a=position('O', 1.0, a=position('X', 0.0))))
    steps = [Step(('a',), 1.0), Step(('a',), 1.0)]
    assert str(difference(tree, Dialect(), steps)) == (
        'iteration 2, leaf at a: the end of the iteration, expected one of its moves'
    )


def test_a_trace_that_ends_early_and_a_misspelt_dialect_are_no_agreement():
    found = check(lambda tree, iterations: expected(tree, Dialect(), iterations - 1), Dialect())
    assert str(found.failure()).startswith('iteration 40, steps at the root: 39, expected 40; 3 p')
    with pytest.raises(ValueError, match=r"^ties must be one of first, last, any, not 'fist'"):
        Dialect(ties='fist')


# ---- files and pytest ----


def test_traces_of_files_are_checked(tmp_path, capsys):
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 40 * len(DIALECTS)
    file = tmp_path / 'traces.jsonl'
    file.write_text('\n'.join(lines))
    assert main([str(file)]) == 0
    assert capsys.readouterr().out.count('30 iterations as the dialect says') == len(lines)
    tree, dialect, steps = from_json(json.loads(lines[7]))
    steps[11] = evolve(steps[11], visits=(13, *steps[11].visits[1:]))
    file.write_text(json.dumps(to_json(tree, dialect, steps)))
    assert main([str(file)]) == 1
    assert capsys.readouterr().out.endswith('iteration 12, visits at the root: 13, expected 12\n')
    file.write_text(f'{lines[0]}\n{{}}\n')
    assert main([str(file)]) == 2
    assert capsys.readouterr().err == f"{file}:2: not a trace: 'dialect'\n"
    assert main([str(tmp_path / 'none')]) == 2
    assert 'No such file' in capsys.readouterr().err


def test_the_plugin_of_pytest(tmp_path):
    (tmp_path / 'test_mine.py').write_text(
        'from fmcts.conformance import Dialect, difference, expected\n'
        'def test_right(scripted_tree):\n'
        '    steps = expected(scripted_tree, Dialect(), 9)\n'
        '    assert difference(scripted_tree, Dialect(), steps) is None\n'
        'def test_wrong(scripted_tree):\n'
        '    steps = expected(scripted_tree, Dialect(expansion="last"), 9)\n'
        '    assert difference(scripted_tree, Dialect(), steps) is None\n'
    )
    plugin = () if 'fmcts' in _plugins() else ('-p', 'fmcts.conformance._pytest_plugin')
    given = ['-q', '-p', 'no:cacheprovider', '--rootdir', str(tmp_path), *plugin]
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', *given, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 'E       assert iteration 1, expansion at the root: b, expected a\n' in done.stdout
    assert 'FAILED' in done.stdout
    assert '::test_right[' not in done.stdout


def _plugins():
    from importlib.metadata import entry_points  # noqa: PLC0415

    return {it.name for it in entry_points(group='pytest11')}


# ---- other implementations ----

BLIND = tree_of(
    position('X', 0.5, a=position('O', 0.0, a=position('X', 1.0), b=position('X', 0.0)))
)
"""The smallest tree on which the package mcts differs: O may lose by a, and win by b."""


def test_the_package_mcts_lets_both_sides_win_for_x():
    """What it does on this tree (docs/conformance.md), a textbook with that fault does too."""
    theirs = [('a',), ('a', 'a'), ('a', 'b'), ('a', 'a')]
    faulty = uct(BLIND, 400, c=0.5, fault='all gain as X does')
    assert [step.path for step in faulty[:4]] == theirs
    assert [it.path for it in expected(BLIND, Dialect(c=0.5), 4)] == [*theirs[:3], ('a', 'b')]
    # So X believes that the move wins, which loses.
    assert faulty[-1].values[1] > 0.9
    assert uct(BLIND, 400, c=0.5)[-1].values[1] < 0.1


ROUNDED = tree_of(
    position(
        'X',
        0.5,
        a=position(
            'X',
            0.5,
            a=position('X', 0.5, a=position('X', 1.0, a=position('X', 0.0, a=position('O', 0.0)))),
        ),
        b=position('O', 0.5),
    )
)
"""A tree on which mctx in 32 bits differs from its own formulas."""


def test_mctx_takes_a_rounding_for_a_difference():
    """All values are 0 before the ninth iteration; in 32 bits that of a is 7.5e-9.

    Divided by at least 1e-8 it is 0.75. The paths are those of docs/conformance.md; in exact
    arithmetic the last is b.
    """

    def in_32_bits(number):
        return Fraction(struct.unpack('f', struct.pack('f', float(number)))[0])

    theirs = [tuple(path) for path in ('', 'a', 'b', 'aa', 'b', 'b', 'aaa', 'aaaa', 'aaaaa')]
    given = {'siblings': True, 'ties': theirs}
    assert muzero(ROUNDED, 9, arithmetic=in_32_bits, **given) == theirs
    assert muzero(ROUNDED, 9, **given) == [*theirs[:-1], ('b',)]
    steps = [Step(path, ROUNDED.at(path).result) for path in theirs]
    found = difference(ROUNDED, evolve(MCTX, scale='siblings', ties='any'), steps)
    assert str(found).startswith('iteration 9, selection at the root: a with 0.3537')


def test_mctspy_begins_with_the_last_move():
    """A textbook that takes untried moves from the end, and so prefers later ones."""
    dialect = Dialect(expansion='last', ties='last')
    for tree in trees(SplitMix.from_seed(5), 100):
        assert uct(tree, 30, fault='the last move first') == expected(tree, dialect, 30)


@pytest.mark.skipif(
    find_spec('pyspiel') is None or not (ROOT / 'benchmarks').is_dir(),
    reason='needs open_spiel and the folder benchmarks',
)
@pytest.mark.parametrize('name', ['by_openspiel', 'by_openspiel_in_c'])
def test_the_bots_of_openspiel(name):
    """Both score the move to a finished game by its result alone, also without their solver."""
    script = runpy.run_path(str(ROOT / 'benchmarks' / 'conformance.py'), run_name='conformance')
    dialect = evolve(script['OPENSPIEL'], finished='exact')
    assert check(script[name], dialect, count=80, iterations=20) == Success(80)
    found = check(script[name], script['OPENSPIEL'], count=80, iterations=20).failure()
    assert found.tree.size == 3
    assert found.difference.term == 'selection'
