/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages of `perf report --critical`: the tree of what the instances' time went to, sums over it (sum_page.h), and of a
 * single instance the steps of its path. Columns behind
 * CRITICAL_LAST_SHOWN are for programs; text leaves them out.
 */
#ifndef PAGES_CRITICAL_PAGES_H
#define PAGES_CRITICAL_PAGES_H

#include "critical/critical.h"
#include "pages/base/page.h"

struct critical_pages_options {
	struct session *session;
	double slowest; /* as in struct critical_options */
	double least;	/* percent: smaller rows are left out */
};

/* @answer must outlive the pages. */
struct pages *critical_pages_new(const struct critical_answer *answer,
				 const struct critical_pages_options *options);

#endif
