// SPDX-License-Identifier: GPL-2.0-or-later
/* Build without debuginfod: programs and debug information come from this machine only. */
#include "dso/debuginfod.h"
#include "dso/private.h"

const char *debuginfod_servers(void)
{
	return NULL;
}

enum debuginfod_consent debuginfod_consent(void)
{
	return DEBUGINFOD_NO;
}

void debuginfod_set_consent(enum debuginfod_consent consent)
{
}

bool debuginfod_fetch(const struct build_id *id, debuginfod_step_fn *step, void *arg)
{
	return false;
}

u64 debuginfod_size(const struct build_id *id)
{
	return 0;
}

char *debuginfod_find(const struct build_id *id, bool debuginfo)
{
	return NULL;
}
