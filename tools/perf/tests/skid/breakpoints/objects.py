# SPDX-License-Identifier: GPL-2.0-or-later
# Chooses memory whose type is known, in a program that gdb has stopped:
#
#   PICKS=FILE SEEN=FILE NR=N ROOTS=FILE gdb -batch -p PID -x objects.py
#
# Starts at the variables with static storage and follows pointers by their declared types. ROOTS adds lines
# "EXPRESSION" or "EXPRESSION: TYPE", for pointers that are declared as void *; "@FUNCTION EXPRESSION" is evaluated in
# the frame of FUNCTION. %d in one is replaced by 0 to 63.
#
# PICKS gets N lines: ADDRESS LENGTH CLASS TYPE OFFSET SIZE FIELD SLOT=POINTER,..., tab-separated. TYPE is that of the object
# with the field at OFFSET. The pointers on the way to it must still be in their slots when the address is used.
# Fields that were picked less often come first; SEEN counts them.
import os
import random
import re

import gdb

MAX_OBJECTS = 1500
PER_TYPE = 12
SCALARS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR,
           gdb.TYPE_CODE_REF)


class Finder:
    def __init__(self):
        self.queue, self.visited, self.per_type, self.candidates = [], set(), {}, []

    def readable(self, address, size):
        try:
            gdb.selected_inferior().read_memory(address, max(1, size))
            return True
        except gdb.MemoryError:
            return False

    def add(self, value, kind, slots):
        """A struct at an address, or a scalar variable."""
        plain = value.type.strip_typedefs()
        address = int(value.address)
        name = plain.name or plain.tag
        if plain.code == gdb.TYPE_CODE_ARRAY:
            low, high = plain.range()
            for i in sorted(set(list(range(low, min(high, 2) + 1)) + random.sample(range(low, high + 1), min(3, max(0, high + 1 - low))))):
                self.add(value[i], kind, slots)
            return
        if (address, name) in self.visited or len(self.visited) > MAX_OBJECTS:
            return
        self.visited.add((address, name))
        if plain.code == gdb.TYPE_CODE_STRUCT:
            if not name or self.per_type.get(name, 0) >= PER_TYPE:
                return
            self.per_type[name] = self.per_type.get(name, 0) + 1
            self.queue.append((value, kind, slots, name))
        elif plain.code in SCALARS:
            self.candidate(value, kind, str(value.type).replace("_Atomic ", ""), address, plain.sizeof, "", slots)
            self.follow(value, slots)

    def candidate(self, value, kind, type_name, start, size, field, slots):
        address, length = int(value.address), value.type.strip_typedefs().sizeof
        if length in (1, 2, 4, 8) and address % length == 0:
            self.candidates.append((address, length, kind, type_name, address - start, size, field, slots))

    def follow(self, value, slots):
        plain = value.type.strip_typedefs()
        if plain.code != gdb.TYPE_CODE_PTR:
            return
        pointed = plain.target().strip_typedefs()
        to = int(value)
        if not to or pointed.sizeof == 0 or not self.readable(to, pointed.sizeof):
            return
        slots = slots + [(int(value.address), to)]
        if pointed.code == gdb.TYPE_CODE_STRUCT:
            self.add(value.dereference(), "heap", slots)
        elif pointed.code == gdb.TYPE_CODE_PTR:
            self.follow(value.dereference(), slots)

    def members(self, value, kind, slots, name, start, path):
        for field in value.type.strip_typedefs().fields():
            if not hasattr(field, "bitpos") or field.bitsize or field.artificial:
                continue
            member = value[field]
            plain = member.type.strip_typedefs()
            inner = path if field.is_base_class else path + "." + (field.name or "")
            if plain.code == gdb.TYPE_CODE_STRUCT:
                self.members(member, kind, slots, name, start, inner)
            elif plain.code == gdb.TYPE_CODE_ARRAY:
                self.elements(member, kind, slots, name, start, inner)
            elif plain.code in SCALARS:
                self.candidate(member, kind, name, start, self.size, inner, slots)
                self.follow(member, slots)

    def elements(self, value, kind, slots, name, start, path):
        low, high = value.type.strip_typedefs().range()
        last = min(high, low + 1)
        for i in list(range(low, last + 1)) + random.sample(range(last + 1, high + 1), min(14, max(0, high - last))):
            member = value[i]
            plain = member.type.strip_typedefs()
            if plain.code in SCALARS:
                self.candidate(member, kind, name, start, self.size, path + "[]", slots)
                self.follow(member, slots)
            elif plain.code == gdb.TYPE_CODE_STRUCT:
                self.members(member, kind, slots, name, start, path + "[]")

    def walk(self):
        while self.queue:
            value, kind, slots, name = self.queue.pop(0)
            self.size = value.type.strip_typedefs().sizeof
            try:
                self.members(value, kind, slots, name, int(value.address), "")
            except gdb.error:
                pass


