"""Makes students of the people that a layout named: keys, corrected names, ids; and says who collides with whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from gemv_grader.batch.classlist import ID_KINDS, SUBMISSION_KINDS, ClassList, Miss, Row
from gemv_grader.batch.intake.model import Collision, Person, Student
from gemv_grader.batch.intake.students import KnownStudent
from gemv_grader.batch.names import comparable, digest, folder_key, listed, original
from gemv_grader.words import Text


def identified(people: Sequence[Person], known: Mapping[str, KnownStudent]) -> tuple[list[Student], list[Collision]]:
    """A student for each person. Those of an earlier students.csv keep their keys; new keys clash with none."""
    people = _told_apart(people)
    taken = [row.key.casefold() for row in known.values()]
    wanted = [folder_key(person.found_as) for person in people]
    clashing = _repeated([*taken, *(key.casefold() for key in wanted)])
    students, collisions, used = [], [], set[str]()
    for person, key in zip(people, wanted, strict=True):
        row = known.get(person.found_as)
        if row is not None and row.key not in used:
            student, changed = _corrected(person, row)
            collisions += changed
        else:
            unique = f"{key}~{digest(person.found_as, person.name)}" if key.casefold() in clashing else key
            student = Student(unique, person.name, person.ids, person.found_as)
        used.add(student.key)
        students.append(student)
    return students, collisions


def _told_apart(people: Sequence[Person]) -> list[Person]:
    """The people, those that the export names alike with their names added."""
    alike = _repeated(person.found_as for person in people)
    return [
        replace(person, found_as=f"{person.found_as} ({person.name})") if person.found_as in alike else person
        for person in people
    ]


def _corrected(person: Person, row: KnownStudent) -> tuple[Student, list[Collision]]:
    """The person with what students.csv says; where it contradicts an id of the export, the export is right."""
    changed = [
        Collision("changed_id", (row.key,), CHANGED_ID.format(kind=kind, csv=row.ids[kind], export=value, key=row.key))
        for kind, value in person.ids.items()
        if row.ids.get(kind, value) != value and kind not in SUBMISSION_KINDS
    ]
    return Student(row.key, row.name or person.name, {**row.ids, **person.ids}, person.found_as), changed


def enrolled(students: Sequence[Student], roster: ClassList) -> tuple[list[Student], list[Collision], list[Student]]:
    """The students with the roster's names and ids, what was not clear, and those of the roster who are missing."""
    found: list[Student] = []
    collisions: list[Collision] = []
    present: dict[int, list[str]] = {}
    for student in students:
        row = roster.find(student.name, student.ids, student.found_as)
        if isinstance(row, Row):
            present.setdefault(row.number, []).append(student.key)
            student = replace(student, name=row.name or student.name, ids={**row.ids, **student.ids})  # noqa: PLW2901
        elif row.why != "none":
            collisions.append(_unclear(student, row))
            present.update({possible.number: [] for possible in row.rows if possible.number not in present})
        found.append(student)
    rows = {row.number: row for row in roster.rows}
    collisions += [
        Collision("same_row", tuple(keys), SAME_ROW.format(name=_said(rows[number]), keys=listed(keys)))
        for number, keys in present.items()
        if len(keys) > 1
    ]
    missing = [_absent(row) for row in roster.rows if row.number not in present]
    return found, collisions, missing


def _unclear(student: Student, miss: Miss) -> Collision:
    text = SEVERAL_ROWS if miss.why == "several" else OTHER_NAME
    return Collision("several_rows", (student.key,), text.format(name=student.name, rows=listed(map(_said, miss.rows))))


def _absent(row: Row) -> Student:
    name = row.name or next(iter(row.ids.values()))
    return Student(folder_key(f"{name}_{row.ids.get('student_id', '')}".rstrip("_")), name, row.ids)


def _said(row: Row) -> str:
    return " ".join(filter(None, [row.name, *row.ids.values()]))


def clashes(students: Sequence[Student]) -> list[Collision]:
    """Students of one name, and ids that two of them have. They stay apart; a person should know."""
    found = [
        Collision(
            "same_name", tuple(s.key for s in group), SAME_NAME.format(name=original(group[0].name), keys=_keys(group))
        )
        for group in _groups(students, lambda student: comparable(original(student.name)))
    ]
    for kind in ID_KINDS:
        if kind not in SUBMISSION_KINDS:
            having = [student for student in students if student.ids.get(kind)]
            for group in _groups(having, lambda student, kind=kind: student.ids[kind].casefold()):  # type: ignore[misc]
                text = SAME_ID.format(kind=kind, id=group[0].ids[kind], keys=_keys(group))
                found.append(Collision("same_id", tuple(student.key for student in group), text))
    return found


def _groups(students: Iterable[Student], key: Callable[[Student], str]) -> list[list[Student]]:
    groups: dict[str, list[Student]] = {}
    for student in students:
        if value := key(student):
            groups.setdefault(value, []).append(student)
    return [group for group in groups.values() if len(group) > 1]


def _keys(students: Iterable[Student]) -> str:
    return listed(student.key for student in students)


def _repeated(values: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    return {value for value in values if value in seen or seen.add(value)}  # type: ignore[func-returns-value]


SAME_NAME = Text(
    zh="有几个人都叫“{name}”，分开处理：{keys}。若其实是同一人，请只留一份",
    en='several are called "{name}" and are kept apart: {keys}. If they are one person, leave one of them out',
)
SAME_ID = Text(
    zh="{kind} {id} 出现在几个人名下：{keys}。导出成绩时不会按这个号匹配",
    en="{kind} {id} is given for several: {keys}. Exports will not go by it",
)
SAME_ROW = Text(
    zh="名单上的 {name} 对应几份提交：{keys}。分开评分，导出时请人来定",
    en="{name} of the roster has several submissions: {keys}. They are graded apart; a person decides at the export",
)
SEVERAL_ROWS = Text(
    zh="“{name}”在名单上对应几行：{rows}。请在 students.csv 写明学号或邮箱",
    en='"{name}" may be several on the roster: {rows}. Write an id or an email into students.csv',
)
OTHER_NAME = Text(
    zh="“{name}”的号码在名单上属于别人：{rows}。没有采用名单的信息",
    en='the id of "{name}" is another person\'s on the roster: {rows}. Nothing was taken from it',
)
CHANGED_ID = Text(
    zh="{key} 的 {kind} 在 students.csv 里是 {csv}，导出里是 {export}；以导出为准",
    en="{kind} of {key} is {csv} in students.csv and {export} in the export; the export counts",
)
