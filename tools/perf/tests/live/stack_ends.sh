#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks that end in unusual code: no call-frame information, contexts, signals. The chains of --call-graph live reach the
# thread's first function, and have no frame that is no caller.
. "$SRC/tools/perf/tests/live/common"
set -u

if ! gcc --version >/dev/null 2>&1; then
	skip_all "stack ends" "there is no gcc"
fi
if ! "$PERF" record -q -e cpu-clock:u -o probe.data true >record.log 2>&1; then
	skip_all_refused "stack ends" record.log
fi
plan 10

# Time is spent in a function of the C library without a frame, in its qsort(), and in what that calls.
cat >sorts.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct row { long key, more[40]; };
static struct row rows[300];

__attribute__((noipa)) static int before(const void *a, const void *b)
{
	long x = ((const struct row *)a)->key, y = ((const struct row *)b)->key;

	return (x > y) - (x < y);
}

__attribute__((noipa)) static void sort(void)
{
	for (int i = 0; i < 300; i++)
		rows[i].key = rand();
	qsort(rows, 300, sizeof(rows[0]), before);
}

int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 2)
		sort();
	return 0;
}
C

# chains FILE: one line per sample, the functions from the innermost on.
chains() {
	"$PERF" script -i "$1" -F ip,sym,dso 2>/dev/null | awk '
		NF { line = line " " $2; next }
		line != "" { print line; line = "" }
		END { if (line != "") print line }'
}

# reaches PROGRAM: 97 % of its stacks reach the root. (Not the first instructions of a function that jumps on by a register.)
reaches() {
	"$PERF" record -e cpu-clock:u -F 999 --call-graph live -o "$1.data" "./$1" >"$1.log" 2>&1
	cp "$1.log" found
	awk -v x="$(sed -n 's/.* \([0-9.]*\) % to the root.*/\1/p' "$1.log")" 'BEGIN { exit !(x >= 97) }'
}

if ! musl-gcc --version >/dev/null 2>&1; then
	skip "stack ends: musl" "there is no musl-gcc" 4
else
	musl-gcc -O2 -static -o musl sorts.c
	musl-gcc -O2 -o musl_dynamic sorts.c
	strip -o musl_stripped musl
	for program in musl musl_dynamic musl_stripped; do
		check "stack ends: $program has no call-frame information, and its stacks reach the start of the program" reaches $program
	done
	in_between() {
		chains musl.data >found
		awk '/ (memcpy|cycle|sift|trinkle) / {
				all++
				whole += / __qsort_r main libc_start_main_stage2$/ && (!/memcpy/ || /^ memcpy cycle /) && (!/cycle/ || / cycle (sift|trinkle) /)
			}
			END { exit !(all > 50 && whole >= 0.97 * all) }' found
	}
	check "stack ends: and no caller is left out in between" in_between
fi

# rbp is a register as any other, and there are no rules: what the kernel finds by it are no callers.
cat >data.c <<'C'
#include <time.h>

static char text[4096] __attribute__((aligned(8))) = "this/is/a/long/text/that/looks/like/frames/to/those/who/follow/it";

__attribute__((noipa)) static void spin(void)
{
	asm volatile("push %%rbp\n\t"
		     "mov %0, %%rbp\n\t"
		     "mov $300000, %%ecx\n"
		     "1: dec %%ecx\n\t"
		     "jnz 1b\n\t"
		     "pop %%rbp" : : "r"(text) : "ecx", "memory", "cc");
}

int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 4)
		spin();
	return text[0] == 1;
}
C
# true if no chain has an address outside of code
all_mapped() {
	gcc -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables -fomit-frame-pointer -mno-red-zone -o data data.c &&
		"$PERF" record -q -e cpu-clock:u -F 999 --call-graph live -o data.data ./data &&
		chains data.data >found && grep -q ' spin' found && ! grep -F '[unknown]' found
}
check "stack ends: text that a register points to is no caller" all_mapped

# A function without a frame is called by functions with frame pointers; none has rules.
cat >framed.c <<'C'
#include <time.h>

