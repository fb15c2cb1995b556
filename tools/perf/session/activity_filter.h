/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --trace, --span and --label: was the sample done for what the user asks about? */
#ifndef SESSION_ACTIVITY_FILTER_H
#define SESSION_ACTIVITY_FILTER_H

#include "base/error.h"
#include "session/session.h"

struct activity;
struct activity_filter;
struct spans;

/* From the texts of @filter that concern activities. NULL with @error where one does not parse. */
struct activity_filter *activity_filter_new(const struct session_filter *filter, GError **error);
void activity_filter_free(struct activity_filter *filter);

/* @spans and @activity may be NULL: nothing is known of them. */
bool activity_filter_passes(const struct activity_filter *filter, const struct spans *spans,
			    const struct activity *activity);

#endif
