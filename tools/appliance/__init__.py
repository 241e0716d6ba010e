"""A virtual Raspberry Pi 4 with a kernel of its own, on which the installed table is tried: `make appliance`."""
