// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/jit_place.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dso/private.h"

/* The number of process @pid in its own pid namespace, the last one of "NSpid:	4711	7"; 0: there is no such process. */
static u32 inner_pid(u32 pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%u/status", pid);
	g_autofree char *status = NULL;
	const char *line, *last;

	if (!g_file_get_contents(path, &status, NULL, NULL))
		return 0;
	line = strstr(status, "\nNSpid:");
	if (!line)
		return 0;
	line += strlen("\nNSpid:");
	last = line + strcspn(line, "\n");
	while (last > line && g_ascii_isdigit(last[-1]))
		last--;
	return (u32)g_ascii_strtoull(last, NULL, 10);
}

/* A link of that name is none: an absolute one would lead to a folder of this machine. */
static int open_tmp(u32 tid)
{
	g_autofree char *path = g_strdup_printf("/proc/%u/root", tid);
	int root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), folder;

	if (root < 0)
		return -1;
	folder = openat(root, "tmp", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	close(root);
	return folder;
}

bool jit_place_open(struct jit_place *place, u32 pid)
{
	g_autofree char *proc = g_strdup_printf("/proc/%u", pid);
	struct stat st;

	*place = (struct jit_place){ .folder = -1, .inner = inner_pid(pid) };
	if (!place->inner || stat(proc, &st))
		return false;
	place->owner = st.st_uid;
	place->folder = open_tmp(process_thread(pid));
	return place->folder >= 0;
}

/* Looks at the file before it opens it, because opening a fifo or a device has effects. */
int jit_place_file(const struct jit_place *place, bool any_owner)
{
	g_autofree char *name = g_strdup_printf("perf-%u.map", place->inner), *self = NULL;
	int found = openat(place->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), fd = -1;
	struct stat st;

	if (found < 0)
		return -1;
	self = g_strdup_printf("/proc/self/fd/%d", found);
	if (!fstat(found, &st) && S_ISREG(st.st_mode) &&
	    (any_owner || !st.st_uid || st.st_uid == geteuid() || st.st_uid == place->owner))
		fd = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	close(found);
	return fd;
}

void jit_place_close(struct jit_place *place)
{
	if (place->folder >= 0)
		close(place->folder);
	place->folder = -1;
}
