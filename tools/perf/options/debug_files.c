// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The recording is read twice: first only to count the samples of each file, so that nothing is offered for a file with a few of
 * them. The second session knows nothing of the first, which has looked for the files in vain.
 */
#include "options/debug_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "dso/debuginfod.h"
#include "dso/dso.h"
#include "pages/notes/notes.h"
#include "resolve/place.h"

struct missing {
	char *name;
	struct build_id id;
	u64 size;
};

static void clear_missing(void *missing)
{
	g_free(((struct missing *)missing)->name);
}

struct tally {
	GArray *counts; /* u64 by dso_id() */
	u64 all;
};

static bool count_sample(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct tally *t = arg;
	u32 id;

	t->all++;
	if (!place->ip->dso)
		return true;
	id = dso_id(place->ip->dso);
	if (id >= t->counts->len)
		g_array_set_size(t->counts, id + 1);
	g_array_index(t->counts, u64, id)++;
	return true;
}

static void add_missing(GArray *all, struct dso *dso)
{
	struct missing missing = { .id = dso_build_id(dso) };

	if (dso_kind(dso) != DSO_USER || !missing.id.size ||
	    dso_no_debug_info(dso).why != DSO_NO_DEBUG_INFO)
		return;
	missing.name = g_strdup(dso_short_name(dso));
	g_array_append_val(all, missing);
}

/* struct missing: the files of which a large share of the samples is. */
static GArray *find_missing(struct session *session)
{
	struct tally tally = { g_array_new(FALSE, TRUE, sizeof(u64)), 0 };
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct missing));

	g_array_set_clear_func(all, clear_missing);
	if (session_each_sample(session, 0, count_sample, &tally, NULL))
		for (u32 id = 0; id < tally.counts->len; id++)
			if (notes_is_large(g_array_index(tally.counts, u64, id), tally.all))
				add_missing(all, dsos_at(session_dsos(session), id));
	g_array_unref(tally.counts);
	return all;
}

/* Keeps the files that a server has, and adds up their sizes. */
static u64 ask_sizes(GArray *all)
{
	u64 sum = 0;

	for (u32 i = 0; i < all->len;) {
		struct missing *m = &g_array_index(all, struct missing, i);

		m->size = debuginfod_size(&m->id);
		sum += m->size;
		if (m->size)
			i++;
		else
			g_array_remove_index(all, i);
	}
	return sum;
}

static bool ask_user(const GArray *all, u64 sum)
{
	char answer[16];

	fprintf(stderr, "Debug information that is not here, and that %s has:\n",
		debuginfod_servers());
	for (u32 i = 0; i < all->len; i++) {
		const struct missing *m = &g_array_index(all, struct missing, i);

		fprintf(stderr, "%10.1f MB  %s\n", (double)m->size / 1e6, m->name);
	}
	fprintf(stderr,
		"Fetch %.1f MB? (No more questions: perf config debuginfod.fetch=no, or =yes) "
		"[y/N] ",
		(double)sum / 1e6);
	fflush(stderr);
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

static bool show_step(void *arg, u64 done, u64 total)
{
	struct progress *progress = arg;

	progress->total = total;
	progress_step(progress, done);
	return true;
}

static void fetch(const GArray *all)
{
	for (u32 i = 0; i < all->len; i++) {
		const struct missing *m = &g_array_index(all, struct missing, i);
		g_autofree char *title =
			g_strdup_printf("Fetching debug information of %s", m->name);
		struct progress progress;
		bool here;

		progress_start(&progress, title, 0, true);
		here = debuginfod_fetch(&m->id, show_step, &progress);
		progress_end(&progress);
		if (!here)
			fprintf(stderr, "%s: no server has sent its debug information\n", m->name);
	}
}

void debug_files_offer(const struct session_options *options)
{
	enum debuginfod_consent consent = debuginfod_consent();
	bool by_pipe = options->input && !strcmp(options->input, "-");
	struct session *session;
	GArray *missing;
	u64 sum;

	if (consent == DEBUGINFOD_NO || by_pipe || !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return;
	debuginfod_set_consent(DEBUGINFOD_NO); /* the first session finds what is here */
	session = session_open(options, NULL);
	missing = session ? find_missing(session) : NULL;
	session_close(session);
	debuginfod_set_consent(consent);
	if (!missing)
		return;
	sum = consent == DEBUGINFOD_ASK ? ask_sizes(missing) : 0;
	if (missing->len && (consent == DEBUGINFOD_YES || ask_user(missing, sum))) {
		fetch(missing);
		debuginfod_set_consent(DEBUGINFOD_YES);
	}
	g_array_unref(missing);
}
