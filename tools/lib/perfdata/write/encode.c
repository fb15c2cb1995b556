// SPDX-License-Identifier: GPL-2.0-or-later
/* Encodes struct event into bytes, in the order in which decode.c and decode_sample.c read them. */
#include "perfdata/write/encode.h"

#include <string.h>

#include "base/error.h"
#include "perfdata/format.h"
#include "perfdata/write/encoding.h"

static void put_read(GByteArray *out, u64 format, const struct sample_read *read)
{
	bool group = format & PERF_FORMAT_GROUP;

	put_u64(out, group ? read->nr : read->one.value);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put_u64(out, read->time_enabled);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put_u64(out, read->time_running);
	if (group) {
		put(out, read->group, read->nr * read_group_entry(format));
		return;
	}
	if (format & PERF_FORMAT_ID)
		put_u64(out, read->one.id);
	if (format & PERF_FORMAT_LOST)
		put_u64(out, read->one.lost);
}

static void put_branches(GByteArray *out, u64 branch_type, const struct sample *s)
{
	put_u64(out, s->nr_branches);
	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		put_u64(out, s->hw_idx);
	put(out, s->branches, s->nr_branches * sizeof(*s->branches));
	if (!(branch_type & PERF_SAMPLE_BRANCH_COUNTERS))
		return;
	if (s->branch_counters)
		put(out, s->branch_counters, s->nr_branches * sizeof(u64));
	else
		put_zeros(out, s->nr_branches * sizeof(u64));
}

static void put_regs(GByteArray *out, u64 mask, const struct sample_regs *regs)
{
	put_u64(out, regs->regs ? regs->abi : 0);
	if (regs->regs && regs->abi)
		put(out, regs->regs, (u64)__builtin_popcountll(mask) * sizeof(u64));
}

/* The size is rounded up to a multiple of 8, as the kernel does; dyn_size is the number of valid bytes. */
static void put_bytes(GByteArray *out, const struct sample_bytes *bytes)
{
	u64 room = ALIGN_UP(bytes->size, (u64)8);

	put_u64(out, room);
	if (!room)
		return;
	put(out, bytes->data, bytes->size);
	put_zeros(out, room - bytes->size);
	put_u64(out, bytes->dyn_size);
}

static void put_raw(GByteArray *out, const struct sample *s)
{
	u32 room = ALIGN_UP(s->raw_size + 4, 8) - 4;

	put_u32(out, room);
	put(out, s->raw, s->raw_size);
	put_zeros(out, room - s->raw_size);
}

/* The first words of a sample, appended at once, because every sample has about ten of them. */
static void put_sample_head(GByteArray *out, u64 type, const struct sample *s)
{
	u64 words[9];
	u32 nr = 0;

	if (type & PERF_SAMPLE_IDENTIFIER)
		words[nr++] = s->id;
	if (type & PERF_SAMPLE_IP)
		words[nr++] = s->ip;
	if (type & PERF_SAMPLE_TID)
		memcpy(&words[nr++], (const u32[]){ s->pid, s->tid }, sizeof(u64));
	if (type & PERF_SAMPLE_TIME)
		words[nr++] = s->time;
	if (type & PERF_SAMPLE_ADDR)
		words[nr++] = s->addr;
	if (type & PERF_SAMPLE_ID)
		words[nr++] = s->id;
	if (type & PERF_SAMPLE_STREAM_ID)
		words[nr++] = s->stream_id;
	if (type & PERF_SAMPLE_CPU)
		memcpy(&words[nr++], (const u32[]){ s->cpu, 0 }, sizeof(u64));
	if (type & PERF_SAMPLE_PERIOD)
		words[nr++] = s->period;
	put(out, words, nr * sizeof(u64));
}

static void put_weight(GByteArray *out, u64 type, const struct sample *s)
{
	if (type & PERF_SAMPLE_WEIGHT) {
		put_u64(out, s->weight);
	} else if (type & PERF_SAMPLE_WEIGHT_STRUCT) {
		put_u32(out, (u32)s->weight);
		put_u16(out, s->ins_lat);
		put_u16(out, s->p_stage_cyc);
	}
}

