"""What the interfaces over HTTP share: the pages (``games.web``) and the API (``games.api``)."""
