// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The side records of several files. Each file has its own machine and table of dsos, so several threads can read one
 * file each. Then the tables are joined in the order of the files, so the numbers of dsos do not depend on the order
 * of the threads.
 */
#include "base/crew.h"
#include "session/private.h"

struct sidebands {
	struct session *first;
	GError **errors; /* by file */
};

/* Only the caller's thread, worker 0, shows progress. */
static void read_file(void *arg, u32 worker, u32 i)
{
	struct sidebands *all = arg;

	session_read_sideband(session_file(all->first, i), worker > 0, &all->errors[i]);
}

/* That of the first file that has one. */
static bool take_error(struct sidebands *all, u32 nr, GError **error)
{
	bool good = true;

	for (u32 i = 0; i < nr; i++) {
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
	u32 nr = session_nr_files(first);
	struct sidebands all = { .first = first, .errors = g_new0(GError *, nr) };
	struct crew *crew = crew_new(MIN(nr, (u32)first->options.threads));
	bool good;

	crew_run(crew, nr, read_file, &all);
	crew_free(crew);
	good = take_error(&all, nr, error);
	g_free(all.errors);
	for (u32 i = 1; good && i < nr; i++) {
		struct session *file = session_file(first, i);

		dsos_join(file->file->dsos);
		machine_join_dsos(file->file->machine);
	}
	return good;
}
