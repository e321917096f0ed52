"""News by the operators of the site, written in the admin."""
