"""`State`: a state that is threaded through a computation, as a lawful container of `returns`.

A value `State[Value, S]` is an action: a function `state -> (value, state)` that has not run yet.
Actions are put together by `map`, `bind`, `apply`, `replicate`, `for_each` or a `do` block, and
`run` runs the whole on a first state. It is Haskell's `Control.Monad.State`:

| Haskell | here |
|---|---|
| `return x`, `m >>= f`, `f <$> m` | `State.from_value(x)`, `m.bind(f)`, `m.map(f)` |
| `get`, `put s`, `modify f`, `gets f` | `get()`, `put(s)`, `modify(f)`, `gets(f)` |
| `do` | a generator function under `@do`, with `x = yield from m` for `x <- m` |
| `replicateM n m`, `mapM f xs` | `replicate(n, m)`, `for_each(xs, f)` |
| `runState`, `evalState`, `execState` | `m.run(s)`, `m.eval_state(s)`, `m.exec_state(s)` |
| `state f` | `State(f)` |

A bot is such an action once its position is known: `(position, rng) -> (move, rng)` seen as
`position -> State[Move, Rng]`. `to_state` and `from_state` go from one view to the other.

>>> count = State(lambda n: (f'number {n}', n + 1))
>>> replicate(3, count).run(7)
(('number 7', 'number 8', 'number 9'), 10)
"""

from fmcts.state._actions import for_each, get, gets, modify, put, replicate
from fmcts.state._block import Do, do
from fmcts.state._container import State
from fmcts.state._conversions import from_state, to_state

__all__ = [
    'Do',
    'State',
    'do',
    'for_each',
    'from_state',
    'get',
    'gets',
    'modify',
    'put',
    'replicate',
    'to_state',
]
