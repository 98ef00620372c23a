"""What a search is, as values; nothing here runs one.

`description` has `Search`, `methods` how moves are chosen, `policies` how playouts move, `settling`
when a node is resolved, `schedules` how iterations are shared out at the root. `columns`, `derived`
and `memory` are the statistics that a search keeps: of each child, computed from children, and by
move. `tree` has the frozen nodes, `analysis` the result, `digest` its name. The engines are in
`fmcts._engines` and `fmcts._compiled`; `fmcts._running` chooses among them.
"""
