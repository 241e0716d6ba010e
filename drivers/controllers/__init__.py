"""Buttons that are plugged in: arcade encoders, game pads, number pads and keyboards, through the kernel's evdev."""
