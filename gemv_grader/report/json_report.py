"""The grade as JSON, schema version 1: the contract for scripts. Messages are in the language of the run."""

from __future__ import annotations

import json
import math
from typing import Any

from gemv_grader import __version__
from gemv_grader.grade import Grade
from gemv_grader.outcome import Outcome
from gemv_grader.prose.reading import Passage, Reading
from gemv_grader.run.cpu.faults import Fault
from gemv_grader.run.cpu.report import Pattern
from gemv_grader.scoring import ItemScore, Required, Veto
from gemv_grader.words import Finding, Lang

SCHEMA = 1

Json = dict[str, Any]


def to_json(grade: Grade, lang: Lang) -> str:
    """The whole grade as one JSON document, ending in a newline. NaN and infinities become strings."""
    return json.dumps(as_dict(grade, lang), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def as_dict(grade: Grade, lang: Lang) -> Json:
    """The grade as plain values, keys in the contract's order."""
    trail = grade.trail
    return {
        "schema": SCHEMA,
        "exercise": trail.exercise.id,
        "submission": {
            "path": str(trail.submission.path) if trail.submission.path else None,
            "student": trail.submission.student,
            "sha256": trail.submission.sha256,
            "encoding": trail.submission.encoding,
        },
        "verdict": grade.verdict.value,
        "evidence": trail.evidence.value,
        "static_review_only": trail.static_review_only,
        "reasons": [reason.say(lang) for reason in grade.reasons],
        "fill": _fill(grade),
        "findings": [_finding(finding, lang) for finding in trail.findings],
        "build": _build(grade),
        "cases": [_case(outcome, trail.submission.file_name, lang) for outcome in trail.outcomes],
        "score": {
            "possible": grade.score.possible,
            "passes_at": grade.score.passes_at,
            "earned": grade.score.earned,
            "suggested": grade.score.suggested,
            "pending": grade.score.pending,
            "passed": grade.score.passed,
            "items": [_item(item, lang) for item in grade.score.items],
            "vetoes": [_veto(veto, lang) for veto in grade.score.vetoes],
            "requires": [_required(required, lang) for required in grade.score.required],
            "missing": [sentence.say(lang) for sentence in grade.score.missing],
        },
        "answers": None if trail.answers is None else {"sections": dict(trail.answers.sections)},
        "claims": _claims(grade, lang),
        "environment": dict(trail.environment),
        # As text: a 64-bit seed does not survive readers that keep numbers as doubles.
        "seed": None if trail.seed is None else str(trail.seed),
        "tool_version": __version__,
        "rubric_sha256": trail.rubric.sha256,
        "started_at": trail.started_at.isoformat(timespec="seconds"),
        "seconds": round(trail.seconds, 3),
    }


def _fill(grade: Grade) -> Json | None:
    fill = grade.trail.fill
    if fill is None:
        return None
    return {
        "text": fill.text,
        "source": fill.source,
        "sha256": fill.sha256,
        "line": fill.place.line,
        "column": fill.place.column,
    }


def _finding(finding: Finding, lang: Lang) -> Json:
    return {
        "id": finding.id,
        "severity": finding.severity.value,
        "line": finding.place.line if finding.place else None,
        "column": finding.place.column if finding.place else None,
        "message": finding.message.say(lang),
    }


def _build(grade: Grade) -> Json | None:
    binary = grade.trail.binary
    if binary is None:
        return None
    return {
        "tool": binary.tool,
        "version": binary.version,
        "command": list(binary.command),
        "seconds": round(binary.seconds, 3),
        "cached": binary.cached,
        "diagnostics": [
            {"severity": d.severity, "line": d.line, "column": d.column, "message": d.message}
            for d in binary.diagnostics
        ],
    }


def _case(outcome: Outcome, file: str, lang: Lang) -> Json:
    example = outcome.example
    return {
        "id": outcome.id,
        "group": outcome.group,
        "status": outcome.status.value,
        "evidence": outcome.evidence.value,
        "shape": outcome.shape,
        "detail": outcome.detail.say(lang),
        "element": example.element if example else None,
        "expected": _number(example.expected) if example else None,
        "computed": _number(example.computed) if example else None,
        "milliseconds": outcome.milliseconds,
        "faults": [_fault(fault, outcome, file, lang) for fault in outcome.faults],
        "accesses": [_access(pattern) for pattern in outcome.patterns],
    }


def _fault(fault: Fault, outcome: Outcome, file: str, lang: Lang) -> Json:
    return {
        "id": fault.kind,
        "severity": fault.severity.value,
        "block": list(fault.site.block),
        "thread": list(fault.site.thread),
        "array": fault.array,
        "index": fault.index if fault.array else None,
        "count": fault.count if fault.array else None,
        "line": fault.site.line,
        "times": fault.times,
        "message": fault.message(file, outcome.absent).say(lang),
    }


def _access(pattern: Pattern) -> Json:
    return {
        "line": pattern.line,
        "array": pattern.array,
        "memory": pattern.memory,
        "action": pattern.action,
        "requests": pattern.requests,
        "units": pattern.units,
        "ideal": pattern.ideal,
    }


def _number(value: float | None) -> float | str | None:
    return value if value is None or math.isfinite(value) else str(value)


def _item(item: ItemScore, lang: Lang) -> Json:
    return {
        "id": item.id,
        "title": item.title.say(lang),
        "section": item.section,
        "points": item.points,
        "earned": item.earned,
        "suggested": item.suggested,
        "pending": item.pending,
        "state": item.state,
        "unanswered": item.unanswered,
        "reason": item.reason.say(lang),
        "reading": None if item.reading is None else _reading(item.reading, lang),
    }


def _reading(reading: Reading, lang: Lang) -> Json:
    return {
        "evidence": [_passage(passage, lang) for passage in reading.found],
        "likeness": None if reading.likeness is None else round(reading.likeness, 2),
        "missing": [title.say(lang) for title in reading.missing],
        "wrong": [_passage(passage, lang) for passage in reading.wrong],
        "flags": list(reading.flags),
        "copy": None
        if reading.copied is None
        else {"share": round(reading.copied.share, 3), **_passage(reading.copied.passage, lang)},
    }


def _claims(grade: Grade, lang: Lang) -> Json | None:
    weighed = grade.score.weighed
    if weighed is None:
        return None
    return {
        "measured": weighed.claimed.measured,
        "static_only": weighed.claimed.static_only,
        "support": weighed.support,
        "quotes": [{"section": q.section, **_passage(q.passage, lang)} for q in weighed.claimed.quotes],
        "contradictions": [{"said": c.said, "recorded": c.recorded.say(lang)} for c in weighed.contradictions],
    }


def _passage(passage: Passage, lang: Lang) -> Json:
    return {
        "id": passage.id,
        "title": passage.title.say(lang),
        "start": passage.start,
        "end": passage.end,
        "from": passage.first,
        "to": passage.last,
        "text": passage.text,
    }


def _veto(veto: Veto, lang: Lang) -> Json:
    return {"id": veto.id, "title": veto.title.say(lang), "state": veto.state, "reason": veto.reason.say(lang)}


def _required(required: Required, lang: Lang) -> Json:
    return {
        "id": required.id,
        "title": required.title.say(lang),
        "state": required.state,
        "evidence": None if required.passage is None else _passage(required.passage, lang),
    }
