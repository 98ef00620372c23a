"""What is linked in of a search: constants of its structure, formulas, and functions by numba."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from fmcts._compiled.structure import Structure
from fmcts._expressions import Expression, Formula, formula_of, symbols, trace
from fmcts._linked import link
from fmcts._linked.numbas import Compiler
from fmcts._linked.text import DECLARED, Source, constant, function_of
from fmcts._numba.traced import Traced
from fmcts.bits import nth_bit, popcount
from fmcts.formulas import where
from fmcts.rules import IntegerRules, weight_one
from fmcts.search._columns import ColumnNames
from fmcts.search._description import Search
from fmcts.search.derived import Place
from fmcts.search.memory import size_of
from fmcts.search.methods import ParentNumbers, Rule
from fmcts.search.methods.method import edge_type, zero
from fmcts.search.policies import Mixture, Narrowing, Policy, Preferring, Recalling
from fmcts.search.policies.decisive import wins
from fmcts.search.policies.mixture import SCALE

INSTRUCTIONS: Final = Path(__file__).with_name('instructions.ll').read_text(encoding='utf-8')
EXPANSIONS: Final = ('in-order', 'random', 'full', 'jump', 'selected')
INDEXES: Final = ('moves', 'replies', 'pairs')
GUESSES: Final = 1 << 12
PARENT: Final = ParentNumbers._fields


def nth_bit_code() -> str:
    """Return `nth_bit`: one instruction where the processor has it."""
    if '+bmi2' in link.features().split(','):
        return (
            'define i64 @nth_bit(i64 %b, i64 %i) alwaysinline {\n  %one = shl i64 1, %i\n'
            '  %d = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %b)\n'
            '  %t = call i64 @llvm.cttz.i64(i64 %d, i1 true)\n  ret i64 %t\n}\n'
            'declare i64 @llvm.x86.bmi.pdep.64(i64, i64)\n'
        )
    return (
        'define i64 @nth_bit(i64 %b, i64 %i) alwaysinline {\nbegin:\n  br label %loop\n'
        'loop:\n  %x = phi i64 [%b, %begin], [%y, %more]\n  %k = phi i64 [%i, %begin], [%l, %more]\n'
        '  %z = icmp eq i64 %k, 0\n  br i1 %z, label %end, label %more\nmore:\n  %m = sub i64 %x, 1\n'
        '  %y = and i64 %x, %m\n  %l = sub i64 %k, 1\n  br label %loop\n'
        'end:\n  %t = call i64 @llvm.cttz.i64(i64 %x, i1 true)\n  ret i64 %t\n}\n'
    )


class Parts:
    """Collects the LLVM code of one search."""

    def __init__(self, rules: IntegerRules, position: Any, structure: Structure) -> None:
        self.rules, self.position, self.structure = rules, position, structure
        self.texts: list[str] = []
        self.numba = Compiler(ieee=True)
        self.ours: dict[str, Any] = {}

    def formula(
        self, name: str, arguments: str, formula: Formula, known: Mapping[str, Source], out: str = '',
        **options: Any,
    ) -> None:
        """Add a function that computes a formula."""
        self.texts.append(function_of(name, arguments, formula, known, out, **options))

    def absent(self, kind: str, name: str, arguments: str) -> None:
        """Add a function that is never called."""
        zero = {'void': 'ret void', 'i32': 'ret i32 0', 'double': 'ret double 0.0', 'i64': 'ret i64 0'}[kind]
        self.texts.append(f'define {kind} @{name}({arguments}) {{ {zero} }}\n')

    def here(self) -> str:
        """Return the source of the position behind the pointer `p`."""
        return f'Position({", ".join(f"p[{each}]" for each in range(len(self.position)))})'

    def on_positions(self, name: str, function: Any) -> None:
        """Add a user's function from positions to numbers; 0 if there is none."""
        if function is None:
            self.absent('double', name, 'ptr')
            return
        given = {'function': function, 'Position': type(self.position)}
        self.numba.define(name, [('p', 'p')], f'return float64(function({self.here()}))', given, 'f')


def as_formula(traced: Traced) -> Formula:
    """Return the formula of what was traced for machine code."""
    return Formula(traced.steps, traced.results, tuple(map(float.fromhex, traced.numbers)))


