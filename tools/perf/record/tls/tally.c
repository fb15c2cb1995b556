// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A ring buffer of the last samples, so that a late fact can correct their counts.
 *
 *	log:  ... | sample 5, pid 7, before: 2 | sample 6, pid 8, before: 4 | sample 7, pid 7, before: 5 |
 *	                   ^------------------------------------------------------------+
 *	chains: pid 7 -> sample 7, pid 8 -> sample 6
 *
 * Example: samples 5 and 7 were counted as "not looked up yet". Then a layout record says that the
 * variable was there from before sample 7 on. The chain of pid 7 is followed back: 7 is counted
 * again as "ok", and at 5 the walk ends, as it is older than the fact by more than DISORDER_NS.
 *
 * Positions only grow and are never 0, so "before" is an absolute position: a sample that was
 * overwritten is recognized by its position below begin. Then the counts may differ from a
 * report's, and the closing line says so.
 *
 * Any thread may call, so there is a lock.
 */
#include "record/tls/tally.h"

#include <pthread.h>
#include <string.h>

#include "activity/label_ids.h"

/*
 * Samples arrive ring by ring, so a sample can arrive before an older one of the same process. The
 * difference in age is at most this.
 */
#define DISORDER_NS 2000000000ull

/* The kept samples are in one ring buffer. The samples of each process form a linked list. */
struct kept {
	u64 before;	 /* position of the process's previous sample; 0: none */
	u64 before_time; /* time of the previous sample, also after that was dropped */
	u64 time;
	u64 dyn_size;
	u32 size, pid;
	u32 state; /* the state it is counted under */
	u32 absent;
};

struct newest {
	u64 at, time;
};

struct tls_tally {
	pthread_mutex_t lock;
	struct activity_history *history;
	struct tls_tally_counts counts;
	GHashTable *chains; /* pid -> struct newest: its newest kept sample */
	u8 *log;
	size_t log_size;
	/* range of kept samples. Positions only grow; index in @log: position % log_size */
	u64 begin, end;
};

struct tls_tally *tls_tally_new(size_t log_size)
{
	struct tls_tally *t = g_new0(struct tls_tally, 1);

	pthread_mutex_init(&t->lock, NULL);
	t->history = activity_history_new();
	t->chains = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	t->log_size = log_size ? log_size : TLS_TALLY_LOG;
	t->log = g_malloc(t->log_size);
	t->begin = t->end = t->log_size; /* position 0 means "none" */
	return t;
}

void tls_tally_free(struct tls_tally *t)
{
	if (!t)
		return;
	activity_history_free(t->history);
	g_hash_table_destroy(t->chains);
	pthread_mutex_destroy(&t->lock);
	g_free(t->log);
	g_free(t);
}

static enum activity_state state_of(const struct tls_tally *t, u32 pid, u64 time,
				    const struct activity_bytes *bytes)
{
	struct activity activity;

	activity_history_find(t->history, pid, time, bytes, NULL, &activity);
	activity_take_label_ids(&activity, &(struct activity_id_names){ 0 });
	if (cpu_context_interrupts(activity_cpu_context(bytes->data, bytes->size, bytes->dyn_size)))
		activity_interrupt(&activity);
	return activity.state;
}

static u8 *at_position(const struct tls_tally *t, u64 position)
{
	return t->log + position % t->log_size;
}

/*
 * Makes contiguous room for @size bytes at the end. Drops the oldest samples.
 *
 * A sample is not split at the end of the log: the rest stays unused, and the sample begins at
 * index 0. begin may then be in the middle of an old sample. That sample is dropped, as its
 * position is below begin.
 */
static void make_room(struct tls_tally *t, size_t size)
{
	u64 left = t->log_size - t->end % t->log_size;

	if (left < size)
		t->end += left;
	if (t->end + size > t->begin + t->log_size)
		t->begin = t->end + size - t->log_size;
}

static void keep(struct tls_tally *t, const struct tls_joined *sample, enum activity_state state)
{
	struct newest *newest = g_hash_table_lookup(t->chains, GUINT_TO_POINTER(sample->pid));
	struct kept kept = {
		.time = sample->time,
		.dyn_size = sample->dyn_size,
		.size = (u32)sample->size,
		.pid = sample->pid,
		.state = state,
		.absent = sample->absent,
	};
	size_t size = ALIGN_UP(sizeof(kept) + kept.size, sizeof(u64));

	if (size > t->log_size)
		return;
	if (!newest) {
		newest = g_new0(struct newest, 1);
		g_hash_table_insert(t->chains, GUINT_TO_POINTER(sample->pid), newest);
	}
	make_room(t, size);
	kept.before = newest->at;
	kept.before_time = newest->time;
	memcpy(at_position(t, t->end), &kept, sizeof(kept));
	if (kept.size)
		memcpy(at_position(t, t->end) + sizeof(kept), sample->data, kept.size);
	newest->at = t->end;
	newest->time = sample->time;
	t->end += size;
}

void tls_tally_sample(struct tls_tally *t, const struct tls_joined *sample)
{
	const struct activity_bytes bytes = { sample->data, sample->size, sample->dyn_size,
					      sample->absent };
	enum activity_state state;

	pthread_mutex_lock(&t->lock);
	state = state_of(t, sample->pid, sample->time, &bytes);
	t->counts.states[state]++;
	keep(t, sample, state);
	pthread_mutex_unlock(&t->lock);
}

/* Counts the sample at @position again, under its present state. */
static void count_again(struct tls_tally *t, u64 position, struct kept *kept)
{
	const struct activity_bytes bytes = { at_position(t, position) + sizeof(*kept), kept->size,
					      kept->dyn_size, kept->absent };
	enum activity_state state = state_of(t, kept->pid, kept->time, &bytes);

	t->counts.states[kept->state]--;
	t->counts.states[state]++;
	kept->state = state;
	memcpy(at_position(t, position), kept, sizeof(*kept));
}

/*
 * The chain goes from newer to older samples, and nearly in the order of time: rings are read one
 * after the other, so a sample may come after a newer one. So the walk ends only at DISORDER_NS
 * before the change.
 */
void tls_tally_change(struct tls_tally *t, const struct activity_change *change)
{
	const struct newest *newest;
	struct kept kept;
	u64 at, time;

	pthread_mutex_lock(&t->lock);
	activity_history_apply(t->history, change);
	newest = g_hash_table_lookup(t->chains, GUINT_TO_POINTER(change->pid));
	at = newest ? newest->at : 0;
	time = newest ? newest->time : 0;
	while (at && time + DISORDER_NS >= change->time) {
		if (at < t->begin) {
			t->counts.uncertain = true;
			break;
		}
		memcpy(&kept, at_position(t, at), sizeof(kept));
		if (kept.time >= change->time)
			count_again(t, at, &kept);
		at = kept.before;
		time = kept.before_time;
	}
	pthread_mutex_unlock(&t->lock);
}

struct tls_tally_counts tls_tally_counts(struct tls_tally *t)
{
	struct tls_tally_counts counts;

	pthread_mutex_lock(&t->lock);
	counts = t->counts;
	pthread_mutex_unlock(&t->lock);
	return counts;
}

bool tls_tally_has(const struct tls_tally *t, u32 pid)
{
	return g_hash_table_contains(t->chains, GUINT_TO_POINTER(pid));
}
