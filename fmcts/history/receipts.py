"""Receipts: a search and its result, in a few hundred bytes that anybody can check.

A receipt is one line of JSON. Whoever has it repeats the search, on any engine and machine, and
finds the same digest, or that the receipt is wrong (`fmcts verify FILE`).

For a search with a network, a receipt contains the answers, so it can be checked without it.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from typing import Any, Final, TypeVar

import attrs
from attrs import field, frozen
from attrs.validators import and_, deep_iterable, gt, instance_of, optional
from returns.result import Failure, Result, Success

from fmcts import __version__
from fmcts._arguments import shown, value_of, within
from fmcts.bots import AnalysingBot, MctsBot, parse_bot
from fmcts.game import GameState
from fmcts.games import GameModule
from fmcts.history._files import answers_of_root, answers_of_rows, rows_of
from fmcts.history._recording import Repeater
from fmcts.history._versions import History, history
from fmcts.matches import content_of_game, follow, in_text, made_of, object_in
from fmcts.rng import Rng, format as format_rng, parse as parse_rng
from fmcts.search import Analysis, Watch, ignore

__all__ = [
    'FORMAT',
    'NamedSearch',
    'Receipt',
    'history_of',
    'is_receipt',
    'parse',
    'receipt',
    'search_of',
]

B = TypeVar('B')
FAMILY: Final = 'fmcts-receipt-'
FORMAT: Final = f'{FAMILY}1'
LONGEST: Final = 1 << 24
TEXT: Final = instance_of(str)
TEXTS: Final = optional(deep_iterable(TEXT, instance_of(list)))
COUNT: Final = and_(instance_of(int), gt(0))
OPTIONS: Final = 'batch', 'collisions', 'sliding'  # of a search with a network, in a receipt
NO_TREE: Final = 'its bot {} is not a tree search, such as mcts'


@frozen
class Receipt:
    """A search and its result: the position, the bot and the generator, and what was found.

    Moves are in the game's notation, generators as in `fmcts.rng.format`. `moves` lead from the
    start to the position; if it was read from a board, they are `None`, and `board` is its text.
    `root_moves` are the moves to choose among, `None` for all. `rules` identifies the game's code;
    for a game of this library it is the name. `after` is the generator to use next.

    `network`, for a search with a network: the `batch`, `collisions` and `sliding` if set, and the
    `answers`, for each the value for X and the priors, as JSON compressed by zlib, in base 64. The
    first is the root's, whose value is not used.
    """

    fmcts: str = field(validator=TEXT)
    game: str = field(validator=TEXT)
    rules: str | dict[str, str] = field(validator=instance_of((str, dict)))
    moves: list[str] | None = field(validator=TEXTS)
    board: str | None = field(validator=optional(TEXT))
    bot: str = field(validator=TEXT)
    root_moves: list[str] | None = field(validator=TEXTS)
    rng: str = field(validator=TEXT)
    move: str = field(validator=TEXT)
    iterations: int = field(validator=COUNT)
    digest: str = field(validator=TEXT)
    after: str = field(validator=TEXT)
    network: dict[str, Any] | None = field(default=None, validator=optional(instance_of(dict)))

    def __attrs_post_init__(self) -> None:
        if (self.moves is None) == (self.board is None):
            raise ValueError('it must have either moves or a board')

    def to_json(self) -> str:
        """Return the receipt as a line of JSON."""
        fields = attrs.asdict(self)
        if self.network is None:
            del fields['network']
        return json.dumps({'format': FORMAT, **fields})

    def with_network(self, found: History[Any]) -> Receipt:
        """Return the receipt with the answers of the network in a history of the search.

        :raises ValueError: the history is of another search, or the search has root moves or
            continues a tree; or it has proposed moves that JSON cannot keep.
        """
        root = found.root
        if found.digest != self.digest or self.root_moves is not None or root.visits:
            raise ValueError('the history must be of the search in the receipt, without root moves')
        text = json.dumps(rows_of([*answers_of_root(root), *found.answers])).encode()
        kept = {name: value for name in OPTIONS if (value := getattr(found.search, name))}
        answers = base64.b64encode(zlib.compress(text)).decode()
        return attrs.evolve(self, network={**kept, 'answers': answers})

    def with_answers(self, bot: B) -> B:
        """Return the bot; if the receipt has answers of a network, the bot uses them.

        :raises ValueError: it is not a tree search, or the answers are none.
        """
        if self.network is None:
            return bot
        if not isinstance(bot, MctsBot):
            raise ValueError(NO_TREE.format(shown(self.bot)))  # noqa: TRY004 - its text is wrong
        try:
            text = zlib.decompress(base64.b64decode(self.network['answers'], validate=True))
            answers = answers_of_rows(json.loads(text))
            kept = {name: self.network[name] for name in OPTIONS if name in self.network}
            search = attrs.evolve(bot.search, network=Repeater(answers), **kept)
        except (LookupError, TypeError, ValueError, zlib.error) as error:
            raise ValueError(f'its network: {error}') from None
        return attrs.evolve(bot, search=search)


def receipt(
    game: GameModule,
    bot: str,
    rng: Rng,
    found: Analysis[Any],
    after: Rng,
    *,
    moves: tuple[Any, ...] | None = (),
    root_moves: tuple[Any, ...] | None = None,
) -> Receipt:
    """Return the receipt of an analysis made by the bot of that spec with `rng`.

    `moves` led from the start of the game to its position; `None`: that is written as text.
    If the search has a network, `bot` names it without, such as `mcts:640,selection=puct`, and
    `Receipt.with_network` adds the answers.
    """
    write = game.format_move
    return Receipt(
        __version__,
        game.name,
        content_of_game(game),
        None if moves is None else [write(move) for move in moves],
        game.format(found.tree.state) if moves is None else None,
        bot,
        None if root_moves is None else [write(move) for move in root_moves],
        format_rng(rng),  # type: ignore[arg-type]
        write(found.move),
        found.iterations,
        found.digest,
        format_rng(after),  # type: ignore[arg-type]
    )


@frozen
class NamedSearch:
    """The search that a receipt names, to be repeated; `search_of` makes it."""

    receipt: Receipt
    game: GameModule
    state: GameState[Any]
    bot: AnalysingBot
    rng: Rng
    root_moves: tuple[Any, ...] | None

    def repeat(self, watch: Watch = ignore) -> str:
        """Search again, and return in words that the receipt holds.

        :raises ValueError: the result is another.
        """
        found, after = self.bot.analyse(
            self.state, self.rng, watch=watch, root_moves=self.root_moves
        )
        return f'the receipt holds, digest {self.receipt.digest}{self._compared(found, after)}'

    def history(self, engine: str = 'auto') -> History[Any]:
        """Search again, and return all versions; see `history_of`."""
        if not isinstance(self.bot, MctsBot):
            raise ValueError(NO_TREE.format(shown(self.receipt.bot)))  # noqa: TRY004 - as above
        found = history(self.state, self.rng, self.bot.search, engine, root_moves=self.root_moves)
        self._compared(found.at(found.last), found.after)
        return found

    def _compared(self, found: Analysis[Any], after: Rng) -> str:
        """Return what is recorded otherwise than here, though the result is the same.

        :raises ValueError: the result is another.
        """
        again = receipt(
            *(self.game, self.receipt.bot, self.rng, found, after), root_moves=self.root_moves
        )
        there, why = self.receipt, ''
        if there.rules != again.rules:
            # The hash of a user's code depends on the version of Python.
            python = ' or Python' if '@' in str(again.rules) else ''
            why = f'; the rules of the game{python} have changed'
        if there.fmcts != again.fmcts:
            why += f'; the receipt is from fmcts {shown(there.fmcts)}, this is {again.fmcts}'
        for name in ('iterations', 'digest', 'move', 'after'):
            one, two = getattr(there, name), getattr(again, name)
            if one != two:
                raise ValueError(
                    f'{name}: {shown(one, 70)} in the receipt, {shown(two, 70)} searched again{why}'
                )
        return why


def search_of(
    receipt: Receipt, game: GameModule, bot_of: Callable[[str], Any] | None = None
) -> NamedSearch:
    """Return the search that a receipt names, in the game that it names.

    :param bot_of: returns the bot that a spec names, or raises ValueError; by default one of the
        library's.
    :raises ValueError: the game is another; a move, the board, the generator or the bot is not what
        the game or this version reads; or the bot has no analysis.
    """
    if receipt.game != game.name:
        raise ValueError(f'the receipt is of {shown(receipt.game)}, not of {game.name}')
    rng = value_of(parse_rng(receipt.rng), 'its generator')
    with within('its bot'):
        named = bot_of(receipt.bot) if bot_of else value_of(parse_bot(receipt.bot))
    bot = receipt.with_answers(named)
    if not isinstance(bot, AnalysingBot):
        raise ValueError(  # noqa: TRY004 - it is text that is wrong
            'its bot has no analysis: expected a bot that searches, such as mcts'
        )
    read = in_text(game)
    if receipt.board is not None:
        state = value_of(game.parse(receipt.board), 'its board')
    else:
        with within('its moves'):
            state = follow(game.start, receipt.moves or (), read).states[-1]
    words, among = receipt.root_moves, None
    if words is not None:
        with within('its root moves'):
            among = tuple(read(state, word) for word in words)
    return NamedSearch(receipt, game, state, bot, rng, among)


def history_of(receipt: Receipt, game: GameModule, engine: str = 'auto') -> History[Any]:
    """Repeat the search of a receipt, and return all its versions.

    `parting` says of two such histories where they part.

    >>> from fmcts import Search, SplitMix, analyse
    >>> from fmcts.games import connect4
    >>> from fmcts.history import parting
    >>> def searched(c):
    ...     rng = SplitMix.from_seed(1)
    ...     found, after = analyse(connect4.start, rng, Search(300, c=c))
    ...     return receipt(connect4, f'mcts:300,c={c}', rng, found, after)
    >>> found = parting(*(history_of(searched(c), connect4) for c in (1.0, 1.1)))
    >>> found.iteration, found.term
    (24, 'c * sqrt(log_visits / visits)')

    :param game: the one that the receipt names.
    :raises EngineError: the engine does not support the search.
    :raises ValueError: the game is another; a move, the board, the generator or the bot is not what
        the game or this version reads; the bot is not a tree search; or another tree is found.
    """
    return search_of(receipt, game).history(engine)


def is_receipt(content: bytes) -> bool:
    """Return whether a file claims to hold a receipt: an object whose `format` is one of them."""
    values = object_in(content) if len(content) <= LONGEST else None
    return str((values or {}).get('format')).startswith(FAMILY)


def parse(content: bytes) -> Result[Receipt, str]:
    """Return the receipt in a file, or one line about what is wrong with it."""
    values = object_in(content) if len(content) <= LONGEST else None
    if values is None:
        return Failure(f'is not a receipt: expected an object of JSON, of at most {LONGEST} bytes')
    if values.pop('format', None) != FORMAT:
        return Failure(f'is a receipt of another version of fmcts: this one reads {FORMAT}')
    try:
        return Success(made_of(Receipt, values))
    except ValueError as error:
        return Failure(f'is not a receipt: {error}')
