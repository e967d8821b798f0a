"""The review in the terminal: the answer on the left, the rubric beside it, the decision below."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from gemv_grader.reviewing.desk import Desk
from gemv_grader.reviewing.screen.review_screen import ReviewScreen
from gemv_grader.words import Lang


class ReviewApp(App[None]):
    """Shows one desk. Colours are the terminal's own, so that it reads on light and on dark ones."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", priority=True, show=False)]
    CSS = """
    ReviewScreen { background: ansi_default; color: ansi_default; }
    #head { height: 1; }
    #who { height: auto; }
    #panes { height: 1fr; }
    #left-side { width: 3fr; }
    #left { height: 1fr; }
    #right { width: 2fr; border-left: solid ansi_bright_black; padding: 0 0 0 1; }
    Pane {
        background: ansi_default; scrollbar-size-vertical: 1;
        scrollbar-color: ansi_bright_black; scrollbar-color-hover: ansi_bright_black;
        scrollbar-color-active: ansi_bright_black; scrollbar-background: ansi_default;
        scrollbar-background-hover: ansi_default; scrollbar-background-active: ansi_default;
    }
    #answer { padding: 0 1 1 0; }
    #message { height: auto; max-height: 3; text-style: bold; }
    #entry, #keys { height: 1; }
    #dialog { dock: bottom; height: auto; border: round ansi_default; padding: 0 1; }
    """

    def __init__(self, desk: Desk, lang: Lang) -> None:
        super().__init__(ansi_color=True)
        self._desk, self._lang = desk, lang
        self.fault: Exception | None = None

    def on_mount(self) -> None:
        """Open the desk."""
        self.push_screen(ReviewScreen(self._desk, self._lang))

    def _handle_exception(self, error: Exception) -> None:
        """Leave the screen instead of printing a traceback on it; the caller has the error in ``fault``."""
        self.fault = self.fault or error
        self.exit()
