"""What is drawn: a case is a value, and the same seed gives the same cases."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, get_args

from attrs import evolve, frozen

from campaign.games import Graph, Heap
from fmcts import Search
from fmcts.game import MAX_PLIES
from fmcts.games import GAMES
from fmcts.search.description import Expansion, FinalChoice
from fmcts.search.methods import METHODS
from fmcts.testing.grammar import drawn_formula

__all__ = ['STARTS', 'Case', 'Step', 'draw_case', 'draw_cases', 'position_of']

STARTS: Final[Mapping[str, Any]] = MappingProxyType(
    {name: GAMES[name].start for name in GAMES} | {'Graph': Graph, 'Heap': Heap}
)
EDGES: Final = (0, 1, 2**63 - 1, 2**63, 2**64 - 1)


@frozen
class Step:
    """One search by every engine.

    `back` is which of the trees made so far it goes on from: 1 the last, 2 the one before, 0 none.
    `reroot` is the index of a move that is played in that tree first. `pickled`: the trees go
    through pickle before. `shift`: engine number n goes on from the tree of engine n + shift.
    `root_moves` are indices of moves, for a new tree.
    """

    search: Search
    back: int = 0
    reroot: int | None = None
    pickled: bool = False
    shift: int = 0
    root_moves: tuple[int, ...] | None = None


@frozen
class Case:
    """A game, the moves (as indices) to where the search begins, a generator, and the steps.

    `sizes` are the arguments of a rule-made game. The generator stands as text.
    """

    game: str
    sizes: tuple[int, ...]
    moves: tuple[int, ...]
    rng: str
    steps: tuple[Step, ...]


def position_of(case: Case) -> Any:
    """Where the case begins; moves that would end the game are left out."""
    start = STARTS[case.game]
    state = start(*case.sizes) if case.sizes else start
    for index in case.moves:
        after = state.play(state.moves[index % len(state.moves)])
        if after.over:
            break
        state = after
    return state


def draw_cases(seed: int) -> Iterator[Case]:
    """An endless stream of cases; case number n depends on seed and n alone."""
    number = 0
    while True:
        yield draw_case(random.Random(f'{seed}:{number}'))  # noqa: S311 - no secrets here
        number += 1


def draw_case(source: random.Random) -> Case:
    """One case."""
    game = source.choice(
        ('tictactoe', 'tictactoe', 'connect4', 'othello', 'Graph', 'Graph', 'Heap')
    )
    sizes: tuple[int, ...] = ()
    if game == 'Graph':
        size = source.choice((source.randint(1, 8), source.randint(5, 40)))
        sizes = (source.randrange(1 << 16), size, source.randint(1, 6))
    elif game == 'Heap':
        sizes = (source.randint(1, 30), source.randint(1, 12), source.randrange(2))
    plies = source.randrange({'tictactoe': 9, 'connect4': 42, 'othello': 60}.get(game, 12))
    moves = tuple(source.randrange(1000) for _ in range(plies))
    # One method a case: a tree goes on with the columns that it has.
    selection = source.choice(('ucb1', source.choice(tuple(METHODS))))
    settles = source.choice(({}, {}, {'solver': True}, {'closing': True}))
    steps = tuple(
        draw_step(source, number, selection, settles) for number in range(source.randint(1, 4))
    )
    rng = draw_generator(source)
    # Few, as each is compiled.
    if selection == 'ucb1' and source.random() < 0.1:
        rule = drawn_formula(source.choice)
        steps = tuple(
            evolve(step, search=evolve(step.search, selection=rule, c=None)) for step in steps
        )
    return Case(game, sizes, moves, rng, steps)


def draw_generator(source: random.Random) -> str:
    """A generator as text: of both kinds, with much at the edges."""
    words = [source.choice((source.getrandbits(64), source.choice(EDGES))) for _ in range(2)]
    if source.random() < 0.5:
        return f'splitmix:{words[0]}:{words[1] | 1}'
    return f'stdgen:{1 + words[0] % 2147483562}:{1 + words[1] % 2147483398}'


def draw_step(
    source: random.Random, earlier: int, selection: str, settles: Mapping[str, bool]
) -> Step:
    """One step, after so many earlier ones."""
    able = METHODS[selection]().scores_unvisited
    expansions = [kind for kind in get_args(Expansion) if able or kind != 'selected']

    def now_and_then(value: Any, otherwise: Any = None, share: float = 0.3) -> Any:
        return value if source.random() < share else otherwise

    back = min(earlier, now_and_then(source.randint(1, 3), 1)) if source.random() < 0.9 else 0
    search = Search(
        iterations=source.choice((source.randint(1, 12), source.randint(1, 130))),
        c=source.choice((0.0, 2**0.5, source.uniform(0, 3), 1e300)),
        selection=selection,
        expansion=source.choice(expansions),
        final=source.choice(get_args(FinalChoice)),
        max_nodes=now_and_then(source.choice((source.randint(1, 12), source.randint(1, 200)))),
        max_plies=now_and_then(source.randint(1, 60), MAX_PLIES, 0.1),
        schedule=None if back or settles else now_and_then('halving'),
        **settles,
    )
    return Step(
        search,
        back=back,
        reroot=now_and_then(source.randrange(1000)) if back else None,
        pickled=bool(back) and now_and_then(value=True, otherwise=False),
        shift=source.randrange(4) if back else 0,
        root_moves=None
        if back
        else now_and_then(tuple({source.randrange(60) for _ in range(source.randint(1, 4))})),
    )
