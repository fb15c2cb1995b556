// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/search.h"
#include "perfdata/format.h"

#define TRAILER_BITS                                                                               \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |             \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

void format_init(struct format *fmt)
{
	*fmt = (struct format){
		.evsels = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free),
		.ids = g_array_new(false, false, sizeof(struct format_id)),
		.same_samples = true,
		.untimed = true,
	};
}

void format_release(struct format *fmt)
{
	g_ptr_array_unref(fmt->evsels);
	g_array_unref(fmt->ids);
}

u32 trailer_words(u64 type)
{
	return (u32)__builtin_popcountll(type & TRAILER_BITS);
}

/* Bytes in front of the trailer. 0: a type that is not handled here, or it cannot be told. */
static u32 body_size(const struct perf_event_header *raw)
{
	const u8 *bytes = (const u8 *)raw;
	size_t name = sizeof(*raw) + 16, size;
	const u8 *end;
	u16 lengths[2];

	switch (raw->type) {
	case PERF_RECORD_BPF_EVENT: /* type, flags, id, tag */
		return sizeof(*raw) + 16;
	case PERF_RECORD_KSYMBOL: /* addr, len, type, flags, name */
		end = raw->size > name ? memchr(bytes + name, 0, raw->size - name) : NULL;
		return end ? (u32)(name + ALIGN_UP((size_t)(end + 1 - (bytes + name)), 8)) : 0;
	case PERF_RECORD_TEXT_POKE: /* addr, old_len, new_len, bytes */
		size = 8 + sizeof(lengths);
		if (raw->size < sizeof(*raw) + size)
			return 0;
		memcpy(lengths, bytes + sizeof(*raw) + 8, sizeof(lengths));
		return (u32)(sizeof(*raw) + ALIGN_UP(size + lengths[0] + lengths[1], 8));
	default:
		return 0;
	}
}

static bool is_told(const struct evsel *evsel, u32 type)
{
	return type == PERF_RECORD_BPF_EVENT   ? evsel->attr.bpf_event
	       : type == PERF_RECORD_TEXT_POKE ? evsel->attr.text_poke
					       : evsel->attr.ksymbol;
}

u32 record_true_size(const GPtrArray *evsels, const struct perf_event_header *raw)
{
	u32 size = body_size(raw);
	const struct evsel *told = NULL;

	if (!size || !evsels->len)
		return raw->size;
	for (u32 i = 0; i < evsels->len && !told; i++)
		if (is_told(g_ptr_array_index(evsels, i), raw->type))
			told = g_ptr_array_index(evsels, i);
	if (!told)
		told = g_ptr_array_index(evsels, 0);
	if (told->attr.sample_id_all)
		size += 8 * trailer_words(told->attr.sample_type);
	return MIN(size, raw->size);
}

u32 read_group_entry(u64 read_format)
{
	return 8 + (read_format & PERF_FORMAT_ID ? 8 : 0) +
	       (read_format & PERF_FORMAT_LOST ? 8 : 0);
}

static int sample_id_pos(u64 type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		return 0;
	if (!(type & PERF_SAMPLE_ID))
		return FORMAT_NO_ID;
	return __builtin_popcountll(
		type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR));
}

static int trailer_id_pos(const struct perf_event_attr *attr)
{
	u64 type = attr->sample_type;

	if (!attr->sample_id_all)
		return FORMAT_NO_ID;
	if (type & PERF_SAMPLE_IDENTIFIER)
		return 1;
	if (!(type & PERF_SAMPLE_ID))
		return FORMAT_NO_ID;
	return 1 + __builtin_popcountll(type & (PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU));
}

static bool same_layout(const struct evsel *a, const struct evsel *b)
{
	return a->attr.sample_type == b->attr.sample_type &&
	       a->attr.read_format == b->attr.read_format &&
	       a->attr.sample_regs_user == b->attr.sample_regs_user &&
	       a->attr.sample_regs_intr == b->attr.sample_regs_intr &&
	       a->attr.branch_sample_type == b->attr.branch_sample_type;
}

