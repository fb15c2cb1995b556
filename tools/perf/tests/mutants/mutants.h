/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All mutants of mutants/run are in one build. The expression a < b that is mutant 7 has become
 *
 *	(mutant_is(7) ? a <= b : a < b)
 *
 * The file that $MUTANTS names says which mutant a program is, and the program writes there which mutants it came to. A
 * program that has lost its environment (sudo, env -i) uses the file MUTANTS_ELSEWHERE.
 */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The file, mapped. */
struct mutants {
	unsigned chosen; /* 0: none, the product as it is */
	unsigned char reached[65532];
};

#define MUTANTS_SHARED __attribute__((weak, visibility("hidden")))
MUTANTS_SHARED struct mutants mutants_none;
MUTANTS_SHARED struct mutants *mutants_here;

static __attribute__((cold, noinline, unused)) void mutants_open(void)
{
	int saved = errno;
	const char *path = getenv("MUTANTS");
	int fd = open(path ? path : MUTANTS_ELSEWHERE, O_RDWR | O_CLOEXEC);
	struct mutants *m = MAP_FAILED;

	if (fd >= 0) {
		m = (struct mutants *)mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
					   0);
		close(fd);
	}
	mutants_here = m == MAP_FAILED ? &mutants_none : m;
	errno = saved;
}

static inline int mutant_is(unsigned number)
{
	if (!mutants_here)
		mutants_open();
	if (!mutants_here->reached[number])
		mutants_here->reached[number] = 1;
	return mutants_here->chosen == number;
}
