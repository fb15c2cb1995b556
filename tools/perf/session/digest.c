// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/digest.h"

#include <pthread.h>

#include "session/chained.h"
#include "session/private.h"

/* Number of samples that are processed together, to overlap cache misses. */
#define AHEAD 64u

/* Bytes of a block. */
#define BLOCK_SIZE (256u << 10)

/* Maximum number of finished digests per thread. */
#define WAITING 3u

struct reader {
	struct digester *digester;
	u32 number;
	u32 file;		 /* what follows is for it */
	struct gather *gather;	 /* NULL: no part has been read */
	struct chained *chained; /* NULL: chains are not asked for */
	struct chain_ends *ends; /* by file */
	u32 nr_where, nr_who;
	size_t kept_size; /* bytes of first samples outside of parts */
	GThread *thread;  /* NULL: the caller's */
};

/* The input of one digest: a part of a file, or a block. */
struct digest_task {
	u32 number; /* in the order of the files */
	u32 file;
	struct perfdata_part part;
	u64 position;		      /* of its end */
	struct perfdata_block *block; /* NULL: the part */
	GError *error;		      /* what follows the block cannot be read */
};

struct digester {
	const struct digest_file *files;
	u32 nr_files;
	struct reader *readers;
	u32 nr_readers;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct digest **made; /* by number, modulo nr_room; NULL: not yet */
	u32 nr_room;
	u32 claimed, taken; /* numbers */
	u32 file, part;	    /* the next task; for a file without parts, the number of its blocks */
	u64 position;	    /* in this file */
	bool ended;	    /* all are claimed */
	bool stop;

	struct digest *given; /* to the caller, until its next call */
};

static void digest_free(struct digest *d)
{
	if (!d)
		return;
	g_array_unref(d->wheres);
	g_array_unref(d->whos);
	g_array_unref(d->shares);
	g_clear_pointer(&d->kept, g_ptr_array_unref);
	g_clear_error(&d->error);
	g_free(d);
}

u32 digest_filter(const struct session *s, struct sample_head *samples, u32 nr)
{
	bool none = filter_drops_none(s->filter);
	u32 left = 0;

	while (none && left < nr && samples[left].evsel)
		left++;
	for (u32 i = left; i < nr; i++)
		if (session_counts_head(s, &samples[i]))
			samples[left++] = samples[i];
	return left;
}

/* @sample, where it lies in a block that goes. */
static struct digest_first keep(struct reader *r, const struct sample_head *sample,
				struct digest *to)
{
	void *copy = g_memdup2(sample->raw, sample->raw->size);

	g_ptr_array_add(to->kept, copy);
	r->kept_size += sample->raw->size;
	return (struct digest_first){ copy, sample->foff };
}

static void add_firsts(struct reader *r, const struct sample_head *sample, struct gathered g,
		       bool goes, struct digest *to)
{
	bool where = g.where == r->nr_where, who = g.who == r->nr_who;
	struct digest_first first = { sample->raw, sample->foff };

	if (!where && !who)
		return;
	if (goes)
		first = keep(r, sample, to);
	if (where)
		g_array_append_val(to->wheres, first);
	if (who)
		g_array_append_val(to->whos, first);
	r->nr_where += where;
	r->nr_who += who;
}

static void add_samples(struct reader *r, struct sample_head *samples, u32 nr, bool goes,
			struct digest *to)
{
	struct gathered gathered[AHEAD];

	if (r->chained)
		chained_heads(r->chained, samples, nr);
	gather_take(r->gather, samples, nr, gathered);
	for (u32 i = 0; i < nr; i++) {
		struct session_share share = { gathered[i].where, gathered[i].who,
					       samples[i].period };

		add_firsts(r, &samples[i], gathered[i], goes, to);
		g_array_append_val(to->shares, share);
	}
}

static void leave_file(struct reader *r)
{
	gather_free(r->gather);
	chained_free(r->chained);
	r->gather = NULL;
	r->chained = NULL;
}

