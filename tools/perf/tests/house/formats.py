# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds --format=json and csv against the schema, and against the text of the same report.

formats.py schema SCHEMA JSON            the document is valid
formats.py text JSON TEXT                TEXT is stdio's, with -t '|' -q -g none
formats.py csv JSON CSV                  the same rows, the same numbers
formats.py lines SCHEMA JSON             every line of perf script's is valid
formats.py samples JSON TEXT             TEXT is perf script's -G --ns -F comm,pid,tid,time,period,event,ip,sym,symoff,dso
formats.py samples-csv JSON CSV          the same samples
formats.py sums JSON                     of a hierarchy or tree: what is below adds up to what is above
formats.py serve                         each line of the input is one of these, its words with tabs between; an answer ends in "= STATUS"
"""
import csv
import functools
import json
import sys
import traceback


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def flat(rows, level=0):
    for row in rows:
        yield level, row
        yield from flat(row.get("rows", []), level + 1)


def as_list(cell):
    return cell if isinstance(cell, list) else [cell]


def shown(column, cell):
    """As stdio prints it."""
    if cell is None:
        return None
    if column["kind"] == "share":
        return "%.2f%%" % cell["percent"]
    if column["kind"] == "average":
        return "%.1f" % cell
    return str(cell)


def same_text(document, path):
    lines = []
    for page in document["pages"]:
        for _, row in flat(page["rows"]):
            cells = []
            for column in page["columns"]:
                cell = row["cells"][column["name"]]
                cells.append([shown(column, part) for part in as_list(cell)])
            lines.append((cells, page["columns"]))
    with open(path, encoding="utf-8") as file:
        texts = [line.rstrip("\n") for line in file if line.strip()]
    if len(texts) != len(lines):
        return "%d lines of text, %d rows" % (len(texts), len(lines))
    for text, (cells, columns) in zip(texts, lines):
        parts = text.split("|")
        if len(parts) != len(cells):
            return "%s: %d cells, not %d" % (text, len(parts), len(cells))
        for part, cell, column in zip(parts, cells, columns):
            if None in cell:
                continue
            if column["kind"] in ("id", "address"):
                base = 10 if column["kind"] == "id" else 16
                part, cell = "%d" % int(part.split()[-1], base), ["%d" % int(cell[0], base)]
            if column["kind"] == "time":
                part, cell = part.replace(".", ""), ["%07d" % (int(cell[0]) // 1000)]
            if part.split() != " ".join(cell).replace("|", ".").split():
                return "%s: %s, not %s" % (text, part, cell)
    return None if lines else "no rows"


def same_csv(document, path):
    with open(path, encoding="utf-8", newline="") as file:
        table = list(csv.reader(file))
    titles = None
    table.reverse()
    for page in document["pages"]:
        for level, row in flat(page["rows"]):
            if titles is None or not table[-1]:
                while not table[-1]:
                    table.pop()
                titles = table.pop()
            line = dict(zip(titles, table.pop()))
            if line["page"] != page["title"]:
                return "page %s, not %s" % (line["page"], page["title"])
            if "level" in line and int(line["level"]) != level:
                return "level %s, not %d: %s" % (line["level"], level, line)
            for column in page["columns"]:
                if column["name"] not in row["cells"]:
                    continue
                name = column["name"]
                if column["kind"] in ("share", "time", "bytes"):
                    name += "_" + column["unit"]
                parts = as_list(row["cells"][column["name"]])
                for i, part in enumerate(parts):
                    got = line[name if len(parts) == 1 else name + ":" + page["events"][i]]
                    if column["kind"] == "share":
                        part = part["percent"]
                    if part is None:
                        ok = got == ""
                    elif isinstance(part, float):
                        ok = abs(float(got) - part) < 1e-6
                    else:
                        ok = got == str(part)
                    if not ok:
                        return "%s: %s, not %s" % (name, got, part)
    return "%d lines more" % len(table) if table else None


def sums(document):
    nr = 0
    for page in document["pages"]:
        name = page["columns"][0]["name"]
        for _, row in flat(page["rows"]):
            below = row.get("rows")
            if not below:
                continue
            nr += 1
            total = sum(b["cells"][name]["number"] for b in below)
            if total > row["cells"][name]["number"]:
                return "%s: %d below" % (row["cells"], total)
    return None if nr else "nothing is below anything"


def load_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def same_samples(lines, path):
    with open(path, encoding="utf-8") as file:
        texts = file.read().splitlines()
    if len(texts) != len(lines) - 1 or not texts:
        return "%d lines of text, %d samples" % (len(texts), len(lines) - 1)
    for text, line in zip(texts, lines[1:]):
        cells = line["cells"]
        secs, ns = divmod(cells["time"], 1000000000)
        symbol = cells.get("sym", "[unknown]")
        if "sym" in cells:
            symbol += "+0x%x" % cells["symoff"]
        parts = [cells["comm"], "%d/%d" % (cells["pid"], cells["tid"]), "%d.%09d:" % (secs, ns),
                 str(cells["period"]), cells["event"] + ":", cells["ip"][2:], symbol,
                 "(%s)" % cells.get("dso", "[unknown]")]
        if text.split() != " ".join(parts).split():
            return "%s: not %s" % (text, parts)
    return None


def same_samples_csv(lines, path):
    with open(path, encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    if len(table) != len(lines) - 1 or not table:
        return "%d lines, %d samples" % (len(table), len(lines) - 1)
    for got, line in zip(table, lines[1:]):
        for column in lines[0]["columns"]:
            name = column["name"]
            if column["kind"] in ("time", "bytes"):
                name += "_" + column["unit"]
            if got[name] != str(line["cells"].get(column["name"], "")):
                return "%s: %s, not %s" % (name, got[name], line["cells"])
    return None


@functools.cache
def validator_of(path):
    import jsonschema
    schema = load(path)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def holds(what, path, other=None):
    """Prints what is wrong. Returns whether something is."""
    if what == "schema":
        import jsonschema
        error = jsonschema.exceptions.best_match(validator_of(path).iter_errors(load(other)))
        wrong = error and "%s: %s" % (error.json_path, error.message[:300])
    elif what == "lines":
        validator = validator_of(path)
        lines = load_lines(other)
        wrong = None if len(lines) > 1 and "format" in lines[0] else "no lines"
        for line in lines:
            for error in validator.iter_errors(line):
                wrong = "%s: %s" % (line, error.message[:300])
    elif what == "samples":
        wrong = same_samples(load_lines(path), other)
    elif what == "samples-csv":
        wrong = same_samples_csv(load_lines(path), other)
    elif what == "text":
        wrong = same_text(load(path), other)
    elif what == "csv":
        wrong = same_csv(load(path), other)
    elif what == "sums":
        wrong = sums(load(path))
    else:
        wrong = "what is %s?" % what
    if wrong:
        print(wrong)
    return bool(wrong)


def serve():
    for line in sys.stdin:
        try:
            status = holds(*line.rstrip("\n").split("\t"))
        except Exception:
            print(traceback.format_exc())
            status = True
        print("= %d" % status, flush=True)


if sys.argv[1] == "serve":
    serve()
else:
    sys.exit(holds(*sys.argv[1:]))
