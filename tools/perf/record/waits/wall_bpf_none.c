// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces wall_bpf.c in a build without BPF. */
#include "record/waits/wall.h"

struct wall_eye *wall_bpf_open(const struct wall_bpf_options *options,
			       const struct wall_clock *clock, GError **error)
{
	error_set(error, PERF_ERROR_UNSUPPORTED,
		  "this perf was built without BPF (see perf version --build-options)");
	return NULL;
}
