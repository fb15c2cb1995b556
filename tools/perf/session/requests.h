/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many requests were there while it was recorded? Samples do not tell it: short requests have none. The files of spans do:
 * each request is a span.
 */
#ifndef SESSION_REQUESTS_H
#define SESSION_REQUESTS_H

#include "session/session.h"

/*
 * *@nr: the spans that ran between @from and @to, ns by the clock of the recording, also in part. @names: patterns of the names that count;
 * NULL or empty: spans without a parent in the files. False with @error: there are none, or the recording does not tell the time
 * of day of its clock.
 */
bool requests_count(struct session *session, const GPtrArray *names, u64 from, u64 to, u64 *nr,
		    GError **error);

#endif
