/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages of sums over critical paths (critical/sums.h): what was lost to which other span, and how much what could save at most. */
#ifndef PAGES_SUM_PAGE_H
#define PAGES_SUM_PAGE_H

#include "critical/critical.h"
#include "pages/base/page.h"

/* @least: percent; smaller rows are left out. NULL: there are no rows. */
struct page *critical_lost_page(const struct critical_answer *answer, double least);
struct page *critical_bounds_page(const struct critical_answer *answer, double least);

#endif
