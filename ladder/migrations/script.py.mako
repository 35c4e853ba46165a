"""${message}.

Revision: ${up_revision}
"""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the schema up by one step; it must run while the older code still reads."""
    ${upgrades if upgrades else "pass"}
