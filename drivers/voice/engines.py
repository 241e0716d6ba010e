"""The engines: espeak-ng and Piper run for a sentence, Open JTalk keeps running (jtalk.py)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Protocol

from companion.hardware.doctor import installing
from companion.rules.message import Message, program
from drivers.voice.interruptible import Wait
from drivers.voice.jtalk import JTalk
from drivers.voice.pcm import Piece, unwrapped
from drivers.voice.program import PATIENCE, stream

LANGUAGES = ("en", "de", "ja")


class Engine(Protocol):
    """An engine that speaks some languages; `name` is its name in config.yaml."""

    name: str

    def voice(self, lang: str) -> str:
        """Return the voice for a language; "" if the engine does not speak it."""

    def speak(self, text: str, lang: str, rate: int, wait: Wait, /) -> Iterator[Piece]:
        """Yield the sound of a `plain` text, at a rate in per cent, as early as possible.

        Raises OSError with a Message where it hangs, fails or writes anything but sound.
        """

    def close(self) -> None: ...


class Espeak:
    """The engine espeak-ng: tiny and immediate, but not for Japanese, whose kanji it only names as Chinese letters."""

    name = "espeak-ng"
    VOICES: Mapping[str, str] = {"en": "en-gb", "de": "de"}
    VARIANTS = "", "f2", "m3", "f4", "m7"
    """Other voices for the same language: the first is its own."""
    WORDS_A_MINUTE = 160

    def __init__(self, program: str = "espeak-ng", patience: float = PATIENCE, variant: int = 0) -> None:
        self._program, self._patience, self.variant = program, patience, variant

    def voice(self, lang: str) -> str:
        variant = self.VARIANTS[self.variant % len(self.VARIANTS)]
        if lang not in self.VOICES:
            return ""
        return f"{lang}+{variant}" if variant else self.VOICES[lang]  # "en-gb" takes no variant, "en" is the same voice

    def speak(self, text: str, lang: str, rate: int, wait: Wait, /) -> Iterator[Piece]:
        pace = max(80, min(450, self.WORDS_A_MINUTE * rate // 100))
        words = (self._program, "--stdin", "--stdout", "-b", "1", "-v", self.voice(lang), "-s", str(pace))
        return _wav_sound(stream(words, text, wait, self._patience), self._program)

    def close(self) -> None:
        pass


class Piper:
    """A Piper voice: `model` is its .onnx file, with the .onnx.json beside it. Raises ValueError for another file."""

    name = "piper"

    def __init__(self, model: Path, program: str = "piper", patience: float = 2 * PATIENCE) -> None:
        self._program, self._model, self._patience = program, model, patience
        self._lang, self._hz = _piper_model(model)

    def voice(self, lang: str) -> str:
        return self._model.stem if lang == self._lang else ""

    def speak(self, text: str, _lang: str, rate: int, wait: Wait, /) -> Iterator[Piece]:
        slower = f"{100 / rate:.2f}"
        words = (self._program, "--model", str(self._model), "--output-raw", "--length-scale", slower)
        return (Piece(self._hz, pcm) for pcm in stream(words, f"{text}\n", wait, self._patience))

    def close(self) -> None:
        pass


def _piper_model(model: Path) -> tuple[str, int]:
    """Return the language and the sample rate of a Piper voice."""
    about = model.with_name(f"{model.name}.json")
    try:
        data = json.loads(about.read_text(encoding="utf-8"))
        lang, hz = data["espeak"]["voice"], data["audio"]["sample_rate"]
        if not model.is_file():
            raise OSError
        return str(lang)[:2].lower(), int(hz)
    except (OSError, ValueError, KeyError, TypeError):
        raise ValueError(Message("{path} is no Piper voice, or its .json is not beside it", path=str(model))) from None


def _wav_sound(chunks: Iterable[bytes], program: str) -> Iterator[Piece]:
    """Yield a WAV file's sound while the file is being written. Raises OSError if it holds none."""
    head, hz = b"", 0
    for chunk in chunks:
        if hz:
            yield Piece(hz, chunk)
            continue
        head += chunk
        try:
            found = unwrapped(head)
        except ValueError:
            raise OSError(Message("{program} wrote no sound", program=program)) from None
        if found:
            hz, at = found
            if head[at:]:
                yield Piece(hz, head[at:])
    if not hz:
        raise OSError(Message("{program} wrote no sound", program=program))


