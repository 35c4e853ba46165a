"""Keep all evidence of a forfeit, and know who may see it. Older forfeits and versions have none.

Revision: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns. The code before them goes on recording and accepting meanwhile."""
    op.add_column("forfeit_reports", sa.Column("evidence", sa.LargeBinary(), nullable=True))
    op.add_column("versions", sa.Column("owner", sa.String(length=64), nullable=True))
