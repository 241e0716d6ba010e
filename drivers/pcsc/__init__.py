"""Card readers on USB through PC/SC: the service pcscd owns them, and this package talks to pcscd."""
