"""A decorator that checks that a function leaves its arguments as they were, to the last slot.

Pickles and equality would not do: both leave out what follows from the rest, such as the `value` of
a node and the words that a generator has computed ahead, and there a fault hides best.
"""

import functools

from fmcts.testing._laws.snapshots import changed, snapshot

LEFT_OUT = frozenset({'code'})  # a tree's machine code, which is no part of its value


def verify_inputs_unmodified(function):
    """The function, which fails where it changes anything that its arguments are made of.

    A slot that was empty may have been filled: that is how a value is remembered when it is asked
    for the first time. Nodes that are made when they are looked at are made before.
    """

    @functools.wraps(function)
    def checked(*arguments, **options):
        given = [*arguments, *options.values()]
        before = snapshot(given, 'arguments', LEFT_OUT)
        result = function(*arguments, **options)
        found = changed(before, snapshot(given, 'arguments', LEFT_OUT))
        assert found is None, found
        return result

    return checked
