// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that gives its thread pointer other values with WRFSBASE, as a user-level
 * scheduler does whose threads each have a block of thread-local storage:
 *
 *   own_base SECONDS
 *
 * lab_id is 7 in libc's own storage, 100 and 101 in two blocks. Each of the functions spin_7(),
 * spin_100() and spin_101() runs only while lab_id has its number, so that a sample's symbol
 * tells what its activity must be. Nothing is called while a block counts: libc keeps things of
 * its own where the thread pointer is.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BLOCK_WORDS 64

_Thread_local volatile uint64_t lab_id = 7;
static uint64_t blocks[2][2 * BLOCK_WORDS];
static volatile unsigned long sink;

#define SPIN(id)                                                                                   \
	__attribute__((noinline)) static void spin_##id(void)                                      \
	{                                                                                          \
		for (unsigned long i = 0; i < 300000; i++)                                         \
			sink += i * id;                                                            \
	}
SPIN(7)
SPIN(100)
SPIN(101)

static void set_base(uintptr_t base)
{
	__asm__ volatile("wrfsbase %0" : : "r"(base) : "memory");
}

static uintptr_t get_base(void)
{
	uintptr_t base;

	__asm__ volatile("rdfsbase %0" : "=r"(base));
	return base;
}

int main(int argc, char **argv)
{
	uintptr_t own = get_base(), offset = own - (uintptr_t)&lab_id;
	uintptr_t base[2];
	time_t end;

	if (argc != 2 || offset > BLOCK_WORDS * 8) {
		fprintf(stderr, "usage: own_base SECONDS\n");
		return 1;
	}
	for (unsigned int k = 0; k < 2; k++) {
		base[k] = (uintptr_t)&blocks[k][BLOCK_WORDS];
		*(uint64_t *)(base[k] - offset) = 100 + k;
	}
	for (end = time(NULL) + atoi(argv[1]); time(NULL) < end;) {
		spin_7();
		set_base(base[0]);
		spin_100();
		set_base(base[1]);
		spin_101();
		set_base(own);
	}
	return 0;
}
