"""Benches: what is measured, each beside its bare counterpart in the same run."""
