// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf diff: what differs between recordings.
 *
 * Each recording is read and closed again before the next one is opened. What is kept of it are the sums of its rows,
 * by thread. So memory is that of one report.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/types.h"
#include "cli/colour.h"
#include "cli/pager.h"
#include "cmd/cmd.h"
#include "cmd/diff/diff_options.h"
#include "cmd/diff/diff_verdict.h"
#include "compare/fair.h"
#include "hist/timeline.h"
#include "options/recording.h"
#include "perfdata/read/reader.h"

/* What is made of the recordings. */
struct diff {
	const struct diff_options *o;
	GPtrArray *
		keys; /* struct field *: copies of names and titles, which outlive the recordings */
	struct comparison *comparison;
	struct fair *fair;
};

static void key_free(void *arg)
{
	struct field *field = arg;

	g_free((char *)field->name);
	g_free((char *)field->header);
	g_free(field);
}

static struct columns *make_columns(const char *sort, struct lexicon *lexicon, GError **error)
{
	const struct columns_options co = {
		.sort = sort,
		.families = FIELD_NORMAL | FIELD_MEMORY,
		.lexicon = lexicon,
	};

	return columns_new(&co, error);
}

/* The keys of -s, as the first recording knows them. */
static bool make_keys(struct diff *d, struct lexicon *lexicon, GError **error)
{
	struct columns *columns = make_columns(d->o->sort, lexicon, error);

	if (!columns)
		return false;
	for (u32 i = 0; i < columns->groups->len; i++) {
		const struct field *field = g_ptr_array_index(columns->groups, i);
		struct field *key;

		/* Beside a symbol, a report has this key, which is added as the last one. */
		if (g_str_has_prefix(field->name, "ipc"))
			continue;
		key = g_memdup2(field, sizeof(*key));
		key->name = g_strdup(key->name);
		key->header = g_strdup(key->header);
		g_ptr_array_add(d->keys, key);
	}
	columns_free(columns);
	return true;
}

/* The place of the key of --split in the groups; -1: none. */
static s32 find_split(const struct diff_options *o, const struct columns *columns, GError **error)
{
	const struct field *field = NULL;

	if (!o->split_key)
		return -1;
	for (u32 i = 0; i < columns->groups->len; i++) {
		field = g_ptr_array_index(columns->groups, i);
		if (!strcmp(field->name, o->split_key))
			return (s32)i;
	}
	field = fields_find(o->split_key, FIELD_NORMAL | FIELD_MEMORY, error);
	for (u32 i = 0; field && i < columns->groups->len; i++)
		if (g_ptr_array_index(columns->groups, i) == field)
			return (s32)i;
	return -1;
}

static void begin_comparison(struct diff *d, s32 split)
{
	const struct diff_options *o = d->o;

	d->comparison = comparison_new(&(struct compare_options){
		.nr_sides = o->nr_sides,
		.keys = d->keys,
		.relative = o->percentage,
		.per = o->per,
		.cluster = o->cluster,
		.requests = (const double *)(const void *)o->requests->data,
		.split = split,
		.side_patterns = (const char *const *)o->patterns,
	});
}

static bool take_profile(struct diff *d, u32 side, struct session *session, struct profile *profile,
			 GError **error)
{
	const char *path = perfdata_path(session_perfdata(session));
	const struct columns *columns = profile->options.columns;
	u64 elapsed = 0;

	if (!profile_read(profile, error))
		return false;
	if (profile->folded_samples)
		return error_set(
			error, PERF_ERROR_USAGE,
			"%s: there are too many ids to compare one by one: compare by names", path);
	if (d->o->per == PER_SECOND && !timeline_elapsed(session, &elapsed, error))
		return false;
	comparison_take(d->comparison, side, profile, path, (double)elapsed / 1e9);
	/* Options of compilers matter where files are not the same ones anyway. */
	fair_take(d->fair, side, session, profile, !d->o->plain && !d->o->split_key);
	return columns->groups->len;
}

