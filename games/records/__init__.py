"""Additions of readers to records: imported matches, and animated pictures."""
