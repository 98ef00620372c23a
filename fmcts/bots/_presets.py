"""The named bots: one recipe each in `RECIPES`, including the bots of the five source texts.

A preset is a `Search` or a flat Monte-Carlo bot that reproduces the program of its source; only
parameters that the source leaves open can be changed, and limits that do not change the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import attrs

from fmcts.bots._bot import Bot, random_bot
from fmcts.bots._levels import Level
from fmcts.bots._solving import AlphaBetaBot
from fmcts.bots._treesearch import mcts
from fmcts.bots.montecarlo import MonteCarlo, article_mc_pure, article_mc_state
from fmcts.bots.printed import PrintedBot
from fmcts.search import Search
from fmcts.search.methods import METHODS
from fmcts.search.schedules import SCHEDULES
from fmcts.solve import AlphaBeta

AnyBot: TypeAlias = Bot[Any, Any, Any]


@attrs.frozen
class Human:
    """A person at a terminal, in place of a bot; it cannot be called."""


def _selections_with() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for selection, method in METHODS.items():
        for name in method().parameters:
            if name != 'c':
                found[name] = (*found.get(name, ()), selection)
    return found


SELECTIONS_WITH: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(_selections_with())
"""The selections that have a numeric parameter, by its name; all but `c`, which most have."""

NUMBERS: Final = {
    Search: 'iterations',
    MonteCarlo: 'playouts',
    AlphaBeta: 'depth',
    Level: 'level',
}
"""The field that the number after the colon sets, by the type of a recipe's pattern."""


@attrs.frozen
class Recipe:
    """A way to make a bot from a name and its options.

    `about` is a short description. `pattern` is a `Search`, a `MonteCarlo`, an `AlphaBeta` or a
    `Level`, whose fields `options` can be set by name; or a bot of which nothing can be set. A
    search whose `c` can be set takes the other parameters of its method too. `as_printed` among the
    options of a search runs the source's program as printed, faults included. `source` is the text
    that the bot comes from, and `differs` says in one line how it differs from that text.
    """

    about: str
    pattern: Any
    options: tuple[str, ...] = ()
    source: str = ''
    differs: str = ''

    @property
    def number(self) -> str:
        """The field that the number after the colon sets; '' if nothing can be set."""
        return NUMBERS.get(type(self.pattern), '')

    @property
    def numbers(self) -> tuple[str, ...]:
        """The parameters of methods that can be set."""
        if 'selection' in self.options:
            return tuple(SELECTIONS_WITH)
        if isinstance(self.pattern, Search) and 'c' in self.options:
            return tuple(name for name in self.pattern.method.parameters if name != 'c')
        return ()

    @property
    def settings(self) -> tuple[str, ...]:
        """All names accepted before an equals sign."""
        return (self.number, *self.options, *self.numbers) if self.number else ()

    @property
    def default(self) -> int | None:
        """The default number; `None` for a bot that takes none."""
        return getattr(self.pattern, self.number) if self.number else None

    def bot(
        self, given: Mapping[str, Any] = MappingProxyType({}), *, printed: bool = False
    ) -> AnyBot | Human:
        """Return the bot with the `given` values in place of the pattern's.

        :raises ValueError: a value is refused, or its selection has no such parameter.
        """
        numbers = {name: it for name, it in given.items() if name in self.numbers}
        fields = {name: it for name, it in given.items() if name not in numbers}
        made: Any = attrs.evolve(self.pattern, **fields) if fields else self.pattern
        if isinstance(made, AlphaBeta):
            return AlphaBetaBot(made)
        if not isinstance(made, Search):
            return made  # type: ignore[no-any-return] # a bot
        made = _with_numbers(made, numbers)
        return PrintedBot(made) if printed else mcts(made)


def _with_numbers(search: Search, numbers: Mapping[str, float]) -> Search:
    """Return the search, selected by name, with these values of its method's parameters."""
    name = str(search.selection)
    for key in numbers:
        if name not in SELECTIONS_WITH[key]:
            having = ' or '.join(SELECTIONS_WITH[key])
            raise ValueError(f'{key} belongs to selection {having}, not to {name}')
    if not numbers:
        return search
    given = {**numbers} if search.c is None else {**numbers, 'c': search.c}
    return attrs.evolve(search, selection=METHODS[name](**given), c=None)


def _fields(kind: type, *but: str) -> tuple[str, ...]:
    return tuple(name for name in attrs.fields_dict(kind) if name not in (NUMBERS[kind], *but))


FUNCTIONS: Final = (
    'evaluate',
    'evaluate_after',
    'network',
    'proposals',
    'batch',
    'collisions',
    'sliding',
    'reward',
    'stop',
)
"""The options of a search that cannot be given as text."""

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
LIMITED: Final = ('max_nodes',)
OPEN: Final = ('c', 'max_nodes')
PRINTED: Final = ('c', 'as_printed', 'max_nodes')

