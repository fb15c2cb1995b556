// SPDX-License-Identifier: GPL-2.0-or-later
/* Decodes samples. Their fields are in the order of the bits of sample_type, with a few exceptions. */
#include "perfdata/decoding.h"
#include "perfdata/more_stack.h"
#include "perfdata/offcpu.h"

bool decode_read(struct cursor *c, u64 format, struct sample_read *read)
{
	read->format = format;
	if (format & PERF_FORMAT_GROUP) {
		read->nr = cursor_u64(c);
	} else {
		read->nr = 1;
		read->one.value = cursor_u64(c);
	}
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		read->time_enabled = cursor_u64(c);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		read->time_running = cursor_u64(c);
	if (format & PERF_FORMAT_GROUP) {
		read->group = decode_array(c, read->nr, read_group_entry(format));
		return !c->failed;
	}
	if (format & PERF_FORMAT_ID)
		read->one.id = cursor_u64(c);
	if (format & PERF_FORMAT_LOST)
		read->one.lost = cursor_u64(c);
	return !c->failed;
}

struct read_value sample_read_at(const struct sample_read *read, u64 i)
{
	u32 words = read_group_entry(read->format) / 8;
	struct read_value value = read->one;
	const u64 *at;

	if (!(read->format & PERF_FORMAT_GROUP))
		return value;
	at = read->group + i * words;
	value.value = *at++;
	if (read->format & PERF_FORMAT_ID)
		value.id = *at++;
	if (read->format & PERF_FORMAT_LOST)
		value.lost = *at;
	return value;
}

static bool decode_branches(struct cursor *c, u64 branch_type, struct sample *s, const char **part)
{
	s->nr_branches = cursor_u64(c);
	s->hw_idx = branch_type & PERF_SAMPLE_BRANCH_HW_INDEX ? cursor_u64(c) : (u64)-1;
	s->branches = decode_array(c, s->nr_branches, sizeof(struct perf_branch_entry));
	if (c->failed)
		FAIL("its branch stack");
	if (branch_type & PERF_SAMPLE_BRANCH_COUNTERS) {
		s->branch_counters = decode_array(c, s->nr_branches, sizeof(u64));
		if (c->failed)
			FAIL("its branch counters");
	}
	return true;
}

static bool decode_regs(struct cursor *c, u64 mask, struct sample_regs *regs)
{
	regs->abi = cursor_u64(c);
	regs->mask = mask;
	if (regs->abi)
		regs->regs = decode_array(c, (u64)__builtin_popcountll(mask), sizeof(u64));
	return !c->failed;
}

/* size; if it is not 0: data, and the number of valid bytes. */
static bool decode_bytes(struct cursor *c, struct sample_bytes *bytes)
{
	bytes->size = cursor_u64(c);
	bytes->data = c->pos;
	if (!bytes->size)
		return !c->failed;
	bytes->data = bytes->size % 8 ? NULL : cursor_bytes(c, bytes->size);
	bytes->dyn_size = cursor_u64(c);
	return bytes->data && !c->failed && bytes->dyn_size <= bytes->size;
}

