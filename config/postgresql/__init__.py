"""The database backend of the site: Django's for PostgreSQL, with a pool that notices a restart."""
