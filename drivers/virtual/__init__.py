"""The devices without hardware, as full implementations: for the virtual table and tests."""
