"""Tells enumerations of terms from statements: an enumeration has commas, but none of the small words of speech."""

from __future__ import annotations

from collections.abc import Sequence

from gemv_grader.prose.tokens import Token, stems

# Words that hold a statement together. One for every few terms makes a sentence of them.
_SMALL_HAN = frozenset(
    "的了是就会能要把被让使在有没不也都才而但从到给对再又还这那其它他她我你们每各只得着过很最时后前里中上下去来"
    "为其由此于所且以将则即因仅吗呢吧么该些个种样成变差隔够"
)
_SMALL_LATIN = stems(
    "a an the is are be was it its that this which who you we they them their there one of to in on at by for from "
    "with as than and or but so because since if when while then only each every all no not can could must need "
    "will would do does have has get goes go into over after before what where how"
)
_ARROW = "→"
# Share of small words below which a sentence of several short pieces is a list.
_SPEECH_HAN, _SPEECH_LATIN = 0.07, 0.17
_PIECE = 9


def listed_sentences(tokens: Sequence[Token]) -> frozenset[int]:
    """The numbers of the sentences that only enumerate."""
    sentences: dict[int, list[Token]] = {}
    for token in tokens:
        sentences.setdefault(token.sentence, []).append(token)
    return frozenset(number for number, members in sentences.items() if _is_list(members))


def _is_list(tokens: Sequence[Token]) -> bool:
    if any(token.text == _ARROW for token in tokens):
        return False
    han = sum(1 for token in tokens if token.text >= "\u3400")
    latin = sum(1 for token in tokens if "a" <= token.text[0] <= "z" and len(token.text) > 1)
    small = sum(1 for token in tokens if token.text in _SMALL_HAN or token.text in _SMALL_LATIN)
    expected = _SPEECH_HAN * (han + latin) if han else _SPEECH_LATIN * latin
    pieces = len({token.clause for token in tokens})
    return small < expected and (pieces > 2 or len(tokens) <= _PIECE) and len(tokens) / pieces <= _PIECE
