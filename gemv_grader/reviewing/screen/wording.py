"""What the review says, in both languages."""

from __future__ import annotations

from gemv_grader.words import Text

STATES = {
    "to_confirm": Text(zh="待判断", en="open"),
    "confirmed": Text(zh="人工同意", en="agreed"),
    "overridden": Text(zh="人工改分", en="changed"),
    "comment": Text(zh="只有意见", en="comment only"),
    "raised": Text(zh="成立", en="raised"),
    "cleared": Text(zh="不成立", en="cleared"),
    "suspected": Text(zh="疑似", en="suspected"),
    "met": Text(zh="有", en="met"),
    "unmet": Text(zh="没有", en="unmet"),
}
NOT_FOUND = Text(zh="没有找到", en="not found")
FLAGS = {
    "terms_only": Text(zh="只有术语，没有因果", en="terms only, no links"),
    "wrong_chain": Text(zh="错误的因果链", en="wrong chain"),
    "injection": Text(zh="有对评分器说的话", en="addresses the grader"),
    "copied_reference": Text(zh="和参考答案雷同", en="repeats the reference"),
    "unfamiliar": Text(zh="用词不在评分标准里，请细读", en="reasons in words the rubric does not know"),
    "cut": Text(zh="太长，只读了开头", en="too long; only the beginning was read"),
    "empty": Text(zh="没有内容", en="says nothing"),
}
COPIED_SHARE = Text(zh="和参考答案雷同 {share} %", en="{share} % stand in the reference")
INJECTION = Text(zh="对评分器说的话", en="text that addresses the grader")
COPY = Text(zh="和参考答案相同", en="stands in the reference")
FILL = Text(zh="填的代码", en="the fill")

DECIDED = Text(zh="已定 {decided}/{students} 人", en="{decided}/{students} decided")
ANSWER = Text(zh="第 {number}/{count} 份", en="answer {number}/{count}")
SAME = Text(zh="{count} 人答案相同", en="{count} wrote the same")
PARTLY = Text(zh="其中 {count} 人待定", en="{count} of them open")
HIDDEN = Text(zh="姓名已隐藏（n 显示）", en="names hidden (n shows)")
QUESTION = Text(zh="题 {number}/{count}", en="question {number}/{count}")
MORE = Text(zh="……还有 {count} 个字符没有显示", en="… {count} more characters are not shown")
EMPTY = Text(zh="（空）", en="(empty)")

NO_READING = Text(zh="（工具没有读这一题）", en="(the tool did not read this one)")
SUGGESTED = Text(zh="工具建议 {points}", en="suggested {points}")
TOOL_SAYS = Text(zh="工具：{state}", en="tool: {state}")
VETO = Text(zh="否决·{state}", en="veto {state}")
REQUIREMENT = Text(zh="要求·{state}", en="required, {state}")

POINTS = Text(zh="给分 ", en="Points ")
CHOICE = Text(zh="判断 ", en="Decide ")
OF = Text(zh=" / {possible}", en=" of {possible}")
ENTER_GIVES = Text(zh="⏎ 确定", en="⏎ give")
ENTER_SAVES = Text(zh="⏎ 确定", en="⏎ save")
STANDS = Text(zh="现为 {now}", en="stands at {now}")

SAVED = Text(zh="已存 {what} · {count} 人", en="saved {what} · {count}")
UNDONE = Text(zh="已撤销 · {count} 人", en="taken back · {count}")
NO_DIFFERENCE = Text(zh="没有一份是工具后来改了看法的", en="the tool says the same of all marked answers")
NO_UNDO = Text(zh="没有可撤销的", en="nothing to take back")
REFUSED = Text(
    zh="{count} 人刚被别人批过，没有改动；现在显示的是最新结果",
    en="{count} were just marked by someone else and are left alone; what stands now is shown",
)
BAD_POINTS = Text(zh="请给 0 到 {possible} 的分数", en="points go from 0 to {possible}")
CHOOSE = Text(zh="先用 1、2 或 ←→ 选择", en="choose with 1, 2 or ←→ first")
NO_SUGGESTION = Text(zh="这里没有建议可接受；用 1、2 选择", en="there is no suggestion to accept; choose with 1, 2")
DECIDE_FIRST = Text(zh="先判断，再写意见", en="decide first, then comment")
ALL_DONE = Text(zh="全部批完。q 退出，Tab 换题，k 回看", en="All done. q quits, Tab changes the question, k goes back")
COMMENTED = Text(zh="意见", en="comment")

