// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces pinned.c in a build without BPF. */
#include "detached/pinned.h"

#define NO_BPF "this perf was built without BPF (see perf version --build-options)"

static bool refuse(const char *path, GError **error)
{
	return error_set(error, PERF_ERROR_UNSUPPORTED,
			 "%s is pinned in bpffs, and " NO_BPF ": read it with a perf that has BPF",
			 path);
}

bool pinned_record(const struct detached_options *detached, struct record_options *opts, int argc,
		   char *const *argv, GError **error)
{
	return error_set(error, PERF_ERROR_UNSUPPORTED,
			 NO_BPF ": use --carrier=keeper, which needs no BPF");
}

struct pinned_image *pinned_open(const char *path, GError **error)
{
	refuse(path, error);
	return NULL;
}

void pinned_close(struct pinned_image *p)
{
}

bool pinned_save(const char *path, const char *to, GError **error)
{
	return refuse(path, error);
}

bool pinned_tail(const char *path, int fd, GError **error)
{
	return refuse(path, error);
}

struct shelf_taken pinned_taken(void)
{
	return (struct shelf_taken){ 0 };
}

char *pinned_find(u32 pid, u64 born)
{
	return NULL;
}

GByteArray *pinned_to_perfdata(const char *path, const struct image_choice *choice)
{
	return NULL;
}

bool pinned_stop(const char *path, GError **error)
{
	return pinned_unlink_links(path, error);
}
