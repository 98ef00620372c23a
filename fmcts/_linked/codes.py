"""The machine code of searches, linked once for each structure; rules, compiled once for each game.

Rules of the library's games are in the folder `rules` beside this file, rules of users' games in a
cache folder, by their key.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any, Final

from fmcts._linked import link, searches
from fmcts._linked.functions import rules_key
from fmcts._linked.keys import SHIPPED
from fmcts._linked.structure import are_own
from fmcts._saving import write_whole
from fmcts.rules import IntegerRules, rules_of as declared_rules

VERSION: Final = 2  # of what rules are compiled to
MOST: Final = 64  # pieces of machine code, of about 1 MB each, and games, that a process keeps
SEARCH: Final = ('search',)
BATCHES: Final = ('gather_batch', 'credit_batch')
GAMES: Final = ('play_games',)
_lock: Final = RLock()
_codes: Final[dict[Any, link.Code]] = {}
_rules: Final[dict[str, bytes]] = {}


def kept(store: dict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
    """Return the value of a key, which is made once; of too many values the oldest goes."""
    found = store.get(key)  # without the lock where it is there, as another thread may be linking
    if found is None:
        with _lock:  # or several threads would link the same
            found = store.get(key)
            if found is None:
                found = make()
                while len(store) >= MOST:
                    del store[next(iter(store))]
                store[key] = found
    return found


def rules_of(rules: IntegerRules, position: Any) -> bytes:
    """Return the bitcode of a game's rules: shipped, from the cache folder, or made by numba."""
    name = name_of(rules, position)

    def make() -> bytes:
        # The key is in the name, so a file that is there is right unless it is damaged.
        for path in (SHIPPED / name, cached(name)):
            with suppress(OSError, RuntimeError):  # it is not there, or damaged
                found = path.read_bytes()
                link.parsed(found)
                return found
        found = link.joined(link.numbas().rules_code(rules, position))
        write(cached(name), found)
        return found

    return kept(_rules, name, make)  # type: ignore[no-any-return]


def name_of(rules: IntegerRules, position: Any) -> str:
    """Return the name of the file with the rules of a game."""
    key = rules_key(rules, position)
    return f'{hashlib.blake2b(repr((VERSION, key)).encode(), digest_size=16).hexdigest()}.bc'


def are_on_disk(state: Any) -> bool:
    """Return whether the rules of a state's game are on disk, so that numba is not needed."""
    rules = declared_rules(state)
    if rules is None:
        return False
    name = name_of(rules, rules.pack(state))
    return (SHIPPED / name).exists() or cached(name).exists()


@functools.cache
def folder() -> Path:
    """Return the folder for rules of users' games."""
    given = os.environ.get('FMCTS_CACHE_DIR')
    if given:
        return Path(given)
    from platformdirs import user_cache_path  # noqa: PLC0415 - only where rules are compiled

    return user_cache_path('fmcts', appauthor=False)


def cached(name: str) -> Path:
    """Return the path in the cache folder, which differs between versions of Python and of LLVM."""
    from fmcts import __version__  # noqa: PLC0415 - it imports this module

    versions = f'{__version__}-{sys.implementation.cache_tag}-llvm{link.LLVM_VERSION}'
    return folder() / f'rules-{versions}' / name


def write(path: Path, content: bytes) -> None:
    """Write a file; a folder that cannot be written to is not an error."""
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, content)


def code_with(parts: searches.Parts, loop: str, exported: tuple[str, ...]) -> link.Code:
    """Return the functions of a loop that are exported, linked with a game's rules and other parts.

    :raises RulesError: the rules, or a function among the parts, cannot be compiled.
    """
    rules, position = parts.rules, parts.position

    def make() -> link.Code:
        return link.Code(loop, [rules_of(rules, position), *parts.all()], exported)

    of_rules = rules if are_own(rules) else rules_key(rules, position)
    key = of_rules, loop, exported, parts.key
    return kept(_codes, key, make)  # type: ignore[no-any-return]
