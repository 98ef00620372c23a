"""Types of click for games, positions, bots and generators, and the options that commands share.

A type parses a word once; what is wrong with it is an error of click, in one line. Effects are
those of reading a board, and of importing a user's module (`MODULE:NAME`).
"""

from __future__ import annotations

import importlib.util
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias, TypeVar, cast

import attrs
import click
from returns.result import Result

from fmcts._arguments import LIST, cut, shown, value_of, within
from fmcts._running import ENGINES, check_seconds
from fmcts.bots import RECIPES, AlphaBetaBot, AnalysingBot, AnyBot, Human, MctsBot
from fmcts.bots.montecarlo import MonteCarlo
from fmcts.cli._named import named_game, named_player
from fmcts.game import GameState, chances_of, given_winner, options_of
from fmcts.games import CHANCE_GAMES, FAMILIES, GAMES, GameModule, Unwritten, written
from fmcts.games.boards import ended, outcome
from fmcts.notices import info
from fmcts.rng import SplitMix, StdGen, parse as parse_rng
from fmcts.search import Search
from fmcts.view import Board, picture

Generator: TypeAlias = SplitMix | StdGen

F = TypeVar('F', bound=Callable[..., Any])

DONE, NEGATIVE, BAD_INPUT = 0, 1, 2
DEFAULT_SEED: Final = 0
PATH_SHOWN: Final = 200  # characters of a file name to quote


class EndedError(click.ClickException):
    """The end of a run, with this exit code and possibly a message to print."""

    def __init__(self, code: int, message: str = '') -> None:
        super().__init__(message)
        self.exit_code = code  # type: ignore[misc]  # as click documents


@contextmanager
def usage(before: str = '') -> Iterator[None]:
    """Turn a ValueError in the block into bad input; the message follows `before`."""
    try:
        yield
    except ValueError as error:
        raise click.UsageError(f'{before}{error}') from None


def exclude(one: str, two: str) -> NoReturn:
    """Raise UsageError about two options."""
    raise click.UsageError(f'{one} and {two} exclude each other: give one of them')


def require(library: str, extra: str) -> None:
    """Raise UsageError if a library is not installed; called before games are played."""
    if not importlib.util.find_spec(library):
        raise click.UsageError(f'this needs {library}: install fmcts[{extra}]')


# ---- games, moves and boards ----


@attrs.frozen
class StartPosition:
    """The position a command starts from: `moves` of `game` lead over `before` to `state`.

    A board that was read has no moves and no `before`.
    """

    game: GameModule
    state: GameState[int]
    moves: tuple[int, ...] = ()
    before: GameState[int] | None = None

    def after(self, move: int) -> StartPosition:
        """Return the position after a legal move."""
        return StartPosition(self.game, self.state.play(move), (*self.moves, move), self.state)

    def board(self) -> Board:
        """Return the board, with the last stone and the free fields marked."""
        return picture(self.game, self.state, self.before, free=True)


def play_line(position: StartPosition, words: Iterable[str]) -> StartPosition:
    """Return the position after more moves.

    :raises ValueError: one of them is not legal; the message has its number.
    """
    for number, word in enumerate(words, 1):
        with within(f'move {number}'):
            move = read_legal(position.game, position.state, word)
        position = position.after(move)
    return position


def words_of(text: str) -> list[str]:
    """Return the words between commas; none of an empty text."""
    return text.split(',') if text.strip() else []


def read_legal(game: GameModule, state: GameState[int], word: str, hint: str = '') -> int:
    """Return the legal move that `word` names; `hint` is for unknown words.

    :raises ValueError: it names none.
    """
    if isinstance(game, Unwritten):
        found: int = value_of(game.read_move(state, word).alt(lambda why: why + hint))
        return found
    move: int = value_of(game.parse_move(word).alt(lambda why: why + hint))
    if move in state.moves:
        return move
    name = game.format_move(move)
    if state.over:
        raise ValueError(f'{name} is illegal: the game is over, {outcome(given_winner(state))}')
    legal = ', '.join(map(game.format_move, state.moves))
    raise ValueError(f'{name} is illegal: the legal moves are {legal}')


