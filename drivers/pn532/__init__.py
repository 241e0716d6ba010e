"""The PN532 on USB or a UART: NXP's user manual UM0701-02 for its frames and commands."""
