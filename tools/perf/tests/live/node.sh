#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Thread contexts of Node.js: the walk over V8's objects, as workloads/nodelike.c lays them out in
# every way that publishers have and in ways that no walk may follow; then (make long) the real packages,
# where npm's registry can be reached.
nodelike=$SRC/tools/perf/tests/workloads/nodelike.c
ids=000102030405060708090a0b0c0d0e0f:1011121314151617

. "$SRC/tools/perf/tests/live/common"
needs_activities "thread contexts of Node.js"
plan $((${LONG:+5} + 50))

# rows RECORD-ARGUMENTS...: of activity, root span and label:route into out, in columns by the process's name.
rows() {
	"$PERF" record -q -F 1000 "$@" 2>err >/dev/null </dev/null
	"$PERF" report --stdio -q -t, -F overhead,comm,activity,root_span,label:route 2>>err |
		grep '%' | sed -E 's/ +//g' >all
}
# of COMM: its rows, in shares of its samples.
of() {
	awk -F, -v comm="$1" '$2 == comm { n++; share[n] = $1 + 0; sum += $1; row[n] = $3 "," $4 "," $5 }
		END { for (i = 1; i <= n; i++) printf "%.2f%%,%s\n", 100 * share[i] / sum, row[i] }' all >out
}
# run PROGRAM CASE [LATE]
run() {
	rows --sample-tls -o perf.data -- "$1" "$2" 0.5 ${3:-}
	of "$2"
}

# The largest row is @1, and has 75 % at least.
mostly() {
	awk -F, -v want="$1" 'NR == 1 { share = $1 + 0; sub(/^[^,]*,/, ""); exit !($0 == want && share >= 75) } END { if (!NR) exit 1 }' out
}
never() { ! grep -qF "$1" out; }

${CC:-cc} -O1 -fPIE -pie -rdynamic -o pie "$nodelike" || echo "not ok - nodelike does not build"
${CC:-cc} -O1 -static -o static "$nodelike" || echo "not ok - nodelike does not build"
sed 's/^int main(/int publisher_main(/' "$nodelike" >library.c
${CC:-cc} -O1 -shared -fPIC -mtls-dialect=gnu2 -o libnode.so library.c
cat >load.c <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	void *lib = dlopen("./libnode.so", RTLD_NOW);
	int (*run)(int, char **) = lib ? (int (*)(int, char **))dlsym(lib, "publisher_main") : 0;

	return run ? run(argc, argv) : 2;
}
END
${CC:-cc} -o load load.c -ldl

whole="$ids,2021222324252627,/pay"
seen=0
for program in ./pie ./static ./load; do
	run $program node24
	check "$program" mostly "$whole"
done
# All cases in one recording, each a process.
rows --sample-tls -o perf.data -- bash -c 'for case in $(./pie cases); do ./pie $case 0.4 & ((++nr % 4)) || wait; done; wait'
for case in $(./pie cases); do
	seen=$((seen + 1))
	of "$case"
	case $case in
	node24 | node22 | stated | wrapped)
		check "$case" mostly "$whole"
		continue
		;;
	nothing | detached | elsewhere | ended | torn-down | closed) state="(none)" ;;
	replaced) state="(beingupdated)" ;;
	*) state="(unreadable)" ;;
	esac
	check "$case is $state" mostly "$state,$state,$state"
	check "$case never shows an id" never "$ids"
done
check "every case was run" test "$seen" -ge 20

# A fact that a process publishes a moment later applies to its present activity: no walk starts earlier.
run ./pie compressed 0.02
check "stated late never shows an id" never "$ids"
check "stated late is not looked up yet until then" grep -q 'notlookedupyet' out

check "not asked for" grep -q "no process published" <("$PERF" record -F 1000 --sample-tls=otep,labels -o perf.data -- ./pie node24 0.3 2>&1)
rows --sample-tls=node -o perf.data -- ./pie node24 0.5
of node24
check "asked for alone" mostly "$whole"
[[ ${LONG:-} ]] || exit 0

# The real ones: dd-trace with its native part, on a Node.js whose async contexts are V8's.
real="dd-trace on Node.js 24"
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
	skip "$real" "no npm" 5
	exit 0
fi
mkdir real
cat >real/package.json <<'END'
{ "name": "real", "version": "1.0.0", "private": true }
END
cat >real/app.js <<'END'
// Two spans in turns, 20 ms each, over asynchronous steps; then as long without one.
const tracer = require('dd-trace').init({ startupLogs: false });
const spans = ['first', 'second'].map((name) => tracer.startSpan(name));
const burn = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
const turn = (span, left) => {
	burn(20);
	if (left)
		setTimeout(() => turn(span, left - 1), 1);
};
for (const span of spans) {
	const id = span.context();
	console.log(`${id.toTraceId(true)}:${id.toSpanId(true)}`);
	tracer.scope().activate(span, () => turn(span, 30));
}
setTimeout(() => { burn(1000); process.exit(0); }, 2500);
END
if ! (cd real && timeout 150 npm install --no-audit --no-fund --fetch-retries=0 --fetch-timeout=20000 \
	dd-trace@6.21 node@24 >../npm.log 2>&1); then
	skip "$real" "npm install: $(grep -m1 -iE 'err|timeout' npm.log | cut -c1-80)" 5
	exit 0
fi
node=$(readlink -f real/node_modules/node/bin/node 2>/dev/null)
if [[ ! -x $node ]] || ! "$node" --version >/dev/null 2>&1; then
	skip "$real" "npm has no such Node.js for this machine" 5
	exit 0
fi
export DD_TRACE_OTEL_CTX_ENABLED=true DD_TRACE_AGENT_URL=http://127.0.0.1:9 DD_INSTRUMENTATION_TELEMETRY_ENABLED=false
"$PERF" record -q -F 1000 --sample-tls -o perf.data -- "$node" real/app.js >spans 2>err
"$PERF" report --stdio -q -t, -F overhead,activity --comms MainThread,node 2>>err | grep '%' | sed -E 's/ +//g' >out
share_of() { awk -F, -v id="$1" '$2 == id { share = $1 + 0 } END { print share + 0 }' out; }
first=$(share_of "$(sed -n 1p spans)") second=$(share_of "$(sed -n 2p spans)")
check "$real: both spans have samples" awk -v a="$first" -v b="$second" 'BEGIN { exit !(a > 8 && b > 8) }'
check "$real: spans of the same length have the same share" \
	awk -v a="$first" -v b="$second" 'BEGIN { exit !(a < 1.4 * b && b < 1.4 * a) }'
check "$real: what is in no span is in none" awk -F, '$2 == "(none)" && $1 + 0 > 10 { found = 1 } END { exit !found }' out
check "$real: nothing else is read" awk -F, -v a="$(sed -n 1p spans)" -v b="$(sed -n 2p spans)" '
	$2 != a && $2 != b && $2 != "(none)" && $2 != "(interrupt)" && $2 != "(notlookedupyet)" { other += $1 } END { exit !(other < 2) }' out
"$PERF" report --stdio -q -t, -F overhead,label:datadog.thread_name 2>>err | grep '%' | sed -E 's/ +$//' >out
check "$real: attributes have names" grep -q 'Main Event Loop' out
