"""All SQL of the ladder.

A function here works in the transaction of the session that it is given, or is one transaction by
itself where it takes a `Database`. Nothing else reads or writes the database.
"""
