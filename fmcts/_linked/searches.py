"""The linked parts of a search: constants of its structure, formulas, functions by numba.

`search.c` declares all of it. A formula becomes LLVM code (`text`); a function that branches on
its numbers is compiled by numba (`numbas`) with the same name and arguments. What the parts are is
their key, so that a search with other parts never has the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, Final, cast

from fmcts._engines import judges
from fmcts._linked.functions import (
    Function,
    as_python,
    as_self,
    functions_of,
    parts_of as parts_of_policy,
    positions_of,
    score_in_lanes,
)
from fmcts._linked.keys import is_own, key_of
from fmcts._linked.layout import LLVM, constants, shape_of
from fmcts._linked.statuses import called
from fmcts._linked.structure import Structure
from fmcts._linked.text import DECLARED, constant, function_of
from fmcts.bits import nth_bit, popcount
from fmcts.rules import IntegerRules, rules_of, weight_one
from fmcts.search import checked_numbers
from fmcts.search.derived import Place, placed
from fmcts.search.memory import Table, size_of
from fmcts.search.methods import Gumbel, Parent
from fmcts.search.methods.method import Own, edge_type, zero
from fmcts.search.methods.priors import uniform
from fmcts.search.policies import Mixture, Narrowing, Policy, Preferring, Recalling, Uniform
from fmcts.search.policies.decisive import is_safe, wins

EXPANSIONS: Final = ('in-order', 'random', 'full', 'jump', 'selected')
INDEXES: Final = ('moves', 'replies', 'pairs')
POLICIES: Final = (Uniform, Mixture, Preferring, Narrowing, Recalling)
PREFERRED: Final[tuple[Any, ...]] = (None, 'winning', 'safe', 'patient', wins, is_safe)
GUESSES: Final = 1 << 12

WHAT: Final = {
    'evaluate': 'the evaluator',
    'reward_of': 'the reward',
    'heuristic': 'the heuristic',
    'first_number': 'the function for first numbers',
}


class Parts:
    """The parts of one search, as they are collected; most searches have the key of another.

    `state` is of the game. `here`: whether the code is for this processor, or for a page (`pages`).
    """

    def __init__(self, state: Any, *, here: bool = True) -> None:
        self.rules = rules = cast('IntegerRules', rules_of(state))  # `unsupported` checked this
        self.position = position = rules.pack(state)
        self.here = here
        self.texts: list[tuple[Any, ...]] = []  # functions that write code, with their arguments
        self.glue: list[tuple[Any, ...]] = []  # the same, of what calls the others by name
        self.compiled: list[tuple[Any, ...]] = []  # what numba compiles, as `define` is given it
        self.checks: list[Callable[[], object]] = []
        for name, value in {
            'FIELDS': len(position),
            'HAS_CHANCE': rules.chances is not None,
            'EVEN_CHANCES': rules.weight is weight_one,
            'SET_OF_BITS': rules.count is popcount and rules.pick is nth_bit,
            'ONE_WORD': not isinstance(rules.menu(position), tuple),
            'KEYS': rules.keys,
        }.items():
            self.put(constant, name, value, *constants('game.h')[name])

    def put(self, write: Callable[..., str], *given: Any) -> None:
        """Add the code that a function writes of values; their `repr` must tell all of them."""
        self.texts.append((write, *given))

    @cached_property
    def key(self) -> str:
        """What the code depends on, besides the rules and the processor; no part comes later.

        :raises RulesError: a function that is compiled refers to what can change in place.
        """
        texts = [(write.__name__, *given) for write, *given in (*self.texts, *self.glue)]
        what = 'a function of the search'
        keys = [
            (ieee, name, call, outs, [(each, key_of(it, what)) for each, it in known.items()])
            for ieee, name, call, known, outs, _ in self.compiled
        ]
        return repr((texts, keys))

    def all(self) -> list[str]:
        """Write and compile all code, and return it in pieces that are linked.

        :raises RulesError: numba cannot compile a function.
        :raises MethodError: a function returns something else than it should.
        """
        from fmcts._linked import link  # noqa: PLC0415 - keys of pages are made without LLVM

        for check in self.checks:
            check()
        compilers: dict[bool, Any] = {}
        for ieee, name, call, known, outs, more in self.compiled:
            if ieee not in compilers:
                compilers[ieee] = link.numbas().Compiler(ieee=ieee)
            compilers[ieee].define(name, call, known, outs, **more)
        fast = constant('HAS_PDEP', self.here and '+bmi2' in link.features().split(','))
        texts = ['\n'.join(write(*it) for write, *it in each) for each in (self.texts, self.glue)]
        compiled = [part for compiler in compilers.values() for part in compiler.parts]
        return [fast + DECLARED + texts[0], texts[1], *compiled]

    def define(
        self, name: str, body: str, known: dict[str, Any], outs: Sequence[str] = (),
        *, ieee: bool = False, **more: str,
    ) -> None:  # fmt: skip
        """Add the function of C called `name`, which numba compiles (`numbas.Compiler.define`).

        `ieee`: divisions by zero are as in formulas; else they are the errors of Python.
        """
        self.compiled.append((ieee, name, body, known, outs, more))

    def add(self, given: Function) -> None:
        """Add a function of numbers: a formula if it can be traced, else by numba."""
        if given.function is None:
            return
        if given.formula is not None:
            self.put(function_of, given.name, given.formula)
            return
        what = named(given.function, given.owner)
        if given.owner is not None:
            self.checks.append(partial(_check_shape, given, what))
        outs = [f'r[{place}]' for place in range(given.count)]
        self.define(given.name, *given.call, outs, ieee=True, what=what)

    def choose(self, name: str, there: Iterable[int], of_all: str = '') -> None:
        """Add a function that chooses among several; see `choice`."""
        self.glue.append((choice, name, [*there], of_all))

    def add_of_position(self, name: str, given: Any) -> None:
        """Add a user's function from positions to numbers, if there is one."""
        function = getattr(given, 'function', given)
        if function is None:
            return
        if function is uniform:  # numba need not be loaded for it
            text = '  %all = sitofp i64 %total to double\n  %x = fdiv double 1.0, %all\n'
            text += '  ret double %x\n}\n'
            self.put(str, f'define double @{name}({shape_of(name).text}) {{\n{text}')
            return
        what = f'{WHAT[name.rstrip("_0123456789")]} {called(function)}'
        self.define(
            name, *Function(name, function, kinds={'p': type(self.position)}).call, what=what
        )


