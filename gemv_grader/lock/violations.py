"""What a fill may not do, in words for the student who did it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from gemv_grader.lock.lexer import Token
from gemv_grader.words import Finding, Place, Text


class Judgement(NamedTuple):
    """Reasons to reject a fill (none: it is contained), and findings on it."""

    reasons: tuple[Text, ...]
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Violation:
    """One breach of a rule, at a place in the student's file; ``what`` is the text at fault."""

    rule: Text
    place: Place
    what: str = ""

    @property
    def text(self) -> Text:
        """The rule, said of this place."""
        return self.rule.format(line=self.place.line, column=self.place.column, what=self.what)


def of_token(rule: Text, token: Token) -> Violation:
    """A breach by one token."""
    return Violation(rule, token.place, token.text)


def first_of_each(violations: Iterable[Violation]) -> tuple[Text, ...]:
    """The words for the first breach of each rule."""
    first: dict[Text, Violation] = {}
    for violation in violations:
        first.setdefault(violation.rule, violation)
    return tuple(violation.text for violation in first.values())


TOO_LONG = Text(
    zh="第 {line} 行第 {column} 列起的填空太长（{what}）。空里只需要一个短表达式。",
    en="The fill at line {line}, column {column} is too long ({what}). One short expression is all it takes.",
)
TOO_DEEP = Text(
    zh="第 {line} 行第 {column} 列：括号嵌套超过 {what} 层。请写得简单些。",
    en="Line {line}, column {column}: brackets nest more than {what} deep. Write it more simply.",
)
HIDDEN = Text(
    zh="第 {line} 行第 {column} 列有一个看不见的字符 {what}。请删掉它，最好手工重打这一行。",
    en="Line {line}, column {column}: there is an invisible character, {what}. Remove it; it is "
    "safest to type the line again by hand.",
)
REPEATED = Text(
    zh="第 {line} 行第 {column} 列：空的前面已经有“{what}”，空里又写了一遍。请只留它右边的表达式。",
    en='Line {line}, column {column}: the scaffold already has "{what}" before the blank, and the fill '
    "repeats it. Keep only the expression to its right.",
)
EXTRA_SEMICOLON = Text(
    zh="第 {line} 行第 {column} 列多了一个分号：骨架在空的后面已经有分号。请删掉一个。",
    en="Line {line}, column {column}: there is one semicolon too many. The scaffold already has one "
    "after the blank; remove yours.",
)
SECOND_STATEMENT = Text(
    zh="第 {line} 行第 {column} 列的分号在空里开始了第二条语句。空里只能填一个表达式；请删掉多余的语句。",
    en="Line {line}, column {column}: this semicolon begins a second statement in the blank. The "
    "blank takes one expression; remove the rest.",
)
OUTSIDE_BRACES = Text(
    zh="第 {line} 行第 {column} 列的“{what}”与空里的括号不配对，会改变外面的代码。请删掉它，只留一个表达式。",
    en='Line {line}, column {column}: this "{what}" has no partner in the blank and would change the '
    "code around it. Remove it and leave one expression.",
)
STATEMENT_EXPRESSION = Text(
    zh="第 {line} 行第 {column} 列的“({{”把语句塞进了表达式。请改写成一个普通表达式。",
    en='Line {line}, column {column}: "({{" puts statements into an expression. Write a plain expression instead.',
)
BRACES = Text(
    zh="第 {line} 行第 {column} 列的花括号不是 lambda 的函数体，表达式里不能用。请删掉它。",
    en="Line {line}, column {column}: these braces are no body of a lambda, so they have no place in "
    "an expression. Remove them.",
)
DIRECTIVE = Text(
    zh="第 {line} 行第 {column} 列：空里不能有预处理指令（{what}）。请删掉它。",
    en="Line {line}, column {column}: a preprocessing directive ({what}) has no place in the blank. Remove it.",
)
TRIGRAPH = Text(
    zh="第 {line} 行第 {column} 列的“{what}”是三字符组（trigraph）。请直接写它代表的字符，或去掉问号。",
    en='Line {line}, column {column}: "{what}" is a trigraph. Write the character it stands for, or '
    "drop the question marks.",
)
BACKSLASH = Text(
    zh="第 {line} 行第 {column} 列有反斜杠（{what}）。表达式里用不到它，请删掉。",
    en="Line {line}, column {column}: a backslash ({what}) has no use in the expression. Remove it.",
)
RAW_STRING = Text(
    zh="第 {line} 行第 {column} 列：空里不能用原始字符串。请删掉它。",
    en="Line {line}, column {column}: a raw string has no place in the blank. Remove it.",
)
ATTRIBUTE = Text(
    zh="第 {line} 行第 {column} 列的“[[”是属性。空里不能有属性，请删掉。",
    en='Line {line}, column {column}: "[[" begins an attribute, which has no place in the blank. Remove it.',
)
WORD = Text(
    zh="第 {line} 行第 {column} 列：空里不能用 {what}。请只写一个读取数据、算出数值的表达式。",
    en="Line {line}, column {column}: {what} has no place in the blank. Write one expression that "
    "reads data and gives a number.",
)
CALL = Text(
    zh="第 {line} 行第 {column} 列：空里不能调用 {what}（它会输出、写内存或调用运行时）。请删掉这个调用。",
    en="Line {line}, column {column}: the blank may not call {what}, which prints, writes memory or "
    "reaches the runtime. Remove the call.",
)
INDIRECT_CALL = Text(
    zh="第 {line} 行第 {column} 列：“{what}”不是函数名，不能这样调用。请直接写函数名。",
    en='Line {line}, column {column}: "{what}" is not the name of a function and cannot be called '
    "here. Call the function by its name.",
)
ASSIGNMENT = Text(
    zh="第 {line} 行第 {column} 列的“{what}”改变了一个变量。空里只能算出一个值，不能修改外面的数据；请去掉它。",
    en='Line {line}, column {column}: "{what}" changes a variable. The blank may compute a value but '
    "change nothing outside itself; remove it.",
)
OWN_VARIABLES_ONLY = Text(
    zh="第 {line} 行第 {column} 列的“{what}”：空里只能改变自己新声明的普通变量（名字不能与骨架里的相同），"
    "不能改变外面的数据、数组元素或指针所指的值。请去掉它。",
    en='Line {line}, column {column}: with "{what}" the blank may change only plain variables that it declared itself, '
    "under names the scaffold does not use: no outside data, array elements or targets of pointers. Remove it.",
)
REFERENCE = Text(
    zh="第 {line} 行第 {column} 列的“{what}”声明了一个引用，可能用来改变外面的数据。请改用普通变量。",
    en='Line {line}, column {column}: this "{what}" declares a reference, through which outside data could be changed. '
    "Use a plain variable.",
)
FUNCTION_POINTER = Text(
    zh="第 {line} 行第 {column} 列：空里不能使用函数指针。请直接写函数名。",
    en="Line {line}, column {column}: the blank may not use pointers to functions. Write the function's name.",
)
COMMA = Text(
    zh="第 {line} 行第 {column} 列的逗号把空分成了两个表达式。请只留一个；要用逗号运算符，请加上括号。",
    en="Line {line}, column {column}: this comma splits the blank into two expressions. Keep one, or "
    "put parentheses around a comma expression.",
)
NOT_ONE_EXPRESSION = Text(
    zh="第 {line} 行第 {column} 列起的填空不是一个完整的表达式，它改变了外面代码的结构。请改写成一个表达式。",
    en="The fill at line {line}, column {column} is not one complete expression: it changes the "
    "structure of the code around it. Write one expression.",
)
