"""What can go wrong: every exception is an `Error` and carries the messages of the library."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Message:
    """An error, a warning or a note, and the place in the rules that it is about."""

    severity: str
    code: str
    text: str
    hint: str | None = None
    file: str | None = None
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        code = f" [{self.code}]" if self.code else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.severity}: {self.text}{code}{hint}"


class Error(Exception):
    """Something went wrong; `messages` tells what and where, `code` is that of the first error."""

    def __init__(self, text: str, messages: tuple[Message, ...] = ()) -> None:
        super().__init__(text)
        self.messages = messages

    @property
    def code(self) -> str:
        """The code of the first error, such as "E101"; "" if there is none."""
        return next((m.code for m in self.messages if m.severity == "error"), "")


class FaultyError(Error):
    """The rules have an error, or the game goes wrong as it is played."""


class MisuseError(Error, ValueError):
    """An argument is wrong."""


class UnreadableError(Error, OSError):
    """A file or text cannot be read, or is not what it should be."""


class LimitError(Error, TimeoutError):
    """A limit of time or memory was reached, or the call was interrupted."""


class IllegalActionError(MisuseError):
    """An action is not legal; `lanes` are the numbers of the environments in question."""

    def __init__(self, text: str, lanes: tuple[int, ...] = ()) -> None:
        super().__init__(text)
        self.lanes = lanes
