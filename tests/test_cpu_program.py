"""From CUDA source to an executable: rewriting, what is not supported, diagnostics, and names in reports."""

from __future__ import annotations

import pytest
from cpu_toolchain import toolchain
from hypothesis import given
from hypothesis import strategies as st

from gemv_grader.build.binary import Binary
from gemv_grader.exercise import load_exercise
from gemv_grader.run.cpu.executable import CpuToolchain, build_executable
from gemv_grader.run.cpu.faults import variable_name
from gemv_grader.run.cpu.rewrite import NotRewritable, rewrite
from gemv_grader.run.cpu.unsupported import unsupported_name
from gemv_grader.words import Text

__all__ = ["toolchain"]

HARNESS = 'extern "C" void harness_launch(void* const*, const int*, int, cudaStream_t) { %s }\n'


def build(source: str, toolchain: CpuToolchain, launcher: str = "") -> Binary | Text:
    return build_executable(source + "\n" + HARNESS % launcher, toolchain, checked=True)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "void f() { k<<<1, 2>>>(a, b); }",
            "void f() { ::simt::launcher([&](auto... simt_values) SIMT_UNCHECKED { k(simt_values...); })"
            ".on(1, 2)(a, b); }",
        ),
        (
            "void f() { n::k<4, T><<<dim3(1, 2),\n 3, 0, s>>>(); }",
            "void f() { ::simt::launcher([&](auto... simt_values) SIMT_UNCHECKED { n::k<4, T>(simt_values...); })"
            ".on(dim3(1, 2),\n 3, 0, s)(); }",
        ),
        ("void f() { extern __shared__ float s[]; }", "void f() { float* const s = ::simt::dynamic_shared(); }"),
        (
            "void f() { extern __shared__ __align__(16)\nchar s[]; }",
            "void f() { __align__(16)\nchar* const s = ::simt::dynamic_shared(); }",
        ),
        ("extern __shared__ int s[];", 'extern __thread int s[] __asm__("simt_dynamic_memory");'),
        (
            "void f() { std::memcpy(a, b, 4); memset(a, 0, 4); }",
            "void f() { simt_memcpy(a, b, 4); simt_memset(a, 0, 4); }",
        ),
        ("void f() { __shared__ float a[2], b; }", "void f() { SIMT_FENCE(0) __shared__ float a[2], b; }"),
        ("__noinline__ void f() {}", "__attribute__((noinline)) void f() {}"),
        ('const char* s = "<<<1, 2>>>"; // k<<<1, 2>>>()', 'const char* s = "<<<1, 2>>>"; // k<<<1, 2>>>()'),
    ],
)
def test_rewriting(source: str, expected: str) -> None:
    assert rewrite(source).rsplit("\n", 2)[0] == expected


def test_the_runtime_learns_what_dynamic_memory_is_called() -> None:
    assert 'simt_dynamic_name[] = "s"' in rewrite("void f() { extern __shared__ float s[]; }")
    assert 'simt_dynamic_name[] = ""' in rewrite("void f() {}")


def test_a_launch_in_a_macro_is_refused() -> None:
    with pytest.raises(NotRewritable, match="line 2"):
        rewrite("\n#define GO k<<<1, 2>>>()\n")


@given(st.text(st.sampled_from("k<>(){};,\n \\\"'/*#_externshardu1")))
def test_lines_keep_their_numbers(source: str) -> None:
    try:
        rewritten = rewrite(source)
    except NotRewritable:
        return
    assert rewritten.count("\n") == source.count("\n") + 2


def test_the_lesson_differs_only_in_its_fence_and_its_launch() -> None:
    exercise = load_exercise("03_gemv")
    source = exercise.scaffold.split("\n")
    changed = [line for line, new in zip(source, rewrite(exercise.scaffold).split("\n"), strict=False) if line != new]
    assert [line.strip() for line in changed] == [
        "__shared__ float smem[NUM_WARPS];",
        "gemv_kernel<BLOCK_SIZE><<<M, BLOCK_SIZE, 0, stream>>>(",
    ]


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("table", "table"),
        ("_ZL5table", "table"),
        ("_ZN5inner5callsE", "calls"),
        ("_ZN12_GLOBAL__N_15tableE", "table"),
        ("_ZZ6reducePKfPfiE1s", "s"),
        ("_ZZN12_GLOBAL__N_16reduceIfLi256EEEvPKfPfE4sums_0", "sums"),
        ("_ZZN12_GLOBAL__N_116block_reduce_sumILi256EEEffE4smem", "smem"),
        ("_ZZ1fvE3a12", "a12"),
        ("_Zgarbage", "_Zgarbage"),
    ],
)
def test_variable_names(symbol: str, name: str) -> None:
    assert variable_name(symbol) == name


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("‘__nanosleep’ was not declared in this scope", "__nanosleep"),
        ("use of undeclared identifier '__nanosleep'", "__nanosleep"),
        ("there are no arguments to ‘__float2half’ that depend on a template parameter, so …", "__float2half"),
        ("cooperative_groups.h: No such file or directory", "#include <cooperative_groups.h>"),
        ("'cuda_fp16.h' file not found", "#include <cuda_fp16.h>"),
        ("‘cooperative_groups’ has not been declared", "cooperative_groups"),
        ("‘half’ does not name a type", "half"),
        ("unknown type name 'cudaTextureObject_t'", "cudaTextureObject_t"),
        ("‘undefined_name’ was not declared in this scope", None),
        ("‘cute’ was not declared in this scope", None),
        ("expected ‘;’ before ‘}’ token", None),
        ("mine.h: No such file or directory", None),
    ],
)
def test_names_of_cuda_are_told_from_mistakes(message: str, name: str | None) -> None:
    assert unsupported_name(message) == name


@pytest.mark.parametrize(
    ("source", "launcher", "name"),
    [
        ("__global__ void k() { __nanosleep(5); }", "", "__nanosleep"),
        ("#include <cooperative_groups.h>", "", "#include <cooperative_groups.h>"),
        ("#include <cuda_fp16.h>\n__global__ void k(half* x) {}", "", "#include <cuda_fp16.h>"),
        ("", "cudaGraphCreate(nullptr, 0);", "cudaGraphCreate"),
        ("#define GO k<<<1, 1>>>()", "", "a kernel launch inside a macro (line 1)"),
    ],
)
def test_what_the_cpu_cannot_do_is_named(source: str, launcher: str, name: str, toolchain: CpuToolchain) -> None:
    built = build(source, toolchain, launcher)
    assert isinstance(built, Text)
    assert f"not supported on the CPU: {name}." in built.en


def test_a_mistake_is_a_diagnostic_in_the_program(toolchain: CpuToolchain) -> None:
    built = build("\n__global__ void k(float* y) { y[0] = undefined_name; }", toolchain)
    assert not isinstance(built, Text)
    assert [(d.severity, d.line, d.column) for d in built.diagnostics] == [("error", 2, 38)]
    assert "undefined_name" in built.diagnostics[0].message


def test_an_identical_program_comes_from_the_cache(toolchain: CpuToolchain) -> None:
    first, second = (build("__global__ void k(float* y) { y[1] = 3; }", toolchain) for _ in range(2))
    assert not isinstance(first, Text)
    assert not isinstance(second, Text)
    assert (first.cached, second.cached) == (False, True)
    assert first.code == second.code
