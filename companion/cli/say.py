"""`tabularium say`: says a sentence as the table would, aloud or into a file; or makes one of its sounds."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import TYPE_CHECKING

from companion.cli.common import fail, settings_of

if TYPE_CHECKING:
    from companion.hardware.settings import Settings, VoiceSettings
    from drivers.voice.engines import Engines
    from drivers.voice.pcm import Piece


def run_say(args: argparse.Namespace) -> int:
    from companion.rules.message import reason
    from companion.rules.mistakes import ConfigError
    from drivers.voice.engines import Engines
    from drivers.voice.pcm import wav

    try:
        settings = settings_of(args)
    except ConfigError as error:
        return fail(*error.lines)
    voice, lang = settings.voice, args.lang or settings.language
    if args.ear and args.ear not in settings.ears:
        return fail(f"{args.ear} has no earphone in config.yaml")
    with closing(Engines(voice.engine, voice.model)) as engines:
        try:
            pieces = _pieces(args, engines, voice, lang)
        except OSError as fault:
            return fail(f"{reason(fault)}. {engines.remedy(lang)}")
    if not pieces:
        return fail("there is nothing to say or play")
    if args.out is None:
        return _aloud(pieces, settings, args.ear)
    args.out.write_bytes(wav(pieces))
    return 0


def _pieces(args: argparse.Namespace, engines: Engines, voice: VoiceSettings, lang: str) -> list[Piece]:
    """Return the sound, then the words. Raises OSError where no engine can speak."""
    from drivers.voice import sounds
    from drivers.voice.interruptible import patiently
    from drivers.voice.sanitize import plain

    text = plain(args.text, lang)
    engine = engines.of(lang) if text else None
    words = list(engine.speak(text, lang, voice.rate, patiently)) if engine else []
    hz = words[0].hz if words else sounds.HZ
    return [sounds.piece(args.sound, hz), *words] if args.sound else words


def _aloud(pieces: list[Piece], settings: Settings, ear: str | None) -> int:
    from companion.rules.message import reason
    from drivers.voice.interruptible import patiently
    from drivers.voice.pcm import softer
    from drivers.voice.sinks import sink as opened
    from drivers.voice.voice import remedy

    sink = opened(settings.ears[ear] if ear else settings.voice.device, settings.voice.lead_ms)
    try:
        sink.begin(pieces[0].hz)
        for piece in pieces:
            sink.write(softer(piece.pcm, settings.voice.volume), patiently)
        sink.end(patiently)
    except OSError as fault:
        return fail(f"{reason(fault)}. {remedy(fault, ear)}")
    finally:
        sink.stop()
    return 0