static void put_sample_tail(GByteArray *out, const struct perf_event_attr *attr,
			    const struct sample *s)
{
	u64 type = attr->sample_type;

	put_weight(out, type, s);
	if (type & PERF_SAMPLE_DATA_SRC)
		put_u64(out, s->data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		put_u64(out, s->transaction);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs(out, attr->sample_regs_intr, &s->intr_regs);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		put_u64(out, s->phys_addr);
	if (type & PERF_SAMPLE_CGROUP)
		put_u64(out, s->cgroup);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		put_u64(out, s->data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		put_u64(out, s->code_page_size);
	if (type & PERF_SAMPLE_TLS_USER)
		put_bytes(out, &s->tls);
	if (type & PERF_SAMPLE_AUX) {
		put_u64(out, s->aux.size);
		put(out, s->aux.data, s->aux.size);
	}
}

static void put_sample(GByteArray *out, const struct evsel *evsel, const struct sample *s)
{
	const struct perf_event_attr *attr = &evsel->attr;
	u64 type = attr->sample_type;

	put_sample_head(out, type, s);
	if (type & PERF_SAMPLE_READ)
		put_read(out, attr->read_format, &s->read);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		put_u64(out, s->nr_ips);
		put(out, s->ips, s->nr_ips * sizeof(u64));
	}
	if (type & PERF_SAMPLE_RAW)
		put_raw(out, s);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(out, attr->branch_sample_type, s);
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs(out, attr->sample_regs_user, &s->user_regs);
	if (type & PERF_SAMPLE_STACK_USER)
		put_bytes(out, &s->user_stack);
	put_sample_tail(out, attr, s);
}

static void put_trailer(GByteArray *out, const struct evsel *evsel, const struct sample_id *id)
{
	u64 type = evsel->attr.sample_type;

	if (type & PERF_SAMPLE_TID) {
		put_u32(out, id->pid);
		put_u32(out, id->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		put_u64(out, id->time);
	if (type & PERF_SAMPLE_ID)
		put_u64(out, id->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(out, id->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		put_u32(out, id->cpu);
		put_u32(out, 0);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(out, id->id);
}

static void put_mmap(GByteArray *out, const struct event *ev)
{
	const struct event_mmap *m = &ev->mmap;

	put_u32(out, m->pid);
	put_u32(out, m->tid);
	put_u64(out, m->start);
	put_u64(out, m->len);
	put_u64(out, m->pgoff);
	if (ev->type == PERF_RECORD_MMAP2) {
		if (ev->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
			put_u32(out, m->build_id_size);
			put(out, m->build_id, sizeof(m->build_id));
		} else {
			put_u32(out, m->maj);
			put_u32(out, m->min);
			put_u64(out, m->ino);
			put_u64(out, m->ino_generation);
		}
		put_u32(out, m->prot);
		put_u32(out, m->flags);
	}
	put_string(out, m->filename);
}

static void put_task(GByteArray *out, const struct event *ev)
{
	put_u32(out, ev->task.pid);
	put_u32(out, ev->task.ppid);
	put_u32(out, ev->task.tid);
	put_u32(out, ev->task.ptid);
	put_u64(out, ev->task.time);
}

static void put_lost(GByteArray *out, const struct event *ev)
{
	put_u64(out, ev->lost.id);
	put_u64(out, ev->lost.lost);
}

static void put_lost_samples(GByteArray *out, const struct event *ev)
{
	put_u64(out, ev->lost.lost);
}

static void put_comm(GByteArray *out, const struct event *ev)
{
	put_u32(out, ev->comm.pid);
	put_u32(out, ev->comm.tid);
	put_string(out, ev->comm.text);
}

static void put_throttle(GByteArray *out, const struct event *ev)
{
	put_u64(out, ev->throttle.time);
	put_u64(out, ev->throttle.id);
	put_u64(out, ev->throttle.stream_id);
}

static void put_aux(GByteArray *out, const struct event *ev)
{
	put_u64(out, ev->aux.offset);
	put_u64(out, ev->aux.size);
	put_u64(out, ev->aux.flags);
}

static void put_itrace_start(GByteArray *out, const struct event *ev)
{
	put_u32(out, ev->itrace_start.pid);
	put_u32(out, ev->itrace_start.tid);
}

static void put_nothing(GByteArray *out, const struct event *ev)
{
}

static void put_switch_cpu_wide(GByteArray *out, const struct event *ev)
{
	put_u32(out, ev->sw.other_pid);
	put_u32(out, ev->sw.other_tid);
}

static void put_namespaces(GByteArray *out, const struct event *ev)
{
	put_u32(out, ev->namespaces.pid);
	put_u32(out, ev->namespaces.tid);
	put_u64(out, ev->namespaces.nr);
	put(out, ev->namespaces.links, ev->namespaces.nr * sizeof(*ev->namespaces.links));
}

static void put_ksymbol(GByteArray *out, const struct event *ev)
{
	put_u64(out, ev->ksymbol.addr);
	put_u32(out, ev->ksymbol.len);
	put_u16(out, ev->ksymbol.type);
	put_u16(out, ev->ksymbol.flags);
	put_string(out, ev->ksymbol.name);
}

static void put_bpf(GByteArray *out, const struct event *ev)
{
	put_u16(out, ev->bpf.type);
	put_u16(out, ev->bpf.flags);
	put_u32(out, ev->bpf.id);
	put(out, ev->bpf.tag, 8);
}

static void put_cgroup(GByteArray *out, const struct event *ev)
{
	put_u64(out, ev->cgroup.id);
	put_string(out, ev->cgroup.path);
}

static void put_text_poke(GByteArray *out, const struct event *ev)
{
	put_u64(out, ev->text_poke.addr);
	put_u16(out, ev->text_poke.old_len);
	put_u16(out, ev->text_poke.new_len);
	put(out, ev->text_poke.old_bytes, ev->text_poke.old_len);
	put(out, ev->text_poke.new_bytes, ev->text_poke.new_len);
}

static void put_hw_id(GByteArray *out, const struct event *ev)
{
	put_u64(out, ev->hw_id.id);
}

static void put_deferred(GByteArray *out, const struct event *ev)
{
	put_u64(out, ev->deferred.cookie);
	put_u64(out, ev->deferred.nr);
	put(out, ev->deferred.ips, ev->deferred.nr * sizeof(u64));
}

/* READ is not here: its layout depends on the event's attr. */
static void (*const kernel_records[])(GByteArray *out, const struct event *ev) = {
	[PERF_RECORD_MMAP] = put_mmap,
	[PERF_RECORD_MMAP2] = put_mmap,
	[PERF_RECORD_LOST] = put_lost,
	[PERF_RECORD_LOST_SAMPLES] = put_lost_samples,
	[PERF_RECORD_COMM] = put_comm,
	[PERF_RECORD_FORK] = put_task,
	[PERF_RECORD_EXIT] = put_task,
	[PERF_RECORD_THROTTLE] = put_throttle,
	[PERF_RECORD_UNTHROTTLE] = put_throttle,
	[PERF_RECORD_AUX] = put_aux,
	[PERF_RECORD_ITRACE_START] = put_itrace_start,
	[PERF_RECORD_SWITCH] = put_nothing,
	[PERF_RECORD_SWITCH_CPU_WIDE] = put_switch_cpu_wide,
	[PERF_RECORD_NAMESPACES] = put_namespaces,
	[PERF_RECORD_KSYMBOL] = put_ksymbol,
	[PERF_RECORD_BPF_EVENT] = put_bpf,
	[PERF_RECORD_CGROUP] = put_cgroup,
	[PERF_RECORD_TEXT_POKE] = put_text_poke,
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = put_hw_id,
	[PERF_RECORD_CALLCHAIN_DEFERRED] = put_deferred,
};

static bool put_kernel_body(GByteArray *out, const struct event *ev, const struct evsel *evsel)
{
	if (ev->type == PERF_RECORD_READ) {
		put_u32(out, ev->read.pid);
		put_u32(out, ev->read.tid);
		put_read(out, evsel ? evsel->attr.read_format : 0, &ev->read.value);
		return true;
	}
	if (ev->type >= ARRAY_SIZE(kernel_records) || !kernel_records[ev->type])
		return false;
	kernel_records[ev->type](out, ev);
	return true;
}

bool event_encode(const struct event *ev, const struct evsel *evsel, GByteArray *out,
		  GError **error)
{
	struct perf_event_header header = { .type = ev->type, .misc = ev->misc };
	guint start = out->len;
	bool made;

	put(out, &header, sizeof(header));
	if (ev->type == PERF_RECORD_SAMPLE) {
		made = evsel != NULL;
		if (made)
			put_sample(out, evsel, &ev->sample);
	} else if (ev->type < PERFDATA_USER_TYPE_START) {
		made = put_kernel_body(out, ev, evsel);
	} else {
		made = encode_tool_record(ev, start, out);
	}
	put_zeros(out, ALIGN_UP(out->len - start, 8) - (out->len - start));
	if (ev->type < PERFDATA_USER_TYPE_START && ev->type != PERF_RECORD_SAMPLE && evsel &&
	    evsel->attr.sample_id_all)
		put_trailer(out, evsel, &ev->id);
	if (!made || out->len - start > UINT16_MAX) {
		guint size = out->len - start;

		g_byte_array_set_size(out, start);
		if (!made)
			return error_set(error, PERF_ERROR_UNSUPPORTED,
					 "a record of type %u cannot be made", ev->type);
		return error_set(error, PERF_ERROR_FORMAT,
				 "a record of type %u has %u bytes, expected at most 65535",
				 ev->type, size);
	}
	header.size = (u16)(out->len - start);
	memcpy(out->data + start, &header, sizeof(header));
	return true;
}
