"""What a page needs to search by itself: the machine of a search, and how its game is shown."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final

from attrs import evolve

from fmcts import _linked as linked
from fmcts.explore._boards import Boards, boards_of
from fmcts.explore._data import RecordedSearch
from fmcts.explore._formulas import is_whole, own_columns, rules_of
from fmcts.game import is_plain, options_of, players_of
from fmcts.games import GAMES
from fmcts.games.boards import outcome
from fmcts.rng import SplitMix
from fmcts.rules import fields_of, rules_of as declared_rules
from fmcts.search import Search
from fmcts.view import notation_of

C: Final = 1.0123456789012345
"""Stands for the parameter `c` in formulas; the page writes the number that is wanted for it."""

FEW: Final = 8
MORE: Final = 80
LONGEST: Final = 500  # plies
"""Random games whose positions show the bits of a board's cells; and more for the names of moves
where the rules and the states have different moves.
"""


def with_machine(data: dict[str, Any], run: RecordedSearch, game: Any = None) -> dict[str, Any]:
    """Return the data of a page with what it needs to make such searches by itself, if it can."""
    made, state = run.last, run.last.root.state
    if made.first or run.log.root_moves or run.log.graph or len(data['searches']) > 1:
        return data
    found = _search_of(state, made.rng, made.search)
    notation = game or notation_of(state)
    shown = found and shown_game(state, notation, boards_of(state, notation))
    return {**data, 'machine': {**found, **shown}} if found else data


def _search_of(state: Any, rng: Any, search: Search) -> Any:
    """Return the machine of a search, and the formulas of its page; `None` if there is none."""
    found = linked.described_for_pages(state, rng, search)
    return found and {
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
        **shown_game(start, game, boards),
    }


def _with_c(search: Search) -> Search:
    """Return the search with a number in place of `c` that is found again in its formulas."""
    method = search.method
    if 'c' not in method.parameters:
        return search
    return evolve(search, selection=evolve(method, c=C), c=None)  # type: ignore[call-arg]


def shown_game(state: Any, game: Any, boards: Boards) -> dict[str, Any]:
    """Return the names of moves, how games end in words, and where bits show the board's cells."""
    rules: Any = declared_rules(state)
    games = _random_games(getattr(game, 'start', state))
    positions = [*chain.from_iterable(islice(games, FEW))]
    names: dict[int, str] = {}

    def note(positions: Iterable[Any]) -> bool:
        found = True
        for each in positions:
            numbers = rules.listed(rules.menu(rules.pack(each)))
            for number, move in zip(numbers, options_of(each), strict=True):
                found = found and number == move
                if number not in names:
                    names[number] = game.format_move(move)
        return found

    same = note(positions) or note(chain.from_iterable(islice(games, MORE)))
    for number in range(rules.keys + 1) if same else ():
        try:
            names.setdefault(number, game.format_move(number))
        except ValueError:
            continue
    return {
        'moves': names,
        'noun': getattr(game, 'noun', ''),
        'ends': [*map(outcome, (*players_of(state), None))] if is_plain(state) else [],
        'bits': boards.cells and bits_of_cells(positions, rules, boards),
    }


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

    A bit is the index of a field of the position with the number of the bit, or `None` where such a
    stone was never seen. The answer is `None` if no bit agrees with all the positions.
    """
    count = len(''.join(boards.cells.rows)) if boards.cells else 0
    known: dict[tuple[int, int, str], list[int]] = {}
    seen = set()
    for state in positions:
        position, letters = rules.pack(state), boards.letters(state)
        side, fields = rules.side(position), fields_of(position)
        for cell, found in enumerate(letters or ''):
            seen.add((side, cell, found))
            for letter in 'XO':
                masks = known.setdefault((side, cell, letter), [(1 << 64) - 1] * len(fields))
                for place, word in enumerate(fields):
                    masks[place] &= word if found == letter else ~word
    bits: list[list[Any]] = []
    for side in (0, 1):
        rows: list[Any] = []
        for cell in range(count):
            pair: list[Any] = []
            for letter in 'XO':
                masks = known.get((side, cell, letter), [])
                at = next(((place, mask) for place, mask in enumerate(masks) if mask), None)
                if (side, cell, letter) not in seen:
                    pair.append(None)
                elif at is None:
                    return None
                else:
                    place, mask = at
                    pair.append((place, (mask & -mask).bit_length() - 1))
            rows.append(pair)
        bits.append(rows)
    return bits
