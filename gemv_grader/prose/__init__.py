"""Answers in prose: which words are the student's, what they explain, and what a person should look at."""

from gemv_grader.prose.answers import Answers, parse_answers, read_answers

__all__ = ["Answers", "parse_answers", "read_answers"]
