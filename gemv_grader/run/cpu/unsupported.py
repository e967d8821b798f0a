"""Tells a name of CUDA that the CPU runtime lacks from a mistake of the program's author."""

from __future__ import annotations

import re

from gemv_grader.words import Text

# g++ and clang++, for names, members, types and headers that they do not know.
_UNKNOWN = re.compile(
    r"['‘](?P<name>[\w:]+)['’] (?:was not declared|has not been declared|does not name a type)"
    r"|there are no arguments to ['‘](?P<called>[\w:]+)['’] that depend on a template parameter"
    r"|(?:use of undeclared identifier|unknown type name|no template named) '(?P<named>\w+)'"
    r"|^(?P<header>[\w/.]+): No such file or directory"
    r"|^'(?P<found>[\w/.]+)' file not found"
)

# Names by which CUDA's own can be told. Ordinary C++ names never look like these.
_OF_CUDA = re.compile(
    r"__\w+|(?:cuda|cub|thrust|nvcuda|nv_|cooperative_groups|cg|wmma|curand|cublas)(?:::)?\w*|cu[A-Z]\w+|CU[A-Z_]+\w*"
    r"|atomic[A-Z]\w*|(?:tex|surf)[123]D\w*|texture|surface|half2?|clock64|globaltimer"
    r"|(?:sin|cos|sincos)pif?|norm(?:cdf|[34]d)\w*|erfc?(?:inv|x)\w*"
)
_OF_CUDA_HEADERS = re.compile(
    r"(?:cuda|cooperative_groups|cub|thrust|curand|cublas|mma|nv|sm_\d\d|texture)\w*(?:[/.].*)?"
)


def unsupported_name(message: str) -> str | None:
    """The CUDA name that a compiler's error is about, or None if the error is an ordinary one."""
    match = _UNKNOWN.search(message)
    if match is None:
        return None
    if header := match["header"] or match["found"]:
        return f"#include <{header}>" if _OF_CUDA_HEADERS.fullmatch(header) else None
    name = match["name"] or match["called"] or match["named"]
    return name if _OF_CUDA.fullmatch(name) else None


UNSUPPORTED = Text(
    zh="CPU 上不支持：{name}。要判定这个程序，需要 GPU。",
    en="not supported on the CPU: {name}. It takes a GPU to judge this program.",
)
