"""The named bots: one recipe each in `RECIPES`, including the bots of the five source texts.

A preset is a `Search` or a flat Monte-Carlo bot that does what its text says. Only what the text
leaves open can be set, and limits that do not change the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import attrs

from fmcts.bots._bot import Bot
from fmcts.bots._random import random_bot
from fmcts.bots._solving import AlphaBetaBot
from fmcts.bots._treesearch import mcts
from fmcts.bots.montecarlo import MonteCarlo, article_mc_pure, article_mc_state
from fmcts.bots.printed import PrintedBot
from fmcts.search._description import Search
from fmcts.search.methods import METHODS
from fmcts.solve import AlphaBeta


def numbers_of(selection: str) -> tuple[str, ...]:
    """Return the names of a method's numeric parameters, except `c`.

    >>> numbers_of('rave')
    ('k',)
    """
    return tuple(name for name in METHODS[selection]().parameters if name != 'c')


def _selections_with() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for selection in METHODS:
        for name in numbers_of(selection):
            found[name] = (*found.get(name, ()), selection)
    return found


SELECTIONS_WITH: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_selections_with())
"""The selections that have a parameter, by the parameter's name."""


def with_numbers(search: Search, numbers: Mapping[str, float]) -> Search:
    """Return the search, selected by name, with these values of its method's parameters.

    :raises ValueError: its selection has no such parameter, or refuses the value.

    >>> with_numbers(Search(selection='rave'), {'k': 500.0}).method
    RAVE(c=0.2, k=500.0)
    >>> with_numbers(Search(), {'k': 500.0})
    Traceback (most recent call last):
    ValueError: k belongs to selection widening or rave, not to ucb1
    """
    name = str(search.selection)
    for key in numbers:
        if name not in SELECTIONS_WITH[key]:
            having = ' or '.join(SELECTIONS_WITH[key])
            raise ValueError(f'{key} belongs to selection {having}, not to {name}')
    if not numbers:
        return search
    kind = METHODS[name]
    given = {**numbers} if search.c is None else {**numbers, 'c': search.c}
    return attrs.evolve(search, selection=kind(**given), c=None)


AnyBot: TypeAlias = Bot[Any, Any, Any]


@attrs.frozen
class Human:
    """A person at a terminal, in place of a bot; it cannot be called."""


@attrs.frozen
class Recipe:
    """A way to make a bot from a name and its options.

    `pattern` is a frozen attrs value (or `None`, if nothing can be set). Its field `number` is set
    by the number after the colon, its fields `options` by name; their types say how text is read.
    `bot` makes the bot from the pattern. `about` is a short description, `source` the text it comes
    from, if any. `numbers` are parameters of methods that can also be set, if the
    pattern is a search. `differs` says in one line how the bot
    differs from its source. `printed` makes the bot that runs the source's program as printed,
    faults included; then `as_printed` is among the options.
    """

    about: str
    bot: Callable[[Any], AnyBot | Human]
    pattern: Any = None
    number: str = ''
    options: tuple[str, ...] = ()
    source: str = ''
    numbers: tuple[str, ...] = ()
    differs: str = ''
    printed: Callable[[Any], AnyBot] | None = None

    @property
    def settings(self) -> tuple[str, ...]:
        """All names accepted before an equals sign."""
        return (self.number, *self.options, *self.numbers) if self.number else ()

    @property
    def default(self) -> int | None:
        """The default number; `None` for a bot that takes none."""
        return getattr(self.pattern, self.number) if self.number else None


def _searching() -> tuple[str, ...]:
    """Return the options of a search that can be given as text, which excludes functions."""
    functions = 'evaluate', 'evaluate_after', 'network', 'batch', 'reward', 'stop'
    return _field_names(Search, 'iterations', *functions)


def _field_names(kind: type, *but: str) -> tuple[str, ...]:
    return tuple(name for name in attrs.fields_dict(kind) if name not in but)


def _itself(bot: AnyBot) -> AnyBot:
    return bot


def _tree_search(about: str, search: Search, *options: str, **more: Any) -> Recipe:
    """Return the recipe of a tree search; without `options`, only its number can be set."""
    return Recipe(about, mcts, search, 'iterations', options, **more)


def _flat(about: str, bot: MonteCarlo, *options: str, **more: Any) -> Recipe:
    """Return the recipe of a flat Monte-Carlo bot; its number and `options` can be set."""
    return Recipe(about, _itself, bot, 'playouts', options, **more)


