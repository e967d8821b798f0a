"""Runs programs: case by case, in a child process that holds no judgement and no secret."""
