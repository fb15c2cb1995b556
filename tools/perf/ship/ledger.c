// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ledger's text:
 *
 *	perf ship ledger 1
 *	dropped 3 12345		files and bytes, in all
 *	untold 1 4000		of these, not told by a push that was sent
 *	telling 1f0a94c2d3b17e58 1 4000		what the push that was begun tells
 *	waiting 1f0a94c2d3b17e58 0 81234 1763700000000000000 1311 perf.data.2026112107585560
 *	sent 0 ...		state, push, ask, size, time of change, inode, name with C's escapes
 */
#include "ship/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

#define NAME	     ".perf-ship"
#define HEAD	     "perf ship ledger 1"
#define MOST	     (64u << 20) /* bytes of it */
#define STAMP_DIGITS 16		 /* of a part's name */

static const char *const state_names[] = { "waiting", "sent", "dropped", "other" };

struct ledger {
	struct ledger_options o;
	int folder_fd; /* locked */
	char *path;
	GHashTable *files; /* name -> struct ledger_file */
	struct ledger_counts dropped, untold;
	u64 telling;		   /* the push that was begun; 0: none */
	struct ledger_counts told; /* by it */
	bool was_there;		   /* before this process came */
};

static void free_file(void *p)
{
	struct ledger_file *f = p;

	g_free(f->name);
	g_free(f);
}

static void forget(struct ledger *l)
{
	g_hash_table_remove_all(l->files);
	l->dropped = l->untold = l->told = (struct ledger_counts){ 0 };
	l->telling = 0;
}

static bool parse_file(struct ledger *l, const char *line, enum ledger_state state)
{
	struct ledger_file *f = g_new0(struct ledger_file, 1);
	u32 ask = 0;
	int at = 0;

	f->state = state;
	if (sscanf(line, "%" SCNx64 " %u %" SCNu64 " %" SCNu64 " %" SCNu64 " %n", &f->push, &ask,
		   &f->size, &f->mtime_ns, &f->inode, &at) == 5 &&
	    at && line[at])
		f->name = g_strcompress(line + at);
	f->ask = ask;
	if (!f->name || strchr(f->name, '/')) {
		free_file(f);
		return false;
	}
	g_hash_table_replace(l->files, f->name, f);
	return true;
}

static bool parse_counts(const char *line, struct ledger_counts *counts)
{
	return sscanf(line, "%" SCNu64 " %" SCNu64, &counts->files, &counts->bytes) == 2;
}

static bool parse_line(struct ledger *l, const char *line)
{
	const char *rest = strchr(line, ' ');
	u32 i;

	if (!rest)
		return !*line;
	if (g_str_has_prefix(line, "dropped ") && parse_counts(rest, &l->dropped) &&
	    strspn(rest, " 0123456789") == strlen(rest))
		return true;
	if (g_str_has_prefix(line, "untold "))
		return parse_counts(rest, &l->untold);
	if (g_str_has_prefix(line, "telling "))
		return sscanf(rest, "%" SCNx64 " %" SCNu64 " %" SCNu64, &l->telling, &l->told.files,
			      &l->told.bytes) == 3;
	for (i = 0; i < ARRAY_SIZE(state_names); i++)
		if (!strncmp(line, state_names[i], (size_t)(rest - line)))
			return parse_file(l, rest + 1, i);
	return false;
}

static bool parse(struct ledger *l, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", 0);

	if (!lines[0] || strcmp(lines[0], HEAD))
		return false;
	for (u32 i = 1; lines[i]; i++)
		if (!parse_line(l, lines[i]))
			return false;
	return l->told.files <= l->untold.files && l->told.bytes <= l->untold.bytes;
}

/* False with @error: it is there, but cannot be read or set aside. */
static bool load(struct ledger *l, GError **error)
{
	g_autofree char *bad = g_strconcat(l->path, ".damaged", NULL);
	g_autofree char *text = NULL;
	struct stat st;

	if (lstat(l->path, &st))
		return errno == ENOENT || error_set_errno(error, errno, "%s", l->path);
	text = S_ISREG(st.st_mode) ? file_read(l->path, MOST, NULL, NULL) : NULL;
	l->was_there = text && parse(l, text);
	if (l->was_there)
		return true;
	forget(l);
	if (rename(l->path, bad))
		return error_set_errno(error, errno, "%s", bad);
	fprintf(stderr, "note: %s is damaged, and is %s now: the server is asked what it has\n",
		l->path, bad);
	return true;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	const struct ledger_file *x = *(void *const *)a, *y = *(void *const *)b;

	return strcmp(x->name, y->name);
}

