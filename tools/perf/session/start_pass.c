// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/private.h"

bool session_start_pass(struct session *s, enum perfdata_want want, GError **error)
{
	if (perfdata_is_pipe(s->file->pd)) {
		if (s->file->passed)
			return error_set(error, PERF_ERROR_USAGE, "a pipe can be read only once");
		s->file->passed = true;
		return true;
	}
	if (!perfdata_rewind(s->file->pd, error))
		return false;
	perfdata_want(s->file->pd, want);
	return true;
}
