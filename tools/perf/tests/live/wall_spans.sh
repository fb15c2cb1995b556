# SPDX-License-Identifier: GPL-2.0-or-later
# perf record --wall --sample-tls of busy threads: the time of a request adds up, on CPUs and off them, in one table. The
# workload has measured it itself.
. "$SRC/tools/perf/tests/live/common"
needs_activities "the time of requests"

"$PERF" record -q --wall --wall-source=bpf -o try.data true 2>why || skip_all_refused "the time of requests" why
plan 9

# rows FILE: "KIND ON_CPU ALL" in seconds, as the recording says; kind "?": the activity is not known.
rows() {
	"$PERF" report -i "$1" --stdio -q -g none --no-children --comms server -F period,activity,state -t '|' 2>err |
		awk -F'|' 'NF > 2 {
			kind = $2 ~ /:0+[1-3] *$/ ? substr($2, match($2, /[1-3] *$/), 1) : $2 ~ /\(none\)/ ? 0 : "?"
			all[kind] += $1 / 1e9
			if ($3 ~ /^R \(on CPU\)/) on[kind] += $1 / 1e9
		} END { for (k in all) print k, on[k] + 0, all[k] }' | sort
}

# within_truth COLUMN: of the kinds in out (truth) and found, the seconds in the column differ by at most 2 % of all kinds'
# seconds and what a sample of the running time each 4.6 ms may be wrong (4 sigma).
within_truth() {
	awk -v column="$1" '
		NR == FNR && /^kind/ { truth[$2] = $(column + 1); sum += $(column + 1); cpu[$2] = $3; all += $3; next }
		NR != FNR { found[$1] = $column }
		END {
			for (k in truth) {
				d = found[k] - truth[k]
				bound = 0.02 * sum + 4 * sqrt(cpu[k] * (1 - cpu[k] / all) * 0.0046)
				printf "# kind %s: %.3f s, truth %.3f s, bound %.3f s\n", k, found[k], truth[k], bound
				bad += d > bound || -d > bound
			}
			exit bad > 0 || all < 0.2
		}' out found
}

for rate in 20 100; do
	"$PERF" record --wall=$rate --sample-tls -o w.data -- "$WORKLOADS/busy" 4 3 >out 2>err
	rows w.data >found
	check "--wall=$rate: the time of requests on CPUs" within_truth 2
	check "--wall=$rate: the time of requests in all" within_truth 3
	check "--wall=$rate: hardly any time has an unknown request" awk '{ all += $3 } $1 == "?" { some = $3 } END { print "# " some " of " all; exit !(all > 5 && some < 0.02 * all) }' found
done
# A request in many threads, more than CPUs: most of its time is in the run queue.
"$PERF" record --wall --sample-tls -o w.data -- "$WORKLOADS/busy" 4 8 >out 2>err
rows w.data >found
check "more threads than CPUs: the time of requests on CPUs" within_truth 2
check "more threads than CPUs: the time of requests in all" within_truth 3

# README's recipe.
"$PERF" report -i w.data --stdio -q -s span,state --comms server --wall-unit=s --timeline >found 2>err
check "the seconds of each span and state, with their timeline: on CPUs and asleep in one table" awk '
	{ span = $2 ~ /^0+[1-3]$/ ? substr($2, length($2)) : "others"; seconds[span] += $1; all += $1 }
	/R \(on CPU\)/ { on[span] += $1 } / S \(sleep\)/ { slept[span] += $1 } /\(unreadable\)/ { unread += $1 } /█/ { lines++ }
	END {
		for (k = 1; k <= 3; k++) { print "# span " k ": " seconds[k] " s, " on[k] " on CPUs, " slept[k] " asleep"; bad += !on[k] || (k > 1 && !slept[k]) }
		exit bad || all < 20 || unread > 0.05 * all || lines < 5
	}' found
