# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the pages of --panels against each other, and the page of --html against them.

panels.py sums JSON              every page adds up to the report's totals, and rows of the report are sums of samples
panels.py same JSON HTML         the page holds that JSON
panels.py requests JSON          the spans and thread states of shop.py
panels.py waits JSON             the waits of waits.txt are intervals of time
panels.py shell HTML HTML        two pages are the same but for their data
panels.py policy HTML            the page's policy has the hashes of its script and style, and nothing else may run
panels.py limits JSON            no page is larger than rows.md says
panels.py instances JSON         the paths of the page of instances add up to the instances, and agree with the tree
panels.py chosen JSON            of very many instances the slowest, and others of all lengths, are there; those of shop.py
"""
import base64
import collections
import gzip
import hashlib
import json
import re
import sys

sys.dont_write_bytecode = True
import shop  # noqa: E402


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def flat(rows, level=0):
    for row in rows:
        yield level, row["cells"], row
        yield from flat(row.get("rows", []), level + 1)


def of_kind(document, kind):
    return [page for page in document["pages"] if page.get("kind", document["kind"]) == kind]


def check(fine, what):
    if not fine:
        sys.exit(what)


def waits(path):
    document = load(path)
    page = of_kind(document, "timeline")[0]
    ns, nr = page["facts"]["slice_ns"], page["facts"]["slices"]
    by_slice = collections.Counter()
    for row in page["rows"]:
        if row["cells"]["period"] != 5000:
            by_slice[row["cells"]["slice"]] += row["cells"]["period"]
    check(nr * ns >= 2 * 10**9, "the timeline starts when the first wait ends")
    check(sum(by_slice.values()) == 22 * 10**8, "periods: %d" % sum(by_slice.values()))
    for slice in range(1, nr - 1):
        busy = by_slice[slice] / ns
        check(abs(busy - 1) < 0.001 or abs(busy - 2) < 0.001 or slice == int(1.8e9 / ns) or slice == int(1.8e9 / ns) + 1,
              "slice %d of %d has %f of its time" % (slice, nr, busy))


def requests(path):
    document = load(path)
    page = of_kind(document, "spans")[0]
    got = [tuple(row["cells"][name] for name in ("span", "tid", "begin", "duration", "source", "samples")) for row in page["rows"]]
    ms = 10**6
    want = [(name, "%d:shop" % thread, 10**9 + begin * ms, (end - begin) * ms, "samples", 2)
            for _, name, thread, begin, end in shop.REQUESTS if name != "report"]
    want.append(("report", "11:shop", 10**9 + 590 * ms, 400 * ms, "file", 2))
    check(sorted(got) == sorted(want), "spans: %s" % got)
    check([row[3] for row in got] == sorted((row[3] for row in got), reverse=True), "not the longest first: %s" % got)
    check(page["facts"]["spans"] == len(want), page["facts"])
    tops = {row["cells"]["name"]: [below["cells"]["period"] for below in row["rows"]] for row in of_kind(document, "frames")[0]["rows"]}
    check(tops == {"R (run queue), no call chain": [750 * ms], "[unknown]": [750 * ms]}, "frames: %s" % tops)


def sums(path):
    document = load(path)
    groups = [row["cells"] for row in of_kind(document, "samples")[0]["rows"]]
    frames = of_kind(document, "frames")[0]["rows"]
    timeline = [row["cells"] for row in of_kind(document, "timeline")[0]["rows"]]
    before = next((page for page in of_kind(document, "timeline") if "baseline" in page["facts"]), None)
    check(bool(before) == ("baseline" in of_kind(document, "samples")[0]["facts"]), "a timeline of the baseline")
    keys = {page["facts"]["key"]: page for page in of_kind(document, "keys")}
    check(groups, "no samples")
    for what in ("samples", "period"):
        whole = sum(g[what] for g in groups)
        by_frame = collections.Counter()
        for g in groups:
            by_frame[g["frame"]] += g[what]
        for _, cells, row in flat(frames):
            below = sum(r["cells"][what] for r in row.get("rows", []))
            check(cells[what] == below + by_frame[cells["id"]], "frame %s: %s" % (cells["name"], what))
        check(sum(r["cells"][what] for r in frames) + by_frame[0] == whole, "frames: %s" % what)
        check(sum(r["cells"][what] for r in of_kind(document, "sites")[0]["rows"]) == whole, "sites: %s" % what)
        by_group = collections.Counter()
        for moment in timeline:
            by_group[moment["group"]] += moment[what]
        check(all(by_group[g["id"]] == g[what] for g in groups), "timeline: %s" % what)
        if before:
            was = collections.Counter()
            for row in before["rows"]:
                was[row["cells"]["group"]] += row["cells"][what]
            check(all(was[g["id"]] == g[what + "_before"] for g in groups), "timeline before: %s" % what)
        for name, page in keys.items():
            of_value = collections.Counter()
            for g in groups:
                of_value[g[name]] += g[what]
            for row in page["rows"]:
                check(of_value[row["cells"]["id"]] == row["cells"][what], "key %s: %s" % (name, what))
    facts = of_kind(document, "timeline")[0]["facts"]
    check(all(0 <= m["slice"] < facts["slices"] for m in timeline), "slices")
    if not of_kind(document, "samples")[0]["facts"]["folded_samples"]:
        rows_are_sums(document, groups, keys)


def rows_are_sums(document, groups, keys):
    """Where all columns of a report's page are keys, each row is the sum of the samples with its values."""
    for page in of_kind(document, "profile"):
        names = [c["name"] for c in page["columns"] if c["kind"] not in ("share",)]
        if not all(name in keys for name in names) or len(page["events"]) > 1:
            continue
        values = {name: {r["cells"]["id"]: r["cells"].get("value", r["cells"]["name"]) for r in keys[name]["rows"]}
                  for name in names}
        want, got = collections.Counter(), collections.Counter()
        for g in groups:
            if g["event"] == page["events"][0]:
                want[tuple(values[name][g[name]] for name in names)] += g["period"]
        for _, cells, row in flat(page["rows"]):
            if all(name in cells for name in names):
                got[tuple(cells[name] for name in names)] += cells["overhead"]["number"]
        check(+got == +want or not got, "rows of %s: %s" % (page["title"], list((got - want) + (want - got))[:3]))


