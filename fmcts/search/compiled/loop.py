"""The loop of the search, compiled for a game's rules, a generator and a description.

It is the in-place engine once more: the same verbs, over the memory that `layout` describes.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import astuple, frozen

from fmcts.rules import IntegerRules
from fmcts.search.compiled.entries import entry, game_parts, taught
from fmcts.search.compiled.generators import Generator
from fmcts.search.compiled.layout import BELOW, MOVE, SLACK, VISITS, cell, open_block, size
from fmcts.search.compiled.machine import address, get, int32, int64, prefetch, put
from fmcts.search.compiled.positions import settled
from fmcts.search.compiled.verbs import (
    BAD_MENU,
    BAD_WINNER,
    WIDE_MOVE,
    backup,
    expansion,
    selection,
    simulation,
)
from fmcts.search.description import Expansion

__all__ = [
    'DONE',
    'NODES_ARE_MADE',
    'PATH_IS_FULL',
    'TREE_IS_FULL',
    'Variant',
    'make_loop',
]

# Why a run came back (and what rules may have done wrong: see `verbs`).
DONE: Final = 0
TREE_IS_FULL: Final = 1  # the array needs more room
PATH_IS_FULL: Final = 2
NODES_ARE_MADE: Final = 3  # one more iteration would exceed `max_nodes`

CHILDREN: Final = 1 << 24  # the most that a node may have


@frozen
class Variant:
    """What code is compiled for, besides rules and generator: the options that change the loop."""

    expansion: Expansion
    unvisited: bool  # whether there may be children without visits


def make_loop(  # noqa: C901, PLR0915 - it is the function inside that is long
    rules: IntegerRules, position: Any, generator: Generator, variant: Variant, about: str
) -> Any:
    """`run(...)` for positions of the class `position`; its arguments are described in it."""
    menu, count, pick, play, side, winner = taught(rules)
    select = selection(unvisited=variant.unvisited)
    expand = expansion(rules, variant.expansion)
    simulate = simulation(rules)
    full, unvisited = variant.expansion == 'full', variant.unvisited

    def run(  # noqa: C901, PLR0911, PLR0912, PLR0913, PLR0915, PLR0917 - the loop of a whole search
        words_array: Any,
        path_array: Any,
        logs_array: Any,
        c: Any,
        root_fields: Any,
        rng_words: Any,
        first: Any,
        visits: Any,
        used: Any,
        room_for_nodes: Any,
        iterations: Any,
    ) -> Any:  # compiled
        """Up to `iterations` more: status, how many were made, integers in use, nodes, generator.

        `first` is the block of the root's children, `visits` those of the root, `used` how many
        integers of the tree are in use, `room_for_nodes` how many nodes may still be made.
        Nothing is half done when the status lets the search go on. Plain tuples come in and go
        out, so that neither the signature nor the code on disk names a class.
        """
        root = position(*root_fields)
        rng = generator(*rng_words)
        words, path, logs = address(words_array), address(path_array), address(logs_array)
        room = len(words_array) - SLACK
        levels = len(path_array) // 2
        made = 0
        while made < iterations:
            here = root
            block = first
            parent_visits = visits + made
            depth = 0
            # Descend. A level of the path is the place of the child's visits, and how many
            # siblings it is among with the side that chose it, as one number.
            while True:
                if depth + 2 > levels:  # this level and, perhaps, a new child's below it
                    return PATH_IS_FULL, made, used, room_for_nodes, (rng[0], rng[1])
                total = int64(get(words, block))
                tried = int64(get(words, block + 1))
                if tried < total:
                    options = int64(menu(here))
                    break
                index = select(words, block, total, get(logs, parent_visits + 1), c)
                place = cell(block, total, VISITS, index)
                put(path, 2 * depth, place)
                put(path, 2 * depth + 1, total << 1 | int64(side(here)) & 1)
                depth += 1
                parent_visits = int64(get(words, place))
                block = int64(get(words, cell(block, total, BELOW, index)))
                prefetch(words, block + 16)
                prefetch(words, block + 32)
                move = int64(get(words, place + (MOVE - VISITS) * total))
                here = settled(play(here, move))
                if block < 0:
                    break
                if block == 0:
                    options = int64(menu(here))
                    link = place + (BELOW - VISITS) * total
                    if unvisited and options == 0:  # made with its siblings, not looked at before
                        won = int64(winner(here))
                        if won < 0 or won > 2:
                            return BAD_WINNER, made, used, room_for_nodes, (rng[0], rng[1])
                        block = -1 - won
                        put(words, link, block)
                        break
                    total = int64(count(options))
                    if total < 1 or total > CHILDREN:
                        return BAD_MENU, made, used, room_for_nodes, (rng[0], rng[1])
                    if used + size(total) > room:
                        return TREE_IS_FULL, made, used, room_for_nodes, (rng[0], rng[1])
                    block = used
                    open_block(words, block, total)
                    used += size(total)
                    put(words, link, block)
                    tried = 0
                    break
            if block < 0:
                won = -1 - block
            else:
                children = total - tried if full else 1
                if children > room_for_nodes:
                    return NODES_ARE_MADE, made, used, room_for_nodes, (rng[0], rng[1])
                room_for_nodes -= children
                index, rng = expand(words, block, total, tried, options, rng)
                place = cell(block, total, VISITS, index)
                put(path, 2 * depth, place)
                put(path, 2 * depth + 1, total << 1 | int64(side(here)) & 1)
                depth += 1
                move = int64(pick(options, index))
                if move != int32(move):
                    return WIDE_MOVE, made, used, room_for_nodes, (rng[0], rng[1])
                here = settled(play(here, move))
                options = int64(menu(here))
                won, rng_after = simulate(here, options, rng)
                if won < 0 or won > 2:
                    return BAD_WINNER, made, used, room_for_nodes, (rng[0], rng[1])
                if options == 0:
                    put(words, place + (BELOW - VISITS) * total, -1 - won)
                rng = rng_after
            backup(words, path, depth, won)
            made += 1
        return DONE, made, used, room_for_nodes, (rng[0], rng[1])

    return entry(run, about, game_parts(rules, position), generator, *astuple(variant))
