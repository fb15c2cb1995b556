// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bytes of a sample of a stretch. Its raw data is struct wall_raw (perfdata/wall.h), followed
 * by texts that end with 0:
 *
 *	struct wall_raw | "pipe_read" | "pipe:[4711]" | "" (no socket) | "" (no waker) | zeros
 *
 * A thread that waits for a lock, and each wait of --off-cpu, has version 4, with the result, the owner's name, the owner's
 * activity, and of --off-cpu struct wall_edge, the descriptor that became ready, and messages behind them.
 *
 * The kernel states the size of raw data in a u32 before it, and both together are a multiple of 8
 * bytes. Readers, also upstream's, expect the same of our samples; hence the zeros. The result text
 * is there only for ended calls.
 *
 * The time of the sample is the end of the stretch, and its period the length. So all periods of a
 * thread add up to its time.
 */
#include "record/waits/wall_sample.h"

#include <linux/perf_event.h>
#include <string.h>

#include "perfdata/evsel.h"
#include "perfdata/offcpu.h"
#include "perfdata/write/encode.h"

#define TEXTS	6
#define USUALLY 512 /* bytes: most raw data is smaller, and is not allocated */

/* The texts behind struct wall_raw, and their sizes with the zeros at their ends. */
struct texts {
	const char *text[TEXTS];
	u32 size[TEXTS];
	u32 nr, all;
};

static bool is_whole(const struct wall_look *look)
{
	return look->lock.kind != WALL_LOCK_NONE || look->has_edge;
}

static struct texts texts_of(const struct wall_look *look)
{
	const char *all[TEXTS] = { look->wchan, look->file,   look->connection,
				   look->waker, look->result, look->owner };
	struct texts t = { .nr = is_whole(look) ? TEXTS : look->result ? TEXTS - 1 : TEXTS - 2 };

	for (u32 i = 0; i < t.nr; i++) {
		t.text[i] = all[i] ?: "";
		t.size[i] = (u32)strlen(t.text[i]) + 1;
		t.all += t.size[i];
	}
	return t;
}

/* Size of struct wall_raw in the sample's version. */
static u32 size_of_head(const struct wall_look *look)
{
	return is_whole(look) ? sizeof(struct wall_raw) : WALL_SIZE_3;
}

static u32 size_of_owner(const struct wall_look *look)
{
	return is_whole(look) ? look->owner_tls.filled : 0;
}

static u32 size_of_edge(const struct wall_look *look)
{
	return look->has_edge ? sizeof(look->edge) : 0;
}

static u32 size_of_messages(const struct wall_look *look)
{
	return look->has_edge ? look->edge.nr_messages * (u32)sizeof(*look->messages) : 0;
}

/* With its NUL. Where there is none, and nothing behind it, the zeros at the end stand for it. */
static u32 size_of_ready(const struct wall_look *look)
{
	bool needed = look->has_edge && (look->ready || size_of_messages(look));

	return needed ? (u32)strlen(look->ready ?: "") + 1 : 0;
}

/* The u32 size of the raw data and the data together are a multiple of 8 bytes. */
static u32 size_of_raw(const struct wall_look *look, const struct texts *t)
{
	u32 with_size = size_of_head(look) + t->all + size_of_owner(look) + size_of_edge(look) +
			size_of_ready(look) + size_of_messages(look) + (u32)sizeof(u32);

	return (with_size + 7) / 8 * 8 - (u32)sizeof(u32);
}

/* struct wall_raw, its texts, the owner's activity, struct wall_edge, the ready descriptor, messages, zeros. */
static void fill_raw(const struct wall_look *look, u64 end, const struct texts *t, u8 *raw,
		     u32 size)
{
	u32 at = size_of_head(look), owner = size_of_owner(look);
	struct wall_raw head = {
		.version = is_whole(look) ? WALL_VERSION : WALL_VERSION_NO_LOCK,
		.state = look->state,
		.flags = look->flags,
		.killed = look->killed,
		.syscall = look->syscall,
		.in_state = look->since && look->since < end ? end - look->since : 0,
		.cgroup = look->cgroup,
		.sequence = look->sequence,
		.nr = look->nr,
		.user = look->user,
		.inner_pid = look->inner_pid,
		.inner_tid = look->inner_tid,
		.pid_ns = look->pid_ns,
		.waker_pid = look->waker_pid,
		.waker_tid = look->waker_tid,
		.lock = look->lock,
	};

	head.lock.activity_size = (u16)owner;
	memcpy(head.args, look->args, sizeof(head.args));
	memcpy(raw, &head, at);
	for (u32 i = 0; i < t->nr; i++) {
		memcpy(raw + at, t->text[i], t->size[i]);
		at += t->size[i];
	}
	if (owner)
		memcpy(raw + at, look->owner_tls.data, owner);
	at += owner;
	memcpy(raw + at, &look->edge, size_of_edge(look));
	at += size_of_edge(look);
	memcpy(raw + at, look->ready ?: "", size_of_ready(look));
	at += size_of_ready(look);
	if (size_of_messages(look))
		memcpy(raw + at, look->messages, size_of_messages(look));
	at += size_of_messages(look);
	memset(raw + at, 0, size - at);
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
	struct texts texts = texts_of(look);
	u32 size = size_of_raw(look, &texts);
	u8 usual[USUALLY];
	g_autofree u8 *large = size > sizeof(usual) ? g_malloc(size) : NULL;
	u8 *raw = large ?: usual;
	g_autoptr(GByteArray) offcpu = NULL;
	bool in_kernel = look->nr_frames > 0;
	struct event ev = {
		.type = PERF_RECORD_SAMPLE,
		.misc = in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	};

	fill_raw(look, end, &texts, raw, size);
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
		.raw = raw,
		.raw_size = size,
		.tls = { look->tls.size, look->tls.data, look->tls.filled },
		.user_regs = regs_of(look, evsel),
		.user_stack = { look->stack.size, look->stack.data, look->stack.filled },
	};
	if (offcpu_is(evsel)) {
		offcpu = offcpu_raw(&ev.sample, raw, size);
		ev.sample.raw = offcpu->data;
		ev.sample.raw_size = offcpu->len;
	}
	event_encode(&ev, evsel, out, NULL);
}
