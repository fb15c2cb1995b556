// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pass in which samples that are alike (gather.h) are resolved once.
 *
 * Files that have parts are read by several threads: each gives numbers of its own to the samples of
 * one part after the other (digest.h), and this thread, in the order of the files, finds out what
 * its own numbers for these are. So what the feed is told does not depend on how many threads there
 * are. Any other file is read here, record by record.
 */
#include <string.h>

#include "base/progress.h"
#include "perfdata/evsel.h"
#include "perfdata/read/samples.h"
#include "session/chained.h"
#include "session/digest.h"
#include "session/gather.h"
#include "session/private.h"

/* What a place asks for that two samples need not have in common. */
#define NEED_EACH (NEED_SAMPLE | NEED_ADDR | NEED_BRANCH | NEED_TRACE | NEED_PARALLELISM)

/* Samples that are looked at side by side. */
#define AHEAD 16u

/* Bytes of numbers that are kept of what was seen. */
#define MOST_BYTES (128ull << 20)

#define PART_SIZE (1u << 20)

struct feeding {
	struct session *session;
	struct session_feed *feed;
	struct gather *gather;	 /* NULL: before and after its samples are taken */
	struct chained *chained; /* NULL: chains are not asked for */
	struct chain_ends ends, ends_before;
	struct progress progress;
	struct gather_options options;
	GArray *parts; /* struct perfdata_part */
	bool has_parts;
	u32 needs;
	u32 first_where, first_who; /* of this file: those before are of others */
	u32 nr_where, nr_who;	    /* that the feed was told of */
	u32 generation;		    /* from 1: how often numbers began anew */
};

bool session_can_feed(struct session *s, u32 needs)
{
	for (u32 i = 0; i < session_nr_files(s); i++) {
		const struct session *file = session_file(s, i);

		if ((needs | filter_needs(file->filter)) & NEED_EACH ||
		    perfdata_is_pipe(file->pd) || file->options.resolver.ignored_callees ||
		    perfdata_evsels(file->pd)->len > UINT16_MAX)
			return false;
	}
	return true;
}

static bool tell_new(struct feeding *f, const struct sample_head *sample,
		     const struct gathered *new, GError **error)
{
	bool where = new->where >= f->nr_where, who = new->who >= f->nr_who;
	struct activity activity;
	struct place place;
	struct event event;
	u32 filtered;

	if (!where && !who)
		return true;
	if (!perfdata_decode(f->session->pd, sample->raw, sample->foff, &event, error))
		return false;
	filtered = session_place(f->session, &event, f->needs, &place, &activity);
	f->nr_where += where;
	f->nr_who += who;
	if (where)
		f->feed->where(f->feed, &place, filtered);
	if (who)
		f->feed->who(f->feed, &place);
	return true;
}

/* Numbers for @samples, of which the feed has been told. */
static bool number(struct feeding *f, struct sample_head *samples, u32 nr, struct gathered *out,
		   GError **error)
{
	if (f->chained)
		chained_heads(f->chained, samples, nr);
	gather_take(f->gather, samples, nr, out);
	for (u32 i = 0; i < nr; i++) {
		if (!tell_new(f, &samples[i], &out[i], error))
			return false;
		out[i].where += f->first_where;
		out[i].who += f->first_who;
	}
	return true;
}

static bool take_samples(struct feeding *f, struct sample_head *samples, u32 nr, GError **error)
{
	struct gathered gathered[AHEAD];
	struct session_share shares[AHEAD];

	if (!number(f, samples, nr, gathered, error))
		return false;
	for (u32 i = 0; i < nr; i++)
		shares[i] = (struct session_share){ gathered[i].where, gathered[i].who,
						    samples[i].period };
	f->feed->add(f->feed, shares, nr);
	return true;
}

static void begin_anew(struct feeding *f)
{
	gather_empty(f->gather);
	f->feed->forget(f->feed);
	f->first_where = f->first_who = f->nr_where = f->nr_who = 0;
	f->generation++;
}

