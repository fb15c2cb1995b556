// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/offcpu.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/cursor.h"
#include "perfdata/evsel.h"

bool offcpu_is(const struct evsel *evsel)
{
	return evsel->attr.type == PERF_TYPE_SOFTWARE &&
	       evsel->attr.config == PERF_COUNT_SW_BPF_OUTPUT &&
	       evsel->attr.sample_type & PERF_SAMPLE_RAW && evsel->name &&
	       !strcmp(evsel->name, OFFCPU_EVENT);
}

#define MOST_IPS 512 /* upstream's has 32 at most */

/*
 * Raw data begin 4 bytes behind a multiple of 8, so addresses in them are not where addresses may be. They are good as
 * long as a decoded event is: until the thread decodes the next one.
 */
static _Thread_local u64 aligned[MOST_IPS];

/* Upstream's part: its size, and the fields. False: it is not all there. */
static bool parse(const struct sample *sample, struct sample *out, u32 *size)
{
	struct cursor c = cursor_of(sample->raw, sample->raw_size);
	const void *ips;

	out->pid = cursor_u32(&c);
	out->tid = cursor_u32(&c);
	out->period = cursor_u64(&c);
	out->nr_ips = cursor_u64(&c);
	if (c.failed || out->nr_ips > sample->raw_size / sizeof(u64))
		return false;
	ips = cursor_bytes(&c, out->nr_ips * sizeof(u64));
	out->cgroup = cursor_u64(&c);
	*size = (u32)((4 + out->nr_ips) * sizeof(u64));
	if (c.failed)
		return false;
	out->nr_ips = MIN(out->nr_ips, (u64)MOST_IPS);
	memcpy(aligned, ips, out->nr_ips * sizeof(u64));
	out->ips = aligned;
	return true;
}

bool offcpu_take(struct sample *sample)
{
	struct sample said = { 0 };
	u32 size;

	if (!parse(sample, &said, &size))
		return false;
	sample->pid = said.pid;
	sample->tid = said.tid;
	sample->period = said.period;
	if (sample->type & PERF_SAMPLE_CALLCHAIN) /* ours: the same, in its place */
		return true;
	sample->nr_ips = said.nr_ips;
	sample->ips = said.ips;
	sample->cgroup = said.cgroup;
	sample->ip = said.nr_ips > 1 ? said.ips[1] : 0;
	return true;
}

const u8 *offcpu_rest(const struct sample *sample, u32 *size)
{
	struct sample said = { 0 };
	u32 own;

	*size = 0;
	if (!parse(sample, &said, &own) || own > sample->raw_size)
		return NULL;
	*size = sample->raw_size - own;
	return (const u8 *)sample->raw + own;
}

/* Upstream's reader takes the second word of a chain for the address, also if the chain is shorter. */
static const u64 no_place[] = { PERF_CONTEXT_USER, 0 };

GByteArray *offcpu_raw(const struct sample *s, const u8 *rest, u32 size)
{
	GByteArray *raw = g_byte_array_new();
	u32 ids[] = { s->pid, s->tid };
	bool has_place = s->nr_ips >= ARRAY_SIZE(no_place);
	u64 nr = has_place ? s->nr_ips : ARRAY_SIZE(no_place);
	const u64 *ips = has_place ? s->ips : no_place;

	g_byte_array_append(raw, (const void *)ids, sizeof(ids));
	g_byte_array_append(raw, (const void *)&s->period, sizeof(s->period));
	g_byte_array_append(raw, (const void *)&nr, sizeof(nr));
	g_byte_array_append(raw, (const void *)ips, (guint)(nr * sizeof(u64)));
	g_byte_array_append(raw, (const void *)&s->cgroup, sizeof(s->cgroup));
	g_byte_array_append(raw, rest, size);
	while ((raw->len + sizeof(u32)) % sizeof(u64))
		g_byte_array_append(raw, (const guint8 *)"", 1);
	return raw;
}
