"""Runs CUDA programs on the CPU, and says which thread broke which rule of CUDA's, and where.

``rewrite`` turns a program into C++ for the headers in ``include/``; ``executable`` compiles it, instrumented, and
links it with the runtime in ``runtime/``; ``runner`` runs it on cases and hands back memory, faults and patterns.
"""