def _original(about: str, search: Search, *left_open: str, **more: Any) -> Recipe:
    """Return the recipe of a text's search; `left_open` and `max_nodes` can be set."""
    return _tree_search(about, search, *left_open, 'max_nodes', **more)


def _of_the_second_part(about: str, section: str, differs: str, search: Search) -> Recipe:
    """Return the recipe of a program of the second part, which can also be run as printed."""
    source = f'{SECOND_PART}, {section}'
    options = 'c', 'as_printed'
    return _original(about, search, *options, source=source, differs=differs, printed=PrintedBot)


TICTACTOE_IN_HASKELL: Final = 'Apprendre comment implémenter une IA de jeu en Haskell'
CONNECT4_IN_HASKELL: Final = 'Implémenter une IA arborescente, en Haskell'
SECOND_PART: Final = 'Exploration de possibilités, partie 2'
IN_JAVA: Final = 'Baeldung, Monte Carlo Tree Search for Tic-Tac-Toe Game in Java'
IN_C: Final = "J. Méhat, MCTS : des étapes dans le développement d'un programme"

# The text has a clock and no number; the program that it links has 60 * (2 * (3 - 1) + 1) = 300
# milliseconds. With this many iterations its tic-tac-toe is a draw against itself, as the text
# says; with 3,000 not always.
IN_300_MS: Final = 10_000

AFTER_THE_END: Final = (
    'a game that is over is scored; printed, a move more is drawn, and from no cell it crashes'
)

VARIANTS: Final[tuple[tuple[str, str, Search, str], ...]] = (
    (
        'ucb1-tuned',
        'UCB1 with the variance of rewards',
        Search(selection='ucb1-tuned'),
        'Auer, Cesa-Bianchi and Fischer 2002',
    ),
    (
        'ucb-v',
        'a bound with the variance',
        Search(selection='ucb-v'),
        'Audibert, Munos and Szepesvari 2009',
    ),
    ('ucb1-fpu', 'UCB1, first-play urgency', Search(selection='ucb1-fpu'), 'Gelly and Wang 2006'),
    ('puct', 'priors and visits', Search(selection='puct'), 'Rosin 2011'),
    (
        'puct-reduced',
        'PUCT, untried moves by the parent',
        Search(selection='puct-reduced'),
        'Leela Chess Zero',
    ),
    ('widening', 'few moves first', Search(selection='widening'), 'Coulom 2007'),
    ('amaf', 'all moves as first', Search(selection='amaf'), 'Helmbold and Parker-Wood 2009'),
    ('rave', 'AMAF that fades with visits', Search(selection='rave'), 'Gelly and Silver 2007'),
    ('rave-silver', 'AMAF by its bias', Search(selection='rave-silver'), 'Gelly and Silver 2011'),
    ('solver', 'proves wins and losses', Search(solver=True), 'Winands, Björnsson and Saito 2008'),
    ('halving', 'sequential halving', Search(schedule='halving'), 'Karnin and others 2013'),
    ('shot', 'sequential halving in the tree', Search(schedule='shot'), 'Cazenave 2014'),
    ('decisive', 'playouts take a win', Search(playout='decisive'), 'Teytaud and Teytaud 2010'),
    (
        'anti-decisive',
        'playouts take a win and avoid a loss',
        Search(playout='anti-decisive'),
        'Teytaud and Teytaud 2010',
    ),
    (
        'mast',
        'playouts by the means of moves',
        Search(playout='mast'),
        'Finnsson and Björnsson 2008',
    ),
    (
        'nst',
        'playouts by the means of moves and replies',
        Search(playout='nst'),
        'Tak, Winands and Björnsson 2012',
    ),
    (
        'last-good-reply',
        'playouts by replies that won',
        Search(playout='last-good-reply'),
        'Drake 2009',
    ),
)
"""The field's variants: name, description, search and source."""