__attribute__((noipa, optimize("omit-frame-pointer"))) static long leaf(long n)
{
	long x = n;

	for (long i = 0; i < n; i++)
		asm volatile("" : "+r"(x));
	return x;
}
__attribute__((noipa)) static long caller(long n) { return leaf(n) + 1; }
__attribute__((noipa)) static long outer(long n) { return caller(n) + 1; }

int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 4)
		outer(300000);
	return 0;
}
C
has_caller() {
	gcc -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-omit-frame-pointer -o framed framed.c &&
		"$PERF" record -q -e cpu-clock:u -F 999 --call-graph live -o framed.data ./framed &&
		chains framed.data | grep '^ leaf' >found &&
		awk '/^ leaf caller outer main / { good++ } END { exit !(NR > 50 && good == NR) }' found
}
check "stack ends: a leaf without a frame has its caller" has_caller

# The function of a context returns to __start_context; a signal's handler to __restore_rt. Distributions strip both names.
cat >switches.c <<'C'
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

static ucontext_t first, second;
static char stack[65536];

__attribute__((noipa)) static long spin(long n)
{
	volatile long x = n;

	for (long i = 0; i < n; i++)
		x = x * 3 + i;
	return x;
}

static volatile long sum;
static void in_context(void)
{
	for (;;) {
		sum += spin(100000);
		swapcontext(&second, &first);
	}
}
static void on_signal(int number) { sum += spin(300000); }

int main(void)
{
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } };

	getcontext(&second);
	second.uc_stack.ss_sp = stack;
	second.uc_stack.ss_size = sizeof(stack);
	makecontext(&second, in_context, 0);
	signal(SIGALRM, on_signal);
	setitimer(ITIMER_REAL, &often, 0);
	while (clock() < CLOCKS_PER_SEC / 2)
		swapcontext(&first, &second);
	return 0;
}
C
gcc -O2 -o switches switches.c && "$PERF" record -q -e cpu-clock:u -F 999 --call-graph live -o switches.data ./switches && chains switches.data >found
check "stack ends: a context begins in __start_context" grep -q '^ spin in_context __start_context$' found
check "stack ends: a handler returns to __restore_rt" grep -q '^ spin on_signal __restore_rt spin in_context __start_context$' found

# A handler on a stack of its own: the chain goes on in the stack that the signal interrupted. That stack's last page is not
# in memory, as pages are that the kernel left free between the environment and the first frame.
cat >ownstack.c <<'C'
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

__attribute__((noipa)) static long spin(long n)
{
	volatile long x = n;

	for (long i = 0; i < n; i++)
		x = x * 3 + i;
	return x;
}

static volatile long sum;
/* On a busy machine the next signal is here when the handler returns: then only the handler sees that the time is over. */
static void on_signal(int number)
{
	struct itimerval never = { { 0, 0 }, { 0, 0 } };

	sum += spin(2000000);
	if (clock() >= CLOCKS_PER_SEC)
		setitimer(ITIMER_REAL, &never, 0);
}
__attribute__((noipa)) static void descend(int n)
{
	volatile char room[300];

	room[n] = n;
	if (n)
		descend(n - 1);
	else
		while (clock() < CLOCKS_PER_SEC)
			;
	sum += room[n];
}

int main(void)
{
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	stack_t own = { .ss_sp = malloc(40000), .ss_size = 40000 };

	madvise((void *)(getauxval(AT_EXECFN) & -4096), 4096, MADV_DONTNEED);
	sigaltstack(&own, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, 0);
	descend(24);
	return 0;
}
C
gcc -O2 -o ownstack ownstack.c
if "$PERF" record -v -e cpu-clock:u -F 999 --call-graph live -o probe.data true 2>&1 | grep -q 'all copies have one size'; then
	skip "stack ends: a handler on a stack of its own" "the BPF program that copies both stacks cannot be used here" 2
else
	env_of_pages() { PAD=$(printf %5000d 0) "$@"; } # the last page has nothing else
	check "stack ends: a handler on a stack of its own: to the root" env_of_pages reaches ownstack
	chains ownstack.data | grep '^ spin' >found
	check "stack ends: over the signal's frame, with every caller" awk '
		/^ spin on_signal __restore_rt .* main / && gsub(/ descend/, "&") == 25 { whole++ }
		END { print "# " whole " of " NR; exit !(NR > 100 && whole >= 0.97 * NR) }' found
fi
