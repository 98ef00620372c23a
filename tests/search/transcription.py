"""UCT written naively: an independent statement that the engines are compared with.

For any number of players, with chance and with rewards on the way. Where searches differ is told by
functions; those of UCT are below. What follows a state is added up from the end back, and every
player's sum is kept; the library does it on the way, and for the mover alone.
"""

import itertools
import math
from collections import defaultdict

from attrs import frozen

from fmcts import Player, Search, analyse
from fmcts._arithmetic import logarithm_of
from fmcts.game import key_of
from fmcts.testing import positions

ROOT_OF_2 = math.sqrt(2)


class Node:
    """A state, how it was reached, the rewards of all players summed, and children by index."""

    def __init__(self, state, move=None, parent=None):
        self.state, self.move, self.parent = state, move, parent
        if parent:
            self.mover = parent.state.player
        else:  # as if the other had moved; with more than two players nobody has
            self.mover = getattr(state.player, 'other', state.player)
        self.visits, self.sums = 0, [0.0] * len(players_in(state))
        self.children, self.kept = {}, defaultdict(float)

    @property
    def moves(self):
        return [outcome for outcome, _ in chances_in(self.state)] or self.state.moves

    @property
    def reward(self):
        return self.sums[players_in(self.state).index(self.mover)]

    def child(self, index):
        if index not in self.children:
            move = self.moves[index]
            self.children[index] = type(self)(self.state.play(move), move, self)
        return self.children[index]

    def all(self, depth=0):
        """Yield each node of the tree and its depth, in preorder."""
        yield depth, self
        for index in sorted(self.children):
            yield from self.children[index].all(depth + 1)


# ---- games ----


def players_in(state):
    return getattr(state, 'players', (Player.X, Player.O))


def chances_in(state):
    return getattr(state, 'chances', ())


def rewards_at(state):
    """What each player gets at the end of a game."""
    players = players_in(state)
    if hasattr(state, 'rewards'):
        return state.rewards
    if hasattr(state, 'gained'):
        return (0.0,) * len(players)
    if state.winner is None:
        return (0.0,) if len(players) == 1 else (1 / len(players),) * len(players)
    return tuple(float(player == state.winner) for player in players)


def drawn(state, rng):
    """The index of an outcome, drawn by weight: one number below the sum of the weights."""
    urn = [at for at, (_, weight) in enumerate(state.chances) for _ in range(weight)]
    number, rng = rng.uniform(0, len(urn) - 1)
    return urn[number], rng


def returned(state, later, discount):
    """What reaching a state brings each player if so much follows; only moves take time."""
    gained = getattr(state, 'gained', (0.0,) * len(later))
    gained = gained if isinstance(gained, tuple) else (gained,)
    factor = 1.0 if chances_in(state) or state.over else discount
    return tuple(now + factor * more for now, more in zip(gained, later, strict=True))


def playout(pick, line, state, rng, left=math.inf):
    """The states of a playout of at most so many moves, by `pick`; moves are added to `line`."""
    states = [state]
    while not state.over and (left > 0 or chances_in(state)):
        chances = chances_in(state)
        if chances and not callable(chances):
            index, rng = drawn(state, rng)
            move, _ = chances[index]
        else:
            move, rng = pick(line, state, rng)
            left -= not chances
        line.append((state, move))
        state = state.play(move)
        states.append(state)
    return states, rng


def following(states, discount):
    """What follows the first of the states of a playout, for each player."""
    end = states[-1]
    found = rewards_at(end) if end.over else (0.0,) * len(players_in(end))
    for state in reversed(states[1:]):
        found = returned(state, found, discount)
    return found


def uniform(_line, state, rng):
    index, rng = rng.uniform(0, len(state.moves) - 1)
    return state.moves[index], rng


# ---- what UCT does at a node ----


def ucb1(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    return child.reward / child.visits + c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)


def in_order(node, rng):
    """The index of the move to try, if one is left, by its place."""
    count = len(node.children)
    return (count if count < len(node.moves) else None), rng


def selected(_node, rng):
    """Moves are tried when their score asks for it."""
    return None, rng


def step(node, rng, score, expand):
    """The index of the move to make, and whether the iteration ends with it."""
    if chances_in(node.state):
        index, rng = drawn(node.state, rng)
        return index, index not in node.children, rng
    index, rng = expand(node, rng)
    if index is not None:
        return index, True, rng
    best = max(range(len(node.moves)), key=lambda index: score(node, index))  # the first of equals
    return best, best not in node.children, rng


def nothing(*_, **__):
    """What most searches do after an iteration."""


def search(  # noqa: PLR0913 - what searches differ in
    root,
    rng,
    iterations,
    score=ucb1,
    *,
    expand=in_order,
    step=step,
    pick=uniform,
    judge=None,
    discount=1.0,
    horizon=math.inf,
    after=nothing,
    until=nothing,
):
    """Grow a root by so many iterations, or until it is solved; the root, and the generator.

    `judge`: what follows a state, in place of a playout, unless nothing does after the horizon.
    `after(path, line, end)` is called with the nodes of each iteration, its moves, each with the
    state where it was made, and its last state.
    """
    for _ in range(iterations):
        if until(root):
            break
        path, line, left, ends = [root], [], horizon, False
        while not (ends or (here := path[-1].state).over):
            if not chances_in(here):
                if left == 0:
                    break
                left -= 1
            index, ends, rng = step(path[-1], rng, score, expand)
            path.append(path[-1].child(index))
            line.append((here, path[-1].move))
        leaf = path[-1].state
        if judge and left > 0 and not leaf.over:
            states, later = [leaf], judge(leaf)
        else:
            states, rng = playout(pick, line, leaf, rng, left)
            later = following(states, discount)
        for node in reversed(path):
            if node is not root:
                later = returned(node.state, later, discount)
            node.visits += 1
            node.sums = [old + new for old, new in zip(node.sums, later, strict=True)]
        after(path, line, states[-1])
    return root, rng


