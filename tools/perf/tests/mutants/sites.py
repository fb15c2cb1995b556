# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the product's sources can be changed, and how a change is written so that it is chosen at run time.

A site is a part of a file: text[start:end] becomes @by in the mutant. @schema is the same change as an expression or a
statement that asks mutant_is(NUMBER) (mutants.h), for text[first:last].
"""
import collections
import re

Site = collections.namedtuple("Site", "kind start end by first last schema")

COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
JOINED = {"&&": "||", "||": "&&", "+": "-", "-": "+"}
# C's operators with two operands, from the loosest to the tightest. clang-format puts spaces around each.
LEVELS = [",|;|{|}", r"[-+*/%&|^]?=|<<=|>>=", r"\?|:", r"\|\|", "&&", r"\|", r"\^", "&", "==|!=", "<=?|>=?", "<<|>>", r"\+|-", "[*/%]"]
# With one more of what they allocate, or with a terminator or zeros that nobody asked for, these do what they did.
LARGER = "g_new0?|g_malloc0?|g_malloc0?_n|g_array_new|g_array_sized_new|g_string_sized_new|g_ptr_array_new_full|g_ptr_array_sized_new"
NOT_CALLS = "if|while|for|switch|return|sizeof|typeof|_Alignof"


def without_text(source):
    """A file whose comments, strings, characters and directives are blanks, so that no site is inside them."""
    def blanks(match):
        return re.sub(r"[^\n]", " ", match.group())
    source = re.sub(r'//[^\n]*|/\*.*?\*/|"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])*\'', blanks, source, flags=re.S)
    return re.sub(r"^#.*(\\\n.*)*", blanks, source, flags=re.M)


def closing(code, at):
    """The index behind the bracket that closes the one at @at, or None."""
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i] in "([") - (code[i] in ")]")
        if not depth:
            return i + 1
    return None


def level(operator):
    return next(i for i, pattern in enumerate(LEVELS) if re.fullmatch(pattern, operator))


def stops(loosest, tightest):
    """Operators from one level to another, and what else ends an operand."""
    words = "|".join(LEVELS[loosest:tightest + 1])
    return re.compile(r"[,;{}]|(?<=\s)(?:%s)(?=\s)" % words)


def operands(code, start, end):
    """The begin of the left operand of the operator code[start:end], and the end of its right operand; or None."""
    own = level(code[start:end])
    depth, first = 0, start
    looser = stops(0, own - 1)
    while first > 0:
        c = code[first - 1]
        if (c in "([" and not depth) or (not depth and looser.match(code, first - 1)):
            break
        # The last character of an operator of two or three.
        if not depth and any(looser.match(code, first - n) and looser.match(code, first - n).end() == first for n in (2, 3)):
            break
        depth += (c in ")]") - (c in "([")
        first -= 1
    depth, last = 0, end
    same = stops(0, own)
    while last < len(code):
        c = code[last]
        if (c in ")]" and not depth) or (not depth and same.match(code, last)):
            break
        depth += (c in "([") - (c in ")]")
        last += 1
    first += len(code[first:start]) - len(code[first:start].lstrip())
    keywords = list(re.finditer(r"\b(return|else)\b\s*", code[first:start]))  # if (x) return a < b
    first += keywords[-1].end() if keywords else 0
    last = end + len(code[end:last].rstrip())
    return None if re.match(r"(case|goto|do|default)\b", code[first:]) else (first, last)


def operators(code, text):
    """Comparisons, and operators with a counterpart."""
    for kind, other in (("comparison", COMPARED), ("operator", JOINED)):
        for m in re.finditer(r"(?<=\s)(%s)(?=\s)" % "|".join(re.escape(o) for o in sorted(other, key=len, reverse=True)), code):
            start, end = m.span()
            yield kind, start, lambda kind=kind, start=start, end=end, by=other[m.group()]: operator_site(code, text, kind, start, end, by)


def operator_site(code, text, kind, start, end, by):
    found = operands(code, start, end)
    if not found:
        return None
    first, last = found
    if by == "||" and re.match(r"\s*&&", code[last:]):  # (a || b) && c, as it is built
        start, end, by = first, last, "(%s%s%s)" % (text[first:start], by, text[end:last])
        return Site(kind, start, end, by, first, last, "(mutant_is(@) ? %s : %s)" % (by, text[first:last]))
    schema = "(mutant_is(@) ? %s%s%s : %s)" % (text[first:start], by, text[end:last], text[first:last])
    return Site(kind, start, end, by, first, last, schema)


def conditions(code, text):
    for m in re.finditer(r"\b(?:if|while) (\()", code):
        end = closing(code, m.start(1))
        if end:
            inner = text[m.end(1):end - 1]
            yield "condition", m.start(), lambda a=m.end(1), b=end - 1, x=inner: Site(
                "condition", a, b, "!(%s)" % x, a, b, "mutant_is(@) == !(%s)" % x)


def without_effect(code, at):
    """Is the constant at @at one of a call that gets more memory, or a terminator behind an array, and else the same?"""
    depth = 0
    for i in range(at - 1, max(at - 400, -1), -1):
        depth += (code[i] in ")]}") - (code[i] in "([{")
        if depth < 0:
            name = re.search(r"\w*$", code[:i]).group()
            return bool(re.fullmatch(LARGER, name)) and code[i] == "("
        if code[i] in ";{}":
            return False
    return False


def constants(code, text):
    for m in re.finditer(r"(?<![\w.])(0[xX][0-9a-fA-F]+|0|[1-9]\d*)[uUlL]*(?![\w.])", code):
        if without_effect(code, m.start()):
            continue
        more = str(int(m.group(1), 0) + 1)
        yield "constant", m.start(), lambda a=m.start(1), b=m.end(1), c=m.end(), x=m.group(), by=more: Site(
            "constant", a, b, by, a, c, "(%s + mutant_is(@))" % x)
    for m in re.finditer(r"\b(true|false)\b", code):
        if m.group() == "false" and without_effect(code, m.start()):
            continue
        by, schema = ("false", "!mutant_is(@)") if m.group() == "true" else ("true", "mutant_is(@)")
        yield "constant", m.start(), lambda a=m.start(), b=m.end(), by=by, schema=schema: Site("constant", a, b, by, a, b, schema)


def calls(code, text):
    for m in re.finditer(r"\b(?!(?:%s)\b)([a-z]\w*)(\()" % NOT_CALLS, code):
        start, end = m.start(), closing(code, m.start(2))
        before = code[:start].rstrip()
        if not end or before[-1:] == "." or before[-2:] == "->":
            continue
        if code[end] == ";" and "\n" in code[len(before):start] and re.search(r"([;{}):]|\belse|\bdo)$", before[-8:]):
            yield "dropped call", start, lambda a=start, b=end: Site(
                "dropped call", a, b, "(void)0", a, b + 1, "{ if (!mutant_is(@)) %s; }" % text[a:b])
        yield from swaps(code, text, start, m.end(), end)


def swaps(code, text, start, inside, end):
    """Two arguments, one after the other, swapped."""
    depth, ends = 1, [inside]
    for i in range(inside, end):
        depth += (code[i] in "([{") - (code[i] in ")]}")
        if (code[i] == "," and depth == 1) or i == end - 1:
            ends.append(i + 1)
    for a, b, c in zip(ends, ends[1:], ends[2:]):
        one, other = text[a:b - 1].strip(), text[b:c - 1].strip()
        if one != other:
            by = "%s, %s" % (other, one)
            at = a + len(text[a:b]) - len(text[a:b].lstrip())
            yield "swapped arguments", a, lambda at=at, c=c, by=by: Site("swapped arguments", at, c - 1, by, start, end, "(mutant_is(@) ? %s%s%s : %s)" % (
                text[start:at], by, text[c - 1:end], text[start:end]))


def sites(text):
    """For each line with sites: for each kind of change, functions that make a Site (or None)."""
    code = without_text(text)
    begins = [0] + [m.end() for m in re.finditer("\n", code)]
    lines = collections.defaultdict(lambda: collections.defaultdict(list))
    number = 0
    found = [f for find in (operators, conditions, constants, calls) for f in find(code, text)]
    for kind, at, make in sorted(found, key=lambda f: f[1]):
        while number < len(begins) and begins[number] <= at:
            number += 1
        if code[begins[number - 1]].isspace():  # otherwise outside of functions, or a function's head
            lines[number][kind].append(make)
    return lines
