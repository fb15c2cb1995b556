/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values that the kernel puts into our core_pattern (core(5)). Internal to core_handler*.c. */
#ifndef DETACHED_CORE_WORDS_H
#define DETACHED_CORE_WORDS_H

#define CORE_WORDS "%P %p %i %I %s %u %g %d %t %c %h %e"

/* In the order of CORE_WORDS. "initial": an id in the initial pid namespace. */
enum core_word {
	WORD_PID_INITIAL,
	WORD_PID,
	WORD_TID,
	WORD_TID_INITIAL,
	WORD_SIGNAL,
	WORD_UID,
	WORD_GID,
	WORD_DUMPABLE,
	WORD_TIME,
	WORD_LIMIT,
	WORD_HOST,
	WORD_NAME,
	NR_WORDS,
};

#endif