ORIGINALS: Final = {
    'article-mc-pure': Recipe(
        'botMc of the Haskell article, I-C',
        article_mc_pure(1000),
        ('as_printed',),
        TICTACTOE_IN_HASKELL,
        AFTER_THE_END,
    ),
    'article-mc-state': Recipe(
        'botMc of the Haskell article, I-D',
        article_mc_state(1000),
        ('as_printed',),
        TICTACTOE_IN_HASKELL,
        AFTER_THE_END,
    ),
    'dehos': Recipe(
        'tree search for Connect Four, c = 0.5',
        Search(c=0.5, expansion='in-order', final='robust-of-all'),
        LIMITED,
        CONNECT4_IN_HASKELL,
        'another generator; the search is the same',
    ),
    'first-part': Recipe(
        'the program that the second part improves',
        Search(expansion='in-order', final='ucb'),
        PRINTED,
        f'{SECOND_PART}, programme principal',
        'finished nodes are backed up; printed, they are not, and it goes round in circles',
    ),
    'closing': Recipe(
        'explored branches are closed',
        Search(closing=True, expansion='in-order', final='ucb'),
        PRINTED,
        f'{SECOND_PART}, Fermeture de branches',
        'finished nodes close their parents; printed, they never do, and it crashes',
    ),
    'rollout-expand': Recipe(
        "playouts' states join the tree",
        Search(rollout_expand=True, closing=True, expansion='in-order', final='ucb'),
        PRINTED,
        f'{SECOND_PART}, Rollout - Expand',
        'as closing; a descent ends at a node without visits, and continues from it as printed',
    ),
    'jump': Recipe(
        'descends past untried moves',
        Search(expansion='jump', closing=True, final='ucb'),
        PRINTED,
        f'{SECOND_PART}, Exploration en longueur',
        'as closing; a node without children expands, and makes it crash as printed',
    ),
    'baeldung': Recipe(
        'an immediate loss marks its parent as lost',
        Search(IN_300_MS, selection='baeldung', expansion='full', final='first-robust'),
        LIMITED,
        IN_JAVA,
        'a count of iterations for the clock; another generator',
    ),
    'mehat-mc': Recipe(
        'flat Monte-Carlo',
        MonteCarlo(),
        (),
        f'{IN_C}, étape 8',
        'ties, left open: to the first move',
    ),
    'mehat-uct': Recipe(
        'UCT; the counts of the text come with c=0.2',
        Search(selection='uct', expansion='in-order'),
        OPEN,
        f'{IN_C}, étape B',
        "left open: C (sqrt 2), N (the node's visits), ties (most visits, then mean)",
    ),
    'mehat-rave': Recipe(
        'RAVE, beta = sqrt(K / (3 N + K))',
        Search(selection='rave'),
        OPEN,
        f'{IN_C}, étape E',
        "left open: C (0.2), K (1000), N (the move's visits), ties (as mehat-uct)",
    ),
    'graph': Recipe(
        'states in a map, every parent credited',
        Search(transpositions='naive', expansion='in-order', final='ucb'),
        OPEN,
        f'{SECOND_PART}, Graph',
        'the text has notes for it, and no program',
    ),
}
"""The programs of the five source texts."""

VARIANTS: Final = {
    'grave': ('RAVE, with the AMAF of an ancestor', 'Cazenave 2015'),
    'ucb1-tuned': ('UCB1 with the variance of rewards', 'Auer, Cesa-Bianchi and Fischer 2002'),
    'ucb-v': ('a bound with the variance', 'Audibert, Munos and Szepesvári 2009'),
    'ucb1-fpu': ('UCB1, first-play urgency', 'Gelly and Wang 2006'),
    'puct': ('priors and visits', 'Rosin 2011'),
    'puct-reduced': ('PUCT, untried moves by the parent', 'Leela Chess Zero'),
    'widening': ('few moves first', 'Coulom 2007'),
    'amaf': ('all moves as first', 'Helmbold and Parker-Wood 2009'),
    'rave': ('AMAF that fades with visits', 'Gelly and Silver 2007'),
    'rave-silver': ('AMAF by its bias', 'Gelly and Silver 2011'),
    'solver': ('proves wins and losses', 'Winands, Björnsson and Saito 2008'),
    'halving': ('sequential halving', 'Karnin and others 2013'),
    'shot': ('sequential halving in the tree', 'Cazenave 2014'),
    'decisive': ('playouts take a win', 'Teytaud and Teytaud 2010'),
    'anti-decisive': ('playouts take a win and avoid a loss', 'Teytaud and Teytaud 2010'),
    'mast': ('playouts by the means of moves', 'Finnsson and Björnsson 2008'),
    'nst': ('playouts by the means of moves and replies', 'Tak, Winands and Björnsson 2012'),
    'last-good-reply': ('playouts by replies that won', 'Drake 2009'),
}
"""The field's variants, named as a method, a schedule, a policy or `solver`: about and source."""


def _variant(name: str) -> Search:
    if name == 'solver':
        return Search(solver=True)
    if name in METHODS:
        return Search(selection=name)
    return Search(schedule=name) if name in SCHEDULES else Search(playout=name)


RECIPES: Final[Mapping[str, Recipe]] = MappingProxyType(
    {
        'random': Recipe('any legal move', random_bot),
        'human': Recipe('you, at the terminal (fmcts play)', Human()),
        'mc': Recipe('flat Monte-Carlo', MonteCarlo(), _fields(MonteCarlo, 'engine', 'as_printed')),
        'level': Recipe('tree search, from 1 for beginners to 10', Level()),
        'perfect': Recipe(
            'perfect play, by alpha-beta',
            AlphaBetaBot(),
            source=f'{IN_C}, étape 6',
            differs='left open: ties (the soonest win, the latest loss, then the first move)',
        ),
        'alphabeta': Recipe(
            'alpha-beta to a depth of N plies; without N, to the end',
            AlphaBeta(),
            _fields(AlphaBeta, 'evaluate'),
            'Knuth and Moore 1975',
        ),
        'mcts': Recipe(
            'tree search', Search(), _fields(Search, *FUNCTIONS), 'Kocsis and Szepesvári 2006'
        ),
        **ORIGINALS,
        **{
            name: Recipe(about, _variant(name), OPEN, source)
            for name, (about, source) in VARIANTS.items()
        },
        'strong': Recipe(
            'the best setting found for Connect Four',
            Search(c=0.5, playout='patient', solver=True),
            OPEN,
            'docs/strength.md',
        ),
    }
)