def sources(name: str, fields: Sequence[str], pointer: str, **options: Any) -> dict[str, Source]:
    """Return where the fields of an argument are read: one after the other behind a pointer."""
    return {f'{name}.{field}': Source(pointer, place, **options) for place, field in enumerate(fields)}


def parts_of(search: Search, rules: IntegerRules, position: Any, structure: Structure, *, stdgen: bool, batched: bool = False) -> list[str]:
    """Return the LLVM code of a search, besides the game's rules."""
    parts = Parts(rules, position, structure)
    _constants(parts, search, stdgen=stdgen, batched=batched)
    _method(parts)
    _table(parts)
    _derived(parts)
    _policy(parts, search)
    for name, function in (('evaluate', structure.evaluate), ('reward_of', structure.reward)):
        parts.on_positions(name, function)
    return [
        INSTRUCTIONS + nth_bit_code(),
        '\n'.join([*parts.texts, DECLARED, '@fault = global i32 0\n']),
        *parts.numba.parts,
    ]


def code_of_first_numbers(rules: IntegerRules, position: Any, structure: Structure) -> list[str]:
    """Return the LLVM code of a method's first numbers of moves, and what rules need besides."""
    parts = Parts(rules, position, structure)
    _first_numbers(parts)
    parts.texts.append('@fault = global i32 0\n')
    return [nth_bit_code(), '\n'.join(parts.texts), *parts.numba.parts]


def _constants(parts: Parts, search: Search, *, stdgen: bool, batched: bool) -> None:
    structure, rules = parts.structure, parts.rules
    schema, method, table = structure.schema, structure.method, structure.method.table
    add = parts.texts.append
    plain = structure.plain
    score = structure.functions.score
    values = {
        'IS_STDGEN': stdgen,
        'HAS_CHANCE': rules.chances is not None,
        'EVEN_CHANCES': rules.weight is weight_one,
        'PLAYERS': rules.players,
        'SET_OF_BITS': rules.count is popcount and rules.pick is nth_bit,
        'EXPANSION': EXPANSIONS.index(structure.expansion),
        'UNVISITED': structure.unvisited,
        'SCHEDULED': structure.scheduled,
        'BATCHED': batched,
        'REAL': structure.real,
        'SEATS': structure.seats,
        'HAS_REWARD': structure.reward is not None or (structure.seats > 0 and rules.rewards is not None),
        'EVALUATES': structure.evaluate is not None,
        'CUT': structure.cut or (structure.evaluate is not None and rules.chances is not None),
        'LOG_OFFSET': method.log_offset,
        'LANES': isinstance(score, Traced),
        'TOGETHER': method.together,
        'SUMS': method.sums,
        'BY_VISITS': method.counts,
        'FIRST_PLAY': structure.unvisited and not method.scores_unvisited,
        'POSITIVE': plain,
        'GUESSES': 0 if plain else GUESSES,
        'ROWS': schema.rows,
        'NUMBERS': schema.numbers,
        'OWN': schema.own,
        'MOVES': schema.moves,
        'COLUMNS': structure.updated,
        'TABLE_ROW': schema.table_row,
        'KEY_ROW': schema.key_row,
        'REWARD_ROW': schema.reward_row,
        'TRACES': structure.traces,
        'REFERS': structure.refers,
        'TABLE_COLUMNS': schema.table_columns,
        'IN_HALVES': schema.in_halves,
        'UPDATES_ABOVE_ENDS': structure.updates_above_ends,
        'RESOLVES': structure.resolution is not None,
        'DERIVED': len(structure.derived),
        'REMEMBERS': structure.remembers,
        'MEMORIES': len(structure.policy.memories),
    }
    for name, value in values.items():
        add(constant(name, value))
    add(constant('KEYS', rules.keys, 'i64'))
    derived = structure.derived
    for name, of in (
        ('FIRST', [row for _, row in derived]),
        ('COUNT', [len(each.names) for each, _ in derived]),
        ('SEEN', [len(each.first) for each, _ in derived]),
        ('KNOWS_LEAVES', [each.leaf is not None for each, _ in derived]),
        ('JUDGED', [each.heuristic is not None for each, _ in derived]),
        ('NUMBERS', [len(each.parameters) for each, _ in derived]),
    ):
        add(constant(f'DERIVED_{name}', of, shape=(8,)))
    add(constant('DERIVED_START', [each.first for each, _ in derived], 'double', (8, 32)))
    memories, first, firsts = structure.policy.memories, 0, []
    for each in memories:
        firsts.append(first)
        first += size_of(each, rules.keys)
    for name, of in (
        ('FIRST', firsts),
        ('COLUMNS', [len(each.columns) for each in memories]),
        ('INDEX', [INDEXES.index(each.index) for each in memories]),
        ('NUMBERS', [len(each.parameters) for each in memories]),
    ):
        add(constant(f'MEMORY_{name}', of, shape=(8,)))
    add(constant('MEMORY_ABSENT', [each.absent for each in memories], 'double', (8, 32)))


