"""What is linked in of a search: constants of its structure, formulas, and functions by numba.

`search.c` declares all of it. A formula becomes LLVM code (`text`); a function that branches on
its numbers is compiled by numba (`numbas`) with the same name and arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from fmcts._engines.selection import judges
from fmcts._expressions import Formula
from fmcts._linked import link
from fmcts._linked.formulas import Argument, Named, Number, Seen, numbers_of, self_of, traced
from fmcts._linked.keys import is_own
from fmcts._linked.lanes import score_in_lanes
from fmcts._linked.statuses import called
from fmcts._linked.structure import MOST, Structure, score_arguments
from fmcts._linked.text import DECLARED, Source, constant, function_of, zeros
from fmcts.bits import nth_bit, popcount
from fmcts.rules import IntegerRules, weight_one
from fmcts.search._columns import ColumnNames
from fmcts.search._functions import checked
from fmcts.search.derived import Place
from fmcts.search.memory import Table, size_of
from fmcts.search.methods import UCB1, ParentNumbers
from fmcts.search.methods.given import uniform
from fmcts.search.methods.method import Own, edge_type, zero
from fmcts.search.policies import Mixture, Narrowing, Policy, Preferring, Recalling
from fmcts.search.policies.decisive import wins
from fmcts.search.policies.mixture import SCALE

INSTRUCTIONS: Final = Path(__file__).with_name('instructions.ll')
EXPANSIONS: Final = ('in-order', 'random', 'full', 'jump', 'selected')
INDEXES: Final = ('moves', 'replies', 'pairs')
PREFERRED: Final = ('winning', 'safe', 'patient')
GUESSES: Final = 1 << 12

WHAT: Final = {
    'evaluate': 'the evaluator',
    'reward_of': 'the reward',
    'heuristic': 'the heuristic',
    'first_number': 'the function for first numbers',
}


class Parts:
    """The LLVM code of one search, as it is collected."""

    def __init__(self, rules: IntegerRules, position: Any, structure: Structure) -> None:
        self.rules, self.position, self.structure = rules, position, structure
        self.texts: list[str] = [DECLARED]
        self.glue: list[str] = []  # what calls the others by name
        self.declared: dict[str, None] = {}
        self.leaves: list[Any] = []  # policies that weigh moves
        self.narrowings: list[Any] = []

    @cached_property
    def numba(self) -> Any:
        """The compiler of functions that have no formula; numba is loaded for it."""
        return self._compiler(ieee=True)

    @cached_property
    def of_positions(self) -> Any:
        """The compiler of functions of positions, which raise the errors of Python."""
        return self._compiler(ieee=False)

    @staticmethod
    def _compiler(*, ieee: bool) -> Any:
        return link.numbas().Compiler(ieee=ieee)

    def compiled(self) -> list[str]:
        """Return the code of the functions that numba has compiled."""
        there = [vars(self)[name] for name in ('numba', 'of_positions') if name in vars(self)]
        return [part for compiler in there for part in compiler.parts]

    @property
    def all(self) -> list[str]:
        """All code, in pieces that are linked."""
        glue = '\n'.join([*self.declared, *self.glue])
        return [common_code(), '\n'.join(self.texts), glue, *self.compiled()]

    def add(
        self, name: str, function: Any, owner: Any, *arguments: Argument, count: int = 0
    ) -> None:
        """Add a function of numbers: a formula if it can be traced, else by numba.

        `owner` is what its `self` is, or `None`. It returns a number, or writes `count` of them.
        """
        formula = None if function is None else traced(function, owner, arguments, count)
        names = ['seen' if isinstance(it, Seen) else it.name for it in arguments]
        kinds = ['double' if isinstance(it, Number) else 'ptr' for it in arguments]
        out = ['ptr %out'] if count else []
        heads = [f'{kind} %{name}' for kind, name in zip(kinds, names, strict=True)]
        shape = ', '.join([*heads, 'ptr %numbers', *out])
        if function is None:
            zero = 'ret void' if count else 'ret double 0.0'
            self.texts.append(
                f'define {"void" if count else "double"} @{name}({shape}) {{ {zero} }}\n'
            )
        elif formula is not None:
            known = {key: it for each in arguments for key, it in each.sources().items()}
            known |= numbers_of(owner)
            self.texts.append(function_of(name, shape, formula, known, '%out' if count else ''))
        else:
            what = named(function, owner)
            if owner is not None:
                _check_shape(function, owner, arguments, what, count)
            of_self, given = self_of(owner)
            given |= {it.kind.__name__: it.kind for it in arguments if isinstance(it, Named)}
            call = f'function({", ".join([*of_self, *(it.source() for it in arguments)])})'
            lines = [f'r = {call}', *(f'out[{place}] = r[{place}]' for place in range(count))]
            letters = ['f' if kind == 'double' else 'd' for kind in kinds]
            pairs = [*zip(names, letters, strict=True), ('numbers', 'd')]
            pairs += [('out', 'd')] if count else []
            body = '\n'.join(lines) if count else f'return float64({call})'
            self.numba.define(
                name, pairs, body, {**given, 'function': function}, '' if count else 'f',
                what=what, fails=zeros(len(pairs) - 1, count) if count else '',
            )  # fmt: skip

    def call(self, kind: str, name: str, arguments: str) -> str:
        """Return the text of a call, and declare what is called."""
        kinds = ', '.join(each.rpartition(' ')[0] for each in arguments.split(', '))
        self.declared[f'declare {kind} @{name}({kinds})'] = None
        return f'call {kind} @{name}({arguments})'

    def choose(self, kind: str, name: str, arguments: str, there: Iterable[int]) -> None:
        """Add `name(which, ...)`, which calls `name_0(...)`, `name_1(...)` and so on."""
        cases, calls = [], []
        for which in there:
            cases.append(f'i32 {which}, label %k{which}')
            call = self.call(kind, f'{name}_{which}', arguments)
            result = '' if kind == 'void' else f'%r{which} = '
            calls.append(
                f'k{which}:\n  {result}{call}\n  ret {kind}{f" %r{which}" if result else ""}\n'
            )
        zero = {'void': '', 'double': ' 0.0', 'i32': ' 0'}[kind]
        self.glue.append(
            f'define {kind} @{name}(i32 %which, {arguments}) alwaysinline {{\n'
            f'  switch i32 %which, label %none [{" ".join(cases)}]\n{"".join(calls)}'
            f'none:\n  ret {kind}{zero}\n}}\n'
        )

    def here(self) -> str:
        """Return the position behind the pointer `p` as Python."""
        return f'Position({", ".join(f"p[{each}]" for each in range(len(self.position)))})'

    def add_of_position(
        self, name: str, given: Any, arguments: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Add a user's function from positions to numbers; 0 if there is none.

        It raises the errors of Python, so that a division by zero is one.
        """
        function = getattr(given, 'function', given)
        if function is None:
            self.texts.append(f'define double @{name}(ptr) {{ ret double 0.0 }}\n')
            return
        more = ''.join(f', {each}' for each, _ in arguments)
        known = {'function': function, 'Position': type(self.position)}
        text = f'return float64(function({self.here()}{more}))'
        what = f'{WHAT[name.rstrip("_0123456789")]} {called(function)}'
        self.of_positions.define(name, [('p', 'p'), *arguments], text, known, 'f', what=what)


