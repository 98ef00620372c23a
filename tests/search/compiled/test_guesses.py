"""Speculation on choices changes no result, and machine code does use it."""

import re

import numpy as np
import pytest
from numba import njit

from fmcts import Search
from fmcts._compiled.selection import confirming, guess_count
from fmcts._compiled.structure import structure_of
from fmcts._numba.intrinsics import address, guessed

RAVE, PLAIN = (structure_of(Search(selection=it), 64, unvisited=True) for it in ('rave', 'ucb1'))


@njit
def guessing(number, guess):
    return guessed(number, guess)


@pytest.mark.parametrize(('number', 'guess'), [(3, 3), (3, 2), (0, -1), (0, 1 << 40)])
def test_speculation_changes_no_result(number, guess):
    """A wrong one may be anything."""
    assert guessing(number, guess) == number


def test_a_guess_is_used_before_the_number_is_known():
    """Where it is right the address is made of it: of a branch, and of another value there.

    The compiler must not see that both are the same, or it would leave the branch out.
    """
    guessing(0, 0)
    code = guessing.inspect_llvm(guessing.signatures[0])
    compared = re.search(r'(%\S+) = icmp eq i64 %arg\.number, %arg\.guess\n *br i1 (%\S+), ', code)
    assert compared
    assert compared[1] == compared[2]
    joined = re.search(r'phi i64 \[ (%\S+), \S+ \], \[ (%\S+), ', code)
    assert joined
    assert joined[1] == '%arg.number' != joined[2]


def test_the_last_choice_becomes_the_next_guess():
    confirm = confirming(RAVE)

    @njit
    def choose(array, block, index):
        return confirm(address(array), block, index)

    guesses = np.full(guess_count(RAVE), 7, np.int32)
    for index in (2, 2, 5):
        assert choose(guesses, 1000, index) == index
        assert guesses[guesses != 7].tolist() == [index]


def test_every_block_has_a_guess_except_in_plain_search():
    """Whatever the block, up to the last that there may be."""
    confirm = confirming(RAVE)

    @njit
    def choose(array, block):
        return confirm(address(array), block, 1)

    guesses = np.zeros(guess_count(RAVE) + 2, np.int32)
    for block in range(0, 1 << 20, 9):
        choose(guesses[1:-1], block)
    choose(guesses[1:-1], 2**31 - 1)
    assert guesses.tolist() == [0, *[1] * guess_count(RAVE), 0]
    assert guess_count(PLAIN) == 0
