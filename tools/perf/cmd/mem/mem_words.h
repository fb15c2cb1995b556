/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf mem takes the options of perf record and perf report besides its own, and passes them on:
 *
 *	perf mem report -p -x, --stdio		perf report --mem-mode ... -t, --stdio
 *
 * -p and -x mean something else in perf report. So the words cannot be passed on as they are: mem_spec_new() makes one table of the
 * own options and of those of the other command that have no name in common with them, and the latter collect their words.
 */
#ifndef CMD_MEM_WORDS_H
#define CMD_MEM_WORDS_H

#include "cli/options.h"

/* The words that are passed on, in the command's options. */
struct mem_words {
	GPtrArray *words; /* char *, owned */
};

void mem_words_init(struct mem_words *words);
void mem_words_release(struct mem_words *words);
void mem_words_add(struct mem_words *words, const char *format, ...) G_GNUC_PRINTF(2, 3);

/*
 * A table of the rows of @parts, of which the first ones keep a name that several have; then of the rows of @other, which are hidden and
 * passed on to the struct mem_words at @at of the options. @other may be NULL. To be freed with mem_spec_free(); the rows' texts
 * must live as long.
 */
struct options_spec *mem_spec_new(const struct options_spec *const *parts, u32 nr,
				  const struct options_spec *other, size_t at);
void mem_spec_free(struct options_spec *spec);

#endif
