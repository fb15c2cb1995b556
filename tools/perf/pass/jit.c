// SPDX-License-Identifier: GPL-2.0-or-later
#include "pass/jit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "jit/jit_image.h"
#include "machine/machine.h"

/* A mapping that no recorder saw. */
struct jit_map {
	u64 time, start, size;
	u32 pid, tid;
	u64 ino;
	u32 maj, min;
	char *path;
};

struct jit_pass {
	struct pass pass;
	struct jit_options options;
	GPtrArray *maps; /* struct jit_map *, sorted by time from `next` on */
	u32 next;
	GHashTable *dumps; /* path -> itself, for those that were read */
	GHashTable *files; /* path -> struct build_id * */
	bool sorted;
};

/* One jitdump being read. */
struct jit_reading {
	struct jit_pass *jit;
	struct jitdump *dump;
	const char *folder;
	u32 pid;
	GHashTable *by_index; /* the code's number + 1 -> struct jit_map *: its present mapping */
	struct jitdump_record debug, unwinding;
	bool has_debug, has_unwinding;
};

static struct jit_pass *jit_pass(struct pass *p)
{
	return container_of(p, struct jit_pass, pass);
}

static void free_map(void *at)
{
	struct jit_map *map = at;

	g_free(map->path);
	g_free(map);
}

/* "/home/u/jit-1234.dump" */
static bool is_jitdump(const char *path)
{
	const char *base = strrchr(path, '/');
	char *end;

	if (!base || strncmp(base, "/jit-", 5) != 0 || !g_ascii_isdigit(base[5]))
		return false;
	strtoul(base + 5, &end, 10);
	return strcmp(end, ".dump") == 0;
}

static bool has_clock_of_jitdumps(const GPtrArray *evsels, GError **error)
{
	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		if (!evsel->attr.use_clockid || evsel->attr.clockid != CLOCK_MONOTONIC)
			return error_set(error, PERF_ERROR_USAGE,
					 "--jit: %s was not recorded with the clock of jitdump "
					 "files: record with -k CLOCK_MONOTONIC",
					 evsel->name);
	}
	return true;
}

static bool begin(struct pass *p, GPtrArray *evsels, GError **error)
{
	return has_clock_of_jitdumps(evsels, error);
}

/* Never follows a link, and never writes to a file that another process has open. */
static bool write_file(const char *path, const GByteArray *bytes, GError **error)
{
	int fd;
	ssize_t n;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return error_set_errno(error, errno, "%s: create", path);
	n = write(fd, bytes->data, bytes->len);
	if (close(fd) || n != (ssize_t)bytes->len) {
		error_set_errno(error, n < 0 ? errno : ENOSPC, "%s: write", path);
		unlink(path);
		return false;
	}
	return true;
}

/* The directory of the jitdump, else that of the options. */
static char *write_image(const struct jit_reading *r, u64 index, const GByteArray *bytes,
			 GError **error)
{
	g_autofree char *name = g_strdup_printf("jitted-%u-%" PRIu64 ".so", r->pid, index);
	char *path = g_build_filename(r->folder, name, NULL);
	const char *other = r->jit->options.folder;

	if (write_file(path, bytes, other ? NULL : error))
		return path;
	g_free(path);
	if (!other)
		return NULL;
	path = g_build_filename(other, name, NULL);
	if (write_file(path, bytes, error))
		return path;
	g_free(path);
	return NULL;
}

static struct jit_map *add_map(struct jit_reading *r, const struct jitdump_record *record, u64 size,
			       const char *path)
{
	struct jit_map *map = g_new0(struct jit_map, 1);
	struct stat st;

	*map = (struct jit_map){ .time = record->time,
				 .start = record->address,
				 .size = size,
				 .pid = r->pid,
				 .tid = r->pid,
				 .path = g_strdup(path) };
	if (!stat(path, &st)) {
		map->ino = st.st_ino;
		map->maj = (u32)(st.st_dev >> 8 & 0xfff);
		map->min = (u32)(st.st_dev & 0xff);
	}
	g_ptr_array_add(r->jit->maps, map);
	r->jit->sorted = false;
	g_hash_table_insert(r->by_index, GSIZE_TO_POINTER(record->index + 1), map);
	return map;
}

