"""A decorator that checks that a function leaves its arguments as they were, to the last slot.

Pickles and equality would not do: both leave out what follows from the rest, such as the `value` of
a node and the words that a generator has computed ahead, and there a fault hides best.
"""

import functools

from fmcts.testing._laws import pictures

LEFT_OUT = frozenset({'code'})  # a tree's machine code, which is no part of its value


def picture(*things):
    """Every object that can be reached from these, each with its parts, and how it was reached.

    Nodes that are made when they are looked at are made now.
    """
    return [
        row
        for number, thing in enumerate(things)
        for row in pictures.picture(thing, f'argument {number}', LEFT_OUT)
    ]


def changes(before):
    """How the objects of a picture differ now from what they were, in words.

    A slot that was empty may have been filled: that is how a value is remembered when it is asked
    for the first time. What is filled may not change, nor be put anew.
    """
    return pictures.changes(before, LEFT_OUT, strict=True)


def verify_inputs_unmodified(function):
    """The function, which fails where it changes anything that its arguments are made of."""

    @functools.wraps(function)
    def checked(*arguments, **options):
        before = picture(*arguments, *options.values())
        result = function(*arguments, **options)
        assert not (found := [*changes(before)]), '\n'.join(found)
        return result

    return checked
