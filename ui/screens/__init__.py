"""One file a page: each takes a view-model and changes properties."""
