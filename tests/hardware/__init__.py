"""Settings, wiring, the doctor, recordings and reports."""
