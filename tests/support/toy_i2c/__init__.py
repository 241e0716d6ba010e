"""A reader on I²C: two wires for all of them, and an address each."""
