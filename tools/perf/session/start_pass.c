// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/private.h"

bool session_start_pass(struct session *s, enum perfdata_want want, GError **error)
{
	if (perfdata_is_pipe(s->pd)) {
		if (s->passed)
			return error_set(error, PERF_ERROR_USAGE, "a pipe can be read only once");
		s->passed = true;
		return true;
	}
	if (!perfdata_rewind(s->pd, error))
		return false;
	perfdata_want(s->pd, want);
	return true;
}
