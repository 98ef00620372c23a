"""The presets of the five texts, against plain transcriptions of their programs."""

import math

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import SplitMix, analyse
from fmcts._arithmetic import logarithm_of
from fmcts.bots._presets import RECIPES
from fmcts.bots._spec import choices, parse_bot
from fmcts.errors import IterationsError
from fmcts.games import connect4, tictactoe
from fmcts.search._description import Search
from fmcts.search.methods import UCT, Baeldung
from fmcts.testing import generators, positions
from toy_games import play_line

STARTS = [tictactoe.start, connect4.start]


def bot(spec):
    return parse_bot(spec).unwrap()


def test_every_preset_states_its_differences():
    texts = (
        'Apprendre comment', 'Implémenter une IA', 'Exploration de', 'Baeldung', 'J. Méhat'
    )  # fmt: skip
    of_texts = {name for name, it in RECIPES.items() if it.source.startswith(texts)}
    assert len(of_texts) == 13
    assert of_texts == {name for name, it in RECIPES.items() if it.differs}


def test_the_search_of_each_preset():
    assert bot('dehos').search == Search(c=0.5, expansion='in-order', final='robust-of-all')
    assert bot('first-part:50').search == Search(50, expansion='in-order', final='ucb')
    assert bot('closing:50').search == Search(50, closing=True, expansion='in-order', final='ucb')
    assert bot('jump').search == Search(expansion='jump', closing=True, final='ucb')
    assert bot('rollout-expand').search == Search(
        rollout_expand=True, closing=True, expansion='in-order', final='ucb'
    )
    assert bot('baeldung').search.method == Baeldung(1.41, 10.0)
    assert bot('baeldung').search.iterations == 10_000
    assert bot('mehat-uct').search.method == UCT(math.sqrt(2))
    assert bot('mehat-mc:300') == bot('mc:300')
    assert bot('solver:50').search == Search(50, solver=True)
    assert bot('strong').search == Search(c=0.5, playout='patient', solver=True)


def test_only_parameters_left_open_by_the_text_are_options():
    assert bot('jump:20,c=0.5').search.c == 0.5
    assert [option for option, _ in choices('mehat-uct')] == ['c', 'max_nodes']
    assert [option for option, _ in choices('dehos')] == ['max_nodes']
    assert parse_bot('dehos:20,c=1').failure() == (
        "bot 'dehos:20,c=1': unknown option 'c'; dehos takes a number and the options max_nodes"
    )
    assert RECIPES['baeldung'].default == 10_000
    assert RECIPES['human'].default is None


def playout(state, rng):
    while not state.over:
        index, rng = rng.uniform(0, len(state.moves) - 1)
        state = state.play(state.moves[index])
    return state.winner, rng


class Node:
    """The Haskell text's `Node`; how many children are made is how many there are."""

    def __init__(self, state, player, parent=None):
        self.state, self.player, self.parent = state, player, parent
        self.reward, self.nsims, self.children = 0.0, 0, []

    def ucb1(self, node):
        exploration = math.sqrt(logarithm_of(1 + self.nsims) / node.nsims)
        return node.reward / node.nsims + 0.5 * exploration

    def select_ucb(self):
        chosen, highest = None, -1.0
        for child in self.children:
            if (score := self.ucb1(child)) > highest:
                chosen, highest = child, score
        return chosen


def dehos(state, rng, niters):
    """`genmove` of the text, with the generator threaded."""
    root = Node(state, state.player)
    for _ in range(niters):
        leaf = root
        while not leaf.state.over:
            last = len(leaf.children)
            if last < len(leaf.state.moves):
                after = leaf.state.play(leaf.state.moves[last])
                leaf.children.append(Node(after, leaf.state.player, leaf))
                leaf = leaf.children[-1]
                break
            leaf = leaf.select_ucb()
        winner, rng = playout(leaf.state, rng)
        node = leaf
        while node is not None:
            node.reward += 0.5 if winner is None else winner is node.player
            node.nsims += 1
            node = node.parent
    if len(root.children) < len(state.moves):
        return root, None, rng
    best = (-1, -1)
    for index, child in enumerate(root.children):
        if child.nsims > best[0]:
            best = child.nsims, index
    return root, best[1], rng


