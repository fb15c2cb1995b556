// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/wall_sample.h"

#include <linux/perf_event.h>
#include <string.h>

#include "perfdata/evsel.h"
#include "perfdata/offcpu.h"
#include "perfdata/write/encode.h"

static void append_text(GByteArray *raw, const char *text)
{
	g_byte_array_append(raw, (const guint8 *)(text ?: ""), (guint)strlen(text ?: "") + 1);
}

/* struct wall_raw and its texts. The u32 size of the raw data and the data together are a multiple of 8 bytes. */
static GByteArray *raw_of(const struct wall_look *look, u64 end)
{
	GByteArray *raw = g_byte_array_new();
	struct wall_raw head = {
		.version = WALL_VERSION,
		.state = look->state,
		.flags = look->flags,
		.syscall = look->syscall,
		.in_state = look->since && look->since < end ? end - look->since : 0,
		.cgroup = look->cgroup,
		.sequence = look->sequence,
		.nr = look->nr,
		.user = look->user,
		.inner_pid = look->inner_pid,
		.inner_tid = look->inner_tid,
		.waker_pid = look->waker_pid,
		.waker_tid = look->waker_tid,
	};

	memcpy(head.args, look->args, sizeof(head.args));
	g_byte_array_append(raw, (const guint8 *)&head, sizeof(head));
	append_text(raw, look->wchan);
	append_text(raw, look->file);
	append_text(raw, look->connection);
	append_text(raw, look->waker);
	if (look->result)
		append_text(raw, look->result);
	while ((raw->len + sizeof(u32)) % sizeof(u64))
		g_byte_array_append(raw, (const guint8 *)"", 1);
	return raw;
}

/* Kernel frames, then one user frame: the address to which the system call returns. */
static u32 chain_of(const struct wall_look *look, u64 *ips)
{
	u32 nr = 0;

	if (look->nr_frames)
		ips[nr++] = (u64)PERF_CONTEXT_KERNEL;
	for (u32 i = 0; i < look->nr_frames; i++)
		ips[nr++] = look->frames[i];
	if (look->ip) {
		ips[nr++] = (u64)PERF_CONTEXT_USER;
		ips[nr++] = look->ip;
	}
	return nr;
}

/* The user registers; none if there is no user stack. */
static struct sample_regs regs_of(const struct wall_look *look, const struct evsel *evsel)
{
	if (!look->stack.filled || !look->nr_regs)
		return (struct sample_regs){ 0 };
	return (struct sample_regs){
		.abi = look->in_32_bit_code ? PERF_SAMPLE_REGS_ABI_32 : PERF_SAMPLE_REGS_ABI_64,
		.mask = evsel->attr.sample_regs_user,
		.regs = look->regs,
	};
}

void wall_sample_make(const struct wall_look *look, u64 end, u64 length, const struct evsel *evsel,
		      GByteArray *out)
{
	u64 ips[WALL_MAX_FRAMES + 3];
	g_autoptr(GByteArray) raw = raw_of(look, end);
	g_autoptr(GByteArray) offcpu = NULL;
	bool in_kernel = look->nr_frames > 0;
	struct event ev = {
		.type = PERF_RECORD_SAMPLE,
		.misc = in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	};

	ev.sample = (struct sample){
		.id = evsel->ids[0],
		.ip = in_kernel ? look->frames[0] : look->ip,
		.pid = look->pid,
		.tid = look->tid,
		.time = end,
		.period = length,
		.cgroup = look->cgroup,
		.nr_ips = chain_of(look, ips),
		.ips = ips,
		.raw = raw->data,
		.raw_size = raw->len,
		.tls = { look->tls.size, look->tls.data, look->tls.filled },
		.user_regs = regs_of(look, evsel),
		.user_stack = { look->stack.size, look->stack.data, look->stack.filled },
	};
	if (offcpu_is(evsel)) {
		offcpu = offcpu_raw(&ev.sample, raw->data, raw->len);
		ev.sample.raw = offcpu->data;
		ev.sample.raw_size = offcpu->len;
	}
	event_encode(&ev, evsel, out, NULL);
}
