# SPDX-License-Identifier: GPL-2.0-or-later
# Questions about recordings with known answers, asked of perf mcp: those of data/orders and data/shop are what perf report, perf diff
# and the programs' sources say; that of the forged recording is in its text (critical/checkouts).
. "$SRC/tools/perf/tests/tap"
. "$SRC/tools/perf/tests/critical/checkouts"
python3 -c 'import json' 2>/dev/null || skip_all "questions" "no python3"
checkouts_recording >in.txt
"$FORGE" in.txt checkouts.data
checkouts_spans >checkouts.json

# Recordings | tool | arguments | what is looked at | what it must be
cat >questions <<'TABLE'
orders|about|{}|a["events"][0]["samples"]|483
orders|about|{}|a["machines"][0]["hostname"]|"demo"
orders|about|{}|a["lost_samples"]|0
orders|about|{}|any("perf record --off-cpu" in c["record"] for c in a["cannot_answer"])|True
orders|about|{}|a["percent_of_samples_with"]["activity"]|96.48
orders|top|{"keys":"symbol"}|(r["symbol"], r["overhead"])|("[.] handle_place", 36.02)
orders|top|{"keys":"type"}|(r["type"], r["sample"])|("struct level", 176)
orders|top|{"keys":["span_id"]}|[x["overhead"] for x in a["rows"]][:3]|[41.82, 25.05, 18.22]
orders|top|{"keys":"trace_id"}|r["trace_id"]|"d4cda95b652f4a1592b449d5929fda1b"
orders|top|{"keys":"type"}|r["certain"]|35.82
orders|top|{"keys":"type","rows":50}|[x.get("certain", x["overhead"]) for x in a["rows"]] == sorted((x.get("certain", x["overhead"]) for x in a["rows"]), reverse=True)|True
orders|top|{"keys":"type"}|a["type_ranks"]["inferred"]|0.62
orders|top|{"keys":"type_rank"}|[x["type_rank"] for x in a["rows"]][:2]|["variable", "flow"]
orders|top|{"keys":"type","where":"type_rank=pseudo"}|r["type"]|"(stack operation)"
orders|top|{"keys":"comm"}|(len(a["rows"]), r["overhead"])|(1, 100)
orders|top|{"keys":"typeoff","where":"type=order"}|r["typeoff"]|"struct order +0 (id)"
orders|top|{"keys":"symbol","where":"symbol~HANDLE_C"}|[x["symbol"] for x in a["rows"]]|["[.] handle_cancel"]
orders|top|{"keys":"symbol,typeoff","rows":1}|(r["typeoff"], a["left_out"]["overhead"] > 70)|("struct level +0 (price)", True)
orders|drill|{"handle":"type=struct account"}|[x["sample"] for x in a["rows"]][:3]|[50, 40, 33]
orders|drill|{"handle":"type=struct account;typeoff=struct account +0x8 (cash)"}|r["symbol"]|"[.] handle_report"
orders|drill|{"handle":"type=no such type"}|a["rows"]|[]
orders|fields|{"type":"account"}|(a["size"], a["cache_lines"])|(96, 2)
orders|fields|{"type":"account"}|[x["member"] for x in a["rows"] if x.get("mark") == "hot"]|["cash", "position", "open_orders"]
orders|fields|{}|[x["type"] for x in a["rows"]][:3]|["struct level", "struct account", "struct order"]
orders|code|{"type":"account","field":"cash"}|(r["symbol"], r["sample"], r["access"])|("handle_report", 42, "read")
orders|code|{"symbol":"[.] handle_report"}|(r["place"], r["instruction"].split()[0], r["member"])|("handle_report+0x34", "add", "cash")
orders|derive|{"place":"handle_report+0x34"}|"the variable account" in r["step"]|True
orders|code|{"type":"nothing"}|e|"no sample touches that field of nothing: fields lists the types, or those of a type"
orders|derive|{"type":"account","field":"cash"}|a["title"]|"handle_report+0x34"
orders|why|{}|e|"orders.data has no waits: --critical needs perf record --off-cpu"
shop|top|{"keys":"span"}|[x["span"] for x in a["rows"]]|["checkout", "search"]
shop|top|{"keys":"typeoff","where":"span=search"}|r["typeoff"]|"struct order +0x8 (next)"
shop|top|{"keys":"typeoff","where":"span=checkout"}|r["typeoff"]|"struct order +0xc (nr_changes)"
shop|compare|{"with":"after.data","keys":"typeoff"}|(r["verdict"], r["typeoff"])|("more", "struct order +0x80 (flags)")
shop|compare|{"with":"after.data","keys":"typeoff"}|[x["verdict"] for x in a["rows"]]|["more", "less", "noise", "noise", "noise"]
shop|compare|{"with":"after.data","keys":"typeoff"}|a["next"][0]["file"].endswith("after.data")|True
shop|drill|{"file":"after.data","handle":"typeoff=struct order +0x80 (flags)"}|r["symbol"]|"[.] checkout"
shop|compare|{"keys":"typeoff"}|e|"compare: give with, the other recording"
checkouts|why|{"span":"checkout","slowest":5}|a["of"]|"checkout"
checkouts|why|{"span":"nothing"}|e != ""|True
TABLE
plan $(wc -l <questions)

cat >ask.py <<'PY'
import json, os, subprocess, sys
data = os.environ["SRC"] + "/tools/perf/tests/data/"
options = {
    "orders": ["-f", "--symfs", data + "orders", data + "orders/orders.data"],
    "shop": ["-f", "--symfs", data + "shop", "--spans", data + "shop/before.json", data + "shop/before.data", data + "shop/after.data"],
    "checkouts": ["--spans", "checkouts.json", "checkouts.data"],
}
rows = [line.rstrip("\n").split("|") for line in open("questions")]
for about in options:
    mine = [row for row in rows if row[0] == about]
    messages = [{"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": {"name": row[1], "arguments": json.loads(row[2])}}
                for i, row in enumerate(mine)]
    run = subprocess.run([os.environ["PERF"], "mcp"] + options[about], input="".join(json.dumps(m) + "\n" for m in messages),
                         capture_output=True, text=True)
    answers = {m["id"]: m["result"] for m in map(json.loads, run.stdout.splitlines())}
    if run.returncode or run.stderr:
        print("perf mcp:", run.returncode, run.stderr)
    for i, (_, tool, arguments, look, expect) in enumerate(mine):
        text = answers[i]["content"][0]["text"] if i in answers else ""
        failed = not answers.get(i) or answers[i]["isError"]
        a = {} if failed else json.loads(text)
        names = {"a": a, "e": text.replace(data + about + "/", "") if failed else "", "r": (a.get("rows") or [{}])[0], "any": any, "len": len, "sorted": sorted}
        try:
            got = eval(look, names)
        except Exception as error:
            got = repr(error) + " in " + text
        if got != eval(expect) or len(text) > 8192:
            print(got)
            print("not", end=" ")
        print("ok -", about, tool, arguments.replace("#", ""), look)
PY
python3 ask.py
