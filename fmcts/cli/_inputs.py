"""Turn words into values: positions, bots, generators and engines, each as a `Result`.

The only effect is reading a board from a file or standard input, marked with `IOResult`. A failure
is one line that says what was wrong and what is accepted.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import attrs
from returns.io import IOFailure, IOResult, IOSuccess
from returns.iterables import Fold
from returns.pipeline import is_successful
from returns.result import Failure, Result, Success

from fmcts._arguments import LIST, cut, shown
from fmcts._running.registry import check_engine
from fmcts.bots._bot import AnalysingBot
from fmcts.bots._presets import RECIPES, AnyBot, Human
from fmcts.bots._solving import AlphaBetaBot
from fmcts.bots._treesearch import MctsBot
from fmcts.bots.montecarlo import MonteCarlo
from fmcts.cli._named import named_game, named_player
from fmcts.errors import EngineError
from fmcts.game import GameState, chances_of, given_winner, options_of
from fmcts.games import GameModule, Unwritten, written
from fmcts.games.boards import ended, outcome
from fmcts.rng import SplitMix, StdGen, parse as parse_rng

Generator: TypeAlias = SplitMix | StdGen

DEFAULT_SEED: Final = '0'
STANDARD_INPUT: Final = '-'
PATH_SHOWN: Final = 200  # characters of a file name to quote
LONGEST_BOARD: Final = 100_000  # bytes; a real board has some hundred
SEEDS: Final = 'a whole number in -2**63 .. 2**64 - 1'


@attrs.frozen
class Position:
    """The position a command starts from: `moves` of `game` lead over `before` to `state`.

    A board that was read has no moves and no `before`.
    """

    game: GameModule
    state: GameState[int]
    moves: tuple[int, ...] = ()
    before: GameState[int] | None = None


def read_position(game: str, moves: str | None, board: str | None) -> IOResult[Position, str]:
    """Return the position that GAME, --moves and --board name together."""
    if moves is not None and board is not None:
        return IOFailure('--moves and --board exclude each other: give one of them')
    found = named_game(game)
    if board is None:
        start = found.map(lambda module: Position(module, module.start))
        return IOResult.from_result(
            start.bind(partial(play_line, text=moves or '', option='--moves'))
        )
    name = 'standard input' if board == STANDARD_INPUT else cut(board, PATH_SHOWN)
    return IOResult.from_result(found).bind(
        lambda module: (
            read_board(board)
            .bind_result(module.parse)
            .map(lambda state: Position(module, state))
            .alt(lambda why: f'{name}: {why}')
        )
    )


def read_board(path: str) -> IOResult[str, str]:
    """Return the text of the file at `path`, or of standard input if `path` is `-`."""
    if path == STANDARD_INPUT and sys.stdin is None:
        return IOFailure('cannot be read: standard input is closed')
    try:
        if path == STANDARD_INPUT:
            raw = sys.stdin.buffer.read(LONGEST_BOARD + 1)
        else:
            with Path(path).open('rb') as file:
                raw = file.read(LONGEST_BOARD + 1)
        if len(raw) > LONGEST_BOARD:
            return IOFailure(f'is not a board: it has more than {LONGEST_BOARD} bytes')
        return IOSuccess(raw.decode('utf-8-sig'))
    except OSError as error:
        return IOFailure(f'cannot be read: {error.strerror or error}')
    except UnicodeDecodeError as error:
        return IOFailure(f'is not text: byte {error.start + 1} is not UTF-8')


def play_line(position: Position, text: str, option: str) -> Result[Position, str]:
    """Return the position after the comma-separated moves in `text`; errors name `option`."""
    game = position.game
    for number, word in enumerate(text.split(',') if text.strip() else [], 1):
        found = read_legal(game, position.state, word)
        if not is_successful(found):
            return Failure(f'{option}: move {number}: {found.failure()}')
        before, move = position.state, found.unwrap()
        position = Position(game, before.play(move), (*position.moves, move), before)
    return Success(position)


def read_legal(
    game: GameModule, state: GameState[int], word: str, hint: str = ''
) -> Result[int, str]:
    """Return the legal move that `word` names, or an error; `hint` is for unknown words."""
    if isinstance(game, Unwritten):
        return game.read_move(state, word).alt(lambda why: why + hint)
    known = game.parse_move(word).alt(lambda why: why + hint)
    return known.bind(lambda move: check_legal(game, state, move))


def check_legal(game: GameModule, state: GameState[int], move: int) -> Result[int, str]:
    """Return the move if it is legal; otherwise say why not, in the game's notation."""
    if move in state.moves:
        return Success(move)
    name = game.format_move(move)
    if state.over:
        return Failure(f'{name} is illegal: the game is over, {outcome(given_winner(state))}')
    legal = ', '.join(map(game.format_move, state.moves))
    return Failure(f'{name} is illegal: the legal moves are {legal}')


