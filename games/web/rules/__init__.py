"""The rules pages of the games."""
