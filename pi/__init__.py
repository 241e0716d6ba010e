"""The installer for a Raspberry Pi: standard library alone, as it runs before anything is installed.

The installation is a list of steps (`pi.main.steps`). Each step can report its state, be done, and be undone; so one
list installs, shows what would be done, finds nothing left to do, and uninstalls. Everything is below a root folder.
"""
