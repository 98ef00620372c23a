"""Every error and warning that users of the library may catch."""

from __future__ import annotations


class FmctsWarning(UserWarning):
    """Issued when something went wrong that does not change the result."""


class IllegalMoveError(ValueError):
    """Raised when a move is not legal in the state it is played in."""


class FinishedGameError(ValueError):
    """Raised when a move or a search is requested in a finished game."""


class GameError(ValueError):
    """Raised when a game is found to break a promise of `GameState`."""


class EndlessGameError(GameError):
    """Raised when a game is not over after the maximum number of plies."""


class FileError(ValueError):
    """Raised for a file that does not contain what it should; the message is one line."""


class ReplayError(ValueError):
    """Raised when a page cannot show a search."""


class EngineError(ValueError):
    """Raised for an unknown engine, or one that does not support what is asked of it."""


class RulesError(EngineError):
    """Raised when compiled rules or functions cannot be made, or break their promises.

    The engine `auto` continues with another engine instead.
    """


class NoRoomError(ValueError):
    """Raised when `max_nodes` leaves no room for a single iteration."""


class IterationsError(ValueError):
    """Raised when a search has too few iterations to choose a move."""


class MethodError(ValueError):
    """Raised when a selection rule, or another function of a search, gives a wrong value."""


class MoveLimitError(RuntimeError):
    """Raised when a bot does not move in time; the message names game, ply and bot."""


class PrintedProgramError(ValueError):
    """Raised where the program of a text, run as printed, crashes."""


class MissingLibraryError(ImportError):
    """Raised when an optional library is missing; the message says how to install it."""


class UnansweredError(RuntimeError):
    """Raised when every attempt at a request failed; `search` is the search so far.

    Also if its executor takes no more calls, or its journal cannot keep an answer. The error of the
    last attempt is its cause.
    """

    def __init__(self, message: str, search: object = None) -> None:
        super().__init__(message)
        self.search = search
