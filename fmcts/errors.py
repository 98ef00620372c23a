"""What engines complain about."""

from __future__ import annotations

__all__ = ['EngineError', 'IterationsError', 'MethodError', 'NoRoomError', 'RulesError']


class EngineError(ValueError):
    """An engine that is not known, or that lacks what was asked of it."""


class RulesError(EngineError):
    """Compiled rules on integers that cannot be made, or that break their promises.

    The same goes for the functions of a search that are compiled with them. The engine `auto` goes
    on with an engine that does without.
    """


class NoRoomError(ValueError):
    """A bound on the number of nodes that does not let a search begin."""


class IterationsError(ValueError):
    """Too few iterations for what is to be chosen."""


class MethodError(ValueError):
    """A selection rule or another part of a method that gives what it must not."""
