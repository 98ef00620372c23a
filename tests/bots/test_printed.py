"""`as_printed=on`: the texts' programs with their faults, against transcriptions of their code."""

import math

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import STOP, IllegalMoveError, Player, Search, SplitMix, walk
from fmcts._arithmetic import logarithm_of
from fmcts.bots import article_mc_pure, article_mc_state, monte_carlo
from fmcts.bots._presets import RECIPES
from fmcts.bots._spec import budget, choices, parse_bot
from fmcts.bots.montecarlo import evaluate
from fmcts.bots.printed import PrintedBot
from fmcts.errors import PrintedProgramError
from fmcts.games import connect4, tictactoe
from fmcts.testing import generators, positions

SERIES = ('first-part', 'closing', 'rollout-expand', 'jump')
RNG = SplitMix.from_seed(1)


def bot(name, iterations):
    return parse_bot(f'{name}:{iterations},as_printed=on').unwrap()


# ---- the French series' second part ----


class Crash(Exception):  # noqa: N818 - as the text's program ends
    pass


class Node:
    """The class of the text; `_children` in the order of their moves."""

    def __init__(self, parent, state, move=None):
        self._parent, self._state, self.move = parent, state, move
        self._children = []
        self._nombre_de_visites, self._score = 0, 0.0
        self._is_closed = self.get_move_count() == 0
        self._closed_children_count = 0

    def get_move_count(self):
        return len(self._state.moves)

    def add(self, move):
        self._children.append(Node(self, self._state.play(move), move))
        made = self._children[-1]
        self._children.sort(key=lambda child: self._state.moves.index(child.move))
        return made

    def expand_children(self):
        made = [child.move for child in self._children]
        return self.add(next(move for move in self._state.moves if move not in made))

    def is_fully_explored(self):
        return len(self._children) == self.get_move_count()

    def mean_for_who_moved_here(self):
        """Scores are X's; the text's are not printed."""
        mean = self._score / self._nombre_de_visites
        return mean if self._parent._state.player is Player.X else 1 - mean

    def get_best_child(self, c, *, eliminate_closed):
        best = None, -math.inf
        for child in self._children:
            if eliminate_closed and child._is_closed:
                continue
            score = math.inf
            if child._nombre_de_visites:
                log = logarithm_of(1 + self._nombre_de_visites)
                bonus = c * math.sqrt(log / child._nombre_de_visites)
                score = child.mean_for_who_moved_here() + bonus
            if score > best[1]:
                best = child, score
        if best[0] is None:
            raise Crash
        return best[0]

    def backpropagate(self, score):
        self._nombre_de_visites += 1
        self._score += score
        if self._is_closed:
            self._closed_children_count += 1
            if self.is_fully_explored() and self._closed_children_count == len(self._children):
                if self._parent is not None:
                    self._parent._is_closed = True
                    self._parent.backpropagate(score)
                return
            self._is_closed = False
        if self._parent is not None:
            self._parent.backpropagate(score)


def get_score(state):
    return {Player.X: 1.0, Player.O: 0.0, None: 0.5}[state.winner]


class Program:
    """The text's main loop, with what each of its sections changes."""

    def __init__(self, name, state, rng):
        self.root, self.rng, self.c = Node(None, state), rng, math.sqrt(2)
        self.closing = name != 'first-part'
        self.name, self.playouts, self.draws = name, 0, 0

    def rand_int(self, low, high):
        drawn, self.rng = self.rng.uniform(low, high)
        self.draws += 1
        return drawn

    def find_leaf(self):
        child = self.root
        while child.get_move_count() != 0:
            if len(child._children) < child.get_move_count():
                if self.name != 'jump':
                    return child.expand_children()
                tirage = self.rand_int(0, child.get_move_count())
                if tirage < len(child._children):
                    return child.expand_children()
            child = child.get_best_child(self.c, eliminate_closed=self.closing)
        return child

    def rollout(self, node):
        state = node._state
        while not state.over:
            state = state.play(state.moves[self.rand_int(0, len(state.moves) - 1)])
        node.backpropagate(get_score(state))

    def rollout_expand(self, node):
        current = node
        while current.get_move_count() > 0:
            index = self.rand_int(0, current.get_move_count() - 1)
            current = current.add(current._state.moves[index])
        node.backpropagate(get_score(current._state))

    def run(self, iterations):
        for _ in range(iterations):
            child = self.find_leaf()
            if child.get_move_count() != 0:
                (self.rollout_expand if self.name == 'rollout-expand' else self.rollout)(child)
                self.playouts += 1
            if self.closing and self.root._is_closed:
                raise AssertionError('the root is never closed')
        return self.root.get_best_child(self.c, eliminate_closed=False).move


