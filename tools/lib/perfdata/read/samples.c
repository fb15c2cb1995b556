// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/read/samples.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfdata/read/reader_private.h"

/* Fields of one or two words that stand first, and those that may follow them. */
#define FIXED                                                                                      \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |             \
	 PERF_SAMPLE_PERIOD)
#define FOLLOWING (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_TLS_USER)

void sample_head_of(const struct event *ev, struct sample_head *out)
{
	const struct sample *s = &ev->sample;

	*out = (struct sample_head){
		.raw = ev->raw,
		.evsel = ev->evsel,
		.foff = ev->foff,
		.ip = s->ip,
		.time = ev->id.time,
		.period = s->period,
		.pid = ev->id.pid,
		.tid = ev->id.tid,
		.cpu = ev->id.cpu,
		.misc = ev->misc,
		.nr_ips = (u32)s->nr_ips,
		.tls_size = (u32)s->tls.size,
		.tls_filled = (u32)s->tls.dyn_size,
		.ips = s->ips,
		.tls = s->tls.data,
	};
}

static bool is_quick(u64 type)
{
	return (type & PERF_SAMPLE_TID) && !(type & ~(u64)(FIXED | FOLLOWING));
}

static bool take_chain(struct cursor *c, struct sample_head *out)
{
	u64 nr = cursor_u64(c);

	if (nr > cursor_left(c) / sizeof(u64))
		return false;
	out->nr_ips = (u32)nr;
	out->ips = cursor_bytes(c, nr * sizeof(u64));
	return true;
}

static bool take_tls(struct cursor *c, struct sample_head *out)
{
	u64 size = cursor_u64(c), filled;

	if (!size)
		return true;
	if (size % 8 || size > cursor_left(c))
		return false;
	out->tls = cursor_bytes(c, size);
	filled = cursor_u64(c);
	out->tls_size = (u32)size;
	out->tls_filled = (u32)filled;
	return filled <= size;
}

/* In the order of the record; the words are there. */
static void take_fixed(const u64 *at, u64 type, struct sample_head *out)
{
	at += !!(type & PERF_SAMPLE_IDENTIFIER);
	if (type & PERF_SAMPLE_IP)
		out->ip = *at++;
	out->pid = (u32)*at;
	out->tid = (u32)(*at++ >> 32);
	if (type & PERF_SAMPLE_TIME)
		out->time = *at++;
	at += !!(type & PERF_SAMPLE_ADDR) + !!(type & PERF_SAMPLE_ID) +
	      !!(type & PERF_SAMPLE_STREAM_ID);
	if (type & PERF_SAMPLE_CPU)
		out->cpu = (u32)*at++;
	if (type & PERF_SAMPLE_PERIOD)
		out->period = *at;
}

/* False: a record for format_decode() to say what it is. */
static bool take_quick(const struct format *fmt, const struct perf_event_header *raw, u64 foff,
		       struct sample_head *out)
{
	const struct evsel *evsel = g_ptr_array_index(fmt->evsels, 0);
	u64 type = evsel->attr.sample_type;
	u32 fixed = (u32)__builtin_popcountll(type & FIXED) * (u32)sizeof(u64);
	const u64 *words = (const void *)(raw + 1);
	struct cursor c;

	if (!fmt->same_samples || !is_quick(type) || raw->size < sizeof(*raw) + fixed)
		return false;
	if (fmt->evsels->len > 1 && fmt->sample_id_pos != FORMAT_NO_ID)
		evsel = format_evsel(fmt, words[fmt->sample_id_pos]);
	*out = (struct sample_head){
		.raw = raw,
		.evsel = evsel,
		.foff = foff,
		.misc = raw->misc,
		.cpu = EVENT_NO_CPU,
		.period = evsel ? evsel->attr.sample_period : 0,
		.time = fmt->untimed ? foff : 0,
	};
	take_fixed(words, type, out);
	if (!(type & FOLLOWING))
		return true;
	c = cursor_of((const u8 *)(raw + 1) + fixed, raw->size - sizeof(*raw) - fixed);
	return (!(type & PERF_SAMPLE_CALLCHAIN) || take_chain(&c, out)) &&
	       (!(type & PERF_SAMPLE_TLS_USER) || take_tls(&c, out)) && !c.failed;
}

bool perfdata_head(const struct perfdata *pd, const struct perf_event_header *raw, u64 foff,
		   struct sample_head *out, GError **error)
{
	struct event ev;

	if (pd->format.evsels->len && take_quick(&pd->format, raw, foff, out))
		return true;
	if (!perfdata_decode(pd, raw, foff, &ev, error))
		return false;
	sample_head_of(&ev, out);
	return true;
}

int perfdata_heads(const struct perfdata *pd, struct perfdata_part *part, struct sample_head *out,
		   u32 max, GError **error)
{
	u32 nr = 0;

	while (nr < max && part->from < part->to) {
		const struct perf_event_header *raw = (const void *)part->from;
		u64 foff = part->foff;

		part->from += raw->size;
		part->foff += raw->size;
		if (raw->type != PERF_RECORD_SAMPLE)
			continue;
		if (!perfdata_head(pd, raw, foff, &out[nr], error))
			return -1;
		nr++;
	}
	return (int)nr;
}

void perfdata_give_back(const struct perfdata *pd, const struct perfdata_part *part)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = ALIGN_UP((uintptr_t)part->from, page),
		  to = (uintptr_t)part->to & ~(page - 1);

	if (pd->mappings->len && to > from)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

bool perfdata_parts(const struct perfdata *pd, u64 size, GArray *parts)
{
	const u64 *seen = pd->counts.records;
	const GArray *marks = pd->marks;

	if (pd->one_pass || !pd->marked || seen[PERFDATA_COMPRESSED] ||
	    seen[PERFDATA_COMPRESSED2] || seen[PERFDATA_AUXTRACE] || seen[PERFDATA_TRACING_DATA])
		return false;
	for (u32 i = 0; i < marks->len; i++) {
		const struct perfdata_part *mark = &g_array_index(marks, struct perfdata_part, i);
		struct perfdata_part *last =
			parts->len ? &g_array_index(parts, struct perfdata_part, parts->len - 1)
				   : NULL;

		if (last && last->to == mark->from && (u64)(mark->to - last->from) <= size)
			last->to = mark->to;
		else
			g_array_append_vals(parts, mark, 1);
	}
	return true;
}
