"""Boards as data: one folder a board, with its cities, routes, bends and tickets as CSV files.

`roundhouse.rules.load_board` reads them; nothing here is code. `usa` is the map of the box; `tiny`
is a map of six cities for tests and teaching.
"""
