// SPDX-License-Identifier: GPL-2.0-or-later
/* Decodes the records that perf itself writes: types from 64 on. */
#include <string.h>

#include "perfdata/decoding.h"

static bool decode_payload(struct cursor *c, struct event *ev, const char **part)
{
	ev->payload.size = cursor_left(c);
	ev->payload.data = c->pos;
	return true;
}

static bool decode_feature(struct cursor *c, struct event *ev, const char **part)
{
	ev->payload.id = cursor_u64(c);
	ev->payload.size = cursor_left(c);
	ev->payload.data = c->pos;
	return true;
}

static bool decode_tls_layout(struct cursor *c, struct event_tls_layout *layout, const char **part)
{
	layout->pid = cursor_u32(c);
	layout->state = cursor_u32(c);
	layout->time = cursor_u64(c);
	layout->tp_offset = (s64)cursor_u64(c);
	layout->size = cursor_u32(c);
	layout->kind = cursor_u32(c);
	layout->layout = cursor_string(c);
	layout->symbol = cursor_string(c);
	layout->object = cursor_string(c);
	if (c->failed)
		FAIL("its thread-local layout with three strings");
	layout->publisher = layout->where = 0;
	layout->framed = false;
	if (cursor_left(c) >= 3) {
		layout->publisher = cursor_u8(c);
		layout->where = cursor_u8(c);
		layout->framed = cursor_u8(c);
	}
	layout->fresh = false;
	layout->mark = 0;
	if (cursor_left(c) >= 3) {
		layout->fresh = cursor_u8(c);
		layout->mark = cursor_u16(c);
	}
	return true;
}

static bool decode_process(struct cursor *c, struct event_process_facts *facts, const char **part)
{
	facts->pid = cursor_u32(c);
	facts->form = cursor_u32(c);
	facts->time = cursor_u64(c);
	facts->size = cursor_u32(c);
	cursor_u32(c);
	facts->data = cursor_bytes(c, facts->size);
	if (c->failed || !facts->data)
		FAIL("what its process states of itself");
	return true;
}

static bool decode_wall_pass(struct cursor *c, struct event_wall_pass *p, const char **part)
{
	p->time = cursor_u64(c);
	p->seen = cursor_u32(c);
	p->looked = cursor_u32(c);
	p->skipped = cursor_u32(c);
	p->lost = cursor_u32(c);
	p->faults = cursor_u32(c);
	p->took = cursor_u32(c);
	p->asleep = cursor_left(c) >= 2 * sizeof(u64) ? cursor_u64(c) : 0;
	p->estimated = cursor_left(c) >= sizeof(u64) ? cursor_u64(c) : 0;
	if (c->failed)
		FAIL("its counts of a look at threads");
	return true;
}

static bool decode_kernel_text(struct cursor *c, struct event_kernel_text *text, const char **part)
{
	text->va = cursor_u64(c);
	text->size = cursor_u32(c);
	cursor_u32(c);
	text->data = cursor_bytes(c, text->size);
	if (c->failed || !text->data)
		FAIL("the kernel's code");
	return true;
}

static bool decode_extension(struct cursor *c, struct event *ev, const char **part)
{
	struct event_extension *ext = &ev->ext;
	u32 kind, size;
	struct cursor inside;
	const void *payload;

	if (cursor_left(c) < 16 || cursor_u64(c) != PERFDATA_EXTENSION_MAGIC) {
		c->failed = false;
		ext->kind = PERFDATA_EXT_NONE;
		return true;
	}
	kind = cursor_u32(c);
	size = cursor_u32(c);
	payload = cursor_bytes(c, size);
	if (!payload)
		FAIL("the payload of its extension");
	ext->kind = kind;
	inside = cursor_of(payload, size);
	if (kind == PERFDATA_EXT_TLS_LAYOUT)
		return decode_tls_layout(&inside, &ext->tls_layout, part);
	if (kind == PERFDATA_EXT_PROCESS)
		return decode_process(&inside, &ext->process, part);
	if (kind == PERFDATA_EXT_PASS)
		return decode_wall_pass(&inside, &ext->pass, part);
	if (kind == PERFDATA_EXT_KERNEL_TEXT)
		return decode_kernel_text(&inside, &ext->text, part);
	ext->payload.data = payload;
	ext->payload.size = size;
	return true;
}

static bool decode_build_id(struct cursor *c, struct event *ev, const char **part)
{
	const u8 *id;

	ev->build_id.pid = cursor_u32(c);
	id = cursor_bytes(c, 24);
	if (!id)
		FAIL("its build-id");
	memcpy(ev->build_id.build_id, id, sizeof(ev->build_id.build_id));
	ev->build_id.size = sizeof(ev->build_id.build_id);
	if (ev->misc & PERF_MISC_BUILD_ID_SIZE)
		ev->build_id.size = MIN(id[20], sizeof(ev->build_id.build_id));
	ev->build_id.filename = cursor_string(c);
	if (!ev->build_id.filename)
		FAIL("its file name, which must end in NUL");
	return true;
}

