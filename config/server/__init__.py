"""The web server: Daphne, with bounds on what clients may send and a stop that always ends.

Daphne chooses Twisted's reactor as it is imported, so nothing of Twisted may come before it.
"""
