"""Searches by methods, transcribed naively: dictionaries, one recursive call a level, the papers'
formulas written out. An independent statement that the engines are compared with."""

import math

from fmcts import Player
from fmcts.game import key_of
from fmcts.search._scoring import logarithm_of
from fmcts.search.methods.bayes import density, share_below


class Node:
    def __init__(self, state, mover, priors=None):
        self.state, self.mover = state, mover
        self.visits, self.reward, self.squares, self.score = 0, 0.0, 0.0, 0
        self.children = {}
        count = len(state.moves)
        self.priors = priors or [1.0 / count] * count if count else []
        self.amaf = [(0.0, 0.0)] * count
        self.table, self.parent, self.derived = {}, None, {}


ROOT_OF_2 = math.sqrt(2)


def ucb1(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    return child.reward / child.visits + c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)


def uct(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    return child.reward / child.visits + c * math.sqrt(logarithm_of(node.visits) / child.visits)


POISON = -(2**31)


def baeldung(node, index):
    child = node.children[index]
    spread = math.sqrt(logarithm_of(node.visits) / child.visits)
    return child.score / child.visits + 1.41 * spread


def ucb1_tuned(node, index, *, c=1.0):
    child = node.children[index]
    ratio = logarithm_of(1 + node.visits) / child.visits
    mean = child.reward / child.visits
    bound = child.squares / child.visits - mean * mean + math.sqrt(2.0 * ratio)
    return mean + c * math.sqrt(ratio * (min(bound, 0.25)))


def amaf(node, index, *, alpha=0.5, c=ROOT_OF_2):
    visits, reward = node.amaf[index]
    return alpha * (reward / visits) + (1.0 - alpha) * ucb1(node, index, c=c)


def puct(node, index, *, c=1.25, first_play=0.5):
    child = node.children.get(index)
    visits = child.visits if child else 0
    mean = child.reward / visits if visits else first_play
    return mean + c * (node.priors[index] * math.sqrt(1.0 + node.visits) / (1.0 + visits))


def ucb_v(node, index, *, c=1.0, zeta=1.2):
    child = node.children[index]
    mean = child.reward / child.visits
    variance = max(0.0, child.squares / child.visits - mean * mean)
    explored = zeta * logarithm_of(1 + node.visits) / child.visits
    return mean + math.sqrt(2.0 * variance * explored) + 3.0 * c * explored


def ucb1_fpu(node, index, *, c=ROOT_OF_2, first_play=1.0):
    return ucb1(node, index, c=c) if index in node.children else first_play


def puct_reduced(node, index, *, c=1.25, reduction=0.33):
    tried = 0.0
    for other, prior in enumerate(node.priors):
        if other in node.children:
            tried += prior
    expected = value_for_the_side_to_move(node) - reduction * math.sqrt(tried)
    return puct(node, index, c=c, first_play=expected)


def value_for_the_side_to_move(node):
    if not node.visits:
        return 0.0
    passed = node.mover is node.state.player
    return (node.reward if passed else node.visits - node.reward) / node.visits


def progressive_bias(node, index, *, c=ROOT_OF_2, weight=1.0):
    bias = weight * node.priors[index] / (1.0 + node.children[index].visits)
    return ucb1(node, index, c=c) + bias


def widening(node, index, *, c=ROOT_OF_2, k=2.0):
    if index in node.children:
        return ucb1(node, index, c=c)
    if len(node.children) + 1 > k * math.sqrt(node.visits) + 1:
        return -math.inf
    left = [other for other in range(len(node.priors)) if other not in node.children]
    highest = max(node.priors[other] for other in left)
    return math.inf if node.priors[index] == highest else -math.inf


def rave(node, index, *, c=0.2, k=1000.0):
    visits = node.children[index].visits if index in node.children else 0
    return mixed(node, index, c, math.sqrt(k / (3 * visits + k)) if visits or k else 0.0)


def rave_silver(node, index, *, c=0.2, bias=0.02):
    n = node.children[index].visits if index in node.children else 0
    m, _ = node.amaf[index]
    return mixed(node, index, c, m / (n + m + 4 * bias * bias * n * m) if m else 1.0)


def mixed(node, index, c, beta):
    """An untried move is worth what AMAF says of it, if that counts and says anything."""
    visits, reward = node.amaf[index]
    if index in node.children:
        return (1.0 - beta) * ucb1(node, index, c=c) + beta * (reward / visits)
    return reward / visits if visits and beta else math.inf


def grave(node, index, *, ref=50, b=1e-5, c=0.0):
    reference = node
    while reference and not reference.visits > ref:
        reference = reference.parent
    move = node.state.player, key_of(node.state, node.state.moves[index])
    m, reward = reference.table.get(move, (0.0, 0.0)) if reference else (0.0, 0.0)
    n = node.children[index].visits if index in node.children else 0
    if not n:
        return reward / m if m else math.inf
    beta = m / (n + m + b * n * m)
    return (1.0 - beta) * ucb1(node, index, c=c) + beta * (reward / m if m else 0.0)


def implicit_minimax(node, index, *, alpha=0.25, c=ROOT_OF_2):
    child = node.children[index]
    known = (1.0 - alpha) * (child.reward / child.visits) + alpha * child.derived['minimax']
    return known + c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)


