"""Augur: one card each, the highest wins."""

from companion.rules.record import Record

RECORD = Record(__name__)
