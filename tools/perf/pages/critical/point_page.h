/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of single instances (critical/points.h): when each began, how long it lasted, and whether its path is there. */
#ifndef PAGES_POINT_PAGE_H
#define PAGES_POINT_PAGE_H

#include "critical/critical.h"
#include "pages/base/page.h"

/* @answer has points. The page has the facts of @notes, and how many instances and paths it has. */
struct page *critical_points_page(const struct critical_answer *answer, const struct notes *notes);

#endif