def named(function: Any, owner: Any = None) -> str:
    """Return what errors call a function of numbers."""
    if owner is None:
        return f'the selection rule {called(function)}'
    kind, table = type(owner), 'the table ' if isinstance(owner, Table) else ''
    name = next(name for name in dir(kind) if getattr(kind, name, None) is function)
    return f'{name} of {table}{kind.__name__}'


def _check_shape(
    function: Any, owner: Any, arguments: Sequence[Argument], what: str, count: int
) -> None:
    """Check what a function without a formula returns for some numbers.

    :raises MethodError: it is no tuple of `count` numbers, if that is not 0.
    """
    try:
        found = function(owner, *(each.sample() for each in arguments))
    except Exception:
        if is_own(function):  # a base class says that the user's class must define it
            raise
        return  # a search may never give such numbers
    if count:
        checked(found, what, count)


def parts_of(
    rules: IntegerRules, position: Any, structure: Structure, *, stdgen: bool, batched: bool
) -> list[str]:
    """Return the LLVM code of a search, besides the game's rules."""
    parts = Parts(rules, position, structure)
    parts.texts.append(_constants(structure, rules, len(position), stdgen=stdgen, batched=batched))
    _method(parts)
    _derived(parts)
    _policy(parts)
    parts.add_of_position('evaluate', structure.evaluate)
    parts.add_of_position('reward_of', structure.reward)
    return parts.all