static bool decode_id_index(struct cursor *c, struct event *ev, const char **part)
{
	ev->id_index.nr = cursor_u64(c);
	if (ev->id_index.nr > cursor_left(c) / 32)
		FAIL("its table of ids");
	ev->id_index.entries = cursor_bytes(c, ev->id_index.nr * 32);
	return true;
}

static bool decode_auxtrace(struct cursor *c, struct event *ev, const char **part)
{
	ev->auxtrace.size = cursor_u64(c);
	ev->auxtrace.offset = cursor_u64(c);
	ev->auxtrace.reference = cursor_u64(c);
	ev->auxtrace.idx = cursor_u32(c);
	ev->auxtrace.tid = cursor_u32(c);
	ev->auxtrace.cpu = cursor_u32(c);
	return true;
}

static bool decode_auxtrace_error(struct cursor *c, struct event *ev, const char **part)
{
	struct event_auxtrace_error *e = &ev->auxtrace_error;

	e->type = cursor_u32(c);
	e->code = cursor_u32(c);
	e->cpu = cursor_u32(c);
	e->pid = cursor_u32(c);
	e->tid = cursor_u32(c);
	e->fmt = cursor_u32(c);
	e->ip = cursor_u64(c);
	if (e->fmt >= 1)
		e->time = cursor_u64(c);
	e->msg = cursor_string(c);
	if (!e->msg)
		FAIL("its message, which must end in NUL");
	return true;
}

static bool decode_thread_map(struct cursor *c, struct event *ev, const char **part)
{
	ev->thread_map.nr = cursor_u64(c);
	if (ev->thread_map.nr > cursor_left(c) / 24)
		FAIL("its list of threads");
	ev->thread_map.entries = cursor_bytes(c, ev->thread_map.nr * 24);
	return true;
}

static bool read_cpu_map(struct cursor *c, struct event_cpu_map *map, const char **part)
{
	map->kind = cursor_u16(c);
	switch (map->kind) {
	case PERFDATA_CPU_MAP_CPUS:
		map->nr = cursor_u16(c);
		map->data = cursor_bytes(c, (u64)map->nr * 2);
		break;
	case PERFDATA_CPU_MAP_MASK:
		map->nr = cursor_u16(c);
		map->word_size = cursor_u16(c);
		if (map->word_size == 8)
			cursor_bytes(c, 4); /* padding in old versions */
		else if (map->word_size != 4)
			FAIL("a CPU mask of words of 4 or 8 bytes");
		map->data = cursor_bytes(c, (u64)map->nr * map->word_size);
		break;
	case PERFDATA_CPU_MAP_RANGE:
		map->any_cpu = cursor_u8(c);
		cursor_u8(c);
		map->range_start = cursor_u16(c);
		map->range_end = cursor_u16(c);
		break;
	default: /* a later form: it is not decoded */
		break;
	}
	if (c->failed)
		FAIL("its CPU map");
	return true;
}

static bool decode_cpu_map(struct cursor *c, struct event *ev, const char **part)
{
	return read_cpu_map(c, &ev->cpu_map, part);
}

static bool decode_update(struct cursor *c, struct event *ev, const char **part)
{
	struct event_update *up = &ev->update;

	up->type = cursor_u64(c);
	up->id = cursor_u64(c);
	switch (up->type) {
	case PERFDATA_UPDATE_UNIT:
	case PERFDATA_UPDATE_NAME:
		up->text = cursor_string(c);
		break;
	case PERFDATA_UPDATE_SCALE:
		cursor_read(c, &up->scale, sizeof(up->scale));
		break;
	case PERFDATA_UPDATE_CPUS:
		return read_cpu_map(c, &up->cpus, part);
	default:
		break;
	}
	if (c->failed)
		FAIL("its new value");
	return true;
}

static bool decode_time_conv(struct cursor *c, struct event *ev, const char **part)
{
	struct event_time_conv *tc = &ev->time_conv;

	tc->shift = cursor_u64(c);
	tc->mult = cursor_u64(c);
	tc->zero = cursor_u64(c);
	if (cursor_left(c) >= 18) { /* since perf 5.10 */
		tc->cycles = cursor_u64(c);
		tc->mask = cursor_u64(c);
		tc->cap_zero = cursor_u8(c);
		tc->cap_short = cursor_u8(c);
	}
	return true;
}

