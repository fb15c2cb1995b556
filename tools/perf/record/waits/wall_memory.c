// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When memory of a sleeping thread may be read, and when what was read counts.
 *
 *	look		asleep, runs 57			the look says how often the thread got a CPU so far
 *	read		process_vm_readv()		no stop, no ptrace: the thread does not notice
 *	check		schedstat: runs 57		unchanged: it has slept all the time, and the bytes count
 *			schedstat: runs 58		it ran in between: the bytes are dropped
 *
 * A thread that sleeps cannot change its own thread-local memory or its stack. Another thread could
 * write there, but nobody does for an activity: its publisher is the thread itself.
 *
 * If the bytes were dropped, the activity is "unknown" (unreadable), and the stack is empty. The
 * next look may have them.
 *
 * The place of the activity comes from the source of activities (record/tls/source.h), which may
 * not have looked at a new process yet. Such a thread is put on a list and tried again in the next
 * passes, MOST_TRIES times, as long as it sleeps: a thread that sleeps has no new look. At 20
 * passes a second, that is two seconds.
 *
 * All of this runs in the sampling thread.
 */
#include "record/waits/wall_memory.h"

#include <glib.h>
#include <string.h>

#include <linux/types.h>

#include "base/file.h"
#include "bpf/sample_tls.h"
#include "perfevent/proc.h"
#include "record/tls/source.h"
#include "record/waits/wall_account.h"
#include "record/waits/wall_look.h"
#include "record/waits/wall_stack.h"
#include "record/waits/wall_tls.h"

#define MOST_TRIES 40

/* A thread whose activity may still be read, and the number of remaining tries. */
struct later {
	u32 tid, tries;
};

struct wall_memory {
	const struct kernel_paths *paths;
	const struct source *tls;
	struct wall_tls *tls_reader; /* NULL: activities are not read */
	struct wall_stack *stack_reader;
	GArray *later; /* struct later */
};

struct wall_memory *wall_memory_new(const struct kernel_paths *paths, const struct source *tls)
{
	struct wall_memory *m = g_new0(struct wall_memory, 1);

	m->paths = paths;
	m->tls = tls;
	m->tls_reader = tls ? wall_tls_new() : NULL;
	m->later = g_array_new(FALSE, FALSE, sizeof(struct later));
	return m;
}

void wall_memory_free(struct wall_memory *m)
{
	wall_tls_free(m->tls_reader);
	wall_stack_free(m->stack_reader);
	g_array_unref(m->later);
	g_free(m);
}

void wall_memory_take_stacks(struct wall_memory *m, u32 size)
{
	m->stack_reader = wall_stack_new(size);
}

/* How often the thread has got a CPU so far. Unchanged: it has not run meanwhile. */
static u64 count_runs(const struct wall_memory *m, const struct wall_look *look)
{
	g_autofree char *text =
		file_text("%s/%u/task/%u/schedstat", m->paths->proc, look->pid, look->tid);
	const char *last = text ? strrchr(text, ' ') : NULL;

	return last ? g_ascii_strtoull(last + 1, NULL, 10) : 0;
}

/*
 * States in which the thread cannot run without a change of its count of runs. Not WALL_QUEUED: it
 * may get a CPU at any moment. Not a zombie: it has no memory.
 */
static bool stands_still(const struct wall_look *look)
{
	return look->state == WALL_SLEEP || look->state == WALL_DISK ||
	       look->state == WALL_STOPPED || look->state == WALL_TRACED ||
	       look->state == WALL_FROZEN;
}

/*
 * Reads the thread's activity. look->tls stays unknown until the caller has checked that the thread did not run
 * meanwhile.
 */
static struct wall_bytes read_activity(struct wall_memory *m, struct wall_look *look)
{
	const struct later later = { look->tid, MOST_TRIES };
	bool still = stands_still(look);
	struct sample_tls_plan plan;

	if (!look->tp)
		return (struct wall_bytes){ 0 };
	if (!tls_source_plan(m->tls, look->pid, &plan)) {
		if (still)
			g_array_append_val(m->later, later);
		return (struct wall_bytes){ 0 };
	}
	look->tls = look->unknown = wall_tls_unknown(m->tls_reader, &plan);
	return still ? wall_tls_read(m->tls_reader, look->pid, look->tp, &plan)
		     : (struct wall_bytes){ 0 };
}

/*
 * True if the activity is known: by the thread's own CPU, or since the look @before (may be NULL), because there was no
 * other since. Such a thread is not read.
 */
static bool knows_activity(struct wall_memory *m, struct wall_look *look,
			   const struct wall_look *before)
{
	struct sample_tls_plan plan;

	if (!look->tracked || !m->tls_reader)
		return false;
	if (tls_source_plan(m->tls, look->pid, &plan))
		look->unknown = wall_tls_unknown(m->tls_reader, &plan);
	if (look->moment != WALL_AT_PASS)
		return true;
	if (!before || before->made != look->made || !before->tls.size ||
	    wall_bytes_equal(&before->tls, &look->unknown))
		return false;
	look->tls = before->tls;
	return true;
}

/*
 * A look with same has only times. Its place is completed from the look before, as the memory at
 * the same place may have changed, and the account must then compare it.
 *
 * One check is enough for both reads: the count of runs is read after them.
 */
void wall_memory_read(struct wall_memory *m, struct wall_look *look, const struct wall_look *before)
{
	struct wall_bytes tls = { 0 }, stack = { 0 };
	bool knows = knows_activity(m, look, before);

	if ((!m->tls_reader && !m->stack_reader) || look->moment != WALL_AT_PASS)
		return;
	if (look->same && before)
		wall_look_complete(look, before);
	look->same = false; /* its memory may have changed */
	look->stack = (struct wall_bytes){ 0 };
	if (!knows)
		look->tls = look->unknown = (struct wall_bytes){ 0 };
	if (m->tls_reader && !knows)
		tls = read_activity(m, look);
	if (m->stack_reader && stands_still(look) && look->nr_regs)
		stack = wall_stack_read(m->stack_reader, look->pid, look->sp);
	if ((!tls.size && !stack.size) || count_runs(m, look) != look->runs)
		return;
	if (tls.size)
		look->tls = tls;
	look->stack = stack;
}

/* False: no further try. */
static bool try_again(struct wall_memory *m, struct wall_account *account, struct later *later)
{
	const struct wall_look *known = wall_account_look(account, later->tid);
	struct sample_tls_plan plan;
	struct wall_bytes tls;

	if (!known || !stands_still(known) || known->tls.size)
		return false;
	if (!tls_source_plan(m->tls, known->pid, &plan))
		return --later->tries > 0;
	tls = wall_tls_read(m->tls_reader, known->pid, known->tp, &plan);
	if (tls.size && count_runs(m, known) == known->runs)
		wall_account_set_tls(account, later->tid, &tls);
	return false;
}

void wall_memory_read_late(struct wall_memory *m, struct wall_account *account)
{
	for (u32 i = m->later->len; i-- > 0;)
		if (!try_again(m, account, &g_array_index(m->later, struct later, i)))
			g_array_remove_index_fast(m->later, i);
}
