// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/digest.h"

#include "base/relay.h"
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
};

/* A slot of the relay: the input of one digest, a part of a file or a block, and the digest. */
struct digest_task {
	u32 file;
	struct perfdata_part part;
	u64 position;		      /* of its end */
	struct perfdata_block *block; /* NULL: the part */
	GError *error;		      /* what follows the block cannot be read */
	struct digest *made;
};

struct digester {
	const struct digest_file *files;
	u32 nr_files;
	struct reader *readers;
	u32 nr_readers;

	struct relay *relay;
	struct digest_task *tasks; /* its slots */
	u32 nr_tasks;
	/* For next_task(), one thread at a time. */
	u32 file, part; /* the next task; for a file without parts, the number of its blocks */
	u64 position;	/* in this file */

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
	r->gather = gather_new(s->file->machine, s->file->activities, &file->options);
	if (file->options.chains && chained_asked(s))
		r->chained = chained_new(s, &r->ends[number]);
}

static void digest_part(struct reader *r, struct perfdata_part part, bool goes, struct digest *d)
{
	const struct session *s = r->digester->files[d->file].session;
	struct sample_head heads[AHEAD];
	int got;

	while ((got = perfdata_heads(s->file->pd, &part, heads, AHEAD, &d->error)) > 0)
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

static void make_digest(void *arg, u32 worker, void *slot)
{
	struct reader *r = &((struct digester *)arg)->readers[worker];
	struct digest_task *task = slot;
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
	task->made = d;
}

/* The next block of the present file, which has no parts; false: none. */
static bool next_block(struct digester *d, struct digest_task *task)
{
	struct session *s = d->files[d->file].session;
	int got = d->part || session_start_pass(s, PERFDATA_WANT_EVERY_RAW, &task->error);

	task->block = perfdata_block_new();
	if (got > 0)
		got = perfdata_next_block(s->file->pd, s->options.part_size ?: BLOCK_SIZE,
					  task->block, &task->error);
	task->position = perfdata_position(s->file->pd);
	d->part++;
	if (task->error)
		d->file = d->nr_files; /* nothing behind it is read */
	if (task->block->parts->len || task->error)
		return true;
	g_clear_pointer(&task->block, perfdata_block_free);
	return got > 0;
}

/* The next task in the order of the files; false: none. */
static bool next_task(void *arg, void *slot)
{
	struct digester *d = arg;
	struct digest_task *task = slot;

	for (; d->file < d->nr_files; d->file++, d->part = 0, d->position = 0) {
		const GArray *parts = d->files[d->file].parts;

		*task = (struct digest_task){ .file = d->file };
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
	static const struct relay_ops ops = { .next = next_task, .make = make_digest };
	struct digester *d = g_new0(struct digester, 1);

	d->files = files;
	d->nr_files = nr_files;
	d->nr_readers = useful_readers(files, nr_files, nr_threads);
	d->nr_tasks = d->nr_readers * WAITING;
	d->tasks = g_new0(struct digest_task, d->nr_tasks);
	d->readers = g_new0(struct reader, d->nr_readers);
	for (u32 i = 0; i < d->nr_readers; i++)
		d->readers[i] = (struct reader){ .digester = d,
						 .number = i,
						 .ends = g_new0(struct chain_ends, nr_files) };
	d->relay = relay_new(&ops, d, d->tasks, sizeof(*d->tasks), d->nr_tasks, d->nr_readers);
	return d;
}

void digester_free(struct digester *d)
{
	relay_free(d->relay);
	for (u32 i = 0; i < d->nr_readers; i++) {
		leave_file(&d->readers[i]);
		g_free(d->readers[i].ends);
	}
	for (u32 i = 0; i < d->nr_tasks; i++)
		digest_free(d->tasks[i].made);
	digest_free(d->given);
	g_free(d->tasks);
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
	struct digest_task *task;

	g_clear_pointer(&d->given, digest_free);
	task = relay_take(d->relay, true);
	if (!task)
		return NULL;
	d->given = g_steal_pointer(&task->made);
	relay_release(d->relay);
	if (d->given->error) {
		g_propagate_error(error, g_steal_pointer(&d->given->error));
		return NULL;
	}
	return d->given;
}