def choice(name: str, there: Sequence[int], of_all: str) -> str:
    """Return `name(which, ...)`, which calls `name_0(...)`, `name_1(...)` and so on.

    With a function `of_all` it calls that one, for which `which` is a constant then.
    """
    shape = shape_of(name)
    kind, given = LLVM[shape.result], shape.text.partition(', ')[2]
    declared = f'declare {kind} @{of_all}({shape.text})\n' if of_all else ''
    switch = cases = ''
    for which in there:
        call = f'{of_all}(i32 {which}, {given})' if of_all else f'{name}_{which}({given})'
        declared += '' if of_all else f'declare {kind} @{call}\n'
        switch += f'i32 {which}, label %k{which} '
        value, result = (f'%r{which} = ', f' %r{which}') if shape.result else ('', '')
        cases += f'k{which}:\n  {value}call {kind} @{call}\n  ret {kind}{result}\n'
    return (
        f'{declared}define {kind} @{name}({shape.text}) alwaysinline {{\n'
        f'  switch i32 %which, label %none [{switch}]\n{cases}'
        f'none:\n  ret {kind} {"zeroinitializer" * bool(shape.result)}\n}}\n'
    )


def named(function: Any, owner: Any = None) -> str:
    """Return what errors call a function of numbers."""
    if owner is None:
        return f'the selection rule {called(function)}'
    kind, table = type(owner), 'the table ' if isinstance(owner, Table) else ''
    name = next(name for name in dir(kind) if getattr(kind, name, None) is function)
    return f'{name} of {table}{kind.__name__}'


def _check_shape(given: Function, what: str) -> None:
    """Check what a function without a formula returns for some numbers.

    :raises MethodError: it is no tuple of `count` numbers, if that is not 0.
    """
    try:
        kinds = given.arguments.values()  # a place has truths
        samples = (it(*[it is Place or 1.0] * len(it._fields)) if it else 1.0 for it in kinds)
        found = given.function(given.owner, *samples)
    except Exception:
        if is_own(given.function):  # a base class says that the user's class must define it
            raise
        return  # a search may never give such numbers
    if given.count:
        checked_numbers(found, what, given.count)