/* What is given out may be gone with the next record. */
static bool read_records(struct feeding *f, GError **error)
{
	struct perfdata *pd = f->session->pd;
	struct sample_head head;
	struct event ev;
	int got;

	while ((got = perfdata_next(pd, &ev, error)) > 0) {
		progress_step(&f->progress, perfdata_position(pd));
		if (session_is_stopped(&f->progress, error))
			return false;
		if (ev.type != PERF_RECORD_SAMPLE || !session_counts_sample(f->session, &ev))
			continue;
		sample_head_of(&ev, &head);
		if (!take_samples(f, &head, 1, error))
			return false;
		if (gather_size(f->gather) > MOST_BYTES)
			begin_anew(f);
	}
	return got == 0;
}

/* By a reader's numbers: what they stand for, and this thread's numbers for the same. */
struct translations {
	GArray *firsts; /* struct digest_first */
	GArray *mine;	/* u32, +1; 0: not known yet. Apart, since each sample asks for it */
};

struct reader_numbers {
	struct translations wheres, whos;
	u32 generation; /* of feeding.generation: mine are good */
};

static void forget_mine(struct translations *t)
{
	if (t->mine->len)
		memset(t->mine->data, 0, t->mine->len * sizeof(u32));
}

static void add_numbers(struct translations *known, const GArray *new)
{
	g_array_append_vals(known->firsts, new->data, new->len);
	g_array_set_size(known->mine, known->firsts->len);
}

static bool find_mine(struct feeding *f, struct translations *t, u32 theirs, bool who,
		      GError **error)
{
	const struct digest_first *first = &g_array_index(t->firsts, struct digest_first, theirs);
	struct sample_head head;
	struct gathered mine;

	if (!perfdata_head(f->session->pd, first->raw, first->foff, &head, error) ||
	    !number(f, &head, 1, &mine, error))
		return false;
	g_array_index(t->mine, u32, theirs) = (who ? mine.who : mine.where) + 1;
	return true;
}

static inline bool translate(struct feeding *f, struct translations *t, u32 *number, bool who,
			     GError **error)
{
	u32 theirs = *number;

	if (!g_array_index(t->mine, u32, theirs) && !find_mine(f, t, theirs, who, error))
		return false;
	*number = g_array_index(t->mine, u32, theirs) - 1;
	return true;
}

static bool take_digest(struct feeding *f, const struct digest *d, struct reader_numbers *numbers,
			GError **error)
{
	struct session_share *shares = (struct session_share *)(void *)d->shares->data;

	if (d->anew) {
		g_array_set_size(numbers->wheres.firsts, 0);
		g_array_set_size(numbers->whos.firsts, 0);
		g_array_set_size(numbers->wheres.mine, 0);
		g_array_set_size(numbers->whos.mine, 0);
	}
	add_numbers(&numbers->wheres, d->wheres);
	add_numbers(&numbers->whos, d->whos);
	if (numbers->generation != f->generation) {
		forget_mine(&numbers->wheres);
		forget_mine(&numbers->whos);
		numbers->generation = f->generation;
	}
	for (u32 i = 0; i < d->shares->len; i++)
		if (!translate(f, &numbers->wheres, &shares[i].where, false, error) ||
		    !translate(f, &numbers->whos, &shares[i].who, true, error))
			return false;
	f->feed->add(f->feed, shares, d->shares->len);
	return true;
}

static void translations_init(struct translations *t)
{
	t->firsts = g_array_new(FALSE, FALSE, sizeof(struct digest_first));
	t->mine = g_array_new(FALSE, TRUE, sizeof(u32));
}

static void translations_release(struct translations *t)
{
	g_array_unref(t->firsts);
	g_array_unref(t->mine);
}

static struct reader_numbers *numbers_new(u32 nr_readers)
{
	struct reader_numbers *all = g_new(struct reader_numbers, nr_readers);