# -- which engine serves which language ------------------------------------------------------------------------------

INSTALL: Mapping[str, str] = {
    "espeak-ng": "sudo apt-get install -y espeak-ng",
    "open-jtalk": installing("pyopenjtalk-plus>=0.4"),
    "piper": installing("piper-tts"),
}
"""The command to install an engine."""
SERVES: Mapping[str, str] = {"en": "espeak-ng", "de": "espeak-ng", "ja": "open-jtalk"}
"""The default engine for a language."""


def located(name: str) -> str:
    """Return where a program is: on the path, or beside this Python, where pip puts it; "" if nowhere."""
    return which(name) or which(name, path=f"{sys.prefix}/bin") or ""


def there(name: str) -> bool:
    """Return whether an engine is installed."""
    return bool(find_spec("pyopenjtalk") if name == "open-jtalk" else located(name))


def picked(wanted: str, lang: str, piper: str) -> str:
    """Return the engine that serves a language, "" for none; `piper` is the Piper voice's language, "" without one."""
    serves = {"piper": lang == piper, "espeak-ng": lang in Espeak.VOICES, "open-jtalk": lang == "ja"}
    if wanted == "auto":
        return "piper" if serves["piper"] else SERVES.get(lang, "")
    return wanted if serves.get(wanted) else ""


class Engines:
    """The engines that config.yaml asks for, each made when it is first needed; one set serves one thread.

    `wanted` is "auto", "none" or an engine's name; `model` a Piper voice. `made` are engines to use instead.
    """

    def __init__(self, wanted: str = "auto", model: Path | None = None, made: Sequence[Engine] = ()) -> None:
        self._wanted, self._model = wanted, model
        self._made = {engine.name: engine for engine in made}
        self._given = bool(made)
        self._variant = 0

    def vary(self, variant: int) -> None:
        """Choose another voice of the same engine, where it has several."""
        self._variant = variant
        for engine in self._made.values():
            if isinstance(engine, Espeak):
                engine.variant = variant

    def of(self, lang: str) -> Engine | None:
        """Return the engine for a language, None where nothing is to speak.

        Raises OSError where something is missing.
        """
        if self._wanted == "none":
            return None
        if self._given:
            return next((engine for engine in self._made.values() if engine.voice(lang)), None)
        name = picked(self._wanted, lang, self._piper_language)
        if not name:
            raise OSError(Message("{program} does not speak this language", program=self._wanted))
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    @cached_property
    def _piper_language(self) -> str:
        """Return the language of the Piper voice, "" without one.

        Raises OSError for an invalid file, but only where config.yaml asks for Piper.
        """
        if self._model is None:
            return ""
        try:
            return _piper_model(self._model)[0]
        except ValueError as error:
            if self._wanted == "piper":
                raise OSError(*error.args) from None
            return ""

    def _make(self, name: str) -> Engine:
        if not there(name):
            raise FileNotFoundError(Message("{program} is not installed", program=name))
        if name == "piper":
            assert self._model
            return Piper(self._model, located("piper"))
        return Espeak(variant=self._variant) if name == "espeak-ng" else JTalk()

    def remedy(self, lang: str) -> Message:
        """Return what to do where a language is not spoken."""
        try:
            name = picked(self._wanted, lang, self._piper_language)
        except OSError:
            return Message("Name its .onnx file at model below voice: in config.yaml.")
        if name and not there(name):
            return Message("Install it: {command}", command=INSTALL[name])
        if name:
            return Message("Try it: {command}", command=f"{program()} say --lang {lang} test")
        return Message("Set engine: auto below voice: in config.yaml.")

    def serving(self) -> Mapping[str, str]:
        """Return, by language, the engine that would speak it now, "" for none."""
        found = dict.fromkeys(LANGUAGES, "")
        if self._given:
            return {lang: next((e.name for e in self._made.values() if e.voice(lang)), "") for lang in LANGUAGES}
        for lang in LANGUAGES:
            with suppress(OSError):
                name = picked(self._wanted, lang, self._piper_language)
                found[lang] = name if name and there(name) else ""
        return found

    def close(self) -> None:
        for engine in self._made.values():
            engine.close()
