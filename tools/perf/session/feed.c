// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pass in which samples that are alike (gather.h) are resolved once.
 *
 * Files that have parts are read by several threads: each gives numbers of its own to the samples of
 * one part after the other (digest.h), and this thread, in the order of the files, finds out what
 * its own numbers for these are. So what the feed is told does not depend on how many threads there
 * are. Of a file without parts (compressed ones) the records come in blocks instead, which one thread after the
 * other takes from the one reader of the file.
 */
#include <string.h>

#include "base/progress.h"
#include "perfdata/evsel.h"
#include "perfdata/read/samples.h"
#include "session/chained.h"
#include "session/digest.h"
#include "session/gather.h"
#include "session/group_reads.h"
#include "session/private.h"

/* Needs of a place that may differ between alike samples. */
#define NEED_EACH (NEED_SAMPLE | NEED_ADDR | NEED_BRANCH | NEED_TRACE | NEED_PARALLELISM)

/* Number of samples that are processed together, to overlap cache misses. */
#define AHEAD 16u

#define PART_SIZE  (1u << 20)
#define BLOCK_SIZE (256u << 10)

struct feeding {
	struct session *session;
	struct session_feed *feed;
	struct gather *gather;	 /* NULL: before and after its samples are taken */
	struct chained *chained; /* NULL: chains are not asked for */
	struct chain_ends ends, ends_before;
	struct progress progress;
	struct gather_options options;
	GArray *parts; /* struct perfdata_part; NULL: the file has none */
	u32 needs;
	u32 first_where, first_who; /* of this file: those before are of others */
	u32 nr_where, nr_who;	    /* that the feed was told of */
	u32 generation;		    /* from 1: how often the numbers started again */
};

/* What a sample is charged to may depend on its last branch, or on the copy of its stack. */
static bool charges_each(const struct session *s, u32 needs)
{
	const GPtrArray *evsels = perfdata_evsels(s->file->pd);

	for (u32 i = 0; needs & NEED_CHARGE && i < evsels->len; i++) {
		const struct evsel *evsel = evsels->pdata[i];

		if (evsel->attr.sample_type & (PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_STACK_USER))
			return true;
	}
	return false;
}

bool session_can_feed(struct session *s, u32 needs)
{
	for (u32 i = 0; i < session_nr_files(s); i++) {
		const struct session *file = session_file(s, i);

		if ((needs | filter_needs(file->filter)) & NEED_EACH ||
		    filter_by_socket(file->filter) || perfdata_is_pipe(file->file->pd) ||
		    group_reads_in(file->file->pd) || file->options.resolver.ignored_callees ||
		    perfdata_evsels(file->file->pd)->len > UINT16_MAX || charges_each(file, needs))
			return false;
	}
	return true;
}

/* The first sample with one of its numbers. */
struct first_sample {
	struct event event;
	bool where, who; /* which of them */
};

static void tell(struct feeding *f, const struct first_sample *first)
{
	struct activity activity;
	struct place place;
	u32 filtered = session_place(f->session, &first->event, f->needs, &place, &activity);

	if (first->where)
		f->feed->where(f->feed, &place, filtered);
	if (first->who)
		f->feed->who(f->feed, &place);
}

/* Decodes all samples first, so that memory for one is fetched while others are looked up. */
static bool tell_new(struct feeding *f, const struct sample_head *samples,
		     const struct gathered *numbers, u32 nr, GError **error)
{
	struct first_sample firsts[AHEAD];
	const struct event *events[AHEAD];
	u32 nr_new = 0;

	for (u32 i = 0; i < nr; i++) {
		struct first_sample *first = &firsts[nr_new];

		first->where = numbers[i].where >= f->nr_where;
		first->who = numbers[i].who >= f->nr_who;
		if (!first->where && !first->who)
			continue;
		if (!perfdata_decode(f->session->file->pd, samples[i].raw, samples[i].foff,
				     &first->event, error))
			return false;
		f->nr_where += first->where;
		f->nr_who += first->who;
		events[nr_new++] = &first->event;
	}
	if (nr_new > 1)
		resolver_prefetch_new(f->session->resolver, events, nr_new);
	for (u32 i = 0; i < nr_new; i++)
		tell(f, &firsts[i]);
	return true;
}