@pytest.mark.parametrize('start', STARTS)
@given(st.data(), generators(), st.integers(1, 150))
@settings(max_examples=25)
def test_dehos_matches_the_text_s_program(start, data, rng, iterations):
    state = data.draw(positions(start, running=True))
    root, chosen, rng_after = dehos(state, rng, iterations)
    search = bot(f'dehos:{iterations}').search
    if chosen is None:
        count = len(state.moves)
        with pytest.raises(IterationsError) as caught:
            analyse(state, rng, search)
        ending = 's' if iterations != 1 else ''
        assert str(caught.value) == (
            f'final robust-of-all needs a visit for each of the {count} moves, and {iterations} '
            f'iteration{ending} visited {iterations} of them: use more, or another final'
        )
        return
    analysis, after = analyse(state, rng, search, engine='persistent')
    assert (analysis.move, after) == (state.moves[chosen], rng_after)
    pairs = [*zip(analysis.tree.children, root.children, strict=True)]
    while pairs:
        node, plain = pairs.pop()
        assert (node.visits, node.reward) == (plain.nsims, plain.reward)
        pairs += zip(node.children, plain.children, strict=True)


class Link:
    """What the C text keeps of a branch: its tries, the sum of results, and the node, if made."""

    def __init__(self):
        self.tries, self.total, self.node = 0, 0.0, None


class Links:
    def __init__(self, state):
        self.state, self.tries = state, 0
        self.links = [Link() for _ in state.moves]


def mehat_uct(state, rng, descents):
    """`descendre` and `choisir`, as far as the text says what they do.

    Each branch once, in order; then mean + C sqrt(log(number of all tries)/tries of the branch).
    Where a link leads to no node one is added, and a playout started. Tries of a node are those
    that it was come to by.
    """
    c = math.sqrt(2)

    def choose(node):
        for link in node.links:
            if not link.tries:
                return link
        log = logarithm_of(node.tries)
        return max(node.links, key=lambda it: it.total / it.tries + c * math.sqrt(log / it.tries))

    def descend(node, rng):
        if node.state.over:
            node.tries += 1
            return node.state.winner, rng
        link = choose(node)
        if link.node is None:
            move = node.state.moves[node.links.index(link)]
            link.node = Links(node.state.play(move))
            link.node.tries = 1
            winner, rng = playout(link.node.state, rng)
        else:
            winner, rng = descend(link.node, rng)
        node.tries += 1
        link.tries += 1
        link.total += 0.5 if winner is None else winner is node.state.player
        return winner, rng

    root = Links(state)
    for _ in range(descents):
        _, rng = descend(root, rng)
    return root, rng


@pytest.mark.parametrize('start', STARTS)
@given(st.data(), generators(), st.integers(1, 150))
@settings(max_examples=25)
def test_mehat_uct_matches_the_text_s_program(start, data, rng, iterations):
    state = data.draw(positions(start, running=True))
    root, rng_after = mehat_uct(state, rng, iterations)
    search = bot(f'mehat-uct:{iterations}').search
    analysis, after = analyse(state, rng, search, engine='persistent')
    assert after == rng_after
    pairs = [(analysis.tree, root)]
    while pairs:
        node, plain = pairs.pop()
        assert node.visits == plain.tries
        made = [link for link in plain.links if link.node]
        assert [(it.visits, it.reward) for it in node.children] == [
            (it.tries, it.total) for it in made
        ]
        pairs += zip(node.children, (link.node for link in made), strict=True)


@pytest.mark.parametrize('start', STARTS)
@given(st.data(), generators(), st.integers(1, 200))
@settings(max_examples=20)
def test_mehat_mc_matches_the_text_s_program(start, data, rng, count):
    """Playouts that begin with each move; the move with the best results, the first of equals."""
    state = data.draw(positions(start, running=True))
    totals, expected_rng = [], rng
    for move in state.moves:
        after, total = state.play(move), 0.0
        for _ in range(max(1, count // len(state.moves))):
            winner, expected_rng = playout(after, expected_rng)
            total += 0.5 if winner is None else winner is state.player
        totals.append(total)
    move, rng_after = bot(f'mehat-mc:{count}')(state, rng)
    assert (move, rng_after) == (state.moves[totals.index(max(totals))], expected_rng)


def test_find_leaf_before_the_jump_never_returns_null():
    """Where closed nodes are left out, each descent makes a node until the tree is whole."""
    state = play_line(tictactoe.start, (4, 0, 2, 6))

    def size(state):
        return 1 + sum(size(state.play(move)) for move in state.moves)

    found, _ = bot('closing:100000').analyse(state, SplitMix.from_seed(0))
    assert found.iterations == size(state) - 1
    assert found.tree.visits == found.iterations
