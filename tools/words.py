"""`make words`: collects every text into the catalogues and compiles them (needs Babel, which `dev` brings)."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from companion import games
from companion.rules import NC_, InContext
from companion.rules import contract as rules
from companion.rules.catalogues import compiled, written
from companion.rules.words import LANGUAGES, clauses

ROOT = Path(__file__).parents[1]
METHODS = [("**.min.js", "ignore"), ("**.js", "javascript"), ("**.py", "python")]
KEYWORDS = {"N_": None, "NC_": ((1, "c"), 2), "Message": None, "plural": (1, 2)}

Text = str | tuple[str, str]
"""A template, or two of which a count chooses one."""


@cache
def texts() -> tuple[tuple[Text, str], ...]:
    """Return every text that is shown, with its file: templates, texts of the screen, and the clauses."""
    found: list[tuple[Text, str]] = []
    for package in ("companion", "drivers", "ui"):
        here = extract_from_dir(str(ROOT / package), METHODS, keywords=KEYWORDS)
        found += ((_text(message, context), f"{package}/{file}") for file, _, message, _, context in here)
    pages = [("companion/rules/contract.py", rules.__doc__ or "")]
    pages += ((f"companion/games/{name}/rules.py", games.game(name).clauses) for name in games.NAMES)
    for file, page in pages:
        its = [text for clause in clauses(page).values() for text in (clause.text, clause.note, clause.section)]
        found += ((text, file) for text in its if text)
    return tuple(found)


def _text(found: str | tuple[str, ...], context: str | None) -> Text:
    if isinstance(found, tuple):
        return found[0], found[1]
    return NC_(context, found) if context else found


def key(text: Text) -> str:
    """Return the key by which a catalogue knows the text."""
    return text if isinstance(text, str) else text[0]


def context(text: Text) -> str | None:
    """Return the context of a text whose English has another meaning elsewhere."""
    return text.context if isinstance(text, InContext) else None


def catalogue(lang: str, path: Path | None = None) -> Catalog:
    """Return the language's catalogue, or that of a file, with the texts of today.

    Texts are kept where translated, empty where new. A text whose English was reworded keeps its translation, marked as
    fuzzy: the English is shown until somebody has checked it and removed the mark. Texts that are no longer needed stay
    at the end of the file.
    """
    path, new = path or written(lang), Catalog(locale=lang)
    old = read_po(BytesIO(path.read_bytes()), locale=lang) if path.exists() else Catalog(locale=lang)
    for text, file in sorted(texts(), key=lambda found: (found[1], key(found[0]))):
        new.add(text, locations=[(file, 0)], context=context(text))
    words = Catalog(
        locale=lang,
        project="Tabularium",
        version="0.1.0",
        header_comment=f"# The texts of Tabularium: {LANGUAGES[lang]}.",
        msgid_bugs_address="-",
        last_translator="-",
        language_team="-",
        fuzzy=False,
    )
    for message in (*filter(lambda message: message.id, old), *old.obsolete.values()):
        if not isinstance(message.id, str) or message.string:
            words[message.id] = message
    words.update(new, update_creation_date=False)
    words.revision_date = words.creation_date = old.creation_date
    return words


def forms(words: Catalog, text: Text) -> tuple[str, ...]:
    """Return a text's translation; for a plural, one for each form of the language. Empty where none is shown."""
    message = words.get(key(text), context(text))
    assert message, f"a catalogue of today lacks {text}"
    found = "" if message.fuzzy else message.string or ""
    return (found,) if isinstance(found, str) else tuple(found)


def untranslated(words: Catalog) -> list[tuple[str, str]]:
    """Return the texts that are shown in English, each with its file."""
    return [(file, key(text)) for text, file in texts() if not all(forms(words, text))]


def file_of(words: Catalog) -> bytes:
    """Return the catalogue as a file, the same on every computer."""
    out = BytesIO()
    write_po(out, words, width=110, include_lineno=False)
    return out.getvalue()


def main() -> None:
    for lang in LANGUAGES:
        if lang == "en":
            continue
        path = written(lang)
        path.parent.mkdir(parents=True, exist_ok=True)
        words = catalogue(lang)
        path.write_bytes(made := file_of(words))
        path.with_suffix(".mo").write_bytes(compiled(made.decode()))
        missing = untranslated(words)
        print(f"{LANGUAGES[lang]}: {len(words)} texts, {len(missing)} not translated, which are shown in English")
        for file, text in missing:
            print(f"  warning: {file}: {text}")


if __name__ == "__main__":
    main()
