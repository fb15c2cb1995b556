// SPDX-License-Identifier: GPL-2.0-or-later
/* Decodes the records of the kernel, and format_decode(). Samples are in decode_sample.c. */
#include <string.h>

#include "base/clear.h"
#include "perfdata/decoding.h"

/* The trailer is at the record's end, so its position is computed from there. */
static bool decode_trailer(const struct format *fmt, struct event *ev, const char **part)
{
	const u32 size = record_true_size(fmt->evsels, ev->raw);
	const u8 *end = (const u8 *)ev->raw + size;
	const struct evsel *first;
	struct cursor c;
	u64 type;

	if (!fmt->evsels->len)
		return true;
	first = g_ptr_array_index(fmt->evsels, 0);
	if (!first->attr.sample_id_all)
		return true;
	if (fmt->trailer_id_pos != FORMAT_NO_ID) {
		if (size < sizeof(*ev->raw) + 8 * (u32)fmt->trailer_id_pos)
			FAIL("its trailer of who and when (sample_id_all)");
		memcpy(&ev->id.id, end - 8 * fmt->trailer_id_pos, sizeof(u64));
		if (ev->id.id)
			ev->evsel = format_evsel(fmt, ev->id.id);
	} else if (ev->type == PERF_RECORD_LOST_SAMPLES && fmt->evsels->len == 1) {
		ev->evsel = first; /* the losses of one event: there is no other */
	}
	type = ev->evsel ? ev->evsel->attr.sample_type : first->attr.sample_type;
	if (size < sizeof(*ev->raw) + 8 * trailer_words(type))
		FAIL("its trailer of who and when (sample_id_all)");
	c = cursor_of(end - 8 * trailer_words(type), 8 * trailer_words(type));
	if (type & PERF_SAMPLE_TID) {
		ev->id.pid = cursor_u32(&c);
		ev->id.tid = cursor_u32(&c);
	}
	if (type & PERF_SAMPLE_TIME) {
		ev->id.time = cursor_u64(&c);
		ev->id.has_time = true;
	}
	if (type & PERF_SAMPLE_ID)
		cursor_u64(&c);
	if (type & PERF_SAMPLE_STREAM_ID)
		ev->id.stream_id = cursor_u64(&c);
	if (type & PERF_SAMPLE_CPU)
		ev->id.cpu = cursor_u32(&c);
	return true;
}

/*
 * MISC_MMAP_BUILD_ID says that the record has a build-id in place of device, inode and generation. Linux up to at least
 * 6.18 sets the bit wrongly: one mmap() makes one record for all events that get it, and the bit that an event with
 * attr.build_id sets stays set for the events after it. So the bit is trusted only if attr.build_id is set and the size
 * is valid.
 *
 * Tools put build-ids into records of other events, too (`perf inject --mmap2-buildids`, and our recorder if two files
 * have the same name). These are recognized by the bytes: {u8 size; u8 zero[3]; id}, zeros up to 24 bytes, and a size
 * that linkers use. Read as a device's major number, 20 and 16 are not disks; 8 is one, but its inodes have
 * generations.
 */
static bool is_build_id(const struct format *fmt, const struct event *ev, struct cursor c)
{
	bool asked = ev->evsel ? ev->evsel->attr.build_id : fmt->build_ids;
	u8 id[sizeof(ev->mmap.build_id)];
	u32 size;

	cursor_bytes(&c, 32); /* pid, tid, start, len, pgoff */
	size = cursor_u32(&c);
	cursor_read(&c, id, sizeof(id));
	if (asked)
		return (u8)size <= sizeof(id);
	if (size != 20 && size != 16 && size != 8)
		return false;
	for (u32 i = size; i < sizeof(id); i++)
		if (id[i])
			return false;
	return true;
}

static bool decode_mmap(struct cursor *c, struct event *ev, const char **part)
{
	struct event_mmap *m = &ev->mmap;

	m->pid = cursor_u32(c);
	m->tid = cursor_u32(c);
	m->start = cursor_u64(c);
	m->len = cursor_u64(c);
	m->pgoff = cursor_u64(c);
	if (ev->type == PERF_RECORD_MMAP) {
		m->prot = ev->misc & PERF_MISC_MMAP_DATA ? 0 : 4 /* PROT_EXEC */;
	} else if (ev->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		m->build_id_size = cursor_u8(c);
		cursor_bytes(c, 3);
		cursor_read(c, m->build_id, sizeof(m->build_id));
		m->has_build_id = m->build_id_size > 0;
	} else {
		m->maj = cursor_u32(c);
		m->min = cursor_u32(c);
		m->ino = cursor_u64(c);
		m->ino_generation = cursor_u64(c);
		m->has_inode = true;
	}
	if (ev->type == PERF_RECORD_MMAP2) {
		m->prot = cursor_u32(c);
		m->flags = cursor_u32(c);
	}
	if (c->failed)
		FAIL("its fixed fields");
	m->filename = cursor_string(c);
	if (!m->filename)
		FAIL("its file name, which must end in NUL");
	return true;
}

