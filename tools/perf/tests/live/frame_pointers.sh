#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# record -g of programs with and without frame pointers: record says it at the start, the report cuts broken chains and says how
# many. A program with frame pointers is never accused, however it was compiled.
set -u
source "$SRC/tools/perf/tests/live/common"

cat >work.cc <<'C'
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

struct Words {
	std::map<std::string, int> counts;
	virtual ~Words() {}
	virtual void take(int n)
	{
		for (int i = 0; i < n; i++)
			counts["word" + std::to_string(rand() % 5000)]++;
	}
};

__attribute__((noinline)) static size_t sorted(const Words &words)
{
	std::vector<std::string> v;

	for (auto &one : words.counts)
		v.push_back(one.first);
	std::sort(v.begin(), v.end(), [](auto &a, auto &b) { return a > b; });
	return v[0].size();
}

int main(int argc, char **argv)
{
	clock_t end = clock() + atof(argv[1]) * CLOCKS_PER_SEC;
	size_t sum = 0;
	Words words;

	do {
		words.take(2000);
		sum += sorted(words);
	} while (clock() < end);
	printf("%zu\n", sum);
}
C

# As many functions without the library's headers, which each compilation would spend a second on: for most of the ways to compile.
cat >small.cc <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Word {
	char text[12];
	int count;
	static int up(const void *a, const void *b) { return strcmp((const char *)a, (const char *)b); }
	static int down(const void *a, const void *b) { return strcmp((const char *)b, (const char *)a); }
};

struct Words {
	Word all[5000];
	int nr = 0;
	virtual ~Words() {}
	virtual void take(int n)
	{
		for (int i = 0; i < n; i++) {
			char text[12];

			snprintf(text, sizeof(text), "word%d", rand() % 5000);
			put(text);
		}
	}
	__attribute__((noinline)) void put(const char *text)
	{
		Word *w = (Word *)bsearch(text, all, nr, sizeof(Word), Word::up);

		if (w) {
			w->count++;
		} else if (nr < 5000) {
			strcpy(all[nr++].text, text);
			qsort(all, nr, sizeof(Word), Word::up);
		}
	}
};

__attribute__((noinline)) static size_t sorted(const Words &words)
{
	static Word copy[5000];

	memcpy(copy, words.all, sizeof(copy));
	qsort(copy, words.nr, sizeof(Word), Word::down);
	return strlen(copy[0].text);
}

int main()
{
	static Words words;

	words.take(100);
	printf("%zu\n", sorted(words));
}
C

g++ --version >/dev/null 2>&1 || skip_all "frame pointers" "no g++"
plan 32
accused() { # arguments of record; the lines on stderr that tell it
	rm -f said.data
	"$PERF" record -o said.data "$@" 2>said >/dev/null && [[ -s said.data ]] || { echo "no recording: $(tail -n 1 said)" && return; }
	grep -c 'compiled without frame pointers' said
}

is() { # name, expected, got
	[[ $2 == "$3" ]] || echo "# expected $2, got $3"
	check "$1" test "$2" == "$3"
}

for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	for how in -O0 -O1 -O2 -O3 -Os "-O2 -momit-leaf-frame-pointer" "-O2 -static" "-O2 -flto" "-O2 -fcf-protection"; do
		# shellcheck disable=SC2086 # several words
		$compiler $how -fno-omit-frame-pointer -o fp small.cc 2>/dev/null || continue
		is "$compiler $how with frame pointers is not accused" 0 "$(accused -g -- ./fp 0.01)"
	done
done

g++ -O2 -g -fomit-frame-pointer -o without work.cc || exit 1
is "record -g says that the program has none" 1 "$(accused -g -- ./without 0.01)"
is "record -g -q says nothing" 0 "$(accused -q -g -- ./without 0.01)"
is "record --call-graph live says nothing" 0 "$(accused --call-graph live -- ./without 0.01)"
is "record without chains says nothing" 0 "$(accused -- ./without 0.01)"
./without 30 >/dev/null &
busy=$!
is "record -g -p says it" 1 "$(accused -g -p $busy -- sleep 0.1)"
is "record -g -a says nothing about the command that ends it" 0 "$(accused -g -a -- sleep 0.1)"
kill $busy

g++ -O2 -g -fno-omit-frame-pointer -o with work.cc || exit 1
is "nor is one with the library's templates, g++" 0 "$(accused -g -- ./with 0.01)"
if clang++ -O2 -fno-omit-frame-pointer -o with.clang work.cc 2>/dev/null; then
	is "nor is one with the library's templates, clang++" 0 "$(accused -g -- ./with.clang 0.01)"
else
	skip "nor is one with the library's templates, clang++" "no clang++"
fi
"$PERF" record -q -g -F 999 -o without.data -- ./without 0.5 >/dev/null
"$PERF" record -q -g -F 999 -o with.data -- ./with 0.5 >/dev/null
# Rows of addresses that no code can have.
garbage() { "$PERF" report --stdio -q --no-inline --children -g none -F sym -s sym "$@" 2>/dev/null | grep -cE '\[\.\] (0+$|0x0000000000000...$|0x[1-9a-f])'; }
is "no rows of numbers that are no addresses" 0 "$(garbage -i without.data)"
check "--raw-chains has them" test "$(garbage -i without.data --raw-chains)" -gt 0
"$PERF" report --stdio --children -g none -i without.data 2>&1 >/dev/null | grep 'call chains' >found
is "one line says how many chains were cut" 1 "$(grep -cE '^note: [0-9]+ of [0-9]+ call chains are cut .*--call-graph live$' found)"
# Chains of the program with frame pointers are as they were recorded.
tree() { "$PERF" report --stdio -q --no-inline --children -g none -s sym -i with.data "$@" 2>/dev/null | grep -E ' main$| Words::take| sorted'; }
tree >found
tree --raw-chains >raw.txt
check "chains by frame pointers stay whole" cmp found raw.txt
is "and lead to main" 1 "$(grep -c ' main$' found)"

# Go has frame pointers. A call may be the last instruction of its line: behind it, the code of an inlined function begins, which has called
# nobody.
mkdir inlined && cat >inlined/main.go <<'GO'
package main

import "context"

var sum int
var last context.Context

//go:noinline
func spin(n int) int {
	var room [64]int
	for i := 0; i < n; i++ {
		room[i%64] += i
	}
	return room[n%64]
}

//go:noinline
func work(n int) {
	sum += spin(n)
	sum += spin(n)
}

func main() {
	for i := 0; i < 1000; i++ {
		work(100000)
		last = context.Background()
	}
}
GO
name="a function that is inlined behind a call in Go is no caller"
if ! (cd inlined && HOME=$PWD GO111MODULE=off GOCACHE=$PWD/go GOTOOLCHAIN=local go build -o ../goes main.go) >why 2>&1; then
	skip "$name" "there is no go that builds it: $(head -1 why | cut -c -80)"
else
	"$PERF" record -q -g -F 999 -e cpu-clock:u -o goes.data ./goes >out 2>err
	"$PERF" report --stdio -q --children -g none -s sym -i goes.data >found 2>err
	# A sample may be in the inlined function itself.
	check "$name" awk '/ main[.]work *$/ { work = $1 + 0 } / main[.]main *$/ { main = $1 + 0 } /context[.]Background/ { inlined = $1 + 0 }
		END { exit !(work > 90 && main > 90 && inlined < 5) }' found
fi