def to_running(position: StartPosition) -> None:
    """Raise UsageError unless a player is to move."""
    if position.state.over:
        result = ended(position.state)
        raise click.UsageError(f'the game is over, {result}: there is no move to search for')
    if chances_of(position.state):
        outcomes = cut(', '.join(map(written, options_of(position.state))), LIST)
        why = f'chance moves here: give the outcome by --moves, one of {outcomes}'
        raise click.UsageError(why)


def read_board(game: GameModule, path: str) -> StartPosition:
    """Return the position in the file at `path`, or on standard input if `path` is `-`.

    :raises ValueError: it cannot be read, or is not a position; the message names the file.
    """
    name = 'standard input' if path == '-' else cut(path, PATH_SHOWN)
    if path == '-' and sys.stdin is None:
        raise ValueError(f'{name}: cannot be read: standard input is closed')
    try:
        raw = sys.stdin.buffer.read() if path == '-' else Path(path).read_bytes()
        text = raw.decode('utf-8-sig')
    except OSError as error:
        raise ValueError(f'{name}: cannot be read: {error.strerror or error}') from None
    except UnicodeDecodeError as error:
        raise ValueError(f'{name}: is not text: byte {error.start + 1} is not UTF-8') from None
    return StartPosition(game, value_of(game.parse(text), name))


# ---- types ----


