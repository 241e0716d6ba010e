"""Sentences of devices and the doctor as far as anybody may read them: known templates, with facts of known kinds."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO

from companion.hardware.report._kinds import (
    CODE,
    HIDDEN,
    MODEL,
    NUMBERS,
    TEXTS,
    WITH_VERSION,
    Names,
    first_of,
    parted,
    reader_model,
)
from companion.rules import InContext, Plural
from companion.rules.catalogues import loaded
from companion.rules.message import Message, plain


class Hidden(str):
    """A hidden fact, which prints as HIDDEN in any format that the template asks for."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return HIDDEN


class _Unknown(NullTranslations):
    def gettext(self, message: str) -> str:  # noqa: ARG002
        return ""

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002
        return ""

    def ngettext(self, one: str, many: str, count: int) -> str:  # noqa: ARG002
        return ""


@cache
def _catalogue() -> GNUTranslations:
    found = GNUTranslations(BytesIO(loaded("de")))
    found.add_fallback(_Unknown())
    return found


def known(template: str) -> bool:
    """Return whether this program has written the template: then it is in the catalogues and names nobody."""
    if isinstance(template, Plural):
        return bool(_catalogue().ngettext(template, template.many, 1))
    if isinstance(template, InContext):
        return bool(_catalogue().pgettext(template.context, template))
    return bool(template and _catalogue().gettext(template))


def sentence(text: object, names: Names) -> str:
    """Return what may be shown of a sentence."""
    if isinstance(text, Message):
        if not known(text.template):
            return names.part(str(text)) or HIDDEN
        facts = {name: _show_fact(name, plain(fact), names) for name, fact in text.facts.items()}
        template = text.template.english(text.facts) if isinstance(text.template, Plural) else text.template
        return template.format_map({"tabularium": "tabularium", **facts})  # how the program is called here is no fact
    return _show_plain(str(text), names) if text else ""


def code(text: object) -> str:
    """Return the program's own code for a fault; "" for none."""
    return str((isinstance(text, Message) and CODE(text.code)) or "")


def _show_plain(text: str, names: Names) -> str:
    """Return a sentence without facts, or a known name, as far as it may be shown."""
    found = first_of(MODEL, names.part, _packages)(text)
    if found is not None:
        return str(found)
    parts = [part if _is_bare(part) or _is_bare(f"{part}.") else HIDDEN for part in text.split(". ")]
    return reader_model(text) or HIDDEN if set(parts) == {HIDDEN} else ". ".join(parts)


def _is_bare(text: str) -> bool:
    return "{" not in text and known(text)


def _packages(text: str) -> str | None:
    found: str = parted(WITH_VERSION)(text)
    return None if HIDDEN in found else found


def _show_fact(name: str, fact: object, names: Names) -> object:
    if isinstance(fact, Message):
        return sentence(fact, names) or Hidden()
    if isinstance(fact, bool | int | float):
        shown = NUMBERS[name](fact) if name in NUMBERS else None
    elif name == "hub":
        shown = names.number(fact)
    elif name in TEXTS and isinstance(fact, str):
        shown = TEXTS[name](fact)
    else:
        shown = None
    return Hidden() if shown is None else plain(shown)
