"""``python -m gemv_grader`` is ``gemv-grade``. Nothing is imported before an interrupt has its message."""

import sys


def run() -> None:
    """Run the command line; Ctrl-C leaves no traceback, even while modules are being imported."""
    try:
        from gemv_grader.cli import main  # noqa: PLC0415

        main()
    except KeyboardInterrupt:
        sys.stderr.write("\n已中断 / Interrupted.\n")
        sys.exit(130)


if __name__ == "__main__":
    run()
