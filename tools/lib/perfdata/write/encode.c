// SPDX-License-Identifier: GPL-2.0-or-later
/* Encodes struct event into bytes, in the order in which decode.c and decode_tool.c read them. */
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "perfdata/write/encode.h"
#include "perfdata/format.h"

static void put_zeros(GByteArray *out, u64 size)
{
	static const u8 zeros[64];

	for (; size > sizeof(zeros); size -= sizeof(zeros))
		put(out, zeros, sizeof(zeros));
	put(out, zeros, size);
}

static void put_string(GByteArray *out, const char *s)
{
	put(out, s ? s : "", s ? strlen(s) + 1 : 1);
}

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

static bool put_kernel_body(GByteArray *out, const struct event *ev, const struct evsel *evsel)
{
	switch (ev->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		put_mmap(out, ev);
		return true;
	case PERF_RECORD_LOST:
		put_u64(out, ev->lost.id);
		put_u64(out, ev->lost.lost);
		return true;
	case PERF_RECORD_LOST_SAMPLES:
		put_u64(out, ev->lost.lost);
		return true;
	case PERF_RECORD_COMM:
		put_u32(out, ev->comm.pid);
		put_u32(out, ev->comm.tid);
		put_string(out, ev->comm.text);
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		put_task(out, ev);
		return true;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		put_u64(out, ev->throttle.time);
		put_u64(out, ev->throttle.id);
		put_u64(out, ev->throttle.stream_id);
		return true;
	case PERF_RECORD_READ:
		put_u32(out, ev->read.pid);
		put_u32(out, ev->read.tid);
		put_read(out, evsel ? evsel->attr.read_format : 0, &ev->read.value);
		return true;
	case PERF_RECORD_AUX:
		put_u64(out, ev->aux.offset);
		put_u64(out, ev->aux.size);
		put_u64(out, ev->aux.flags);
		return true;
	case PERF_RECORD_ITRACE_START:
		put_u32(out, ev->itrace_start.pid);
		put_u32(out, ev->itrace_start.tid);
		return true;
	case PERF_RECORD_SWITCH:
		return true;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		put_u32(out, ev->sw.other_pid);
		put_u32(out, ev->sw.other_tid);
		return true;
	case PERF_RECORD_NAMESPACES:
		put_u32(out, ev->namespaces.pid);
		put_u32(out, ev->namespaces.tid);
		put_u64(out, ev->namespaces.nr);
		put(out, ev->namespaces.links, ev->namespaces.nr * sizeof(*ev->namespaces.links));
		return true;
	case PERF_RECORD_KSYMBOL:
		put_u64(out, ev->ksymbol.addr);
		put_u32(out, ev->ksymbol.len);
		put_u16(out, ev->ksymbol.type);
		put_u16(out, ev->ksymbol.flags);
		put_string(out, ev->ksymbol.name);
		return true;
	case PERF_RECORD_BPF_EVENT:
		put_u16(out, ev->bpf.type);
		put_u16(out, ev->bpf.flags);
		put_u32(out, ev->bpf.id);
		put(out, ev->bpf.tag, 8);
		return true;
	case PERF_RECORD_CGROUP:
		put_u64(out, ev->cgroup.id);
		put_string(out, ev->cgroup.path);
		return true;
	case PERF_RECORD_TEXT_POKE:
		put_u64(out, ev->text_poke.addr);
		put_u16(out, ev->text_poke.old_len);
		put_u16(out, ev->text_poke.new_len);
		put(out, ev->text_poke.old_bytes, ev->text_poke.old_len);
		put(out, ev->text_poke.new_bytes, ev->text_poke.new_len);
		return true;
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		put_u64(out, ev->hw_id.id);
		return true;
	case PERF_RECORD_CALLCHAIN_DEFERRED:
		put_u64(out, ev->deferred.cookie);
		put_u64(out, ev->deferred.nr);
		put(out, ev->deferred.ips, ev->deferred.nr * sizeof(u64));
		return true;
	default:
		return false;
	}
}

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
	} else if (ext->kind == PERFDATA_EXT_PROCESS) {
		put_u32(out, ext->process.pid);
		put_u32(out, ext->process.form);
		put_u64(out, ext->process.time);
		put_u32(out, ext->process.size);
		put_u32(out, 0);
		put(out, ext->process.data, ext->process.size);
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

static bool put_tool_body(GByteArray *out, const struct event *ev, guint start)
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
		made = put_tool_body(out, ev, start);
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
