"""The parts every page is made of: text that fits, controls, shapes, pads."""
