// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The side records of several files. Each file has its own machine and table of dsos, so several threads can read one
 * file each. Then the tables are joined in the order of the files, so the numbers of dsos do not depend on the order
 * of the threads.
 */
#include "session/private.h"

struct sidebands {
	struct session *first;
	u32 nr, next;	 /* files; index of the next unread one */
	GError **errors; /* by file */
};

static void read_files(struct sidebands *all, bool quiet)
{
	u32 i;

	while ((i = __atomic_fetch_add(&all->next, 1, __ATOMIC_RELAXED)) < all->nr)
		session_read_sideband(session_file(all->first, i), quiet, &all->errors[i]);
}

static gpointer run(gpointer all)
{
	read_files(all, true);
	return NULL;
}

static void read_all(struct sidebands *all)
{
	u32 nr_others = MIN(all->nr, (u32)all->first->options.threads) - 1;
	GThread **others = g_new(GThread *, nr_others);

	for (u32 i = 0; i < nr_others; i++)
		others[i] = g_thread_try_new("side records", run, all, NULL);
	/* If no thread can be started, this one reads all files. */
	read_files(all, false);
	for (u32 i = 0; i < nr_others; i++)
		if (others[i])
			g_thread_join(others[i]);
	g_free(others);
}

/* That of the first file that has one. */
static bool take_error(struct sidebands *all, GError **error)
{
	bool good = true;

	for (u32 i = 0; i < all->nr; i++) {
		if (!all->errors[i])
			continue;
		if (good)
			g_propagate_error(error, all->errors[i]);
		else
			g_error_free(all->errors[i]);
		good = false;
	}
	return good;
}

bool session_read_sidebands(struct session *first, GError **error)
{
	struct sidebands all = { .first = first, .nr = session_nr_files(first) };
	bool good;

	all.errors = g_new0(GError *, all.nr);
	read_all(&all);
	good = take_error(&all, error);
	g_free(all.errors);
	for (u32 i = 1; good && i < all.nr; i++) {
		struct session *file = session_file(first, i);

		dsos_join(file->dsos);
		machine_join_dsos(file->machine);
	}
	return good;
}
