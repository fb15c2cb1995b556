// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "detached/pinned.h"
#include "detached/processes.h"
#include "detached/save.h"
#include "detached/shelf.h"
#include "detached/tail.h"
#include "perfdata/image/image_read.h"
#include "perfdata/read/reader.h"
#include "record/buildids.h"
#include "record/synth.h"

#define MISSING_SHOWN 5

struct living_records {
	struct outlet outlet;
	GByteArray *bytes;
};

static void put(struct outlet *outlet, const void *records, size_t size)
{
	g_byte_array_append(container_of(outlet, struct living_records, outlet)->bytes, records,
			    (guint)size);
}

static struct synth synth_begin(struct outlet *out, struct perfdata *pd)
{
	const struct kernel_paths *paths = kernel_paths_host();

	return (struct synth){ .paths = paths,
			       .evsel = g_ptr_array_index(perfdata_evsels(pd), 0),
			       .out = out,
			       .buildids = buildids_new(paths, NULL),
			       .build_ids_in_maps = true };
}

static void synth_end(struct synth *s)
{
	g_clear_error(&s->error);
	buildids_free(s->buildids);
}

/* Adds the present state of a process with samples, from the start of its present program on. */
static void gather_living(struct synth *s, u32 pid, const struct processes_told *told)
{
	const u64 *since = g_hash_table_lookup(told->since, GUINT_TO_POINTER(pid));

	s->time = since ? *since + 1 : 0;
	synth_process(s, (pid_t)pid);
}

static void gather(const char *path, struct perfdata *pd, struct living_records *g,
		   struct processes_told *told)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	struct synth s = synth_begin(&g->outlet, pd);
	struct event ev;

	processes_tell(path, &s, told);
	perfdata_want(pd, PERFDATA_WANT_SAMPLES);
	while (perfdata_next(pd, &ev, NULL) > 0)
		if (ev.sample.pid && g_hash_table_add(seen, GUINT_TO_POINTER(ev.sample.pid)))
			gather_living(&s, ev.sample.pid, told);
	synth_end(&s);
}

/* Tells the user for which files symbols are missing. */
static void print_missing(const struct processes_told *told)
{
	u32 nr = g_hash_table_size(told->no_file), told_of = 0;
	GHashTableIter iter;
	const char *name;

	if (!nr)
		return;
	fprintf(stderr,
		"perf: %u mapped file%s without symbols: removed, replaced or in another "
		"container:",
		nr, text_plural(nr));
	g_hash_table_iter_init(&iter, told->no_file);
	while (told_of < MISSING_SHOWN && g_hash_table_iter_next(&iter, (void **)&name, NULL)) {
		g_autofree char *shown = text_shown(name);

		fprintf(stderr, "%s %s", told_of++ ? "," : "", shown);
	}
	fprintf(stderr, "%s\n", nr > told_of ? ", ..." : "");
}

/*
 * Joins the image and the facts about processes. The image is copied first, so the facts are newer
 * than all samples.
 */
static GByteArray *join(const char *path, const struct pinned_image *shared,
			struct image_choice *choice, struct processes_told *told, GError **error)
{
	struct living_records living = { { put, OUTLET_NO_RING }, g_byte_array_new() };
	g_autofree void *copy = g_memdup2(shared->data, shared->size);
	GByteArray *first = image_to_perfdata(path, copy, shared->size, choice, error);
	struct perfdata *pd = NULL;
	GByteArray *file = NULL;

	if (first)
		pd = perfdata_open_bytes(path, first->data, first->len, error);
	if (pd) {
		gather(path, pd, &living, told);
		perfdata_close(pd);
		choice->more = living.bytes;
		file = image_to_perfdata(path, copy, shared->size, choice, error);
		choice->more = NULL;
	}
	g_byte_array_unref(living.bytes);
	if (first)
		g_byte_array_unref(first);
	return file;
}

