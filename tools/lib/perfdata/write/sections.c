// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/write/sections.h"

#include <string.h>

#include "perfdata/features.h"
#include "perfdata/write/encode.h"

#define PIPE_LAST_FEATURE FEAT_PMU_CAPS /* perf 6.1 fails on later ones in a pipe */

/* Readers require the same attr size for all events. */
static u32 common_attr_size(const GPtrArray *evsels)
{
	u8 attr[PERF_ATTR_SIZE_VER9];
	u32 size = 0;

	for (u32 i = 0; i < evsels->len; i++)
		size = MAX(size, evsel_attr_bytes(g_ptr_array_index(evsels, i), attr));
	return size;
}

static void put_attr(const struct evsel *evsel, u32 size, GByteArray *out)
{
	u8 attr[PERF_ATTR_SIZE_VER9];

	evsel_attr_bytes(evsel, attr);
	memcpy(attr + 4, &size, sizeof(size));
	g_byte_array_append(out, attr, size);
}

/* A record that would be larger than 65535 bytes is left out. */
static void put_event(const struct event *ev, GByteArray *out)
{
	event_encode(ev, NULL, out, NULL);
}

void sections_put_notes(const struct perfdata_info *info, GByteArray *out)
{
	g_autoptr(GByteArray) payload = g_byte_array_new();
	struct event ev = { .type = PERFDATA_EVENT_TYPE, .ext = { .kind = PERFDATA_EXT_NOTES } };

	if (!info || !info->notes->len)
		return;
	notes_write(info, payload);
	ev.ext.payload.data = payload->data;
	ev.ext.payload.size = payload->len;
	put_event(&ev, out);
}

void sections_put_start(const GPtrArray *evsels, const struct perfdata_info *info,
			struct perfdata_file_header *header, GByteArray *out)
{
	g_autoptr(GByteArray) attrs = g_byte_array_new();
	u32 attr_size = common_attr_size(evsels);

	g_byte_array_set_size(out, sizeof(*header));
	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);
		struct perfdata_section ids = { out->len, (u64)evsel->nr_ids * sizeof(u64) };

		if (evsel->nr_ids)
			g_byte_array_append(out, (const u8 *)evsel->ids, (guint)ids.size);
		put_attr(evsel, attr_size, attrs);
		g_byte_array_append(attrs, (const u8 *)&ids, sizeof(ids));
	}
	header->magic = PERFDATA_MAGIC;
	header->size = sizeof(*header);
	header->attr_size = attr_size + sizeof(struct perfdata_section);
	header->attrs = (struct perfdata_section){ out->len, attrs->len };
	g_byte_array_append(out, attrs->data, attrs->len);
	header->event_types.offset = out->len;
	sections_put_notes(info, out);
	header->event_types.size = out->len - header->event_types.offset;
	if (!header->event_types.size)
		header->event_types.offset = 0;
	header->data.offset = out->len;
	memcpy(out->data, header, sizeof(*header));
}

static void put_feature_record(const struct perfdata_info *info, u32 feat, GByteArray *out)
{
	g_autoptr(GByteArray) section = g_byte_array_new();
	struct event ev = { .type = PERFDATA_FEATURE, .payload = { .id = feat } };

	if (!feature_write(info, feat, section))
		return;
	ev.payload.data = section->data;
	ev.payload.size = section->len;
	put_event(&ev, out);
}

struct perfdata_info *sections_of_events(const GPtrArray *evsels)
{
	struct perfdata_info *info = perfdata_info_new();

	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		g_ptr_array_add(info->events, evsel_copy(evsel));
		if (evsel->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			perfdata_info_set(info, FEAT_BRANCH_STACK);
		if (evsel->nr_members > 1) {
			struct info_group *group = g_new0(struct info_group, 1);

			group->name =
				g_strdup(evsel->group_name ? evsel->group_name : "{anon_group}");
			group->leader = evsel->idx;
			group->nr_members = evsel->nr_members;
			g_ptr_array_add(info->groups, group);
			perfdata_info_set(info, FEAT_GROUP_DESC);
		}
	}
	if (evsels->len)
		perfdata_info_set(info, FEAT_EVENT_DESC);
	return info;
}

/* The info that has @feat. */
static const struct perfdata_info *who_has(const struct perfdata_info *own,
					   const struct perfdata_info *info, u32 feat)
{
	if (perfdata_info_has(own, feat))
		return own;
	return info && perfdata_info_has(info, feat) ? info : NULL;
}

