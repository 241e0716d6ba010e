"""Figures, each beside something else measured in the same run. `make bench` prints them all."""
