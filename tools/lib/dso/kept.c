// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define MAX_ALL ((u64)1 << 30) /* of the folder */

struct kept_head {
	char magic[8];
	u32 version;
	u32 variant;
	struct build_id object, program;
	u8 unused[6];
	u64 contents; /* struct kept_key's */
	u64 sum;      /* of all else in the file */
};

_Static_assert(sizeof(struct kept_head) == 80, "the caller's bytes begin at a multiple of 8");

/* Uses four lanes, so that summing is faster than reading the file. */
u64 kept_sum(const void *bytes, size_t size, u64 seed)
{
	const u64 prime = 0x9e3779b97f4a7c15;
	u64 lanes[4] = { seed, ~seed, seed + prime, seed - prime }, word;
	size_t i = 0;

	for (; i + 32 <= size; i += 32)
		for (u32 lane = 0; lane < 4; lane++) {
			memcpy(&word, (const u8 *)bytes + i + 8 * lane, 8);
			lanes[lane] = (lanes[lane] ^ word) * prime;
			lanes[lane] ^= lanes[lane] >> 29;
		}
	for (; i + 8 <= size; i += 8) {
		memcpy(&word, (const u8 *)bytes + i, 8);
		lanes[0] = (lanes[0] ^ word) * prime;
		lanes[0] ^= lanes[0] >> 29;
	}
	if (i < size) {
		word = size - i;
		memcpy(&word, (const u8 *)bytes + i, size - i);
		lanes[1] = (lanes[1] ^ word) * prime;
	}
	return (lanes[0] * 3 + lanes[1]) * 5 + (lanes[2] * 7 ^ lanes[3]);
}

static u64 sum_of_file(const struct kept_head *head, const void *rest, size_t size)
{
	struct kept_head bare = *head;

	bare.sum = 0;
	return kept_sum(rest, size, kept_sum(&bare, sizeof(bare), head->version));
}

static bool program_id(struct build_id *id)
{
	return build_id_read("/proc/self/exe", id, NULL);
}

static char *path_of(const struct kept_key *key)
{
	char hex[BUILD_ID_HEX];

	return g_strdup_printf("%s/%s-%u", key->folder, build_id_hex(&key->object, hex),
			       key->variant);
}

char *kept_folder(const char *variable, const char *name)
{
	const char *chosen = g_getenv(variable);

	if (chosen)
		return *chosen ? g_strdup(chosen) : NULL;
	return g_build_filename(g_get_user_cache_dir(), "perf", name, NULL);
}

static bool is_for(const struct kept_head *head, const struct kept_key *key)
{
	struct build_id program;

	return !memcmp(head->magic, key->magic, sizeof(head->magic)) &&
	       head->version == key->version && head->variant == key->variant &&
	       head->contents == key->contents && build_id_equal(&head->object, &key->object) &&
	       program_id(&program) && build_id_equal(&head->program, &program);
}

/* Keeps nothing if others can write to the folder, or if root would leave files that the user cannot read. */
static bool is_own_folder(const char *folder)
{
	struct stat st;

	return !stat(folder, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Maps a file that can be one of ours. */
static bool map_file(int fd, struct kept_file *kept)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_mode & (S_IWGRP | S_IWOTH) || st.st_size < (off_t)sizeof(struct kept_head) ||
	    (u64)st.st_size > KEPT_FILE_MAX)
		return false;
	kept->map_size = (size_t)st.st_size;
	kept->map = mmap(NULL, kept->map_size, PROT_READ, MAP_PRIVATE, fd, 0);
	return kept->map != MAP_FAILED;
}

bool kept_open(const struct kept_key *key, struct kept_file *kept)
{
	g_autofree char *path = path_of(key);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	const struct kept_head *head;

	*kept = (struct kept_file){ .map = MAP_FAILED };
	if (fd < 0)
		return false;
	if (map_file(fd, kept)) {
		head = kept->map;
		kept->bytes = (const u8 *)(head + 1);
		kept->size = kept->map_size - sizeof(*head);
		if (is_for(head, key) && head->sum == sum_of_file(head, kept->bytes, kept->size))
			futimens(fd, NULL);
		else
			kept_close(kept);
	}
	close(fd);
	return kept->map != MAP_FAILED;
}

void kept_close(struct kept_file *kept)
{
	if (kept->map != MAP_FAILED)
		munmap(kept->map, kept->map_size);
	*kept = (struct kept_file){ .map = MAP_FAILED };
}

struct old_file {
	char *path;
	u64 size;
	s64 used;
};

static int compare_used(const void *pa, const void *pb)
{
	const struct old_file *a = pa, *b = pb;

	return a->used > b->used ? -1 : a->used < b->used;
}

/* Names that path_of() makes (BUILDID-VARIANT), and temporary files of interrupted writes. */
static bool is_kept_file(const char *name, const struct stat *st)
{
	size_t digits = strspn(name, "0123456789abcdef");

	return S_ISREG(st->st_mode) && digits >= 16 && name[digits] == '-' &&
	       g_ascii_isdigit(name[digits + 1]);
}

/* Removes least recently used files until the rest is small enough. Files with other names are not touched. */
static void trim(const char *folder)
{
	g_autoptr(GArray) files = g_array_new(false, false, sizeof(struct old_file));
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	u64 sum = 0;

	while (dir && (name = g_dir_read_name(dir))) {
		struct old_file file = { .path = g_build_filename(folder, name, NULL) };
		struct stat st;

		if (lstat(file.path, &st) || !is_kept_file(name, &st)) {
			g_free(file.path);
			continue;
		}
		file.size = (u64)st.st_size;
		file.used = (s64)st.st_mtime;
		g_array_append_val(files, file);
	}
	g_array_sort(files, compare_used);
	for (u32 i = 0; i < files->len; i++) {
		struct old_file *file = &g_array_index(files, struct old_file, i);

		sum += file->size;
		if (sum > MAX_ALL)
			unlink(file->path);
		g_free(file->path);
	}
}

void kept_write(const struct kept_key *key, const void *bytes, size_t size)
{
	struct kept_head head = {
		.version = key->version,
		.variant = key->variant,
		.object = key->object,
		.contents = key->contents,
	};
	g_autofree char *path = path_of(key), *fresh = g_strdup_printf("%s.XXXXXX", path);
	int fd;

	memcpy(head.magic, key->magic, sizeof(head.magic));
	if (size > KEPT_FILE_MAX - sizeof(head) || !program_id(&head.program) ||
	    g_mkdir_with_parents(key->folder, 0700) || !is_own_folder(key->folder))
		return;
	head.sum = sum_of_file(&head, bytes, size);
	fd = g_mkstemp_full(fresh, O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (!file_write_fd(fd, &head, sizeof(head)) || !file_write_fd(fd, bytes, size) ||
	    close(fd) || rename(fresh, path))
		unlink(fresh);
	trim(key->folder);
}