COMMENT_TITLE = Text(
    zh="给学生的意见（⏎ 保存，空为删除，Esc 取消，↑↓ 用过的）",
    en="Comment (⏎ saves, empty deletes, Esc leaves, ↑↓ earlier ones)",
)
SEARCH_TITLE = Text(
    zh="查找：学号、姓名或答案里的字（↑↓ ⏎，Esc 取消）", en="Search key, name or answer (↑↓ ⏎, Esc leaves)"
)
SEARCH_NONE = Text(zh="没有找到", en="nothing found")
OTHERS_TITLE = Text(
    zh="否决与要求 · {count} 人（空格切换，即时保存；Esc 返回）",
    en="Vetoes and requirements · {count} (space changes and saves; Esc leaves)",
)
TOOL = Text(zh="（工具）", en=" (tool)")
HELP_TITLE = Text(zh="按键", en="Keys")
HELP_END = Text(
    zh="每一步都已存盘；随时可以退出，下次接着批。任意键返回。",
    en="Every step is saved; quit at any time and go on later. Any key returns.",
)
HELP = (
    (
        "⏎",
        Text(
            zh="给出显示的分数（不改就是接受建议），到下一份",
            en="give the points shown (the suggestion, unless changed); next",
        ),
    ),
    ("a", Text(zh="接受工具的建议，到下一份", en="accept the tool's suggestion; next")),
    ("0-9 .", Text(zh="输入分数（1.5），⏎ 确定；⌫ 改", en="type points (1.5), ⏎ gives them; ⌫ corrects")),
    ("← →", Text(zh="分数减、加一档；否决和要求：选择", en="points a step down or up; vetoes: choose")),
    ("c", Text(zh="写意见", en="comment")),
    ("v r", Text(zh="否决、要求", en="vetoes, requirements")),
    ("s", Text(zh="先跳过，到下一份没定的", en="skip; next one that is open")),
    ("u", Text(zh="撤销（可连续）", en="undo (as often as you like)")),
    ("j k", Text(zh="后一份、前一份", en="next, previous answer")),
    ("Tab", Text(zh="下一题（Shift+Tab 上一题）", en="next question (Shift+Tab: previous)")),
    (
        "↑ ↓",
        Text(
            zh="滚动答案（空格、PgUp、PgDn 翻页；< > 滚动要点）",
            en="scroll the answer (space, PgUp, PgDn; < > the key points)",
        ),
    ),
    ("d", Text(zh="下一份工具改了看法的（≠）", en="next one of which the tool now says otherwise (≠)")),
    ("/", Text(zh="查找学生或文字", en="search students or text")),
    ("n", Text(zh="显示或隐藏姓名", en="show or hide names")),
    ("q", Text(zh="退出", en="quit")),
)
KEYS = (
    ("⏎", Text(zh="确定", en="give")),
    ("a", Text(zh="接受", en="accept")),
    ("←→", Text(zh="±", en="±")),
    ("c", Text(zh="意见", en="comment")),
    ("v", Text(zh="否决", en="veto")),
    ("s", Text(zh="跳过", en="skip")),
    ("u", Text(zh="撤销", en="undo")),
    ("jk", Text(zh="前后", en="move")),
    ("/", Text(zh="查找", en="find")),
    ("n", Text(zh="姓名", en="names")),
    ("?", Text(zh="帮助", en="help")),
    ("q", Text(zh="退出", en="quit")),
)  # fmt: skip
