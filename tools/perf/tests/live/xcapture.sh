#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perf data convert --to=xcapture: the columns of xcapture 3 with the recording's values.
. "$SRC/tools/perf/tests/live/common"
plan 31

"$PERF" record -q --wall -g -o x.data -- "$WORKLOADS/states" 3 >states.out 2>err
check "it records" test -s x.data
"$PERF" data convert --to=xcapture -i x.data -o csv -F 20 -v >out 2>err
check "it converts" eval 'grep -q "^[0-9]* rows are in csv$" err'
file=$(ls csv/xcapture_samples_????-??-??.??.csv 2>/dev/null | head -1)
check "a file by the hour" test -s "$file"
check "titles of the samples" test "$(head -1 "$file")" = "TIMESTAMP,WEIGHT_US,TID,TGID,PIDNS,CGROUP_ID,STATE,USERNAME,EXE,COMM,SYSCALL,SYSCALL_ACTIVE,SYSC_ENTRY_TIME,SYSC_NS_SO_FAR,SYSC_SEQ_NUM,IORQ_SEQ_NUM,SYSC_ARG1,SYSC_ARG2,SYSC_ARG3,SYSC_ARG4,SYSC_ARG5,SYSC_ARG6,FILENAME,CONNECTION,CONN_STATE,EXTRA_INFO,KSTACK_HASH,USTACK_HASH"
check "titles of the stacks" eval 'head -qn1 csv/xcapture_ustacks_* | grep -qx "USTACK_HASH,USTACK_SYMS"'
if python3 -c 'import csv, sqlite3' 2>/dev/null; then
	cat >ask.py <<'PY'
import csv, sqlite3, glob, sys
db = sqlite3.connect(":memory:")
for kind in ("samples", "kstacks", "ustacks"):
    rows = [r for f in sorted(glob.glob(f"csv/xcapture_{kind}_*.csv")) for r in csv.reader(open(f), quotechar="'")]
    if not rows: continue
    db.execute(f"CREATE TABLE {kind} ({', '.join(rows[0])})")
    n = len(rows[0])
    bad = [r for r in rows if len(r) != n]
    if bad: sys.exit(f"{kind}: a row has {len(bad[0])} columns of {n}: {bad[0]}")
    db.executemany(f"INSERT INTO {kind} VALUES ({','.join('?' * n)})", [r for r in rows if r[0] != rows[0][0]])
for row in db.execute(sys.argv[1]): print("|".join(str(c) for c in row))
PY
	ask() { python3 ask.py "$1" >found 2>err; }
	# Instants are 50 ms apart: each thread is up to two of them off. By its id, as threads begin with the name of the first.
	"$PERF" script -i x.data -G -F tid,period 2>/dev/null | awk '{ s[$1] += $2 / 1e9 } END { for (t in s) print t "|" s[t] }' >reported
	ask "SELECT TID, SUM(WEIGHT_US) / 1e6 FROM samples GROUP BY TID"
	check "each thread has its time" awk -F'|' 'NR == FNR { want[$1] = $2; next } { n++; if ($2 < want[$1] - 0.11 || $2 > want[$1] + 0.11) { print "# " $0 " of " want[$1]; bad = 1 } } END { exit bad || n < 10 }' reported found
	for row in futex:futex pipe:read tcp:recvfrom epoll:epoll_wait nap:clock_nanosleep; do
		ask "SELECT 100.0 * SUM(STATE = 'SLEEP' AND SYSCALL = '${row#*:}' AND SYSCALL_ACTIVE = SYSCALL) / COUNT(*) FROM samples WHERE COMM = '${row%:*}'"
		check "${row%:*} sleeps in ${row#*:}" awk '{ exit !($1 > 95) }' found
	done
	ask "SELECT DISTINCT STATE FROM samples WHERE COMM IN ('spin', 'stopped', 'vfork', 'zombie') ORDER BY 1"
	check "states by their names" eval 'grep -qx RUNQ found || grep -qx RUN found; ! grep -vxE "RUN|RUNQ|STOPPED|DISK|DEAD|SLEEP" found; grep -qx STOPPED found && grep -qx DISK found && grep -qx DEAD found'
	ask "SELECT MAX(SYSC_NS_SO_FAR + 0) / 1e9 FROM samples WHERE COMM = 'pipe'"
	check "how long a call has lasted" awk '{ exit !($1 > 2.5 && $1 < 20) }' found
	ask "SELECT DISTINCT CONN_STATE FROM samples WHERE COMM = 'tcp' AND STATE = 'SLEEP'"
	check "the connection's state" eval '[[ $(id -u) != 0 ]] || grep -qx ESTABLISHED found'
	ask "SELECT COUNT(DISTINCT SUBSTR(SYSC_ENTRY_TIME, 1, 23)), MAX(SYSC_ENTRY_TIME) < MAX(TIMESTAMP) FROM samples WHERE COMM = 'pipe' AND SYSCALL_ACTIVE = 'read'"
	check "when the call was entered" awk -F'|' '{ exit !($1 >= 1 && $1 <= 3 && $2 == 1) }' found
	ask "SELECT DISTINCT PIDNS FROM samples WHERE COMM = 'pipe'"
	check "the pid namespace" grep -qx "$(stat -Lc %i /proc/self/ns/pid)" found
	ask "SELECT DISTINCT EXE FROM samples WHERE COMM = 'pipe'"
	check "what runs" grep -qx "$(realpath "$WORKLOADS/states")" found
	ask "SELECT DISTINCT USERNAME FROM samples WHERE COMM = 'pipe'"
	check "whose it is" test "$(cat found)" = "$(id -un 2>/dev/null || id -u)"
	ask "SELECT DISTINCT FILENAME FROM samples WHERE COMM = 'pipe' AND STATE = 'SLEEP'"
	check "the file" grep -q '^pipe:\[' found
	ask "SELECT COUNT(*) FROM samples JOIN ustacks USING (USTACK_HASH) WHERE COMM = 'nap' AND USTACK_SYMS LIKE '%nanosleep%'"
	check "stacks join by their hashes" awk '{ exit !($1 > 20) }' found
	ask "SELECT COUNT(*) - COUNT(DISTINCT TID || TIMESTAMP) FROM samples"
	check "no thread twice at an instant" grep -qx 0 found