/* Numbers at most AHEAD @samples, and calls the feed's functions for new numbers. */
static bool number(struct feeding *f, struct sample_head *samples, u32 nr, struct gathered *out,
		   GError **error)
{
	if (f->chained)
		chained_heads(f->chained, samples, nr);
	gather_take(f->gather, samples, nr, out);
	if (!tell_new(f, samples, out, nr, error))
		return false;
	for (u32 i = 0; i < nr; i++) {
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

/* By a reader's number: what it stands for, and this thread's number for the same. */
struct translations {
	GArray *firsts; /* struct digest_first */
	GArray *mine;	/* u32, +1; 0: not known yet. Apart, since each sample asks for it */
};

struct reader_numbers {
	struct translations wheres, whos;
	GPtrArray *kept; /* records that firsts are in and that do not lie in a part */
	u32 generation;	 /* of feeding.generation: mine are good */
};

static void forget_mine(struct translations *t)
{
	if (t->mine->len)
		memset(t->mine->data, 0, t->mine->len * sizeof(u32));
}

/* Returns the first new one. */
static u32 add_numbers(struct translations *known, const GArray *new)
{
	u32 from = known->firsts->len;

	g_array_append_vals(known->firsts, new->data, new->len);
	g_array_set_size(known->mine, known->firsts->len);
	return from;
}

/* This thread's numbers for the reader's numbers from @from on, at most AHEAD of them. */
static bool find_mine(struct feeding *f, struct translations *t, u32 from, u32 nr, bool who,
		      GError **error)
{
	struct sample_head heads[AHEAD];
	struct gathered mine[AHEAD];

	for (u32 i = 0; i < nr; i++) {
		const struct digest_first *first =
			&g_array_index(t->firsts, struct digest_first, from + i);

		if (!perfdata_head(f->session->file->pd, first->raw, first->foff, &heads[i], error))
			return false;
	}
	if (!number(f, heads, nr, mine, error))
		return false;
	for (u32 i = 0; i < nr; i++)
		g_array_index(t->mine, u32, from + i) = (who ? mine[i].who : mine[i].where) + 1;
	return true;
}

/* The numbers from @from on, which the reader has used for the first time. */
static bool find_new(struct feeding *f, struct translations *t, u32 from, bool who, GError **error)
{
	for (u32 nr; from < t->firsts->len; from += nr) {
		nr = MIN(t->firsts->len - from, AHEAD);
		if (!find_mine(f, t, from, nr, who, error))
			return false;
	}
	return true;
}

static inline bool translate(struct feeding *f, struct translations *t, u32 *number, bool who,
			     GError **error)
{
	u32 theirs = *number;

	if (!g_array_index(t->mine, u32, theirs) && !find_mine(f, t, theirs, 1, who, error))
		return false;
	*number = g_array_index(t->mine, u32, theirs) - 1;
	return true;
}

/* Translates the digest's new numbers of its reader. */
static bool take_numbers(struct feeding *f, struct digest *d, struct reader_numbers *numbers,
			 GError **error)
{
	u32 new_where, new_who;

	if (d->anew) {
		g_array_set_size(numbers->wheres.firsts, 0);
		g_array_set_size(numbers->whos.firsts, 0);
		g_array_set_size(numbers->wheres.mine, 0);
		g_array_set_size(numbers->whos.mine, 0);
		g_ptr_array_set_size(numbers->kept, 0);
	}
	g_ptr_array_extend_and_steal(numbers->kept, g_steal_pointer(&d->kept));
	new_where = add_numbers(&numbers->wheres, d->wheres);
	new_who = add_numbers(&numbers->whos, d->whos);
	if (numbers->generation != f->generation) {
		forget_mine(&numbers->wheres);
		forget_mine(&numbers->whos);
		numbers->generation = f->generation;
	}
	return find_new(f, &numbers->wheres, new_where, false, error) &&
	       find_new(f, &numbers->whos, new_who, true, error);
}

static bool take_digest(struct feeding *f, struct digest *d, struct reader_numbers *numbers,
			GError **error)
{
	struct session_share *shares = (struct session_share *)(void *)d->shares->data;

	if (!take_numbers(f, d, numbers, error))
		return false;
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
		all[i].kept = g_ptr_array_new_with_free_func(g_free);
		all[i].generation = 0;
	}
	return all;
}

static void numbers_free(struct reader_numbers *all, u32 nr_readers)
{
	for (u32 i = 0; i < nr_readers; i++) {
		translations_release(&all[i].wheres);
		translations_release(&all[i].whos);
		g_ptr_array_unref(all[i].kept);
	}
	g_free(all);
}

static bool read_part(struct feeding *f, struct perfdata_part part, GError **error)
{
	struct sample_head heads[AHEAD];
	int got;

	while ((got = perfdata_heads(f->session->file->pd, &part, heads, AHEAD, error)) > 0)
		if (!take_samples(f, heads, digest_filter(f->session, heads, (u32)got), error))
			return false;
	return got == 0;
}

/* Between two parts or blocks. */
static bool between(struct feeding *f, u64 position, GError **error)
{
	progress_step(&f->progress, position);
	if (session_is_stopped(&f->progress, error))
		return false;
	if (gather_size(f->gather) > session_numbers_size(f->session))
		begin_anew(f);
	return true;
}

static bool read_parts(struct feeding *f, GError **error)
{
	bool ok = true;
	u64 done = 0;

	for (u32 i = 0; ok && i < f->parts->len; i++) {
		const struct perfdata_part *part =
			&g_array_index(f->parts, struct perfdata_part, i);

		ok = read_part(f, *part, error) &&
		     between(f, done += (u64)(part->to - part->from), error);
		perfdata_give_back(f->session->file->pd, part);
	}
	return ok;
}

static bool read_block(struct feeding *f, const struct perfdata_block *block, GError **error)
{
	for (u32 i = 0; i < block->parts->len; i++)
		if (!read_part(f, g_array_index(block->parts, struct perfdata_part, i), error))
			return false;
	return true;
}

static bool read_blocks(struct feeding *f, GError **error)
{
	struct perfdata *pd = f->session->file->pd;
	bool ok = session_start_pass(f->session, PERFDATA_WANT_EVERY_RAW, error);
	int got = 1;

	while (ok && got > 0) {
		struct perfdata_block *block = perfdata_block_new();
		g_autoptr(GError) behind = NULL;

		got = perfdata_next_block(pd, f->session->options.part_size ?: BLOCK_SIZE, block,
					  &behind);
		ok = read_block(f, block, error) && between(f, perfdata_position(pd), error);
		perfdata_block_free(block);
		if (ok && got < 0)
			g_propagate_error(error, g_steal_pointer(&behind));
	}
	return ok && got == 0;
}

/* Called after the last sample of the file. */
static void end_file(struct feeding *f)
{
	progress_end(&f->progress);
	chained_free(f->chained);
	gather_free(f->gather);
	resolver_expect_new(f->session->resolver, false);
	f->chained = NULL;
	f->gather = NULL;
}

/* @before: the previous file; NULL: none. */
static void begin_file(struct feeding *f, const struct feeding *before)
{
	struct session *s = f->session;

	f->first_where = before ? before->first_where + before->nr_where : 0;
	f->first_who = before ? before->first_who + before->nr_who : 0;
	f->generation = before ? before->generation : 1;
	/* Each place is told of once. */
	resolver_expect_new(s->resolver, true);
	f->gather = gather_new(s->file->machine, s->file->activities, &f->options);
	f->chained = f->options.chains && chained_asked(s) ? chained_new(s, &f->ends) : NULL;
	/* Those of an earlier pass count only if this one makes none. */
	f->ends_before = f->chained ? (struct chain_ends){ 0 } : s->ends;
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
	bool ok = true;

	while (ok && (d = digester_next(digester, &wrong))) {
		struct feeding *f;

		for (; *at < d->file; ++*at) {
			end_file(&files[*at]);
			begin_file(&files[*at + 1], &files[*at]);
		}
		f = &files[*at];
		ok = take_digest(f, d, &numbers[d->reader], &wrong) &&
		     between(f, d->position, &wrong);
		perfdata_give_back(f->session->file->pd, &d->part);
	}
	if (wrong)
		g_propagate_error(error, wrong);
	return !wrong;
}

/* Several threads read; each takes the next part or block. */
static bool read_side_by_side(struct feeding *files, u32 nr, GError **error)
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
	begin_file(&files[0], NULL);
	ok = take_digests(files, digester, numbers, &at, error);
	/* After the last sample there may be more files, without samples. */
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

static bool read_alone(struct feeding *files, u32 nr, GError **error)
{
	bool ok = true;

	for (u32 i = 0; ok && i < nr; i++) {
		struct feeding *f = &files[i];

		begin_file(f, i ? &files[i - 1] : NULL);
		ok = f->parts ? read_parts(f, error) : read_blocks(f, error);
		end_file(f);
		settle_ends(f);
	}
	return ok;
}

/* Prepares what is needed of the file, before any thread reads it. */
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
	if (!session_expect_types(s, f->needs, error))
		return false;
	if (f->needs & NEED_CHARGE)
		f->options.entries = s->file->entries;
	activities_settle(s->file->activities);
	f->parts = g_array_new(FALSE, FALSE, sizeof(struct perfdata_part));
	if (!perfdata_parts(s->file->pd, s->options.part_size ?: PART_SIZE, f->parts))
		g_clear_pointer(&f->parts, g_array_unref);
	return true;
}

/* True if a second thread would have work. */
static bool is_for_threads(const struct feeding *files, u32 nr)
{
	u32 nr_parts = 0;

	for (u32 i = 0; i < nr; i++)
		nr_parts += files[i].parts ? files[i].parts->len : 2;
	return files->session->options.threads > 1 && nr_parts > 1;
}

bool session_feed(struct session *s, struct session_feed *feed, GError **error)
{
	u32 nr = session_nr_files(s);
	struct feeding *files = g_new0(struct feeding, nr);
	bool ok = true;

	for (u32 i = 0; ok && i < nr; i++)
		ok = prepare(&files[i], session_file(s, i), feed, error);
	if (ok)
		ok = is_for_threads(files, nr) ? read_side_by_side(files, nr, error)
					       : read_alone(files, nr, error);
	for (u32 i = 0; i < nr; i++)
		g_clear_pointer(&files[i].parts, g_array_unref);
	g_free(files);
	return ok;
}
