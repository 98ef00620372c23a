"""The parts with which a page searches by itself: the machine of a search, its game's board."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final

from attrs import evolve

from fmcts import _linked as linked, notices
from fmcts._arguments import amount
from fmcts.asking import Request
from fmcts.explore._boards import Boards, boards_of
from fmcts.explore._data import (
    RecordedSearch,
    agreement_of,
    data_of,
    named,
    run_of,
    shared_data,
)
from fmcts.explore._formulas import is_whole, own_columns, rules_of
from fmcts.game import options_of, players_of
from fmcts.games import GAMES
from fmcts.games.boards import outcome
from fmcts.history import History
from fmcts.rng import SplitMix, format as format_rng
from fmcts.rules import fields_of, rules_of as declared_rules
from fmcts.search import Search
from fmcts.view import notation_of

C: Final = 1.0123456789012345
"""Stands for the parameter `c` in formulas; the page writes the number that is wanted for it."""

MANY: Final = 50_000  # iterations whose log takes seconds to write
FEW: Final = 16
MORE: Final = 80
LONGEST: Final = 500  # plies
"""Random games whose positions show the bits of a board's cells; and more for the names of moves
where these are not all known by then.
"""


def page_data(
    made: History[Any],
    *others: Callable[[RecordedSearch], RecordedSearch],
    name: str = '',
    game: Any = None,
    before: Sequence[str] = (),
    waiting: Sequence[Request[Any]] = (),
    seeds: int | None = None,
) -> dict[str, Any]:
    """Return the data of a page, with a machine or why there is none.

    A page that draws all by its machine makes the search again: it needs no log, which takes longer
    to write than the search took. It gets the digest, to compare with its own.

    :param others: functions that return a second search, to be shown beside the first.
    """
    state, notation = made.root.state, game or notation_of(made.root.state)
    found: Any = 'two searches, or a fork'
    alone = not others and not made.first
    if alone and len(made.root.moves) >= len(options_of(state)):
        found = _search_of(state, made.rng, made.search)
    elif alone:
        found = 'root moves'
    if not isinstance(found, str):
        found |= shown_game(getattr(notation, 'start', state), notation)
        if found['bits'] and found['named'] and found['whole'] and not waiting:
            return {
                **shared_data(state, notation, boards_of(state, notation), before),
                'machine': found,
                'searches': [
                    {
                        'name': name or named(made.search),
                        'rng': format_rng(made.rng),
                        'iterations': made.last,
                        'digest': made.digest,
                        'agree': agreement_of(made, seeds) if seeds else None,
                        'asks': seeds != 0,
                    }
                ],
            }
    if made.last >= MANY:
        notices.info(f'writing the log of {amount(made.last, "iteration")} into the page')
    run = run_of(made, name, seeds)
    runs = (run, *(other(run) for other in others))
    data = data_of(*runs, game=game, before=before, waiting=waiting)
    return {**data, ('lacks' if isinstance(found, str) else 'machine'): found}


def _search_of(state: Any, rng: Any, search: Search) -> Any:
    """Return the machine of a search, and the formulas of its page; or why there is none."""
    found = linked.described_for_pages(state, rng, search)
    if isinstance(found, str):
        return found
    return {
        **found,
        'file': base64.b64encode(found['file']).decode(),
        'own': own_columns(search),
        'resolution': search.resolution and search.resolution.column,
        'whole': is_whole(search),
        'rules': json.dumps(rules_of(_with_c(search))),
        'stands_for_c': repr(C),
    }


def searching_data() -> dict[str, Any]:
    """Return the data of a page that makes the searches which its address names."""
    return {
        'games': {name: _game_data(game.start, game) for name, game in GAMES.items()},
    }


def _game_data(start: Any, game: Any) -> dict[str, Any]:
    boards, rng = boards_of(start, game), SplitMix.from_seed(0)
    return {
        'players': [*map(str, players_of(start))],
        'board': boards.parts(start),
        'searches': {
            options: _search_of(start, rng, search)
            for options, search in linked.offered_in_pages().items()
        },
        **shown_game(start, game),
    }


def _with_c(search: Search) -> Search:
    """Return the search with a number in place of `c` that is found again in its formulas."""
    method = search.method
    if 'c' not in method.parameters:
        return search
    # A number that occurs nowhere else: the page finds it in the formulas, and puts another in.
    return evolve(search, selection=evolve(method, c=C), c=None)  # type: ignore[call-arg]


@lru_cache(maxsize=8)
def shown_game(start: Any, game: Any) -> dict[str, Any]:
    """Return what a page shows of a game: names of moves by key, ends in words, a board's bits."""
    rules: Any = declared_rules(start)
    boards, games = boards_of(start, game), _random_games(start)
    positions = [*chain.from_iterable(islice(games, FEW))]
    names: dict[int, str] = {}

    def note(positions: Iterable[Any]) -> bool:
        same = True
        for each in positions:
            position = rules.pack(each)
            numbers = rules.listed(rules.menu(position))
            for number, move in zip(numbers, options_of(each), strict=True):
                key = number_of_name(rules, position, number)
                same = same and key == move
                if key not in names:
                    names[key] = game.format_move(move)
        return same

    same = note(positions)
    for key in range(rules.keys) if same else ():
        with suppress(ValueError):  # no move has that key
            names[key] = game.format_move(key)
    known = len(names)  # all that there are, if no more are met in many more games
    if not same and known < rules.keys:
        note(chain.from_iterable(islice(games, MORE)))
    return {
        'moves': names,
        'named': same or len(names) in (known, rules.keys),
        'noun': getattr(game, 'noun', ''),
        'ends': [*map(outcome, (*players_of(start), None))],
        'bits': boards.cells and bits_of_cells(positions, rules, boards),
    }


