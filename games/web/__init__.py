"""Pages: doors that translate in, call a service or a selector, and translate out."""