def to_running(position: Position) -> Result[Position, str]:
    """Return the position if its game is not over."""
    if position.state.over:
        result = ended(position.state)
        return Failure(f'the game is over, {result}: there is no move to search for')
    if chances_of(position.state):
        outcomes = cut(', '.join(map(written, options_of(position.state))), LIST)
        return Failure(f'chance moves here: give the outcome by --moves, one of {outcomes}')
    return Success(position)


def to_root_moves(
    position: Position, bot: AnyBot, text: str | None
) -> Result[tuple[int, ...] | None, str]:
    """Return the comma-separated moves in `text`, among which `bot` must choose; `None` for all."""
    if text is None:
        return Success(None)
    if not isinstance(bot, AnalysingBot | AlphaBetaBot):
        return Failure('--root-moves needs a bot that compares moves, such as mc, mcts or perfect')
    game, state = position.game, position.state
    return Fold.collect(
        [read_legal(game, state, word) for word in text.split(',')],
        Success(()),
    ).alt(lambda why: f'--root-moves: {why}')


def to_new_file(option: str, text: str) -> Result[Path, str]:
    """Return the file that an option names; nothing is written over another one."""
    if Path(text).exists():
        return Failure(f'{option} {shown(text)}: there is such a file; name a new one')
    return Success(Path(text))


def to_count(option: str, text: str, least: int = 1, digits: int = 18) -> Result[int, str]:
    """Return the whole number that an option gives."""
    if text.isascii() and text.isdecimal() and len(text) <= digits and int(text) >= least:
        return Success(int(text))
    return Failure(
        f'{option} {shown(text)}: expected a whole number from {least}, of up to {digits} digits'
    )


def to_generator(seed: str | None, rng: str | None) -> Result[Generator, str]:
    """Return the generator that --seed or --rng names; by default, from `DEFAULT_SEED`."""
    if rng is not None:
        if seed is not None:
            return Failure('--seed and --rng exclude each other: give one of them')
        return parse_rng(rng).alt(lambda why: f'--rng: {why}')
    text = DEFAULT_SEED if seed is None else seed
    digits = text.removeprefix('-')
    if digits.isascii() and digits.isdecimal() and len(digits) <= 20:
        try:
            return Success(SplitMix.from_seed(int(text)))
        except ValueError:
            pass  # out of range
    return Failure(f'--seed {shown(text)}: expected {SEEDS}')


def to_engine(name: str) -> Result[str, str]:
    """Return the name if --engine accepts it."""
    try:
        check_engine(name)
    except EngineError as error:
        return Failure(f'--engine: {error}')
    return Success(name)


def tree_search(bot: object, refusal: str) -> Result[MctsBot, str]:
    """Return the bot if it searches a tree; otherwise the refusal."""
    return Success(bot) if isinstance(bot, MctsBot) else Failure(refusal)


def to_player(spec: str, engine: str) -> Result[AnyBot | Human, str]:
    """Return the bot or person that SPEC names; searches run on `engine`."""
    return named_player(spec).map(
        lambda bot: (
            attrs.evolve(bot, engine=engine)
            if isinstance(bot, MctsBot | MonteCarlo | AlphaBetaBot)
            else bot
        )
    )


def to_bot(spec: str, engine: str) -> Result[AnyBot, str]:
    """Return the bot that SPEC names; refuse a person."""
    return to_player(spec, engine).bind(_no_human)


def _no_human(player: AnyBot | Human) -> Result[AnyBot, str]:
    if isinstance(player, Human):
        bots = ', '.join(name for name in RECIPES if name != 'human')
        return Failure(
            f"bot 'human' is a person, who can only play in `fmcts play`: use one of: {bots}"
        )
    return Success(player)
