"""The installed Pi: installer, releases and updates."""
