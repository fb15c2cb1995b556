// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/pinned_map.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <glib.h>
#include <sys/mman.h>
#include <unistd.h>

static bool map_array(struct pinned_map *map, int fd, const char *file, u32 slot_size,
		      GError **error)
{
	struct bpf_map_info info = { 0 };
	u32 info_size = sizeof(info);

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &info_size))
		return error_set_errno(error, errno, "%s", file);
	if (info.value_size != slot_size)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: created by another version of perf", file);
	map->size = (u64)info.value_size * info.max_entries;
	map->data = mmap(NULL, map->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return map->data != MAP_FAILED || error_set_errno(error, errno, "%s", file);
}

bool pinned_map_open(struct pinned_map *map, const char *path, const char *name, u32 slot_size,
		     GError **error)
{
	g_autofree char *file = g_build_filename(path, name, NULL);
	int fd = bpf_obj_get(file);
	bool fine = map_array(map, fd, file, slot_size, error);

	if (fd >= 0)
		close(fd);
	return fine;
}

void pinned_map_close(struct pinned_map *map)
{
	munmap(map->data, map->size);
}