def parts_of_walk(rules: IntegerRules, position: Any, first_numbers: Sequence[Any]) -> list[str]:
    """Return the LLVM code of a tree's serialisation, besides the game's rules."""
    parts = Parts(rules, position, Structure(UCB1()))
    _first_numbers(parts, first_numbers)
    glue = '\n'.join([*parts.declared, *parts.glue])
    return [nth_bit_code() + '@fault = global i32 0\n', glue, *parts.compiled()]


def common_code() -> str:
    """Return the instructions that C does not have, and the global that counts faults."""
    return INSTRUCTIONS.read_text(encoding='utf-8') + nth_bit_code() + '@fault = global i32 0\n'


def nth_bit_code() -> str:
    """Return `nth_bit`: one instruction where the processor has it."""
    declared = 'declare i64 @llvm.cttz.i64(i64, i1)\n'
    if '+bmi2' in link.features().split(','):
        return declared + (
            'define i64 @nth_bit(i64 %b, i64 %i) alwaysinline {\n  %one = shl i64 1, %i\n'
            '  %d = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %b)\n'
            '  %t = call i64 @llvm.cttz.i64(i64 %d, i1 true)\n  ret i64 %t\n}\n'
            'declare i64 @llvm.x86.bmi.pdep.64(i64, i64)\n'
        )
    return declared + (
        'define i64 @nth_bit(i64 %b, i64 %i) alwaysinline {\nbegin:\n  br label %loop\n'
        'loop:\n  %x = phi i64 [%b, %begin], [%y, %more]\n'
        '  %k = phi i64 [%i, %begin], [%l, %more]\n'
        '  %z = icmp eq i64 %k, 0\n  br i1 %z, label %end, label %more\n'
        'more:\n  %m = sub i64 %x, 1\n'
        '  %y = and i64 %x, %m\n  %l = sub i64 %k, 1\n  br label %loop\n'
        'end:\n  %t = call i64 @llvm.cttz.i64(i64 %x, i1 true)\n  ret i64 %t\n}\n'
    )


def _constants(
    structure: Structure, rules: IntegerRules, width: int, *, stdgen: bool, batched: bool
) -> str:
    method, evaluates = structure.method, structure.evaluate is not None
    has_chance, own_rewards = rules.chances is not None, rules.rewards is not None
    numbers = {
        'IS_STDGEN': stdgen,
        'FIELDS': width,
        'HAS_CHANCE': has_chance,
        'EVEN_CHANCES': rules.weight is weight_one,
        'SET_OF_BITS': rules.count is popcount and rules.pick is nth_bit,
        'EXPANSION': EXPANSIONS.index(structure.expansion),
        'UNVISITED': structure.unvisited,
        'SCHEDULED': structure.scheduled,
        'BATCHED': batched,
        'REAL': structure.real,
        'SEATS': structure.seats,
        'HAS_REWARD': structure.reward is not None or (structure.seats > 0 and own_rewards),
        'EVALUATES': evaluates,
        'CUT': structure.cut or (evaluates and has_chance),
        'LOG_OFFSET': method.log_offset,
        'LANES': not method.together and _score_of(structure) is not None,
        'TOGETHER': method.together,
        'SUMS': method.sums,
        'BY_VISITS': method.counts,
        'FIRST_PLAY': structure.unvisited and not method.scores_unvisited,
        'POSITIVE': structure.plain,
        'GUESSES': 0 if structure.plain else GUESSES,
        'ROWS': structure.rows,
        'NUMBERS': structure.numbers,
        'OWN': structure.own,
        'MOVES': structure.moves,
        'COLUMNS': structure.updated,
        'TABLE_ROW': structure.table_row,
        'KEY_ROW': structure.key_row,
        'REWARD_ROW': structure.reward_row,
        'TRACES': structure.traces,
        'REFERS': structure.refers,
        'TABLE_COLUMNS': structure.table_columns,
        'IN_HALVES': structure.in_halves,
        'TABLE_LANES': _table_formula(structure) is not None,
        'UPDATES_ABOVE_ENDS': structure.updates_above_ends,
        'RESOLVES': structure.resolution is not None,
        'DERIVED': len(structure.derived),
        'REMEMBERS': structure.remembers,
        'MEMORIES': len(structure.policy.memories),
    }
    derived, memories = structure.derived, structure.policy.memories
    firsts = [
        sum(size_of(it, rules.keys) for it in memories[:place]) for place in range(len(memories))
    ]
    lists = {
        'DERIVED_FIRST': [row for _, row in derived],
        'DERIVED_COUNT': [len(each.names) for each, _ in derived],
        'DERIVED_SEEN': [len(each.first) for each, _ in derived],
        'DERIVED_KNOWS_LEAVES': [each.knows_leaves for each, _ in derived],
        'DERIVED_JUDGED': [each.heuristic is not None for each, _ in derived],
        'DERIVED_NUMBERS': [len(each.parameters) for each, _ in derived],
        'MEMORY_FIRST': firsts,
        'MEMORY_COLUMNS': [len(each.columns) for each in memories],
        'MEMORY_INDEX': [INDEXES.index(each.index) for each in memories],
        'MEMORY_NUMBERS': [len(each.parameters) for each in memories],
    }
    tables = {
        'DERIVED_START': [each.first for each, _ in derived],
        'MEMORY_ABSENT': [each.absent for each in memories],
    }
    return ''.join((
        *(constant(name, value) for name, value in numbers.items()),
        constant('KEYS', rules.keys, 'i64'),
        *(constant(name, values, shape=(MOST,)) for name, values in lists.items()),
        *(constant(name, rows, 'double', (MOST, 32)) for name, rows in tables.items()),
    ))  # fmt: skip


