"""All hand-written SQL: each statement with its twin in Django's ORM, and the two ways to run one.

PostgreSQL runs the SQL, SQLite the twin. Tests compare both on PostgreSQL.
"""

from games.matches.store.statement import Statement, run, run_in_loop, uses_sql

__all__ = ["Statement", "run", "run_in_loop", "uses_sql"]