static bool take_load(struct jit_reading *r, const struct jitdump_record *record, GError **error)
{
	const struct jit_code code = { record, r->has_debug ? &r->debug : NULL,
				       r->has_unwinding ? &r->unwinding : NULL,
				       jitdump_machine(r->dump) };
	g_autoptr(GByteArray) bytes = NULL;
	g_autofree char *path = NULL;
	struct build_id id;

	r->has_debug = r->has_unwinding = false;
	if (!record->size)
		return true;
	bytes = jit_image_new(&code, &id);
	path = write_image(r, record->index, bytes, error);
	if (!path)
		return false;
	add_map(r, record, jit_image_size(&code), path);
	g_hash_table_replace(r->jit->files, g_strdup(path), g_memdup2(&id, sizeof(id)));
	return true;
}

static void take_move(struct jit_reading *r, const struct jitdump_record *record)
{
	const struct jit_map *before =
		g_hash_table_lookup(r->by_index, GSIZE_TO_POINTER(record->index + 1));

	if (before)
		add_map(r, record, before->size, before->path);
}

static bool take_record(struct jit_reading *r, const struct jitdump_record *record, GError **error)
{
	switch (record->kind) {
	case JITDUMP_LOAD:
		return take_load(r, record, error);
	case JITDUMP_MOVE:
		take_move(r, record);
		return true;
	case JITDUMP_DEBUG:
		r->debug = *record;
		r->has_debug = true;
		return true;
	case JITDUMP_UNWINDING:
		r->unwinding = *record;
		r->has_unwinding = true;
		return true;
	default:
		return true;
	}
}

static bool read_dump(struct jit_pass *jit, const char *path, u32 pid, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);
	struct jit_reading r = { .jit = jit, .folder = folder, .pid = pid };
	struct jitdump_record record;
	u32 before = jit->maps->len;
	bool good = true;
	int got = 1;

	r.dump = jitdump_open(path, jit->options.force, error);
	if (!r.dump)
		return false;
	r.by_index = g_hash_table_new(NULL, NULL);
	if (jitdump_counts_cycles(r.dump))
		good = error_set(
			error, PERF_ERROR_UNSUPPORTED,
			"%s: its times are cycles of the processor, expected CLOCK_MONOTONIC",
			path);
	while (good && (got = jitdump_next(r.dump, &record, error)) > 0)
		good = take_record(&r, &record, error);
	if (jit->options.verbose)
		fprintf(stderr, "%s: %u pieces of code\n", path, jit->maps->len - before);
	g_hash_table_unref(r.by_index);
	jitdump_close(r.dump);
	return good && got == 0;
}

