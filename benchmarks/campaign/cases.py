"""What is drawn: a case is a value, and the same seed gives the same cases."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from attrs import frozen

from campaign.games import Heap
from drawn_games import WIDEST, Maze, start_of
from drawn_searches import drawn_family, drawn_search, narrowings_of, networks_of
from fmcts import Search
from fmcts.game import has_rewards, options_of
from fmcts.games import GAMES
from fmcts.games.families import FAMILIES

__all__ = [
    'MEMBERS',
    'STARTS',
    'Case',
    'Step',
    'draw_case',
    'draw_cases',
    'line_of',
    'noise_of',
    'position_of',
]

Choose: TypeAlias = Callable[[Sequence[Any]], Any]

MEMBERS: Final = ('hex:3', 'hex:9')
"""Of families: their menus are tuples of one word and of two."""


def decisions(seed: int, players: int) -> Any:
    """Return where a decision process begins, one of two players with rewards at its ends."""
    return start_of(seed, players, ends=players == 2)


STARTS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        **{name: GAMES[name].start for name in GAMES},
        'hex:3': FAMILIES['hex'].make(3).start,
        'hex:9': FAMILIES['hex'].make(9).start,
        'Maze': Maze,
        'decisions': decisions,
        'Heap': Heap,
    }
)
GAMES_DRAWN: Final = (
    *('Maze',) * 6,
    *('decisions',) * 3,
    *('tictactoe',) * 2,
    'Heap',
    'connect4',
    'othello',
    *MEMBERS,
)
LONG: Final = ('othello', 'hex:9')
"""Searched briefly and near the end: policies that look ahead would take minutes else."""

EDGES: Final = (0, 1, 2**63 - 1, 2**63, 2**64 - 1)


@frozen
class Step:
    """One search by every engine.

    `back` is which of the trees made so far it continues: 1 the last, 2 the one before, 0 none.
    `reroot` is the index of a move that is played in that tree first. `pickled`: the trees go
    through pickle before. `shift`: engine number n continues the tree of engine n + shift.
    `root_moves` are indices of moves, for a new tree. `stop_at`: the search is ended from outside
    when that many iterations are done, or as soon after as it can be; on a tree with visits 0 ends
    it before its first iteration.
    """

    search: Search
    back: int = 0
    reroot: int | None = None
    pickled: bool = False
    shift: int = 0
    root_moves: tuple[int, ...] | None = None
    stop_at: int | None = None
    noise: float = 0.0


@frozen
class Case:
    """A game, the moves (as indices) to where the search begins, a generator, and the steps.

    `sizes` are the arguments of a game that has some. `from_end`: the position is so many plies
    before the end of the game that the moves lead into (0: finished); `None`: it is the last
    unfinished one that they lead to. The generator is stored as text.
    """

    game: str
    sizes: tuple[int, ...]
    moves: tuple[int, ...]
    rng: str
    steps: tuple[Step, ...]
    from_end: int | None = None


def line_of(case: Case) -> tuple[Any, tuple[Any, ...]]:
    """Return the start of the game, and the moves to the position that the case begins with."""
    start = STARTS[case.game]
    state = first = start(*case.sizes) if case.sizes else start
    line: list[Any] = []
    while not state.over and (case.from_end is not None or len(line) < len(case.moves)):
        index = case.moves[len(line) % len(case.moves)] if case.moves else 0
        possible = options_of(state)
        line.append(possible[index % len(possible)])
        state = state.play(line[-1])
    back = int(state.over and bool(line)) if case.from_end is None else case.from_end
    return first, tuple(line[: max(0, len(line) - back)])


def position_of(case: Case) -> Any:
    """Return the position that the case begins with."""
    state, line = line_of(case)
    for move in line:
        state = state.play(move)
    return state


def draw_cases(seed: int) -> Iterator[Case]:
    """Yield cases without end; case number n depends on seed and n alone."""
    number = 0
    while True:
        yield draw_case(random.Random(f'{seed}:{number}').choice)  # noqa: S311 - no secrets here
        number += 1


def draw_case(choose: Choose) -> Case:
    """Return one case, all its decisions made by `choose`, which takes one of some values."""
    game = choose(GAMES_DRAWN)
    sizes: tuple[int, ...] = ()
    if game == 'Maze':
        seed, size = choose(range(1 << 16)), choose((choose(range(1, 9)), choose(range(5, 41))))
        sizes = choose(((seed, size, choose(range(1, 7))), (seed, min(size, 12), WIDEST)))
    elif game == 'decisions':
        sizes = (choose(range(1000)), choose((1, 2, 3)))
    elif game == 'Heap':
        sizes = (choose(range(1, 31)), choose(range(1, 13)), choose(range(2)))
    plies = {'tictactoe': 9, 'connect4': 42, 'othello': 60, 'hex:9': 81}.get(game, 12)
    moves = tuple(choose(range(1000)) for _ in range(choose(range(plies))))
    # Near the end searches are resolved, trees are full, and games are over.
    from_end = choose((None, None, None, 0, 1, 2, 2, 3, 3, 4, 5, 6))
    if game in LONG:
        from_end = choose(range(8))
    if game == 'decisions':  # elsewhere it may be chance's turn
        moves, from_end = (), None
    case = Case(game, sizes, moves, draw_generator(choose), (), from_end)
    state = position_of(case)
    rewards = has_rewards(state)
    family = drawn_family(choose, () if rewards else networks_of(state), rewards=rewards)
    narrowings = narrowings_of(state)
    steps = tuple(
        draw_step(choose, number, family, narrowings, 20 if game in LONG else 130)
        for number in range(choose(range(1, 5)))
    )
    return Case(game, sizes, moves, case.rng, steps, from_end)


def noise_of(step: Step) -> float:
    """Return the share of noise in the priors of the step's new tree; 0 if it has none."""
    return step.noise if step.search.columns.moves == ('prior',) else 0.0


def draw_generator(choose: Choose) -> str:
    """Return a generator as text: of both kinds, with much at the edges."""
    words = [choose((choose(range(1 << 62)), *EDGES[: choose(range(1, 6))])) for _ in range(2)]
    if choose((True, False)):
        return f'splitmix:{words[0]}:{words[1] | 1}'
    return f'stdgen:{1 + words[0] % 2147483562}:{1 + words[1] % 2147483398}'


def draw_step(
    choose: Choose, earlier: int, family: Mapping[str, Any], narrowings: Sequence[Any], most: int
) -> Step:
    """Return one step, after that number of earlier ones, of `most` iterations."""

    def often(value: Any, otherwise: Any = None) -> Any:
        return choose((otherwise, value, value))

    back = min(earlier, often(choose(range(1, 4)), 1)) if choose(range(10)) else 0
    search = drawn_search(choose, family, new=not back, narrowings=narrowings, max_iterations=most)
    stop_at = choose((*(None,) * 6, 0, 0, 1, choose(range(1, 100))))
    return Step(
        search,
        back=back,
        reroot=often(choose(range(1000))) if back else None,
        pickled=bool(back) and often(value=True, otherwise=False),
        shift=choose(range(4)) if back else 0,
        root_moves=None
        if back
        else often(tuple({choose(range(60)) for _ in range(choose(range(1, 5)))})),
        stop_at=None if search.schedule else stop_at,
        noise=0.0 if back else choose((0.0, 0.25, 1.0)),
    )