static void begin_file(struct reader *r, u32 number)
{
	const struct digest_file *file = &r->digester->files[number];
	struct session *s = file->session;

	leave_file(r);
	r->file = number;
	r->nr_where = r->nr_who = 0;
	r->kept_size = 0;
	r->gather = gather_new(s->machine, s->activities, &file->options);
	if (file->options.chains && chained_asked(s))
		r->chained = chained_new(s, &r->ends[number]);
}

static void digest_part(struct reader *r, struct perfdata_part part, bool goes, struct digest *d)
{
	const struct session *s = r->digester->files[d->file].session;
	struct sample_head heads[AHEAD];
	int got;

	while ((got = perfdata_heads(s->pd, &part, heads, AHEAD, &d->error)) > 0)
		add_samples(r, heads, digest_filter(s, heads, (u32)got), goes, d);
}

static void digest_block(struct reader *r, struct digest_task *task, struct digest *d)
{
	const GArray *parts = task->block->parts;

	for (u32 i = 0; i < parts->len && !d->error; i++)
		digest_part(r, g_array_index(parts, struct perfdata_part, i), true, d);
	if (!d->error)
		d->error = g_steal_pointer(&task->error);
	g_clear_error(&task->error);
	perfdata_block_free(task->block);
}

static struct digest *digest_new(struct reader *r, const struct digest_task *task)
{
	struct digest *d = g_new0(struct digest, 1);

	d->file = task->file;
	d->reader = r->number;
	d->part = task->part;
	d->position = task->position;
	d->wheres = g_array_new(FALSE, FALSE, sizeof(struct digest_first));
	d->whos = g_array_new(FALSE, FALSE, sizeof(struct digest_first));
	d->kept = g_ptr_array_new_with_free_func(g_free);
	d->shares = g_array_new(FALSE, FALSE, sizeof(struct session_share));
	return d;
}

static bool has_enough(const struct reader *r)
{
	size_t most = session_numbers_size(r->digester->files[r->file].session);

	return gather_size(r->gather) + r->kept_size > most / r->digester->nr_readers;
}

static struct digest *do_task(struct reader *r, struct digest_task *task)
{
	struct digest *d = digest_new(r, task);

	if (!r->gather || r->file != task->file) {
		begin_file(r, task->file);
		d->anew = true;
	} else if (has_enough(r)) {
		gather_empty(r->gather);
		r->nr_where = r->nr_who = 0;
		r->kept_size = 0;
		d->anew = true;
	}
	if (task->block)
		digest_block(r, task, d);
	else
		digest_part(r, task->part, false, d);
	return d;
}

/* The next block of the present file, which has no parts; false: none. */
static bool next_block(struct digester *d, struct digest_task *task)
{
	struct session *s = d->files[d->file].session;
	int got = d->part || session_start_pass(s, PERFDATA_WANT_EVERY_RAW, &task->error);

	task->block = perfdata_block_new();
	if (got > 0)
		got = perfdata_next_block(s->pd, s->options.part_size ?: BLOCK_SIZE, task->block,
					  &task->error);
	task->position = perfdata_position(s->pd);
	d->part++;
	if (task->error)
		d->file = d->nr_files; /* nothing behind it is read */
	if (task->block->parts->len || task->error)
		return true;
	g_clear_pointer(&task->block, perfdata_block_free);
	return got > 0;
}

/* With the lock held: the next task in the order of the files; false: none. */
static bool next_task(struct digester *d, struct digest_task *task)
{
	for (; d->file < d->nr_files; d->file++, d->part = 0, d->position = 0) {
		const GArray *parts = d->files[d->file].parts;

		*task = (struct digest_task){ .number = d->claimed, .file = d->file };
		if (!parts && next_block(d, task))
			return true;
		if (!parts || d->part == parts->len)
			continue;
		task->part = g_array_index(parts, struct perfdata_part, d->part++);
		d->position += (u64)(task->part.to - task->part.from);
		task->position = d->position;
		return true;
	}
	return false;
}

/* With the lock held: false if there is nothing to do now. */
static bool claim(struct digester *d, struct digest_task *task)
{
	if (d->stop || d->ended || d->claimed == d->taken + d->nr_room)
		return false;
	if (next_task(d, task)) {
		d->claimed++;
		return true;
	}
	d->ended = true;
	pthread_cond_broadcast(&d->changed);
	return false;
}

