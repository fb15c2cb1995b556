// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/read/samples.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cursor.h"
#include "perfdata/read/reader_private.h"

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

/* Reads the fields after the fixed words. */
static bool take_rest(const struct format_heads *h, const struct perf_event_header *raw,
		      struct sample_head *out)
{
	struct cursor c = cursor_of((const u8 *)raw + h->least, raw->size - h->least);

	return (!h->chain || take_chain(&c, out)) && (!h->tls || take_tls(&c, out)) && !c.failed;
}

static u64 word(const u64 *words, u8 at, u64 otherwise)
{
	return at == FORMAT_ABSENT ? otherwise : words[at];
}

/* Reads the record without format_decode(). False: format_decode() must do it. */
static inline bool take_quick(const struct format *fmt, const struct perf_event_header *raw,
			      u64 foff, struct sample_head *out)
{
	const struct format_heads *h = &fmt->heads;
	const u64 *words = (const void *)(raw + 1);
	const struct evsel *evsel = h->evsel;

	if (raw->size < h->least)
		return false;
	if (!evsel)
		evsel = format_evsel(fmt, words[h->id]);
	*out = (struct sample_head){
		.raw = raw,
		.evsel = evsel,
		.foff = foff,
		.misc = raw->misc,
		.ip = word(words, h->ip, 0),
		.pid = (u32)words[h->tid],
		.tid = (u32)(words[h->tid] >> 32),
		.time = word(words, h->time, fmt->untimed ? foff : 0),
		.cpu = (u32)word(words, h->cpu, EVENT_NO_CPU),
		.period = word(words, h->period, evsel ? evsel->attr.sample_period : 0),
	};
	return (!h->chain && !h->tls) || take_rest(h, raw, out);
}

static bool take_slowly(const struct perfdata *pd, const struct perf_event_header *raw, u64 foff,
			struct sample_head *out, GError **error)
{
	struct event ev;

	if (!perfdata_decode(pd, raw, foff, &ev, error))
		return false;
	sample_head_of(&ev, out);
	return true;
}

bool perfdata_head(const struct perfdata *pd, const struct perf_event_header *raw, u64 foff,
		   struct sample_head *out, GError **error)
{
	return (pd->format.settled && take_quick(&pd->format, raw, foff, out)) ||
	       take_slowly(pd, raw, foff, out, error);
}

int perfdata_heads(const struct perfdata *pd, struct perfdata_part *part, struct sample_head *out,
		   u32 max, GError **error)
{
	bool quick = pd->format.settled;
	u32 nr = 0;

	while (nr < max && part->from < part->to) {
		const struct perf_event_header *raw = (const void *)part->from;
		u64 foff = part->foff;

		part->from += raw->size;
		part->foff += part->still ? 0 : raw->size;
		if (raw->type != PERF_RECORD_SAMPLE)
			continue;
		if (!(quick && take_quick(&pd->format, raw, foff, &out[nr])) &&
		    !take_slowly(pd, raw, foff, &out[nr], error))
			return -1;
		nr++;
	}
	return (int)nr;
}

int perfdata_timed(const struct perfdata *pd, struct perfdata_part *part,
		   struct perfdata_timed *out, u32 max, GError **error)
{
	bool quick = pd->format.settled;
	u32 nr = 0;

	while (nr < max && part->from < part->to) {
		struct perfdata_timed *r = &out[nr];
		struct event ev;

		r->raw = (const void *)part->from;
		r->foff = part->foff;
		part->from += r->raw->size;
		part->foff += part->still ? 0 : r->raw->size;
		if (quick && r->raw->type == PERF_RECORD_SAMPLE &&
		    format_sample_time(&pd->format, r->raw, r->foff, &r->time)) {
			nr++;
			continue;
		}
		if (!event_type_name(r->raw->type))
			continue;
		if (!perfdata_decode(pd, r->raw, r->foff, &ev, error))
			return -1;
		r->time = ev.id.time;
		nr++;
	}
	return (int)nr;
}

/*
 * On a page fault, the kernel (6.18) maps the whole folio of the page cache, up to this size. So pages of the part
 * before are mapped again, although they have been given back already.
 */
#define LARGEST_FOLIO ((uintptr_t)2 << 20)

/* The start of the mapping that contains @at; 0: there is none. */
static uintptr_t mapping_start(const struct perfdata *pd, const u8 *at)
{
	for (u32 i = 0; i < pd->mappings->len; i++) {
		GMappedFile *mapped = g_ptr_array_index(pd->mappings, i);
		const u8 *start = (const u8 *)g_mapped_file_get_contents(mapped);

		if (start && at >= start && at < start + g_mapped_file_get_length(mapped))
			return (uintptr_t)start;
	}
	return 0;
}

void perfdata_give_back(const struct perfdata *pd, const struct perfdata_part *part)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = mapping_start(pd, part->from);
	uintptr_t from = ALIGN_UP((uintptr_t)part->from, page),
		  to = (uintptr_t)part->to & ~(page - 1);

	if (!start)
		return;
	from = from - start > LARGEST_FOLIO ? from - LARGEST_FOLIO : start;
	if (to > from)
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