bool pinned_save(const char *path, const char *to, GError **error)
{
	struct pinned_image *p = pinned_open(path, error);
	struct processes_told *told = processes_told_new();
	struct image_choice choice = { 0 };
	g_autoptr(GByteArray) file = p ? join(path, p, &choice, told, error) : NULL;
	struct perfdata *pd = file ? perfdata_open_bytes(path, file->data, file->len, error) : NULL;

	if (p)
		pinned_close(p);
	if (pd)
		print_missing(told);
	processes_told_free(told);
	return pd && save_opened(pd, to, error);
}

GByteArray *pinned_to_perfdata(const char *path, const struct image_choice *choice)
{
	struct pinned_image *p = pinned_open(path, NULL);
	struct processes_told *told = processes_told_new();
	struct image_choice own = *choice;
	GByteArray *file = p ? join(path, p, &own, told, NULL) : NULL;

	processes_told_free(told);
	if (p)
		pinned_close(p);
	return file;
}

struct pinned_search {
	const struct image_header *header;
	u32 pid;
	u64 born;
	bool found;
};

static void look_for_pid(const struct perf_event_header *record, const struct image_chunk *chunk,
			 u64 place, void *arg)
{
	struct pinned_search *search = arg;
	u64 at = sizeof(*record) + 8 * (u64)(u32)search->header->tid_word;
	u64 time_at = sizeof(*record) + 8 * (u64)(u32)search->header->time_word, time;
	u32 pid;

	if (!chunk || search->header->tid_word < 0 || at + 8 > record->size ||
	    search->header->time_word < 0 || time_at + 8 > record->size)
		return;
	memcpy(&pid, (const u8 *)record + at, sizeof(pid));
	memcpy(&time, (const u8 *)record + time_at, sizeof(time));
	search->found |= pid == search->pid && time >= search->born;
}

char *pinned_find(u32 pid, u64 born)
{
	g_autofree char *dir = pinned_dir();
	g_autoptr(GPtrArray) paths = dir ? shelf_list(dir, NULL) : NULL;
	struct pinned_search search = { .pid = pid, .born = born };

	for (u32 i = 0; paths && i < paths->len; i++) {
		struct pinned_image *p = pinned_open(g_ptr_array_index(paths, i), NULL);

		if (!p)
			continue;
		search.header = &p->header;
		image_each_record(p->data, &p->header, look_for_pid, &search);
		pinned_close(p);
		if (search.found)
			return g_strdup(g_ptr_array_index(paths, i));
	}
	return NULL;
}

struct pinned_following {
	struct tail_source source;
	const char *path;
	struct processes_told *told;
};

static bool is_written(struct tail_source *source)
{
	return pinned_has_links(container_of(source, struct pinned_following, source)->path);
}

static void describe(struct tail_source *source, struct outlet *out)
{
	struct pinned_following *f = container_of(source, struct pinned_following, source);
	struct synth s = synth_begin(out, source->pd);

	processes_tell(f->path, &s, f->told);
	synth_end(&s);
}

bool pinned_tail(const char *path, int fd, GError **error)
{
	struct pinned_following f = { { .is_written = is_written, .describe = describe }, path };
	struct pinned_image *p = pinned_open(path, error);
	const struct image_choice choice = { 0 };
	GByteArray *file;
	bool fine = false;

	if (!p)
		return false;
	f.source.data = p->data;
	f.source.header = &p->header;
	file = image_to_perfdata(path, p->data, p->size, &choice, error);
	if (file)
		f.source.pd = perfdata_open_bytes(path, file->data, file->len, error);
	if (f.source.pd) {
		f.told = processes_told_new();
		fine = tail_source(&f.source, fd, error);
		processes_told_free(f.told);
		perfdata_close(f.source.pd);
	}
	if (file)
		g_byte_array_unref(file);
	pinned_close(p);
	return fine;
}

bool pinned_stop(const char *path, GError **error)
{
	struct pinned_image *p = pinned_open(path, error);
	struct image_header *h;

	if (!p)
		return false;
	h = p->data;
	if (!p->is_recording) {
		pinned_close(p);
		return error_set(error, PERF_ERROR_ABSENT, "the recording %s has ended already",
				 path);
	}
	h->reason = IMAGE_REASON_STOPPED;
	h->state = IMAGE_ENDED;
	pinned_close(p);
	return pinned_unlink_links(path, error);
}
