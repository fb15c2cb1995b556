# SPDX-License-Identifier: GPL-2.0-or-later
# How fast are report, script and buildid-list on large recordings? User and system seconds (median of
# RUNS runs) and peak memory of this perf with one thread, of stock perf and, with PEER, of the perf in
# that root folder (opt/perf/perf, or the one in its PATH), on the same forged files; how many times
# faster that is than is wanted; and what a program takes that only walks the records. Then the same rows
# by the clock, with one thread and with two. Files are made once and kept in $O/bench.
#
# A perf that does not end after PEER_SECONDS is not waited for; one that asks for more than
# PEER_MEMORY kilobytes (8 GB) ends there. What bounds a row that is not met says bounds.sh.
set -u
peer=${PEER:-}
stock=${STOCK_PERF:-/usr/bin/perf}
source "$SRC/tools/perf/tests/bench/common"
export PERF_TYPES_CACHE=
many=$O/tests/tools/many_samples
subject=$dir/subject # code to have samples in, at the same path for all
cmp -s "$PERF" "$subject" || [[ -e $subject ]] || cp "$PERF" "$subject"

forged() { # file, many_samples' words...
	local file=$1
	shift
	[[ -s $file ]] && return
	"$many" "$@" >forge.txt && "$FORGE" forge.txt "$file" && rm forge.txt
}

give_to_peer() { # file
	local file
	[[ $peer ]] || return
	file=$(realpath "$1")
	mkdir -p "$peer$(dirname "$file")"
	cmp -s "$file" "$peer$file" || ln -f "$file" "$peer$file" 2>/dev/null || cp "$file" "$peer$file"
}

peer_perf() {
	local perf=perf
	[[ -x $peer/opt/perf/perf ]] && perf=/opt/perf/perf
	echo "chroot $peer $perf"
}

# User plus system seconds, those of the clock, "SECONDS MB CLOCK", or why there are none.
spent() { # command...
	local i
	: >times.log
	for ((i = 0; i < runs; i++)); do
		(ulimit -v "${PEER_MEMORY:-8000000}"
			exec /usr/bin/time -o time.log -f "%U %S %M %e" timeout "${PEER_SECONDS:-300}" "$@") >/dev/null 2>cost.log || {
			echo "- failed"
			return
		}
		tail -n 1 time.log | awk '{ print $1 + $2, $3, $4 }' >>times.log
	done
	sort -n times.log | awk '{ s[NR] = $1; c[NR] = $3; if ($2 > m) m = $2 }
		END { i = int((NR + 1) / 2); printf "%.2f %.0f %.2f\n", s[i], m / 1024, c[i] }'
}

# @against: "peer" or "stock", whose time divided by ours shall be @wanted; "-": neither.
row() { # name, against, wanted, file, command...
	local name=$1 against=$2 wanted=$3 file=$4 ours theirs=- old floor threads=()
	shift 4
	give_to_peer "$file"
	[[ $1 == buildid-list ]] || threads=(--threads 1)
	ours=$(spent "$PERF" "$@" "${threads[@]}" -i "$file")
	old=$(runs=1 spent "$stock" "$@" -i "$file")
	[[ $peer ]] && theirs=$(runs=1 spent $(peer_perf) "$@" -i "$(realpath "$file")")
	floor=$(spent "$O/tests/tools/walk" "$file")
	awk -v name="$name" -v ours="$ours" -v old="$old" -v theirs="$theirs" -v floor="$floor" \
		-v against="$against" -v wanted="$wanted" '
	function shown(x, p) { split(x, p, " "); return p[1] == "-" ? sprintf("%17s", p[2]) : sprintf("%7.2f s %5d MB", p[1], p[2]) }
	function times(x, p, q) { split(x, p, " "); split(ours, q, " "); return p[1] == "-" || !(q[1] > 0) ? 0 : p[1] / q[1] }
	function ratio(x) { return times(x) ? sprintf("%5.1fx", times(x)) : "     -" }
	function verdict(r) {
		if (against == "-") return ""
		r = times(against == "peer" ? theirs : old)
		return sprintf("%sx of %s: %s", wanted, against, r ? (r >= wanted ? "met" : "not met") : "not known")
	}
	BEGIN { printf "%-44s %s  %s %s  %s %s  %s  %s\n", name, shown(ours), shown(old), ratio(old), shown(theirs), ratio(theirs), shown(floor), verdict() }'
	[[ ${#threads[@]} == 0 || $1 == report && " $* " == *" --header-only "* ]] && return
	clock_rows+=("$name|$(spent "$PERF" "$@" --threads 1 -i "$file")|$(spent "$PERF" "$@" --threads 2 -i "$file")")
}
clock_rows=()

# Of several files upstream reads the last one only.
clock_row() { # name, command...
	local name=$1
	shift
	clock_rows+=("$name|$(spent "$PERF" "$@" --threads 1)|$(spent "$PERF" "$@" --threads 2)")
}

print_clock_rows() {
	local r name one two
	printf '\n%-44s %10s %12s %10s %8s\n' "by the clock" "one thread" "two threads" "both cores" ""
	for r in "${clock_rows[@]}"; do
		IFS='|' read -r name one two <<<"$r"
		awk -v name="$name" -v one="$one" -v two="$two" 'BEGIN {
			split(one, a, " "); split(two, b, " ")
			r = b[3] > 0 ? a[3] / b[3] : 0
			printf("%-44s %8.2f s %10.2f s %8.2f s %6.2fx  %s\n", name, a[3], b[3], b[1], r, (a[3] < 0.2 ? "below 0.2 s" : (r >= 1.7 ? "met" : "not met"))) }'
	done
}

printf '%-44s %17s  %17s %6s  %17s %6s  %17s  %s\n' "user + system time, memory" "ours, one thread" \
	"stock $("$stock" --version | cut -d' ' -f3)" "" "${peer:+peer $($(peer_perf) --version | cut -d' ' -f3)}" "" floor wanted
give_to_peer "$subject"
forged places-1m.data "$subject" 1000000 200000
forged places-5m.data "$subject" 5000000 200000
forged chains.data "$subject" 100000 1000 50000
forged maps.data maps 1000000
row "report -s comm,dso,sym, 1M samples" peer 8 places-1m.data report --stdio -s comm,dso,sym
row "report -s comm,dso,sym, 5M samples" peer 8 places-5m.data report --stdio -s comm,dso,sym
row "script, 1M samples" peer 5 places-1m.data script
row "script -F comm,pid,time,ip,sym, 1M samples" peer 5 places-1m.data script -F comm,pid,time,ip,sym
row "report --no-children, 50,000 chains of 30" stock 8 chains.data report --stdio --no-children
row "report --children, 50,000 chains of 30" stock 20 chains.data report --stdio --children
row "report -s dso, 1M mappings" stock 2 maps.data report --stdio -s dso
row "buildid-list, 5M samples, no table" peer 1 places-5m.data buildid-list
row "report --header-only, 240 MB" peer 1 places-5m.data report --header-only
several=()
for i in {1..8}; do
	forged several-$i.data "$subject" 150000 $((20000 + i * 1000))
	several+=(-i several-$i.data)
done
clock_row "report of eight files of 150,000 samples" report --stdio -s comm,dso,sym "${several[@]}"
(echo "file zstd=1" && "$many" "$subject" 1000000 200000) >forge.txt
[[ -s compressed-1m.data ]] || "$FORGE" forge.txt compressed-1m.data
rm -f forge.txt
clock_row "report -s comm,dso,sym, 1M samples, zstd" report --stdio -s comm,dso,sym -i compressed-1m.data
print_clock_rows
