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
/* Who accesses one of the lines: a page of the kind HITM_PAGE_ROWS. */
struct page *hitm_line_page_new(const struct hitm *hitm, const struct hitm_line *line,
				enum hitm_node_info nodes);

/* NR_HITM_PAGES: it is another page. */
enum hitm_page hitm_page_kind(const struct page *page);
/* Of a page of these. */
const struct hitm *hitm_page_of(const struct page *page);
/* The line that the page is about; NULL: all. */
const struct hitm_line *hitm_page_only(const struct page *page);
/* What a row is about, of HITM_PAGE_LINES and of HITM_PAGE_ROWS. */
const struct hitm_line *hitm_page_line(const struct page *page, struct row row);
const struct hitm_row *hitm_page_row(const struct page *page, struct row row);

#endif