/* Called with the lock, and releases it meanwhile. */
static void make(struct reader *r, struct digest_task *task)
{
	struct digester *d = r->digester;
	struct digest *made;

	pthread_mutex_unlock(&d->lock);
	made = do_task(r, task);
	pthread_mutex_lock(&d->lock);
	d->made[task->number % d->nr_room] = made;
	pthread_cond_broadcast(&d->changed);
}

static gpointer run(gpointer arg)
{
	struct reader *r = arg;
	struct digester *d = r->digester;
	struct digest_task task;

	pthread_mutex_lock(&d->lock);
	while (!d->stop && !d->ended) {
		if (claim(d, &task))
			make(r, &task);
		else if (!d->ended)
			pthread_cond_wait(&d->changed, &d->lock);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

/* The number of readers that can have work. */
static u32 useful_readers(const struct digest_file *files, u32 nr_files, u32 nr_threads)
{
	u32 nr_parts = 0;

	for (u32 i = 0; i < nr_files; i++) {
		if (!files[i].parts)
			return nr_threads;
		nr_parts += files[i].parts->len;
	}
	return MIN(nr_threads, nr_parts);
}

struct digester *digester_new(const struct digest_file *files, u32 nr_files, u32 nr_threads)
{
	struct digester *d = g_new0(struct digester, 1);

	d->files = files;
	d->nr_files = nr_files;
	d->nr_readers = useful_readers(files, nr_files, nr_threads);
	d->nr_room = d->nr_readers * WAITING;
	d->readers = g_new0(struct reader, d->nr_readers);
	d->made = g_new0(struct digest *, d->nr_room);
	pthread_mutex_init(&d->lock, NULL);
	pthread_cond_init(&d->changed, NULL);
	for (u32 i = 0; i < d->nr_readers; i++)
		d->readers[i] = (struct reader){ .digester = d,
						 .number = i,
						 .ends = g_new0(struct chain_ends, nr_files) };
	/*
	 * The first reader belongs to the caller's thread, which does all the work if no other can be started.
	 */
	for (u32 i = 1; i < d->nr_readers; i++)
		d->readers[i].thread = g_thread_try_new("reader", run, &d->readers[i], NULL);
	return d;
}

void digester_free(struct digester *d)
{
	pthread_mutex_lock(&d->lock);
	d->stop = true;
	pthread_cond_broadcast(&d->changed);
	pthread_mutex_unlock(&d->lock);
	for (u32 i = 0; i < d->nr_readers; i++) {
		if (d->readers[i].thread)
			g_thread_join(d->readers[i].thread);
		leave_file(&d->readers[i]);
		g_free(d->readers[i].ends);
	}
	for (u32 i = 0; i < d->nr_room; i++)
		digest_free(d->made[i]);
	digest_free(d->given);
	pthread_mutex_destroy(&d->lock);
	pthread_cond_destroy(&d->changed);
	g_free(d->made);
	g_free(d->readers);
	g_free(d);
}

void digester_add_ends(const struct digester *d, u32 file, struct chain_ends *ends)
{
	for (u32 i = 0; i < d->nr_readers; i++)
		chain_ends_merge(ends, &d->readers[i].ends[file]);
}

u32 digester_nr_readers(const struct digester *d)
{
	return d->nr_readers;
}

struct digest *digester_next(struct digester *d, GError **error)
{
	struct digest **next = NULL;
	struct digest_task task;

	g_clear_pointer(&d->given, digest_free);
	pthread_mutex_lock(&d->lock);
	next = &d->made[d->taken % d->nr_room];
	while (!*next && !(d->ended && d->taken == d->claimed)) {
		if (claim(d, &task))
			make(&d->readers[0], &task);
		else if (!(d->ended && d->taken == d->claimed))
			pthread_cond_wait(&d->changed, &d->lock);
	}
	if (*next) {
		d->given = g_steal_pointer(next);
		d->taken++;
		pthread_cond_broadcast(&d->changed);
	}
	pthread_mutex_unlock(&d->lock);
	if (d->given && d->given->error) {
		g_propagate_error(error, g_steal_pointer(&d->given->error));
		return NULL;
	}
	return d->given;
}
