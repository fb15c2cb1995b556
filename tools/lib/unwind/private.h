/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by unwind/cfi.c, which compiles rows, and unwind/kept_rows.c, which stores them. Only these two include this.
 */
#ifndef UNWIND_PRIVATE_H
#define UNWIND_PRIVATE_H

#include <glib.h>
#include <pthread.h>

#include "base/table.h"
#include "dso/kept.h"
#include "unwind/cfi.h"
#include "unwind/tables.h"

/* Rules have the numbers 1 to 65535. They are allocated in pages, so they do not move. */
#define RULES_PER_PAGE 64
#define RULE_PAGES     (65536 / RULES_PER_PAGE)

struct cfi_range {
	u64 low, high;
};

struct cfi {
	struct table_of_fdes tables[2]; /* .eh_frame or .sframe, .debug_frame */
	GArray *ends; /* struct cfi_range: ranges of cfi_end_calls(), in order of the calls */
	u16 end_rule;
	bool narrow;	      /* a 32-bit file */
	pthread_mutex_t lock; /* protects compiling, and all fields below */
	struct table index;   /* rules by contents: the first nr_indexed */
	u32 nr_indexed;
	struct cfi_rule *pages[RULE_PAGES];
	u64 *answers; /* nr_answers, a power of 2, by address: address << 16 | number of the rule; 0: free */
	u32 nr_answers;
	u32 nr_rules;
	GArray *starts; /* u32: starts of the rows of the FDE being compiled */
	GArray *rules;	/* u16: their rules' numbers */
	struct cfi_stats stats;
	struct kept_file kept; /* rows of earlier runs: slots point into it */
	char *folder;	       /* where the next run finds the rows; NULL: do not keep them */
	struct build_id build_id;
	u32 nr_kept; /* functions that earlier runs compiled */
};

static inline struct cfi_rule *cfi_rule_at(const struct cfi *cfi, u32 number)
{
	return &cfi->pages[number / RULES_PER_PAGE][number % RULES_PER_PAGE];
}

static inline void cfi_put_rule(struct cfi *cfi, u32 number, const struct cfi_rule *rule)
{
	struct cfi_rule **page = &cfi->pages[number / RULES_PER_PAGE];

	if (!*page)
		*page = g_new0(struct cfi_rule, RULES_PER_PAGE);
	*cfi_rule_at(cfi, number) = *rule;
}

/* Writes the new rows, if they are many. */
void kept_rows_write(const struct cfi *cfi);

static inline bool kept_rows_has(const struct cfi *cfi, const struct fde_rows *b)
{
	const u8 *at = (const u8 *)b;

	return cfi->kept.size && at >= cfi->kept.bytes && at < cfi->kept.bytes + cfi->kept.size;
}

#endif
