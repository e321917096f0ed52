"""The pages of the site, sorted by feature."""
