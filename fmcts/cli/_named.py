"""`MODULE:NAME`, a user's own games and bots, and `cmd:COMMAND`, a game of another language.

Modules are looked up in the current directory first, as `python -m` does. An error in a user's
module is one line that names the file and the line.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import traceback
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import attrs
from returns.result import Success

from fmcts._arguments import cut, did_you_mean, shown, takes, value_of, within
from fmcts._content import is_user_code
from fmcts.bots import RECIPES, AlphaBetaBot, AnyBot, Human, MctsBot, Recipe, mcts, parse_bot
from fmcts.errors import GameError
from fmcts.games import CHANCE_GAMES, GAMES, GameModule, Unwritten, find_game
from fmcts.games.families import FAMILIES
from fmcts.interop import commands
from fmcts.search import Search
from fmcts.solve import AlphaBeta

DOTTED: Final = r'[^\W\d]\w*(?:\.[^\W\d]\w*)*'
NAMED: Final = re.compile(rf'({DOTTED}):({DOTTED})(?::([0-9]{{1,18}}))?')
GAME_MEMBERS: Final = ('name', 'start', 'parse', 'format', 'parse_move', 'format_move')
STATE_MEMBERS: Final = ('player', 'moves', 'over', 'winner', 'play')
COMMAND: Final = 'cmd:'
LONGEST: Final = 200  # characters of an error's own message


def load_named(text: str) -> Any:
    """Return the value that MODULE:NAME names, or the start of the game of cmd:COMMAND.

    The module is imported, or the command run, with whatever effects that has.

    :raises ValueError: there is none; the message is one line.
    """
    if text.startswith(COMMAND):
        try:
            return commands.start(text.removeprefix(COMMAND))
        except GameError as error:
            raise ValueError(str(error)) from None
    named = NAMED.fullmatch(text.strip())
    if named is None or named[3] is not None:
        raise ValueError(f'{shown(text)}: expected MODULE:NAME, such as mygame:game')
    module = _imported(named[1])
    try:
        return attrgetter(named[2])(module)
    except AttributeError as error:
        close = did_you_mean(error.name, tuple(it for it in vars(module) if not it.startswith('_')))
        raise ValueError(f'the module {module.__name__} has no {named[2]}{close}') from None


def _imported(name: str) -> Any:
    look_here()
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit, GeneratorExit) as error:  # noqa: BLE001 - whatever it does
        # A module that is there may import another one that is not.
        absent = error.name if isinstance(error, ModuleNotFoundError) else None
        if absent is not None and f'{name}.'.startswith(f'{absent}.'):
            raise ValueError(f'no module {absent} in {Path.cwd()}, nor installed') from None
        raise ValueError(f'the module {name} cannot be imported: {_in_words(error)}') from None


def look_here() -> None:
    """Make modules of the current directory importable."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    importlib.invalidate_caches()


def modules_named(spec: str) -> tuple[str, ...]:
    """Return the module that a game or a bot is named by, if it is a module of the user's."""
    named = NAMED.fullmatch(spec.partition(',')[0].strip())
    others = {*RECIPES, *GAMES, *FAMILIES, *CHANCE_GAMES, COMMAND.rstrip(':')}
    if named is None or named[1] in others:
        return ()
    return (named[1],)


# ---- games ----


def named_game(text: str) -> GameModule:
    """Return the game that GAME names: of the library, a family, MODULE:NAME or cmd:COMMAND.

    :raises ValueError: it names none.
    """
    word = text.strip()
    first, colon, _ = word.partition(':')
    if word in GAMES or first in FAMILIES or first in CHANCE_GAMES:
        return value_of(find_game(word))
    if not word.startswith(COMMAND) and not (colon and NAMED.fullmatch(word)):
        hint = '{}; use MODULE:NAME for a game of your own'.format
        return value_of(find_game(word).alt(hint))
    return _to_game(word, load_named(word))


@attrs.frozen
class Renamed:
    """A user's game by the MODULE:NAME where it is found again, with all else that it has.

    Records, receipts and bundles name the game by it.
    """

    name: str
    game: Any

    def __getattr__(self, member: str) -> Any:
        """Return what the game has."""
        return getattr(self.game, member)


def _to_game(text: str, value: Any) -> GameModule:
    if all(hasattr(value, member) for member in GAME_MEMBERS):
        known = value.name == text or find_game(str(value.name)) == Success(value)
        return value if known else Renamed(text, value)
    missing = [member for member in STATE_MEMBERS if not hasattr(value, member)]
    if missing == ['winner'] and hasattr(value, 'rewards'):
        missing = []
    if isinstance(value, type) and not missing:
        raise ValueError(f'{text} is a class: expected the initial state of the game')
    if not missing:
        if wrong := _wrong_in(value):
            raise ValueError(f'{text}: {wrong}')
        return Unwritten(text, value)
    raise ValueError(
        f'{text} is {shown(value)}, which has no {missing[0]}: expected a game from '
        'fmcts.games.from_rules.make_game, or its initial state'
    )