	for (u32 i = 0; i < nr_readers; i++) {
		translations_init(&all[i].wheres);
		translations_init(&all[i].whos);
		all[i].generation = 0;
	}
	return all;
}

static void numbers_free(struct reader_numbers *all, u32 nr_readers)
{
	for (u32 i = 0; i < nr_readers; i++) {
		translations_release(&all[i].wheres);
		translations_release(&all[i].whos);
	}
	g_free(all);
}

static bool read_parts_alone(struct feeding *f, GArray *parts, GError **error)
{
	struct sample_head heads[AHEAD];
	u64 done = 0;
	int got = 0;

	for (u32 i = 0; i < parts->len && got >= 0; i++) {
		struct perfdata_part part = g_array_index(parts, struct perfdata_part, i);
		u64 size = (u64)(part.to - part.from);

		while ((got = perfdata_heads(f->session->pd, &part, heads, AHEAD, error)) > 0) {
			u32 nr = digest_filter(f->session, heads, (u32)got);

			if (!take_samples(f, heads, nr, error))
				return false;
		}
		progress_step(&f->progress, done += size);
		if (session_is_stopped(&f->progress, error))
			return false;
		perfdata_give_back(f->session->pd, &g_array_index(parts, struct perfdata_part, i));
		if (gather_size(f->gather) > MOST_BYTES)
			begin_anew(f);
	}
	return got >= 0;
}

/* Behind the last sample of the file. */
static void end_file(struct feeding *f)
{
	progress_end(&f->progress);
	chained_free(f->chained);
	gather_free(f->gather);
	resolver_expect_new(f->session->resolver, false);
	f->chained = NULL;
	f->gather = NULL;
}

/* @before: the file in front of it, NULL: none. */
static void begin_file(struct feeding *f, const struct feeding *before)
{
	struct session *s = f->session;

	f->first_where = before ? before->first_where + before->nr_where : 0;
	f->first_who = before ? before->first_who + before->nr_who : 0;
	f->generation = before ? before->generation : 1;
	f->ends_before = s->ends;
	/* Each place is told of once. */
	resolver_expect_new(s->resolver, true);
	f->gather = gather_new(s->machine, s->activities, &f->options);
	f->chained = f->options.chains && chained_asked(s) ? chained_new(s, &f->ends) : NULL;
	session_progress(s, &f->progress, "Processing samples");
}

/* The places were made of samples that have been counted. */
static void settle_ends(struct feeding *f)
{
	chain_ends_merge(&f->ends_before, &f->ends);
	f->session->ends = f->ends_before;
}

static bool take_digests(struct feeding *files, struct digester *digester,
			 struct reader_numbers *numbers, u32 *at, GError **error)
{
	GError *wrong = NULL;
	struct digest *d;
	u64 done = 0;

	while (!wrong && (d = digester_next(digester, &wrong))) {
		struct feeding *f;

		for (; *at < d->file; ++*at) {
			end_file(&files[*at]);
			begin_file(&files[*at + 1], &files[*at]);
			done = 0;
		}
		f = &files[*at];
		take_digest(f, d, &numbers[d->reader], &wrong);
		perfdata_give_back(f->session->pd, &d->part);
		progress_step(&f->progress, done += (u64)(d->part.to - d->part.from));
		session_is_stopped(&f->progress, wrong ? NULL : &wrong);
		if (gather_size(f->gather) > MOST_BYTES)
			begin_anew(f);
	}
	if (wrong)
		g_propagate_error(error, wrong);
	return !wrong;
}

