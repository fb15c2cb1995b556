# SPDX-License-Identifier: GPL-2.0-or-later
# How fast are report and script on large recordings? User and system seconds (median of RUNS runs)
# and peak memory of this perf, of stock perf and, with PEER, of the perf in that root folder
# (opt/perf/perf, or the one in its PATH), on the same forged files; and what a program takes that
# only walks the records. Files are made once and kept in $O/bench.
#
# A perf that does not end after PEER_SECONDS is not waited for; one that asks for more than
# PEER_MEMORY kilobytes ends there.
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

# User plus system seconds, "SECONDS MB", or why there are none.
spent() { # command...
	local i
	: >times.log
	for ((i = 0; i < runs; i++)); do
		(ulimit -v "${PEER_MEMORY:-30000000}"
			exec /usr/bin/time -o time.log -f "%U %S %M" timeout "${PEER_SECONDS:-300}" "$@") >output 2>cost.log || {
			echo "- failed"
			return
		}
		awk '{ print $1 + $2, $3 }' time.log >>times.log
	done
	sort -n times.log | awk '{ s[NR] = $1; if ($2 > m) m = $2 } END { printf "%.2f %.0f\n", s[int((NR + 1) / 2)], m / 1024 }'
}

row() { # name, file, command...
	local name=$1 file=$2 ours theirs=- old floor
	shift 2
	give_to_peer "$file"
	ours=$(spent "$PERF" "$@" -i "$file")
	old=$(runs=1 spent "$stock" "$@" -i "$file")
	[[ $peer ]] && theirs=$(runs=1 spent $(peer_perf) "$@" -i "$(realpath "$file")")
	floor=$(spent "$O/tests/tools/walk" "$file")
	awk -v name="$name" -v ours="$ours" -v old="$old" -v theirs="$theirs" -v floor="$floor" '
	function shown(x, p) { split(x, p, " "); return p[1] == "-" ? sprintf("%20s", p[2]) : sprintf("%8.2f s %6d MB", p[1], p[2]) }
	function ratio(x, p, q) { split(x, p, " "); split(ours, q, " "); return p[1] == "-" || !q[1] ? "     -" : sprintf("%5.1fx", p[1] / q[1]) }
	BEGIN { printf "%-44s %s  %s %s  %s %s  %s\n", name, shown(ours), shown(old), ratio(old), shown(theirs), ratio(theirs), shown(floor) }'
}

printf '%-44s %20s  %20s %6s  %20s %6s  %20s\n' "user + system time, memory" ours \
	"stock $("$stock" --version | cut -d' ' -f3)" "" "${peer:+peer $($(peer_perf) --version | cut -d' ' -f3)}" "" floor
give_to_peer "$subject"
forged places-1m.data "$subject" 1000000 200000
forged places-5m.data "$subject" 5000000 200000
forged chains.data "$subject" 100000 1000 50000
forged maps.data maps 1000000
row "report -s comm,dso,sym, 1M samples" places-1m.data report --stdio -s comm,dso,sym
row "report -s comm,dso,sym, 5M samples" places-5m.data report --stdio -s comm,dso,sym
row "script, 1M samples" places-1m.data script
row "script -F comm,pid,time,ip,sym, 1M samples" places-1m.data script -F comm,pid,time,ip,sym
row "report --no-children, 50,000 chains of 30" chains.data report --stdio --no-children
row "report --children, 50,000 chains of 30" chains.data report --stdio --children
row "report -s dso, 1M mappings" maps.data report --stdio -s dso
row "buildid-list, 5M samples, no table" places-5m.data buildid-list
row "report --header-only, 240 MB" places-5m.data report --header-only