def variables():
    """With static storage, of the program and not of libraries."""
    program = gdb.current_progspace().filename
    for path in re.findall(r"^File (.*):$", gdb.execute("info variables -n -q", to_string=True), re.M):
        try:
            symtab = gdb.decode_line("'%s':1" % path)[1][0].symtab
        except (gdb.error, TypeError):
            continue
        if symtab and symtab.objfile.filename == program:
            for block in symtab.static_block(), symtab.global_block():
                yield from (s for s in block if s.is_variable and not s.needs_frame)


def in_frame(expression):
    function, _, expression = expression[1:].partition(" ")
    frame = gdb.newest_frame()
    while frame and frame.name() != function:
        frame = frame.older()
    if frame:
        frame.select()
        return gdb.parse_and_eval(expression)
    return None


def add_root(finder, line):
    expression, _, type_name = line.partition(": ")
    for i in range(64 if "%d" in expression else 1):
        try:
            value = in_frame(expression) if expression[0] == "@" else gdb.parse_and_eval(expression.replace("%d", str(i)))
            if value is None:
                continue
            if not type_name:
                finder.add(value, "frame" if expression[0] == "@" else "heap", [])
            elif int(value):
                target = value.cast(gdb.lookup_type(type_name).pointer()).dereference()
                if finder.readable(int(target.address), target.type.sizeof):
                    finder.add(target, "heap", [(int(value.address), int(value))])
        except gdb.error:
            continue


def main():
    finder = Finder()
    random.seed(int(os.environ.get("SEED", "1")))
    roots = os.environ.get("ROOTS")
    for line in filter(str.strip, open(roots) if roots else []):
        add_root(finder, line.strip())
    for symbol in variables():
        try:
            value = symbol.value()
            if value.address is not None and not value.type.strip_typedefs().const().sizeof == 0:
                finder.add(value, "global", [])
        except gdb.error:
            continue
    finder.walk()
    seen = {}
    if os.path.exists(os.environ["SEEN"]):
        for line in open(os.environ["SEEN"]):
            key, _, times = line.rstrip("\n").rpartition("\t")
            seen[key] = int(times)
    random.shuffle(finder.candidates)
    with open(os.environ["PICKS"], "w") as picks:
        chosen, used = 0, {}
        for c in sorted(finder.candidates, key=lambda c: seen.get("%s\t%d" % (c[3], c[4]), 0)):
            key = "%s\t%d" % (c[3], c[4])
            if chosen >= int(os.environ["NR"]):
                break
            if used.get(key, 0):
                continue
            used[key] = 1
            seen[key] = seen.get(key, 0) + 1
            chosen += 1
            slots = ",".join("%#x=%#x" % s for s in c[7])
            picks.write("%#x\t%d\t%s\t%s\t%d\t%d\t%s\t%s\n" % (c[:7] + (slots,)))
    with open(os.environ["SEEN"], "w") as out:
        out.writelines("%s\t%d\n" % s for s in seen.items())
    print("objects %d, fields %d, picked %d" % (len(finder.visited), len(finder.candidates), chosen))


gdb.execute("set confirm off")
gdb.execute("set print elements 1")
main()