static bool decode_comm(struct cursor *c, struct event *ev, const char **part)
{
	ev->comm.pid = cursor_u32(c);
	ev->comm.tid = cursor_u32(c);
	ev->comm.exec = ev->misc & PERF_MISC_COMM_EXEC;
	ev->comm.text = cursor_string(c);
	if (!ev->comm.text)
		FAIL("its name, which must end in NUL");
	return true;
}

static bool decode_task(struct cursor *c, struct event *ev, const char **part)
{
	ev->task.pid = cursor_u32(c);
	ev->task.ppid = cursor_u32(c);
	ev->task.tid = cursor_u32(c);
	ev->task.ptid = cursor_u32(c);
	ev->task.time = cursor_u64(c);
	return true;
}

static bool decode_itrace_start(struct cursor *c, struct event *ev, const char **part)
{
	ev->itrace_start.pid = cursor_u32(c);
	ev->itrace_start.tid = cursor_u32(c);
	return true;
}

static bool decode_lost(struct cursor *c, struct event *ev, const char **part)
{
	ev->lost.id = cursor_u64(c);
	ev->lost.lost = cursor_u64(c);
	return true;
}

static bool decode_lost_samples(struct cursor *c, struct event *ev, const char **part)
{
	ev->lost.lost = cursor_u64(c);
	ev->lost.id = ev->id.id;
	return true;
}

static bool decode_throttle(struct cursor *c, struct event *ev, const char **part)
{
	ev->throttle.time = cursor_u64(c);
	ev->throttle.id = cursor_u64(c);
	ev->throttle.stream_id = cursor_u64(c);
	return true;
}

static bool decode_aux(struct cursor *c, struct event *ev, const char **part)
{
	ev->aux.offset = cursor_u64(c);
	ev->aux.size = cursor_u64(c);
	ev->aux.flags = cursor_u64(c);
	return true;
}

static bool decode_switch(struct cursor *c, struct event *ev, const char **part)
{
	ev->sw.out = ev->misc & PERF_MISC_SWITCH_OUT;
	ev->sw.preempt = ev->misc & PERF_MISC_SWITCH_OUT_PREEMPT;
	ev->sw.other_pid = ev->sw.other_tid = EVENT_NO_PID;
	if (ev->type == PERF_RECORD_SWITCH_CPU_WIDE) {
		ev->sw.other_pid = cursor_u32(c);
		ev->sw.other_tid = cursor_u32(c);
	}
	return true;
}

static bool decode_namespaces(struct cursor *c, struct event *ev, const char **part)
{
	ev->namespaces.pid = cursor_u32(c);
	ev->namespaces.tid = cursor_u32(c);
	ev->namespaces.nr = cursor_u64(c);
	ev->namespaces.links = decode_array(c, ev->namespaces.nr, sizeof(struct perf_ns_link_info));
	if (c->failed)
		FAIL("its list of namespaces");
	return true;
}

static bool decode_ksymbol(struct cursor *c, struct event *ev, const char **part)
{
	ev->ksymbol.addr = cursor_u64(c);
	ev->ksymbol.len = cursor_u32(c);
	ev->ksymbol.type = cursor_u16(c);
	ev->ksymbol.flags = cursor_u16(c);
	ev->ksymbol.name = cursor_string(c);
	if (!ev->ksymbol.name)
		FAIL("its name, which must end in NUL");
	return true;
}

static bool decode_bpf(struct cursor *c, struct event *ev, const char **part)
{
	ev->bpf.type = cursor_u16(c);
	ev->bpf.flags = cursor_u16(c);
	ev->bpf.id = cursor_u32(c);
	ev->bpf.tag = cursor_bytes(c, 8);
	return true;
}

static bool decode_cgroup(struct cursor *c, struct event *ev, const char **part)
{
	ev->cgroup.id = cursor_u64(c);
	ev->cgroup.path = cursor_string(c);
	if (!ev->cgroup.path)
		FAIL("its path, which must end in NUL");
	return true;
}

static bool decode_text_poke(struct cursor *c, struct event *ev, const char **part)
{
	ev->text_poke.addr = cursor_u64(c);
	ev->text_poke.old_len = cursor_u16(c);
	ev->text_poke.new_len = cursor_u16(c);
	ev->text_poke.old_bytes = cursor_bytes(c, ev->text_poke.old_len);
	ev->text_poke.new_bytes = cursor_bytes(c, ev->text_poke.new_len);
	if (c->failed)
		FAIL("its code bytes");
	return true;
}

