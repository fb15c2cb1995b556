# SPDX-License-Identifier: GPL-2.0-or-later
# What call chains from stacks cost: a frame (unwinding alone, and all of perf script beside stock perf and $PEER, a root folder
# with another perf), the files, and the recorder's CPU time while it unwinds.
set -u
stock=${STOCK_PERF:-/usr/bin/perf}
source "$SRC/tools/perf/tests/bench/common"
bench=$O/tests/tools/unwind_bench

cat >deep.c <<'C'
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

static long odd(long n, const int *from);
__attribute__((noinline)) static long even(long n, const int *from)
{
	int v[40];

	if (n)
		return odd(n - 1, from) + n;
	memcpy(v, from, sizeof(v));
	qsort(v, 40, sizeof(int), by_value);
	return v[5];
}

__attribute__((noinline)) static long odd(long n, const int *from)
{
	char room[40];

	memset(room, (int)n, sizeof(room));
	return even(n, from) + room[n % 40];
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 400000, sum = 0;
	int v[40];

	for (long k = 0; k < rounds; k++) {
		for (int i = 0; i < 40; i++)
			v[i] = rand();
		sum += even(k % 50, v);
	}
	return sum == 42;
}
C
cat >mixed.cc <<'CC'
#include <map>
#include <regex>
#include <stdexcept>
#include <string>

static int parse(const std::string &s, int depth)
{
	static const std::regex number("([0-9]+)(,([0-9]+))*");
	std::smatch m;

	if (depth)
		return parse(s + "1", depth - 1) + 1;
	if (!std::regex_match(s, m, number))
		throw std::runtime_error(s);
	return (int)m.size();
}

int main()
{
	std::map<std::string, int> seen;

	for (int i = 0; i < 300000; i++) {
		std::string s = std::to_string(i % 97) + (i % 5 ? ",12" : ",x");
		try {
			seen[s] += parse(s, i % 20);
		} catch (const std::exception &e) {
			seen[e.what()]--;
		}
	}
	return (int)seen.size() == 3;
}
CC
cat >work.py <<'PY'
import json, random, re
random.seed(1)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
class Key:
    def __init__(self, x): self.x = x
    def __lt__(self, other): return self.x < other.x
for k in range(12):
    fib(20)
    sorted(Key(random.random()) for _ in range(20000))
    text = json.dumps([{"a": i, "b": [str(i)] * 3} for i in range(3000)])
    re.findall(r'(\d+)", "(\d+)', text)
PY
gcc -O2 -fomit-frame-pointer -o deep deep.c && g++ -O2 -o mixed mixed.cc || exit 1

declare -A load=(
	[c]="./deep"
	[c++]="./mixed"
	[python3]="python3 work.py"
	[cc1plus]="g++ -O2 -c -o mixed.o mixed.cc"
)

# Seconds of user time of `perf script` less those without chains, over frames: us a frame.
per_frame() { # frames, perf command...
	local frames=$1 all none
	shift
	all=$(cost %U "$@" --no-inline -F comm,tid,time,ip | awk '{ print $1 }')
	none=$(cost %U "$@" -G -F comm,tid,time | awk '{ print $1 }')
	[[ $all == failed:* || $none == failed:* ]] && echo "-" && return
	awk -v a="$all" -v n="$none" -v f="$frames" 'BEGIN { printf "%.3f", (a - n) * 1e6 / f }'
}

