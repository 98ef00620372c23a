"""Analyses as JSON: the text describes the tree, and the schema the text."""

import json
from itertools import product

import pytest
from attrs import evolve, frozen

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import connect4, find_game, othello, tictactoe
from fmcts.search._as_json import SCHEMA, tree_as_json
from fmcts.search.resolution.solver import proof_at
from test_returns import Coins
from tiers import usually

jsonschema = pytest.importorskip('jsonschema', reason='jsonschema is not installed')
RNG = SplitMix.from_seed(1)

SEARCHES = [
    (tictactoe.start, Search(200)),
    (tictactoe.start.play(4).play(1), Search(3000, solver=True)),
    (tictactoe.start, Search(300, solver=True, bounds=True, selection='rave')),
    (connect4.start, Search(150, selection='puct', expansion='selected')),
    (connect4.start, Search(150, transpositions='sound')),
    (othello.start, Search(60, reward=lambda _state: 1 / 3, max_plies=200)),
    (find_game('nim:3,4').unwrap().start, Search(90)),
    (Coins(), Search(300, c=20.0, solver='exact')),
]


@pytest.mark.parametrize('case', range(len(SEARCHES)))
@pytest.mark.parametrize(
    ('depth', 'least'),
    usually([(0, 0), (3, 5), (None, 1)], [*product((0, 1, 3), (0, 5)), (None, 1)]),
)
def test_the_text_describes_the_tree(case, depth, least):
    analysis, _ = analyse(SEARCHES[case][0], RNG, SEARCHES[case][1])
    if depth is None and analysis.tree.transpositions:
        depth = 4  # unfolded, a graph has no end
    found = json.loads(analysis.to_json(depth, least))
    jsonschema.validate(found, SCHEMA)
    assert (found['move'], found['digest']) == (analysis.move, analysis.digest)
    assert found['principal_variation'] == list(analysis.principal_variation)
    waiting = [(analysis.tree, found['tree'], 0)]
    while waiting:
        node, text, level = waiting.pop()
        assert (text['move'], text['mover']) == (node.move, str(node.mover))
        assert text['player'] == (None if node.state.over else str(node.state.player))
        assert (text['visits'], text['reward'], text['value'], text['moves']) == (
            node.visits,
            node.reward,
            node.value,
            len(node.moves),
        )
        proof = proof_at(node)
        assert text['proof'] == (
            None if proof is None else {'outcome': proof.outcome, 'plies': proof.plies}
        )
        shown = [child for child in node.children if child.visits >= least and level != depth]
        assert len(text['children']) == len(shown)
        assert text['hidden'] == len(node.children) - len(shown)
        waiting += zip(shown, text['children'], [level + 1] * len(shown), strict=True)


def test_the_schema_accepts_the_text_and_nothing_else():
    """It refuses what is missing, what is more, and what is of another kind."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    found = json.loads(analyse(tictactoe.start, RNG, Search(9))[0].to_json())
    for wrong in (
        {name: value for name, value in found.items() if name != 'tree'},
        found | {'more': 1},
        found | {'value': None},
        found | {'format': 'fmcts-analysis-2'},
        found | {'tree': found['tree'] | {'mover': 0}},
        found | {'tree': found['tree'] | {'visits': -1}},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA)


@frozen
class Corridor:
    """One move a ply, for a long time; the move is a pair of objects."""

    left: int = 3000
    player: Player = Player.X

    moves = property(lambda self: ((self.left, 'on'),) if self.left else ())
    over = property(lambda self: not self.left)
    winner = property(lambda self: Player.X if self.over else None)

    def play(self, move):
        assert move in self.moves
        return evolve(self, left=self.left - 1, player=self.player.other)


def test_deep_trees_are_written():
    """Deeper than Python would recurse, or its own reader of JSON."""
    analysis, _ = analyse(Corridor(), RNG, Search(1200, evaluate=lambda _state: 0.5))
    text = tree_as_json(analysis.tree, None, 0)
    assert text.count('"move": [') == 1200
    assert text.endswith(']}' * 1201)
    shallow = json.loads(tree_as_json(analysis.tree, 2, 0))
    assert shallow['children'][0]['children'][0]['move'] == [2999, 'on']


@frozen
class Odd(Corridor):
    """Its moves have no form in JSON."""

    left: int = 2

    moves = property(lambda self: (frozenset({self.left}),) if self.left else ())


def test_moves_without_a_json_form_are_refused_by_name():
    analysis, _ = analyse(Odd(), RNG, Search(5))
    with pytest.raises(TypeError, match=r'the move frozenset\(\{2\}\) has no form in JSON: give f'):
        analysis.to_json()
    found = json.loads(analysis.to_json(format_move=lambda move: str(*move)))
    assert found['principal_variation'] == ['2', '1']


@pytest.mark.parametrize(('name', 'value'), [('depth', -1), ('depth', 1.5), ('min_visits', '2')])
def test_invalid_arguments_are_refused(name, value):
    analysis, _ = analyse(tictactoe.start, RNG, Search(5))
    with pytest.raises(ValueError, match=f'{name} must be a whole number of at least 0, not'):
        analysis.to_json(**{name: value})