/* In a pipe: the blob of TRACING_DATA follows its record. */
static void put_tracing_data(const struct perfdata_info *info, GByteArray *out)
{
	gsize size;
	const u8 *data = g_bytes_get_data(info->tracing_data, &size);
	u32 room = (u32)ALIGN_UP(size, (gsize)8);
	struct {
		u32 size, zero;
	} body = { room, 0 };
	struct event ev = { .type = PERFDATA_TRACING_DATA,
			    .payload = { .data = &body, .size = sizeof(body) } };

	put_event(&ev, out);
	g_byte_array_append(out, data, (guint)size);
	g_byte_array_append(out, (const u8 *)"\0\0\0\0\0\0\0", (guint)(room - size));
}

static void put_update(const struct evsel *evsel, struct event_update update, GByteArray *out)
{
	struct event ev = { .type = PERFDATA_EVENT_UPDATE, .update = update };

	ev.update.id = evsel->nr_ids ? evsel->ids[0] : 0;
	put_event(&ev, out);
}

void sections_put_updates(const GPtrArray *evsels, GByteArray *out)
{
	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		if (evsel->nr_ids && evsel->name)
			put_update(evsel,
				   (struct event_update){ .type = PERFDATA_UPDATE_NAME,
							  .text = evsel->name },
				   out);
		if (evsel->unit)
			put_update(evsel,
				   (struct event_update){ .type = PERFDATA_UPDATE_UNIT,
							  .text = evsel->unit },
				   out);
		if (evsel->scale != 1.0)
			put_update(evsel,
				   (struct event_update){ .type = PERFDATA_UPDATE_SCALE,
							  .scale = evsel->scale },
				   out);
	}
}

static void put_pipe_event(const struct evsel *evsel, u32 attr_size, GByteArray *out)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	struct event ev = { .type = PERFDATA_ATTR };

	put_attr(evsel, attr_size, body);
	if (evsel->nr_ids)
		g_byte_array_append(body, (const u8 *)evsel->ids, evsel->nr_ids * sizeof(u64));
	ev.payload.data = body->data;
	ev.payload.size = body->len;
	put_event(&ev, out);
}

void sections_put_pipe_start(const GPtrArray *evsels, const struct perfdata_info *own,
			     const struct perfdata_info *info, GByteArray *out)
{
	const struct perfdata_pipe_header head = { PERFDATA_MAGIC, sizeof(head) };
	u32 attr_size = common_attr_size(evsels);

	g_byte_array_append(out, (const u8 *)&head, sizeof(head));
	for (u32 i = 0; i < evsels->len; i++)
		put_pipe_event(g_ptr_array_index(evsels, i), attr_size, out);
	for (u32 feat = FEAT_HOSTNAME; feat <= PIPE_LAST_FEATURE; feat++) {
		const struct perfdata_info *from = who_has(own, info, feat);

		if (from)
			put_feature_record(from, feat, out);
	}
	if (info && info->tracing_data)
		put_tracing_data(info, out);
}

void sections_put_features(const struct perfdata_info *own, const struct perfdata_info *info,
			   u64 foff, struct perfdata_file_header *header, GByteArray *out)
{
	g_autoptr(GByteArray) table = g_byte_array_new();
	g_autoptr(GByteArray) body = g_byte_array_new();
	u64 body_at, notes_at;

	for (u32 feat = 1; feat < FEAT_UPSTREAM_LAST; feat++) {
		const struct perfdata_info *from = who_has(own, info, feat);
		struct perfdata_section section = { body->len, 0 };

		if (!from || !feature_write(from, feat, body))
			continue;
		section.size = body->len - section.offset;
		g_byte_array_append(table, (const u8 *)&section, sizeof(section));
		header->features[feat / 64] |= 1ULL << (feat % 64);
	}
	body_at = foff + table->len;
	for (guint at = 0; at < table->len; at += sizeof(struct perfdata_section))
		((struct perfdata_section *)(table->data + at))->offset += body_at;
	g_byte_array_append(out, table->data, table->len);
	g_byte_array_append(out, body->data, body->len);
	notes_at = out->len;
	sections_put_notes(info, out);
	if (out->len > notes_at)
		header->event_types =
			(struct perfdata_section){ foff + notes_at, out->len - notes_at };
}

void sections_put_pipe_end(const struct perfdata_info *info, GByteArray *out)
{
	for (u32 i = 0; info && i < info->build_ids->len; i++) {
		const struct info_build_id *entry = g_ptr_array_index(info->build_ids, i);
		struct event ev = { .type = PERFDATA_BUILD_ID,
				    .misc = entry->misc | PERF_MISC_BUILD_ID_SIZE,
				    .build_id = { .pid = entry->pid,
						  .size = entry->size,
						  .filename = entry->filename } };

		memcpy(ev.build_id.build_id, entry->build_id, sizeof(entry->build_id));
		put_event(&ev, out);
	}
	sections_put_notes(info, out);
}