rm -rf rows
printf '%-8s %8s %9s %9s %9s %7s  %10s %10s  %10s %10s\n' program stacks frames "first us" "kept us" "warm us" "ours" "stock" "dwarf MB" "live MB"
for name in c c++ python3 cc1plus; do
	"$PERF" record -q -e cpu-clock:u -F 4999 --call-graph dwarf -o "$name.dwarf" ${load[$name]} >/dev/null 2>record.log || {
		echo "bench: this machine cannot record: $(tail -n 1 record.log)"
		exit 0
	}
	"$PERF" record -e cpu-clock:u -F 4999 --call-graph live -o "$name.live" ${load[$name]} >/dev/null 2>"$name.log"
	line=$(PERF_UNWIND_CACHE=$PWD/rows "$bench" "$name.dwarf")
	again=$(PERF_UNWIND_CACHE=$PWD/rows "$bench" "$name.dwarf")
	warm=$("$bench" -n 1000 "$name.dwarf" | sed -E 's/.* warm ([0-9.]+),.*/\1/')
	read -r stacks frames first again < <(sed -E 's/.*: ([0-9]+) stacks, ([0-9]+) frames, first ([0-9.]+) ns a frame, warm ([0-9.]+),.*/\1 \2 \3 \4/' <<<"$line")
	kept=$(sed -E 's/.*first ([0-9.]+) ns.*/\1/' <<<"$again")
	printf '%-8s %8s %9s %9s %9s %7s  %10s %10s  %10s %10s\n' "$name" "$stacks" "$frames" \
		"$(awk -v n="$first" 'BEGIN { printf "%.3f", n / 1000 }')" "$(awk -v n="$kept" 'BEGIN { printf "%.3f", n / 1000 }')" \
		"$(awk -v n="$warm" 'BEGIN { printf "%.3f", n / 1000 }')" \
		"$(per_frame "$frames" "$PERF" script -i "$name.dwarf")" "$(per_frame "$frames" "$stock" script -i "$name.dwarf")" \
		"$(stat -c %s "$name.dwarf" | awk '{ printf "%.1f", $1 / 1e6 }')" "$(stat -c %s "$name.live" | awk '{ printf "%.1f", $1 / 1e6 }')"
done
echo "(first, kept, warm: unwinding alone, with one thread: nothing is known, an earlier run has kept rows, all is known; ours, stock: what chains add to the user time of perf script, in us a frame)"
echo
for name in c c++ python3 cc1plus; do
	printf '%-8s %s\n' "$name" "$(grep unwound "$name.log")"
done

# The peer records and reads its own programs: ours reads the same file by --symfs.
if [[ ${PEER:-} && -x $PEER/usr/bin/g++ ]]; then
	cp mixed.cc "$PEER/tmp/bench.cc"
	chroot "$PEER" perf record -q -F 4999 -e cpu-clock:u --call-graph dwarf -o /tmp/bench.data g++ -O2 -c -o /dev/null /tmp/bench.cc >/dev/null 2>&1
	cp "$PEER/tmp/bench.data" peer.dwarf
	frames=$("$PERF" script --symfs "$PEER" -i peer.dwarf --no-inline -F ip 2>/dev/null | grep -c .)
	echo
	printf 'cc1plus of %s: %s frames, ours %s us a frame, perf %s %s us\n' "$PEER" "$frames" \
		"$(per_frame "$frames" "$PERF" script --symfs "$PEER" -i peer.dwarf)" \
		"$(chroot "$PEER" perf --version | cut -d' ' -f3)" "$(per_frame "$frames" chroot "$PEER" perf script -i /tmp/bench.data)"
fi

# libdw of elfutils beside ours, on stacks that a program wrote of itself.
gcc -O2 -w -o stepped "$SRC/tools/perf/tests/unwind/programs/stepped.c" && ./stepped stacks.bin 37 &&
	echo && "$O/tests/tools/unwind_compare" stacks stacks.bin

# CPU time of the recorder on two busy threads, once it knows their files: 12 seconds less 2.
./deep 100000000 &
a=$!
python3 -c "while True: exec(open('work.py').read())" &
b=$!
sleep 1
echo
for mode in fp dwarf live; do
	for seconds in 2 12; do
		/usr/bin/time -f "%U %S" -o "used.$seconds" "$PERF" record -q -e cpu-clock -F 999 -p $a,$b --call-graph $mode -o used.data -- sleep $seconds 2>record.log
	done
	paste -d' ' used.2 used.12 | awk -v m="$mode" -v n="$(samples_of used.data)" \
		'{ printf "record -F 999 --call-graph %-6s %.2f %% of a CPU, %d samples in 12 s\n", m, ($3 + $4 - $1 - $2) * 10, n }'
done
kill $a $b
wait 2>/dev/null
exit 0