# ---- a method ----


def _score_of(structure: Structure) -> Formula | None:
    function, owner = structure.score
    return traced(function, owner, score_arguments(structure.method), 0)


def _table_formula(structure: Structure) -> Formula | None:
    table = structure.method.table
    if table is None:
        return None
    arguments = Named('edge', table.row), Number('reward')
    return traced(type(table).update, table, arguments, len(table.columns))


def _method(parts: Parts) -> None:
    structure, method = parts.structure, parts.structure.method
    kind, edge = type(method), Named('edge', method.edge)
    row, reward = Named('edge', edge_type(method.own_names)), Number('reward')
    formula = None if method.together else _score_of(structure)
    if formula is not None:
        parts.texts.append(score_in_lanes(structure, formula))
        parts.add('score_one', None, None, *score_arguments(method))
    else:
        parts.texts.append('define void @score_lanes(ptr, ptr, ptr, ptr) { ret void }\n')
        function, owner = structure.score
        function = None if method.together else function
        parts.add('score_one', function, owner, *score_arguments(method))
    _together(parts)
    parts.add('summed', kind.summed if method.sums else None, method, edge)
    parts.add('by_visits', kind.by_visits if method.counts else None, method, Number('visits'))
    count = len(method.columns)
    for name, there in (('update', count > 0), ('update_above_end', structure.updates_above_ends)):
        called = 'update_columns' if name == 'update' else name
        parts.add(
            called, getattr(kind, name) if there else None, method, row, reward, count=max(1, count)
        )
    _first_numbers(parts, structure.first_numbers)
    _table(parts)


def _first_numbers(parts: Parts, functions: Sequence[Any]) -> None:
    """Add the first numbers of the moves' columns."""
    numbered = {place: it for place, it in enumerate(functions) if it is not zero}
    for place, function in numbered.items():
        if function is uniform:  # for which numba need not be loaded
            parts.texts.append(
                f'define double @first_number_{place}(ptr %p, i64 %move, i64 %count) {{\n'
                '  %all = sitofp i64 %count to double\n  %each = fdiv double 1.0, %all\n'
                '  ret double %each\n}\n'
            )
            continue
        parts.add_of_position(f'first_number_{place}', function, [('move', 'i'), ('count', 'i')])
    parts.choose('double', 'first_number', 'ptr %p, i64 %move, i64 %count', numbered)


def _together(parts: Parts) -> None:
    """Add `score_together`, for a method that scores all moves of a node at once."""
    shape = 'ptr %edges, i64 %total, ptr %parent, ptr %own, i64 %same, ptr %numbers, ptr %out'
    method = parts.structure.method
    if not method.together:
        parts.glue.append(f'define i64 @score_together({shape}) {{ ret i64 0 }}\n')
        return
    edge, own = method.edge, Named('own', edge_type(method.own_names))
    width, of_self = len(edge._fields), self_of(method)
    each = f'Edge({", ".join(f"edges[{width} * i + {place}]" for place in range(width))})'
    parent = Named('parent', ParentNumbers)
    arguments = [*of_self[0], 'found', parent.source(), f'Own({own.source()}, same != 0)']
    text = (
        f'found = [{each} for i in range(total)]\nscores = function({", ".join(arguments)})\n'
        'if len(scores) != total:\n    return 1\n'
        'for i in range(total):\n    out[i] = float64(scores[i])\nreturn 0'
    )
    kinds = {
        'edges': 'd',
        'total': 'i',
        'parent': 'd',
        'own': 'd',
        'same': 'i',
        'numbers': 'd',
        'out': 'd',
    }
    given = {
        'function': type(method).scores,
        'Own': Own,
        'ParentNumbers': ParentNumbers,
        'Edge': edge,
    }
    if own.kind is not edge:  # both classes are called Edge
        given['Row'] = own.kind
        text = text.replace(own.source(), own.source().replace('Edge(', 'Row(', 1))
    parts.of_positions.define(
        'score_together', [*kinds.items()], text, {**of_self[1], **given}, 'i',
        what=named(type(method).scores, method), fails='  store i64 1, ptr %r\n',
    )  # fmt: skip


