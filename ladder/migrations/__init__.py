"""The migrations. They ship with the package: `python -m ladder migrate` needs no other file."""