# ---- formulas of a method ----


def _self(parts: Parts, given: Any, numbers: str = '%numbers') -> dict[str, Source]:
    return sources('self', tuple(given.parameters), numbers)


def _self_text(given: Any, numbers: str = 'numbers') -> tuple[str, dict[str, Any]]:
    """Return the source of what replaces `self` in a compiled function, and what it uses."""
    from collections import namedtuple

    names = tuple(given.parameters)
    kind = namedtuple('Self', names)  # noqa: PYI024 - the names are known only now
    fields = ', '.join(
        f'int64({numbers}[{place}])' if name in given.integers else f'{numbers}[{place}]'
        for place, name in enumerate(names)
    )
    return f'Self({fields})', {'Self': kind}


def _edge_text(kind: Any, pointer: str, name: str) -> str:
    return f'{name}({", ".join(f"{pointer}[{place}]" for place in range(len(kind._fields)))})'


def _method(parts: Parts) -> None:
    structure = parts.structure
    functions, method = structure.functions, structure.method
    own = _self(parts, method)
    edge, parent = method.edge, sources('parent', PARENT, '%parent')
    arguments = 'ptr %edge, ptr %parent, ptr %numbers'
    edges = sources('edge', edge._fields, '%edge')
    self_text, given = _self_text(method)
    given |= {'Edge': edge, 'Parent': ParentNumbers}
    score = functions.score
    at_edge = _edge_text(edge, 'edge', 'Edge')
    at_parent = _edge_text(ParentNumbers, 'parent', 'Parent')
    if isinstance(score, Traced):
        _score_lanes(parts, score)
        parts.absent('double', 'score_one', 'ptr, ptr, ptr')
    else:
        parts.absent('void', 'score_lanes', 'ptr, ptr, ptr, ptr')
        if method.together:
            parts.absent('double', 'score_one', 'ptr, ptr, ptr')
        else:
            called = f'score({at_edge}, {at_parent})' if isinstance(method, Rule) else f'score({self_text}, {at_edge}, {at_parent})'
            parts.numba.define(
                'score_one', [('edge', 'd'), ('parent', 'd'), ('numbers', 'd')],
                f'return float64({called})', {**given, 'score': score}, 'f',
            )  # fmt: skip
    if method.together:
        _together(parts, self_text, given)
    else:
        parts.absent('i32', 'score_together', 'ptr, i64, ptr, ptr, i64, ptr, ptr')
    _number(parts, 'summed', functions.summed, edges, own, 'ptr %edge, ptr %numbers', [('edge', 'd'), ('numbers', 'd')], f'({self_text}, {at_edge})', given)
    _number(parts, 'by_visits', functions.by_visits, {'visits': Source('%visits')}, own, 'double %visits, ptr %numbers', [('visits', 'f'), ('numbers', 'd')], f'({self_text}, visits)', given)
    row = edge_type(method.own_names)
    reads = sources('edge', row._fields, '%edge') | own | {'reward': Source('%reward')}
    for name, function in (('update_columns', functions.update), ('update_above_end', functions.update_above_end)):
        _update(parts, name, function, reads, f'({self_text}, {_edge_text(row, "edge", "Row")}, reward)', {**given, 'Row': row}, len(method.columns))
    _first_numbers(parts)


def _number(parts: Parts, name: str, function: Any, reads: Mapping[str, Source], own: Mapping[str, Source], arguments: str, pairs: Any, call: str, given: Any) -> None:
    if function is None:
        kinds = ', '.join(each.split()[0] for each in arguments.split(', '))
        parts.absent('double', name, kinds)
    elif isinstance(function, Traced):
        parts.formula(name, arguments, as_formula(function), {**reads, **own})
    else:
        parts.numba.define(name, pairs, f'return float64(function{call})', {**given, 'function': function}, 'f')


