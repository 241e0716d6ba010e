"""Law 3 at the window: what is shown is safe, and nobody who shows waits for the disk."""

import pytest

from tests.conftest import Window


@pytest.mark.window("wake")
def test_thread_events_wake_an_idle_window(window: Window) -> None:
    """A word is heard at once; an act is in the first frame drawn after it where the disk answers; where it hangs,
    frames are drawn without the act and fingers are heard."""
    out, err = window.communicate()
    assert window.returncode == 0, err
    assert out.splitlines()[-1] == "awake"
