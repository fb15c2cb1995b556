// SPDX-License-Identifier: GPL-2.0-or-later
/* Build without minizip: no file is packed behind a recording, and those that are cannot be read. */
#include "dso/packed.h"

struct packed *packed_open(const char *path, GError **error)
{
	return NULL;
}

void packed_free(struct packed *packed)
{
}

char *packed_path(struct packed *packed, const char *name)
{
	return NULL;
}

char *packed_path_of(struct packed *packed, const char *path)
{
	return NULL;
}

GPtrArray *packed_names(struct packed *packed, const char *prefix)
{
	return g_ptr_array_new_with_free_func(g_free);
}

struct packing *packing_new(int fd, GError **error)
{
	error_set(error, PERF_ERROR_UNSUPPORTED,
		  "perf was built without minizip, which packs files");
	return NULL;
}

bool packing_add(struct packing *packing, const char *name, const char *path, GError **error)
{
	return false;
}

bool packing_add_bytes(struct packing *packing, const char *name, const void *bytes, size_t size,
		       GError **error)
{
	return false;
}

bool packing_end(struct packing *packing, u32 *nr, GError **error)
{
	return false;
}

void packing_abandon(struct packing *packing)
{
}
