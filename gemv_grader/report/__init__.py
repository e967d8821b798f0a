"""Shows a grade: on the terminal for people, as JSON for scripts."""
