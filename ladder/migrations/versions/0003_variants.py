"""Let a tournament have variants.

Revision: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add their names, of which older tournaments have none. The older code leaves them empty."""
    op.add_column(
        "tournaments",
        sa.Column("variants", sa.String(length=255), nullable=False, server_default=""),
    )
