"""Helpers that several tests share: emulated devices, brokers, games and texts."""
