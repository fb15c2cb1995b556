// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel tells of a waker at once, and of the wait when the thread that has waited gets its CPU. Between the two, the number of
 * the waker's sample is pending, by the thread that it has woken:
 *
 *	8 wakes 7 at 100	others_waker()		sample 1	7 -> { woken 100, number 1 }
 *	9 wakes 7 at 200	others_waker()		sample 2	7 -> { woken 200, number 2 }: nobody asked for the first one
 *	7's wait ended at 200	others_woke(7, 200)	2		7 is removed
 *	7's wait ended at 300	others_woke(7, 300)	0: who ended it was not told
 *
 * A sample's chain, for the kernel's frames a and b and a user's IP u; its address is that of the second entry:
 *
 *	PERF_CONTEXT_KERNEL, a, b, PERF_CONTEXT_USER, u
 */
#include "record/waits/others.h"

#include <asm/perf_regs.h>

#include "activity/layout.h"
#include "perfdata/evsel.h"
#include "perfdata/wall.h"
#include "perfdata/write/encode.h"

#define MOST_NAMES   65536
#define MOST_PENDING 65536
#define MOST_KERNEL  64

struct others {
	struct evsel *wakers, *owners;
	u64 nr; /* samples so far */
	GHashTable
		*pending; /* tid -> struct pending *: wakers of waits whose samples have not come */
	GHashTable *names; /* tid -> char *: the name that was told last */
};

struct pending {
	u64 woken, number;
};

struct others *others_new(void)
{
	struct others *o = g_new0(struct others, 1);

	o->pending = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	o->names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return o;
}

void others_free(struct others *o)
{
	if (!o)
		return;
	g_hash_table_destroy(o->pending);
	g_hash_table_destroy(o->names);
	g_free(o);
}

static struct evsel *add_event(struct recording *rec, const char *name, const struct evsel *waits)
{
	const u64 stack = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	struct evsel *evsel = recording_add_evsel(rec, name);

	evsel->attr.sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_ADDR | PERF_SAMPLE_RAW |
				   (waits->attr.sample_type & stack);
	evsel->attr.sample_regs_user = waits->attr.sample_regs_user;
	evsel->attr.sample_stack_user = waits->attr.sample_stack_user;
	return evsel;
}

void others_prepare(struct others *o, struct recording *rec, const struct evsel *waits)
{
	o->wakers = add_event(rec, OFFCPU_WAKER_EVENT, waits);
	o->owners = add_event(rec, OFFCPU_OWNER_EVENT, waits);
}

void others_take_activities(struct others *o)
{
	o->wakers->attr.sample_type |= PERF_SAMPLE_TLS_USER;
	o->owners->attr.sample_type |= PERF_SAMPLE_TLS_USER;
	o->wakers->sample_tls_user = o->owners->sample_tls_user = ACTIVITY_WINDOW_DEFAULT;
}

/* The kernel's frames, and one of user code: the address at which it has entered the kernel. */
static u32 chain_of(const struct other *other, u64 *ips)
{
	const u32 ip = 3; /* in the order of the bits: BX, BP, SP, IP */
	u32 nr = 0;

	if (other->nr_kernel)
		ips[nr++] = (u64)PERF_CONTEXT_KERNEL;
	for (u32 i = 0; i < MIN(other->nr_kernel, (u32)MOST_KERNEL); i++)
		ips[nr++] = other->kernel[i];
	if (other->regs) {
		ips[nr++] = (u64)PERF_CONTEXT_USER;
		ips[nr++] = other->regs[ip];
	}
	return nr;
}

static struct sample_regs regs_of(const struct other *other, const struct evsel *evsel)
{
	if (!other->regs || !other->stack_size)
		return (struct sample_regs){ 0 };
	return (struct sample_regs){
		.abi = other->in_32_bit_code ? PERF_SAMPLE_REGS_ABI_32 : PERF_SAMPLE_REGS_ABI_64,
		.mask = evsel->attr.sample_regs_user,
		.regs = other->regs,
	};
}

static u64 make(struct others *o, const struct other *other, const struct evsel *evsel,
		GByteArray *out)
{
	u64 ips[MOST_KERNEL + 3];
	struct wall_beside beside = { .number = o->nr + 1 };
	struct event ev = {
		.type = PERF_RECORD_SAMPLE,
		.misc = other->nr_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
	};

	ev.sample = (struct sample){
		.id = evsel->ids[0],
		.pid = other->pid,
		.tid = other->tid,
		.time = other->time,
		.addr = other->waits,
		.period = other->period,
		.nr_ips = chain_of(other, ips),
		.ips = ips,
		.raw = &beside,
		.raw_size = sizeof(beside),
		.tls = { other->tls_size, other->tls, other->tls_size },
		.user_regs = regs_of(other, evsel),
		.user_stack = { other->stack_size, other->stack, other->stack_size },
	};
	ev.sample.ip = ev.sample.nr_ips ? ips[1] : 0;
	if (!event_encode(&ev, evsel, out, NULL))
		return 0;
	return ++o->nr;
}

/* The name of a thread that no record tells. */
static void tell_name(struct others *o, const struct other *other, const char *comm,
		      GByteArray *out)
{
	struct event ev = { .type = PERF_RECORD_COMM };

	if (!g_strcmp0(g_hash_table_lookup(o->names, GUINT_TO_POINTER(other->tid)), comm))
		return;
	if (g_hash_table_size(o->names) >= MOST_NAMES)
		g_hash_table_remove_all(o->names);
	g_hash_table_insert(o->names, GUINT_TO_POINTER(other->tid), g_strdup(comm));
	ev.comm = (struct event_comm){ .pid = other->pid, .tid = other->tid, .text = comm };
	ev.id = (struct sample_id){
		.pid = other->pid, .tid = other->tid, .time = other->time, .id = o->wakers->ids[0]
	};
	event_encode(&ev, o->wakers, out, NULL);
}

void others_waker(struct others *o, const struct other *waker, u64 woken, const char *comm,
		  GByteArray *out)
{
	struct pending *p;

	if (comm)
		tell_name(o, waker, comm, out);
	if (g_hash_table_size(o->pending) >= MOST_PENDING)
		g_hash_table_remove_all(o->pending);
	p = g_new(struct pending, 1);
	*p = (struct pending){ .woken = woken, .number = make(o, waker, o->wakers, out) };
	g_hash_table_replace(o->pending, GUINT_TO_POINTER(waker->waits), p);
}

u64 others_woke(struct others *o, u32 tid, u64 woken)
{
	const struct pending *p = g_hash_table_lookup(o->pending, GUINT_TO_POINTER(tid));
	u64 number = p && p->woken == woken ? p->number : 0;

	g_hash_table_remove(o->pending, GUINT_TO_POINTER(tid));
	return number;
}

u64 others_owner(struct others *o, const struct other *owner, GByteArray *out)
{
	return make(o, owner, o->owners, out);
}
