// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "detached/pinned.h"
#include "detached/processes.h"
#include "detached/save.h"
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
			       .buildids = buildids_new(paths),
			       .build_ids_in_maps = true };
}

static void synth_end(struct synth *s)
{
	g_clear_error(&s->error);
	buildids_free(s->buildids);
}

/* A process that has samples, as it is now: from when its present program began. */
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

/* Symbols of these are not known, so nobody has to wonder. */
static void print_missing(const struct processes_told *told)
{
	u32 nr = g_hash_table_size(told->no_file), told_of = 0;
	GHashTableIter iter;
	const char *name;

	if (!nr)
		return;
	fprintf(stderr,
		"perf: %u mapped file%s without symbols: removed, replaced or of another "
		"container:",
		nr, text_plural(nr));
	g_hash_table_iter_init(&iter, told->no_file);
	while (told_of < MISSING_SHOWN && g_hash_table_iter_next(&iter, (void **)&name, NULL)) {
		g_autofree char *shown = text_shown(name);

		fprintf(stderr, "%s %s", told_of++ ? "," : "", shown);
	}
	fprintf(stderr, "%s\n", nr > told_of ? ", ..." : "");
}

static struct perfdata *read_image(const char *path, const struct pinned_image *p,
				   const GByteArray *more, GByteArray **file, GError **error)
{
	const struct image_choice choice = { .more = more };

	*file = image_to_perfdata(path, p->data, p->size, &choice, error);
	return *file ? perfdata_open_bytes(path, (*file)->data, (*file)->len, error) : NULL;
}

/*
 * Everything is read from @p, a copy, so that what is known of processes is newer than all samples.
 */
static bool save(const char *path, const struct pinned_image *p, const char *to, GError **error)
{
	struct living_records living = { { put, OUTLET_NO_RING }, g_byte_array_new() };
	GByteArray *first = NULL, *file = NULL;
	struct perfdata *pd = read_image(path, p, NULL, &first, error);
	struct processes_told *told = processes_told_new();
	bool fine = false;

	if (pd) {
		gather(path, pd, &living, told);
		print_missing(told);
		perfdata_close(pd);
		pd = read_image(path, p, living.bytes, &file, error);
	}
	if (pd)
		fine = save_opened(pd, to, error);
	processes_told_free(told);
	g_byte_array_unref(living.bytes);
	if (first)
		g_byte_array_unref(first);
	if (file)
		g_byte_array_unref(file);
	return fine;
}

bool pinned_save(const char *path, const char *to, GError **error)
{
	struct pinned_image *p = pinned_open(path, error), copy;
	bool fine;

	if (!p)
		return false;
	copy = *p;
	copy.data = g_memdup2(p->data, p->size);
	fine = save(path, &copy, to, error);
	g_free(copy.data);
	pinned_close(p);
	return fine;
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
	GByteArray *file = NULL;
	bool fine = false;

	if (!p)
		return false;
	f.source.data = p->data;
	f.source.header = &p->header;
	f.source.pd = read_image(path, p, NULL, &file, error);
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
