/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The path of a single request over its threads, one row each, as a picture of letters:
 *
 *	front (11)	|##=~#...................#|	# ran, = blocked, ~ waited for a CPU, . waits for another thread, on which the path is
 *	back (12)	|     ###================ |
 */
#ifndef PAGES_THREAD_PAGE_H
#define PAGES_THREAD_PAGE_H

#include "critical/critical.h"
#include "pages/base/page.h"

/* @answer has steps. NULL: the path is on one thread, so there is nothing to see. At most MOST_THREADS rows; the page's facts say of how many. */
struct page *critical_threads_page(const struct critical_answer *answer);

#endif
