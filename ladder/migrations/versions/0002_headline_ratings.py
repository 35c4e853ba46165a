"""Keep the last fit of each board.

Revision: 0002
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make both tables. The older code does not look at them."""
    op.create_table(
        "fits",
        sa.Column("board", sa.String(length=40), nullable=False),
        sa.Column("recorded", sa.BigInteger(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("deal_groups", sa.Integer(), nullable=False),
        sa.Column("anchor", sa.String(length=32), nullable=True),
        sa.Column("dispersion", sa.Double(), nullable=False),
        sa.Column("seat_terms", sa.String(), nullable=False),
        sa.Column("doubtful", sa.String(), nullable=False),
        sa.Column("checked", sa.Integer(), nullable=False),
        sa.Column("covariance", sa.LargeBinary(), nullable=True),
        sa.Column("fitted_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("board", name=op.f("pk_fits")),
    )
    op.create_table(
        "fit_bots",
        sa.Column("board", sa.String(length=40), nullable=False),
        sa.Column("bot_number", NUMBER, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("best_rank", sa.Integer(), nullable=False),
        sa.Column("worst_rank", sa.Integer(), nullable=False),
        sa.Column("elo", sa.Double(), nullable=False),
        sa.Column("margin", sa.Double(), nullable=False),
        sa.Column("mean_margin", sa.Double(), nullable=False),
        sa.Column("superiority", sa.Double(), nullable=True),
        sa.Column("is_provisional", sa.Boolean(), nullable=False),
        sa.Column("deal_groups", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("score_sum", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["fits.board"], name=op.f("fk_fit_bots_board")),
        sa.ForeignKeyConstraint(
            ["bot_number"], ["bots.number"], name=op.f("fk_fit_bots_bot_number")
        ),
        sa.PrimaryKeyConstraint("board", "bot_number", name=op.f("pk_fit_bots")),
    )