static gint by_time(gconstpointer a, gconstpointer b)
{
	const struct jit_map *x = *(struct jit_map *const *)a, *y = *(struct jit_map *const *)b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static struct event event_of(const struct jit_map *map)
{
	return (struct event){
		.type = PERF_RECORD_MMAP2,
		.misc = PERF_RECORD_MISC_USER,
		.id = { .pid = map->pid, .tid = map->tid, .time = map->time, .has_time = true },
		.mmap = { .pid = map->pid,
			  .tid = map->tid,
			  .start = map->start,
			  .len = map->size,
			  .pgoff = JIT_IMAGE_TEXT,
			  .prot = PROT_READ | PROT_EXEC,
			  .flags = MAP_SHARED,
			  .maj = map->maj,
			  .min = map->min,
			  .ino = map->ino,
			  .has_inode = true,
			  .filename = map->path }
	};
}

/* Events that later passes hold back are older than the mapping. */
static bool tell_live(const struct jit_pass *jit, const struct event *ev, GError **error)
{
	for (struct pass *p = jit->pass.next; p; p = p->next)
		if (p->ops->flush && !p->ops->flush(p, error))
			return false;
	machine_apply(jit->options.live, ev);
	machine_seal(jit->options.live);
	return true;
}

static bool give_map(struct jit_pass *jit, const struct jit_map *map, GError **error)
{
	const struct evsel *evsel = g_ptr_array_index(jit->pass.evsels, 0);
	struct event ev = event_of(map);

	ev.id.id = evsel->nr_ids ? evsel->ids[0] : 0;
	if (jit->options.live && !tell_live(jit, &ev, error))
		return false;
	return pass_on_made(&jit->pass, &ev, evsel, error);
}

/* Passes on mappings up to @time, before the next event. */
static bool give_maps(struct jit_pass *jit, u64 time, GError **error)
{
	bool good = true;

	if (!jit->sorted && jit->next < jit->maps->len)
		qsort(jit->maps->pdata + jit->next, jit->maps->len - jit->next, sizeof(gpointer),
		      by_time);
	jit->sorted = true;
	while (good && jit->next < jit->maps->len) {
		const struct jit_map *map = g_ptr_array_index(jit->maps, jit->next);

		if (map->time > time)
			break;
		good = give_map(jit, map, error);
		jit->next++;
	}
	return good;
}

static bool maps_jitdump(const struct event *ev)
{
	return (ev->type == PERF_RECORD_MMAP || ev->type == PERF_RECORD_MMAP2) &&
	       is_jitdump(ev->mmap.filename);
}

/* Each is read once. */
static bool take_dump(struct jit_pass *jit, const struct event *ev, GError **error)
{
	char *key = g_strdup_printf("%u %s", ev->mmap.pid, ev->mmap.filename);

	return !g_hash_table_add(jit->dumps, key) ||
	       read_dump(jit, ev->mmap.filename, ev->mmap.pid, error);
}

static bool foretell(struct pass *p, const GPtrArray *evsels, const struct event *ev,
		     struct machine *machine, GError **error)
{
	struct jit_pass *jit = jit_pass(p);
	u32 before = jit->maps->len;

	if (!maps_jitdump(ev))
		return true;
	if (!has_clock_of_jitdumps(evsels, error) || !take_dump(jit, ev, error))
		return false;
	for (u32 i = before; i < jit->maps->len; i++) {
		struct event map = event_of(g_ptr_array_index(jit->maps, i));

		machine_apply(machine, &map);
	}
	return true;
}

static bool take(struct pass *p, const struct event *ev, GError **error)
{
	struct jit_pass *jit = jit_pass(p);

	if (maps_jitdump(ev))
		return take_dump(jit, ev, error);
	if (ev->type < PERFDATA_USER_TYPE_START && ev->id.time &&
	    !give_maps(jit, ev->id.time, error))
		return false;
	return pass_on(p, ev, error);
}

static void conclude(struct pass *p, struct perfdata_info *info)
{
	GHashTableIter iter;
	void *path;
	const struct build_id *id;

	g_hash_table_iter_init(&iter, jit_pass(p)->files);
	while (g_hash_table_iter_next(&iter, &path, (void **)&id))
		perfdata_info_add_build_id(info, EVENT_NO_PID, PERF_RECORD_MISC_USER, id->bytes,
					   id->size, path);
}

static void free_jit(struct pass *p)
{
	struct jit_pass *jit = jit_pass(p);

	g_ptr_array_unref(jit->maps);
	g_hash_table_unref(jit->dumps);
	g_hash_table_unref(jit->files);
	g_free(jit);
}

static const struct pass_ops jit_ops = {
	.name = "jit",
	.foretell = foretell,
	.begin = begin,
	.take = take,
	.conclude = conclude,
	.free = free_jit,
};

struct pass *jit_pass_new(const struct jit_options *options)
{
	struct jit_pass *jit = g_new0(struct jit_pass, 1);

	jit->pass.ops = &jit_ops;
	jit->options = *options;
	jit->maps = g_ptr_array_new_with_free_func(free_map);
	jit->dumps = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	jit->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return &jit->pass;
}
