"""The site's database backend: Django's for PostgreSQL, with a pool that notices restarts."""
