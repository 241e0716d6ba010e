"""What the virtual Pi is tried with, a module for each subject; `__main__` lists the stages in their order."""
