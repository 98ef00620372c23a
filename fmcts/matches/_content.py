"""Texts that identify the game and the bots of a match by their content.

A match file stores these texts, so that an interrupted run is not resumed with a bot of the same
name that has changed. A value that cannot be described has only a reason, `{'unknown': why}`.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from fmcts._content.described import content_of
from fmcts.games import GameModule, find_game
from fmcts.matches._description import Match

Contents: TypeAlias = dict[str, 'str | dict[str, str]']
"""The texts of the game and of both bots; `{'unknown': why}` if a text cannot be made."""

GAME_MEMBERS: Final = ('start', 'parse', 'format', 'parse_move', 'format_move', 'read_move')


def contents_of(described: Match, game: GameModule) -> Contents:
    """Return the texts of a match's game and bots."""
    return {
        'game': content_of_game(game),
        'first': content_of(described.first),
        'second': content_of(described.second),
    }


def content_of_game(game: GameModule) -> str | dict[str, str]:
    """Return the text of a game; for a game of this library, its name."""
    members = {name: getattr(game, name) for name in GAME_MEMBERS if hasattr(game, name)}
    own = find_game(game.name).map(lambda found: found != game).value_or(True)  # noqa: FBT003
    return content_of(members) if own else game.name