bool format_add(struct format *fmt, struct evsel *evsel, const char **problem)
{
	const struct perf_event_attr *attr = &evsel->attr;
	int in_sample = sample_id_pos(attr->sample_type);
	int in_trailer = trailer_id_pos(attr);

	if (fmt->evsels->len == 0) {
		fmt->sample_id_pos = in_sample;
		fmt->trailer_id_pos = in_trailer;
	} else {
		const struct evsel *first = g_ptr_array_index(fmt->evsels, 0);
		bool same = same_layout(first, evsel);

		if (first->attr.sample_id_all != attr->sample_id_all) {
			*problem = "sample_id_all as in the first event";
			return false;
		}
		if (!same && (in_sample == FORMAT_NO_ID || in_sample != fmt->sample_id_pos ||
			      in_trailer != fmt->trailer_id_pos)) {
			*problem = "a sample_type whose id is where the first event has it";
			return false;
		}
		fmt->same_samples = fmt->same_samples && same;
	}
	if (attr->sample_type & PERF_SAMPLE_TIME)
		fmt->untimed = false;
	fmt->build_ids |= attr->build_id;
	evsel->idx = evsel->leader = fmt->evsels->len;
	g_ptr_array_add(fmt->evsels, evsel);
	for (u32 i = 0; i < evsel->nr_ids; i++) {
		struct format_id entry = { evsel->ids[i], evsel };

		g_array_append_val(fmt->ids, entry);
	}
	fmt->settled = false;
	return true;
}

static int compare_ids(const void *a, const void *b)
{
	u64 x = ((const struct format_id *)a)->id, y = ((const struct format_id *)b)->id;

	return x < y ? -1 : x > y;
}

/* Fields of one or two words that stand first, in this order, and those that may follow them. */
static const u64 fixed[] = {
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,	  PERF_SAMPLE_TID,
	PERF_SAMPLE_TIME,	PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID,	PERF_SAMPLE_CPU,  PERF_SAMPLE_PERIOD,
};
#define FOLLOWING (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_TLS_USER)

static void settle_heads(struct format *fmt)
{
	struct format_heads *h = &fmt->heads;
	const struct evsel *first = fmt->evsels->len ? fmt->evsels->pdata[0] : NULL;
	u64 type = first ? first->attr.sample_type : 0, all = FOLLOWING;
	u8 at[ARRAY_SIZE(fixed)], nr = 0;

	for (u32 i = 0; i < ARRAY_SIZE(fixed); i++) {
		all |= fixed[i];
		at[i] = type & fixed[i] ? nr++ : FORMAT_ABSENT;
	}
	*h = (struct format_heads){
		.least = UINT32_MAX,
		.ip = at[1],
		.tid = at[2],
		.time = at[3],
		.addr = at[4],
		.sample_id = type & PERF_SAMPLE_ID ? at[5] : at[0],
		.stream_id = at[6],
		.cpu = at[7],
		.period = at[8],
		.chain = type & PERF_SAMPLE_CALLCHAIN,
		.tls = type & PERF_SAMPLE_TLS_USER,
	};
	if (fmt->evsels->len == 1 || fmt->sample_id_pos == FORMAT_NO_ID)
		h->evsel = first;
	else
		h->id = (u8)fmt->sample_id_pos;
	if (first && fmt->same_samples && type & PERF_SAMPLE_TID && !(type & ~all))
		h->least = (u32)(sizeof(struct perf_event_header) + nr * sizeof(u64));
}

void format_settle(struct format *fmt)
{
	if (fmt->settled)
		return;
	g_array_sort(fmt->ids, compare_ids);
	settle_heads(fmt);
	fmt->settled = true;
}

const struct evsel *format_evsel(const struct format *fmt, u64 id)
{
	const struct format_id *all = (const void *)fmt->ids->data;
	u32 at;

	if (fmt->evsels->len == 1)
		return g_ptr_array_index(fmt->evsels, 0);
	at = SEARCH(i, 0, fmt->ids->len, all[i].id < id);
	return at < fmt->ids->len && all[at].id == id ? all[at].evsel : NULL;
}

bool format_sample_time(const struct format *fmt, const struct perf_event_header *raw, u64 foff,
			u64 *time)
{
	const struct format_heads *h = &fmt->heads;
	const u64 *words = (const void *)(raw + 1);

	if (raw->size < h->least || (!h->evsel && !format_evsel(fmt, words[h->id])))
		return false;
	*time = h->time == FORMAT_ABSENT ? (fmt->untimed ? foff : 0) : words[h->time];
	return true;
}
