"""Generated from `proto/`; never edited. `python proto/generate.py` makes it anew."""
