// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * debuginfod (elfutils). The library is loaded at run time, and only if the user has set DEBUGINFOD_URLS. Otherwise
 * neither the library nor a network is needed.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "dso/private.h"

typedef struct debuginfod_client debuginfod_client;
typedef debuginfod_client *(*begin_fn)(void);
typedef void (*end_fn)(debuginfod_client *);
typedef int (*find_fn)(debuginfod_client *, const unsigned char *, int, char **);

static char *find_with(void *library, const struct build_id *id, bool debuginfo)
{
	begin_fn begin = (begin_fn)dlsym(library, "debuginfod_begin");
	end_fn end = (end_fn)dlsym(library, "debuginfod_end");
	find_fn find = (find_fn)dlsym(library, debuginfo ? "debuginfod_find_debuginfo"
							 : "debuginfod_find_executable");
	debuginfod_client *client;
	char *path = NULL, *copy = NULL;
	int fd;

	if (!begin || !end || !find || !(client = begin()))
		return NULL;
	fd = find(client, id->bytes, id->size, &path);
	if (fd >= 0) {
		copy = g_strdup(path);
		free(path);
		close(fd);
	}
	end(client);
	return copy;
}

char *debuginfod_find(const struct build_id *id, bool debuginfo)
{
	const char *urls = g_getenv("DEBUGINFOD_URLS");
	void *library;

	if (!urls || !urls[0])
		return NULL;
	/* Do not unload it: libcurl has started threads. */
	library = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_NODELETE);
	if (!library)
		return NULL;
	return find_with(library, id, debuginfo);
}
