// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/search.h"
#include "typeflow/store.h"

#define MAX_FILE ((u64)256 << 20)
#define MAX_ALL	 ((u64)1 << 30) /* of the folder */
#define MAGIC	 "PERFTYPE"

struct store_head {
	char magic[8];
	u32 version;
	u32 variant;
	struct build_id object, program;
	u8 unused[6];
	u64 contents; /* struct store_key's */
	u64 nr_pieces, nr_functions, nr_rows, nr_types;
	u64 sum; /* of all else in the file */
};

#define VERSION 2

struct store {
	void *map;
	size_t size;
	const struct store_head *head;
	const struct store_piece *pieces;
	const struct store_function *functions;
	const struct store_row *rows;
	const struct store_type *types;
};

/* Four lanes, so that it costs less than reading the file. */
u64 store_sum(const void *bytes, size_t size, u64 seed)
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

static u64 sum_of_file(const struct store_head *head, const void *rest, size_t size)
{
	struct store_head bare = *head;

	bare.sum = 0;
	return store_sum(rest, size, store_sum(&bare, sizeof(bare), VERSION));
}

static bool program_id(struct build_id *id)
{
	return build_id_read("/proc/self/exe", id, NULL);
}

static char *path_of(const struct store_key *key)
{
	char hex[BUILD_ID_HEX];

	return g_strdup_printf("%s/%s-%u", key->folder, build_id_hex(&key->object, hex),
			       key->variant);
}

/* Lays the arrays over the file; false where their sizes do not add up to its size. */
static bool lay_out(struct store *store)
{
	const struct store_head *head = store->map;
	u64 limit = MAX_FILE, left = store->size - sizeof(*head);
	const u8 *at = (const u8 *)store->map + sizeof(*head);

	if (head->nr_pieces > limit || head->nr_functions > limit || head->nr_rows > limit ||
	    head->nr_types > limit)
		return false;
	if (head->nr_pieces * sizeof(struct store_piece) +
		    head->nr_functions * sizeof(struct store_function) +
		    head->nr_rows * sizeof(struct store_row) +
		    head->nr_types * sizeof(struct store_type) !=
	    left)
		return false;
	store->head = head;
	store->pieces = (const struct store_piece *)(const void *)at;
	at += head->nr_pieces * sizeof(struct store_piece);
	store->functions = (const struct store_function *)(const void *)at;
	at += head->nr_functions * sizeof(struct store_function);
	store->rows = (const struct store_row *)(const void *)at;
	at += head->nr_rows * sizeof(struct store_row);
	store->types = (const struct store_type *)(const void *)at;
	return true;
}

static bool is_ours(const struct store *store, const struct store_key *key)
{
	const struct store_head *head = store->map;
	struct build_id program;

	return !memcmp(head->magic, MAGIC, sizeof(head->magic)) && head->version == VERSION &&
	       head->variant == key->variant && head->contents == key->contents &&
	       build_id_equal(&head->object, &key->object) && program_id(&program) &&
	       build_id_equal(&head->program, &program);
}

