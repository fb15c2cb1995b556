#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Labels beyond what the BPF program reads, and labels that are ids, as a program publishes them by
# custom-labels' specification and a Go program by pprof.Do.
. "$SRC/tools/perf/tests/live/common"
needs_activities labels
plan 12

# labels KEY=VALUE...: half a second with these.
cat >labels.c <<'END'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
struct text {
	size_t size;
	const char *bytes;
};
const uint32_t custom_labels_abi_version = 1;
__thread void *custom_labels_current_set;
int main(int argc, char **argv)
{
	static struct {
		struct text key, value;
	} labels[64];
	static struct {
		void *storage;
		size_t count, capacity;
	} set = { labels, 0, 64 };

	for (int i = 1; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		*value++ = 0;
		labels[i - 1].key = (struct text){ strlen(argv[i]), argv[i] };
		labels[i - 1].value = (struct text){ strlen(value), value };
		set.count++;
	}
	custom_labels_current_set = &set;
	while (clock() < CLOCKS_PER_SEC / 2)
		;
	return 0;
}
END
${CC:-cc} -O1 -rdynamic -o labels labels.c || echo "not ok - labels does not build"
run() { # PROGRAM ARGUMENTS...
	"$PERF" record -q -F 1000 --sample-tls -o perf.data -- "$@" 2>err
}
# mostly COLUMNS ROW [OPTIONS]: of the samples 75 % at least have that row.
mostly() {
	"$PERF" report --stdio -q "-t;" -F "overhead,$1" "${@:3}" 2>>err | sed -E 's/ *; */;/g; s/^ +//; s/ +$//' >out
	awk -v want="$2" 'NR == 1 { share = $1 + 0; sub(/^[^;]*;/, ""); exit !($0 == want && share >= 75) } END { if (!NR) exit 1 }' out
}

long=$(printf '%060d' 7)
run ./labels user=ann "url=$long" a.key.of.more.than.24.bytes=1 empty=
check "a value and a key that are too long keep their beginning" \
	mostly label:user,label:url,cut_labels "ann;${long:0:48}..;url=.., a.key.of.more.than.24.by.."
check "an activity with cut labels is truncated, and says so" mostly tls_state truncated
run ./labels a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 i=9 j=10 k=11 l=12 m=13
check "labels that were left out are counted" mostly activity,cut_labels \
	"a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 i=9 j=10 +3;+3"
run ./labels a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 i=9 j=10
check "ten labels are whole" mostly activity,cut_labels,tls_state \
	"a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 i=9 j=10;(none);ok"
run ./labels "k=${long:0:48}" abcdefghijklmnopqrstuvwx=2
check "the longest key and value are whole" mostly "label:k,label:abcdefghijklmnopqrstuvwx,cut_labels" "${long:0:48};2;(none)"

trace=4bf92f3577b34da6a3ce929d0e0e4736
run ./labels trace_id=$trace span_id=00f067aa0ba902b7 "url=$long"
check "ids in labels, beside one that is cut" mostly activity,tls_state,cut_labels "$trace:00f067aa0ba902b7;ok;url=.."
run ./labels dd.trace_id=1234567890123456789 dd.span_id=1234567890123456
check "decimal ids" mostly activity 0000000000000000112210f47de98115:000462d53c8abac0
run ./labels request=$trace step=255
check "ids under other names are labels" mostly activity "request=$trace step=255"
check "ids under names that are told" mostly activity "$trace:00000000000000ff" --trace-label=request --span-label=step

if ! command -v go >/dev/null; then
	skip "labels of Go" "no go" 3
	exit 0
fi
mkdir go
cat >go/main.go <<'END'
package main

import (
	"context"
	"os"
	"runtime/pprof"
	"strings"
	"time"
)

func main() {
	var pairs []string
	for _, arg := range os.Args[1:] {
		pair := strings.SplitN(arg, "=", 2)
		pairs = append(pairs, pair[0], pair[1])
	}
	pprof.Do(context.Background(), pprof.Labels(pairs...), func(context.Context) {
		for end := time.Now().Add(500 * time.Millisecond); time.Now().Before(end); {
		}
	})
}
END
if ! (cd go && go mod init labels && GOFLAGS=-mod=mod GOCACHE=$PWD/cache go build -o ../golabels .) >err 2>&1; then
	skip "labels of Go" "$(tail -1 err)" 3
	exit 0
fi
run ./golabels "span id=255" "local root span id=16" "trace endpoint=GET /cart"
check "Go: Datadog's labels" mostly "span_id,root_span" "00000000000000ff;0000000000000010"
run ./golabels a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 i=9 j=10 k=11 l=12
# Which labels are read depends on the places in the map, whose hash is another one in each run. At most ten are.
all_told() { # NR: of the samples 75 % at least have labels that are, with those that are said to be left out, so many
	"$PERF" report --stdio -q "-t;" -F overhead,activity 2>>err >out
	awk -F ';' -v nr="$1" 'NR == 1 { shown = gsub(/[a-l]=[0-9]+/, "", $2); left = match($2, /[+][0-9]+/) ? substr($2, RSTART + 1, RLENGTH - 1) : 0
		exit !(shown + left == nr && left >= nr - 10 && shown >= 1 && $1 + 0 >= 75) } END { if (!NR) exit 1 }' out
}
check "Go: labels that were left out are counted" all_told 12
run ./golabels user=ann "url=$long"
check "Go: what is cut says so" mostly "label:user,label:url,cut_labels" "ann;${long:0:48}..;url=.."
