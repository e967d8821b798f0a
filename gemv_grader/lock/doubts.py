"""What the lock leaves to the compiler, told to the student meanwhile: calls it does not know, broken expressions."""

from __future__ import annotations

from gemv_grader.words import Finding, Place, Severity, Text

STATEMENTS = frozenset({"return", "if", "for", "while", "do", "switch", "break", "continue", "goto"})
"""Words with which a statement begins, and no expression."""


def warning(id_: str, message: Text, place: Place, name: str = "") -> Finding:
    """A finding that ``message`` words; ``name`` is what it is about."""
    said = message.format(line=place.line, column=place.column, name=name)
    return Finding(id_, Severity.WARNING, said, place)


EFFECTS = Text(
    zh="第 {line} 行第 {column} 列：{name} 不只是计算，它会同步、交换数据或停住 kernel。",
    en="Line {line}, column {column}: {name} does more than compute: it synchronises, exchanges data "
    "or stops the kernel.",
)
UNKNOWN = Text(
    zh="第 {line} 行第 {column} 列：练习没有列出函数 {name}。请检查拼写，或改用骨架里已有的东西。",
    en="Line {line}, column {column}: the exercise lists no function {name}. Check the spelling, or "
    "use what the scaffold has.",
)
STATEMENT = Text(
    zh="第 {line} 行第 {column} 列：{name} 开头的是语句。空里只能是一个表达式；请只留下要计算的部分。",
    en="Line {line}, column {column}: {name} begins a statement. The blank takes an expression: keep what it computes.",
)
SYNTAX = Text(
    zh="第 {line} 行第 {column} 列附近的表达式不完整，例如少了一个操作数或运算符。",
    en="The expression is not complete near line {line}, column {column}: an operand or an operator may be missing.",
)
