# SPDX-License-Identifier: GPL-2.0-or-later
# How fast are report, script and buildid-list on large recordings? A table in Markdown, that of Documentation/speed.md:
# user and system seconds (median of RUNS runs) and peak memory of this perf with one thread; of a program that only walks
# the records; of stock perf and, with PEER, of the perf in that root folder (opt/perf/perf, or the one in its PATH), on the same forged
# files, and how many times faster this perf is; what is wanted; seconds by the clock with one thread and with two; and
# what bounds the row: the share of the busiest of two threads, and of one thread's time by room of the source (bounds). Files are made
# once and kept in $O/bench. Data types are asked for with nothing kept: of PROGRAMS and VMLINUX, as in types.sh.
#
# A perf that does not end after PEER_SECONDS is not waited for; one that asks for more than
# PEER_MEMORY kilobytes (8 GB) ends there.
set -u
peer=${PEER:-}
stock=${STOCK_PERF:-/usr/bin/perf}
source "$SRC/tools/perf/tests/bench/common"
source "$SRC/tools/perf/tests/bench/bounds"
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
			(($? == 124)) && echo "- over ${PEER_SECONDS:-300} s" || echo "- failed"
			return
		}
		tail -n 1 time.log | awk '{ print $1 + $2, $3, $4 }' >>times.log
	done
	# One that meets the limit of memory may end as if all were well.
	sort -n times.log | awk -v limit="${PEER_MEMORY:-8000000}" '{ s[NR] = $1; c[NR] = $3; if ($2 > m) m = $2 }
		END {
			if (m > 0.9 * limit) { printf "- over %.0f GB\n", m / 1e6; exit }
			i = int((NR + 1) / 2)
			printf "%.2f %.0f %.2f\n", s[i], m / 1024, c[i]
		}'
}

# The share of the busiest of two threads, and what one thread's time is: "|"-separated.
bounds_of() { # command...
	local thread=-
	recorded "$@" --threads 2 && thread=$(by_thread)
	recorded "$@" --threads 1 && echo "$thread|$(by_room)"
}

# @against: "peer" or "stock", whose time divided by ours shall be @wanted; "-": neither.
row() { # name, against, wanted, file, command...
	local name=$1 against=$2 wanted=$3 file=$4 ours two= theirs=- old floor bounds= threads=(--threads 1)
	shift 4
	give_to_peer "$file"
	[[ $1 == buildid-list || " $* " == *" --header-only "* ]] && threads=()
	ours=$(spent "$PERF" "$@" "${threads[@]}" -i "$file")
	old=-
	[[ $stock ]] && old=$(runs=1 spent "$stock" "$@" -i "$file")
	[[ $peer ]] && theirs=$(runs=1 spent $(peer_perf) "$@" -i "$(realpath "$file")")
	floor=$(spent "$O/tests/tools/walk" "$file")
	if ((${#threads[@]})); then
		two=$(spent "$PERF" "$@" --threads 2 -i "$file")
		bounds=$(bounds_of "$PERF" "$@" -i "$file")
	fi
	awk -v name="$name" -v ours="$ours" -v two="$two" -v old="$old" -v theirs="$theirs" -v floor="$floor" \
		-v against="$against" -v wanted="$wanted" -v bounds="$bounds" '
	function seconds(x, p) { split(x, p, " "); return p[1] == "-" ? 0 : p[1] }
	function shown(x, p) { split(x, p, " "); return p[1] == "-" ? substr(x, 3) : sprintf("%.2f s %d MB", p[1], p[2]) }
	function beside(x) { return shown(x) (seconds(x) && seconds(ours) ? sprintf(": %.1fx", seconds(x) / seconds(ours)) : "") }
	function verdict(r) {
		if (against == "-") return ""
		r = seconds(against == "peer" ? theirs : old) / (seconds(ours) + 0.001)
		return sprintf("%sx of %s%s", wanted, against, r ? (r >= wanted ? ": met" : ": not met") : "")
	}
	function clock(a, b, r) {
		if (two == "") return ""
		split(ours, a, " "); split(two, b, " ")
		r = b[3] > 0 ? a[3] / b[3] : 0
		return sprintf("%.2f to %.2f s: %.1fx", a[3], b[3], r)
	}
	BEGIN {
		split(bounds, b, "|")
		printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name, shown(ours), shown(floor), beside(old), beside(theirs), verdict(), clock(), b[1], b[2]
	}'
}

# Of several files upstream reads the last one only.
clock_row() { # name, command...
	local name=$1 bounds
	shift
	bounds=$(bounds_of "$@")
	awk -v name="$name" -v one="$(spent "$@" --threads 1)" -v two="$(spent "$@" --threads 2)" -v bounds="$bounds" 'BEGIN {
		split(one, a, " "); split(two, b, " "); split(bounds, c, "|")
		printf("| %s | %.2f s %d MB | | | | | %.2f to %.2f s: %.1fx | %s | %s |\n", name, a[1], a[2], a[3], b[3], b[3] > 0 ? a[3] / b[3] : 0, c[1], c[2]) }'
}

# One sample on each of 10,000 instructions that touch memory, drawn at random.
types_row() { # wanted, program, options...
	local wanted=$1 program=$2 name stock= # which knows no types
	shift 2
	name=$(basename "$program")
	if [[ ! -s types-$name.data ]]; then
		"$O/tests/tools/memory_samples" "$program" 10000 >forge.txt 2>forge.log && "$FORGE" forge.txt "types-$name.data" || {
			echo "bench: $(tail -n 1 forge.log)" >&2
			return
		}
	fi
	give_to_peer "$program"
	row "report -s type, $name: 10,000 at random, nothing kept" peer "$wanted" "types-$name.data" report --stdio -s type "$@"
}

echo "| work | one thread | floor | stock $("$stock" --version | cut -d' ' -f3) | ${peer:+peer $($(peer_perf) --version | cut -d' ' -f3)} | wanted | by the clock: two threads | busiest of two | one thread's time |"
echo "|---|--:|--:|--:|--:|---|--:|--:|---|"
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
for program in ${PROGRAMS:-}; do
	types_row 15 "$program"
done
[[ -n ${VMLINUX:-} ]] && types_row 10 "$VMLINUX" -k "$VMLINUX"
row "buildid-list, 5M samples, no table" peer 1 places-5m.data buildid-list
row "report --header-only, 240 MB" peer 1 places-5m.data report --header-only
several=()
for i in {1..8}; do
	forged several-$i.data "$subject" 150000 $((20000 + i * 1000))
	several+=(-i several-$i.data)
done
clock_row "report of eight files of 150,000 samples" "$PERF" report --stdio -s comm,dso,sym "${several[@]}"
(echo "file zstd=1" && "$many" "$subject" 1000000 200000) >forge.txt
[[ -s compressed-1m.data ]] || "$FORGE" forge.txt compressed-1m.data
rm -f forge.txt
clock_row "report -s comm,dso,sym, 1M samples, zstd" "$PERF" report --stdio -s comm,dso,sym -i compressed-1m.data
