// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/sources.h"

#include "record/cpu_watch.h"
#include "record/file_watch.h"
#include "record/waits/latency.h"
#include "record/waits/offcpu.h"
#include "record/skid_source.h"
#include "record/base/options.h"
#include "record/tls/source.h"
#include "record/waits/wall_source.h"

bool sources_add(struct recording *rec, GError **error)
{
	struct source *tls = NULL, *latency = NULL;

	if (rec->opts->tls.layout) {
		tls = tls_source_new(rec->opts, rec->paths, error);
		if (!tls)
			return false;
		g_ptr_array_add(rec->sources, tls);
	}
	/* Before the wall source, which uses its maps. */
	if (rec->opts->wall.latency_of && rec->opts->wall.hz) {
		latency = latency_source_new(rec->opts, rec->paths);
		g_ptr_array_add(rec->sources, latency);
	}
	if (rec->opts->wall.hz)
		g_ptr_array_add(rec->sources, wall_source_new(rec->opts, rec->paths, tls, latency));
	if (rec->opts->off_cpu.given)
		g_ptr_array_add(rec->sources, offcpu_source_new(rec->opts, rec->paths, tls));
	g_ptr_array_add(rec->sources, file_watch_new());
	g_ptr_array_add(rec->sources, cpu_watch_new());
	if (!rec->opts->no_skid_check)
		g_ptr_array_add(rec->sources, skid_source_new(rec->opts, rec->paths));
	return true;
}
