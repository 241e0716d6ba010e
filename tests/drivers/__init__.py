"""Drivers, each against emulated devices."""