static GPtrArray *sorted(const struct ledger *l)
{
	GPtrArray *files = g_ptr_array_new();
	GHashTableIter i;
	void *f;

	g_hash_table_iter_init(&i, l->files);
	while (g_hash_table_iter_next(&i, NULL, &f))
		g_ptr_array_add(files, f);
	g_ptr_array_sort(files, by_name);
	return files;
}

static bool save(struct ledger *l, GError **error)
{
	g_autoptr(GString) text = g_string_new(HEAD "\n");
	g_autoptr(GPtrArray) files = sorted(l);

	g_string_append_printf(text, "dropped %" PRIu64 " %" PRIu64 "\n", l->dropped.files,
			       l->dropped.bytes);
	g_string_append_printf(text, "untold %" PRIu64 " %" PRIu64 "\n", l->untold.files,
			       l->untold.bytes);
	if (l->telling)
		g_string_append_printf(text, "telling %016" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
				       l->telling, l->told.files, l->told.bytes);
	for (u32 i = 0; i < files->len; i++) {
		const struct ledger_file *f = files->pdata[i];
		g_autofree char *name = g_strescape(f->name, NULL);

		g_string_append_printf(text,
				       "%s %" PRIx64 " %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n",
				       state_names[f->state], f->push, f->ask, f->size, f->mtime_ns,
				       f->inode, name);
	}
	return g_file_set_contents_full(
		l->path, text->str, (gssize)text->len,
		G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, error);
}

struct ledger *ledger_open(const struct ledger_options *options, GError **error)
{
	struct ledger *l = g_new0(struct ledger, 1);

	l->o = *options;
	l->files = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_file);
	l->path = g_build_filename(options->folder, NAME, NULL);
	l->folder_fd = open(options->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (l->folder_fd < 0) {
		error_set_errno(error, errno, "%s", options->folder);
	} else if (flock(l->folder_fd, LOCK_EX | LOCK_NB)) {
		if (errno == EWOULDBLOCK)
			error_set(error, PERF_ERROR_USAGE,
				  "%s: another perf ship sends this folder", options->folder);
		else
			error_set_errno(error, errno, "%s: lock", options->folder);
	} else if (load(l, error)) {
		return l;
	}
	ledger_close(l);
	return NULL;
}

void ledger_close(struct ledger *l)
{
	if (!l)
		return;
	if (l->folder_fd >= 0)
		close(l->folder_fd);
	g_hash_table_unref(l->files);
	g_free(l->path);
	g_free(l);
}

static bool is_part_name(const char *name)
{
	const char *stamp = strrchr(name, '.');

	return stamp && stamp != name && strlen(stamp + 1) == STAMP_DIGITS &&
	       strspn(stamp + 1, "0123456789") == STAMP_DIGITS;
}

static bool is_candidate(const struct ledger *l, const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_size &&
	       (l->o.force || !st->st_uid || st->st_uid == geteuid());
}

static bool is_same(const struct ledger_file *f, const struct stat *st)
{
	return f->size == (u64)st->st_size && f->mtime_ns == timespec_ns(&st->st_mtim) &&
	       f->inode == st->st_ino;
}

static void count_dropped(struct ledger *l, const struct ledger_file *f)
{
	l->dropped.files++;
	l->dropped.bytes += f->size;
	l->untold.files++;
	l->untold.bytes += f->size;
}

/* Another file has come in the place of one that waited. One that was begun is not given up: it is asked about. */
static bool add(struct ledger *l, const char *name, const struct stat *st)
{
	struct ledger_file *f = g_hash_table_lookup(l->files, name);

	if (f && is_same(f, st)) {
		f->present = true;
		return false;
	}
	if (f && f->state == LEDGER_WAITING && f->push)
		return false;
	if (f && f->state == LEDGER_WAITING)
		count_dropped(l, f);
	f = g_new0(struct ledger_file, 1);
	*f = (struct ledger_file){ .name = g_strdup(name),
				   .size = (u64)st->st_size,
				   .mtime_ns = timespec_ns(&st->st_mtim),
				   .inode = st->st_ino,
				   .present = true,
				   .ask = !l->was_there };
	g_hash_table_replace(l->files, f->name, f);
	return true;
}

