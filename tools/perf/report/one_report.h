/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report of one session: of a file, or of records while they arrive. */
#ifndef REPORT_ONE_REPORT_H
#define REPORT_ONE_REPORT_H

#include "fields/columns.h"
#include "hist/profile.h"
#include "report/report_options.h"

struct report {
	struct report_options *options;
	struct session *session;
	struct lexicon *lexicon;
	struct request_keys *request_keys;
	struct idle_rules *idle_rules; /* options of the lexicon; NULL: the default */
	struct columns_options columns_options;
	struct profile_options profile_options;
	struct columns *columns;
	struct profile *profile;
	struct panels *panels; /* NULL: not wanted */
};

/*
 * With options and session set, and the rest NULL: checks the options against the session, and decides on columns and
 * profile.
 */
bool report_settle(struct report *r, GError **error);
/* The options of the pages. */
struct report_pages_options report_pages_options(const struct report *r);
/* With options and session set, and the rest NULL: checks the options against the session. */
bool report_begin(struct report *r, GError **error);
/* The same, and takes all samples. */
bool report_read(struct report *r, GError **error);
/* The pages as of the last look at the profile; to be freed. */
struct pages *report_pages(const struct report *r);
bool report_print(const struct report *r, GError **error);
/* Prints @pages, which it takes over, where the options say: also into the file of --html. */
bool report_print_pages(const struct report *r, struct pages *pages, GError **error);
/* All but options and session. */
void report_release(struct report *r);

/* The wanted headers of the files, as text. */
void report_print_header(const struct report_options *o, struct session *session);

#endif
