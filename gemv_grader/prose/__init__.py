"""Answers in prose: which words are the student's, what they explain, and what a person should look at."""

from gemv_grader.prose.answers import Answers, answers_in, parse_answers, read_answers

__all__ = ["Answers", "answers_in", "parse_answers", "read_answers"]
