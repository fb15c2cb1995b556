/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many samples have a data type, by the reason why not and by instruction: pages before those of types. */
#ifndef PAGES_TYPE_STATS_H
#define PAGES_TYPE_STATS_H

#include "annotate/annotation.h"
#include "pages/page.h"

/* Reasons why there is no type stand first, then how types are known. */
enum {
	TYPE_STAT_SAMPLES,
	TYPE_STAT_SHARE,
	TYPE_STAT_KNOWN, /* "yes": it is how a type is known */
	TYPE_STAT_WORD,
	TYPE_STAT_TEXT,
	TYPE_STAT_NR_COLUMNS,
};
enum { INSN_STAT_NAME, INSN_STAT_GOOD, INSN_STAT_BAD, INSN_STAT_NR_COLUMNS };

/* Both of what is given live as long as the page. @insns: name -> struct insn_count. */
struct page *type_stat_page(const struct type_stat *stat);
struct page *insn_stat_page(GHashTable *insns);

#endif
