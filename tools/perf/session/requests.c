// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/requests.h"

#include "perfdata/read/reader.h"
#include "spans/spans.h"

static bool is_request(const struct spans *spans, const struct span *span, const GPtrArray *names)
{
	bool fits = false;

	if (!names || !names->len)
		return !spans_parent(spans, span);
	for (u32 i = 0; i < names->len && !fits; i++)
		fits = g_pattern_match_simple(names->pdata[i], spans_name(spans, span));
	return fits;
}

bool requests_count(struct session *session, const GPtrArray *names, u64 from, u64 to, u64 *nr,
		    GError **error)
{
	const struct perfdata *pd = session_perfdata(session);
	const struct perfdata_info *info = perfdata_info(pd);
	const struct spans *spans = session_spans(session);
	u64 offset;

	*nr = 0;
	if (!perfdata_info_has(info, FEAT_CLOCK_DATA))
		return error_set(
			error, PERF_ERROR_ABSENT,
			"%s: it does not tell the time of day of its clock, so spans in it "
			"cannot be counted: use perf record -k CLOCK_MONOTONIC, or state "
			"--requests",
			perfdata_path(pd));
	offset = info->clock_data_wall_ns - info->clock_data_clock_ns;
	for (u32 i = 0; spans && i < spans_nr(spans); i++) {
		const struct span *span = spans_at(spans, i);
		u64 begin = span->start_ns - offset, end = begin + span->duration_ns;

		*nr += span->start_ns && end >= from && begin <= to &&
		       is_request(spans, span, names);
	}
	if (!*nr)
		return error_set(error, PERF_ERROR_ABSENT,
				 "%s: no such span of the files ran while it was recorded",
				 perfdata_path(pd));
	return true;
}
