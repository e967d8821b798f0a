"""The lock: a submission must be the scaffold, token by token, but for one expression in the blank."""

from gemv_grader.lock.decide import Policy, identify, lock
from gemv_grader.lock.lexer import Token, lex
from gemv_grader.lock.result import Fill, Rejection

__all__ = ["Fill", "Policy", "Rejection", "Token", "identify", "lex", "lock"]
