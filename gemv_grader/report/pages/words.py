"""The fixed words of pages, in both languages. Templates have them by their names in lower case."""

from __future__ import annotations

from gemv_grader.report import wording
from gemv_grader.words import Text

# A verdict's sign and its name apart: the sign is an ornament, the name is what is read aloud.
SIGNS = {verdict.value: text.en.partition(" ")[0] for verdict, text in wording.VERDICTS.items()}
VERDICTS = {
    verdict.value: Text(zh=text.zh.partition(" ")[2], en=text.en.partition(" ")[2])
    for verdict, text in wording.VERDICTS.items()
}
EVIDENCE = {evidence.value: text for evidence, text in wording.EVIDENCE.items()}
SEVERITIES = {severity.value: text for severity, text in wording.SEVERITIES.items()}
GROUPS = {name: Text(zh=text.zh, en=text.en.strip()) for name, text in wording.GROUPS.items()}
VETO_STATES = {**wording.VETO_STATES, "cleared": Text(zh="已排除", en="cleared")}
PASSED = {"True": wording.PASSED[True], "False": wording.PASSED[False], "None": wording.PASSED[None]}
ACTIONS = wording.ACTIONS

STATIC_ONLY = Text(zh="static review only / 仅静态审查", en="static review only / 仅静态审查")
STATIC_WHY = Text(
    zh="没有在 GPU 上运行，GPU 分数待定。", en="Nothing ran on a GPU; points that need one are pending."
)
NOT_ZERO = Text(
    zh="这是评分器或机器的问题，不是学生的错，也不是零分：要重新评分。",
    en="The grader or the machine failed, not the student. This is no zero: it has to be graded again.",
)
CLASS = Text(zh="全班", en="Class")
HANDED_IN = Text(zh="提交于 {at}", en="handed in {at}")
LATE = Text(zh="迟交", en="late")
GROUP = Text(zh="小组", en="group")
POINTS = Text(zh="得分", en="Points")
OF = Text(zh="满分 {possible}", en="of {possible}")
BAR = Text(
    zh="已定 {sure} 分，建议 {open} 分，待定 {waits} 分，满分 {possible}",
    en="{sure} points stand, {open} suggested, {waits} pending, of {possible}",
)
SURE = Text(zh="已定", en="standing")
OPEN = Text(zh="建议，待人确认", en="suggested, for a person to confirm")
WAITS = Text(zh="待定", en="pending")
ITEM = Text(zh="项目", en="item")
STATE = Text(zh="状态", en="state")
REASON = Text(zh="理由", en="reason")
STATES = {
    "earned": Text(zh="已得", en="earned"),
    "lost": Text(zh="未得", en="lost"),
    "pending": Text(zh="待定", en="pending"),
    "to_confirm": Text(zh="建议", en="suggested"),
    "confirmed": Text(zh="已确认", en="confirmed"),
    "overridden": Text(zh="人工给分", en="set by a person"),
}
BY = Text(zh="{author}，{at}", en="{author}, {at}")
MACHINE_SAID = Text(zh="工具建议 {points}", en="the tool said {points}")
TO_PASS = Text(zh="要通过还差", en="Still needed to pass")
REQUIRES = Text(zh="答案中必须指出", en="Answers must name")
REQUIRED = {
    "met": Text(zh="已指出", en="named"),
    "unmet": Text(zh="没有找到", en="not found"),
    "to_confirm": Text(zh="找到了，待人确认", en="found, for a person to confirm"),
}
VETOES = Text(zh="一票否决", en="Vetoes")
PENDING = Text(zh="待定的部分", en="Still open")
FOR_GPU = Text(zh="{points} 分等待在 GPU 上运行。", en="{points} points wait for a run on a GPU.")
FOR_PERSON = Text(zh="等待人工确认：{titles}。", en="For a person to confirm: {titles}.")
AND = wording.AND
FAILING = wording.SMALLEST
ELEMENT = Text(zh="元素", en="element")
EXPECTED = Text(zh="应为", en="expected")
COMPUTED = Text(zh="算得", en="computed")
SHAPE = Text(zh="规模", en="shape")
FAULT_AT = Text(zh="block {block}，thread {thread}", en="block {block}, thread {thread}")
LINE = Text(zh="第 {line} 行", en="line {line}")
TIMES = Text(zh="{times} 次", en="{times} times")
FILL = Text(zh="填写的代码", en="The fill")
FILL_LINE = Text(zh="第 {line} 行第 {column} 列", en="line {line}, column {column}")
EMPTY_FILL = Text(zh="（空着）", en="(empty)")
NO_FINDINGS = Text(zh="审查没有发现问题。", en="The review found nothing to remark.")
CASES = Text(zh="用例", en="Cases")
CASE = Text(zh="用例", en="case")
DETAIL = Text(zh="结果", en="what happened")
STATUS = {
    "passed": Text(zh="通过", en="passed"),
    "failed": Text(zh="未通过", en="failed"),
    "crashed": Text(zh="崩溃", en="crashed"),
    "skipped": Text(zh="没有运行", en="not run"),
}
MARKS = {"passed": "✓", "failed": "✗", "crashed": "!", "skipped": "–"}
EMULATED = Text(zh="CPU 模拟", en="emulated on the CPU")
ON_GPU = Text(zh="GPU", en="on a GPU")
NOT_PASSED = Text(zh="没有通过的用例（{count}）", en="Cases that did not pass ({count})")
ACCESSES = wording.ACCESSES
SECTORS = Text(zh="{actual} 个，最少 {ideal} 个", en="{actual}, at best {ideal}")
ANSWERS = Text(zh="答案", en="Answers")
FOUND = Text(zh="找到的因果联系", en="Links found")
WRONG = Text(zh="有误的说法", en="Misleading")
MISSING = Text(zh="没有找到的（{count}）", en="Not found ({count})")
FLAGS = {
    "terms_only": Text(zh="只罗列了术语，没有说明因果", en="names terms without saying what causes what"),
    "wrong_chain": Text(zh="疑似错误的因果链", en="a wrong chain of causes is suspected"),
    "injection": Text(zh="有写给评分者的话，不会照办", en="addresses the grader; that is not obeyed"),
    "copied_reference": Text(zh="与参考答案几乎逐字相同", en="nearly word for word a reference text"),
    "unfamiliar": Text(zh="说法少见，请人工细读", en="reasons in words the rubric does not know; read it with care"),
    "cut": Text(zh="太长，只读了前面一部分", en="too long: only its beginning was read"),
    "empty": Text(zh="没有内容", en="says nothing"),
}
OUTPUT = Text(zh="学生给出的运行输出（评分不采用）", en="Run output that the student shows (never taken as a result)")
COMMENTS = Text(zh="评语", en="Comments")
SOURCES = Text(zh="依据与环境", en="What this rests on")
SEED = Text(zh="种子", en="seed")
SUBMISSION = Text(zh="提交", en="submission")
PROGRAM = Text(zh="程序", en="program")
RUBRIC = Text(zh="评分标准", en="rubric")
GRADED_AT = Text(zh="评分时间", en="graded")
MORE = Text(zh="还有 {count} 条", en="{count} more")
