# SPDX-License-Identifier: GPL-2.0-or-later
# What data types cost: user seconds (median of RUNS runs) and peak memory of `report -s type` with one thread,
# and the share of samples that get one. First without anything kept from an earlier run, then
# again with the answers that were kept. With PEER, a root folder with a perf in it that knows
# types (opt/perf/perf or in its PATH), that perf's beside ours (one run, PEER_SECONDS at most).
# The table and what it says is Documentation/types-cost.md.
#
# First recordings of one program at 1k, 100k and 1M samples (SIZES). Then programs of size
# (PROGRAMS; ours when there are none) and a kernel's image (VMLINUX), with one sample on each of
# 10,000 and 100,000 instructions that touch memory (SUBSETS), drawn at random: each sample is
# in another function. Last a single function of 22,600 instructions.
#
# At the end, what it costs to charge samples to the instruction that waited: instructions of `report -s type` (counted by
# valgrind) by default, with --skid=sampled of a copy that asks for the same accesses (charged.py), and with --skid=sampled. Of the
# recordings of orders, of RECORDINGS, and of `make skid-misses`, if that was run. (Samples drawn at random on memory instructions
# are no measure: half of the instructions before them access no memory.)
set -u
peer=${PEER:-}
source "$SRC/tools/perf/tests/bench/common"
select_memory=$O/tests/tools/memory_samples
export PERF_TYPES_CACHE=$dir/types-cache

record_for() { # seconds, period, file
	"$PERF" record -m 4M -e cpu-clock:u -c "$2" -o "$3" -- "$WORKLOADS/orders" "$1"
}

# Files that the peer is to read stand under the same name in its root.
give_to_peer() {
	local file
	[[ -n $peer ]] || return
	for file in "$@"; do
		file=$(realpath "$file")
		mkdir -p "$peer$(dirname "$file")"
		cmp -s "$file" "$peer$file" || ln -f "$file" "$peer$file" 2>/dev/null || cp "$file" "$peer$file"
	done
}

peer_perf() {
	local perf=perf
	[[ -x $peer/opt/perf/perf ]] && perf=/opt/perf/perf
	echo "chroot $peer timeout ${PEER_SECONDS:-600} $perf"
}

# The percentage of samples with a type, of a report's output; names for what has none, such as
# "(stack spill)", are not one; nor is an instruction that accesses no memory.
typed() {
	awk '$1 ~ /^[0-9.]+%$/ { sum += $1; if ($2 ~ /^\((unknown|no|stack|register|varargs|switch|GOT|vtable|constant|per-cpu)/) bad += $1 }
		END { if (sum) printf "%5.1f %%", 100 * (sum - bad) / sum; else printf "      -" }' output
}

row() { # name, command...
	local name=$1 file=${*: -1} ours again theirs=
	shift
	ours=$(PERF_TYPES_CACHE='' cost %U "$PERF" "$@" --threads 1)
	"$PERF" "$@" >/dev/null 2>&1
	again=$(cost %U "$PERF" "$@" --threads 1)
	ours+=" $(typed)"
	if [[ -n $peer ]]; then
		set -- "${@:1:$#-1}" "$(realpath "$file")"
		theirs="$(runs=1 cost %U $(peer_perf) "$@") $(typed)"
	fi
	printf '%-46s %29s %21s  %29s\n' "$name" "$ours" "$again" "$theirs"
}

# How the rest of the answers are known, and why there is none: the shares behind a row.
shares() {
	"$PERF" annotate --data-type --type-stat --stdio "$@" 2>/dev/null |
		awk '/^Annotate type: / { exit } /^ +[0-9]+ : / { printf "%s%s %s", n++ ? ", " : "    ", $3, $4 } END { print "" }' | fold -s -w 108
}

subsets() { # program, options...
	local program=$1 name size
	shift
	name=$(basename "$program")
	give_to_peer "$program"
	for size in ${SUBSETS:-10000 100000}; do
		"$select_memory" "$program" "$size" 2>select.log >subset.txt && "$FORGE" subset.txt "$name-$size.data" || {
			echo "bench: $(tail -n 1 select.log)"
			return
		}
		give_to_peer "$name-$size.data"
		row "$name, $size of $(cut -d' ' -f1 <select.log)" report --stdio -s type "$@" -i "$name-$size.data"
	done
	shares "$@" -i "$name-$size.data"
}