def number_of_name(rules: Any, position: Any, move: int) -> int:
    """Return the number of a move's name: its key, or of an outcome of chance a number below 0."""
    if rules.chances is not None and rules.chances(position):
        return -1 - move
    return int(rules.key(position, move))


def _random_games(start: Any) -> Iterator[list[Any]]:
    """Yield the positions of random games, always the same."""
    rng = SplitMix.from_seed(1)
    while True:
        positions = [start]
        while not positions[-1].over and len(positions) < LONGEST:
            moves = options_of(positions[-1])
            index, rng = rng.uniform(0, len(moves) - 1)
            positions.append(positions[-1].play(moves[index]))
        yield positions


def bits_of_cells(positions: Sequence[Any], rules: Any, boards: Boards) -> Any:
    """Return, by the side to move, for each cell the bits that say that X and that O is there.

    A bit is the index of a field of the position with the number of the bit. The answer is `None`
    unless all stones of a kind are in one field, which all the positions agree with.
    """
    import numpy as np  # noqa: PLC0415 - machine code needs it too

    packed = [rules.pack(state) for state in positions]
    sides = np.array([rules.side(position) & 1 for position in packed])
    words = np.array([[it % 2**64 for it in fields_of(each)] for each in packed], np.uint64)
    # As floats, for products of matrices: a cell and a bit agree if they are alike in each
    # position.
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder='little').astype(np.float32)
    texts = [boards.letters(state) or '' for state in positions]
    if '' in texts:
        return None
    letters = np.array([[*text] for text in texts])
    agree: dict[tuple[int, int], Any] = {}  # by side and letter: which bits are as which cells
    seen: dict[tuple[int, int], Any] = {}
    for side, letter in ((0, 0), (0, 1), (1, 0), (1, 1)):
        there = (letters[sides == side] == 'XO'[letter]).astype(np.float32)
        theirs = bits[sides == side]
        same = there.T @ theirs + (1 - there).T @ (1 - theirs) == len(theirs)
        agree[side, letter] = same.reshape(len(same), -1, 64)
        seen[side, letter] = there.any(axis=0)
    # Mostly the stones of a kind are in one field, where each cell has the same bit as in others.
    fields = {
        key: np.flatnonzero(it[seen[key]].any(axis=2).all(axis=0)) for key, it in agree.items()
    }
    if all(len(found) == 1 for found in fields.values()):
        places = np.all(
            [it[:, fields[key][0]] | ~seen[key][:, None] for key, it in agree.items()], 0
        )
        if (places.sum(axis=1) == 1).all():
            numbers = places.argmax(axis=1).tolist()
            return [
                [[(int(fields[side, letter][0]), it) for letter in (0, 1)] for it in numbers]
                for side in (0, 1)
            ]
    return None
