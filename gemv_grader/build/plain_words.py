"""A sentence in plain words for the mistakes that beginners make most."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import pairwise

from gemv_grader.build.dialects import in_edg_words
from gemv_grader.exercise import Exercise
from gemv_grader.lock.lexer import lex
from gemv_grader.words import Text

_OPENING = {")": "(", "]": "[", "}": "{"}
_OPERATOR = re.compile(r"[-+*/%&|^~!<>=?:.,]+")
_QUALIFIERS = frozenset({"const", "volatile", "__restrict__"})
_TYPES = frozenset({"__global__", "bool", "char", "double", "float", "for", "if", "int", "long", "return", "void"})


@dataclass(frozen=True)
class Mistake:
    """A compiler's message, the token of the fill that it points at, and its neighbours; empty for none."""

    message: str
    token: str
    before: str
    after: str = ""


def plain_words(mistake: Mistake, exercise: Exercise) -> tuple[str, Text] | None:
    """The kind of mistake and what to tell the student; None if we know no better than the compiler."""
    mistake = replace(mistake, message=in_edg_words(mistake.message))
    return (
        _undeclared(mistake, exercise)
        or _bracket(mistake)
        or _operand(mistake)
        or _pointer(mistake, exercise)
        or _call(mistake)
    )


def _undeclared(mistake: Mistake, exercise: Exercise) -> tuple[str, Text] | None:
    match = re.fullmatch(r'identifier "([^"]+)" is undefined', mistake.message)
    if match is None:
        return None
    known = {name.casefold(): name for name in sorted(_names(exercise)[0])}
    near = get_close_matches(match[1].casefold(), known, n=1, cutoff=0.6)
    if not near:
        return "undeclared_name", UNDECLARED.format(name=match[1])
    return "undeclared_name", UNDECLARED_NEAR.format(name=match[1], near=known[near[0]])


def _bracket(mistake: Mistake) -> tuple[str, Text] | None:
    match = re.fullmatch(r'expected an? "(.)"', mistake.message)
    if match and match[1] in _OPENING:
        return "unbalanced_bracket", UNCLOSED.format(opening=_OPENING[match[1]], closing=match[1])
    if match and mistake.token in _OPENING:
        return "unbalanced_bracket", UNOPENED.format(closing=mistake.token)
    return None


def _operand(mistake: Mistake) -> tuple[str, Text] | None:
    if mistake.message == "expected an expression":
        if _OPERATOR.fullmatch(mistake.before):
            return "missing_operand", MISSING_AFTER.format(operator=mistake.before)
        return "missing_operand", MISSING_EXPRESSION
    if mistake.message.startswith('operand of "*" must be a pointer'):
        return "missing_operand", STRAY_STAR
    if mistake.message == 'expected a ";"' and mistake.token:
        return "missing_operator", MISSING_OPERATOR.format(token=mistake.token)
    return None


def _pointer(mistake: Mistake, exercise: Exercise) -> tuple[str, Text] | None:
    if mistake.message.startswith("expression must have pointer-to-object type"):
        return "value_as_array", VALUE_AS_ARRAY
    wants_number = re.match("expression must have (arithmetic|integral)", mistake.message)
    pointers = _names(exercise)[1]
    # nvcc points at the operand, g++ and clang++ at the operator.
    name = next((n for n in (mistake.token, mistake.before, mistake.after) if n in pointers), None)
    if not wants_number or name is None:
        return None
    template = POINTER_AS_INDEX if mistake.before == "[" else POINTER_AS_VALUE
    return "pointer_as_value", template.format(name=name)


def _call(mistake: Mistake) -> tuple[str, Text] | None:
    if mistake.message.startswith("expression preceding parentheses of apparent call"):
        return "called_value", CALLED
    if "__host__ function" in mistake.message or mistake.message.endswith("undefined in device code"):
        return "host_function", HOST_FUNCTION
    return None


def _names(exercise: Exercise) -> tuple[frozenset[str], frozenset[str]]:
    """The names that the kernel declares or uses up to the blank, and those among them that are pointers."""
    before = exercise.scaffold[: exercise.scaffold.index(exercise.blank.marker)]
    tokens = [t for t in lex(before[max(before.rfind("__global__"), 0) :]) if t.text not in _QUALIFIERS]
    names = frozenset(t.text for t in tokens if t.kind == "identifier")
    pointers = frozenset(name.text for star, name in pairwise(tokens) if star.text == "*")
    return names - _TYPES, pointers & names


UNDECLARED = Text(
    zh="这里没有名为 {name} 的变量或函数；只能使用空的上方已声明的名字。",
    en="There is nothing called {name} here; only names declared above the blank can be used.",
)
UNDECLARED_NEAR = Text(
    zh="这里没有名为 {name} 的变量；是不是想写 {near}？（大小写也要一致。）",
    en="There is nothing called {name} here; did you mean {near}? Upper and lower case differ.",
)
UNCLOSED = Text(
    zh="括号不配对：有一个 {opening} 没有对应的 {closing}。",
    en="The brackets do not pair up: a {opening} has no matching {closing}.",
)
UNOPENED = Text(
    zh="括号不配对：这个 {closing} 多余，前面没有与它对应的开括号。",
    en="The brackets do not pair up: this {closing} closes nothing.",
)
MISSING_AFTER = Text(
    zh="{operator} 后面缺少一个操作数：运算符的两边都要有值。",
    en="The {operator} lacks an operand after it: an operator needs a value on both sides.",
)
MISSING_EXPRESSION = Text(
    zh="这里缺少一个表达式：少写了操作数，或者括号里是空的。",
    en="An expression is missing here: an operand was left out, or a pair of brackets is empty.",
)
STRAY_STAR = Text(
    zh="这个 * 的左边缺少一个乘数，于是被当成了“取指针所指的值”；也可能是多写了一个 *。",
    en="This * lacks a factor on its left, so it was taken for a pointer's target; or there is one * too many.",
)
MISSING_OPERATOR = Text(
    zh="{token} 之前缺少运算符：两个值之间要写清楚做什么运算。",
    en="An operator is missing before {token}: two values need one between them.",
)
POINTER_AS_VALUE = Text(
    zh="{name} 是指针（数组的起始地址），不是一个数；要取其中一个元素，请写 {name}[下标]。",
    en="{name} is a pointer (the address where an array begins), not a number; for one of its elements write "
    "{name}[index].",
)
POINTER_AS_INDEX = Text(
    zh="方括号里要写整数下标，而 {name} 是指针（数组的起始地址）。",
    en="An index in square brackets is a whole number, but {name} is a pointer (where an array begins).",
)
VALUE_AS_ARRAY = Text(
    zh="方括号只能用在数组（指针）上，而这里 [ ] 之前已经是一个数：一维存放的矩阵不能写成 A[i][j]。",
    en="Square brackets need an array (a pointer), but what stands before them is a number already: a matrix "
    "stored as one array cannot be written A[i][j].",
)
CALLED = Text(
    zh="圆括号表示调用函数；要取数组的元素，请用方括号 [ ]。",
    en="Round brackets call a function; to take an element of an array use square brackets [ ].",
)
HOST_FUNCTION = Text(
    zh="核函数在 GPU 上运行，不能调用主机函数。",
    en="A kernel runs on the GPU and cannot call a function of the host.",
)