/* Where others may put files, or root would leave some for a user who cannot read them, nothing is kept. */
static bool is_own_folder(const char *folder)
{
	struct stat st;

	return !stat(folder, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

struct store *store_open(const struct store_key *key)
{
	g_autofree char *path = path_of(key);
	struct store *store = g_new0(struct store, 1);
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	store->map = MAP_FAILED;
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & (S_IWGRP | S_IWOTH)) && st.st_size >= (off_t)sizeof(struct store_head) &&
	    (u64)st.st_size <= MAX_FILE) {
		store->size = (size_t)st.st_size;
		store->map = mmap(NULL, store->size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	if (store->map != MAP_FAILED && is_ours(store, key) && lay_out(store) &&
	    store->head->sum == sum_of_file(store->head, store->pieces,
					    store->size - sizeof(struct store_head)))
		futimens(fd, NULL);
	else
		g_clear_pointer(&store, store_close);
	if (fd >= 0)
		close(fd);
	return store;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	if (store->map != MAP_FAILED)
		munmap(store->map, store->size);
	g_free(store);
}

static const struct store_row *find_row(const struct store *store, const struct store_function *f,
					u64 vaddr)
{
	const struct store_row *rows = &store->rows[f->first];
	u32 at;

	if (f->first > store->head->nr_rows || f->nr > store->head->nr_rows - f->first ||
	    vaddr - f->low > UINT32_MAX)
		return NULL;
	at = SEARCH(i, 0, f->nr, rows[i].at < vaddr - f->low);
	return at < f->nr && rows[at].at == vaddr - f->low ? &rows[at] : NULL;
}

const struct store_function *store_find(const struct store *store, u64 vaddr,
					const struct store_row **row)
{
	const struct store_function *function;
	u32 low = SEARCH(i, 0, store->head->nr_pieces, store->pieces[i].start <= vaddr);

	if (!low || store->pieces[low - 1].end <= vaddr ||
	    store->pieces[low - 1].function >= store->head->nr_functions)
		return NULL;
	function = &store->functions[store->pieces[low - 1].function];
	*row = find_row(store, function, vaddr);
	return function;
}

u32 store_nr_types(const struct store *store)
{
	return (u32)store->head->nr_types;
}

const struct store_type *store_type(const struct store *store, u32 index)
{
	return index < store->head->nr_types ? &store->types[index] : NULL;
}

static int compare_pieces(const void *pa, const void *pb)
{
	const struct store_piece *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* True where one of the first @nr (sorted) pieces overlaps. */
static bool is_covered(const GArray *pieces, u32 nr, const struct store_piece *piece)
{
	const struct store_piece *rows = (const struct store_piece *)pieces->data;
	u32 at = SEARCH(i, 0, nr, rows[i].end <= piece->start);

	return at < nr && rows[at].start < piece->end;
}

/* The function's rows, and where it is now. */
static u32 copy_function(const struct store *store, const struct store_function *function,
			 struct store_parts *parts, const u32 *types)
{
	struct store_function copy = *function;
	u32 first = parts->rows->len;

	if (copy.first > store->head->nr_rows || copy.nr > store->head->nr_rows - copy.first)
		copy.nr = 0;
	g_array_append_vals(parts->rows, store->rows + copy.first, copy.nr);
	copy.first = first;
	for (u32 i = 0; i < copy.nr; i++) {
		struct store_row *row = &g_array_index(parts->rows, struct store_row, first + i);

		row->type = row->type && row->type <= store->head->nr_types ? types[row->type - 1]
									    : 0;
	}
	g_array_append_val(parts->functions, copy);
	return parts->functions->len - 1;
}

void store_merge(const struct store *store, struct store_parts *parts, const u32 *types)
{
	u64 nr = store->head->nr_functions;
	g_autofree u32 *moved = g_new0(u32, nr + 1); /* new index plus 1 */
	g_autofree u8 *gone = g_new0(u8, nr + 1);
	u32 own = parts->pieces->len;

	g_array_sort(parts->pieces, compare_pieces);
	for (u64 i = 0; i < store->head->nr_pieces; i++) {
		const struct store_piece *piece = &store->pieces[i];

		if (piece->function < nr && is_covered(parts->pieces, own, piece))
			gone[piece->function] = 1;
	}
	for (u64 i = 0; i < store->head->nr_pieces; i++) {
		struct store_piece piece = store->pieces[i];

		if (piece.function >= nr || gone[piece.function])
			continue;
		if (!moved[piece.function])
			moved[piece.function] = copy_function(store,
							      &store->functions[piece.function],
							      parts, types) +
						1;
		piece.function = moved[piece.function] - 1;
		g_array_append_val(parts->pieces, piece);
	}
}

struct kept_file {
	char *path;
	u64 size;
	s64 used;
};

static int compare_used(const void *pa, const void *pb)
{
	const struct kept_file *a = pa, *b = pb;

	return a->used > b->used ? -1 : a->used < b->used;
}

/* BUILDID-VARIANT, as path_of() makes them, and what is left of one being written. */
static bool is_kept_file(const char *name, const struct stat *st)
{
	size_t digits = strspn(name, "0123456789abcdef");

	return S_ISREG(st->st_mode) && digits >= 16 && name[digits] == '-' &&
	       g_ascii_isdigit(name[digits + 1]);
}

/* The least recently used go first, until the rest is small enough; other files are not touched. */
static void trim(const char *folder)
{
	g_autoptr(GArray) files = g_array_new(false, false, sizeof(struct kept_file));
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	u64 sum = 0;

	while (dir && (name = g_dir_read_name(dir))) {
		struct kept_file file = { .path = g_build_filename(folder, name, NULL) };
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
		struct kept_file *file = &g_array_index(files, struct kept_file, i);

		sum += file->size;
		if (sum > MAX_ALL)
			unlink(file->path);
		g_free(file->path);
	}
}

static bool write_array(int fd, const GArray *array, size_t element)
{
	const char *at = array->data;
	size_t left = array->len * element;

	while (left) {
		ssize_t n = write(fd, at, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		left -= (size_t)n;
	}
	return true;
}

/* The bytes behind the head, in one piece. */
static GArray *join_parts(const struct store_parts *parts)
{
	const GArray *arrays[] = { parts->pieces, parts->functions, parts->rows, parts->types };
	const u32 sizes[] = { sizeof(struct store_piece), sizeof(struct store_function),
			      sizeof(struct store_row), sizeof(struct store_type) };
	GArray *all = g_array_new(false, false, 1);

	for (u32 i = 0; i < ARRAY_SIZE(arrays); i++) {
		u64 bytes = (u64)arrays[i]->len * sizes[i];

		if (all->len + bytes > MAX_FILE - sizeof(struct store_head)) {
			g_array_unref(all);
			return NULL;
		}
		g_array_append_vals(all, arrays[i]->data, (guint)bytes);
	}
	return all;
}

void store_write(const struct store_key *key, struct store_parts *parts)
{
	struct store_head head = {
		.version = VERSION,
		.variant = key->variant,
		.object = key->object,
		.contents = key->contents,
		.nr_pieces = parts->pieces->len,
		.nr_functions = parts->functions->len,
		.nr_rows = parts->rows->len,
		.nr_types = parts->types->len,
	};
	g_autofree char *path = path_of(key), *fresh = g_strdup_printf("%s.XXXXXX", path);
	g_autoptr(GArray) start = g_array_new(false, false, 1), rest = NULL;
	int fd;

	memcpy(head.magic, MAGIC, sizeof(head.magic));
	g_array_sort(parts->pieces, compare_pieces);
	rest = join_parts(parts);
	if (!rest || !program_id(&head.program) || g_mkdir_with_parents(key->folder, 0700) ||
	    !is_own_folder(key->folder))
		return;
	head.sum = sum_of_file(&head, rest->data, rest->len);
	g_array_append_vals(start, &head, sizeof(head));
	fd = g_mkstemp_full(fresh, O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (!write_array(fd, start, 1) || !write_array(fd, rest, 1) || close(fd) ||
	    rename(fresh, path))
		unlink(fresh);
	trim(key->folder);
}