def _update(parts: Parts, name: str, function: Any, reads: Mapping[str, Source], call: str, given: Any, count: int) -> None:
    """Add a function that writes the new numbers of a row, given the old ones and a reward."""
    if function is None:
        parts.absent('void', name, 'ptr, double, ptr, ptr')
    elif isinstance(function, Traced):
        parts.formula(name, 'ptr %edge, double %reward, ptr %numbers, ptr %out', as_formula(function), reads, '%out')
    else:
        lines = '\n'.join(f'out[{place}] = r[{place}]' for place in range(count))
        pairs = [('edge', 'd'), ('reward', 'f'), ('numbers', 'd'), ('out', 'd')]
        parts.numba.define(name, pairs, f'r = function{call}\n{lines}', {**given, 'function': function})


def _score_lanes(parts: Parts, score: Traced) -> None:
    """Add the score of eight children at once; those left out score least.

    The rows are those of `lanes_of`: visits, halves or rewards, then columns.
    """
    structure, method = parts.structure, parts.structure.method
    fields = [field for field in method.edge._fields if field != 'value']
    row: dict[str, Any] = {field: Expression(f'row.{place}') for place, field in enumerate(fields)}
    visits, reward = row['visits'], row['reward']
    if not structure.real:
        reward = 0.5 * reward
    unvisited = structure.unvisited or structure.jumps
    seen: Any = where(visits > 0.0, visits, 0.0) if unvisited else visits
    value: Any = where(visits > 0.0, reward / visits, 0.0) if unvisited else reward / visits
    known = {f'edge.{field}': each for field, each in row.items()}
    known |= {'edge.visits': seen, 'edge.reward': reward, 'edge.value': value}
    found: Any = score.expression(known)
    least = -math.inf
    if structure.plain:
        least = -0.5  # below all scores of UCB1, above what `keep_first` writes in unused lanes
        if structure.unvisited:
            found = where(found == found, found, math.inf)  # noqa: PLR0124 - 0/0 is NaN
    elif structure.unvisited and not method.scores_unvisited:
        found = where(seen > 0.0, found, math.inf)
    if structure.jumps:
        found = where(visits < 0.0, least, found)
    if structure.resolution is not None:
        found = where(structure.resolution.leaves_out(Expression(f'row.{len(fields)}')), least, found)
    reads = {f'row.{place}': Source('%row', place, lanes=True) for place in range(len(fields) + 1)}
    reads |= sources('parent', PARENT, '%parent') | _self(parts, method)
    parts.formula('score_lanes', 'ptr %row, ptr %parent, ptr %numbers, ptr %out', formula_of(found), reads, '%out', lanes=True)


def _together(parts: Parts, self_text: str, given: dict[str, Any]) -> None:
    from fmcts.search.methods.method import Own

    structure, method = parts.structure, parts.structure.method
    own = edge_type(method.own_names)
    width = len(method.edge._fields)
    each = f'Edge({", ".join(f"edges[{width} * i + {place}]" for place in range(width))})'
    text = (
        f'found = [{each} for i in range(total)]\n'
        f'scores = function({self_text}, found, {_edge_text(ParentNumbers, "parent", "Parent")}, '
        f'Own({_edge_text(own, "own", "Row")}, same != 0))\n'
        'if len(scores) != total:\n    return 1\n'
        'for i in range(total):\n    out[i] = float64(scores[i])\n'
        'return 0'
    )
    pairs = [('edges', 'd'), ('total', 'i'), ('parent', 'd'), ('own', 'd'), ('same', 'i'), ('numbers', 'd'), ('out', 'd')]
    parts.numba.define('scores_found', pairs, text, {**given, 'function': structure.functions.score, 'Row': own, 'Own': Own}, 'i')
    parts.texts.append(
        'declare i64 @scores_found(ptr, i64, ptr, ptr, i64, ptr, ptr)\n'
        'define i32 @score_together(ptr %a, i64 %b, ptr %c, ptr %d, i64 %e, ptr %f, ptr %g) alwaysinline {\n'
        '  %r = call i64 @scores_found(ptr %a, i64 %b, ptr %c, ptr %d, i64 %e, ptr %f, ptr %g)\n'
        '  %s = trunc i64 %r to i32\n  ret i32 %s\n}\n'
    )


