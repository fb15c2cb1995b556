// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/sources.h"

#include "record/options.h"

bool sources_add(struct recording *rec, GError **error)
{
	if (rec->opts->tls_layout)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "--sample-tls: this build has no source for it");
	return true;
}
