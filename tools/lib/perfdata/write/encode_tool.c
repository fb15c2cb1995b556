// SPDX-License-Identifier: GPL-2.0-or-later
/* Encodes the records that perf itself writes, in the order in which decode_tool.c reads them. */
#include "perfdata/write/encoding.h"

#include <string.h>

static void put_extension(GByteArray *out, const struct event_extension *ext, guint start)
{
	const struct event_tls_layout *l = &ext->tls_layout;
	guint payload;
	u32 size;

	if (ext->kind == PERFDATA_EXT_NONE)
		return;
	put_u64(out, PERFDATA_EXTENSION_MAGIC);
	put_u32(out, ext->kind);
	put_u32(out, 0);
	payload = out->len;
	if (ext->kind == PERFDATA_EXT_TLS_LAYOUT) {
		put_u32(out, l->pid);
		put_u32(out, l->state);
		put_u64(out, l->time);
		put_u64(out, (u64)l->tp_offset);
		put_u32(out, l->size);
		put_u32(out, l->kind);
		put_string(out, l->layout);
		put_string(out, l->symbol);
		put_string(out, l->object);
		put(out, (const u8[]){ (u8)l->publisher, (u8)l->where, l->framed, l->fresh }, 4);
		put(out, &(u16){ (u16)l->mark }, sizeof(u16));
	} else if (ext->kind == PERFDATA_EXT_PASS) {
		const struct event_wall_pass *p = &ext->pass;

		put_u64(out, p->time);
		put_u32(out, p->seen);
		put_u32(out, p->looked);
		put_u32(out, p->skipped);
		put_u32(out, p->lost);
		put_u32(out, p->faults);
		put_u32(out, p->took);
		put_u64(out, p->asleep);
		put_u64(out, p->estimated);
	} else if (ext->kind == PERFDATA_EXT_PROCESS) {
		put_u32(out, ext->process.pid);
		put_u32(out, ext->process.form);
		put_u64(out, ext->process.time);
		put_u32(out, ext->process.size);
		put_u32(out, 0);
		put(out, ext->process.data, ext->process.size);
	} else if (ext->kind == PERFDATA_EXT_KERNEL_TEXT) {
		put_u64(out, ext->text.va);
		put_u32(out, ext->text.size);
		put_u32(out, 0);
		put(out, ext->text.data, ext->text.size);
	} else {
		put(out, ext->payload.data, ext->payload.size);
	}
	size = out->len - payload;
	memcpy(out->data + payload - sizeof(size), &size, sizeof(size));
	if (out->len - start < PERFDATA_EXTENSION_MIN)
		put_zeros(out, PERFDATA_EXTENSION_MIN - (out->len - start));
}

static void put_cpu_map(GByteArray *out, const struct event_cpu_map *map)
{
	put_u16(out, map->kind);
	switch (map->kind) {
	case PERFDATA_CPU_MAP_CPUS:
		put_u16(out, (u16)map->nr);
		put(out, map->data, (u64)map->nr * 2);
		break;
	case PERFDATA_CPU_MAP_MASK:
		put_u16(out, (u16)map->nr);
		put_u16(out, map->word_size);
		if (map->word_size == 8)
			put_zeros(out, 4);
		put(out, map->data, (u64)map->nr * map->word_size);
		break;
	default:
		put_u16(out, map->any_cpu);
		put_u16(out, map->range_start);
		put_u16(out, map->range_end);
		break;
	}
}

static void put_update(GByteArray *out, const struct event_update *up)
{
	put_u64(out, up->type);
	put_u64(out, up->id);
	if (up->type == PERFDATA_UPDATE_SCALE)
		put(out, &up->scale, sizeof(up->scale));
	else if (up->type == PERFDATA_UPDATE_CPUS)
		put_cpu_map(out, &up->cpus);
	else
		put_string(out, up->text);
}

static void put_auxtrace_error(GByteArray *out, const struct event_auxtrace_error *e)
{
	char msg[64] = { 0 };

	g_strlcpy(msg, e->msg ? e->msg : "", sizeof(msg));
	put_u32(out, e->type);
	put_u32(out, e->code);
	put_u32(out, e->cpu);
	put_u32(out, e->pid);
	put_u32(out, e->tid);
	put_u32(out, e->fmt);
	put_u64(out, e->ip);
	if (e->fmt >= 1)
		put_u64(out, e->time);
	put(out, msg, sizeof(msg));
}

static void put_build_id(GByteArray *out, const struct event_build_id *b)
{
	put_u32(out, b->pid);
	put(out, b->build_id, sizeof(b->build_id));
	put_u32(out, b->size);
	put_string(out, b->filename);
}

static void put_time_conv(GByteArray *out, const struct event_time_conv *tc)
{
	put_u64(out, tc->shift);
	put_u64(out, tc->mult);
	put_u64(out, tc->zero);
	put_u64(out, tc->cycles);
	put_u64(out, tc->mask);
	put_u16(out, (u16)(tc->cap_zero | tc->cap_short << 8));
}

static void put_stat(GByteArray *out, const struct event_stat *stat)
{
	put_u64(out, stat->id);
	put_u32(out, stat->cpu);
	put_u32(out, stat->thread);
	put_u64(out, stat->value);
	put_u64(out, stat->enabled);
	put_u64(out, stat->running);
}

bool encode_tool_record(const struct event *ev, guint start, GByteArray *out)
{
	switch (ev->type) {
	case PERFDATA_EVENT_TYPE:
		put_extension(out, &ev->ext, start);
		return true;
	case PERFDATA_BUILD_ID:
		put_build_id(out, &ev->build_id);
		return true;
	case PERFDATA_ID_INDEX:
		put_u64(out, ev->id_index.nr);
		put(out, ev->id_index.entries, ev->id_index.nr * 32);
		return true;
	case PERFDATA_AUXTRACE_ERROR:
		put_auxtrace_error(out, &ev->auxtrace_error);
		return true;
	case PERFDATA_THREAD_MAP:
		put_u64(out, ev->thread_map.nr);
		put(out, ev->thread_map.entries, ev->thread_map.nr * 24);
		return true;
	case PERFDATA_CPU_MAP:
		put_cpu_map(out, &ev->cpu_map);
		return true;
	case PERFDATA_EVENT_UPDATE:
		put_update(out, &ev->update);
		return true;
	case PERFDATA_TIME_CONV:
		put_time_conv(out, &ev->time_conv);
		return true;
	case PERFDATA_STAT:
		put_stat(out, &ev->stat);
		return true;
	case PERFDATA_FEATURE:
		put_u64(out, ev->payload.id);
		put(out, ev->payload.data, ev->payload.size);
		return true;
	case PERFDATA_AUXTRACE:
	case PERFDATA_COMPRESSED:
	case PERFDATA_COMPRESSED2:
		return false;
	default:
		put(out, ev->payload.data, ev->payload.size);
		return true;
	}
}
