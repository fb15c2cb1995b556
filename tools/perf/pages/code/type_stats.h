/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages that are shown before those of types: the number of samples with a data type, by the reason why there is none,
 * and by instruction.
 */
#ifndef PAGES_TYPE_STATS_H
#define PAGES_TYPE_STATS_H

#include "annotate/annotation.h"
#include "pages/base/page.h"

/* First the reasons why there is no type, then the ways in which types are known. */
enum {
	TYPE_STAT_SAMPLES,
	TYPE_STAT_SHARE,
	TYPE_STAT_KNOWN, /* "yes": the row is a way in which a type is known */
	TYPE_STAT_WORD,
	TYPE_STAT_TEXT,
	TYPE_STAT_NR_COLUMNS,
};
enum { INSN_STAT_NAME, INSN_STAT_GOOD, INSN_STAT_BAD, INSN_STAT_NR_COLUMNS };

/* The arguments must be valid as long as the page. @insns: name -> struct insn_count. */
struct page *type_stat_page(const struct type_stat *stat);
struct page *insn_stat_page(GHashTable *insns);

#endif
