"""A serial hub: a microcontroller that serves places at the table, over USB (firmware_notes/hub_protocol.md)."""

VERSION = 1
"""The version of the protocol spoken here."""
FIRMWARE = "1.0.0"
"""The firmware that comes with this program (firmware_notes/hub)."""