def _wrong_in(state: Any) -> str | None:
    """Return what the first state of a user's game breaks of the interface, and where."""
    wrong: tuple[str, str] | None = None
    for name in ('over', 'moves', 'player'):
        if callable(getattr(state, name)):
            wrong = name, 'is a method: make it a property (@property)'
    if wrong is None and not isinstance(state.moves, tuple | list):
        wrong = 'moves', f'is {shown(state.moves)}: expected a tuple'
    if wrong is None and state.moves and not state.over:
        after = state.play(state.moves[0])
        if not all(hasattr(after, name) for name in ('player', 'moves', 'over', 'play')):
            wrong = 'play', f'gives {shown(after)}: expected the next state'
    if wrong is None:
        return None
    member = inspect.getattr_static(type(state), wrong[0], None)
    code = getattr(getattr(member, 'fget', member), '__code__', None)
    place = f'{_short(code.co_filename)}, line {code.co_firstlineno}: ' if code else ''
    return f'{place}{" ".join(wrong)}'


# ---- bots ----


def named_player(text: str) -> AnyBot | Human:
    """Return the bot that SPEC names: one of `RECIPES`, or MODULE:NAME.

    The value may be a bot, a `Search`, an `AlphaBeta`, a `Recipe`, or a SPEC as text. A search may
    have a number of iterations, and values of its method's numbers: `mymodule:search:500,c=0.4`.

    :raises ValueError: it names none.
    """
    word = text.strip()
    place, *options = word.split(',')
    named = NAMED.fullmatch(place.strip())
    if word.partition(':')[0] in RECIPES or named is None:
        return value_of(parse_bot(word))
    module_and_name = f'{named[1]}:{named[2]}'
    bot = _to_player(module_and_name, load_named(module_and_name))
    with within(f'bot {shown(text)}'):
        return _changed(bot, named[3], options)


def _to_player(text: str, value: object) -> AnyBot | Human:
    match value:
        case str():
            return value_of(parse_bot(value), text)
        case Search():
            return mcts(value)
        case AlphaBeta():
            return AlphaBetaBot(value)
        case Recipe():
            return value.bot()
    if callable(value) and not isinstance(value, type) and takes(value, 2):
        return value
    raise ValueError(
        f'{text} is {shown(value)}: expected a bot, which takes a state and a generator, '
        'or a Search'
    )


def _changed(bot: AnyBot | Human, number: str | None, options: Sequence[str]) -> AnyBot | Human:
    """Return the bot with a number of iterations, and numbers of its method as `name=number`."""
    if number is None and not options:
        return bot
    if not isinstance(bot, MctsBot):
        what = 'options' if options else 'a number'
        raise ValueError(f'only a tree search takes {what} after its name')  # noqa: TRY004 - text
    method = bot.search.method
    # A rule has parameters that are no options: the numbers in the body of its function.
    fields, whole = attrs.fields_dict(type(method)), method.integers
    known = [name for name in method.parameters if name in fields]
    given: dict[str, float] = {}
    for option in options:
        name, _, value = (part.strip() for part in option.partition('='))
        if name not in known or name in given:
            takes = f'the options {", ".join(known)}' if known else 'no options'
            raise ValueError(f'it takes {takes}, not {shown(option)}')
        try:
            given[name] = int(value) if name in whole else float(value)
        except ValueError:
            raise ValueError(f'{name} must be a number, not {shown(value)}') from None
    changes: dict[str, Any] = {} if number is None else {'iterations': int(number)}
    if given:
        changes |= {'c': None, 'selection': attrs.evolve(method, **given)}
    return attrs.evolve(bot, search=attrs.evolve(bot.search, **changes))


# ---- errors in a user's code ----

PLACE: Final = re.compile(r'^  File "(.+)", line (\d+), in ', re.MULTILINE)


def place_in_own_code(error: BaseException) -> str | None:
    """Return the error in one line with the file and line of the user's code that raised it.

    Return `None` if it did not pass through the user's code.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno is not None:
        return f'{_short(error.filename)}, line {error.lineno}: {_said(error, error.msg)}'
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if type(error.__cause__).__name__ == '_RemoteTraceback':  # from another process, as text
        places += PLACE.findall(str(error.__cause__))
    own = [place for place in places if is_user_code(place[0])]
    if not own:
        return None
    # The deepest place in the user's own code, whatever library it called from there.
    filename, line = own[-1]
    return f'{_short(filename)}, line {line}: {_said(error, str(error))}'


def in_own_code(error: BaseException) -> str | None:
    """Return the error in one line if a user's game or bot raised it; else `None`.

    The line starts with what a match adds (the game, the ply and the bot); file and line follow.
    """
    place = place_in_own_code(error)
    notes = getattr(error, '__notes__', ())
    if not notes:
        return place
    return f'{notes[-1]}: {place or _said(error, str(error))}'


def _in_words(error: BaseException) -> str:
    return place_in_own_code(error) or _said(error, str(error))


def _said(error: BaseException, message: str | None) -> str:
    text = cut(message or '', LONGEST)
    return f'{type(error).__name__}: {text}' if text else type(error).__name__


def _short(filename: str) -> str:
    """Return the file name relative to the current directory if it is inside it."""
    path = Path(filename)
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
