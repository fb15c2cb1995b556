/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The further panels of `perf report --html` and `--panels`: call tree, timeline, instructions, structures, and their
 * relations (hist/cross.h), for the same samples.
 */
#ifndef REPORT_PANELS_H
#define REPORT_PANELS_H

#include "fields/columns.h"
#include "hist/profile.h"
#include "pages/base/page.h"
#include "session/session.h"

struct panels_options {
	bool wanted;
	const char *html;     /* the file to write; NULL: none */
	const char *baseline; /* a recording to compare with; NULL: none */
};

struct panels_input {
	struct session *session;
	const struct session_options *session_options;
	struct profile *profile;
	const struct columns *columns; /* the profile's */
	const char *baseline;	       /* as above */
};

struct panels;

struct panels *panels_new(const struct panels_input *input);
void panels_free(struct panels *p);

/* Reads all samples, also for the profile. */
bool panels_read(struct panels *p, GError **error);

/* The pages of @report, which it takes over, followed by those of the panels. */
struct pages *panels_join(struct panels *p, struct pages *report);

#endif
