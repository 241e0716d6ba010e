"""What readers and buttons are to the program: kinds, configuration, wiring, the doctor, recordings, first steps.

It drives nothing: `drivers` does.
"""
