// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/runtime.h"

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

char *runtime_dir(u32 uid)
{
	const char *own = getenv("XDG_RUNTIME_DIR");
	g_autofree char *run = g_strdup_printf("/run/user/%u", uid);

	if (uid == geteuid() && own && *own == '/')
		return g_build_filename(own, "perf", NULL);
	if (!access(run, F_OK))
		return g_build_filename(run, "perf", NULL);
	return g_strdup_printf("/dev/shm/perf-%u", uid);
}

bool runtime_make(const char *dir)
{
	struct stat st;

	if (g_mkdir_with_parents(dir, 0755) || lstat(dir, &st))
		return false;
	errno = ENOTDIR;
	return S_ISDIR(st.st_mode) && (st.st_uid == geteuid() || !st.st_uid);
}
