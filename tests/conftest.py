"""Hypothesis on a busy machine: no deadlines, since speed is measured in the benchmarks and nowhere else."""

from hypothesis import HealthCheck, settings

settings.register_profile("tabularium", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
settings.load_profile("tabularium")
