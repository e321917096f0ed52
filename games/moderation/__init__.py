"""Reports, the cases that gather them, and what moderators do about them."""
