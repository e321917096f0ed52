"""A table as HTML: the board, the move being entered, the parts of the page, and their patches."""
