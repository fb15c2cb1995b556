// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs some times a second: tries open look-ups again, and detects unloaded libraries.
 *
 * A library that is unloaded makes no record. Its first bytes are read every CHECK_NS. Example of
 * the times, in the clock of samples:
 *
 *	check at t=100	there		checked_time = 100
 *	check at t=150	not there	missed_ns; is it unloaded, or did the process execute another program?
 *	retry, t=190	all samples from before the check have passed	missed_time = 191
 *	check at t=310	SURE_NS have passed, and no exec was reported	withdrawn from 191 on
 *
 * Between 100 and 191 the library may have been there or not: these samples are "not looked up
 * yet". t is in ms.
 *
 * With an exec or exit in between, the process's entry is a new one, and nothing is withdrawn.
 *
 * Cost: one process_vm_readv() of 64 bytes for each variable of a process with variables, of CHECKS
 * entries of the table per call.
 */
#include "record/tls/lookup_private.h"

#define RETRY_NS (20 * 1000000ull)  /* between two tries of an open look-up */
#define CHECK_NS (50 * 1000000ull)  /* between two checks of mapped libraries */
#define CHECKS	 256		    /* processes per check */
#define SURE_NS	 (150 * 1000000ull) /* a process's exec or exit is reported within this time */

static bool has_open_lookup(const struct tls_lookup *l, u32 pid)
{
	for (guint i = 0; i < l->lookups->len; i++) {
		const struct tls_open *o = g_ptr_array_index(l->lookups, i);

		if (o->pid == pid)
			return true;
	}
	return false;
}

static gboolean is_settled(gpointer pid, gpointer value, gpointer l)
{
	const struct tls_fork *fork = value;

	(void)pid;
	return fork->settled_ns <= ((const struct tls_lookup *)l)->now_ns;
}

static void settle(struct tls_lookup *l)
{
	const struct tls_fresh *first;

	g_hash_table_foreach_remove(l->forks, is_settled, l);
	while ((first = g_queue_peek_head(&l->fresh)) && first->settled_ns <= l->now_ns) {
		g_autofree struct tls_fresh *fresh = g_queue_pop_head(&l->fresh);
		struct tls_process *p = tls_process_find(l, fresh->pid);

		if (!p || !p->fresh)
			continue;
		p->fresh = false;
		if (tls_process_has_any(p) || p->started || has_open_lookup(l, p->pid))
			continue;
		p->absent = true;
		tls_tell(l, p, TLS_ABSENT, 0, 0, 0);
	}
}

/* True if all libraries of @p that define a found variable are still mapped. */
static bool has_libraries(const struct tls_process *p)
{
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (tls_is_unloaded(p, i))
			return false;
	}
	return true;
}

/*
 * A missing library was unloaded, or the process executes another program, and the record of the
 * exec is yet to come. Samples taken before this check may still wait in the rings. So the next
 * retry sets the time from which the library is known to be gone: date_missing().
 */
static void check_libraries(struct tls_lookup *l, struct tls_process *p)
{
	if (has_libraries(p)) {
		p->checked_time = MAX(p->checked_time, l->time);
		p->missed_ns = p->missed_time = 0;
	} else if (!p->missed_ns) {
		p->missed_ns = l->now_ns;
		g_hash_table_add(l->missing, GUINT_TO_POINTER(p->pid));
	} else if (p->missed_time && l->now_ns >= p->missed_ns + SURE_NS) {
		for (u32 i = 0; i < l->asked->len; i++) {
			if (tls_is_unloaded(p, i))
				tls_unload(l, p, p->origins[i].object, p->origins[i].bias,
					   p->missed_time);
		}
		p->missed_ns = p->missed_time = 0;
	}
}

/*
 * All samples that were taken before the library was found missing have passed: l->time is the time
 * of the newest of them, or later. Rings that overwrite pass no samples before the end.
 */
static gboolean date_missing(gpointer pid, gpointer value, gpointer arg)
{
	struct tls_lookup *l = arg;
	struct tls_process *p = tls_process_find(l, GPOINTER_TO_UINT(pid));

	(void)value;
	if (!p || !p->missed_ns)
		return TRUE;
	p->missed_time = l->time ? l->time + 1 : 0;
	return p->missed_time != 0;
}

/* Checks at most CHECKS processes per call. The next call continues with the next ones. */
static void check_processes(struct tls_lookup *l)
{
	u32 nr = g_hash_table_size(l->processes), at = 0;
	GHashTableIter it;
	gpointer value;

	l->checked_ns = l->now_ns;
	if (l->next_check >= nr)
		l->next_check = 0;
	g_hash_table_iter_init(&it, l->processes);
	while (g_hash_table_iter_next(&it, NULL, &value)) {
		if (at >= l->next_check && at < l->next_check + CHECKS &&
		    tls_process_has_any(value))
			check_libraries(l, value);
		at++;
	}
	l->next_check += CHECKS;
}

/*
 * A fresh variable becomes settled when all samples have passed that were taken before the BPF
 * program knew the variable: l->time is the time of the newest of them, or later. Rings that
 * overwrite pass no samples before the end.
 */
static gboolean settle_fresh(gpointer pid, gpointer value, gpointer arg)
{
	struct tls_lookup *l = arg;
	struct tls_process *p = tls_process_find(l, GPOINTER_TO_UINT(pid));
	u32 fresh = p ? p->fresh_found : 0;

	(void)value;
	if (!fresh || !l->time || p->settles_in-- > 1)
		return !fresh;
	p->fresh_found = 0;
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (fresh >> i & 1 && p->publishers[i].found)
			tls_tell(l, p, TLS_SETTLED, i, MAX(l->time + 1, p->origins[i].time), 0);
	}
	return TRUE;
}

void tls_lookup_retry(struct tls_lookup *l, u64 now_ns, u64 time)
{
	l->now_ns = now_ns;
	l->time = time;
	g_hash_table_foreach_remove(l->unsettled, settle_fresh, l);
	g_hash_table_foreach_remove(l->missing, date_missing, l);
	for (guint i = l->lookups->len; i-- > 0;) {
		struct tls_open *o = g_ptr_array_index(l->lookups, i);
		bool over = false;

		if (now_ns >= o->next_ns) {
			over = tls_try_lookup(l, o);
			o->next_ns = now_ns + RETRY_NS;
		}
		if (!over && now_ns >= o->give_up_ns) {
			l->counts.unresolved += !tls_lookup_is_found(l, o);
			over = true;
		}
		if (over)
			g_ptr_array_remove_index_fast(l->lookups, i);
	}
	settle(l);
	if (now_ns >= l->checked_ns + CHECK_NS)
		check_processes(l);
}
