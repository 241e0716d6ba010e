"""A serial hub: a microcontroller that serves places at the table, over USB (firmware_notes/hub_protocol.md)."""

VERSION = 1
"""The version of the protocol spoken here."""
FIRMWARE = "1.0.0"
"""This program's own version of the firmware (firmware_notes/hub)."""
