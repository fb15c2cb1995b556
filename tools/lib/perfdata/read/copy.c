// SPDX-License-Identifier: GPL-2.0-or-later
/* Copies a recording's info, for a file that is made from the recording. */
#include "perfdata/features.h"
#include "perfdata/read/reader.h"

static void copy_build_ids(const struct perfdata_info *from, struct perfdata_info *to)
{
	g_ptr_array_set_size(to->build_ids, 0);
	for (u32 i = 0; i < from->build_ids->len; i++) {
		const struct info_build_id *id = g_ptr_array_index(from->build_ids, i);

		perfdata_info_add_build_id(to, id->pid, id->misc, id->build_id, id->size,
					   id->filename);
	}
}

struct perfdata_info *perfdata_info_copy(const struct perfdata_info *from)
{
	struct perfdata_info *to = perfdata_info_new();
	const char *part;

	for (u32 feat = 0; feat < FEAT_BITS; feat++)
		if (from->raw[feat] && perfdata_info_has(from, feat))
			feature_read(to, feat, from->raw[feat], &part);
	copy_build_ids(from, to);
	for (u32 i = 0; i < from->notes->len; i++) {
		const struct info_note *note = g_ptr_array_index(from->notes, i);

		perfdata_info_add_note(to, note->key, note->value);
	}
	return to;
}
