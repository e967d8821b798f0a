"""gemv-grade: grades CUDA exercises with one blank, and says what each result rests on."""

__version__ = "0.1.0"
