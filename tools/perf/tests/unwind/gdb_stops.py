# SPDX-License-Identifier: GPL-2.0-or-later
# Stops a program under gdb and writes its registers, stack and gdb's call chain each time, as stacks.h reads them.
#
#   gdb -nx -batch -ex 'python nr, file = 400, "stacks"' -x gdb_stops.py -p PID
#	random instants, all threads; after each, a few single steps
#   gdb -nx -batch -ex 'python nr, file, start = 3000, "stacks", "main"' -x gdb_stops.py --args COMMAND...
#	single steps from a function on (each of the program's first calls through the PLT is among them)
import os
import random
import signal
import struct
import threading

import gdb

STACK_MAX = 256 << 10
FRAMES_MAX = 512
STEPS = 4  # after each stop
BLOCKED = 0.1  # seconds
NAMES = "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip".split()
NARROW = "eax edx ecx ebx esi edi ebp esp - - - - - - - - eip".split()  # of 32-bit programs
MASK = (1 << 64) - 1


def mappings(pid):
    """(start, end, whole line) of each."""
    with open(f"/proc/{pid}/maps") as f:
        for line in f:
            start, end = (int(x, 16) for x in line.split()[0].split("-"))
            yield start, end, line


def chain():
    ips = []
    try:
        frame = gdb.newest_frame()
        while frame is not None and len(ips) < FRAMES_MAX:
            # Inlined functions and tail calls, which gdb infers, have no frame of their own; no code is at 0.
            if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME) and frame.pc():
                ips.append(frame.pc())
            frame = frame.older()
    except gdb.error:
        pass
    return ips


class Stops:
    def __init__(self, out):
        self.out = out
        self.nr = 0

    def write_thread(self, pid, memory):
        frame = gdb.newest_frame()
        wide = frame.architecture().name() == "i386:x86-64"
        mask = MASK if wide else MASK >> 32
        regs = [int(frame.read_register(n)) & mask if n != "-" else 0 for n in (NAMES if wide else NARROW)]
        sp = regs[7]
        size = 0
        for start, end, _ in mappings(pid):
            if start <= sp < end:
                size = min(end - sp, STACK_MAX) & ~7
        stack = os.pread(memory, size, sp) if size else b""
        ips = chain()
        self.out.write(struct.pack("<20Q", *regs, sp, len(stack), len(ips)))
        self.out.write(struct.pack(f"<{len(ips)}Q", *ips) + stack)
        self.nr += 1

    def write_all(self, pid, memory, wanted):
        for thread in gdb.selected_inferior().threads():
            if self.nr < wanted and thread.is_valid():
                thread.switch()
                self.write_thread(pid, memory)


def write_surroundings(pid, memory, to):
    with open(to + ".maps", "w") as f:
        for start, end, line in mappings(pid):
            f.write(line)
            if line.rstrip().endswith("[vdso]"):
                with open(to + ".vdso", "wb") as vdso:
                    vdso.write(os.pread(memory, end - start, start))


def alive():
    return gdb.selected_inferior().pid != 0


def interrupted(pid, seconds, command):
    """Runs a gdb command that lets the program run, for so long at most."""
    timer = threading.Timer(seconds, os.kill, (pid, signal.SIGINT))
    timer.start()
    gdb.execute(command, to_string=True)
    timer.cancel()
    timer.join()


def random_stops(stops, pid, memory, wanted):
    while stops.nr < wanted:
        interrupted(pid, random.uniform(0.0005, 0.005), "continue")
        if not alive():
            break
        stops.write_all(pid, memory, wanted)
        for _ in range(STEPS):
            if stops.nr < wanted:
                interrupted(pid, BLOCKED, "stepi")  # of a system call that waits
                stops.write_thread(pid, memory)


def steps_from_start(stops, pid, memory, wanted):
    while stops.nr < wanted and alive():
        stops.write_thread(pid, memory)
        interrupted(pid, BLOCKED, "stepi")


for setting in ("debuginfod enabled off", "pagination off", "confirm off", "backtrace past-main on",
                "backtrace past-entry on", "backtrace limit unlimited"):
    gdb.execute("set " + setting, to_string=True)
gdb.execute("handle SIGINT stop nopass", to_string=True)
for passed in ("SIGVTALRM", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGURG", "SIGPROF"):
    gdb.execute(f"handle {passed} nostop noprint pass", to_string=True)
random.seed(7)
from_start = globals().get("start")
if from_start:
    gdb.execute("tbreak " + from_start, to_string=True)
    gdb.execute("run >/dev/null", to_string=True)
gdb.execute("set scheduler-locking step", to_string=True)
process = gdb.selected_inferior().pid
memory = os.open(f"/proc/{process}/mem", os.O_RDONLY)
with open(file, "wb") as out:
    stops = Stops(out)
    (steps_from_start if from_start else random_stops)(stops, process, memory, nr)
    if alive():
        write_surroundings(process, memory, file)
        gdb.execute("kill")
print(f"{stops.nr} stacks")
