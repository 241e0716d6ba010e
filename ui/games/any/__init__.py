"""Any game without a folder of its own."""
