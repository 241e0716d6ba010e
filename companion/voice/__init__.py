"""What is said aloud: short sentences for the ear, beside the rulings that are read, and to whom each is said.

Like the screen, the voice knows only what has been shown; what is private to a seat goes into that seat's ear alone
(law 2). Nothing here makes a sound: that is `drivers.voice`.
"""
