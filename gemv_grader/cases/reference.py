"""The numeric reference: an exercise's formula evaluated in float64, with the size of the terms it sums.

The formula is data (``A @ x + bias``), so a teacher writes an exercise without Python, and the reference
never depends on the solution. Only names, numbers, ``+ - * @``, unary minus and ``.T`` are understood.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Value = Any  # an Array or a float: numpy broadcasts between them

Operators = Mapping[type[ast.operator], Callable[[Value, Value], Value]]

_OPERATORS: Operators = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.MatMult: np.matmul,
}


def reference(formula: str, inputs: Mapping[str, Array | float]) -> Array:
    """The float64 value of ``formula``; ``inputs`` maps buffer names to float64 arrays (absent: 0.0)."""
    with np.errstate(all="ignore"):
        return np.asarray(_evaluate(_parse(formula), inputs, _OPERATORS), dtype=np.float64)


def magnitude(formula: str, inputs: Mapping[str, Array | float]) -> Array:
    """The absolute values of the terms of ``formula``, added up: the scale of honest rounding errors.

    For ``A @ x + bias`` this is ``|A| @ |x| + |bias|`` per row.
    """
    operators: Operators = {**_OPERATORS, ast.Sub: np.add}
    absolute = {name: np.abs(value) for name, value in inputs.items()}
    with np.errstate(all="ignore"):
        return np.abs(np.asarray(_evaluate(_parse(formula), absolute, operators), dtype=np.float64))


def products(formula: str) -> list[tuple[str, ...]]:
    """The formula multiplied out: for each term of the sum, the buffers it is the product of.

    ``A @ x + bias`` gives ``[("A", "x"), ("bias",)]``. Raises ValueError for anything but such a formula.
    """
    tree = _parse(formula)
    names = {node.id: [(node.id,)] for node in ast.walk(tree) if isinstance(node, ast.Name)}

    def both(left: Value, right: Value) -> Value:
        return _terms(left) + _terms(right)

    def times(left: Value, right: Value) -> Value:
        return [one + other for one in _terms(left) for other in _terms(right)]

    operators: Operators = {ast.Add: both, ast.Sub: both, ast.Mult: times, ast.MatMult: times}
    return [term for term in _terms(_evaluate(tree, names, operators)) if term]


def _terms(value: Value) -> list[tuple[str, ...]]:
    return [()] if isinstance(value, float) else list(value)


def _parse(formula: str) -> ast.expr:
    try:
        return ast.parse(formula.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"not a formula: {formula!r}") from error


def _evaluate(
    node: ast.expr,
    inputs: Mapping[str, Value],
    operators: Operators,
) -> Value:
    def value(node: ast.expr) -> Value:
        if isinstance(node, ast.Name):
            return inputs[node.id]
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return float(node.value)  # type: ignore[arg-type]  # the line above leaves int and float
        if isinstance(node, ast.BinOp) and type(node.op) in operators:
            return operators[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            # 0 - v goes through the same table, so that `magnitude` sees a minus as one more term.
            return operators[ast.Sub](0.0, value(node.operand))
        if isinstance(node, ast.Attribute) and node.attr == "T":
            matrix = value(node.value)
            return matrix.T if isinstance(matrix, np.ndarray) else matrix
        raise ValueError(f"the reference formula may use names, numbers, + - * @ and .T, not {ast.unparse(node)!r}")

    return value(node)