# From near the end as well: that is where programs circle and crash.
anywhere = st.one_of(
    positions(tictactoe.start, running=True),
    positions(tictactoe.start, running=True, max_plies=7).filter(lambda it: len(it.moves) < 5),
    positions(connect4.start, running=True),
)


@pytest.mark.parametrize('name', SERIES)
@given(state=anywhere, rng=generators(), iterations=st.integers(1, 120))
@settings(max_examples=60)
def test_the_series_presets_match_the_printed_programs(name, state, rng, iterations):
    program = Program(name, state, rng)
    try:
        move = program.run(iterations)
    except Crash:
        with pytest.raises(PrintedProgramError, match='the printed program crashes in iteration'):
            bot(name, iterations)(state, rng)
        return
    analysis, after = bot(name, iterations).analyse(state, rng)
    assert (analysis.move, after, analysis.iterations) == (move, program.rng, iterations)
    assert analysis.tree.visits == program.playouts
    pairs = [(analysis.tree, program.root)]
    while pairs:
        node, plain = pairs.pop()
        assert (node.state, node.visits) == (plain._state, plain._nombre_de_visites)
        for_x = node.reward if node.mover is Player.X else node.visits - node.reward
        assert for_x == plain._score
        pairs += zip(node.children, plain._children, strict=True)


def crash_of(name, state, seed=1):
    """The iteration in which the transcription crashes."""
    program = Program(name, state, SplitMix.from_seed(seed))
    for number in range(1, 100_000):
        try:
            program.run(1)
        except Crash:
            return number
    raise AssertionError


@pytest.mark.parametrize('name', ['closing', 'rollout-expand'])
def test_a_crash_names_its_iteration(name):
    state = tictactoe.start.play(4).play(0).play(2).play(6)
    number = crash_of(name, state)
    printed = bot(name, number - 1).analyse(state, RNG)[0]
    assert printed.iterations == number - 1
    with pytest.raises(PrintedProgramError) as caught:
        bot(name, 10 * number)(state, RNG)
    assert str(caught.value) == (
        f'the printed program crashes in iteration {number}: it asks for the best child of a node '
        'whose children are all closed; leave out as_printed for the repaired program'
    )


def test_first_part_runs_in_circles():
    """More iterations change nothing any more; the repaired program goes on."""
    state = tictactoe.start.play(4).play(0).play(2).play(6)
    trees = {}
    for iterations in (300, 3000):
        analysis, rng = bot('first-part', iterations).analyse(state, RNG)
        trees[iterations] = analysis.digest, rng, analysis.tree.visits
        assert analysis.iterations == iterations
        assert all(not node.visits for node in walk(analysis) if node.state.over)
        repaired = parse_bot(f'first-part:{iterations}').unwrap().analyse(state, RNG)[0]
        assert repaired.tree.visits == iterations
    assert trees[300] == trees[3000]
    assert trees[300][2] < 300


def test_a_long_circle_costs_nothing():
    """A trillion iterations that change nothing are counted, not made."""
    end = tictactoe.parse('XOXOXO...').unwrap()
    analysis, _ = bot('first-part', 10**12).analyse(end, RNG)
    assert (analysis.iterations, analysis.tree.visits) == (10**12, 1)


def test_watch_and_root_moves():
    seen = []
    state = tictactoe.start.play(4)
    analysis, _ = bot('first-part', 50).analyse(state, RNG, watch=seen.append, root_moves=[8, 2])
    assert (seen[0], seen[-1], seen) == (0, 50, sorted(seen))
    assert [row.move for row in analysis.stats] == [2, 8]
    stopped, _ = bot('first-part', 50).analyse(state, RNG, watch=lambda _: STOP)
    assert 1 <= stopped.iterations < 50
    with pytest.raises(IllegalMoveError):
        bot('first-part', 50).analyse(state, RNG, root_moves=[4])


@pytest.mark.parametrize(
    'search', [Search(), Search(expansion='in-order', final='ucb', solver=True), 'closing']
)
def test_other_searches_are_refused(search):
    with pytest.raises(ValueError, match='as_printed needs one of the searches first-part, '):
        PrintedBot(search)


