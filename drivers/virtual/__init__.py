"""The same devices without hardware, full implementations all of them: for the virtual table and tests."""
