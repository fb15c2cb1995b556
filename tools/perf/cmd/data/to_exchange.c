// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/data/to_exchange.h"

#include <inttypes.h>
#include <stdio.h>

#include "export/exchange/exchange.h"
#include "options/recordings.h"

/* All recordings of a folder are one. */
static bool write_recordings(const struct to_exchange_options *o, struct exchange_counts *counts,
			     GError **error)
{
	g_autoptr(GPtrArray) inputs = g_ptr_array_new();
	g_autoptr(GPtrArray) beside = g_ptr_array_new();
	struct session_options *session = o->session;
	struct recordings r;
	bool ok;

	g_ptr_array_add(inputs, (void *)session->input);
	ok = recordings_choose(&r, inputs, session->filter.time, session->force, error);
	for (u32 i = 1; ok && i < r.paths->len; i++)
		g_ptr_array_add(beside, r.paths->pdata[i]);
	if (ok) {
		session->input = r.paths->pdata[0];
		session->beside = beside;
		if (r.time)
			session->filter.time = r.time;
	}
	ok = ok && exchange_write(&(struct exchange_options){ .format = o->format,
							      .session = session,
							      .output = o->output,
							      .table = o->table },
				  counts, error);
	recordings_release(&r);
	return ok;
}

int to_exchange(const struct to_exchange_options *o)
{
	struct exchange_counts counts = { 0 };
	g_autoptr(GError) error = NULL;
	bool ok;

	span_options_apply(o->spans, o->session, NULL, 0);
	o->session->resolver.chains = CHAINS_CUT;
	o->session->show_progress = true;
	ok = write_recordings(o, &counts, &error);
	if (!ok)
		fprintf(stderr, "perf: %s\n", error->message);
	if (ok && counts.without_wall)
		fprintf(stderr,
			"note: the recording does not tell the time of day of its clock (record -k "
			"CLOCK_MONOTONIC): %s\n",
			counts.without_wall);
	if (ok && o->verbose)
		fprintf(stderr, "%" PRIu64 " samples are in %s\n", counts.samples, counts.output);
	return ok ? 0 : 1;
}