def _table(parts: Parts) -> None:
    """Add the functions of a method's table."""
    structure = parts.structure
    table, formula = structure.method.table, _table_formula(structure)
    if structure.refers and table is not None:
        judges(table, 1)
    lanes = 'ptr %edge, double %reward, ptr %numbers, ptr %out'
    if formula is None or table is None:
        parts.texts.append(f'define void @update_table_lanes({lanes}) {{ ret void }}\n')
    else:
        known = {
            key: Source(it.name, it.index, lanes=True)
            for key, it in Named('edge', table.row).sources().items()
        }
        known |= Number('reward').sources() | numbers_of(table)
        parts.texts.append(
            function_of('update_table_lanes', lanes, formula, known, '%out', lanes=True)
        )
    row: Any = table.row if table is not None else ParentNumbers
    count = len(table.columns) if table is not None else 1
    update = None if table is None else type(table).update
    refers = type(table).refers if table is not None and structure.refers else None
    parts.add('update_table', update, table, Named('edge', row), Number('reward'), count=count)
    parts.add('refers', refers, table, Number('visits'))


# ---- derived statistics ----


def _derived(parts: Parts) -> None:
    structure, method = parts.structure, parts.structure.method
    resolution = structure.resolution
    statistics = [*method.derived, *([resolution] if resolution else [])]
    for which, each in enumerate(statistics):
        kind, names, seen = type(each), len(each.names), Seen(len(each.first))
        child = Named('child', edge_type(ColumnNames((*method.columns, *each.names))))
        place = Named('node', Place, truths=True)
        leaf = kind.leaf if each.knows_leaves else None
        parts.add(f'derived_end_{which}', kind.end, each, Number('reward'), count=names)
        parts.add(f'derived_leaf_{which}', leaf, each, Number('reward'), count=names)
        parts.add(f'derived_fold_{which}', kind.fold, each, seen, child, count=seen.count)
        parts.add(f'derived_node_{which}', kind.node, each, seen, place, count=names)
        parts.add_of_position(f'heuristic_{which}', each.heuristic)
    there = range(len(statistics))
    for name, arguments in (
        ('end', 'double %reward, ptr %numbers, ptr %out'),
        ('leaf', 'double %reward, ptr %numbers, ptr %out'),
        ('fold', 'ptr %seen, ptr %child, ptr %numbers, ptr %out'),
        ('node', 'ptr %seen, ptr %node, ptr %numbers, ptr %out'),
    ):
        parts.choose('void', f'derived_{name}', arguments, there)
    parts.choose('double', 'heuristic', 'ptr %p', there)
    for name in ('leaves_out', 'ends'):
        parts.add(name, getattr(resolution, name, None), None, Number('number'))


# ---- playouts ----

CALL: Final = 'ptr %s, ptr %numbers, ptr %p, ptr %menu, ptr %move'


def _policy(parts: Parts) -> None:
    structure = parts.structure
    _chooser(parts, structure.policy, 'choose_move', 0)
    for which, policy in enumerate(parts.narrowings):
        _narrowing(parts, f'narrow_{which}', policy)
    parts.choose('void', 'narrow', 'ptr %p, ptr %menu, ptr %out', range(len(parts.narrowings)))
    memories = structure.policy.memories
    for which, leaf in enumerate(parts.leaves):
        # The row has the columns of its tables in the order of the search's tables.
        there = ['key', *(it for each in memories if each in leaf.memories for it in each.columns)]
        row = Named('row', leaf.row, places=[there.index(field) for field in leaf.row._fields])
        parts.add(f'weigh_{which}', type(leaf).weigh, leaf, row)
    parts.choose('double', 'weigh', 'ptr %row, ptr %numbers', range(len(parts.leaves)))
    for which, table in enumerate(memories):
        arguments = Named('edge', table.row), Number('reward')
        parts.add(
            f'update_memory_{which}',
            type(table).update,
            table,
            *arguments,
            count=len(table.columns),
        )
    shape = 'ptr %edge, double %reward, ptr %numbers, ptr %out'
    parts.choose('void', 'update_memory', shape, range(len(memories)))


