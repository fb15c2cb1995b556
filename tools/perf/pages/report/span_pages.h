/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spans that lasted longest (hist/span_times.h) as a page of kind "spans": begin, duration, name, thread. There is
 * no page if no sample has an activity.
 */
#ifndef PAGES_SPAN_PAGES_H
#define PAGES_SPAN_PAGES_H

#include "hist/span_times.h"
#include "pages/base/page.h"

/* Settles @times. Both must outlive the pages. */
struct pages *span_pages_new(struct span_times *times, const struct lexicon *lexicon);

#endif
