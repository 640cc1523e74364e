"""How Alembic reaches the database: always through a connection that ``bot.store.database`` opened and locked."""

from __future__ import annotations

from alembic import context

from bot.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # SQLite can too: the transaction around this is ours
)
with context.begin_transaction():
    context.run_migrations()
