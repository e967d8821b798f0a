"""What a prose rubric must satisfy beyond the shape of its YAML: every name it uses exists, every phrasing parses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gemv_grader.exercise_checks import repeated, unknown
from gemv_grader.paths import data_root
from gemv_grader.prose.phrases import PhraseError, parse_phrases
from gemv_grader.words import Text
from gemv_grader.yamlfile import Location, Problem

if TYPE_CHECKING:
    from gemv_grader.exercise import Exercise
    from gemv_grader.prose.model import LinkSpec, ProseFile
    from gemv_grader.rubric import Rubric


def problems(rubric: ProseFile, exercise: Exercise, points: Rubric | None = None) -> Iterator[Problem]:
    """Everything wrong with ``rubric`` as one for ``exercise``, each with its place in the file.

    ``points``: the rubric whose prose items it explains, if they should agree.
    """
    if rubric.exercise != exercise.id:
        yield Problem(("exercise",), _OTHER.format(named=rubric.exercise, id=exercise.id), _CORRECT)
    yield from _reference_problems(rubric)
    yield from _concept_problems(rubric)
    known = list(rubric.concepts)
    for place, name in _plain_names(rubric):
        if name not in known:
            yield Problem(place, *unknown(_CONCEPT, name, known))
    yield from _question_problems(rubric, exercise)
    for place, links in _links(rubric):
        for j, link in enumerate(links):
            yield from _link_problems(link, (*place, "links", j), rubric)
    if points is not None:
        yield from _disagreements(rubric, points)


def _reference_problems(rubric: ProseFile) -> Iterator[Problem]:
    """References that are not there though others are: an installation leaves out all of them or none."""
    folder = data_root() / "solutions"
    present = [name for name in rubric.references if (folder / name).is_file()]
    for i, name in enumerate(rubric.references):
        if present and name not in present:
            yield Problem(("references", i), _NO_REFERENCE.format(name=name), _CORRECT)


def _question_problems(rubric: ProseFile, exercise: Exercise) -> Iterator[Problem]:
    sections = [section.id for section in exercise.answers]
    for i, question in enumerate(rubric.questions):
        if question.section not in sections:
            yield Problem(("questions", i, "section"), *unknown(_SECTION, question.section, sections))
        for problem in repeated("key_points", [point.id for point in question.key_points]):
            yield Problem(("questions", i, *problem.location), problem.what, problem.mend)
        for k, point in enumerate(question.key_points):
            if bool(point.links) == (point.named is not None):
                yield Problem(("questions", i, "key_points", k), _LINKS_OR_NAMED, _CHOOSE)


def _disagreements(rubric: ProseFile, points: Rubric) -> Iterator[Problem]:
    """What the rubric of points says otherwise: other points for a question, vetoes that it does not have."""
    vetoes = [veto.id for veto in points.vetoes]
    worth = {item.section: item.points for item in points.items if item.kind == "prose"}
    for i, question in enumerate(rubric.questions):
        given = worth.get(question.section, question.points)
        if given != question.points:
            what = _POINTS.format(here=f"{question.points:g}", there=f"{given:g}", path=points.path.name)
            yield Problem(("questions", i, "points"), what, _CORRECT)
    raised: list[tuple[Location, str | None]] = [
        (("misconceptions", i, "raises"), wrong.raises) for i, wrong in enumerate(rubric.misconceptions)
    ]
    if rubric.second_reader is not None:
        raised.append((("second_reader", "raises"), rubric.second_reader.raises))
    for place, veto in raised:
        if veto is not None and veto not in vetoes:
            yield Problem(place, *unknown(_VETO, veto, vetoes))


def _concept_problems(rubric: ProseFile) -> Iterator[Problem]:
    for name, concept in rubric.concepts.items():
        for line in (*concept.says, *concept.unless):
            try:
                phrases = parse_phrases((line,))
            except PhraseError as error:
                yield Problem(_line_of(rubric, name, line), _PHRASE.format(reason=error), _MEND_PHRASE)
                continue
            for reference in (r for phrase in phrases for r in phrase.references):
                if reference not in rubric.concepts:
                    yield Problem(_line_of(rubric, name, line), *unknown(_CONCEPT, reference, list(rubric.concepts)))


def _line_of(rubric: ProseFile, name: str, line: str) -> Location:
    """Where a phrasing stands: a concept may be a bare list or a mapping, and the document knows which lines exist."""
    concept = rubric.concepts[name]
    key, lines = ("says", concept.says) if line in concept.says else ("unless", concept.unless)
    return ("concepts", name, lines.index(line)) if not concept.unless else ("concepts", name, key, lines.index(line))


def _plain_names(rubric: ProseFile) -> Iterator[tuple[Location, str]]:
    for i, name in enumerate(rubric.subjects):
        yield ("subjects", i), name
    for key, concept in (("doubts", rubric.doubts), ("contrasts", rubric.contrasts)):
        if concept is not None:
            yield (key,), concept


def _links(rubric: ProseFile) -> Iterator[tuple[Location, Iterable[LinkSpec]]]:
    for i, question in enumerate(rubric.questions):
        for k, point in enumerate(question.key_points):
            yield ("questions", i, "key_points", k), point.links
    for key, named in (("boundaries", rubric.boundaries), ("tradeoffs", rubric.tradeoffs)):
        yield from (((key, i), item.links) for i, item in enumerate(named))
    yield from ((("misconceptions", i), item.links) for i, item in enumerate(rubric.misconceptions))


def _link_problems(link: LinkSpec, at: Location, rubric: ProseFile) -> Iterator[Problem]:
    for key, names in (("cause", link.cause), ("effect", link.effect), ("about", link.about), ("unless", link.unless)):
        for name in names:
            if name.removeprefix("not ") not in rubric.concepts:
                yield Problem((*at, key), *unknown(_CONCEPT, name.removeprefix("not "), list(rubric.concepts)))
    subject = (link.subject or "").removeprefix("not ")
    if subject and subject not in rubric.subjects:
        yield Problem((*at, "subject"), *unknown(_SUBJECT, subject, list(rubric.subjects)))


_CONCEPT = Text(zh="概念", en="concept")
_SECTION = Text(zh="答卷的部分", en="section of the answers")
_SUBJECT = Text(zh="主语", en="subject")
_OTHER = Text(
    zh="这份评分标准写的是练习“{named}”，要评的是“{id}”",
    en='this rubric is for the exercise "{named}", and "{id}" is being graded',
)
_POINTS = Text(zh="这里写 {here} 分，{path} 里写 {there} 分", en="worth {here} points here, but {there} in {path}")
_VETO = Text(zh="否决项", en="veto")
_CORRECT = Text(zh="请改正", en="correct it")
_NO_REFERENCE = Text(zh="solutions/ 里没有 {name}", en="there is no {name} in solutions/")
_LINKS_OR_NAMED = Text(zh="要点应有 links 或 named 之一", en="a key point has either links or named")
_CHOOSE = Text(zh="请只写一个", en="write one of them")
_PHRASE = Text(zh="说法写得不对（{reason}）", en="a phrasing does not parse ({reason})")
_MEND_PHRASE = Text(zh="写法见 rubrics 中的说明", en="the head of the rubric says how phrasings are written")
