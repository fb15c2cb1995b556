#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""charged.py PERF IN OUT: a copy of a recording in which each sample has the address of the instruction that it is charged to.

With --skid=sampled, a report of the copy asks for the same data as one of the recording with the rule. The samples are those of one
event with thread and time, uncompressed, as `perf record -e cpu-clock:u` writes them.
"""
import struct
import subprocess
import sys

PERF_RECORD_SAMPLE = 9
IP_TID_TIME = 7
IDENTIFIER = 1 << 16


def charged_addresses(perf, file):
    """By thread and time: the address that waited. Samples that are charged to no instruction are left out."""
    fields = ["-F", "tid,time,ip,waited,type"]
    lines = subprocess.run([perf, "script", "-i", file, "--ns", *fields], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in lines.splitlines():
        tid, time, waited = line.split()[:3]
        if waited.startswith("0x"):
            found[int(tid), int(time.rstrip(":").replace(".", ""))] = int(waited, 16)
    return found


def main():
    perf, source, target = sys.argv[1:]
    charged = charged_addresses(perf, source)
    with open(source, "rb") as file:
        data = bytearray(file.read())
    (attrs,) = struct.unpack_from("<Q", data, 24)
    at, size = struct.unpack_from("<QQ", data, 40)
    (sample_type,) = struct.unpack_from("<Q", data, attrs + 24)
    if sample_type & IP_TID_TIME != IP_TID_TIME:
        sys.exit(f"{source}: samples without address, thread and time")
    end = at + size
    while at < end:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if kind == PERF_RECORD_SAMPLE:
            ip = at + (16 if sample_type & IDENTIFIER else 8)
            _, _, tid, time = struct.unpack_from("<QIIQ", data, ip)
            struct.pack_into("<Q", data, ip, charged.get((tid, time), struct.unpack_from("<Q", data, ip)[0]))
        at += max(size, 8)
    with open(target, "wb") as file:
        file.write(data)


main()
