"""The base of all tables, and the column types that are the same on every database."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, DateTime, Dialect, Integer, MetaData, TypeDecorator
from sqlalchemy.orm import DeclarativeBase

Number = BigInteger().with_variant(Integer(), "sqlite")
"""The type of counting keys. SQLite counts up INTEGER keys only."""


class UtcDateTime(TypeDecorator[datetime]):
    """Store an aware time; SQLite, which knows no zones, keeps it as naive UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - the name is SQLAlchemy's
        """Refuse a naive time, which would be somebody's local one."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"The time {value} has no zone.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - the name is SQLAlchemy's
        """Give the zone back."""
        if value is None or value.tzinfo is not None:
            return value
        return value.replace(tzinfo=UTC)


class Microseconds(TypeDecorator[timedelta]):
    """Store a duration as a whole number of microseconds, on every database alike."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:  # noqa: ARG002 - the name is SQLAlchemy's
        """Count the microseconds."""
        return None if value is None else value // timedelta(microseconds=1)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> timedelta | None:  # noqa: ANN401, ARG002 - both are SQLAlchemy's
        """Make a duration of them."""
        return None if value is None else timedelta(microseconds=int(value))


class Base(DeclarativeBase):
    """The registry of all tables; the names of constraints are fixed so that migrations can."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
