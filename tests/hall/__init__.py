"""Many tables on one evening."""
