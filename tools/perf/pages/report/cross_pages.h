/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cross table (hist/cross.h) as pages whose rows have numbers and refer to each other by them:
 *
 *	frames		the call tree
 *	sites		instructions with their source lines and the data that they access
 *	keys		one page for each key: its values
 *	samples		groups: an event, a frame, a site, a value of each key, and how much of it there was
 *	timeline	how much of a group fell into a slice of time
 */
#ifndef PAGES_CROSS_PAGES_H
#define PAGES_CROSS_PAGES_H

#include "hist/cross.h"
#include "pages/base/page.h"

/*
 * The table must be settled and outlive the pages. @baseline: the source of `before`; NULL: none.
 */
struct pages *cross_pages_new(const struct cross *cross, const char *baseline);

#endif