def _first_numbers(parts: Parts) -> None:
    first = parts.structure.functions.first
    cases, calls = [], []
    given = {'Position': type(parts.position)}
    for place, function in enumerate(first):
        if function is zero:
            continue
        name = f'first_{place}'
        parts.numba.define(
            name, [('p', 'p'), ('move', 'i'), ('count', 'i')],
            f'return float64(function({parts.here()}, move, count))', {**given, 'function': getattr(function, 'function', function)}, 'f',
        )  # fmt: skip
        cases.append(f'i32 {place}, label %k{place}')
        calls.append(
            f'k{place}:\n  %r{place} = call double @{name}(ptr %p, i64 %move, i64 %total)\n'
            f'  ret double %r{place}\n'
        )
        parts.texts.append(f'declare double @{name}(ptr, i64, i64)\n')
    parts.texts.append(
        'define double @first_number(i32 %row, ptr %p, i64 %move, i64 %total) alwaysinline {\n'
        f'  switch i32 %row, label %none [{" ".join(cases)}]\n{"".join(calls)}'
        'none:\n  ret double 0.0\n}\n'
    )


def _table(parts: Parts) -> None:
    structure = parts.structure
    table, functions = structure.method.table, structure.functions
    if table is None:
        parts.absent('void', 'update_table', 'ptr, double, ptr, ptr')
        parts.absent('i32', 'refers', 'double, ptr')
        return
    row = table.row
    self_text, given = _self_text(table)
    reads = sources('edge', row._fields, '%edge') | _self(parts, table) | {'reward': Source('%reward')}
    _update(parts, 'update_table', functions.update_table, reads, f'({self_text}, {_edge_text(row, "edge", "Row")}, reward)', {**given, 'Row': row}, len(table.columns))
    if functions.refers is None:
        parts.absent('i32', 'refers', 'double, ptr')
        return
    _truth(parts, 'refers', functions.refers, table, 'visits')


def _truth(parts: Parts, name: str, function: Any, owner: Any, argument: str) -> None:
    """Add a function from a number to a truth."""
    given = copy.copy(owner)
    for each in owner.parameters:
        object.__setattr__(given, each, Expression(f'self.{each}', whole=each in owner.integers))
    formula = trace(function, given, *symbols((argument,)))
    if formula is not None:
        parts.formula(f'{name}_number', f'double %{argument}, ptr %numbers', formula, {argument: Source(f'%{argument}'), **_self(parts, owner)})
    else:
        self_text, names = _self_text(owner)
        parts.numba.define(f'{name}_number', [(argument, 'f'), ('numbers', 'd')], f'return 1.0 if function({self_text}, {argument}) else 0.0', {**names, 'function': function}, 'f')
        parts.texts.append(f'declare double @{name}_number(double, ptr)\n')
    parts.texts.append(
        f'define i32 @{name}(double %x, ptr %numbers) alwaysinline {{\n'
        f'  %n = call double @{name}_number(double %x, ptr %numbers)\n  %t = fcmp une double %n, 0.0\n'
        '  %r = zext i1 %t to i32\n  ret i32 %r\n}\n'
    )


# ---- derived statistics ----


def _derived(parts: Parts) -> None:
    structure = parts.structure
    resolution, method = structure.resolution, structure.method
    statistics = [*method.derived, *([resolution] if resolution else [])]
    shapes = {
        'end': 'double %reward, ptr %numbers, ptr %out',
        'leaf': 'double %reward, ptr %numbers, ptr %out',
        'fold': 'ptr %seen, ptr %child, ptr %numbers, ptr %out',
        'node': 'ptr %seen, i32 %complete, i32 %same, ptr %numbers, ptr %out',
    }
    for which, statistic in enumerate(statistics):
        child = edge_type(ColumnNames((*method.columns, *statistic.names)))
        seen = tuple(f'seen.{place}' for place in range(len(statistic.first)))
        reward = {'reward': Source('%reward')}
        for name, count, arguments, reads in (
            ('end', len(statistic.names), symbols(('reward',)), reward),
            ('leaf', len(statistic.names), symbols(('reward',)), reward),
            ('fold', len(statistic.first), (symbols(seen), child(*symbols(f'child.{f}' for f in child._fields))),
             {each: Source('%seen', place) for place, each in enumerate(seen)} | sources('child', child._fields, '%child')),
            ('node', len(statistic.names), (symbols(seen), Place(*symbols(('node.complete', 'node.same')))),
             {each: Source('%seen', place) for place, each in enumerate(seen)} | {'node.complete': Source('%complete.'), 'node.same': Source('%same.')}),
        ):  # fmt: skip
            if name == 'leaf' and not statistic.knows_leaves:
                continue
            _of_derived(parts, f'{name}_{which}', statistic, getattr(type(statistic), name), count, arguments, reads, shapes[name], name, child)
        parts.on_positions(f'heuristic_{which}', getattr(statistic.heuristic, 'function', None))
    for name, arguments in (*shapes.items(), ('heuristic', 'ptr %p')):
        there = [which for which, each in enumerate(statistics) if name != 'leaf' or each.knows_leaves]
        _switch(parts, name, there, arguments)
    for name in ('leaves_out', 'ends'):
        if resolution is None:
            parts.absent('i32', name, 'double')
            continue
        _of_number(parts, name, getattr(resolution, name))


