// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs for ever what is hard to unwind. It is stopped at random instants, or stepped through.
 *
 *	constructs [KIND]	one kind, a row of kinds[] below; all of them by turns
 *
 * Built by several compilers with several options, and linked with hand.S.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <ctype.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#define SIGNAL_STACK 65536
#define FUNCTION     __attribute__((noinline)) static

/* hand.S: each calls @callback(@n), from a frame that no compiler makes. */
long hand_pushes(long (*callback)(long), long n);
long hand_two_ends(long (*callback)(long), long n);
long hand_by_rbx(long (*callback)(long), long n);
long hand_in_register(long (*callback)(long), long n);
long hand_by_expression(long (*callback)(long), long n);

static volatile long sink;
static jmp_buf back;
static ucontext_t main_context, fiber_context, signal_context;
static char fiber_stack[65536], signal_stacks[2 * SIGNAL_STACK];

typedef double wide __attribute__((vector_size(32)));

FUNCTION long spin(long n)
{
	for (long i = 0; i < n; i++)
		sink += i;
	return sink;
}

FUNCTION void with_alloca(long n)
{
	char *room = alloca((size_t)(n % 50) * 16 + 16);

	memset(room, 1, (size_t)(n % 50) * 16 + 16);
	spin(300);
	sink += room[n % 16];
}

FUNCTION void realigned(long n)
{
	wide v[4] = { { (double)n } };

	with_alloca(n);
	spin(100);
	sink += (long)v[n % 4][0];
}

/* Its last instruction is a call: the return address is behind the function. */
__attribute__((noinline, noreturn)) static void leaves(long n)
{
	spin(n % 300);
	longjmp(back, 1);
}

FUNCTION void jumps(long n)
{
	if (!setjmp(back)) {
		spin(100);
		leaves(n);
	}
	spin(50);
}

static int by_value(const void *a, const void *b)
{
	spin(3);
	return *(const char *)a - *(const char *)b;
}

FUNCTION void sorts(long n)
{
	char v[64];

	for (int i = 0; i < 64; i++)
		v[i] = (char)(n += n * 41 + 7);
	qsort(v, 64, 1, by_value);
}

static volatile sig_atomic_t in_fiber;

/* Elsewhere the interrupted stack is not above the handler's. */
static void on_signal(int sig)
{
	if (in_fiber)
		sorts(sig);
}

/* On a stack just above that of the handler: a copy that begins in the handler has the frames that were interrupted. */
static void interrupted(void)
{
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_RESTART };
	struct itimerval often = { { 0, 4000 }, { 0, 4000 } };
	stack_t stack = { .ss_sp = signal_stacks, .ss_size = SIGNAL_STACK };

	sigaltstack(&stack, NULL);
	sigaction(SIGVTALRM, &act, NULL);
	sigaction(SIGUSR1, &act, NULL);
	setitimer(ITIMER_VIRTUAL, &often, NULL);
	for (long n = 0;; n++) {
		in_fiber = 1;
		if (n % 200 == 0) /* a tracer takes its time with signals */
			raise(SIGUSR1);
		sorts(n);
		in_fiber = 0;
		swapcontext(&signal_context, &main_context);
	}
}

FUNCTION void signals(long n)
{
	if (!signal_context.uc_stack.ss_sp) {
		getcontext(&signal_context);
		signal_context.uc_stack =
			(stack_t){ .ss_sp = signal_stacks + SIGNAL_STACK,
				   .ss_size = sizeof(signal_stacks) - SIGNAL_STACK };
		makecontext(&signal_context, interrupted, 0);
	}
	swapcontext(&main_context, &signal_context);
	spin(n % 100);
}

static void fiber(void)
{
	for (;;) {
		realigned(sink & 0xffff);
		swapcontext(&fiber_context, &main_context);
	}
}

FUNCTION void fibers(long n)
{
	if (!fiber_context.uc_stack.ss_sp) {
		getcontext(&fiber_context);
		fiber_context.uc_stack =
			(stack_t){ .ss_sp = fiber_stack, .ss_size = sizeof(fiber_stack) };
		makecontext(&fiber_context, fiber, 0);
	}
	swapcontext(&main_context, &fiber_context);
	spin(n % 100);
}

FUNCTION long descend(long n)
{
	return n ? descend(n - 1) + 1 : (spin(2000), 1);
}

FUNCTION void recursion(long n)
{
	sink += descend(n % 300);
}

/* 100 frames of 700 bytes and more: above 64 KiB. */
FUNCTION long wade(long n)
{
	volatile char room[700];

	room[n] = 1;
	return n ? wade(n - 1) + room[n] : spin(3000);
}

FUNCTION void deep(long n)
{
	sink += wade(100);
}

FUNCTION void vdso(long n)
{
	struct timespec t;
	struct timeval v;

	clock_gettime(n & 1 ? CLOCK_MONOTONIC : CLOCK_REALTIME, &t);
	gettimeofday(&v, NULL);
	sink += t.tv_nsec + v.tv_usec + time(NULL);
}

/* Little is done behind the stubs. */
FUNCTION void plt(long n)
{
	static const char *volatile text = "x";

	sink += toupper((int)n & 127) + (long)strlen(text) + abs((int)n) + atoi(text) +
		strcmp(text, "y");
}

#ifdef __x86_64__
FUNCTION void by_hand(long n)
{
	static long (*const all[])(long (*)(long), long) = { hand_pushes, hand_two_ends,
							     hand_by_rbx, hand_in_register,
							     hand_by_expression };

	sink += all[n % 5](spin, n % 40);
}
#else
#define by_hand vdso
#endif

static void *thread(void *arg)
{
	for (long n = 0;; n++) {
		recursion(n % 40);
		realigned(n);
	}
	return arg;
}

FUNCTION void threads(long n)
{
	pthread_t t;

	for (int i = 0; n < 16 && i < 2; i++)
		pthread_create(&t, NULL, thread, NULL);
	spin(1000);
}

static const struct {
	const char *name;
	void (*run)(long n);
	int alone; /* not by turns with others */
} kinds[] = {
	{ "alloca", with_alloca }, { "realigned", realigned }, { "longjmp", jumps },
	{ "signals", signals },	   { "fibers", fibers },       { "recursion", recursion },
	{ "deep", deep },	   { "vdso", vdso },	       { "plt", plt },
	{ "by-hand", by_hand },	   { "threads", threads, 1 },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

int main(int argc, char **argv)
{
	for (long n = 0;; n++)
		for (size_t i = 0; i < NR_KINDS; i++)
			if (argc > 1 ? !strcmp(argv[1], kinds[i].name) : !kinds[i].alone)
				kinds[i].run(n);
}
