// SPDX-License-Identifier: GPL-2.0-or-later
/* Build without debuginfod: programs and debug information come from this machine only. */
#include "dso/private.h"

char *debuginfod_find(const struct build_id *id, bool debuginfo)
{
	return NULL;
}
