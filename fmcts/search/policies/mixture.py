"""Mixtures of playout policies: each move is chosen by one of them, drawn anew."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

from attrs import Attribute, field, frozen

from fmcts._arguments import shown
from fmcts._validators import as_float, must_be, share
from fmcts.search.memory import Recalled, Table, united
from fmcts.search.policies.policy import Choose, Draw, Policy, Uniform

SCALE: Final = 1 << 20
"""A weight is rounded to a multiple of 1 / SCALE."""


_policies: Final = must_be(
    'a tuple of at least one Policy',
    lambda value: (
        isinstance(value, tuple) and bool(value) and all(isinstance(part, Policy) for part in value)
    ),
)


def _weights(instance: Any, attribute: Attribute[Any], value: Any) -> None:
    if not isinstance(value, tuple) or len(value) != len(instance.policies):
        raise ValueError(
            f'weights must be a tuple of {len(instance.policies)} numbers, not {shown(value)}'
        )
    for weight in value:
        share(instance, attribute, weight)
    if abs(sum(value) - 1.0) > 1.0 / SCALE:
        raise ValueError(f'weights must have the sum 1, not {sum(value):g}')


def _floats(value: Any) -> Any:
    return tuple(map(as_float, value)) if isinstance(value, tuple) else value


@frozen
class Mixture(Policy):
    """A policy that draws one of the `policies` for each move, by its weight; the weights sum to 1.

    It costs one draw of a number below 2**20 besides the policy's draws. A part without weight
    costs nothing: if one part has all the weight, the mixture is that part.

    :raises ValueError: no policies, or weights that are not one number for each with the sum 1.

    >>> Mixture((Uniform(), Uniform()), (0.5, 0.25))
    Traceback (most recent call last):
    ValueError: weights must have the sum 1, not 0.75
    """

    policies: tuple[Policy, ...] = field(validator=_policies)
    weights: tuple[float, ...] = field(converter=_floats, validator=_weights)

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """Return the move of the drawn policy."""
        return self.policies[bisect(self.limits, draw(SCALE))].choose(state, moves, draw)

    def chooser(self) -> Choose:
        """Return the function that chooses a move, with the policies prepared once."""
        choosers, limits = [policy.chooser() for policy in self.policies], self.limits

        def choose(recalled: Recalled, state: Any, moves: Sequence[Any], draw: Draw) -> Any:
            return choosers[bisect(limits, draw(SCALE))](recalled, state, moves, draw)

        return choose

    @property
    def memories(self) -> tuple[Table, ...]:  # type: ignore[override] # read-only
        """The tables of the policies.

        :raises ValueError: two different ones have one name.
        """
        return united(memory for policy in self.policies for memory in policy.memories)

    @property
    def simplified(self) -> Policy:
        """The mixture without policies of weight 0; a mixture of one is that policy."""
        shares = [round(weight * SCALE) for weight in self.weights]
        kept = [index for index, each in enumerate(shares) if each]
        policies = tuple(self.policies[index].simplified for index in kept)
        if len(policies) == 1:
            return policies[0]
        return Mixture(policies, tuple(self.weights[index] for index in kept))

    @property
    def limits(self) -> tuple[int, ...]:
        """The numbers below which each policy but the last is chosen."""
        # The sums are rounded, and not the weights: so errors do not add up over many parts.
        return tuple(round(total * SCALE) for total in accumulate(self.weights[:-1]))

    @property
    def numbers(self) -> tuple[float, ...]:
        """The limits, and then the parameters of the policies."""
        return (*self.limits, *(number for policy in self.policies for number in policy.numbers))

    @property
    def leaves(self) -> tuple[Policy, ...]:
        """The leaves of the policies."""
        return tuple(leaf for policy in self.policies for leaf in policy.leaves)


def epsilon(policy: Policy, share: float) -> Mixture:
    """Return the policy, except that a `share` of the moves is drawn among all legal ones.

    :raises ValueError: `share` is not a number from 0 to 1.

    >>> from fmcts.search.policies import Decisive
    >>> epsilon(Decisive(), 0.1).weights
    (0.1, 0.9)
    """
    number: Any = as_float(share)
    if not isinstance(number, float) or not 0 <= number <= 1:
        raise ValueError(f'share must be a number from 0 to 1, not {shown(share)}')
    return Mixture((Uniform(), policy), (number, 1.0 - number))


@frozen
class EpsilonGreedy(Policy):
    """A policy that plays the move of `greedy`; with probability `epsilon` any legal move."""

    epsilon: float = field(default=0.1, converter=as_float, validator=share)

    @property
    def greedy(self) -> Policy:
        """The policy without random moves."""
        raise TypeError(f'the playout policy {type(self).__name__} has no greedy')

    @property
    def simplified(self) -> Policy:
        """The equivalent mixture."""
        return epsilon(self.greedy, self.epsilon).simplified

    @property
    def memories(self) -> tuple[Table, ...]:  # type: ignore[override] # read-only
        """The tables of the greedy policy, unless all moves are random."""
        return self.simplified.memories

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """Return the mixture's move."""
        return self.simplified.choose(state, moves, draw)

    def chooser(self) -> Choose:
        """Return the mixture's function."""
        return self.simplified.chooser()
