"""On PYTHONPATH: puts a stand-in into every process of a command, also into the workers that it starts."""

from __future__ import annotations

import importlib
import os

importlib.import_module(os.environ["STAND_IN"])
