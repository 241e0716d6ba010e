"""What people ask of a game, and put right: what may be done now, why it came so, what lies wrong.

`why` explains a ruling, `guide` the moment, `explaining` a table that lies otherwise; `editing` is a decision in the
making.
"""
