// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The thread that measures where samples land (perfevent/slow_loop.h), and how long the recording
 * waits for it.
 *
 *	enable()	the thread starts, if a kind of event is not known yet
 *	describe()	notes of kinds that are known already: kept from an earlier recording
 *	conclude()	notes of kinds that became known since
 *	disable()	waits up to SKID_PATIENCE_MS, then tells the thread to stop
 *
 * One lock protects the tables: the main thread describes and ends, the collector's thread
 * concludes, the measuring thread fills in. stop is atomic, as the loop reads it without the lock.
 *
 * An aborted measurement may be good enough for a note (20 samples), but is not kept: later
 * recordings shall have a whole one.
 */
#include "record/skid_source.h"

#include <string.h>

#include "perfdata/evsel.h"
#include "perfevent/slow_loop.h"
#include "record/base/options.h"
#include "record/skid_kept.h"

struct skid_source {
	struct source source;
	const struct record_options *opts;
	const struct kernel_paths *paths;
	char *machine; /* skid_kept_machine() */
	GThread *thread;
	gint stop;

	GMutex lock; /* protects what follows */
	GCond is_over;
	bool over; /* the thread measures no more */
	bool wanted[NR_SKID_KINDS], known[NR_SKID_KINDS], told[NR_SKID_KINDS];
	struct skid_measure measures[NR_SKID_KINDS];
};

static struct skid_source *skid_source(struct source *src)
{
	return container_of(src, struct skid_source, source);
}

/* The lock is held. */
static void tell(struct skid_source *s, struct perfdata_info *info)
{
	for (enum skid_kind kind = 0; kind < NR_SKID_KINDS; kind++) {
		if (!s->known[kind] || s->told[kind])
			continue;
		perfdata_skid_add(info, kind, &s->measures[kind]);
		s->told[kind] = true;
	}
}

static void describe(struct source *src, struct evsel *const *evsels, u32 nr,
		     struct perfdata_info *info)
{
	struct skid_source *s = skid_source(src);

	if (!s->machine)
		s->machine = skid_kept_machine(info);
	g_mutex_lock(&s->lock);
	for (u32 i = 0; i < nr; i++) {
		enum skid_kind kind = skid_kind_of(evsels[i]);

		if (kind == SKID_NO_KIND || s->known[kind])
			continue;
		s->known[kind] = skid_kept_find(s->machine, kind, &s->measures[kind]);
		s->wanted[kind] = !s->known[kind];
	}
	memset(s->told, 0, sizeof(s->told)); /* @info is a new one */
	tell(s, info);
	g_mutex_unlock(&s->lock);
}

/* The next kind to measure from @kind on. */
static enum skid_kind next_wanted(struct skid_source *s, enum skid_kind kind)
{
	g_mutex_lock(&s->lock);
	while (kind < NR_SKID_KINDS && (!s->wanted[kind] || s->known[kind]))
		kind++;
	g_mutex_unlock(&s->lock);
	return kind;
}

static void measure(struct skid_source *s, enum skid_kind kind)
{
	struct skid_measure m;

	if (!slow_loop_measure(kind, s->paths, &s->stop, &m, NULL) ||
	    skid_measure_place(&m) == SKID_UNKNOWN)
		return;
	if (!g_atomic_int_get(&s->stop))
		skid_kept_put(s->machine, kind, &m);
	g_mutex_lock(&s->lock);
	s->measures[kind] = m;
	s->known[kind] = true;
	g_mutex_unlock(&s->lock);
}

static void *measure_all(void *arg)
{
	struct skid_source *s = arg;

	for (enum skid_kind kind = 0; (kind = next_wanted(s, kind)) < NR_SKID_KINDS; kind++)
		measure(s, kind);
	g_mutex_lock(&s->lock);
	s->over = true;
	g_cond_signal(&s->is_over);
	g_mutex_unlock(&s->lock);
	return NULL;
}

/* A recording without this thread is as good, except for the note. */
static bool enable(struct source *src, GError **error)
{
	struct skid_source *s = skid_source(src);

	if (s->thread || !s->opts->skid_measured || next_wanted(s, 0) == NR_SKID_KINDS)
		return true;
	s->over = false;
	g_atomic_int_set(&s->stop, 0);
	s->thread = g_thread_try_new("perf-skid", measure_all, s, NULL);
	return true;
}

/* Waits until @until (monotonic clock, us) for the measurement. */
static void end_thread(struct skid_source *s, gint64 until)
{
	if (!s->thread)
		return;
	g_mutex_lock(&s->lock);
	while (!s->over && g_cond_wait_until(&s->is_over, &s->lock, until))
		;
	g_mutex_unlock(&s->lock);
	g_atomic_int_set(&s->stop, 1);
	g_thread_join(g_steal_pointer(&s->thread));
}

static bool disable(struct source *src, GError **error)
{
	end_thread(skid_source(src), g_get_monotonic_time() + SKID_PATIENCE_MS * 1000);
	return true;
}

static void conclude(struct source *src, struct perfdata_info *info)
{
	struct skid_source *s = skid_source(src);

	g_mutex_lock(&s->lock);
	tell(s, info);
	g_mutex_unlock(&s->lock);
}

static void close_source(struct source *src)
{
	struct skid_source *s = skid_source(src);

	end_thread(s, 0);
	g_mutex_clear(&s->lock);
	g_cond_clear(&s->is_over);
	g_free(s->machine);
	g_free(s);
}

struct source *skid_source_new(const struct record_options *opts, const struct kernel_paths *paths)
{
	static const struct source_ops ops = {
		.name = "skid",
		.describe = describe,
		.enable = enable,
		.disable = disable,
		.conclude = conclude,
		.close = close_source,
	};
	struct skid_source *s = g_new0(struct skid_source, 1);

	s->source.ops = &ops;
	s->opts = opts;
	s->paths = paths;
	g_mutex_init(&s->lock);
	g_cond_init(&s->is_over);
	return &s->source;
}