static bool decode_stat(struct cursor *c, struct event *ev, const char **part)
{
	struct event_stat *stat = &ev->stat;

	stat->id = cursor_u64(c);
	stat->cpu = cursor_u32(c);
	stat->thread = cursor_u32(c);
	stat->value = cursor_u64(c);
	stat->enabled = cursor_u64(c);
	stat->running = cursor_u64(c);
	return true;
}

static const struct {
	const char *name;
	bool (*decode)(struct cursor *c, struct event *ev, const char **part);
} tool_records[] = {
	[PERFDATA_ATTR - 64] = { "ATTR", decode_payload },
	[PERFDATA_EVENT_TYPE - 64] = { "EVENT_TYPE", decode_extension },
	[PERFDATA_TRACING_DATA - 64] = { "TRACING_DATA", decode_payload },
	[PERFDATA_BUILD_ID - 64] = { "BUILD_ID", decode_build_id },
	[PERFDATA_FINISHED_ROUND - 64] = { "FINISHED_ROUND", decode_payload },
	[PERFDATA_ID_INDEX - 64] = { "ID_INDEX", decode_id_index },
	[PERFDATA_AUXTRACE_INFO - 64] = { "AUXTRACE_INFO", decode_payload },
	[PERFDATA_AUXTRACE - 64] = { "AUXTRACE", decode_auxtrace },
	[PERFDATA_AUXTRACE_ERROR - 64] = { "AUXTRACE_ERROR", decode_auxtrace_error },
	[PERFDATA_THREAD_MAP - 64] = { "THREAD_MAP", decode_thread_map },
	[PERFDATA_CPU_MAP - 64] = { "CPU_MAP", decode_cpu_map },
	[PERFDATA_STAT_CONFIG - 64] = { "STAT_CONFIG", decode_payload },
	[PERFDATA_STAT - 64] = { "STAT", decode_stat },
	[PERFDATA_STAT_ROUND - 64] = { "STAT_ROUND", decode_payload },
	[PERFDATA_EVENT_UPDATE - 64] = { "EVENT_UPDATE", decode_update },
	[PERFDATA_TIME_CONV - 64] = { "TIME_CONV", decode_time_conv },
	[PERFDATA_FEATURE - 64] = { "FEATURE", decode_feature },
	[PERFDATA_COMPRESSED - 64] = { "COMPRESSED", decode_payload },
	[PERFDATA_FINISHED_INIT - 64] = { "FINISHED_INIT", decode_payload },
	[PERFDATA_COMPRESSED2 - 64] = { "COMPRESSED2", decode_payload },
	[PERFDATA_BPF_METADATA - 64] = { "BPF_METADATA", decode_payload },
	[PERFDATA_SCHEDSTAT_CPU - 64] = { "SCHEDSTAT_CPU", decode_payload },
	[PERFDATA_SCHEDSTAT_DOMAIN - 64] = { "SCHEDSTAT_DOMAIN", decode_payload },
};

bool decode_tool_record(struct cursor *c, struct event *ev, const char **part)
{
	u32 row = ev->type - PERFDATA_USER_TYPE_START;

	ev->id.pid = ev->id.tid = EVENT_NO_PID;
	ev->id.cpu = EVENT_NO_CPU;
	if (row >= ARRAY_SIZE(tool_records))
		return decode_payload(c, ev, part);
	return tool_records[row].decode(c, ev, part);
}

static const char *const kernel_names[] = {
	[PERF_RECORD_MMAP] = "MMAP",
	[PERF_RECORD_LOST] = "LOST",
	[PERF_RECORD_COMM] = "COMM",
	[PERF_RECORD_EXIT] = "EXIT",
	[PERF_RECORD_THROTTLE] = "THROTTLE",
	[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
	[PERF_RECORD_FORK] = "FORK",
	[PERF_RECORD_READ] = "READ",
	[PERF_RECORD_SAMPLE] = "SAMPLE",
	[PERF_RECORD_MMAP2] = "MMAP2",
	[PERF_RECORD_AUX] = "AUX",
	[PERF_RECORD_ITRACE_START] = "ITRACE_START",
	[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
	[PERF_RECORD_SWITCH] = "SWITCH",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
	[PERF_RECORD_NAMESPACES] = "NAMESPACES",
	[PERF_RECORD_KSYMBOL] = "KSYMBOL",
	[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
	[PERF_RECORD_CGROUP] = "CGROUP",
	[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
	[PERF_RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
};

const char *event_type_name(u32 type)
{
	if (type < ARRAY_SIZE(kernel_names))
		return kernel_names[type];
	if (type >= PERFDATA_USER_TYPE_START && type < PERFDATA_RECORD_MAX)
		return tool_records[type - PERFDATA_USER_TYPE_START].name;
	return NULL;
}
