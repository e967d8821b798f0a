"""``python -m gemv_grader`` is ``gemv-grade``."""

from gemv_grader.cli import main

if __name__ == "__main__":
    main()
