"""Tests of the sandbox: its pure parts, its drivers, and attacks from inside."""
