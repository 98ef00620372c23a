"""Tree search: what is searched for, the trees, and the engines that grow them.

In reading order: `description` (a search as a value), `tree` (frozen nodes), `scoring` and
`expansion` (the decisions that every engine shares), `persistent` (the reference engine) with
`paths` (path copying), `monadic`, `inplace` and `compiled` (the same in other designs), `graph`
(searches in which equal states are one), `final`
(the move that is played), `analysis` and `digest` (the outcome); `session`, `driver`, `chunks` and
`schedules` (how long a search runs, for every engine alike), `engines`, `entry_points`, `timed` and
`playouts` (how a search is asked for); `agreement` and `findings` (do rules on integers say what
the states say?), `notices` (what may take a while, and what went wrong), `interrupts` (Ctrl-C while
machine code is made).
"""
