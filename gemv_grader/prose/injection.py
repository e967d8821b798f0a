"""Finds text that addresses the grader: instructions, demands for points, forged verdicts.

Such text earns nothing, whatever terms it holds; what the student wrote beside it is read as usual.
"""

from __future__ import annotations

import re

from gemv_grader.prose.normal import Normal

_GRADER = (
    r"grading (?:assistant|system|model|bot|ai|program|script|agent|llm)|(?:auto)?grader\b"
    r"|the (?:grading|marking) (?:ai|llm)"
    r"|language model|chatgpt|\bllm\b|\bgpt-?\d|ai (?:assistant|marker|reviewer|judge)|dear (?:ai|assistant|model)"
    r"|(?:助教|阅卷|批改|评分)(?:大?模型|智能体)"
    r"|(?:评分|批改|阅卷|打分|判分|改卷)(?:程序|系统|器|助手|模型|ai|机器人|脚本|员|的 ?ai|本作业的|智能体)"
    r"|(?:大|语言)模型(?:请|你)|自动(?:评分|批改|打分)|人工智能助手"
    r"|\b(?:evaluator|examiner|instructor|dear ta)\b|评分者|评阅者|批改者|阅卷人|(?:亲爱的|尊敬的|请)(?:老师|助教)"
    r"|採点者|採点システム"
    r"|(?:作为|你是)(?:一个|一名)? ?(?:ai|评分|批改|阅卷)|尊敬的 ?(?:ai|评分|批改|阅卷)"
)
_POINTS = (
    r"(?:full|top|max(?:imum)?(?: possible)?) (?:marks?|scores?|credits?|points?)|perfect score|满分|最高分"
    r"|(?:score|mark|points)\s?(?:=|:|of|to|is)\s?\d|\b(?:2(?:\.0)?\s?/\s?2|1\s?/\s?1|10\s?/\s?10)\b"
    r"|\b[12](?:\.\d)? (?:points?|marks?)\b|\d(?:\.\d)?\s?分(?![之成块支配布片钟量别组段摊担散到给为开两])"
    r"|as (?:correct|verified|found|excellent)\b|为(?:正确|通过)|算我全?对|满点|最高得点"
    r"|award (?:the )?maximum\b"
    r"|puntuación máxima|note maximale|volle punktzahl"
)
_DEMAND = (
    r"\b(?:give|assign|award|return|output|grant|set|mark|print|respond|answer with|record|receives?)\b"
    r"|给|判|打|评为|标记|输出|返回|确认|记为|计为|直接"
)
_IGNORE = (
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^\n]{0,30}"
    r"\b(?:instructions?|rubric|prompt|criteria|grading|guidelines|rules)\b"
    r"|\b(?:prior|previous|above) (?:rubric|instructions?)\b[^\n]{0,20}\b(?:void|obsolete|cancel\w*)\b"
    r"|\bignora\b[^\n]{0,30}\binstrucciones\b|\bignorez\b[^\n]{0,30}\binstructions\b"
    r"|\bignorier\w*\b[^\n]{0,30}\banweisungen\b"
    r"|(?:忽略|无视|忘记|忘掉|不要理会|跳过|绕过|不用管)[^\n]{0,12}(?:指令|提示词|评分|打分|rubric|批改|系统提示)"
)
_SUPPRESS = (
    r"\b(?:do not|don't|never|without|no)\b[^\n]{0,20}\b(?:flags?|report|re-?evaluate|penali[sz]e|deduct)\b"
    r"|(?:不要|请勿|别|无需|不必|不用|不得)[^\n]{0,8}(?:标记|警告|扣分|重新评估|重评|上报|告警|复核|评阅|批改|审核)"
    r"|一律(?:视为|判为|判|算作|给)[^\n]{0,4}(?:正确|满分|通过)"
)
_FORGED = (
    r"end of (?:the )?student(?:'s)? answer|</?\s?student_?answer|<\s?/?\s?system\s?>|\[\s?/?\s?(?:system|inst)\s?\]"
    r"|</?\s?(?:score|points|grade|verdict|assessment)>"
    r"|已[^\n。]{0,6}(?:老师|教授|助教|教师|人工)[^\n。]{0,6}(?:复核|批改|评阅|审核|阅卷)"
    r"|already (?:been )?(?:graded|marked|approved)\b|already been (?:verified|reviewed) by\b"
    r"|(?:满足|符合|命中|覆盖|达到)[^\n。]{0,6}(?:评分|得分|rubric)[^\n。]{0,3}(?:细则|标准|要点|点|要求)"
    r"|从现在(?:开始|起),?你|(?:请|你)[^\n。]{0,6}扮演"
    r"|\byou are now (?:in|a|an|the)\b[^\n]{0,20}\b(?:mode|teacher|examiner|ta)\b"
    r"|\b(?:act|behave|respond) as (?:a|an|the)\b[^\n]{0,20}\b(?:teacher|examiner|ta)\b"
    r"|系统提示(?:更新|覆盖)|(?:rubric|grading|prompt) ?(?:override|update)|免批(?:模式|改)"
    r"|\b(?:score|flags?)\b[^\n。]{0,8}(?:填|置|设|改)[^\n。]{0,8}(?:\d|满|false|true|空)"
    r"|<\|im_(?:start|end)\|>|system\s?(?:prompt|message|override)|[\[【]系统|系统(?:提示|消息|指令):"
    r"|[\"']?(?:score|points|分数|得分)[\"']?\s?[:=]\s?[\"']?\d[^\n]{0,80}(?:flag|comment|feedback|评语)"
)
_ADDRESSED = re.compile(f"(?P<grader>{_GRADER})|(?P<ignore>{_IGNORE})|(?P<suppress>{_SUPPRESS})|(?P<forged>{_FORGED})")
_ASKS_POINTS = re.compile(f"(?:{_DEMAND})[^\n。]{{0,30}}?(?:{_POINTS})")
# Letters set apart, as in "i g n o r e", are read as the words that they make.
_SPACED = re.compile(r"(?<![a-z])(?:[a-z] ){3,}[a-z](?![a-z])")
_SENTENCE = re.compile(r"[^\n。!?！？]+[。!?！？]*")


def injected(normal: Normal) -> tuple[tuple[int, int], ...]:
    """Stretches [start, end) of the normalised text that address the grader; linear time.

    From the first such sentence of a line the rest of the line goes with it: an instruction seldom ends at a stop.
    """
    found: list[tuple[int, int]] = []
    start = 0
    for line in normal.text.split("\n"):
        for sentence in _SENTENCE.finditer(line):
            if _addresses_the_grader(sentence[0]):
                found.append((start + sentence.start(), start + len(line)))
                break
        start += len(line) + 1
    return tuple(found)


def _addresses_the_grader(sentence: str) -> bool:
    sentence = _SPACED.sub(lambda match: match[0].replace(" ", ""), sentence)
    kinds = {match.lastgroup for match in _ADDRESSED.finditer(sentence)}
    if kinds & {"ignore", "forged"} or len(kinds) > 1:
        return True
    return _ASKS_POINTS.search(sentence) is not None or ("grader" in kinds and re.search(_POINTS, sentence) is not None)
