"""What a device, the disk or the doctor says: English at once, and another language where it is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self


class Message(str):
    """A sentence in English that can be said in another language too: its template and facts go with it.

    Facts stand as they are, but for messages among them. The literal template is collected for the catalogues.
    A fault's `code` says which one it is, for whoever has to decide by it: sentences are never taken apart.
    """

    template: str
    code: str
    facts: dict[str, Any]

    def __new__(cls, template: str, /, *, code: str = "", **facts: Any) -> Self:
        message = super().__new__(cls, template.format_map(facts))
        message.template, message.code, message.facts = template, code, facts
        return message

    def into(self, translate: Callable[[str], str]) -> str:
        facts = {name: into(fact, translate) for name, fact in self.facts.items()}
        return translate(self.template).format_map(facts)


def device(part: str) -> Message:
    """A device or another part of the table, as "button red": each of its words is said in the language."""
    words = {f"word{at}": Message(word) for at, word in enumerate(part.split())}
    template = " ".join(f"{{{key}}}" for key in words)
    return Message(template, **words)


def into(text: Any, translate: Callable[[str], str]) -> Any:
    """A message in another language; anything else as it is."""
    return text.into(translate) if isinstance(text, Message) else text


def code(text: str) -> str:
    """A message's code; "" for one without, and for any other words."""
    return text.code if isinstance(text, Message) else ""


def reason(fault: BaseException) -> str:
    """What an error says: the message it was raised with, or its words."""
    first = fault.args[0] if fault.args else None
    return first if isinstance(first, Message) else str(fault).rstrip(".") or type(fault).__name__
