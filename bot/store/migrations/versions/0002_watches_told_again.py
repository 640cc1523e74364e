"""A watch goes on after it was told: since when its price is below."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("watch", sa.Column("told", sa.DateTime()))
