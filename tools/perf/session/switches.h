/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --switch-on and --switch-off: samples count from a sample of one event to the next sample of another.
 *
 * The samples of both events become time ranges when a file is opened, because threads may then read its parts in any
 * order.
 */
#ifndef SESSION_SWITCHES_H
#define SESSION_SWITCHES_H

#include <glib.h>

#include "base/error.h"
#include "perfdata/read/reader.h"
#include "session/filter.h"

/*
 * The ranges of @pd that @texts select: an array of struct time_span in order, ends included. To be freed. Samples of
 * --switch-on outside of @times (NULL: none is) do not count, as in upstream perf. NULL with @error: the file has no
 * such event, or no times. Leaves @pd at its first record.
 */
GArray *switches_find(struct perfdata *pd, const struct session_filter *texts, const GArray *times,
		      s64 to_wall, GError **error);

#endif
