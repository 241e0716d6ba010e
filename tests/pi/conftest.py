"""A scratch Raspberry Pi, installed once for all tests of a module, and a key that signs releases."""

from tests.support.installing import m, once, pi
from tests.support.updating import key

__all__ = ["key", "m", "once", "pi"]
