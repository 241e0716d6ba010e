"""The installer for a Raspberry Pi: standard library alone, as it runs before anything is installed.

What is installed is a list of steps (`pi.main.steps`). Each can say how things are, be done, and be taken back; so one
list installs, shows what would be done, finds nothing left to do, and uninstalls. Everything is below a root folder.
"""
