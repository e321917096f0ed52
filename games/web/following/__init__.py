"""Following players, and who may challenge oneself."""
