"""A member of an archive, of whatever format, and why some are refused."""

from __future__ import annotations

from dataclasses import dataclass

from gemv_grader.words import Text


@dataclass(frozen=True)
class Member:
    """``id`` finds the member again, ``name`` is its path as the archive has it, in readable characters."""

    id: str
    name: str
    size: int
    is_folder: bool = False
    refused: Text | None = None


ENCRYPTED = Text(zh="有密码，读不了", en="protected by a password; cannot be read")
EXPANDS = Text(
    zh="展开后是压缩时的 {ratio} 倍，像是压缩炸弹，拒绝", en="expands {ratio} times, as an archive bomb does; refused"
)
TOO_MANY = Text(zh="压缩包有太多成员，拒绝", en="the archive has too many members; refused")
TOO_MUCH = Text(zh="压缩包展开后太大，拒绝", en="the archive unpacks to too much; refused")
DAMAGED = Text(zh="压缩包已损坏：{reason}", en="the archive is damaged: {reason}")
NOT_AN_ARCHIVE = Text(zh="不是能打开的压缩包", en="not an archive that can be opened")