# Millions of instructions that a command executes.
instructions() { # command...
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null | awk '/Collected *:/ { printf "%.1f", $NF / 1e6 }'
}

# With answers kept from an earlier report, if PERF_TYPES_CACHE is set.
report_instructions() { # options
	[[ -z $PERF_TYPES_CACHE ]] || "$PERF" report --stdio -s type "$@" >/dev/null 2>&1
	instructions "$PERF" report --stdio -s type --threads 1 "$@"
}

charging_goal=5 # per cent that the rule may cost, beside a report as sampled

charging() { # name, file
	local name=$1 cache=$PERF_TYPES_CACHE kept how rule same sampled
	python3 "$SRC/tools/perf/tests/bench/charged.py" "$PERF" "$2" same.data || return
	for kept in '' "$cache"; do
		export PERF_TYPES_CACHE=$kept
		rule=$(report_instructions -i "$2")
		same=$(report_instructions --skid=sampled -i same.data)
		sampled=$(report_instructions --skid=sampled -i "$2")
		[[ $kept ]] && how=kept || how="nothing kept"
		awk -v name="$name, $how" -v rule="$rule" -v same="$same" -v sampled="$sampled" -v goal="$charging_goal" '
			function more(than) { return than ? 100 * (rule / than - 1) : 0 }
			BEGIN {
				printf "%-46s %8.1f %8.1f %+7.1f %% %8.1f %+7.1f %%%s\n", name, rule, same, more(same), sampled,
					more(sampled), more(sampled) > goal ? "  above the goal" : ""
			}'
	done
}

# N arms of an if, each of which follows three pointers and adds up what it finds.
make_chase() {
	awk -v n=2170 'BEGIN {
		print "struct leaf { long pad[2], value, other; };";
		print "struct node { long pad[3]; struct leaf *leaf; struct node *next; };";
		print "struct root { long pad; struct node *first; long key; };";
		print "long chase(struct root *r, long key)\n{\n\tlong sum = 0;\n";
		for (i = 0; i < n; i++)
			printf "\tif (key == %d)\n\t\tsum += r->first->next->leaf->value * %d + r->first->leaf->other;\n",
				i * 7 + 1, i + 3;
		print "\treturn sum;\n}\n\nint main(int argc, char **argv)\n{\n\treturn argc > 99 ? (int)chase((struct root *)argv, argc) : 0;\n}";
	}' >chase.c
	gcc -O1 -g -fno-var-tracking-assignments -fno-tree-dominator-opts -fno-tree-fre -fno-tree-pre -o chase chase.c
}

printf '%-46s %29s %21s  %29s\n' "user time, memory, samples with a type" "ours" "again" \
	"${peer:+peer $($(peer_perf) --version | cut -d' ' -f3)}"
for size in ${SIZES:-1000 100000 1000000}; do
	file=types-$size.data
	[[ -f $file ]] || make_recording "$size" 50000 "$file"
	give_to_peer "$file" "$WORKLOADS/orders"
	n=$(samples_of "$file")
	for command in "report --stdio -s sym" "report --stdio -s type" "report --stdio -s type,typeoff" \
		"annotate --data-type --stdio"; do
		row "orders, $n: $command" $command -i "$file"
	done
done
for program in ${PROGRAMS:-$PERF}; do
	subsets "$program"
done
[[ -n ${VMLINUX:-} ]] && subsets "$VMLINUX" -k "$VMLINUX"
make_chase
SUBSETS=100000 subsets "$dir/chase"
valgrind --version >/dev/null 2>&1 || {
	echo "bench: charging: there is no valgrind"
	exit 0
}
printf '\n%-46s %8s %18s %18s\n' "million instructions of report -s type" "charged" "same accesses" "as sampled (goal: +$charging_goal %)"
for size in ${SIZES:-1000 100000 1000000}; do charging "orders, $size" "types-$size.data"; done
for file in ${RECORDINGS:-"$O"/skid/misses/*.data}; do [[ ! -f $file ]] || charging "$(basename "$file" .data)" "$file"; done
