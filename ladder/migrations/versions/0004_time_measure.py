"""Say how a tournament's time is measured; until now it was by the wall clock.

Revision: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column. Its default lets the code before it go on making tournaments meanwhile."""
    op.add_column(
        "tournaments",
        sa.Column("measure", sa.String(length=8), nullable=False, server_default="wall"),
    )