static bool decode_hw_id(struct cursor *c, struct event *ev, const char **part)
{
	ev->hw_id.id = cursor_u64(c);
	return true;
}

static bool decode_deferred(struct cursor *c, struct event *ev, const char **part)
{
	ev->deferred.cookie = cursor_u64(c);
	ev->deferred.nr = cursor_u64(c);
	ev->deferred.ips = decode_array(c, ev->deferred.nr, sizeof(u64));
	if (c->failed)
		FAIL("its call chain");
	return true;
}

typedef bool (*decode_fn)(struct cursor *c, struct event *ev, const char **part);

/* READ and SAMPLE are not here: their layout depends on the event's attr. */
static const decode_fn kernel_records[] = {
	[PERF_RECORD_MMAP] = decode_mmap,
	[PERF_RECORD_LOST] = decode_lost,
	[PERF_RECORD_COMM] = decode_comm,
	[PERF_RECORD_EXIT] = decode_task,
	[PERF_RECORD_THROTTLE] = decode_throttle,
	[PERF_RECORD_UNTHROTTLE] = decode_throttle,
	[PERF_RECORD_FORK] = decode_task,
	[PERF_RECORD_MMAP2] = decode_mmap,
	[PERF_RECORD_AUX] = decode_aux,
	[PERF_RECORD_ITRACE_START] = decode_itrace_start,
	[PERF_RECORD_LOST_SAMPLES] = decode_lost_samples,
	[PERF_RECORD_SWITCH] = decode_switch,
	[PERF_RECORD_SWITCH_CPU_WIDE] = decode_switch,
	[PERF_RECORD_NAMESPACES] = decode_namespaces,
	[PERF_RECORD_KSYMBOL] = decode_ksymbol,
	[PERF_RECORD_BPF_EVENT] = decode_bpf,
	[PERF_RECORD_CGROUP] = decode_cgroup,
	[PERF_RECORD_TEXT_POKE] = decode_text_poke,
	[PERF_RECORD_AUX_OUTPUT_HW_ID] = decode_hw_id,
	[PERF_RECORD_CALLCHAIN_DEFERRED] = decode_deferred,
};

static bool decode_read_record(const struct format *fmt, struct cursor *c, struct event *ev,
			       const char **part)
{
	const struct evsel *evsel = ev->evsel;

	ev->read.pid = cursor_u32(c);
	ev->read.tid = cursor_u32(c);
	if (!evsel && fmt->evsels->len)
		evsel = g_ptr_array_index(fmt->evsels, 0);
	if (!decode_read(c, evsel ? evsel->attr.read_format : 0, &ev->read.value))
		FAIL("its counter values");
	return true;
}

static bool decode_kernel_record(const struct format *fmt, struct cursor *c, struct event *ev,
				 const char **part)
{
	ev->id.pid = ev->id.tid = EVENT_NO_PID;
	ev->id.cpu = EVENT_NO_CPU;
	if (!decode_trailer(fmt, ev, part))
		return false;
	if (ev->type == PERF_RECORD_READ)
		return decode_read_record(fmt, c, ev, part);
	if (ev->type == PERF_RECORD_MMAP2 && !is_build_id(fmt, ev, *c))
		ev->misc &= (u16)~PERF_RECORD_MISC_MMAP_BUILD_ID;
	if (ev->type < ARRAY_SIZE(kernel_records) && kernel_records[ev->type])
		return kernel_records[ev->type](c, ev, part);
	ev->payload.size = cursor_left(c);
	ev->payload.data = c->pos;
	return true;
}

bool format_decode(const struct format *fmt, const struct perf_event_header *raw, u64 foff,
		   struct event *ev, const char **part)
{
	struct cursor c = cursor_of(raw + 1, raw->size - sizeof(*raw));
	bool good;

	clear_bytes(ev, sizeof(*ev));
	ev->foff = foff;
	ev->type = raw->type;
	ev->misc = raw->misc;
	ev->size = raw->size;
	ev->raw = raw;
	*part = "its fixed fields";
	if (ev->type == PERF_RECORD_SAMPLE)
		good = decode_fixed_sample(fmt, ev) || decode_sample_record(fmt, &c, ev, part);
	else if (ev->type < PERFDATA_USER_TYPE_START)
		good = decode_kernel_record(fmt, &c, ev, part);
	else
		good = decode_tool_record(&c, ev, part);
	if (!ev->id.has_time && fmt->untimed)
		ev->id.time = foff;
	return good && !c.failed;
}
