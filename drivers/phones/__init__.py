"""Phones as seats: one port with the page's files and a WebSocket for each phone, on one thread (docs/phones.md).

It knows connections, tokens, clocks and fists, and nothing of games.
"""
