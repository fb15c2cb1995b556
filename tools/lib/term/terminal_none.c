// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces terminal.c and restore.c in a build without S-Lang. */
#include "term/terminal.h"

bool terminal_is_built(void)
{
	return false;
}

struct screen *terminal_open(GError **error)
{
	error_set(error, PERF_ERROR_UNSUPPORTED,
		  "this build has no screens (it needs libslang2-dev): use --stdio");
	return NULL;
}
