"""Tags of Django's engine, for pages of allauth that have no template here."""
