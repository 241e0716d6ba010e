"""What a seat can do and ask, as lists of entries (`rules/menu.py`): the same for an ear and for a phone."""