/* Of @nr files, of which each has parts, several threads read whichever part is the next one. */
static bool read_side_by_side(struct feeding *files, u32 nr, const struct feeding *before,
			      GError **error)
{
	struct digest_file *inputs = g_new(struct digest_file, nr);
	struct reader_numbers *numbers;
	struct digester *digester;
	u32 nr_readers, at = 0;
	bool ok;

	for (u32 i = 0; i < nr; i++)
		inputs[i] =
			(struct digest_file){ files[i].session, files[i].options, files[i].parts };
	digester = digester_new(inputs, nr, (u32)files->session->options.threads);
	nr_readers = digester_nr_readers(digester);
	numbers = numbers_new(nr_readers);
	begin_file(&files[0], before);
	ok = take_digests(files, digester, numbers, &at, error);
	/* Behind the last part there may be files without any. */
	for (; ok && at + 1 < nr; at++) {
		end_file(&files[at]);
		begin_file(&files[at + 1], &files[at]);
	}
	end_file(&files[at]);
	for (u32 i = 0; i <= at; i++) {
		files[i].ends =
			(struct chain_ends){ 0 }; /* counted while numbers were translated */
		if (ok)
			digester_add_ends(digester, i, &files[i].ends);
		settle_ends(&files[i]);
	}
	digester_free(digester);
	numbers_free(numbers, nr_readers);
	g_free(inputs);
	return ok;
}

static bool read_alone(struct feeding *f, const struct feeding *before, GError **error)
{
	struct session *s = f->session;
	bool ok;

	begin_file(f, before);
	ok = f->has_parts ? read_parts_alone(f, f->parts, error)
			  : session_start_pass(s, PERFDATA_WANT_SAMPLES, error) &&
				    read_records(f, error);
	end_file(f);
	settle_ends(f);
	return ok;
}

/* What is asked of the file, before any thread reads it. */
static bool prepare(struct feeding *f, struct session *s, struct session_feed *feed, GError **error)
{
	f->session = s;
	f->feed = feed;
	f->needs = feed->needs | filter_needs(s->filter);
	f->options = (struct gather_options){
		.threads = f->needs & NEED_THREAD,
		.comms = f->needs & NEED_COMM,
		.cpus = f->needs & NEED_CPU,
		.chains = f->needs & (NEED_CHAIN | NEED_PARENT),
		.kernel_chains = f->needs & (NEED_CONTEXT | NEED_ACTIVITY),
		.activities = f->needs & (NEED_CONTEXT | NEED_ACTIVITY),
		.apart = filter_by_thread(s->filter),
	};
	if (f->needs & NEED_DATA_TYPE && !session_expect_types(s, error))
		return false;
	activities_settle(s->activities);
	f->parts = g_array_new(FALSE, FALSE, sizeof(struct perfdata_part));
	f->has_parts = perfdata_parts(s->pd, s->options.part_size ?: PART_SIZE, f->parts);
	return true;
}

/* How many of the @nr files at @files can be read side by side; 0: the first one has no parts, or there is one part. */
static u32 nr_side_by_side(const struct feeding *files, u32 nr)
{
	u32 nr_parts = 0, n;

	for (n = 0; n < nr && files[n].has_parts; n++)
		nr_parts += files[n].parts->len;
	return files->session->options.threads > 1 && nr_parts > 1 ? n : 0;
}

static bool feed_files(struct feeding *files, u32 nr, GError **error)
{
	bool ok = true;

	for (u32 i = 0, n; ok && i < nr; i += MAX(n, 1)) {
		const struct feeding *before = i ? &files[i - 1] : NULL;

		n = nr_side_by_side(&files[i], nr - i);
		ok = n ? read_side_by_side(&files[i], n, before, error)
		       : read_alone(&files[i], before, error);
	}
	return ok;
}

bool session_feed(struct session *s, struct session_feed *feed, GError **error)
{
	u32 nr = session_nr_files(s);
	struct feeding *files = g_new0(struct feeding, nr);
	bool ok = true;

	for (u32 i = 0; ok && i < nr; i++)
		ok = prepare(&files[i], session_file(s, i), feed, error);
	ok = ok && feed_files(files, nr, error);
	for (u32 i = 0; i < nr; i++)
		g_clear_pointer(&files[i].parts, g_array_unref);
	g_free(files);
	return ok;
}
