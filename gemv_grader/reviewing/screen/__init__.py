"""The review's screen, with Textual. It shows what a `Desk` holds, and turns keys into decisions."""