RECIPES: Final[Mapping[str, Recipe]] = MappingProxyType(
    {
        'random': Recipe('any legal move', lambda _: random_bot),
        'human': Recipe('you, at the terminal (fmcts play)', lambda _: Human()),
        'mc': _flat(
            'flat Monte-Carlo',
            MonteCarlo(),
            *_field_names(MonteCarlo, 'playouts', 'engine', 'as_printed'),
        ),
        'perfect': Recipe(
            'perfect play, by alpha-beta',
            lambda _: AlphaBetaBot(),
            source=f'{IN_C}, étape 6',
            differs='left open: ties (the soonest win, the latest loss, then the first move)',
        ),
        'alphabeta': Recipe(
            'alpha-beta to a depth of N plies; without N, to the end',
            AlphaBetaBot,
            AlphaBeta(),
            'depth',
            _field_names(AlphaBeta, 'depth', 'evaluate'),
            'Knuth and Moore 1975',
        ),
        'mcts': _tree_search(
            'tree search',
            Search(),
            *_searching(),
            source='Kocsis and Szepesvari 2006',
            numbers=tuple(SELECTIONS_WITH),
        ),
        'article-mc-pure': _flat(
            'botMc of the Haskell article, I-C',
            article_mc_pure(1000),
            'as_printed',
            source=TICTACTOE_IN_HASKELL,
            differs=AFTER_THE_END,
        ),
        'article-mc-state': _flat(
            'botMc of the Haskell article, I-D',
            article_mc_state(1000),
            'as_printed',
            source=TICTACTOE_IN_HASKELL,
            differs=AFTER_THE_END,
        ),
        'dehos': _original(
            'tree search for Connect Four, c = 0.5',
            Search(c=0.5, expansion='in-order', final='robust-of-all'),
            source=CONNECT4_IN_HASKELL,
            differs='another generator; the search is the same',
        ),
        'first-part': _of_the_second_part(
            'the program that the second part improves',
            'programme principal',
            'finished nodes are backed up; printed, they are not, and it goes round in circles',
            Search(expansion='in-order', final='ucb'),
        ),
        'closing': _of_the_second_part(
            'explored branches are closed',
            'Fermeture de branches',
            'finished nodes close their parents; printed, they never do, and it crashes',
            Search(closing=True, expansion='in-order', final='ucb'),
        ),
        'rollout-expand': _of_the_second_part(
            "playouts' states join the tree",
            'Rollout - Expand',
            'as closing; a descent ends at a node without visits, and continues from it as printed',
            Search(rollout_expand=True, closing=True, expansion='in-order', final='ucb'),
        ),
        'jump': _of_the_second_part(
            'descends past untried moves',
            'Exploration en longueur',
            'as closing; a node without children expands, and makes it crash as printed',
            Search(expansion='jump', closing=True, final='ucb'),
        ),
        'baeldung': _original(
            'an immediate loss marks its parent as lost',
            Search(IN_300_MS, selection='baeldung', expansion='full', final='first-robust'),
            source=IN_JAVA,
            differs='a count of iterations for the clock; another generator',
        ),
        'mehat-mc': _flat(
            'flat Monte-Carlo',
            MonteCarlo(),
            source=f'{IN_C}, étape 8',
            differs='ties, left open: to the first move',
        ),
        'mehat-uct': _original(
            'UCT; the counts of the text come with c=0.2',
            Search(selection='uct', expansion='in-order'),
            'c',
            source=f'{IN_C}, étape B',
            differs="left open: C (sqrt 2), N (the node's visits), ties (most visits, then mean)",
        ),
        'mehat-rave': _original(
            'RAVE, beta = sqrt(K / (3 N + K))',
            Search(selection='rave'),
            'c',
            source=f'{IN_C}, étape E',
            numbers=('k',),
            differs="left open: C (0.2), K (1000), N (the move's visits), ties (as mehat-uct)",
        ),
        'graph': _original(
            'states in a map, every parent credited',
            Search(transpositions='naive', expansion='in-order', final='ucb'),
            'c',
            source=f'{SECOND_PART}, Graph',
            differs='the text has notes for it, and no program',
        ),
        'grave': _original(
            'RAVE, with the AMAF of an ancestor',
            Search(selection='grave'),
            'c',
            source='Cazenave 2015',
            numbers=numbers_of('grave'),
        ),
        **{
            name: _original(
                about, search, 'c', source=source, numbers=numbers_of(str(search.selection))
            )
            for name, about, search, source in VARIANTS
        },
        'strong': _original(
            'the best setting found for Connect Four',
            Search(c=0.5, playout='patient', solver=True),
            'c',
            source='"Strength" in the documentation',
        ),
    }
)