def _switch(parts: Parts, name: str, there: Sequence[int], arguments: str) -> None:
    kind = 'double' if name == 'heuristic' else 'void'
    called = name if name == 'heuristic' else f'derived_{name}'
    cases = ' '.join(f'i32 {which}, label %k{which}' for which in there)
    zero = ' 0.0' if kind == 'double' else ''
    calls = ''.join(
        f'k{which}:\n  {f"%r{which} = " if kind == "double" else ""}call {kind} @{name}_{which}({arguments})\n'
        f'  ret {kind}{f" %r{which}" if kind == "double" else ""}\n'
        for which in there
    )
    declared = ''.join(f'declare {kind} @{name}_{which}({", ".join(a.split()[0] for a in arguments.split(", "))})\n' for which in there if f'@{name}_{which}(' not in ''.join(t for t in parts.texts if t.startswith('define')))
    parts.texts.append(
        f'{declared}define {kind} @{called}(i32 %which, {arguments}) alwaysinline {{\n'
        f'  switch i32 %which, label %none [{cases}]\n{calls}none:\n  ret {kind}{zero}\n}}\n'
    )


def _of_derived(parts: Parts, name: str, statistic: Any, function: Any, count: int, arguments: Any, reads: Any, shape: str, what: str, child: Any) -> None:
    given = copy.copy(statistic)
    for each in statistic.parameters:
        object.__setattr__(given, each, Expression(f'self.{each}', whole=each in statistic.integers))
    formula = trace(function, given, *arguments, count=count)
    if formula is not None:
        text = function_of(name, shape, formula, {**reads, **_self(parts, statistic)}, '%out')
        if what == 'node':
            head, brace, rest = text.partition('{\n')
            text = f'{head}{brace}  %complete. = sitofp i32 %complete to double\n  %same. = sitofp i32 %same to double\n{rest}'
        parts.texts.append(text)
        return
    self_text, names = _self_text(statistic)
    seen = f'({"".join(f"seen[{place}], " for place in range(len(statistic.first)))})'
    call, pairs = {
        'end': (f'({self_text}, reward)', [('reward', 'f'), ('numbers', 'd'), ('out', 'd')]),
        'leaf': (f'({self_text}, reward)', [('reward', 'f'), ('numbers', 'd'), ('out', 'd')]),
        'fold': (f'({self_text}, {seen}, {_edge_text(child, "child", "Child")})', [('seen', 'd'), ('child', 'd'), ('numbers', 'd'), ('out', 'd')]),
        'node': (f'({self_text}, {seen}, Place(complete != 0, same != 0))', [('seen', 'd'), ('complete', 'i'), ('same', 'i'), ('numbers', 'd'), ('out', 'd')]),
    }[what]
    lines = '\n'.join(f'out[{place}] = r[{place}]' for place in range(count))
    called = f'{name}_wide' if what == 'node' else name
    parts.numba.define(called, pairs, f'r = function{call}\n{lines}', {**names, 'function': function, 'Child': child, 'Place': Place})
    if what == 'node':
        parts.texts.append(
            f'declare void @{called}(ptr, i64, i64, ptr, ptr)\n'
            f'define void @{name}(ptr %seen, i32 %complete, i32 %same, ptr %numbers, ptr %out) alwaysinline {{\n'
            '  %c = sext i32 %complete to i64\n  %s = sext i32 %same to i64\n'
            f'  call void @{called}(ptr %seen, i64 %c, i64 %s, ptr %numbers, ptr %out)\n  ret void\n}}\n'
        )


