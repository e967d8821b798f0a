"""CSV cells can be changed alone: every other byte of a platform's file stays."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemv_grader.batch.sheet import guarded, parse_sheet, read_sheet, unguarded
from gemv_grader.errors import UsageProblem

HERE = Path("x.csv")
CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\x1a\ufeff"), max_size=6)
TABLE = st.lists(st.lists(CELL, min_size=2, max_size=4), min_size=1, max_size=4)


def written(table: list[list[str]], separator: str, end: str, quoting: int) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=separator, lineterminator=end, quoting=quoting).writerows(table)  # type: ignore[arg-type]
    return stream.getvalue()


@given(
    TABLE,
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from([("\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_MINIMAL)]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_cells_read_as_the_csv_module_reads_them(
    table: list[list[str]], separator: str, style: tuple[str, int], encoding: str
) -> None:
    header = [["a", "b", "c"]]
    sheet = parse_sheet(written(header + table, separator, *style).encode(encoding), HERE)
    assert sheet.separator == separator
    assert [sheet.values(row) for row in range(len(sheet.rows))] == header + table


@given(st.binary(max_size=60) | st.text('a",;\t\r\n= é张', max_size=60).map(str.encode), st.data())
def test_a_changed_cell_changes_no_other_byte(data: bytes, draw: st.DataObject) -> None:
    sheet = parse_sheet(data, HERE)
    assert sheet.changed({}) == data
    row = draw.draw(st.integers(0, len(sheet.rows) - 1))
    column = draw.draw(st.integers(0, len(sheet.rows[row]) - 1))
    cell = sheet.rows[row][column]
    changed = sheet.changed({(row, column): "8.50"})
    before = sheet.mark + sheet.text[: cell.start].encode(sheet.codec)
    after = sheet.text[cell.end :].encode(sheet.codec)
    assert changed.startswith(before)
    assert changed.endswith(after)
    middle = changed[len(before) : len(changed) - len(after)].decode(sheet.codec)
    assert middle == ('"8.50"' if cell.quoted else "8.50")


@given(TABLE, CELL)
def test_any_value_can_be_written(table: list[list[str]], value: str) -> None:
    sheet = parse_sheet(written([["a", "b"], *table], ",", "\r\n", csv.QUOTE_MINIMAL).encode(), HERE)
    again = parse_sheet(sheet.changed({(1, 1): value}), HERE)
    table[0][1] = value
    assert [again.values(row) for row in range(1, len(again.rows))] == table


def test_short_rows_are_lengthened() -> None:
    sheet = parse_sheet(b"a;b;c;d\nx\ny;1;2;3\n", HERE)
    assert sheet.changed({(1, 2): "8,5", (1, 3): "z"}) == b"a;b;c;d\nx;;8,5;z\ny;1;2;3\n"


def test_encodings_marks_and_line_ends_are_kept() -> None:
    for data in (
        "\ufeff姓名,分\r\n张三,\r\n".encode(),
        "姓名,分\r张三,\r".encode("gb18030"),
        "n\tg\nÉ\t\n".encode("cp1252"),
    ):
        sheet = parse_sheet(data, HERE)
        assert sheet.changed({}) == data
        assert sheet.changed({(1, 1): "9"}).startswith(data[: len(data) - 2])


def test_excels_separator_line_is_no_header() -> None:
    sheet = parse_sheet(b"sep=;\r\nName;Grade\r\nAnn;\r\n", HERE)
    assert sheet.values(0) == ["Name", "Grade"]
    assert sheet.line(1) == 3
    assert sheet.changed({(1, 1): "8,5"}) == b"sep=;\r\nName;Grade\r\nAnn;8,5\r\n"


def test_a_quoted_separator_in_the_header_is_no_separator() -> None:
    assert parse_sheet(b'"Name, full, of, student";Grade\nx;\n', HERE).separator == ";"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "plain", "'quoted", "", "O'Brien"])
def test_guards_come_off_again(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert not guarded(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_canvas_guard() -> None:
    assert unguarded('="=SUM(A1)"') == "=SUM(A1)"


@pytest.mark.parametrize(
    ("data", "said"), [(b"", "is empty"), (b"\n\n", "is empty"), (b"PK\x03\x04x", "Excel workbook")]
)
def test_what_is_no_table_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "x.csv").write_bytes(data)
    with pytest.raises(UsageProblem) as problem:
        read_sheet(tmp_path / "x.csv")
    assert said in problem.value.text.en