def minimax(heuristic=None):
    """What `search` takes as `derive` for implicit minimax."""

    def derive(node, worth):
        if worth is not None:
            if not node.state.over:
                for_x = heuristic(node.state) if heuristic else 0.5
                worth = for_x if node.mover is Player.X else 1.0 - for_x
            return {'minimax': worth}
        best = max(child.derived['minimax'] for child in node.children.values())
        return {'minimax': best if node.mover is node.state.player else 1.0 - best}

    return derive


def power_mean(node, index, *, p=2, c=ROOT_OF_2):  # noqa: ARG001 - it is that of `powers`
    child = node.children[index]
    bonus = c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)
    return child.derived['power_mean'] + bonus


def powers(*, p=2):
    def derive(node, worth):
        if worth is not None:
            return {'power_mean': worth}
        total = 0.0
        for _, child in sorted(node.children.items()):
            power = child.derived['power_mean']
            for _ in range(p.bit_length() - 1):
                power *= power
            total += child.visits * power
        mean = total / sum(child.visits for child in node.children.values())
        for _ in range(p.bit_length() - 1):
            mean = math.sqrt(mean)
        return {'power_mean': mean if node.mover is node.state.player else 1.0 - mean}

    return derive


def bayes_uct1(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    bonus = c * math.sqrt(logarithm_of(1 + node.visits) / child.visits)
    return child.derived['mean'] + bonus


def bayes_uct2(node, index, *, c=ROOT_OF_2):
    child = node.children[index]
    width = c * math.sqrt(logarithm_of(1 + node.visits))
    return child.derived['mean'] + width * math.sqrt(child.derived['variance'])


def highest(node, worth):
    """Distributions as Bayesian UCT has them; the normal one is the library's, tested by itself."""
    if worth is not None and node.state.over:
        return {'mean': worth, 'variance': 0.0}
    if worth is not None:  # Beta(a, b)
        a, b = 1.0 + worth, 2.0 - worth
        return {'mean': a / 3.0, 'variance': a * b / 36.0}
    mean = variance = None
    for _, child in sorted(node.children.items()):
        m, v = child.derived['mean'], child.derived['variance']
        mean, variance = (m, v) if mean is None else clark(mean, variance, m, v)
    return {
        'mean': mean if node.mover is node.state.player else 1.0 - mean,
        'variance': variance,
    }


def clark(m, v, m2, v2):
    """The first two moments of the greater of two normal variables, in Clark's notation."""
    if v + v2 == 0.0:
        return max(m, m2), 0.0
    a = math.sqrt(v + v2)
    alpha = (m - m2) / a
    phi = density(alpha)
    big_phi = share_below(alpha, phi)
    rest = 1.0 - big_phi
    nu1 = m * big_phi + m2 * rest + a * phi
    nu2 = (m * m + v) * big_phi + (m2 * m2 + v2) * rest + (m + m2) * a * phi
    return nu1, max(nu2 - nu1 * nu1, 0.0)


def search(  # noqa: C901 - in one piece
    state, rng, iterations, score, *, selected=False, prior=None, derive=lambda *_: {}
):
    """The root after so many iterations, and the generator.

    `selected`: moves are tried when their score asks for it; `prior`: as that of PUCT.
    `derive(node, worth)`: the derived numbers of a node, of which the iteration's end is worth that
    to its mover; above the end that is `None`.
    """

    def playout(state, rng):
        played = []
        while not state.over:
            index, rng = rng.uniform(0, len(state.moves) - 1)
            move = state.moves[index]
            played.append((state.player, key_of(state, move)))
            state = state.play(move)
        return state.winner, rng, played

    def mark(node, winner, played):
        worth = {None: 0.5, node.mover: 1.0}.get(winner, 0.0)
        node.visits += 1
        node.reward += worth
        node.squares += worth * worth
        if winner is node.mover and node.score != POISON:
            node.score += 10
        mine = {None: 0.5, node.state.player: 1.0}.get(winner, 0.0)
        for index, move in enumerate(node.state.moves):
            if (node.state.player, key_of(node.state, move)) in played:
                visits, reward = node.amaf[index]
                node.amaf[index] = visits + 1.0, reward + mine
        for player, key in {*played}:
            visits, reward = node.table.get((player, key), (0.0, 0.0))
            its = {None: 0.5, player: 1.0}.get(winner, 0.0)
            node.table[player, key] = visits + 1.0, reward + its

    def iterate(node, rng):
        moves = node.state.moves
        if node.state.over:
            mark(node, node.state.winner, [])
            node.derived = derive(node, worth_to(node.mover, node.state.winner))
            return node.state.winner, rng, []
        untried = [index for index in range(len(moves)) if index not in node.children]
        if untried and not selected:
            index = untried[0]
        else:
            index = max(range(len(moves)), key=lambda index: score(node, index))
        if index in node.children:
            winner, rng, played = iterate(node.children[index], rng)
        else:
            child = Node(after := node.state.play(moves[index]), node.state.player, given(after))
            node.children[index], child.parent = child, node
            winner, rng, played = playout(child.state, rng)
            mark(child, winner, played)
            child.derived = derive(child, worth_to(child.mover, winner))
        played.append((node.state.player, key_of(node.state, moves[index])))
        if node.children[index].state.over and winner is state.player.other:
            node.score = POISON
        mark(node, winner, played)
        node.derived = derive(node, None)
        return winner, rng, played

    def worth_to(player, winner):
        return {None: 0.5, player: 1.0}.get(winner, 0.0)

    def given(state):
        return prior and [*prior(state)]

    root = Node(state, state.player.other, given(state))
    for _ in range(iterations):
        _, rng, _ = iterate(root, rng)
    return root, rng


def agree(analysis, expected):
    """Whether a tree is that of `search`: visits, rewards, and the columns that it keeps."""
    pairs = [(analysis.tree, expected)]
    while pairs:
        node, plain = pairs.pop()
        if (node.visits, node.reward) != (plain.visits, plain.reward):
            return False
        kept = {
            'squares': plain.squares,
            'score': plain.score,
            **plain.derived,
            'prior': tuple(plain.priors),
            'heuristic': tuple(plain.priors),
            'amaf_visits': tuple(visits for visits, _ in plain.amaf),
            'amaf_reward': tuple(reward for _, reward in plain.amaf),
        }
        names, own, rows, _, table = node.columns
        if names.table and table.entries != plain.table:
            return False
        if any(kept[name] != own[place] for place, name in enumerate(names.own)):
            return False
        if any(kept[name] != tuple(rows[place]) for place, name in enumerate(names.moves)):
            return False
        indices = [node.moves.index(child.move) for child in node.children]
        if indices != sorted(plain.children):
            return False
        pairs += zip(node.children, map(plain.children.get, indices), strict=True)
    return True


assert Player.X.other is Player.O  # what `mark` relies on: every winner is one of the two, or None