def _of_number(parts: Parts, name: str, function: Any) -> None:
    formula = trace(function, *symbols(('number',)))
    if formula is not None:
        parts.formula(f'{name}_number', 'double %number', formula, {'number': Source('%number')})
    else:
        parts.numba.define(f'{name}_number', [('number', 'f')], 'return 1.0 if function(number) else 0.0', {'function': function}, 'f')
        parts.texts.append(f'declare double @{name}_number(double)\n')
    parts.texts.append(
        f'define i32 @{name}(double %x) alwaysinline {{\n  %n = call double @{name}_number(double %x)\n'
        '  %t = fcmp une double %n, 0.0\n  %r = zext i1 %t to i32\n  ret i32 %r\n}\n'
    )


# ---- playouts ----

CALLED: Final = '(ptr %s, ptr %numbers, ptr %p, ptr %menu, ptr %move)'


def _policy(parts: Parts, search: Search) -> None:
    structure = parts.structure
    memories, weighing = structure.policy.memories, iter(range(len(structure.weighs)))
    leaves: list[Any] = []
    parts.texts.append(
        'declare i32 @policy_uniform(ptr, ptr, ptr)\ndeclare i32 @policy_prefers(ptr, i32, ptr, ptr, ptr)\n'
        'declare i32 @policy_narrows(ptr, ptr, ptr, ptr)\ndeclare i32 @policy_draws(ptr, i64)\n'
        'declare i32 @policy_weighs(ptr, i32, i32, ptr, ptr, ptr, ptr)\n'
    )
    _chooser(parts, structure.policy, 'choose_move', 0, leaves)
    if not any(isinstance(each, Narrowing) for each in structure.policy.leaves):
        parts.absent('void', 'narrow', 'ptr, ptr, ptr')
    _weights(parts, leaves)
    _memories(parts, memories)


def _chooser(parts: Parts, policy: Policy, name: str, first: int, leaves: list[Any]) -> None:
    """Add the function by which a part of the policy chooses a move; its numbers begin at `first`."""
    rules = parts.rules
    lines: list[str] = []
    if isinstance(policy, Mixture):
        number = first + len(policy.limits)
        lines.append(f'  %d = call i32 @policy_draws(ptr %s, i64 {SCALE})\n  %x = sitofp i32 %d to double')
        last = len(policy.policies) - 1
        for place, part in enumerate(policy.policies):
            _chooser(parts, part, f'{name}_{place}', number, leaves)
            number += len(part.numbers)
            if place < last:
                lines.append(
                    f'  %a{place} = getelementptr double, ptr %numbers, i64 {first + place}\n'
                    f'  %l{place} = load double, ptr %a{place}\n  %c{place} = fcmp olt double %x, %l{place}\n'
                    f'  br i1 %c{place}, label %this{place}, label %next{place}\nthis{place}:'
                )
            lines.append(f'  %r{place} = call i32 @{name}_{place}{CALLED}\n  ret i32 %r{place}')
            if place < last:
                lines.append(f'next{place}:')
    elif isinstance(policy, Recalling):
        tables = sum(1 << place for place, each in enumerate(parts.structure.policy.memories) if each in policy.memories)
        lines.append(
            f'  %n = getelementptr double, ptr %numbers, i64 {first}\n'
            f'  %r = call i32 @policy_weighs(ptr %s, i32 {len(leaves)}, i32 {tables}, ptr %n, ptr %p, ptr %menu, ptr %move)\n'
            '  ret i32 %r'
        )
        leaves.append(policy)
    elif isinstance(policy, Preferring):
        for place, (kind, belongs) in enumerate(policy.kinds):
            if getattr(rules, kind, None) is not None:
                code = ('winning', 'safe', 'patient').index(kind)
            elif belongs is None:
                continue
            else:
                code = 3 if belongs is wins else 4
            lines.append(
                f'  %r{place} = call i32 @policy_prefers(ptr %s, i32 {code}, ptr %p, ptr %menu, ptr %move)\n'
                f'  %t{place} = icmp sge i32 %r{place}, 0\n  br i1 %t{place}, label %done{place}, label %next{place}\n'
                f'done{place}:\n  ret i32 %r{place}\nnext{place}:'
            )
        lines.append('  %r = call i32 @policy_uniform(ptr %s, ptr %menu, ptr %move)\n  ret i32 %r')
    elif isinstance(policy, Narrowing):
        lines.append('  %r = call i32 @policy_narrows(ptr %s, ptr %p, ptr %menu, ptr %move)\n  ret i32 %r')
        _narrowing(parts, policy)
    else:
        lines.append('  %r = call i32 @policy_uniform(ptr %s, ptr %menu, ptr %move)\n  ret i32 %r')
    body = '\n'.join(lines)
    parts.texts.append(f'define i32 @{name}{CALLED} alwaysinline {{\n{body}\n}}\n')


