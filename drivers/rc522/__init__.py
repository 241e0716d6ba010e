"""The card reader MFRC522 over SPI: the mfrc522 package's register access under a search for tags of its own."""
