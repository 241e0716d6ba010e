"""Everything with one button: lists that are stepped through by ear, and what taking an entry does.

A short press says the next entry, holding the button takes it, holding it long tells what is going on. Nothing here
makes a sound: what an ear hears are rulings for its seat alone, said like every other (`companion.voice`).
"""
