"""Why a file does not fit around the blank, so that a student can put it right: what, where, what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from gemv_grader.lock.edits import Edit, edits, ends_early, touches
from gemv_grader.lock.lexer import Token
from gemv_grader.lock.lookalikes import lookalikes
from gemv_grader.lock.result import Rejection
from gemv_grader.lock.scaffold import Scaffold, resemblance
from gemv_grader.words import Finding, Text

MAX_REASONS = 3
MAX_DIFF_LINES = 4
MAX_LINE = 100
MAX_FINDINGS = 8

# A file with less of the scaffold in it is no copy with edits. A copy with a line changed has over 0.9 of it.
_COPY = 0.5
# A file with less of its own tokens from the scaffold is no piece of the scaffold either.
_PIECE = 0.8

_SPLICED = re.compile(r"\\[ \t\v\f]*$")


def refuse(scaffold: Scaffold, tokens: Sequence[Token], text: str, title: Text) -> Rejection:
    """The rejection of a file whose tokens do not fit. ``title`` is the exercise's."""
    if not tokens:
        return Rejection((NO_CODE,))
    broken = tuple(_broken(tokens))
    whole = [token for token in tokens if not token.kind.startswith("unterminated")]
    if ends_early(scaffold, whole):
        return Rejection(broken or (ENDS_EARLY.format(line=tokens[-1].line),))
    if resemblance(tokens, scaffold.tokens) < _COPY:
        is_piece = resemblance(scaffold.tokens, tokens) >= _PIECE
        return Rejection(broken or (PIECE if is_piece else OTHER_PROGRAM.format(title=title),))
    found = edits(scaffold, tokens)
    lines = scaffold.text.split("\n"), text.split("\n")
    sides = [_Sides(scaffold, tokens, lines, edit) for edit in found]
    reasons = list(dict.fromkeys([*broken, *(side.reason() for side in sides)]))
    more = len(reasons) - MAX_REASONS
    return Rejection(
        reasons=(*reasons[:MAX_REASONS], *([MORE.format(count=more)] if more > 0 else [])),
        findings=tuple(islice(_lookalikes(sides), MAX_FINDINGS)),
        diff=tuple(dict.fromkeys(line for side in sides[:MAX_REASONS] for line in side.diff())),
        vetoes=frozenset(
            line.veto for line in scaffold.protected if any(touches(e, line, scaffold, tokens) for e in found)
        ),
    )


def _broken(tokens: Sequence[Token]) -> Iterator[Text]:
    """A reason for what is opened and never closed; of strings for the first, as others follow from it."""
    for token in tokens:
        if token.kind == "unterminated_comment":
            yield OPEN_COMMENT.format(line=token.line, column=token.column)
        elif token.kind == "unterminated_string":
            yield OPEN_QUOTE.format(line=token.line, column=token.column, what=_short(token.text))
            return


def _lookalikes(sides: Sequence[_Sides]) -> Iterator[Finding]:
    """Look-alikes in the place of something; not those in prose that was added."""
    for side in sides:
        if side.edit.old:
            yield from lookalikes(side.new)


class _Sides:
    """One edit as people see it: whole lines of the scaffold, ``old``, and of the file, ``new``.

    Where only a part of a line was added or taken away, both sides are there; a side is empty where whole
    lines were.
    """

    def __init__(
        self,
        scaffold: Scaffold,
        tokens: Sequence[Token],
        lines: tuple[Sequence[str], Sequence[str]],
        edit: Edit,
    ) -> None:
        old, new = edit.old, edit.new
        self.edit = edit
        self.old = scaffold.tokens[old.start : old.stop] or _beside(tokens, new, scaffold.tokens, old)
        self.new = tokens[new.start : new.stop] or _beside(scaffold.tokens, old, tokens, new)
        self._before = tokens[new.start - 1] if new.start else None
        self._scaffold = scaffold
        self._scaffold_lines, self._lines = lines

    def reason(self) -> Text:
        """What was done to the scaffold, and how to undo it."""
        at = self.new[0].line if self.new else self._before.line if self._before else 1
        said = {"at": at, "new": _short(self._lines[at - 1])}
        if not self.old:
            at_end = self.edit.old.start == len(self._scaffold.tokens)
            return (ADDED_AT_END if at_end else ADDED).format(**said)
        line, last = self.old[0].line, self.old[-1].line
        said |= {"line": line, "last": last, "old": _short(self._scaffold_lines[line - 1])}
        if self._is_lost_semicolon():
            return NO_SEMICOLON.format(**said)
        if self.new:
            return CHANGED.format(**said)
        if _SPLICED.search(self._lines[at - 1]):
            return SPLICED.format(**said)
        return (REMOVED if line == last else REMOVED_LINES).format(**said)

    def diff(self) -> Iterator[str]:
        """Lines such as ``-  63  if (row >= M) return;``: the scaffold's (-), the file's (+), or both's."""
        if not self.new and self._before:
            yield from _numbered(" ", [self._before], self._lines)
        yield from _numbered("-", self.old, self._scaffold_lines)
        yield from _numbered("+", self.new, self._lines)

    def _is_lost_semicolon(self) -> bool:
        blank = self._scaffold.blank
        return self.edit.old == range(blank, blank + 2) and self._scaffold.tokens[blank + 1].text == ";"