DATA = re.compile(rb'(<script type="application/x-perf-rows" id="data">)([A-Za-z0-9+/=\s]*)(</script>)')


def same(path, page):
    found = DATA.findall(read(page))
    check(len(found) == 1, "%d blocks of data" % len(found))
    check(gzip.decompress(base64.b64decode(found[0][1])) == read(path), "the page's data is not the JSON")


def shell(one, other):
    pages = [DATA.sub(rb"\1\3", read(path)) for path in (one, other)]
    check(DATA.search(read(one)) and pages[0] == pages[1], "the pages differ beside their data")


def critical(path):
    document = load(path)
    page = of_kind(document, "critical-instances")[0]
    paths = collections.defaultdict(list)
    for row in of_kind(document, "critical-paths")[0]["rows"]:
        paths[row["cells"]["instance"]].append(row["cells"])
    points = [row["cells"] for row in page["rows"]]
    for point in points:
        steps, at = paths.pop(point["instance"], []), 0
        check((point["path"] == "shown") == (point["segments"] is not None), point)
        check(len(steps) == (point["segments"] or 0), "segments: %s" % point)
        for step in steps:
            check(step["begin"] == at, "a gap: %s" % step)
            at += step["duration"]
        check(not steps or at == point["duration"], "the sum of the path: %s" % point)
    check(not paths, "paths of no instance")
    return document, page, points


def instances(path):
    document, page, points = critical(path)
    steps = [row["cells"] for row in of_kind(document, "critical-paths")[0]["rows"]]
    tree = next(p for p in document["pages"] if p.get("kind") == "critical")
    check(len(points) == page["facts"]["instances"] == page["facts"]["shown"] == page["facts"]["paths"] == 20, page["facts"])
    check([p["duration"] for p in points] == sorted((p["duration"] for p in points), reverse=True), "not the longest first")
    check([p["class"] for p in points] == ["slow"] + ["rest"] * 19, "classes")
    lock = next(row["cells"] for row in tree["rows"] if row["cells"]["kind"] == "wait" and row["cells"]["slow"]["number"] == 130 * 10**6)
    through = sum(s["duration"] for s in steps if s["through"] == lock["name"])
    check(through == 130 * 10**6, "time through %s: %d" % (lock["name"], through))
    check({s["key"] for s in steps if s["through"] == lock["name"]} == {"12:back"}, "the owner's thread")
    check(page["facts"]["answer"].startswith("The slowest 5 % of checkout (1 of 20, "), page["facts"]["answer"])
    keys = next(p for p in of_kind(document, "keys") if p["facts"]["key"] == "tid")
    names = {row["cells"]["name"].strip() for row in keys["rows"]}
    check({s["key"] for s in steps} <= names, "threads that the keys do not have: %s" % names)


def chosen(path):
    _, page, points = critical(path)
    check(page["facts"]["instances"] == shop.MANY + 1 and len(points) == page["facts"]["shown"] == 2000, page["facts"])
    check(points[0]["path"] == "too many segments", points[0])
    check(all(p["class"] == "slow" for p in points[:31]) and points[31]["class"] == "rest", "the slow class is whole")
    check(page["facts"]["paths"] == 300, page["facts"])
    shown = collections.Counter(p["duration"] for p in points if p["path"] == "shown" and p["class"] == "rest")
    # Seven lengths: each has a seventh of the rest, so of the chosen ones, too.
    check(len(shown) == 7 and max(shown.values()) - min(shown.values()) <= 6, shown)


def policy(path):
    page = read(path).decode()
    rule = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    check(rule, "no policy")
    check(page.index(rule.group(0)) < page.index("<style>") < page.index("<script"), "the policy is not first")
    rules = dict(part.strip().split(" ", 1) for part in rule.group(1).split(";"))
    check(rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'", rules)
    style = re.search(r"<style>(.*?)</style>", page, re.S).group(1)
    script = re.search(r'<script type="module">(.*?)</script>', page, re.S).group(1)
    for kind, text in (("style-src", style), ("script-src", script)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        check(rules[kind] == "'sha256-%s'" % digest, "%s: %s" % (kind, rules[kind]))
    check(not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function|https?://", script),
          "the script can make markup of text, or names a server")
    check(not re.search(r"\son\w+=|style=|src=|href=\"[^#]", re.search(r"<body>.*<script", page, re.S).group(0)[:8000].split("<script")[0]),
          "the page has handlers, styles or links in its markup")


def limits(path):
    document = load(path)
    largest = {"frames": 10000, "sites": 5000, "keys": 1001, "samples": 12100, "timeline": 60000, "spans": 1000}
    for kind, limit in largest.items():
        for page in of_kind(document, kind):
            nr = sum(1 for _ in flat(page["rows"]))
            check(nr <= limit, "%d rows of %s" % (nr, kind))
    check(of_kind(document, "timeline")[0]["facts"]["slices"] <= 1024, "slices")
    check(len(of_kind(document, "type")) <= 100, "types")


if __name__ == "__main__":
    {"sums": sums, "requests": requests, "waits": waits, "same": same, "shell": shell, "policy": policy, "limits": limits,
     "instances": instances, "chosen": chosen}[sys.argv[1]](*sys.argv[2:])
