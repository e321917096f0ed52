"""The record of a match: its positions, and files to download."""