def _beside(side: Sequence[Token], only_here: range, other_side: Sequence[Token], there: range) -> Sequence[Token]:
    """For tokens that only one side has: the other's token next to them, if they share a line with it."""
    first, last = side[only_here.start], side[only_here.stop - 1]
    if only_here.start and there.start and side[only_here.start - 1].line == first.line:
        return other_side[there.start - 1 : there.start]
    if only_here.stop < len(side) and there.stop < len(other_side) and side[only_here.stop].line == last.line:
        return other_side[there.stop : there.stop + 1]
    return ()


def _numbered(sign: str, tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[str]:
    numbers = list(dict.fromkeys(token.line for token in tokens))
    for number in numbers[:MAX_DIFF_LINES]:
        yield f"{sign}{number:4}  {_short(lines[number - 1])}"
    if len(numbers) > MAX_DIFF_LINES:
        yield f"{sign}      ..."


def _short(line: str) -> str:
    line = " ".join(line.split())
    return line if len(line) <= MAX_LINE else line[: MAX_LINE - 3] + "..."


NO_CODE = Text(
    zh="文件里没有代码（只有注释或空白）。请交填好空的骨架文件。",
    en="The file holds no code, only comments or blanks. Hand in the scaffold with its blank filled in.",
)
ENDS_EARLY = Text(
    zh="文件在第 {line} 行就结束了，骨架后面的代码不见了。请从原来的骨架重新复制，填好空再交。",
    en="The file ends at line {line}; the rest of the scaffold is missing. Copy the scaffold again, "
    "fill in the blank and hand in all of it.",
)
PIECE = Text(
    zh="文件里只有骨架的一部分。请把填好空的整个骨架文件交上来，不要只交其中一段。",
    en="The file holds only a part of the scaffold. Hand in the whole scaffold with its blank filled in.",
)
OTHER_PROGRAM = Text(
    zh="这个文件不是练习“{title}”的骨架，像是别的程序。请确认交的文件和选的练习；只能在骨架里填空，不能重写。",
    en='This file is not the scaffold of the exercise "{title}"; it looks like another program. '
    "Check the file and the exercise; fill in the blank of the scaffold instead of writing it anew.",
)
OPEN_COMMENT = Text(
    zh="第 {line} 行第 {column} 列开始的注释 /* 一直没有结束，它后面的代码全成了注释。请补上 */ 或删掉 /*。",
    en="The comment that opens with /* at line {line}, column {column} never ends, so all code after "
    "it is comment. Close it with */ or remove the /*.",
)
OPEN_QUOTE = Text(
    zh="第 {line} 行第 {column} 列的引号没有配对的另一半：{what}。请补上或删掉。",
    en="The quotation mark at line {line}, column {column} is never closed: {what}. Close or remove it.",
)
CHANGED = Text(
    zh="骨架第 {line} 行“{old}”被改动了，你的第 {at} 行是“{new}”。只能改空，请恢复原样。",
    en='Line {line} of the scaffold, "{old}", was changed: your line {at} is "{new}". Only the blank '
    "may change; restore the line.",
)
REMOVED = Text(
    zh="骨架第 {line} 行“{old}”不见了，它应该在你的第 {at} 行之后。只能改空，请恢复原样。",
    en='Line {line} of the scaffold, "{old}", is missing after your line {at}. Only the blank may '
    "change; restore the line.",
)
REMOVED_LINES = Text(
    zh="骨架第 {line} 到 {last} 行（“{old}”等）不见了，它们应该在你的第 {at} 行之后。只能改空，请恢复原样。",
    en='Lines {line} to {last} of the scaffold, from "{old}" on, are missing after your line {at}. '
    "Only the blank may change; restore the lines.",
)
SPLICED = Text(
    zh="你的第 {at} 行以反斜杠结尾，它把下一行接到了注释里，骨架第 {line} 行“{old}”因此失效。请删掉行尾的反斜杠。",
    en="Your line {at} ends in a backslash, which makes the next line a part of it: line {line} of "
    'the scaffold, "{old}", is lost. Remove the backslash.',
)
ADDED = Text(
    zh="你的第 {at} 行“{new}”里有骨架没有的内容。只能改空，请删掉多出来的部分。",
    en='Your line {at}, "{new}", holds something that the scaffold does not. Only the blank may '
    "change; remove what was added.",
)
ADDED_AT_END = Text(
    zh="骨架结束之后，从第 {at} 行“{new}”起还有多余的代码。请删掉它们。",
    en='There is more after the end of the scaffold, from line {at} on: "{new}". Remove it.',
)
NO_SEMICOLON = Text(
    zh="第 {at} 行：空后面的分号不见了。请在表达式后面补上分号。",
    en="Line {at}: the semicolon after the blank is gone. Put it back after your expression.",
)
MORE = Text(zh="另有 {count} 处改动。", en="There are {count} more changes.")
