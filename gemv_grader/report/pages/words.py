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
STATIC_WHY = Text(zh="没有在 GPU 上运行。", en="Nothing ran on a GPU.")
NOT_ZERO = Text(
    zh="这是评分器或机器的问题，不是学生的错，也不是零分：要重新评分。",
    en="The grader or the machine failed, not the student. This is no zero: it has to be graded again.",
)
CLASS = Text(zh="全班", en="Class")
HANDED_IN = Text(zh="提交于 {at}", en="handed in {at}")
LATE = Text(zh="迟交", en="late")
GROUP = Text(zh="小组", en="group")
POINTS = Text(zh="得分", en="Points")
OF = Text(zh="/ {possible} 分", en="of {possible} points")
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
    "to_read": Text(zh="待批阅", en="to be read"),
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
    "to_confirm": Text(zh="没有找到，由人判断", en="not found; a person decides"),
}
PENDING = Text(zh="待定的部分", en="Still open")
FOR_GPU = Text(zh="{points} 分等待在 GPU 上运行。", en="{points} points wait for a run on a GPU.")
FOR_PERSON = Text(zh="等待人工确认：{titles}。", en="For a person to confirm: {titles}.")
AND = wording.AND
FAILING = wording.SMALLEST
ELEMENT = Text(zh="元素", en="element")
EXPECTED = Text(zh="应为", en="expected")
COMPUTED = Text(zh="算得", en="computed")
SHAPE = Text(zh="规模", en="shape")
LINE = Text(zh="第 {line} 行", en="line {line}")
FILL = Text(zh="填写的代码", en="The fill")
FILL_LINE = Text(zh="第 {line} 行第 {column} 列", en="line {line}, column {column}")
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
NOT_PASSED_OF = wording.FAILED
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
COPIED = Text(zh="和参考答案雷同 {percent} %：", en="{percent} % stand in a reference text:")
CLAIMS = Text(zh="答卷说到运行的地方", en="What the answers tell of runs")
OUTPUT = Text(zh="学生给出的运行输出（评分不采用）", en="Run output that the student shows (never taken as a result)")
COMMENTS = Text(zh="评语", en="Comments")
SOURCES = Text(zh="依据与环境", en="What this rests on")
SEED = Text(zh="种子", en="seed")
SUBMISSION = Text(zh="提交", en="submission")
PROGRAM = Text(zh="程序", en="program")
RUBRIC = Text(zh="评分标准", en="rubric")
GRADED_AT = Text(zh="评分时间", en="graded")
SUGGESTED = Text(zh="建议", en="suggested")
MORE = Text(zh="还有 {count} 条", en="{count} more")

CLASS_TITLE = Text(zh="班级成绩", en="Grades of the class")
STUDENTS = Text(zh="学生", en="students")
FILLS = Text(zh="不同的填写", en="distinct fills")
HAVE_PASSED = Text(zh="已通过", en="passed")
HAVE_FAILED = Text(zh="未通过", en="not passed")
WAIT_GPU = Text(zh="等待 GPU", en="wait for a GPU")
WAIT_PERSON = Text(zh="等待人工", en="wait for a person")
FAULTS = Text(zh="评分器故障", en="grader faults")
VERDICT = Text(zh="判定", en="verdict")
COUNT = Text(zh="人数", en="students")
SHARE = Text(zh="比例", en="share")
STUDENTS_BY_VERDICT = Text(zh="判定分布", en="Verdicts")
HISTOGRAM = Text(zh="得分分布", en="Distribution of points")
HISTOGRAM_WHY = Text(
    zh="按已定和建议的分数之和计；斜纹：还有分数待定或待人确认的学生。",
    en="By points that stand and points suggested; hatched: students whose points are not final.",
)
SETTLED = Text(zh="分数已定", en="points are final")
UNSETTLED = Text(zh="还未定", en="not final")
AVERAGES = Text(zh="各项平均得分", en="Average points of each item")
FAILED_CASES = Text(zh="没有通过的用例，按学生人数", en="Cases by the number of students who failed them")
PROGRAMS = Text(zh="不同的填写（{count}）", en="Distinct fills ({count})")
PROGRAMS_WHY = Text(
    zh="填写的代码相同的学生归在一起；空格和注释不算。",
    en="Students whose fills are the same, layout and comments aside, are together.",
)
N_STUDENTS = Text(zh="{count} 名学生", en="{count} students")
ONE_STUDENT = Text(zh="1 名学生", en="1 student")
NOT_PASSED_CASES = Text(zh="没有通过：{names}", en="did not pass: {names}")
TO_DO = Text(zh="需要处理", en="To look at")
FAULTS_WHY = Text(
    zh="评分器或机器的问题，不是零分；修好后用 gemv-grade batch … --rerun failed 重评。",
    en="The grader or the machine failed; no zeros. Once mended: gemv-grade batch … --rerun failed.",
)
GPU_WHY = Text(
    zh="{count} 名学生等待 GPU：在有 GPU 的机器上运行 gemv-grade verify。",
    en="{count} students wait for a GPU: run gemv-grade verify on a machine that has one.",
)
PERSON_WHY = Text(zh="{count} 名学生等待人工批阅。", en="{count} students wait for a person to read their answers.")
NOTHING_TO_DO = Text(zh="没有什么需要处理。", en="Nothing.")
REPEATED = Text(zh="几乎逐字相同的答案", en="Answers that are nearly the same, word for word")
REPEATED_WHY = Text(
    zh="题目和参考答案里的话不算。这只是给人看的提示，不影响分数。",
    en="Words of the form and of reference answers do not count. This is for a person to judge; it costs no points.",
)
ALIKE = Text(zh="相同 {percent}%", en="{percent} % in common")
UNANSWERED = Text(zh="有题目没有作答（{count} 名学生）", en="Something is not answered ({count} students)")
EVERYONE = Text(zh="学生名单", en="Students")
NAME = Text(zh="姓名", en="name")
RESULT = Text(zh="是否通过", en="passed")
YES_NO = {"True": Text(zh="是", en="yes"), "False": Text(zh="否", en="no"), "None": Text(zh="未定", en="open")}
MORE_STUDENTS = Text(zh="还有 {count} 名，见 gradebook.csv", en="and {count} more: see gradebook.csv")
EMPTY_CLASS = Text(zh="还没有成绩。", en="There are no grades yet.")
