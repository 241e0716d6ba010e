"""The hall: many tables on one evening. A neighbour of the table, which does not know it."""
