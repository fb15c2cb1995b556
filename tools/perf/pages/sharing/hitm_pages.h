/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What events of hardware state about shared cache lines (sharing/hitm.h), in three pages: counts of all accesses; the lines with the
 * most hits of modified lines; for each of these, who accesses it where.
 */
#ifndef PAGES_HITM_PAGES_H
#define PAGES_HITM_PAGES_H

#include "pages/base/page.h"
#include "sharing/hitm.h"

enum hitm_page { HITM_PAGE_COUNTS, HITM_PAGE_LINES, HITM_PAGE_ROWS, NR_HITM_PAGES };

/* What the column of a row's nodes says of each: its number; CPUs, shares of hits and stores; the numbers of its CPUs. */
enum hitm_node_info { HITM_NODES, HITM_NODE_SHARES, HITM_NODE_CPUS };

/* Borrows @hitm, which is finished. @machine: for programs, every row has all its cells. */
struct page *hitm_page_new(const struct hitm *hitm, enum hitm_page which, enum hitm_node_info nodes,
			   bool machine);

#endif
