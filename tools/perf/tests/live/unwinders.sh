#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks of running programs, stopped at random instants: our chains are those of elfutils, or go on where these end.
set -u

stops=$O/tests/tools/unwind_stops compare=$O/tests/tools/unwind_compare
if [[ $(uname -m) != x86_64 ]]; then
	echo "ok - unwinders # skip stacks are unwound for x86-64 only"
	exit 0
fi

# agrees NAME COMMAND...: some hundred stacks of the command.
agrees() {
	local name=$1
	shift
	timeout 120 "$stops" 400 stacks "$@" >out 2>&1
	local status=$?
	if ((status == 77)); then
		echo "ok - unwinders: $name # skip processes cannot be traced here"
	elif ((status == 0)) && "$compare" stops stacks >>out 2>&1 && awk '/^of [0-9]+ stacks/ { exit $2 < 100 }' out; then
		echo "ok - unwinders: $name: $(tail -1 out)"
	else
		cat out
		echo "not ok - unwinders: $name"
	fi
}

# built NAME COMMAND...: ./NAME by that compiler; a named skip where there is none.
built() {
	local name=$1
	shift
	if ! command -v "$1" >/dev/null; then
		echo "ok - unwinders: $name # skip there is no $1"
		return 1
	fi
	"$@" -o "$name" >log 2>&1 && return
	echo "ok - unwinders: $name # skip $1 cannot build it: $(head -1 log | cut -c -80)"
	return 1
}

cat >kinds.c <<'C'
#define _GNU_SOURCE
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

static volatile long sink;
static jmp_buf back;
static ucontext_t main_context, fiber_context;
static char fiber_stack[65536], signal_stack[65536];

typedef double wide __attribute__((vector_size(32)));

__attribute__((noipa)) static void spin(long n)
{
	for (long i = 0; i < n; i++)
		sink += i;
}

__attribute__((noipa)) static long with_alloca(long n)
{
	char *room = alloca((size_t)n * 16);

	memset(room, 1, (size_t)n * 16);
	spin(2000);
	return room[n];
}

__attribute__((noipa)) static double realigned(long n)
{
	wide v[4] = { { (double)n } };

	sink += with_alloca((long)((unsigned long)n % 50 + 1));
	return v[(unsigned long)n % 4][0];
}

__attribute__((noipa)) static void jumps(long n)
{
	spin(1000);
	if (n % 2)
		longjmp(back, 1);
}

static int by_value(const void *a, const void *b)
{
	spin(3);
	return *(const char *)a - *(const char *)b;
}

__attribute__((noipa)) static void sorts(void)
{
	char v[64];

	for (int i = 0; i < 64; i++)
		v[i] = (char)rand();
	qsort(v, 64, 1, by_value);
}

static void fiber(void)
{
	for (;;) {
		realigned(sink);
		swapcontext(&fiber_context, &main_context);
	}
}

static void on_alarm(int sig)
{
	sorts();
}

__attribute__((noipa)) static long recurse(long n)
{
	return n ? recurse(n - 1) + 1 : (spin(3000), 1);
}

int main(void)
{
	struct sigaction act = { .sa_handler = on_alarm, .sa_flags = SA_ONSTACK | SA_RESTART };
	struct itimerval often = { { 0, 4000 }, { 0, 4000 } };
	stack_t stack = { .ss_sp = signal_stack, .ss_size = sizeof(signal_stack) };
	struct timespec now;

	sigaltstack(&stack, NULL);
	sigaction(SIGVTALRM, &act, NULL);
	setitimer(ITIMER_VIRTUAL, &often, NULL);
	getcontext(&fiber_context);
	fiber_context.uc_stack = (stack_t){ .ss_sp = fiber_stack, .ss_size = sizeof(fiber_stack) };
	makecontext(&fiber_context, fiber, 0);
	for (long n = 0;; n++) {
		if (!setjmp(back))
			jumps(n);
		realigned(n);
		sorts();
		recurse(n % 100);
		clock_gettime(CLOCK_MONOTONIC, &now);
		swapcontext(&main_context, &fiber_context);
	}
}
C
cat >objects.c <<'C'
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static long grow(int depth, const char *from)
{
	char *words[100];
	long sum = 0;

	if (depth)
		return grow(depth - 1, from) + 1;
	for (int i = 0; i < 100; i++)
		words[i] = strdup(from + rand() % 20);
	qsort(words, 100, sizeof(*words), by_value);
	for (int i = 0; i < 100; i++) {
		sum += words[i][0];
		free(words[i]);
	}
	return sum;
}

