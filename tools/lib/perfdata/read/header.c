// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decodes the header features about events. They are sections of a file (open.c) or records of a
 * pipe (reader.c).
 */
#include <inttypes.h>

#include "base/error.h"
#include "base/text.h"
#include "perfdata/features.h"
#include "perfdata/read/reader_private.h"

void reader_rename(struct perfdata *pd, struct evsel *evsel, const char *name)
{
	if (g_strcmp0(evsel->name, name) == 0)
		return;
	if (evsel->name)
		g_ptr_array_add(pd->old_names, evsel->name);
	evsel->name = text_shown(name);
}

static void join_group(struct perfdata *pd, const struct info_group *group)
{
	GPtrArray *evsels = pd->format.evsels;
	struct evsel *leader;

	if (group->leader >= evsels->len)
		return;
	leader = g_ptr_array_index(evsels, group->leader);
	if (!leader->group_name)
		leader->group_name = g_strdup(group->name);
	leader->nr_members = MIN(group->nr_members, evsels->len - group->leader);
	for (u32 i = 0; i < leader->nr_members; i++) {
		struct evsel *member = g_ptr_array_index(evsels, group->leader + i);

		member->leader = group->leader;
	}
}

void reader_name_events(struct perfdata *pd)
{
	GPtrArray *evsels = pd->format.evsels;

	for (u32 i = 0; i < evsels->len; i++) {
		struct evsel *evsel = g_ptr_array_index(evsels, i);

		if (i < pd->info->events->len) {
			const struct evsel *desc = g_ptr_array_index(pd->info->events, i);

			reader_rename(pd, evsel, desc->name);
		} else if (!evsel->name) {
			evsel->name = evsel_default_name(evsel);
		}
	}
	for (u32 i = 0; i < pd->info->groups->len; i++)
		join_group(pd, g_ptr_array_index(pd->info->groups, i));
}

bool reader_take_feature(struct perfdata *pd, u64 feat, GBytes *bytes, u64 foff, GError **error)
{
	const char *part = NULL;

	if (!feat || feat >= FEAT_UPSTREAM_LAST) {
		pd->counts.unknown_features++;
		return true;
	}
	if (feature_read(pd->info, (u32)feat, bytes, &part))
		return true;
	/* perf inject -b of a pipe writes the events over this table; upstream reads on, too. */
	if (feat == FEAT_BUILD_ID) {
		g_ptr_array_set_size(pd->info->build_ids, 0);
		pd->counts.no_build_ids = true;
		return true;
	}
	return error_set(error, PERF_ERROR_FORMAT,
			 "%s: at offset 0x%" PRIx64
			 ": header feature %s is malformed: expected %s in its %zu bytes",
			 pd->path, foff, perfdata_feature_name((u32)feat), part,
			 g_bytes_get_size(bytes));
}