static bool read_folder(struct ledger *l, bool *changed, GError **error)
{
	GDir *dir = g_dir_open(l->o.folder, 0, error);
	const char *name;

	if (!dir)
		return false;
	while ((name = g_dir_read_name(dir))) {
		struct stat st;

		if (is_part_name(name) && !fstatat(l->folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) &&
		    is_candidate(l, &st))
			*changed |= add(l, name, &st);
	}
	g_dir_close(dir);
	return true;
}

/* Only the file that was looked at. */
static void remove_file(const struct ledger *l, const struct ledger_file *f)
{
	struct stat st;

	if (l->o.remove && !fstatat(l->folder_fd, f->name, &st, AT_SYMLINK_NOFOLLOW) &&
	    S_ISREG(st.st_mode) && is_same(f, &st))
		unlinkat(l->folder_fd, f->name, 0);
}

bool ledger_scan(struct ledger *l, GError **error)
{
	bool changed = !l->was_there;
	GHashTableIter i;
	void *p;

	g_hash_table_iter_init(&i, l->files);
	while (g_hash_table_iter_next(&i, NULL, &p))
		((struct ledger_file *)p)->present = false;
	if (!read_folder(l, &changed, error))
		return false;
	g_hash_table_iter_init(&i, l->files);
	while (g_hash_table_iter_next(&i, NULL, &p)) {
		const struct ledger_file *f = p;

		if (f->state == LEDGER_SENT || f->state == LEDGER_DROPPED)
			remove_file(l, f); /* of a run without it */
		if (f->present || (f->state == LEDGER_WAITING && f->push))
			continue;
		if (f->state == LEDGER_WAITING)
			count_dropped(l, f);
		g_hash_table_iter_remove(&i);
		changed = true;
	}
	if (changed && !save(l, error))
		return false;
	l->was_there = true;
	return true;
}

bool ledger_limit(struct ledger *l, u64 bytes, GError **error)
{
	g_autoptr(GPtrArray) files = sorted(l);
	bool changed = false;
	u64 sum = 0;

	for (u32 i = 0; i < files->len; i++) {
		const struct ledger_file *f = files->pdata[i];

		if (f->state == LEDGER_WAITING)
			sum += f->size;
	}
	for (u32 i = 0; i < files->len && sum > bytes; i++) {
		struct ledger_file *f = files->pdata[i];

		if (f->state != LEDGER_WAITING || f->push)
			continue;
		sum -= f->size;
		f->state = LEDGER_DROPPED;
		count_dropped(l, f);
		remove_file(l, f);
		changed = true;
	}
	return !changed || save(l, error);
}

struct ledger_file *ledger_next(struct ledger *l)
{
	struct ledger_file *next = NULL;
	GHashTableIter i;
	void *p;

	g_hash_table_iter_init(&i, l->files);
	while (g_hash_table_iter_next(&i, NULL, &p)) {
		struct ledger_file *f = p;

		if (f->state != LEDGER_WAITING)
			continue;
		if (f->push)
			return f;
		if (!next || strcmp(f->name, next->name) < 0)
			next = f;
	}
	return next;
}

int ledger_open_file(struct ledger *l, const struct ledger_file *f)
{
	int fd = openat(l->folder_fd, f->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && S_ISREG(st.st_mode) && is_same(f, &st)))
		return fd;
	close(fd);
	errno = ENOENT;
	return -1;
}

char *ledger_path(const struct ledger *l, const struct ledger_file *f)
{
	return g_build_filename(l->o.folder, f->name, NULL);
}

bool ledger_begin(struct ledger *l, struct ledger_file *f, u64 push, struct ledger_counts *dropped,
		  bool *fresh, GError **error)
{
	bool again = f->push == push;

	*fresh = !f->ask && !f->push;
	if (l->telling != push) {
		l->telling = push;
		l->told = l->untold;
	}
	f->push = push;
	*dropped = l->told;
	return again || save(l, error);
}

bool ledger_end(struct ledger *l, struct ledger_file *f, enum ledger_state state, GError **error)
{
	if (state == LEDGER_SENT && f->push && f->push == l->telling) {
		l->untold.files -= l->told.files;
		l->untold.bytes -= l->told.bytes;
	}
	if (f->push == l->telling) {
		l->told = (struct ledger_counts){ 0 };
		l->telling = 0;
	}
	if (state == LEDGER_DROPPED)
		count_dropped(l, f);
	f->state = state;
	if (state == LEDGER_SENT || state == LEDGER_DROPPED)
		remove_file(l, f);
	return save(l, error);
}

struct ledger_counts ledger_dropped(const struct ledger *l)
{
	return l->dropped;
}
