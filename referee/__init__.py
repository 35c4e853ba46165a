"""Authoritative games between sandboxed bots."""