def _narrowing(parts: Parts, policy: Any) -> None:
    menu = parts.rules.menu(parts.position)
    given = {'function': policy.function.function, 'Position': type(parts.position), 'Menu': type(menu)}
    if isinstance(menu, tuple):
        seen = f'Menu({", ".join(f"menu[{each}]" for each in range(len(menu)))})'
        lines = '\n'.join(f'out[{each}] = int64(r[{each}])' for each in range(len(menu)))
    else:
        seen, lines = 'menu[0]', 'out[0] = int64(r)'
    text = f'r = function({parts.here()}, {seen})\n{lines}'
    parts.numba.define('narrow', [('p', 'p'), ('menu', 'p'), ('out', 'p')], text, given)


def _weights(parts: Parts, leaves: Sequence[Any]) -> None:
    cases, calls = [], []
    for which, leaf in enumerate(leaves):
        row, function = leaf.row, type(leaf).weigh
        given = copy.copy(leaf)
        for each in leaf.parameters:
            object.__setattr__(given, each, Expression(f'self.{each}', whole=each in leaf.integers))
        formula = trace(function, given, row(*symbols(f'row.{field}' for field in row._fields)))
        if formula is not None:
            parts.formula(f'weigh_{which}', 'ptr %row, ptr %numbers', formula, sources('row', row._fields, '%row') | _self(parts, leaf))
        else:
            self_text, names = _self_text(leaf)
            parts.numba.define(f'weigh_{which}', [('row', 'd'), ('numbers', 'd')], f'return float64(function({self_text}, {_edge_text(row, "row", "Row")}))', {**names, 'function': function, 'Row': row}, 'f')
            parts.texts.append(f'declare double @weigh_{which}(ptr, ptr)\n')
        cases.append(f'i32 {which}, label %k{which}')
        calls.append(f'k{which}:\n  %r{which} = call double @weigh_{which}(ptr %row, ptr %numbers)\n  ret double %r{which}\n')
    parts.texts.append(
        'define double @weigh(i32 %which, ptr %row, ptr %numbers) alwaysinline {\n'
        f'  switch i32 %which, label %none [{" ".join(cases)}]\n{"".join(calls)}none:\n  ret double 0.0\n}}\n'
    )


def _memories(parts: Parts, memories: Sequence[Any]) -> None:
    cases, calls = [], []
    shape = 'ptr %edge, double %reward, ptr %numbers, ptr %out'
    for which, table in enumerate(memories):
        row, function, name = table.row, type(table).update, f'update_memory_{which}'
        given = copy.copy(table)
        for each in table.parameters:
            object.__setattr__(given, each, Expression(f'self.{each}', whole=each in table.integers))
        formula = trace(function, given, row(*symbols(f'edge.{field}' for field in row._fields)), *symbols(('reward',)), count=len(table.columns))
        reads = sources('edge', row._fields, '%edge') | _self(parts, table) | {'reward': Source('%reward')}
        self_text, names = _self_text(table)
        traced: Any = function
        if formula is not None:
            parts.formula(name, shape, formula, reads, '%out')
        else:
            _update(parts, name, traced, reads, f'({self_text}, {_edge_text(row, "edge", "Row")}, reward)', {**names, 'Row': row}, len(table.columns))
            parts.texts.append(f'declare void @{name}(ptr, double, ptr, ptr)\n')
        cases.append(f'i32 {which}, label %k{which}')
        calls.append(f'k{which}:\n  call void @{name}({shape})\n  ret void\n')
    parts.texts.append(
        f'define void @update_memory(i32 %which, {shape}) alwaysinline {{\n'
        f'  switch i32 %which, label %none [{" ".join(cases)}]\n{"".join(calls)}none:\n  ret void\n}}\n'
    )
