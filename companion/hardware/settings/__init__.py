"""config.yaml read into frozen settings, with all of its mistakes reported at once."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.hardware.fitting import Fitting
from companion.hardware.settings._keys import card
from companion.hardware.settings._parts import (
    ControllerSettings,
    HallSettings,
    HubSettings,
    PhoneSettings,
    PowerSettings,
    PressSettings,
    RevealSettings,
    ScreenSettings,
    Settings,
    UpdateSettings,
    VoiceSettings,
    Wires,
)
from companion.rules.mistakes import ConfigError, Mistakes
from companion.system.home import folder
from companion.system.typed import Intake

if TYPE_CHECKING:
    from companion.hardware.kind import Kinds

__all__ = [
    "ConfigError",
    "ControllerSettings",
    "HallSettings",
    "HubSettings",
    "PhoneSettings",
    "PowerSettings",
    "PressSettings",
    "RevealSettings",
    "ScreenSettings",
    "Settings",
    "UpdateSettings",
    "VoiceSettings",
    "Wires",
    "card",
    "edited",
    "find",
    "load",
    "shipped",
    "there",
    "users",
]


def find(explicit: Path | None) -> Path | None:
    """Return the config.yaml to use: the named one, else the first that exists; None if there is none."""
    return explicit or next(iter(there()), None)


def there() -> list[Path]:
    """Return every config.yaml that exists, the one in use first: the working directory's, then the user's.

    The file that comes with the program shows the defaults and is not among them. A shipped file that was edited, as
    before user settings were kept elsewhere, comes last: it is used until `make run` has carried it over.
    """
    here, home = Path("config.yaml"), users()
    found = [home] if home and home.is_file() else []
    if here.is_file() and not shipped(here):
        return [here, *found]
    return [*found, here] if here.is_file() and edited(here) else found


def users() -> Path | None:
    """Return where the user's own settings are kept; None without a home directory."""
    home = folder("XDG_CONFIG_HOME", ".config")
    return home / "tabularium" / "config.yaml" if home else None


def shipped(path: Path) -> bool:
    """Return whether a config.yaml lies in the program's own folder, where it documents the defaults."""
    return (path.absolute().parent / "companion" / "__init__.py").is_file()


def edited(path: Path) -> bool:
    """Return whether a shipped file was edited: unedited, it always holds the defaults."""
    try:
        return load(path, {}) != Settings()  # it has no readers
    except ConfigError:
        return True


def load(path: Path, kinds: Kinds) -> Settings:
    """Return the settings of a file, with readers of these kinds; relative paths start from the file's directory.

    Raises ConfigError with all mistakes.
    """
    from companion.hardware.settings import _across as across
    from companion.hardware.settings._parts import fitting
    from companion.system.yaml_lines import lines, read_yaml  # a table without a config.yaml needs no YAML

    data, line_of = read_yaml(path)
    if data is None:
        data = {}
    intake = Intake({Fitting[Any]: partial(fitting, kinds)})
    settings: Settings = intake.value(Settings, data, ())
    found = intake.found
    if isinstance(data, dict):  # else there is nothing to compare
        ill = {mistake.path[:2] for mistake in found if mistake.path[:1] == ("readers",)}
        compared = across.mistakes(settings, data, line_of)
        found += [mistake for mistake in compared if mistake.path not in ill]  # a broken reader's pins are unknown
    if found:
        raise ConfigError(lines(path, Mistakes(found), line_of))
    here = path.absolute().parent
    voice = settings.voice if settings.voice.model is None else replace(
        settings.voice, model=here / settings.voice.model
    )  # fmt: skip
    return replace(
        settings,
        data=here / settings.data,
        voice=voice,
        press=_with_longer_press(settings.press, data),
        hall=_relative_to(here, settings.hall) if settings.hall else None,
    )


def _relative_to(here: Path, hall: HallSettings) -> HallSettings:
    return replace(
        hall,
        tls=here / hall.tls if hall.tls else None,
        password_file=here / hall.password_file if hall.password_file else None,
    )


def _with_longer_press(press: PressSettings, data: Any) -> PressSettings:
    """Return the press settings; a default long press lasts longer than any press that answers no."""
    return press if "long_ms" in (data.get("press") or {}) else replace(
        press, long_ms=max(press.long_ms, 3 * press.no_ms)
    )  # fmt: skip
