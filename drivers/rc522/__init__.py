"""The card reader MFRC522 over SPI: the mfrc522 package's register access under our own search for tags."""
