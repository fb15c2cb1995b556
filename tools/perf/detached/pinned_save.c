// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "detached/pinned.h"
#include "detached/save.h"
#include "perfdata/image/image_read.h"
#include "perfdata/read/reader.h"
#include "record/buildids.h"
#include "record/synth.h"

struct living_records {
	struct outlet outlet;
	GByteArray *bytes;
};

static void put(struct outlet *outlet, const void *records, size_t size)
{
	g_byte_array_append(container_of(outlet, struct living_records, outlet)->bytes, records,
			    (guint)size);
}

/* The processes that have samples, as they are now. What is gone has nothing to tell. */
static void gather_living(struct perfdata *pd, struct living_records *g)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	const struct kernel_paths *paths = kernel_paths_host();
	struct buildids *ids = buildids_new(paths);
	struct synth s = { .paths = paths,
			   .evsel = g_ptr_array_index(perfdata_evsels(pd), 0),
			   .out = &g->outlet,
			   .buildids = ids,
			   .build_ids_in_maps = true };
	struct event ev;

	perfdata_want(pd, PERFDATA_WANT_SAMPLES);
	while (perfdata_next(pd, &ev, NULL) > 0)
		if (ev.sample.pid && g_hash_table_add(seen, GUINT_TO_POINTER(ev.sample.pid)))
			synth_process(&s, (pid_t)ev.sample.pid);
	g_clear_error(&s.error);
	buildids_free(ids);
}

static struct perfdata *read_image(const char *path, const struct pinned_image *p,
				   const GByteArray *more, GByteArray **file, GError **error)
{
	const struct image_choice choice = { .more = more };

	*file = image_to_perfdata(path, p->data, p->size, &choice, error);
	return *file ? perfdata_open_bytes(path, (*file)->data, (*file)->len, error) : NULL;
}

static bool save(const char *path, const struct pinned_image *p, const char *to, GError **error)
{
	struct living_records living = { { put, OUTLET_NO_RING }, g_byte_array_new() };
	GByteArray *first = NULL, *file = NULL;
	struct perfdata *pd = read_image(path, p, NULL, &first, error);
	bool fine = false;

	if (pd) {
		gather_living(pd, &living);
		perfdata_close(pd);
		pd = read_image(path, p, living.bytes, &file, error);
	}
	if (pd)
		fine = save_opened(pd, to, error);
	g_byte_array_unref(living.bytes);
	if (first)
		g_byte_array_unref(first);
	if (file)
		g_byte_array_unref(file);
	return fine;
}

bool pinned_save(const char *path, const char *to, GError **error)
{
	struct pinned_image *p = pinned_open(path, error);
	bool fine;

	if (!p)
		return false;
	fine = save(path, p, to, error);
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
