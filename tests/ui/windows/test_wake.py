"""Law 3 at the window: what is shown is safe, and nobody who shows waits for the disk."""

import pytest

from tests.conftest import Window


@pytest.mark.window("wake")
def test_what_threads_have_to_say_is_heard_and_shown_while_the_clock_stands_still(window: Window) -> None:
    """A word is heard at once; an act is in the first frame drawn after it where the disk answers; where it hangs,
    frames are drawn without the act and fingers are heard."""
    out, err = window.communicate()
    assert window.returncode == 0, err
    assert out.splitlines()[-1] == "awake"
