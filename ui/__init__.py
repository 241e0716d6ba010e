"""The touchscreen: view-models without Kivy, and thin widgets that show them."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import tempfile


def _environment() -> None:
    """Set Kivy's environment and logging, which it reads when any of our modules first imports it."""
    home = tempfile.mkdtemp(prefix="tabularium-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ["KIVY_HOME"] = home
    for name in ("KIVY_NO_CONFIG", "KIVY_NO_ARGS", "KIVY_NO_FILELOG", "KIVY_NO_ENV_CONFIG"):
        os.environ[name] = "1"
    os.environ.setdefault("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1")  # a fist counts behind another window too
    os.environ["KIVY_LOG_MODE"] = "PYTHON"  # Kivy logs where the program logs
    os.environ["KIVY_CLOCK"] = "free_all"  # what is scheduled as `free`, from any thread, ends the wait for a frame
    kivy = logging.getLogger("kivy")
    kivy.setLevel(logging.WARNING)
    kivy.addFilter(lambda record: "is not supported by your version" not in record.getMessage())


_environment()
