// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/digest.h"

#include <pthread.h>

#include "session/chained.h"
#include "session/private.h"

/* Samples that are looked at side by side. */
#define AHEAD 64u

/* Digests that may wait to be taken, for each thread. */
#define WAITING 3u

/* Bytes of numbers that all readers together keep of what they have seen. */
#define MOST_BYTES (128ull << 20)

struct reader {
	struct digester *digester;
	u32 number;
	u32 file;		 /* what follows is for it */
	struct gather *gather;	 /* NULL: no part has been read */
	struct chained *chained; /* NULL: chains are not asked for */
	struct chain_ends *ends; /* by file */
	u32 nr_where, nr_who;
	GThread *thread; /* NULL: the caller's */
};

/* Of a file. */
struct file_part {
	u32 file;
	struct perfdata_part part;
};

struct digester {
	const struct digest_file *files;
	u32 nr_files;
	GArray *parts; /* struct file_part */
	struct reader *readers;
	u32 nr_readers;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct digest **made; /* by part; NULL: not yet */
	u32 next_part, taken;
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
		if (samples[i].evsel && !filter_drops(s->filter, samples[i].time, samples[i].cpu))
			samples[left++] = samples[i];
	return left;
}

static void add_samples(struct reader *r, struct sample_head *samples, u32 nr, struct digest *to)
{
	struct gathered gathered[AHEAD];

	if (r->chained)
		chained_heads(r->chained, samples, nr);
	gather_take(r->gather, samples, nr, gathered);
	for (u32 i = 0; i < nr; i++) {
		struct digest_first first = { samples[i].raw, samples[i].foff };
		struct session_share share = { gathered[i].where, gathered[i].who,
					       samples[i].period };

		if (share.where == r->nr_where) {
			g_array_append_val(to->wheres, first);
			r->nr_where++;
		}
		if (share.who == r->nr_who) {
			g_array_append_val(to->whos, first);
			r->nr_who++;
		}
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
	r->gather = gather_new(s->machine, s->activities, &file->options);
	if (file->options.chains && chained_asked(s))
		r->chained = chained_new(s, &r->ends[number]);
}

static struct digest *digest_part(struct reader *r, u32 file, struct perfdata_part part)
{
	const struct session *s = r->digester->files[file].session;
	struct digest *d = g_new0(struct digest, 1);
	struct sample_head heads[AHEAD];
	int got;

	d->file = file;
	d->reader = r->number;
	d->part = part;
	d->wheres = g_array_new(FALSE, FALSE, sizeof(struct digest_first));
	d->whos = g_array_new(FALSE, FALSE, sizeof(struct digest_first));
	d->shares = g_array_new(FALSE, FALSE, sizeof(struct session_share));
	if (!r->gather || r->file != file) {
		begin_file(r, file);
		d->anew = true;
	} else if (gather_size(r->gather) > MOST_BYTES / r->digester->nr_readers) {
		gather_empty(r->gather);
		r->nr_where = r->nr_who = 0;
		d->anew = true;
	}
	while ((got = perfdata_heads(s->pd, &part, heads, AHEAD, &d->error)) > 0)
		add_samples(r, heads, digest_filter(s, heads, (u32)got), d);
	return d;
}

/* With the lock held: the number of a part to read, or one past the last. */
static u32 claim(struct digester *d)
{
	if (d->stop || d->next_part == d->parts->len ||
	    d->next_part >= d->taken + d->nr_readers * WAITING)
		return d->parts->len;
	return d->next_part++;
}

/* With the lock held, which is given away meanwhile. */
static void make(struct reader *r, u32 part)
{
	struct digester *d = r->digester;
	const struct file_part *p = &g_array_index(d->parts, struct file_part, part);
	struct digest *made;

	pthread_mutex_unlock(&d->lock);
	made = digest_part(r, p->file, p->part);
	pthread_mutex_lock(&d->lock);
	d->made[part] = made;
	pthread_cond_broadcast(&d->changed);
}

static gpointer run(gpointer arg)
{
	struct reader *r = arg;
	struct digester *d = r->digester;

	pthread_mutex_lock(&d->lock);
	while (!d->stop && d->next_part < d->parts->len) {
		u32 part = claim(d);

		if (part < d->parts->len)
			make(r, part);
		else
			pthread_cond_wait(&d->changed, &d->lock);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

static GArray *parts_of(const struct digest_file *files, u32 nr_files)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct file_part));

	for (u32 i = 0; i < nr_files; i++)
		for (u32 j = 0; j < files[i].parts->len; j++) {
			struct file_part part = { i, g_array_index(files[i].parts,
								   struct perfdata_part, j) };

			g_array_append_val(all, part);
		}
	return all;
}

struct digester *digester_new(const struct digest_file *files, u32 nr_files, u32 nr_threads)
{
	struct digester *d = g_new0(struct digester, 1);

	d->files = files;
	d->nr_files = nr_files;
	d->parts = parts_of(files, nr_files);
	d->nr_readers = MIN(nr_threads, d->parts->len);
	d->readers = g_new0(struct reader, d->nr_readers);
	d->made = g_new0(struct digest *, d->parts->len);
	pthread_mutex_init(&d->lock, NULL);
	pthread_cond_init(&d->changed, NULL);
	for (u32 i = 0; i < d->nr_readers; i++)
		d->readers[i] = (struct reader){ .digester = d,
						 .number = i,
						 .ends = g_new0(struct chain_ends, nr_files) };
	/* The first one is for the caller's thread, which does all where no other can be started. */
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
	for (u32 i = 0; i < d->parts->len; i++)
		digest_free(d->made[i]);
	digest_free(d->given);
	pthread_mutex_destroy(&d->lock);
	pthread_cond_destroy(&d->changed);
	g_array_unref(d->parts);
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
	g_clear_pointer(&d->given, digest_free);
	pthread_mutex_lock(&d->lock);
	while (d->taken < d->parts->len && !d->made[d->taken]) {
		u32 part = claim(d);

		if (part < d->parts->len)
			make(&d->readers[0], part);
		else
			pthread_cond_wait(&d->changed, &d->lock);
	}
	if (d->taken < d->parts->len) {
		d->given = g_steal_pointer(&d->made[d->taken++]);
		pthread_cond_broadcast(&d->changed);
	}
	pthread_mutex_unlock(&d->lock);
	if (d->given && d->given->error) {
		g_propagate_error(error, g_steal_pointer(&d->given->error));
		return NULL;
	}
	return d->given;
}