# ---- the Haskell article ----


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Jeu:
    """The article's `Tictactoe`: cells, possible moves, who is next and who after."""

    def __init__(self, grille, joueur, suivant):
        self.grille, self.joueur, self.suivant = grille, joueur, suivant
        self.coups = [cell for cell in range(9) if grille[cell] == '.']

    def jouer_coup(self, coup):
        assert coup in self.coups
        grille = self.grille[:coup] + self.joueur + self.grille[coup + 1 :]
        return Jeu(grille, self.suivant, self.joueur)

    def calculer_fin(self):
        for a, b, c in LINES:
            if self.grille[a] != '.' and self.grille[a] == self.grille[b] == self.grille[c]:
                return True, self.grille[a]
        return not self.coups, '.'


def jouer_jeu(jeu, rng):
    while True:
        if not jeu.coups:
            raise Crash  # an index into an empty vector
        index, rng = rng.uniform(0, len(jeu.coups) - 1)
        jeu = jeu.jouer_coup(jeu.coups[index])
        fini, vainqueur = jeu.calculer_fin()
        if fini:
            return vainqueur, rng


def bot_mc(max_sims, jeu, rng, *, backwards):
    nb_sims = max(1, max_sims // len(jeu.coups))
    pairs = []
    for coup in reversed(jeu.coups) if backwards else jeu.coups:
        wins = 0
        for _ in range(nb_sims):
            vainqueur, rng = jouer_jeu(jeu.jouer_coup(coup), rng)
            wins += vainqueur == jeu.joueur
        pairs.append((wins, coup))
    return pairs, max(pairs)[1], rng


def as_jeu(state):
    text = tictactoe.format(state).replace(' ', '').replace('\n', '')[:9]
    return Jeu(text, str(state.player), str(state.player.other))


@pytest.mark.parametrize(
    ('make', 'backwards'), [(article_mc_pure, True), (article_mc_state, False)]
)
@given(
    state=positions(tictactoe.start, running=True), rng=generators(), playouts=st.integers(1, 60)
)
@settings(max_examples=80)
def test_the_article_s_bots_match_the_printed_programs(make, backwards, state, rng, playouts):
    try:
        pairs, move, after = bot_mc(playouts, as_jeu(state), rng, backwards=backwards)
    except Crash:
        assert len(state.moves) == 1
        with pytest.raises(PrintedProgramError, match='it draws a move after the last cell'):
            make(playouts, as_printed=True)(state, rng)
        return
    analysis, end = make(playouts, as_printed=True).analyse(state, rng)
    assert (analysis.move, end) == (move, after)
    assert sorted((child.reward, child.move) for child in analysis.tree.children) == sorted(pairs)


def test_a_win_that_the_article_s_program_can_miss():
    """X's 7 completes 6 7 8; O's next stone, on 5 in one case of four, 3 4 5: listed earlier."""
    state = tictactoe.parse('...OO.X.X').unwrap()
    assert evaluate(state, 7, 400, RNG, count='wins')[0].reward == 400
    node, lost, _ = evaluate(state, 7, 400, RNG, count='wins', as_printed=True)
    assert node.reward + lost == 400
    assert 50 < lost < 150


@pytest.mark.parametrize('make', [article_mc_pure, article_mc_state])
def test_the_printed_bots_need_tictactoe(make):
    with pytest.raises(PrintedProgramError, match=r'as_printed needs tic-tac-toe, .* of Connect4 '):
        make(70, as_printed=True)(connect4.start, RNG)
    assert make(70)(connect4.start, RNG)[0] in connect4.start.moves


# ---- names ----


def test_which_bots_have_a_printed_variant():
    with_it = {name for name in RECIPES if ('as_printed', 'on or off') in choices(name)}
    assert with_it == {*SERIES, 'article-mc-pure', 'article-mc-state'}
    for name in SERIES:
        search = parse_bot(f'{name}:7,c=0.5').unwrap().search
        assert parse_bot(f'{name}:7,c=0.5,as_printed=on').unwrap() == PrintedBot(search)
        assert parse_bot(f'{name}:7,as_printed=off') == parse_bot(f'{name}:7')
        assert budget(PrintedBot(search)) == 7
    assert bot('article-mc-pure', 5) == article_mc_pure(5, as_printed=True) != article_mc_pure(5)
    assert monte_carlo(5) == parse_bot('mc:5').unwrap()