/* The groups are the keys, and those by which samples are clustered, described or split. */
static bool read_session(struct diff *d, u32 side, struct session *session, GError **error)
{
	const struct diff_options *o = d->o;
	struct lexicon *lexicon = lexicon_new(session);
	g_autofree char *sort = g_strjoin(",", o->sort, "tid,comm,dso", o->split_key, NULL);
	struct columns *columns = NULL;
	struct profile *profile = NULL;
	bool ok;

	lexicon->short_types = o->types.short_names;
	lexicon->max_ids = 100000;
	if (d->keys->len || make_keys(d, lexicon, error))
		columns = make_columns(sort, lexicon, error);
	if (columns && !d->comparison) {
		s32 split = find_split(o, columns, error);

		if (split >= 0 || !o->split_key)
			begin_comparison(d, split);
	}
	ok = columns && d->comparison;
	if (ok) {
		const struct profile_options po = { .columns = columns };

		profile = profile_new(session, lexicon, &po);
		ok = take_profile(d, side, session, profile, error);
	}
	profile_free(profile);
	columns_free(columns);
	lexicon_free(lexicon);
	return ok;
}

static bool read_side(struct diff *d, u32 at, GError **error)
{
	const struct diff_side *side = g_ptr_array_index(d->o->sides, at);

	for (u32 i = 0; i < side->paths->len; i++) {
		struct session_options so = d->o->session;
		struct session *session;
		bool ok;

		so.input = side->paths->pdata[i];
		so.filter.time = side->time;
		session = session_open(&so, error);
		ok = session && read_session(d, at, session, error);
		if (ok && !d->o->quiet)
			recording_tell_cut(session_perfdata(session));
		session_close(session);
		if (!ok)
			return false;
	}
	return true;
}

static void add_unfair(const struct diff *d, struct pages *pages)
{
	g_autoptr(GPtrArray) sentences = fair_sentences(d->fair);

	for (u32 i = 0; i < sentences->len; i++) {
		g_autofree char *name = g_strdup_printf("unfair_%u", i);

		note_set_text(notes_add_words(&pages->notes, g_intern_string(name),
					      sentences->pdata[i]),
			      i + 1 < sentences->len ? GAP_NONE : GAP_BELOW,
			      "Not the same on both sides: %s", (char *)sentences->pdata[i]);
	}
}

static bool print(const struct diff *d, GError **error)
{
	struct pages *pages = compare_pages_new(d->comparison, &d->o->look);
	bool ok;

	if (!d->o->plain && !d->o->split_key)
		add_unfair(d, pages);
	ok = d->o->view->print(pages, &d->o->print, stdout, error);
	pages_free(pages);
	return ok;
}

/* The exit status. */
static int run(const struct diff_options *o, GError **error)
{
	struct diff d = { .o = o, .fair = fair_new(o->nr_sides) };
	bool ok = true;
	int status = 255;

	d.keys = g_ptr_array_new_with_free_func(key_free);
	for (u32 i = 0; ok && i < o->sides->len; i++)
		ok = read_side(&d, i, error);
	ok = ok && comparison_judge(d.comparison, error) && print(&d, error);
	if (ok)
		status = diff_verdict(o, d.comparison) ? 1 : 0;
	comparison_free(d.comparison);
	fair_free(d.fair);
	g_ptr_array_unref(d.keys);
	return status;
}

static int diff_run(const struct config *config, int argc, char **argv)
{
	struct diff_options opts;
	g_autofree char **words = upstream_words(argc, argv);
	g_autoptr(GError) error = NULL;
	struct pager pager = { 0 };
	int status;

	if (!diff_options_begin(&opts, config))
		return CONFIG_EXIT_BAD;
	if (!options_parse(&diff_options_spec, &argc, &argv, &opts, &status))
		return status;
	status = upstream_options_settle(&opts.upstream, config, &diff_options_spec, words,
					 opts.verbose);
	if (!status)
		status = diff_options_complete(&opts, argc, argv, words,
					       colour_wanted(COLOUR_AUTO, isatty(STDOUT_FILENO)));
	if (!status && opts.cycles)
		status = upstream_hand_on(config, &diff_options_spec, "-c cycles is a method",
					  words);
	if (!status) {
		pager_start(&pager);
		status = run(&opts, &error);
		fflush(stdout);
		if (error)
			fprintf(stderr, "%s\n", error->message);
		pager_finish(&pager);
	}
	diff_options_release(&opts);
	return status;
}

const struct command cmd_diff = { "diff",
				  "Read perf.data files and say what differs between them, and how "
				  "certain that is",
				  diff_run };
