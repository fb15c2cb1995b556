// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reader of bpf/sources.h, compiled as a user-space function. The BPF program and this file
 * share one source, so that the bytes of a sleeping thread and of a running one have the same
 * format by construction. The shared source reads the process's memory by peek(), which each side
 * defines: here process_vm_readv() of another process, in BPF a read of the current one.
 *
 * peek() reads all of @size bytes or reports a failure, as in BPF. A page that is not resident is
 * no failure here: the kernel reads it in, and the call may wait for a disk.
 */
#include "record/waits/wall_tls.h"

#include <glib.h>
#include <linux/types.h>
#include <string.h>
#include <sys/uio.h>

/* The process that peek() reads. The functions of bpf/ have no argument for it: in BPF it is the interrupted one. */
static _Thread_local pid_t being_read;

/* OBI's map is not read: its entries may change while the thread sleeps. */
static const bool has_obi = false;

#define SOURCES_GLOBAL static
#include "bpf/sources.h"

static bool peek(void *to, __u32 size, __u64 va)
{
	struct iovec local = { to, size }, remote = { (void *)(uintptr_t)va, size };

	return process_vm_readv(being_read, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static void read_obi(struct scratch *scratch)
{
}

struct wall_tls {
	struct scratch scratch, unknown;
};

struct wall_tls *wall_tls_new(void)
{
	return g_new0(struct wall_tls, 1);
}

void wall_tls_free(struct wall_tls *w)
{
	g_free(w);
}

struct wall_bytes wall_tls_read(struct wall_tls *w, u32 pid, u64 tp,
				const struct sample_tls_plan *plan)
{
	u32 size;

	if (!tp || !(plan->window || plan->nr))
		return (struct wall_bytes){ 0 };
	being_read = (pid_t)pid;
	w->scratch.context = SAMPLE_TLS_IN_TASK;
	size = read_all(&w->scratch, plan, tp);
	return (struct wall_bytes){ size ? w->scratch.bytes : NULL, size, size };
}

/*
 * The frame of a thread whose activity nobody could read. It has an entry for each source of the
 * plan, marked unreadable, and states the window with none of its bytes filled:
 *
 *	frame | entry 1: unreadable | entry 2: unreadable | window of plan->window bytes, of which 0 are filled
 *
 * A report shows "unreadable" then, and not "none".
 */
struct wall_bytes wall_tls_unknown(struct wall_tls *w, const struct sample_tls_plan *plan)
{
	struct scratch *u = &w->unknown;
	struct sample_tls_frame *frame = (struct sample_tls_frame *)u->bytes;
	u32 window = MIN(plan->window, SAMPLE_TLS_WINDOW_MAX);

	if (!(plan->window || plan->nr))
		return (struct wall_bytes){ 0 };
	*frame = (struct sample_tls_frame){ .version = SAMPLE_TLS_FRAME_VERSION,
					    .context = SAMPLE_TLS_IN_TASK };
	u->at = sizeof(*frame) + sizeof(struct sample_tls_entry);
	u->cut = u->missing = 0;
	for (u32 i = 0; i < plan->nr && i < SAMPLE_TLS_SOURCES; i++) {
		const struct sample_tls_source *s = &plan->sources[i];

		close_entry(u, s->number, s->format, s->mark, SAMPLE_TLS_UNREADABLE, 0);
	}
	frame->size = (__u16)(u->at - sizeof(struct sample_tls_entry));
	memset(u->bytes + frame->size, 0, window);
	return (struct wall_bytes){ u->bytes, frame->size + window, frame->size };
}
