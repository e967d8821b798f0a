"""The fixed words of reports, in both languages."""

from __future__ import annotations

from gemv_grader.words import Evidence, Severity, Text, Verdict

VERDICTS = {
    Verdict.REJECTED: Text(zh="✗ 拒收", en="✗ rejected"),
    Verdict.NOT_ATTEMPTED: Text(zh="○ 未作答", en="○ not attempted"),
    Verdict.COMPILE_ERROR: Text(zh="✗ 编译不通过", en="✗ does not compile"),
    Verdict.CRASHED: Text(zh="✗ 运行崩溃", en="✗ crashed"),
    Verdict.WRONG: Text(zh="✗ 结果错误", en="✗ wrong results"),
    Verdict.CORRECT: Text(zh="✓ 正确", en="✓ correct"),
    Verdict.UNVERIFIED: Text(zh="… 待验证", en="… unverified"),
    Verdict.GRADER_FAULT: Text(zh="⚠ 评分器故障（不是零分）", en="⚠ grader fault (not a zero)"),
}
EVIDENCE = {
    Evidence.STATIC: Text(
        zh="依据：锁定和静态审查；没有编译，没有运行",
        en="rests on: lock and static review; not compiled, not run",
    ),
    Evidence.COMPILED: Text(
        zh="依据：锁定、静态审查和编译；没有运行", en="rests on: lock, static review and compiler; not run"
    ),
    Evidence.EMULATED: Text(
        zh="依据：在 CPU 上模拟运行；没有在 GPU 上运行",
        en="rests on: a run emulated on the CPU; not run on a GPU",
    ),
    Evidence.GPU: Text(zh="依据：在 GPU 上运行", en="rests on: a run on the GPU"),
}
SEVERITIES = {
    Severity.ERROR: Text(zh="错误", en="error"),
    Severity.WARNING: Text(zh="注意", en="warning"),
    Severity.INFO: Text(zh="说明", en="note"),
}
GROUPS = {"normal": Text(zh="正常输入", en="normal"), "edge": Text(zh="边界输入", en="edge  ")}
CASES = {
    Evidence.GPU: Text(zh="用例（GPU）", en="Cases (GPU)"),
    Evidence.EMULATED: Text(zh="用例（CPU 模拟）", en="Cases (emulated on the CPU)"),
}
ACCESSES = Text(
    zh="全局内存访问（模拟中计数，用例 {case}）：每次 warp 请求取的 32 字节扇区数",
    en="Global memory accesses (counted in emulation, case {case}): 32-byte sectors per request of a warp",
)
SECTORS = Text(
    zh="第 {line} 行{action} {array}：{actual} 个，最少 {ideal} 个",
    en="line {line} {action} {array}: {actual}, at best {ideal}",
)
ACTIONS = {
    "read": Text(zh="读", en="reads"),
    "write": Text(zh="写", en="writes"),
    "atomic": Text(zh="原子更新", en="updates"),
}
SMALLEST = Text(zh="最小的失败用例", en="Smallest failing case")
SKIPPED = Text(zh="崩溃之后没有运行的：{skipped} 个。", en="Not run after the crash: {skipped}.")
FAILED = Text(zh="{total} 个用例中有 {bad} 个没有通过。", en="{bad} of {total} cases did not pass.")
READINGS = Text(
    zh="答案（+ 找到的因果联系，- 没有找到的，! 有误的）", en="Answers (+ links found, - not found, ! misleading)"
)
YOUR_FILL = Text(zh="你填的内容（第 {line} 行）", en="Your fill (line {line})")
POINTS = Text(zh="得分", en="Points")
TOTAL = Text(zh="合计 {earned}/{possible}", en="total {earned}/{possible}")
SUGGESTED = Text(zh="，建议 {points} 分待确认", en=", {points} suggested")
PENDING = Text(zh="，{points} 分待定", en=", {points} pending")
SUGGESTED_ITEM = Text(zh="建议 {points}/{possible}", en="suggested {points}/{possible}")
WAITING = Text(zh="待定 {points}/{possible}", en="pending {points}/{possible}")
PASSED = {
    True: Text(zh="通过", en="passed"),
    False: Text(zh="未通过", en="not passed"),
    None: Text(zh="是否通过：待定", en="passed: not decided yet"),
}
CLAIMS = Text(zh="答卷里说的运行", en="What the answers tell of a run")
CONTRADICTION = Text(zh="答卷说 {said}；{recorded}", en="told: {said}; {recorded}")
MISSING = Text(zh="及格：", en="For a pass: ")
SEMICOLON = Text(zh="；", en="; ")
VETO_STATES = {
    "raised": Text(zh="一票否决", en="veto"),
    "suspected": Text(zh="疑似一票否决（由人判断）", en="suspected veto (a person decides)"),
}
COPIED = Text(zh="和参考答案雷同 {share} %：“{text}”", en='{share} % stand in the reference: "{text}"')
VETO = Text(zh="{title}：{reason}", en="{title}: {reason}")
AND = Text(zh="、", en=", ")
MORE = Text(zh="……还有 {count} 条", en="… and {count} more")
NEXT_STEP = Text(zh="下一步：{step}", en="Next: {step}")
NEXT = {
    Verdict.REJECTED: Text(
        zh="用 gemv-grade start {exercise} 取一份干净的文件，只改 ______ 那一处。",
        en="take a clean file with `gemv-grade start {exercise}` and change only the blank.",
    ),
    Verdict.NOT_ATTEMPTED: Text(
        zh="填好后再提交；卡住时用 gemv-grade hint {exercise} --level 1。",
        en="fill it in and submit again; if stuck, `gemv-grade hint {exercise} --level 1`.",
    ),
    Verdict.COMPILE_ERROR: Text(
        zh="按上面的行和列改好再提交；卡住时用 gemv-grade hint {exercise} --level 2。",
        en="mend it at the line and column above and submit again; if stuck, `gemv-grade hint {exercise} --level 2`.",
    ),
    Verdict.CRASHED: Text(
        zh="看崩溃的那一例：哪个指针可能为空，哪个循环不会结束，哪个下标越界？",
        en="look at the case that crashed: which pointer may be null, which loop never ends, which index runs over?",
    ),
    Verdict.WRONG: Text(
        zh="用纸笔算一遍最小的失败用例；也可用 gemv-grade try 换个规模看每个元素。",
        en="work the smallest failing case by hand, or look at every element with `gemv-grade try`.",
    ),
    Verdict.UNVERIFIED: Text(
        zh="在有 GPU 的机器上再运行一次 gemv-grade submit，GPU 分数才会落定。",
        en="run `gemv-grade submit` again on a machine with a GPU to settle the GPU points.",
    ),
    Verdict.GRADER_FAULT: Text(
        zh="运行 gemv-grade doctor 看机器缺什么，修好后重新评分。",
        en="run `gemv-grade doctor` to see what the machine lacks, mend it, and grade again.",
    ),
}
NEXT_FILL = Text(
    zh="把空改成一个没有副作用的表达式再提交；卡住时用 gemv-grade hint {exercise} --level 2。",
    en="make the blank one expression without side effects; if stuck, `gemv-grade hint {exercise} --level 2`.",
)