else
	skip "queries" "python3 does not run here" 16
fi
# A user who is not the recorder's, and has no name: by each way to look. The last row counts: what a thread did between two looks, of which
# the first was before it changed its user, may be told as the first one's.
for source in bpf proc; do
	user="setpriv --reuid=54321 --clear-groups"
	if ! why=$($user true 2>&1); then
		skip "$source: whose another user's process is" "$why" 2
		continue
	elif ! "$PERF" record -q --wall=50 --wall-source=$source -k monotonic -o u.data -- $user sleep 0.2 2>why; then
		skip_refused "$source: whose another user's process is" why 2
		continue
	fi
	"$PERF" data convert --to=xcapture -i u.data -o users.$source -F 50 >out 2>err
	awk -F, '$10 == "'"'sleep'"'" && $1 > last { last = $1; user = $8; ns = $5 } END { print user; print ns >"ns" }' users.$source/xcapture_samples_* >found
	check "$source: whose another user's process is" test "$(cat found)" = "'54321'"
	check "$source: the pid namespace, without --namespaces" test "$(cat ns)" = "$(stat -Lc %i /proc/self/ns/pid)"
done
# Calls that end: sleep's nap, cat's read of six bytes (the next one, of the end, may take as long on a busy machine), and the
# shell's wait for sleep.
if "$PERF" record -q --wall=100 --latency-of=syscall -k monotonic -o l.data -- sh -c '(sleep 0.3; echo hello; :) | cat' >out 2>err; then
	"$PERF" data convert --to=xcapture -i l.data -o calls >out 2>err
	cat calls/xcapture_syscend_* >found
	check "what calls returned" awk -F, -v q="'" '$4 == q "read" q && $5 > 2e8 && $6 == 6 { read = 6 } $4 == q "clock_nanosleep" q { nap = $6; pid = $3 } $4 == q "wait4" q { waited[$6] = 1 } END { exit !(read == 6 && nap == "0" && pid in waited) }' found
else
	skip_refused "what calls returned" err
fi
check "files that are there are not touched" eval '! "$PERF" data convert --to=xcapture -i x.data -o csv 2>err && grep -q "File exists" err'
"$PERF" record -q -e cpu-clock -o n.data true >out 2>err
check "a recording without the time of day is refused" eval '! "$PERF" data convert --to=xcapture -i n.data -o other 2>err && grep -q "does not record the time of day" err'
"$PERF" record -q -e cpu-clock -k monotonic -o c.data true >out 2>err
"$PERF" data convert --to=xcapture -i c.data -o without >out 2>err
check "a recording without thread states: it says why there are no files" grep -qx "note: without has no files: c.data has no thread states (record --wall)" err
# Instants are whole seconds: nearly always, a short recording has none.
for _ in 1 2 3 4 5 6 7 8; do
	rm -rf between
	"$PERF" record -q --wall -o short.data sleep 0.1 >out 2>err
	"$PERF" data convert --to=xcapture -i short.data -o between >out 2>err
	ls between/*_samples_* >found 2>&1 || break
done
check "a recording between two instants: it says what to do" grep -qx "note: between has no files: no thread state covers an instant of 1 per second; name more with -F" err
"$PERF" data convert --to=xcapture -i x.data >out 2>err
check "a folder must be named" test $? = 129
