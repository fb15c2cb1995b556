// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * debuginfod (elfutils). The library is loaded at run time, and only if the user has set DEBUGINFOD_URLS. Otherwise
 * neither the library nor a network is needed.
 */
#include "dso/debuginfod.h"

#include <dlfcn.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dso/private.h"

typedef struct debuginfod_client debuginfod_client;
typedef debuginfod_client *(*begin_fn)(void);
typedef void (*end_fn)(debuginfod_client *);
typedef int (*find_fn)(debuginfod_client *, const unsigned char *, int, char **);
typedef int (*progress_fn)(debuginfod_client *, long done, long total);
typedef void (*set_progress_fn)(debuginfod_client *, progress_fn);
typedef void (*set_data_fn)(debuginfod_client *, void *);
typedef void *(*get_data_fn)(debuginfod_client *);

struct transfer {
	debuginfod_step_fn *step;
	void *arg;
};

const char *debuginfod_servers(void)
{
	const char *urls = g_getenv("DEBUGINFOD_URLS");

	return urls && urls[0] ? urls : NULL;
}

enum debuginfod_consent debuginfod_consent(void)
{
	const char *word = g_getenv("PERF_DEBUGINFOD");

	if (!word || !debuginfod_servers())
		return DEBUGINFOD_NO;
	return !strcmp(word, "yes")   ? DEBUGINFOD_YES
	       : !strcmp(word, "ask") ? DEBUGINFOD_ASK
				      : DEBUGINFOD_NO;
}

void debuginfod_set_consent(enum debuginfod_consent consent)
{
	static const char *const words[] = { "no", "ask", "yes" };

	g_setenv("PERF_DEBUGINFOD", words[consent], TRUE);
}

/* Do not unload it: libcurl has started threads. */
static void *open_library(void)
{
	return dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_NODELETE);
}

static char *find_with(void *library, debuginfod_client *client, const struct build_id *id,
		       bool debuginfo)
{
	find_fn find = (find_fn)dlsym(library, debuginfo ? "debuginfod_find_debuginfo"
							 : "debuginfod_find_executable");
	char *path = NULL, *copy;
	int fd = find ? find(client, id->bytes, id->size, &path) : -1;

	if (fd < 0)
		return NULL;
	copy = g_strdup(path);
	free(path);
	close(fd);
	return copy;
}

static int on_progress(debuginfod_client *client, long done, long total)
{
	get_data_fn get_data = (get_data_fn)dlsym(open_library(), "debuginfod_get_user_data");
	const struct transfer *t = get_data ? get_data(client) : NULL;

	return t && !t->step(t->arg, total > 0 ? (u64)done : 0, total > 0 ? (u64)total : 0);
}

static char *find_file(const struct build_id *id, bool debuginfo, struct transfer *transfer)
{
	void *library = open_library();
	begin_fn begin = library ? (begin_fn)dlsym(library, "debuginfod_begin") : NULL;
	end_fn end = library ? (end_fn)dlsym(library, "debuginfod_end") : NULL;
	debuginfod_client *client = begin && end ? begin() : NULL;
	char *path;

	if (!client)
		return NULL;
	if (transfer) {
		set_data_fn set_data = (set_data_fn)dlsym(library, "debuginfod_set_user_data");
		set_progress_fn set_progress =
			(set_progress_fn)dlsym(library, "debuginfod_set_progressfn");

		if (set_data && set_progress) {
			set_data(client, transfer);
			set_progress(client, on_progress);
		}
	}
	path = find_with(library, client, id, debuginfo);
	end(client);
	return path;
}

char *debuginfod_find(const struct build_id *id, bool debuginfo)
{
	return debuginfod_consent() == DEBUGINFOD_YES ? find_file(id, debuginfo, NULL) : NULL;
}

bool debuginfod_fetch(const struct build_id *id, debuginfod_step_fn *step, void *arg)
{
	struct transfer transfer = { step, arg };
	g_autofree char *path = find_file(id, true, step ? &transfer : NULL);

	return path;
}

/* Stops the transfer once its size is known. */
static bool note_size(void *arg, u64 done, u64 total)
{
	u64 *size = arg;

	*size = total;
	return !total;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	remove(path);
	return 0;
}

/* In a cache of its own: the client notes a transfer that was stopped as a file that no server has. */
u64 debuginfod_size(const struct build_id *id)
{
	g_autofree char *before = g_strdup(g_getenv("DEBUGINFOD_CACHE_PATH"));
	g_autofree char *own = g_dir_make_tmp("perf-debuginfod-XXXXXX", NULL);
	struct transfer transfer;
	g_autofree char *path = NULL;
	struct stat st;
	u64 size = 0;

	if (!own)
		return 0;
	g_setenv("DEBUGINFOD_CACHE_PATH", own, TRUE);
	transfer = (struct transfer){ note_size, &size };
	path = find_file(id, true, &transfer);
	if (path && !stat(path, &st)) /* it came before its size was known */
		size = (u64)st.st_size;
	if (before)
		g_setenv("DEBUGINFOD_CACHE_PATH", before, TRUE);
	else
		g_unsetenv("DEBUGINFOD_CACHE_PATH");
	nftw(own, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return size;
}
