/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of names (critical/names.h): which endpoint is slow? */
#ifndef PAGES_NAME_PAGE_H
#define PAGES_NAME_PAGE_H

#include "critical/critical.h"
#include "pages/base/page.h"

/* NULL: all instances have one name, or none. At most MOST_NAMES rows. */
struct page *critical_names_page(const struct critical_answer *answer);

#endif