class Parsed(click.ParamType):  # type: ignore[type-arg]  # no parameters before click 8.4
    """A type whose values a function makes of text; it returns a `Result` or raises an error.

    A shell completes the words in `known`.
    """

    def __init__(self, name: str, parse: Callable[[str], Any], known: Iterable[str] = ()) -> None:
        self.name = name
        self.parse = parse
        self.known = tuple(known)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value of a word."""
        if not isinstance(value, str):
            return value
        try:
            found = self.parse(value)
            return value_of(found) if isinstance(found, Result) else found
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        """Return the words that start with `incomplete`."""
        del ctx, param
        found = (word for word in self.known if word.startswith(incomplete))
        return [*map(click.shell_completion.CompletionItem, found)]


@attrs.frozen
class Spec:
    """A bot or person as named by a SPEC, and that text."""

    text: str
    player: AnyBot | Human

    def bot(self, engine: str) -> Any:
        """Return the bot or person that is named; a bot that searches runs on `engine`."""
        if isinstance(self.player, MctsBot | MonteCarlo | AlphaBetaBot):
            return attrs.evolve(self.player, engine=engine)
        return self.player

    @property
    def search(self) -> Search:
        """The search of the tree search that is named."""
        return cast('MctsBot', self.player).search


def tell_of_number(option: str, spec: str, player: object) -> None:
    """Send a notice if the SPEC of a tree search has a number, in place of which is `option`."""
    name, _, number = spec.partition(',')[0].rpartition(':')
    given = (name and number.strip().isdecimal()) or 'iterations=' in spec
    if given and isinstance(player, MctsBot):
        info(f'{option} is used in place of the number in {spec}')


def to_player(text: str) -> Spec:
    """Return the bot or person that SPEC names.

    :raises ValueError: it names none.
    """
    return Spec(text.strip(), named_player(text))


def to_bot(text: str) -> Spec:
    """Return the bot that SPEC names.

    :raises ValueError: it names none, or a person.
    """
    found = to_player(text)
    if isinstance(found.player, Human):
        bots = ', '.join(name for name in RECIPES if name != 'human')
        raise ValueError(  # noqa: TRY004 - it is text
            f"bot 'human' is a person, who can only play in `fmcts play`: use one of: {bots}"
        )
    return found


def to_search(text: str) -> Spec:
    """Return the tree search that SPEC names.

    :raises ValueError: it names none, or another bot.
    """
    found = to_bot(text)
    if not isinstance(found.player, MctsBot):
        why = f'{shown(text)} is not a tree search: expected one, such as mcts:1000'
        raise ValueError(why)  # noqa: TRY004 - it is text
    return found


def to_line(text: str) -> StartPosition:
    """Return the position after moves of the game, which is parsed before.

    :raises ValueError: one of them is not legal.
    """
    game = click.get_current_context().params['game']
    return play_line(StartPosition(game, game.start), words_of(text))


def to_seconds(text: str) -> float:
    """Return a number of seconds.

    :raises ValueError: it is not a finite number above 0.
    """
    try:
        return check_seconds('', float(text))
    except ValueError:
        raise ValueError(
            f'expected a finite number of seconds above 0, not {shown(text)}'
        ) from None


def to_counts(text: str) -> tuple[int, ...]:
    """Return the comma-separated numbers in `text`.

    :raises ValueError: they are something else.
    """
    words = [word.strip() for word in text.split(',')]
    if not all(w.isascii() and w.isdecimal() and len(w) < 19 and int(w) for w in words):
        raise ValueError(f'expected whole numbers above 0, separated by commas, not {shown(text)}')
    return tuple(map(int, words))


def to_file(*suffixes: str, new: bool = True, name: str = 'FILE') -> Parsed:
    """Return the type of a file to write; nothing is written over another one unless not `new`."""

    def parse(text: str) -> Path:
        path = Path(text)
        if suffixes and path.suffix.lower() not in suffixes:
            raise ValueError(f'expected a {" or ".join(suffixes)} file, not {shown(text)}')
        if not text or not path.parent.is_dir():
            raise ValueError(f'there is no folder {path.parent}' if text else 'expected a file')
        if new and path.exists():
            raise ValueError('the file exists: name a new one')
        return path

    return Parsed(name, parse)


COUNT: Final = click.IntRange(1)
NUMBER: Final = click.IntRange(0)
GAME: Final = Parsed(
    'GAME', named_game, (*GAMES, *(family.example for family in FAMILIES.values()), *CHANCE_GAMES)
)
BOT: Final = Parsed('SPEC', to_bot)
PLAYER: Final = Parsed('SPEC', to_player)
SEARCH: Final = Parsed('SPEC', to_search)
MOVES: Final = Parsed('A,B,...', to_line)
COUNTS: Final = Parsed('A,B,...', to_counts)
SECONDS: Final = Parsed('SECONDS', to_seconds)
RNG: Final = Parsed('TEXT', parse_rng)
FILE: Final = Parsed('FILE', str)
WORDS: Final = Parsed('A,B,...', str)
"""Words between commas, read later: which are accepted depends on other options."""


# ---- commands ----


def command(name: str, about: str, *examples: str, lists: str = '') -> Callable[[F], click.Command]:
    """Return a decorator that makes a command of a function.

    :param about: the line of the command in `fmcts --help`.
    :param examples: command lines for its help.
    :param lists: what is listed before them: `games`, `bots` (and games), or nothing.
    """
    before = {'': '', 'games': f'{games_in_words()}\n\n', 'bots': f'{names_in_words()}\n\n'}[lists]
    return click.command(name, short_help=about, epilog=before + in_lines(*examples))


def option(
    name: str, kind: click.ParamType[Any] | None, about: str, **more: Any
) -> Callable[[F], F]:
    """Return an option with a value, or a switch if it has no `kind`; a default is shown."""
    if kind is None:
        return click.option(name, is_flag=True, help=about, **more)
    shows = more.get('default') is not None
    called = 'N' if kind is click.INT or isinstance(kind, click.IntRange) else kind.name
    return click.option(name, type=kind, metavar=called, show_default=shows, help=about, **more)


# ---- options ----


def position(command: F) -> F:
    """Add GAME, --moves and --board; the command receives a `StartPosition`."""

    @click.argument('game', metavar='GAME', type=GAME, is_eager=True)
    @option('--moves', MOVES, "The moves played so far, in the game's own notation.")
    @option('--board', FILE, 'A file with the position as `show` prints it; - is standard input.')
    @wraps(command)
    def parsed(
        game: GameModule, moves: StartPosition | None, board: str | None, **given: Any
    ) -> Any:
        if moves is not None and board is not None:
            exclude('--moves', '--board')
        named = [given.get('first'), given.get('second'), *given.get('specs', ())]
        if board == '-' and any(it is not None and isinstance(it.player, Human) for it in named):
            both = '--board - and human both read standard input: give the board in a file'
            raise click.UsageError(both)
        found = moves or StartPosition(game, game.start)
        if board is not None:
            with usage():
                found = read_board(game, board)
        return command(position=found, **given)

    return cast('F', parsed)


def generator(command: F) -> F:
    """Add --seed and --rng; the command receives a generator `rng`."""

    @option('--seed', click.INT, f'Seed of the SplitMix generator.  [default: {DEFAULT_SEED}]')
    @option(
        '--rng',
        RNG,
        'A generator: splitmix:SEED, splitmix:STATE:GAMMA, stdgen:SEED or stdgen:S1:S2.',
    )
    @wraps(command)
    def parsed(seed: int | None, rng: Generator | None, **given: Any) -> Any:
        if seed is not None and rng is not None:
            exclude('--seed', '--rng')
        with usage('--seed: '):
            rng = rng or SplitMix.from_seed(seed or DEFAULT_SEED)
        return command(rng=rng, **given)

    return cast('F', parsed)


def to_root_moves(position: StartPosition, bot: AnyBot, text: str | None) -> tuple[int, ...] | None:
    """Return the comma-separated moves in `text`, among which `bot` must choose; `None` for all."""
    if text is None:
        return None
    if not isinstance(bot, AnalysingBot | AlphaBetaBot):
        needed = '--root-moves needs a bot that compares moves, such as mc, mcts or perfect'
        raise click.UsageError(needed)
    with usage('--root-moves: '):
        return tuple(read_legal(position.game, position.state, it) for it in text.split(','))


time: Final = option(
    '--time',
    SECONDS,
    'Seconds a tree search may take, instead of a number of iterations; the output includes the '
    'number that finds the same.',
)
engine: Final = click.option(
    '--engine',
    metavar='NAME',
    type=click.Choice(('auto', *ENGINES)),
    default='auto',
    show_default=True,
    help=f'The engine to search with: {", ".join(("auto", *ENGINES))}. All give the same result.',
)
json: Final = click.option('--json', 'as_json', is_flag=True, help='Print one line of JSON.')


# ---- help ----


def games_in_words() -> str:
    """Return the list of games for the help."""
    sized = {it.pattern: f'{it.about} ({it.example})' for it in FAMILIES.values()}
    sized[', '.join(CHANCE_GAMES)] = 'dice, or one or three players (docs/dice.md)'
    width = max(map(len, sized))
    return '\n'.join(
        (
            '\b',
            f'Games (GAME): {", ".join(GAMES)}, or with sizes',
            *(f'  {pattern:<{width}}  {about}' for pattern, about in sized.items()),
            '  MODULE:NAME of your own (docs/games.md)',
            '  cmd:COMMAND, a program in any language (docs/protocol.md)',
        )
    )


def names_in_words() -> str:
    """Return the list of games and bots' names for the help; `fmcts bots` describes the bots."""
    names = textwrap.wrap(', '.join(RECIPES), 76, break_on_hyphens=False)
    return '\n'.join(
        (
            f'{games_in_words()}\n',
            '\b',
            'Bots (SPEC): NAME:NUMBER,OPTION=VALUE,... where all but the name may be left out;',
            "'fmcts bots' describes each one. The names are",
            *(f'  {line}' for line in names),
            '  MODULE:NAME of your own; a tree search also with iterations and options:',
            '  mymodule:search:500,c=0.4',
        )
    )


def in_lines(*lines: str) -> str:
    """Return example commands for the end of a help text."""
    return '\n'.join(('\b', 'Examples:', *(f'  {line}' for line in lines)))
