"""What Alembic runs: the migrations, in the transaction of the connection that it is handed."""

from alembic import context

from ladder.models import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    transactional_ddl=True,  # true of SQLite too, since the ladder begins transactions by itself
    render_as_batch=connection.dialect.name == "sqlite",  # which cannot alter a table in place
)
context.run_migrations()