int main(void)
{
	long sum = 0;

	for (int i = 0;; i++)
		sum += grow(i % 20, "the quick brown fox jumps over the lazy dog");
}
C
cat >objects.cc <<'CC'
#include <map>
#include <regex>
#include <stdexcept>
#include <string>

struct shape {
	virtual ~shape() = default;
	virtual int area(const std::string &s, int depth) = 0;
};

struct square : shape {
	int area(const std::string &s, int depth) override
	{
		static const std::regex number("([0-9]+)(,([0-9]+))*");
		std::smatch m;

		if (depth)
			return area(s + "1", depth - 1) + 1;
		if (!std::regex_match(s, m, number))
			throw std::runtime_error(s);
		return (int)m.size();
	}
};

int main()
{
	std::map<std::string, int> seen;
	square q;
	shape *any = &q;

	for (int i = 0;; i++) {
		std::string s = std::to_string(i % 97) + (i % 3 ? ",12" : ",x");
		try {
			seen[s] += any->area(s, i % 20);
		} catch (const std::exception &e) {
			seen[e.what()]--;
		}
	}
}
CC
cat >work.rs <<'RS'
use std::collections::BTreeMap;
fn weigh(text: &str, depth: u32) -> usize {
    if depth > 0 { return weigh(&format!("{text}{depth}"), depth - 1) + 1; }
    std::panic::catch_unwind(|| text.chars().filter(|c| c.is_ascii_digit()).count()).unwrap_or(0)
}
fn main() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for i in 0u64.. {
        let key = format!("{}", i % 997);
        *seen.entry(key.clone()).or_insert(0) += weigh(&key, (i % 12) as u32);
    }
}
RS
cat >work.go <<'GO'
package main

import (
	"fmt"
	"sort"
	"strings"
)

func weigh(s string, depth int) int {
	if depth > 0 {
		return weigh(s+"x", depth-1) + 1
	}
	return len(strings.Fields(s))
}

func main() {
	seen := map[string]int{}
	for i := 0; ; i++ {
		s := fmt.Sprint(i % 997)
		seen[s] += weigh(s, i%10)
		if i%1000 == 0 {
			keys := make([]string, 0, len(seen))
			for k := range seen {
				keys = append(keys, k)
			}
			sort.Strings(keys)
		}
	}
}
GO
cat >work.py <<'PY'
import json, random, re
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
while True:
    fib(15)
    text = json.dumps([{"a": i, "b": [str(i)] * 3} for i in range(300)])
    sorted((random.random() for _ in range(2000)), key=lambda x: -x)
    re.findall(r'(\d+)", "(\d+)', text)
PY

for cc in gcc clang; do
	for flags in -O0 "-O1 -fomit-frame-pointer" "-O2 -mavx2" "-O3 -fno-omit-frame-pointer"; do
		built "$cc$flags" $cc $flags -w kinds.c && agrees "C by $cc $flags" "./$cc$flags"
	done
done
for flags in -O2 "-O2 -static"; do
	built "m32$flags" gcc -m32 $flags -w kinds.c && agrees "32-bit C by gcc $flags" "./m32$flags"
done
built static gcc -O2 -static -w kinds.c && agrees "static C" ./static
built musl musl-gcc -O2 -static -w -D_GNU_SOURCE objects.c && agrees "static C by musl" ./musl
built static-pie gcc -O2 -static-pie -w kinds.c && agrees "static-pie C" ./static-pie
for cc in g++ clang++; do
	for flags in -O0 -O2; do
		built "$cc$flags" $cc $flags -w objects.cc && agrees "C++ by $cc $flags" "./$cc$flags"
	done
done
if have=$(rustc --version 2>/dev/null) && built rust rustc -O work.rs; then
	agrees "Rust" ./rust
else
	[[ $have ]] || echo "ok - unwinders: Rust # skip there is no rustc"
fi
if go version >/dev/null 2>&1 && HOME=$PWD GOFLAGS=-mod=mod GOCACHE=$PWD/go GOTOOLCHAIN=local go build -o gowork work.go >log 2>&1; then
	GOMAXPROCS=1 agrees "Go" ./gowork
else
	echo "ok - unwinders: Go # skip there is no go that builds it: $(head -1 log 2>/dev/null | cut -c -80)"
fi
if python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null); then
	agrees "python3" "$python" work.py
else
	echo "ok - unwinders: python3 # skip there is no python3"
fi
