"""YAML with line numbers, so that a mistake can be shown where it is written.

Plain data only: words as keys, each once; numbers, true, false, null and text; no anchors, no tags.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from companion.rules.mistakes import ConfigError, LineOf, Mistakes, Where, dotted
from companion.system import limits

NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
MERGE = re.compile("^<{7} ", re.M)
"""The first of git's marks around lines that it could not merge."""
PLAIN = {f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "int", "float", "str")}


def read_yaml(path: Path, most: int = limits.FILE) -> tuple[Any, LineOf]:
    """Return a file's data, None if it is empty, and a function that gives each part's line.

    Raises ConfigError, also for a file of more than `most` bytes.
    """
    text = _text(path, most)
    try:
        _refuse_specialities(text)
        document = _Document(text)
    except yaml.YAMLError as error:
        line, what = _explained(text, error)
        raise ConfigError([f"{path}:{line}: {what}"]) from None
    if document.found:
        raise ConfigError([f"{path}:{line}: {what}" for line, what in limits.few(document.found)])
    return document.data, document.line_of


def lines(path: Path, mistakes: Mistakes, line_of: LineOf) -> list[str]:
    """Return mistakes as `path:line: keys: what is wrong`, in the order of the file."""
    found = sorted(mistakes.found, key=lambda mistake: line_of(mistake.path))
    return [f"{path}:{line_of(m.path)}: {dotted(m.path)}{': ' if m.path else ''}{m.what}" for m in found]


def _text(path: Path, most: int) -> str:
    try:
        return limits.content(path, most).decode("utf-8-sig")
    except OSError as error:
        raise ConfigError([f"{path}: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError([f"{path}:{line}: this is not UTF-8 text"]) from None


def _refuse_specialities(text: str) -> None:
    """Raise YAMLError for features that plain data does not need and that confuse people."""
    depth = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        what = None
        if getattr(event, "anchor", None):
            what = "anchors and aliases (&name, *name) are not read here: write it out"
        elif getattr(event, "tag", None):
            what = "tags (!name) are not read here: put text that begins with ! in quotes"
        elif depth > limits.DEPTH:
            what = f"nested more than {limits.DEPTH} levels deep"
        if what:
            raise yaml.MarkedYAMLError(problem=what, problem_mark=event.start_mark)  # type: ignore[arg-type]


def _explained(text: str, error: yaml.YAMLError) -> tuple[int, str]:
    if isinstance(error, yaml.reader.ReaderError):
        return text.count("\n", 0, error.position) + 1, f"the character {chr(error.character)!a} is not allowed here"
    assert isinstance(error, yaml.MarkedYAMLError)
    if merged := MERGE.search(text):
        return text.count("\n", 0, merged.start()) + 1, "git could not merge this: keep your lines, remove its marks"
    mark = error.problem_mark or error.context_mark
    what = " ".join(filter(None, (error.problem, error.context)))
    return (mark.line if mark else 0) + 1, what


class _Document:
    """A text's data, the line of each part, and what is wrong with it by line. Raises YAMLError."""

    def __init__(self, text: str) -> None:
        self.found: list[tuple[int, str]] = []
        self._where: dict[Where, int] = {(): 1}
        self._loader = yaml.SafeLoader(text)
        node = self._loader.get_single_node()
        self.data = self._plain(node, ()) if node else None

    def line_of(self, place: Where) -> int:
        while place not in self._where:
            place = place[:-1]
        return self._where[place]

    def _plain(self, node: yaml.Node, place: Where) -> Any:
        self._where.setdefault(place, _line(node))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, place)
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(item, (*place, index)) for index, item in enumerate(node.value)]
        return self._scalar(node)

    def _mapping(self, node: yaml.MappingNode, place: Where) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key_node, value in node.value:
            key: Any = self._scalar(key_node) if isinstance(key_node, yaml.ScalarNode) else None
            here: Where = (*place, key)
            if not isinstance(key, str):
                self.found.append((_line(key_node), "a key is a word: put it in quotes if it is meant as one"))
            elif key in data:
                self.found.append((_line(key_node), f"{dotted(here)} is already on line {self._where[here]}"))
            else:
                self._where[here] = _line(key_node)
                data[key] = self._plain(value, here)
        return data

    def _scalar(self, node: yaml.Node) -> Any:
        try:
            node.value.encode()
        except UnicodeEncodeError:
            self.found.append((_line(node), "half a character (\\ud800 to \\udfff)"))
            return ""
        if node.tag in NUMBERS and len(node.value) > limits.DIGITS:
            self.found.append(
                (_line(node), f"a number has at most {limits.DIGITS} digits: put it in quotes if it is a text")
            )
            return 0
        if node.tag not in PLAIN:  # a date, a = or a <<: text to us
            return node.value
        try:
            return self._loader.construct_object(node)
        except ValueError:  # looks like a number and is not one: 0x_
            return node.value


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
