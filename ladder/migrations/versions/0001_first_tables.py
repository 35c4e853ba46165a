"""Lay the first tables.

Revision: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Counting keys: SQLite counts up INTEGER only.
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make all tables, and the one row of the recording order."""
    op.create_table(
        "bots",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("versions", sa.Integer(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_bots")),
        sa.UniqueConstraint("name", name=op.f("uq_bots_name")),
    )
    op.create_table(
        "recording_order",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_recording_order")),
    )
    op.create_table(
        "tournaments",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("edition", sa.String(length=32), nullable=False),
        sa.Column("table_size", sa.Integer(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("bank", sa.BigInteger(), nullable=False),
        sa.Column("increment", sa.BigInteger(), nullable=False),
        sa.Column("margin", sa.BigInteger(), nullable=False),
        sa.Column("decision_cap", sa.BigInteger(), nullable=False),
        sa.Column("start_up", sa.BigInteger(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("is_rated", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("finished_games", sa.Integer(), nullable=False),
        sa.Column("plan_digest", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("finished_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_tournaments")),
        sa.UniqueConstraint("id", name=op.f("uq_tournaments_id")),
        sa.UniqueConstraint("seed", name=op.f("uq_tournaments_seed")),
    )
    op.create_index(op.f("ix_tournaments_status"), "tournaments", ["status"], unique=False)
    op.create_table(
        "chunks",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("tournament_number", NUMBER, nullable=False),
        sa.Column("unplayed", sa.Integer(), nullable=False),
        sa.Column("leased_by", sa.String(length=200), nullable=True),
        sa.Column("leased_until", TIME, nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_number"], ["tournaments.number"], name=op.f("fk_chunks_tournament_number")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_chunks")),
        sa.UniqueConstraint("id", name=op.f("uq_chunks_id")),
    )
    op.create_index(
        op.f("ix_chunks_tournament_number"), "chunks", ["tournament_number"], unique=False
    )
    still_open = sa.text("unplayed > 0")
    op.create_index(
        "ix_chunks_open",
        "chunks",
        ["number"],
        unique=False,
        sqlite_where=still_open,
        postgresql_where=still_open,
    )
    op.create_table(
        "deal_groups",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("tournament_number", NUMBER, nullable=False),
        sa.Column("pairing", sa.Integer(), nullable=False),
        sa.Column("deal", sa.Integer(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("unplayed", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_number"],
            ["tournaments.number"],
            name=op.f("fk_deal_groups_tournament_number"),
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_deal_groups")),
        sa.UniqueConstraint(
            "tournament_number",
            "pairing",
            "deal",
            name=op.f("uq_deal_groups_tournament_number_pairing_deal"),
        ),
    )
    op.create_table(
        "ratings",
        sa.Column("pool", sa.String(length=40), nullable=False),
        sa.Column("bot_number", NUMBER, nullable=False),
        sa.Column("rating", sa.BigInteger(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("score_sum", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["bot_number"], ["bots.number"], name=op.f("fk_ratings_bot_number")
        ),
        sa.PrimaryKeyConstraint("pool", "bot_number", name=op.f("pk_ratings")),
    )
    op.create_index(op.f("ix_ratings_pool_rating"), "ratings", ["pool", "rating"], unique=False)
    op.create_table(
        "versions",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("bot_number", NUMBER, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("submitted_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["bot_number"], ["bots.number"], name=op.f("fk_versions_bot_number")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_versions")),
        sa.UniqueConstraint("bot_number", "position", name=op.f("uq_versions_bot_number_position")),
        sa.UniqueConstraint("hash", name=op.f("uq_versions_hash")),
    )
    op.create_table(
        "archives",
        sa.Column("version_number", NUMBER, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_number"], ["versions.number"], name=op.f("fk_archives_version_number")
        ),
        sa.PrimaryKeyConstraint("version_number", name=op.f("pk_archives")),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament_number", NUMBER, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("version_number", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_number"],
            ["tournaments.number"],
            name=op.f("fk_entrants_tournament_number"),
        ),
        sa.ForeignKeyConstraint(
            ["version_number"], ["versions.number"], name=op.f("fk_entrants_version_number")
        ),
        sa.PrimaryKeyConstraint("tournament_number", "position", name=op.f("pk_entrants")),
    )
    op.create_index(
        op.f("ix_entrants_version_number"), "entrants", ["version_number"], unique=False
    )
    op.create_table(
        "games",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("tournament_number", NUMBER, nullable=False),
        sa.Column("deal_group_number", NUMBER, nullable=False),
        sa.Column("chunk_number", NUMBER, nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("recorded", sa.BigInteger(), nullable=True),
        sa.Column("pool", sa.String(length=40), nullable=True),
        sa.Column("host", sa.String(), nullable=True),
        sa.Column("started_at", TIME, nullable=True),
        sa.Column("finished_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(
            ["chunk_number"], ["chunks.number"], name=op.f("fk_games_chunk_number")
        ),
        sa.ForeignKeyConstraint(
            ["deal_group_number"], ["deal_groups.number"], name=op.f("fk_games_deal_group_number")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_number"], ["tournaments.number"], name=op.f("fk_games_tournament_number")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_games")),
        sa.UniqueConstraint(
            "deal_group_number", "rotation", name=op.f("uq_games_deal_group_number_rotation")
        ),
        sa.UniqueConstraint("id", name=op.f("uq_games_id")),
        sa.UniqueConstraint("recorded", name=op.f("uq_games_recorded")),
    )
    op.create_index(
        op.f("ix_games_chunk_number_recorded"), "games", ["chunk_number", "recorded"], unique=False
    )
    op.create_index(
        op.f("ix_games_tournament_number_recorded"),
        "games",
        ["tournament_number", "recorded"],
        unique=False,
    )
    op.create_table(
        "aborts",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("game_number", NUMBER, nullable=False),
        sa.Column("reason", sa.String(length=20), nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("noted_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["game_number"], ["games.number"], name=op.f("fk_aborts_game_number")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_aborts")),
    )
    op.create_index(op.f("ix_aborts_game_number"), "aborts", ["game_number"], unique=False)
    op.create_table(
        "forfeit_reports",
        sa.Column("game_number", NUMBER, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("output_tail", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_number"], ["games.number"], name=op.f("fk_forfeit_reports_game_number")
        ),
        sa.PrimaryKeyConstraint("game_number", "seat", name=op.f("pk_forfeit_reports")),
    )
    op.create_table(
        "logs",
        sa.Column("game_number", NUMBER, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_number"], ["games.number"], name=op.f("fk_logs_game_number")
        ),
        sa.PrimaryKeyConstraint("game_number", name=op.f("pk_logs")),
    )
    op.create_table(
        "rating_changes",
        sa.Column("game_number", NUMBER, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot_number", NUMBER, nullable=False),
        sa.Column("pool", sa.String(length=40), nullable=False),
        sa.Column("recorded", sa.BigInteger(), nullable=False),
        sa.Column("games_before", sa.Integer(), nullable=False),
        sa.Column("before", sa.BigInteger(), nullable=False),
        sa.Column("after", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["bot_number"], ["bots.number"], name=op.f("fk_rating_changes_bot_number")
        ),
        sa.ForeignKeyConstraint(
            ["game_number"], ["games.number"], name=op.f("fk_rating_changes_game_number")
        ),
        sa.PrimaryKeyConstraint("game_number", "seat", name=op.f("pk_rating_changes")),
    )
    op.create_index(
        op.f("ix_rating_changes_bot_number_pool_recorded"),
        "rating_changes",
        ["bot_number", "pool", "recorded"],
        unique=False,
    )
    op.create_table(
        "seats",
        sa.Column("game_number", NUMBER, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("bot_number", NUMBER, nullable=False),
        sa.Column("version_number", NUMBER, nullable=False),
        sa.Column("recorded", sa.BigInteger(), nullable=True),
        sa.Column("placement", sa.Integer(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("forfeit", sa.String(length=20), nullable=True),
        sa.ForeignKeyConstraint(["bot_number"], ["bots.number"], name=op.f("fk_seats_bot_number")),
        sa.ForeignKeyConstraint(
            ["game_number"], ["games.number"], name=op.f("fk_seats_game_number")
        ),
        sa.ForeignKeyConstraint(
            ["version_number"], ["versions.number"], name=op.f("fk_seats_version_number")
        ),
        sa.PrimaryKeyConstraint("game_number", "seat", name=op.f("pk_seats")),
    )
    op.create_index(
        op.f("ix_seats_bot_number_recorded_game_number"),
        "seats",
        ["bot_number", "recorded", "game_number"],
        unique=False,
    )
    op.create_index(op.f("ix_seats_version_number"), "seats", ["version_number"], unique=False)
    op.execute("INSERT INTO recording_order (number, last) VALUES (1, 0)")