def parts_of(
    state: Any, structure: Structure, *, stdgen: bool, batched: bool = False, here: bool = True
) -> Parts:
    """Return the parts of a search in the game of a state, besides the rules.

    `here`: whether it runs on this processor, or in a page (`pages`), which shows playouts.
    """
    parts = Parts(state, here=here)
    if structure.refers:  # says what is wrong in our words, before numba does
        parts.checks.append(partial(judges, structure.method.table, 1))
    functions = {each.name: each for each in functions_of(structure)}
    for function in functions.values():
        parts.add(function)
    score, table = functions['score'], functions.get('update_table')
    lanes = score.formula, table and table.formula
    given = {
        'IS_STDGEN': stdgen,
        'BATCHED': batched,
        'SHOWS': not here,
        'GUESSES': GUESSES if here else 0,
        'LANES': lanes[0] is not None,
        'TABLE_LANES': lanes[1] is not None,
    }
    _add_constants(parts, structure, given)
    if lanes[0] is not None:
        parts.put(function_of, 'score_lanes', score_in_lanes(structure, score))
    if table is not None and lanes[1] is not None:
        parts.put(function_of, 'update_table_lanes', lanes[1])
    _together(parts, structure.method)
    _first_numbers(parts, structure.first_numbers)
    for which, each in enumerate(structure.statistics):
        parts.add_of_position(f'heuristic_{which}', each.heuristic)
    statistics = [*enumerate(structure.statistics)]
    for name in ('derived_end', 'derived_fold', 'derived_node'):
        parts.choose(name, range(len(statistics)))
    parts.choose('derived_leaf', (which for which, it in statistics if it.knows_leaves))
    parts.choose('heuristic', (which for which, it in statistics if it.heuristic))
    parts.choose('update_memory', range(len(structure.policy.memories)))
    _choosers(parts, structure.policy)
    parts.add_of_position('evaluate', structure.evaluate)
    parts.add_of_position('reward_of', structure.reward)
    return parts


def parts_of_walk(state: Any, first_numbers: Sequence[Any]) -> Parts:
    """Return the parts of a tree's serialisation, besides the rules of the state's game."""
    parts = Parts(state)
    _first_numbers(parts, first_numbers)
    return parts


def _add_constants(parts: Parts, structure: Structure, given: Mapping[str, int]) -> None:
    """Add the constants of a search, some of them given; others are the structure's by name."""
    method, evaluates, rules = structure.method, structure.evaluate is not None, parts.rules
    own_rewards = structure.seats > 0 and rules.rewards is not None
    numbers: dict[str, Any] = {
        **given,
        'EXPANSION': EXPANSIONS.index(structure.expansion),
        'GAINS': rules.gained is not None,
        'HAS_REWARD': structure.reward is not None or own_rewards,
        'EVALUATES': evaluates,
        'CUT': structure.cut or (evaluates and rules.chances is not None),
        'LOG_OFFSET': method.log_offset,
        'GUMBEL': type(method) is Gumbel,
        'TOGETHER': method.together,
        'SUMS': method.sums,
        'BY_VISITS': method.counts,
        'FIRST_PLAY': structure.unvisited and not method.scores_unvisited,
        'POSITIVE': structure.plain,
        'NUMBERS': len(method.names.own),
        'COLUMNS': len(method.columns),
        'TABLE_ROW': structure.key_row - structure.table_columns,
        'RESOLVES': structure.resolution is not None,
        'DERIVED': len(structure.statistics),
        'REMEMBERS': bool(structure.policy.memories),
        'MEMORIES': len(structure.policy.memories),
    }
    derived = placed(len(method.columns), structure.statistics)
    memories, policies = structure.policy.memories, parts_of_policy(structure.policy)
    counts = [len(getattr(each, 'policies', ())) for each, _ in policies]
    firsts = [
        sum(size_of(it, rules.keys) for it in memories[:place]) for place in range(len(memories))
    ]
    numbers |= {
        'DERIVED_FIRST': [row for _, row in derived],
        'DERIVED_COUNT': [len(each.names) for each, _ in derived],
        'DERIVED_SEEN': [len(each.first) for each, _ in derived],
        'DERIVED_KNOWS_LEAVES': [each.knows_leaves for each, _ in derived],
        'DERIVED_JUDGED': [each.heuristic is not None for each, _ in derived],
        'DERIVED_NUMBERS': [len(each.parameters) for each, _ in derived],
        'DERIVED_RUNNING': [each.running for each, _ in derived],
        'MEMORY_FIRST': firsts,
        'MEMORY_COLUMNS': [len(each.columns) for each in memories],
        'MEMORY_INDEX': [INDEXES.index(each.index) for each in memories],
        'MEMORY_NUMBERS': [len(each.parameters) for each in memories],
        'POLICY_KIND': [
            next(code for code, kind in enumerate(POLICIES) if isinstance(each, kind))
            for each, _ in policies
        ],
        'POLICY_NUMBER': [first for _, first in policies],
        'POLICY_HAS': [_has(each, memories, rules) for each, _ in policies],
        'POLICY_FIRST': [*accumulate(counts[:-1], initial=1)],
        'DERIVED_START': [each.first for each, _ in derived],
        'MEMORY_ABSENT': [each.absent for each in memories],
    }
    for name, (kind, shape) in constants('search.h').items():
        value = numbers[name] if name in numbers else getattr(structure, name.lower())
        parts.put(constant, name, value, kind, shape)