/* The fields at the head of a sample that have one or two words. */
static bool decode_sample_head(struct cursor *c, struct sample *s, const char **part)
{
	u64 type = s->type;

	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = cursor_u64(c);
	if (type & PERF_SAMPLE_IP)
		s->ip = cursor_u64(c);
	if (type & PERF_SAMPLE_TID) {
		s->pid = cursor_u32(c);
		s->tid = cursor_u32(c);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time = cursor_u64(c);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = cursor_u64(c);
	if (type & PERF_SAMPLE_ID)
		s->id = cursor_u64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = cursor_u64(c);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = cursor_u32(c);
		cursor_u32(c);
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->period = cursor_u64(c);
	if (c->failed)
		FAIL("its fixed fields");
	return true;
}

static bool decode_raw(struct cursor *c, struct sample *s)
{
	s->raw_size = cursor_u32(c);
	/* The kernel pads the data, so that the next field is aligned. */
	if ((s->raw_size + 4) % 8)
		return false;
	s->raw = cursor_bytes(c, s->raw_size);
	return !c->failed;
}

static bool decode_weight(struct cursor *c, struct sample *s)
{
	if (s->type & PERF_SAMPLE_WEIGHT) {
		s->weight = cursor_u64(c);
	} else {
		s->weight = cursor_u32(c);
		s->ins_lat = cursor_u16(c);
		s->p_stage_cyc = cursor_u16(c);
	}
	return !c->failed;
}

/* The fields from WEIGHT on. Few samples have many of them. */
static bool decode_sample_tail(struct cursor *c, const struct perf_event_attr *attr,
			       struct sample *s, const char **part)
{
	u64 type = s->type;

	if (type & PERF_SAMPLE_WEIGHT_TYPE && !decode_weight(c, s))
		FAIL("its weight");
	if (type & PERF_SAMPLE_DATA_SRC)
		s->data_src = cursor_u64(c);
	if (type & PERF_SAMPLE_TRANSACTION)
		s->transaction = cursor_u64(c);
	if (type & PERF_SAMPLE_REGS_INTR && !decode_regs(c, attr->sample_regs_intr, &s->intr_regs))
		FAIL("its registers at the interrupt");
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = cursor_u64(c);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = cursor_u64(c);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = cursor_u64(c);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = cursor_u64(c);
	if (c->failed)
		FAIL("its fields behind the weight");
	if (type & PERF_SAMPLE_TLS_USER && !decode_bytes(c, &s->tls))
		FAIL("its bytes below the thread pointer");
	if (type & PERF_SAMPLE_AUX) {
		s->aux.size = cursor_u64(c);
		s->aux.data = cursor_bytes(c, s->aux.size);
		if (c->failed)
			FAIL("its AUX data");
	}
	return true;
}

static bool decode_sample(struct cursor *c, const struct evsel *evsel, struct sample *s,
			  const char **part)
{
	const struct perf_event_attr *attr = &evsel->attr;
	u64 type = attr->sample_type;

	s->type = type;
	s->period = attr->sample_period;
	if (!decode_sample_head(c, s, part))
		return false;
	if (type & PERF_SAMPLE_READ && !decode_read(c, attr->read_format, &s->read))
		FAIL("its counter values");
	if (type & PERF_SAMPLE_CALLCHAIN) {
		s->nr_ips = cursor_u64(c);
		s->ips = decode_array(c, s->nr_ips, sizeof(u64));
		if (c->failed)
			FAIL("its call chain");
	}
	if (type & PERF_SAMPLE_RAW && !decode_raw(c, s))
		FAIL("its raw data");
	if (type & PERF_SAMPLE_RAW && type & PERF_SAMPLE_STACK_USER)
		more_stack_take(s);
	if (type & PERF_SAMPLE_BRANCH_STACK &&
	    !decode_branches(c, attr->branch_sample_type, s, part))
		return false;
	if (type & PERF_SAMPLE_REGS_USER && !decode_regs(c, attr->sample_regs_user, &s->user_regs))
		FAIL("its user registers");
	if (type & PERF_SAMPLE_STACK_USER && !decode_bytes(c, &s->user_stack))
		FAIL("its user stack");
	if (type >= PERF_SAMPLE_WEIGHT)
		return decode_sample_tail(c, attr, s, part);
	return true;
}

static u64 word(const u64 *words, u8 at, u64 otherwise)
{
	return at == FORMAT_ABSENT ? otherwise : words[at];
}

bool decode_fixed_sample(const struct format *fmt, struct event *ev)
{
	const struct format_heads *h = &fmt->heads;
	const u64 *words = (const void *)(ev->raw + 1);
	const struct evsel *evsel = h->evsel;
	struct sample *s = &ev->sample;

	if (!fmt->settled || ev->size < h->least || h->chain || h->tls)
		return false;
	if (!evsel)
		evsel = format_evsel(fmt, words[h->id]);
	if (!evsel)
		return false;
	ev->evsel = evsel;
	s->misc = ev->misc;
	s->type = evsel->attr.sample_type;
	s->ip = word(words, h->ip, 0);
	s->pid = (u32)words[h->tid];
	s->tid = (u32)(words[h->tid] >> 32);
	s->time = word(words, h->time, 0);
	s->addr = word(words, h->addr, 0);
	s->id = word(words, h->sample_id, 0);
	s->stream_id = word(words, h->stream_id, 0);
	s->cpu = (u32)word(words, h->cpu, EVENT_NO_CPU);
	s->period = word(words, h->period, evsel->attr.sample_period);
	ev->id = (struct sample_id){
		s->pid, s->tid, s->cpu, s->time, s->id, s->stream_id, s->type & PERF_SAMPLE_TIME
	};
	return true;
}

bool decode_sample_record(const struct format *fmt, struct cursor *c, struct event *ev,
			  const char **part)
{
	struct sample *s = &ev->sample;
	const struct evsel *layout;

	s->misc = ev->misc;
	s->pid = s->tid = EVENT_NO_PID;
	s->cpu = EVENT_NO_CPU;
	if (!fmt->evsels->len)
		FAIL("an event that describes it");
	layout = ev->evsel = g_ptr_array_index(fmt->evsels, 0);
	if (fmt->evsels->len > 1 && fmt->sample_id_pos != FORMAT_NO_ID) {
		struct cursor at_id = *c;

		cursor_bytes(&at_id, (u64)fmt->sample_id_pos * 8);
		ev->evsel = format_evsel(fmt, cursor_u64(&at_id));
		if (at_id.failed)
			FAIL("its id");
		if (ev->evsel)
			layout = ev->evsel;
		else if (!fmt->same_samples)
			return true;
	}
	if (!decode_sample(c, layout, s, part))
		return false;
	if (offcpu_is(layout) && !offcpu_take(s))
		FAIL("what it says of a wait");
	ev->id = (struct sample_id){
		s->pid, s->tid, s->cpu, s->time, s->id, s->stream_id, s->type & PERF_SAMPLE_TIME
	};
	return true;
}
