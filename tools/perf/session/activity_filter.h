/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filters --trace, --span and --label: does the sample's activity match? */
#ifndef SESSION_ACTIVITY_FILTER_H
#define SESSION_ACTIVITY_FILTER_H

#include "base/error.h"
#include "session/session.h"

struct activity;
struct activity_filter;
struct spans;

/* Parses the texts of @filter about activities. NULL with @error if one is invalid. */
struct activity_filter *activity_filter_new(const struct session_filter *filter, GError **error);
void activity_filter_free(struct activity_filter *filter);

/* @spans and @activity may be NULL: unknown. */
bool activity_filter_passes(const struct activity_filter *filter, const struct spans *spans,
			    const struct activity *activity);

#endif
