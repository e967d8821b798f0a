"""`gemv-grade doctor`: what this machine has, what it lacks, and the mend."""

from __future__ import annotations

import click

from gemv_grader.cli.session import Session, lang_option
from gemv_grader.errors import GraderFault


@click.command()
@lang_option
@click.pass_obj
def doctor(session: Session) -> int:
    """检查这台机器缺什么 / Say what this machine lacks, and the mend.

    Exit code: 0 if `submit` can do a static review at least, 5 if not.
    """
    from gemv_grader.doctor import diagnose  # noqa: PLC0415 - it pulls in every part
    from gemv_grader.report.doctor_report import print_diagnosis  # noqa: PLC0415
    from gemv_grader.report.terminal import console_for  # noqa: PLC0415

    diagnosis = diagnose()
    print_diagnosis(diagnosis, session.lang, console_for())
    return 0 if diagnosis.evidence is not None else GraderFault.exit_code
