"""Shared code of the pages (``games.web``) and the API (``games.api``)."""
