"""Reviewing: a person decides about prose, one question at a time over all students. The screen is in ``screen``."""
