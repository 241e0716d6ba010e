"""Card readers on USB through PC/SC: the service pcscd has them, this talks to pcscd."""
