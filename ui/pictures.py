"""`python -m ui.pictures OUTDIR`: every page at the three sizes, from a scripted game."""