# ---- functions of positions, and of whole nodes ----


def _first_numbers(parts: Parts, functions: Sequence[Any]) -> None:
    """Add the first numbers of the moves' columns."""
    numbered = {place: it for place, it in enumerate(functions) if it is not zero}
    for place, function in numbered.items():
        parts.add_of_position(f'first_number_{place}', function)
    parts.choose('first_number', numbered)


def _together(parts: Parts, method: Any) -> None:
    """Add `score_together`, for a method that scores all moves of a node at once."""
    if not method.together or type(method) is Gumbel:  # of which `gumbel.h` has the scores
        return
    edge, own, (itself, kind) = method.edge, edge_type(method.own_names), as_self(method)
    width, parent = len(edge._fields), as_python('parent', Parent)
    each = as_python('edges', edge, (f'{width} * i + {place}' for place in range(width)))
    text = (
        f'found = [{each} for i in range(total)]\n'
        f'node = Node({as_python("own", own)}, same != 0, False)\n'
        f'scores = function({itself}, found, {parent}, node)\n'
        'if len(scores) != total:\n    return 1\n'
        'for i in range(total):\n    out[i] = float64(scores[i])\n0'
    )
    function = type(method).scores
    scope = {'Self': kind, 'Edges': edge, 'Parent': Parent, 'Own': own, 'Node': Own}
    fails = '  store i64 1, ptr %r\n'
    scope['function'], what = function, named(function, method)
    parts.define('score_together', text, scope, what=what, fails=fails)


# ---- playouts ----


def _has(policy: Any, memories: Sequence[Table], rules: IntegerRules) -> int:
    """Return what a part of the playout policy has, as `POLICY_HAS` in `search.h`."""
    if isinstance(policy, Mixture):
        return len(policy.limits)
    if isinstance(policy, Recalling):
        return sum(1 << place for place, it in enumerate(memories) if it in policy.memories)
    kinds = [
        PREFERRED.index(kind if getattr(rules, kind, None) is not None else belongs)
        for kind, belongs in getattr(policy, 'kinds', ())
    ]
    return sum(code << 3 * place for place, code in enumerate(kinds))


def _choosers(parts: Parts, policy: Policy) -> None:
    """Add what chooses by a part of the playout policy that is not a mixture."""
    all_parts = enumerate(parts_of_policy(policy))
    leaves: dict[int, Any] = {
        which: it for which, (it, _) in all_parts if not isinstance(it, Mixture)
    }
    narrowing = [which for which, it in leaves.items() if isinstance(it, Narrowing)]
    kinds, menu = positions_of(parts.rules, parts.position)
    for which in narrowing:
        function = leaves[which].function.function
        call = Function(f'narrow_{which}', function, kinds=kinds).call
        parts.define(f'narrow_{which}', *call, menu, what=f'the playout policy {called(function)}')
    parts.choose('narrow', narrowing)
    parts.choose('weigh', (which for which, it in leaves.items() if isinstance(it, Recalling)))
    parts.choose('choose_by', leaves, 'choose_by_part')
