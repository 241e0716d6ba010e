"""How much the receiver amplifies (MFRC522 data sheet, 9.3.3.6: RFCfgReg, bits 6 to 4)."""

RF_CFG = 0x26
GAINS = {18: 0x00, 23: 0x10, 33: 0x40, 38: 0x50, 43: 0x60, 48: 0x70}
"""What stands in the register for each gain in dB. The chip's own is 33; at 48, two readers side by side may read
nothing at all (miguelbalboa/rfid#536)."""
OWN = 33
