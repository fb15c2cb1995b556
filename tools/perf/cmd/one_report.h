/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report of one session, read and then printed: of a file, or of records while they come. */
#ifndef CMD_ONE_REPORT_H
#define CMD_ONE_REPORT_H

#include "cmd/report_options.h"
#include "fields/columns.h"
#include "hist/profile.h"

struct report {
	struct report_options *options;
	struct session *session;
	struct lexicon *lexicon;
	struct idle_rules *idle_rules; /* of the lexicon; NULL: the usual ones */
	struct columns_options columns_options;
	struct profile_options profile_options;
	struct columns *columns;
	struct profile *profile;
	struct panels *panels; /* NULL: not wanted */
};

/*
 * With options and session set, the rest NULL: brings both together, so far as to say which columns and
 * which profile are wanted.
 */
bool report_settle(struct report *r, GError **error);
/* What pages are asked for, of those. */
struct report_pages_options report_pages_options(const struct report *r);
/* With options and session set, the rest NULL: brings both together. */
bool report_begin(struct report *r, GError **error);
/* The same, and takes all samples. */
bool report_read(struct report *r, GError **error);
/* As of the last look at the profile; to be freed. */
struct pages *report_pages(const struct report *r);
bool report_print(const struct report *r, GError **error);
/* All but options and session. */
void report_release(struct report *r);

/* What headings are asked for of the files, in words. */
void report_print_header(const struct report_options *o, struct session *session);

#endif
