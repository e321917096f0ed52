"""Pages of bookmarks and their collections."""
