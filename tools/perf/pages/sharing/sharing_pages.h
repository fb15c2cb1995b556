/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf c2c report: cache lines that threads share, a page for each event that has seen some. */
#ifndef PAGES_SHARING_PAGES_H
#define PAGES_SHARING_PAGES_H

#include "pages/base/page.h"
#include "sharing/sharing.h"

/*
 * Borrows @events, struct sharing *, which are finished. @machine: for programs, every row has all its cells; else what a row has in
 * common with the one above is left out.
 */
struct pages *sharing_pages_new(const GPtrArray *events, bool machine);

/* What a page and a row of it are about. */
const struct sharing *sharing_pages_of(const struct page *page);
const struct sharing_row *sharing_pages_row(const struct page *page, struct row row);

#endif
