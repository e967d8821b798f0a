"""A real Chromium without a window, spoken to through its debugging pipe: what it shows, and what it complains of."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--remote-debugging-pipe",
)  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_PATIENCE = 300  # seconds, for all that one test asks, on a machine at work on other things

Json = dict[str, Any]


def find_chromium() -> str | None:
    """The browser of this machine; None where there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One tab. ``complaints`` are errors and warnings of the page shown: scripts that were blocked, requests."""

    def __init__(self, to: int, answers: Iterator[Json]) -> None:
        self._to = to
        self._answers = answers
        self._number = 0
        self._session: str | None = None
        self.complaints: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Json:
        """Ask the browser for something. Raises AssertionError if it refuses."""
        self._number += 1
        message: Json = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        answer = self._until(lambda told: told.get("id") == self._number)
        assert "error" not in answer, answer
        return dict(answer["result"])

    def open(self, path: Path, width: int = 1200, *, dark: bool = False, media: str = "screen") -> None:
        """Show a file in a window of ``width``."""
        self.complaints = []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])
        assert "errorText" not in self.call("Page.navigate", url=path.absolute().as_uri())
        self._until(lambda told: told.get("method") == "Page.loadEventFired")

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression, asked from outside the page: its policy does not forbid that."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def pdf(self) -> bytes:
        """The page as it prints."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def picture(self, path: Path) -> None:
        """Store what the page looks like, whole."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def _until(self, wanted: Any) -> Json:
        for told in self._answers:
            self._note(told)
            if wanted(told):
                return told
        raise AssertionError("the browser is gone")

    def _note(self, told: Json) -> None:
        method, what = told.get("method"), told.get("params", {})
        if method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.complaints.append(what["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(what["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(f"console.{what['type']}")
        elif method == "Network.requestWillBeSent" and not what["request"]["url"].startswith(("file:", "about:")):
            self.complaints.append(f"request: {what['request']['url']}")


@contextmanager
def chromium() -> Iterator[Page]:
    """A browser with one tab; it ends with the block."""
    executable = find_chromium()
    assert executable is not None
    (theirs_in, to), (answers, theirs_out) = os.pipe(), os.pipe()
    # The browser reads from 3 and writes to 4: numbers far above these are out of the way until then.
    reads, writes = (fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in (theirs_in, theirs_out))
    begin = f"import os, sys; os.dup2({reads}, 3); os.dup2({writes}, 4); os.execv(sys.argv[1], sys.argv[1:])"
    with tempfile.TemporaryDirectory(prefix="gemv-grade-chromium-", ignore_cleanup_errors=True) as profile:
        options = (*OPTIONS, f"--user-data-dir={profile}", "about:blank")
        process = subprocess.Popen(
            (sys.executable, "-c", begin, executable, *options), pass_fds=(reads, writes), stderr=subprocess.DEVNULL
        )
        for fd in (theirs_in, theirs_out, reads, writes):
            os.close(fd)
        hung = threading.Timer(_PATIENCE, process.kill)  # what waits for an answer then sees the pipe end
        hung.start()
        try:
            yield Page(to, _messages(answers))
        finally:
            hung.cancel()
            os.close(to)
            os.close(answers)
            process.kill()
            process.wait(_PATIENCE)


def _messages(pipe: int) -> Iterator[Json]:
    pending = b""
    while data := os.read(pipe, 1 << 16):
        *whole, pending = (pending + data).split(b"\0")
        yield from map(json.loads, whole)