def _chooser(parts: Parts, policy: Policy, name: str, first: int) -> None:
    """Add the function by which a part of the policy chooses; its numbers begin at `first`."""
    uniform = parts.call('i32', 'policy_uniform', 'ptr %s, ptr %menu, ptr %move')
    lines: list[str] = []
    last = uniform
    if isinstance(policy, Mixture):
        number = first + len(policy.limits)
        draw = parts.call('i32', 'policy_draws', f'ptr %s, i64 {SCALE}')
        lines.append(f'  %d = {draw}\n  %x = sitofp i32 %d to double')
        for place, part in enumerate(policy.policies):
            _chooser(parts, part, f'{name}_{place}', number)
            number += len(part.numbers)
            last = f'call i32 @{name}_{place}({CALL})'
            if place < len(policy.limits):
                lines.append(
                    f'  %a{place} = getelementptr double, ptr %numbers, i64 {first + place}\n'
                    f'  %l{place} = load double, ptr %a{place}\n'
                    f'  %c{place} = fcmp olt double %x, %l{place}\n'
                    f'  br i1 %c{place}, label %this{place}, label %next{place}\n'
                    f'this{place}:\n  %r{place} = {last}\n  ret i32 %r{place}\nnext{place}:'
                )
    elif isinstance(policy, Recalling):
        memories = parts.structure.policy.memories
        tables = sum(1 << place for place, each in enumerate(memories) if each in policy.memories)
        lines.append(f'  %n = getelementptr double, ptr %numbers, i64 {first}')
        which = f'i32 {len(parts.leaves)}, i32 {tables}'
        last = parts.call(
            'i32', 'policy_weighs', f'ptr %s, {which}, ptr %n, ptr %p, ptr %menu, ptr %move'
        )
        parts.leaves.append(policy)
    elif isinstance(policy, Preferring):
        for place, (kind, belongs) in enumerate(policy.kinds):
            if getattr(parts.rules, kind, None) is not None:
                code = PREFERRED.index(kind)
            elif belongs is None:
                continue
            else:
                code = len(PREFERRED) + (belongs is not wins)
            prefers = parts.call(
                'i32', 'policy_prefers', f'ptr %s, i32 {code}, ptr %p, ptr %menu, ptr %move'
            )
            lines.append(
                f'  %r{place} = {prefers}\n  %t{place} = icmp sge i32 %r{place}, 0\n'
                f'  br i1 %t{place}, label %done{place}, label %next{place}\n'
                f'done{place}:\n  ret i32 %r{place}\nnext{place}:'
            )
    elif isinstance(policy, Narrowing):
        which = f'i32 {len(parts.narrowings)}'
        last = parts.call('i32', 'policy_narrows', f'ptr %s, {which}, ptr %p, ptr %menu, ptr %move')
        parts.narrowings.append(policy)
    body = '\n'.join([*lines, f'  %r = {last}', '  ret i32 %r'])
    parts.glue.append(f'define i32 @{name}({CALL}) alwaysinline {{\n{body}\n}}\n')


def _narrowing(parts: Parts, name: str, policy: Any) -> None:
    menu = parts.rules.menu(parts.position)
    given = {
        'function': policy.function.function,
        'Position': type(parts.position),
        'Menu': type(menu),
    }
    seen, lines = 'menu[0]', 'out[0] = int64(r)'
    if isinstance(menu, tuple):
        seen = f'Menu({", ".join(f"menu[{each}]" for each in range(len(menu)))})'
        lines = '\n'.join(f'out[{each}] = int64(r[{each}])' for each in range(len(menu)))
    text = f'r = function({parts.here()}, {seen})\n{lines}'
    words = len(menu) if isinstance(menu, tuple) else 1
    parts.of_positions.define(
        name, [('p', 'p'), ('menu', 'p'), ('out', 'p')], text, given,
        what=f'the playout policy {called(given["function"])}', fails=zeros(2, words),
    )  # fmt: skip
