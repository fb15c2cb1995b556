# SPDX-License-Identifier: GPL-2.0-or-later
# Where samples are, beside the misses of a simulated cache:
#
#   misses.py CALLGRIND CHARGED SAMPLED
#
# CALLGRIND is callgrind's output with --dump-instr=yes --compress-pos=no --compress-strings=no. CHARGED and SAMPLED are lines
# of "perf script -F ip,waited,typeoff,dso,dsoff", the second with --skid=sampled. Prints: samples, per cent of them on the 50
# instructions with most misses, as sampled, as charged and as the simulation's cycles are, and Spearman's correlation of the
# first two: over instructions, and over fields ("-": there are too few).
import bisect
import collections
import os
import re
import sys

TOP = 50
D1, LAST = 14, 250  # cycles of a miss; an instruction has one more


def load_misses(path):
    """(object's name, address in it) -> cycles of load misses, and the same for all cycles"""
    cost, cycles, events, name, skip = collections.Counter(), collections.Counter(), [], "", False
    for line in open(path, errors="replace"):
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("ob="):
            name = os.path.basename(line[3:].strip())
        elif line.startswith("calls="):
            skip = True  # the next line is what the callee cost
        elif line.startswith("0x"):
            words = line.split()
            if not skip:
                values = dict(zip(events, map(int, words[2:])))
                place, lost = (name, int(words[0], 16)), D1 * values.get("D1mr", 0) + LAST * values.get("DLmr", 0)
                cycles[place] += values.get("Ir", 0) + lost
                if lost:
                    cost[place] += lost
            skip = False
    return cost, cycles


LINE = re.compile(r"\s*(?:0x([0-9a-f]+) )?(.*?)\s+([0-9a-f]+) \((.*)\+0x([0-9a-f]+)\)$")


def load_samples(path):
    """One (object's name, address in it) and field for each sample: what it is charged to, and what is there."""
    found, places = [], {}
    for line in open(path, errors="replace"):
        match = LINE.match(line.rstrip())
        if match:
            waited, field, ip, dso, offset = match.groups()
            places[int(ip, 16)] = os.path.basename(dso), int(offset, 16)
            found.append((int(waited or ip, 16), int(ip, 16), field))
    known, samples = sorted(places), []
    for at, ip, field in found:
        near = known[max(0, bisect.bisect_right(known, at) - 1)]
        near = ip if abs(at - ip) < abs(at - near) else near
        samples.append(((places[near][0], places[near][1] + at - near), field))
    return samples


def ranks(values):
    order, out = sorted(range(len(values)), key=values.__getitem__), [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for i in range(start, end):
            out[order[i]] = (start + end - 1) / 2
        start = end
    return out


def spearman(misses, samples, part):
    """Over what has one of @part misses or more; None: that is too little."""
    least = sum(misses.values()) / part
    keys = [k for k in misses if misses[k] >= least]
    x, y = ranks([misses[k] for k in keys]), ranks([samples[k] for k in keys])
    n = len(keys)
    mean = (n - 1) / 2
    xy = sum((p - mean) * (q - mean) for p, q in zip(x, y))
    xx, yy = sum((p - mean) ** 2 for p in x), sum((q - mean) ** 2 for q in y)
    return xy / (xx * yy) ** 0.5 if n >= 5 and xx and yy else None


def of_fields(misses, *answers):
    """The misses of each field that is known, and for each list of samples theirs."""
    fields = {place: field for samples in answers for place, field in samples if not field.startswith("(")}
    sums = collections.Counter()
    for place, cycles in misses.items():
        if place in fields:
            sums[fields[place]] += cycles
    return [sums] + [collections.Counter(field for _, field in samples) for samples in answers]


def main():
    misses, cycles = load_misses(sys.argv[1])
    objects = {name for name, _ in misses}
    charged, sampled = ([s for s in load_samples(path) if s[0][0] in objects] for path in sys.argv[2:4])
    counts = [collections.Counter(place for place, _ in samples) for samples in (sampled, charged)]
    top = [k for k, _ in misses.most_common(TOP)]
    shares = [100 * sum(c[k] for k in top) / (sum(c.values()) or 1) for c in counts + [cycles]]
    by_field, *field_counts = of_fields(misses, sampled, charged)
    correlations = [spearman(misses, c, 10000) for c in counts] + [spearman(by_field, c, 1000) for c in field_counts]
    print(len(sampled), *("%.1f" % share for share in shares),
          *("-" if c is None else "%.2f" % c for c in correlations))


main()