def remembering(state, rng, iterations, rule):
    """Search with playouts that remember; return the root, what is remembered, and the generator.

    A rule has `choose(memory, before, state, rng)`, which gives a move and the generator, and
    `learn(memory, line, winner)`; the line is a list of pairs, player and key, and `before` the
    last of them.
    """
    memory = {}

    def named(line):
        return [(state.player, key_of(state, move)) for state, move in line]

    root, rng = search(
        Node(state),
        rng,
        iterations,
        pick=lambda line, state, rng: rule.choose(memory, *named(line[-1:]), state, rng),
        after=lambda _path, line, end: rule.learn(memory, named(line), end.winner),
    )
    return root, memory, rng


def normalised(c, means):
    """UCB1 with values mapped to [0, 1] as MuZero does, and what it keeps after an iteration.

    By the least and the highest of all `means` that moves of the tree have had; 1/2 while these are
    the same.
    """

    def score(node, index):
        child = node.children[index]
        value, least, most = child.reward / child.visits, min(means), max(means)
        value = (value - least) / (most - least) if most > least else 0.5
        return value + c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)

    def after(path, _line, _end):
        means.extend(node.reward / node.visits for _, node in itertools.pairwise(path))

    return score, after


# ---- trees, compared ----


def rows(root):
    """Depth, move, mover, visits and reward of every node, in preorder."""
    return [(depth, node.move, node.mover, node.visits, node.reward) for depth, node in root.all()]


def rows_of(node, depth=0):
    """The same of a tree of the library."""
    found = [(depth, node.move, node.mover, node.visits, node.reward)]
    for child in node.children:
        found += rows_of(child, depth + 1)
    return found


def kept(tree, name):
    """What the root keeps of the memory of that name."""
    (found,) = [each for each in tree.columns.memory if each.name == name]
    return dict(found.entries)


@frozen
class Rewarded:
    """A game between X and O, told by the rewards of its ends in place of a winner."""

    inner: object
    player = property(lambda self: self.inner.player)
    moves = property(lambda self: self.inner.moves)
    over = property(lambda self: self.inner.over)
    rewards = property(lambda self: rewards_at(self.inner) if self.over else ())

    def play(self, move):
        return Rewarded(self.inner.play(move))


class FrenchNode:
    """The `Node` of the French series, with the children by index.

    `closed` is as the first improvement has it.
    """

    def __init__(self, state, mover):
        self.state, self.mover, self.children = state, mover, {}
        self.visits, self.score, self.closed = 0, 0.0, False

    def child(self, index):
        if index not in self.children:
            state = self.state
            self.children[index] = FrenchNode(state.play(state.moves[index]), state.player)
        return self.children[index]

    def in_order(self):
        """The children in the order of the moves, which is not that of playouts."""
        return [child for _, child in sorted(self.children.items())]

    def best_open(self):
        return max((it for it in self.in_order() if not it.closed), key=self.uct)

    def uct(self, child):
        if child.visits == 0:
            return math.inf
        log = logarithm_of(1 + self.visits)
        return child.score / child.visits + ROOT_OF_2 * math.sqrt(log / child.visits)


def play_out(state, rng):
    while not state.over:
        index, rng = rng.uniform(0, len(state.moves) - 1)
        state = state.play(state.moves[index])
    return state, rng


def grown(state, rng, iterations, descend):
    """The root of the French program after so many iterations, and the generator.

    `descend(root, rng)` returns the path to a node, where its playout ends, and the generator.
    Flags go up with the result.
    """
    root = FrenchNode(state, state.player.other)
    for _ in range(iterations):
        if root.closed:
            break
        path, end, rng = descend(root, rng)
        for node in reversed(path):
            node.visits += 1
            node.score += 0.5 if end.winner is None else end.winner is node.mover
            explored = len(node.children) == len(node.state.moves)
            node.closed = explored and all(child.closed for child in node.children.values())
    return root, rng


def matches_french(start, data, rng, iterations, descend, **options):
    """Compare a search that closes, from a drawn position, with the text's program."""
    state = data.draw(positions(start, running=True))
    expected, rng_after = grown(state, rng, iterations, descend)
    search = Search(iterations, closing=True, **options)
    analysis, after = analyse(state, rng, search, engine='persistent')
    assert after == rng_after
    pairs = [(analysis.tree, expected)]
    while pairs:
        node, plain = pairs.pop()
        assert (node.state, node.visits, node.reward) == (plain.state, plain.visits, plain.score)
        assert node.columns.own == (float(plain.closed),)
        indices = sorted(plain.children)
        assert [child.move for child in node.children] == [node.moves[it] for it in indices]
        pairs += zip(node.children, plain.in_order(), strict=True)
