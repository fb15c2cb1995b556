// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first lines of a file name the machine, then the measurement follows:
 *
 *	boot id			another boot may have another microcode, hypervisor or host
 *	kernel release
 *	CPU model
 *	the measurement		skid_measure_text()
 *
 * Content from others would make reports name wrong instructions. So the file must be a regular one
 * of this user, and not writable by others. It is opened first and checked by its descriptor, so it
 * cannot be exchanged in between; O_NOFOLLOW and O_NONBLOCK keep a symbolic link and a fifo from
 * being used.
 */
#include "record/skid_kept.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/runtime.h"
#include "perfevent/paths.h"

#define SIZE_MAX_KEPT 4096

static char *path_of(const char *dir, enum skid_kind kind)
{
	/* A dot: it is not the name of a detached recording. */
	g_autofree char *name = g_strconcat(".skid.", skid_kind_name(kind), NULL);

	return g_build_filename(dir, name, NULL);
}

char *skid_kept_machine(const struct perfdata_info *host)
{
	g_autofree char *boot =
		file_text("%s/sys/kernel/random/boot_id", kernel_paths_host()->proc);

	if (!boot || !host->osrelease || !host->cpuid)
		return NULL;
	return g_strdup_printf("%s\n%s\n%s\n", boot, host->osrelease, host->cpuid);
}

/* The content of the file, if only this user may have written it; NULL: no such file. */
static char *read_own(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char *text = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & (S_IWGRP | S_IWOTH)))
		text = file_read_fd(fd, path, SIZE_MAX_KEPT, NULL, NULL);
	close(fd);
	return text;
}

bool skid_kept_find(const char *machine, enum skid_kind kind, struct skid_measure *out)
{
	g_autofree char *dir = runtime_dir(geteuid()), *path = path_of(dir, kind);
	g_autofree char *text = machine ? read_own(path) : NULL;

	return text && g_str_has_prefix(text, machine) &&
	       skid_measure_parse(text + strlen(machine), out);
}

void skid_kept_put(const char *machine, enum skid_kind kind, const struct skid_measure *m)
{
	g_autofree char *dir = runtime_dir(geteuid()), *path = path_of(dir, kind);
	g_autofree char *value = skid_measure_text(m), *text = NULL;

	if (!machine || !runtime_make(dir))
		return;
	text = g_strconcat(machine, value, NULL);
	/* Another process that reads it now sees the whole file or none. */
	g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}
