# SPDX-License-Identifier: GPL-2.0-or-later
# What bounds the rows of bench/speed.sh and bench/types.sh? This perf records itself while it reads their files: shares
# of time by room of the source, with one thread; and by thread, with two: one that has more than 60 % allows no 1.7x.
# Files are those that speed.sh has made; PROGRAMS and VMLINUX as for types.sh.
set -u
source "$SRC/tools/perf/tests/bench/common"
export PERF_TYPES_CACHE=

# Where each source of ours is: "FILE ROOM"; of files of one name, all their rooms.
find "$SRC/tools/lib" "$SRC/tools/perf" -name '*.[ch]' ! -path '*/tests/*' |
	sed -E 's|.*/tools/(lib\|perf)/(.*)/([^/]*)$|\3 \2|' | sort -u >rooms

recorded() { # command...
	"$PERF" record -q -e cpu-clock -F 4000 -o bounds.data -- "$@" >/dev/null 2>bounds.log ||
		{ echo "  failed: $(tail -n 1 bounds.log)"; return 1; }
}

by_room() {
	"$PERF" report --stdio -q -i bounds.data -s dso,srcfile -t ';' 2>/dev/null | awk '
	NR == FNR { room[$1] = room[$1] (room[$1] ? " or " : "") $2; next }
	FNR == 1 { FS = ";"; $0 = $0 }
	NF < 3 { next }
	{
		gsub(/^ +| +$/, "", $3); gsub(/^ +| +$/, "", $2); sub(/%/, "", $1)
		if ($2 ~ /^\[/) r = "the kernel"
		else if ($3 in room) r = room[$3]
		else if ($2 ~ /^lib/) r = "libraries"
		else r = "other"
		sum[r] += $1
	}
	END { for (r in sum) if (sum[r] >= 2) printf "%.0f%% %s\n", sum[r], r }' rooms - | sort -rn | paste -sd, | sed 's/,/, /g; s/^/  /'
}

by_thread() {
	"$PERF" report --stdio -q -i bounds.data -s tid 2>/dev/null |
		awk '/%/ { printf "%s%.0f%% %s", n++ ? ", " : "  ", $1, $2 } END { print "" }'
}

bounds() { # name, command without --threads...
	local name=$1
	shift
	echo "$name"
	recorded "$@" --threads 1 && by_room
	recorded "$@" --threads 2 && by_thread
}

for f in places-1m.data places-5m.data chains.data; do
	[[ -e $f ]] || { echo "bounds: no $dir/$f: run bench/speed.sh first"; exit 0; }
done
bounds "report -s comm,dso,sym, 1M samples" "$PERF" report --stdio -s comm,dso,sym -i places-1m.data
bounds "report -s comm,dso,sym, 5M samples" "$PERF" report --stdio -s comm,dso,sym -i places-5m.data
bounds "script, 1M samples" "$PERF" script -i places-1m.data
bounds "script -F comm,pid,time,ip,sym, 1M samples" "$PERF" script -F comm,pid,time,ip,sym -i places-1m.data
bounds "report --no-children, 50,000 chains of 30" "$PERF" report --stdio --no-children -i chains.data
bounds "report --children, 50,000 chains of 30" "$PERF" report --stdio --children -i chains.data
for f in types-*.data; do
	[[ -e $f ]] && bounds "report -s type, nothing kept: $f" "$PERF" report --stdio -s type -i "$f"
done
