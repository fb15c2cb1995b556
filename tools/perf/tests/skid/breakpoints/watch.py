# SPDX-License-Identifier: GPL-2.0-or-later
# Watches what objects.py has picked, four addresses at a time, and counts what perf says of the hits:
#
#   watch.py record PERF PID PICKS FOLDER SECONDS
#   watch.py ask "PERF [OPTION...]" FOLDER
#   watch.py addresses PERF FOLDER
#
# record keeps FOLDER/N.data and, in N.picks, the lines of PICKS that it is about. The pointers that lead to an object must be
# the same before and after a recording, else its hits do not count. ask prints a line for each instruction that
# touched a picked address: LENGTH CLASS TYPE OFFSET SIZE FIELD ADDRESS IP SYMBOL HITS ANSWER, tab-separated. OPTIONs are for perf script. addresses prints a line for each instruction and watched address: ADDRESS IP
# HITS HOW DISTANCE: how the address of the access is known, and by how many bytes it is below the watched ones.
import collections
import glob
import os
import re
import struct
import subprocess
import sys

DEBUG_REGISTERS = 4
ADDRESS, LENGTH, SLOTS = 0, 1, 7


def still_there(pid, pick):
    with open("/proc/%d/mem" % pid, "rb", 0) as memory:
        for slot in filter(None, pick[SLOTS].split(",")):
            address, value = (int(x, 16) for x in slot.split("="))
            try:
                memory.seek(address)
                if struct.unpack("Q", memory.read(8))[0] != value:
                    return False
            except OSError:
                return False
    return True


def load(path):
    return [line.rstrip("\n").split("\t") for line in open(path)]


def record(perf, pid, picks, folder, seconds):
    number = len(glob.glob(folder + "/*.picks"))
    while picks:
        group = [p for p in picks[:DEBUG_REGISTERS] if still_there(pid, p)]
        del picks[:DEBUG_REGISTERS]
        if not group:
            continue
        data = "%s/%d.data" % (folder, number)
        events = [word for p in group for word in ("-e", "mem:%s/%s:rw:u" % (p[ADDRESS], p[LENGTH]))]
        done = subprocess.run([perf, "record", "-q", "-o", data, "-I", "-p", str(pid)] + events + ["--", "sleep", seconds],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode:
            sys.exit("watch: %s" % done.stderr.decode().strip())
        with open("%s/%d.picks" % (folder, number), "w") as kept:
            kept.writelines("\t".join(p) + "\n" for p in group if still_there(pid, p))
        number += 1


def ask(command, folder):
    perf, *options = command.split()
    for path in sorted(glob.glob(folder + "/*.picks")):
        picks = {int(p[ADDRESS], 16): p for p in load(path)}
        found = collections.Counter()
        script = subprocess.run([perf, "script", "-i", path.replace(".picks", ".data"), "-F", "event,ip,sym,typeoff"] + options,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in script.stdout.decode(errors="replace").splitlines():
            # "mem:0x404030:  struct node +0x8 (id)    401143 walk": blanks follow the answer.
            match = re.match(r"\s*mem:(0x[0-9a-f]+)[^ ]*\s+(.*?)\s+([0-9a-f]{4,16}) (.*)", line)
            if match:
                found[match.groups()] += 1
        for (address, answer, ip, symbol), hits in found.items():
            pick = picks.get(int(address, 16))
            if pick:
                print("\t".join(pick[LENGTH:SLOTS] + [address, ip, symbol, str(hits), answer]))


def addresses(perf, folder):
    found = collections.Counter()
    for path in sorted(glob.glob(folder + "/*.picks")):
        lengths = {int(p[ADDRESS], 16): int(p[LENGTH]) for p in load(path)}
        script = subprocess.run([perf, "script", "-i", path.replace(".picks", ".data"), "-F", "event,ip,daddr,daddr_how"],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in script.stdout.decode(errors="replace").splitlines():
            # "mem:0x404030:  0x0000000000404030 computed    401143"
            match = re.match(r"\s*mem:(0x[0-9a-f]+)[^ ]*\s+(\S+) (.*?)\s+([0-9a-f]{4,16})$", line)
            if not match or int(match[1], 16) not in lengths:
                continue
            watched, address, how, ip = match.groups()
            distance = int(watched, 16) - int(address, 16) if how == "computed" else 0
            if -lengths[int(watched, 16)] < distance < 0:
                distance = 0  # the access begins in the watched bytes
            found[watched, ip, how, distance] += 1
    for (watched, ip, how, distance), hits in found.items():
        print("\t".join([watched, ip, str(hits), how, str(distance)]))


if sys.argv[1] == "record":
    record(sys.argv[2], int(sys.argv[3]), load(sys.argv[4]), sys.argv[5], sys.argv[6])
elif sys.argv[1] == "ask":
    ask(sys.argv[2], sys.argv[3])
else:
    addresses(sys.argv[2], sys.argv[3])
