// SPDX-License-Identifier: GPL-2.0-or-later
#include "chains/objects.h"

#include <glib.h>
#include <pthread.h>

#include "chains/go_stacks.h"
#include "dso/image.h"
#include "dso/kept.h"

struct objects {
	pthread_mutex_t lock;
	GHashTable *by_dso;	 /* struct dso * -> struct cfi *; NULL: there is none */
	GHashTable *by_build_id; /* the same by hexadecimal build-id */
	GPtrArray *all;		 /* struct cfi * */
	char *folder;		 /* for rows kept between runs; NULL: none are kept */
	bool local;
};

static void close_cfi(gpointer cfi)
{
	cfi_close(cfi);
}

struct objects *objects_new(void)
{
	struct objects *o = g_new0(struct objects, 1);

	pthread_mutex_init(&o->lock, NULL);
	o->by_dso = g_hash_table_new(NULL, NULL);
	o->by_build_id = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	o->all = g_ptr_array_new_with_free_func(close_cfi);
	o->folder = kept_folder("PERF_UNWIND_CACHE", "unwind");
	return o;
}

void objects_free(struct objects *o)
{
	if (!o)
		return;
	g_hash_table_destroy(o->by_dso);
	g_hash_table_destroy(o->by_build_id);
	g_ptr_array_unref(o->all);
	pthread_mutex_destroy(&o->lock);
	g_free(o->folder);
	g_free(o);
}

void objects_stay_local(struct objects *o)
{
	o->local = true;
}

/* libelf reads the sections of an image, so only one thread may do it at a time. */
static struct cfi *open_cfi(const struct objects *o, struct dso *dso)
{
	const struct image *code = dso_code_image(dso);
	struct cfi *cfi;
	GElf_Shdr shdr;

	if (!code)
		return NULL;
	dso_lock(dso);
	if (o->local || image_section(code, ".eh_frame", &shdr))
		cfi = cfi_open(code, code);
	else
		cfi = cfi_open(code, dso_debug_image(dso));
	if (cfi && o->folder && code->build_id.size)
		cfi_keep(cfi, o->folder, &code->build_id);
	if (cfi)
		go_stacks_tell(code, cfi);
	dso_unlock(dso);
	return cfi;
}

/* The caller holds the lock. */
static struct cfi *find_or_open(struct objects *o, struct dso *dso)
{
	const struct image *code = dso_code_image(dso);
	char hex[BUILD_ID_HEX];
	struct cfi *cfi;
	gpointer known;

	if (!code || !code->build_id.size)
		cfi = open_cfi(o, dso);
	else if (g_hash_table_lookup_extended(o->by_build_id, build_id_hex(&code->build_id, hex),
					      NULL, &known))
		return known;
	else
		cfi = open_cfi(o, dso);
	if (cfi)
		g_ptr_array_add(o->all, cfi);
	if (code && code->build_id.size)
		g_hash_table_insert(o->by_build_id, g_strdup(hex), cfi);
	return cfi;
}

struct cfi *objects_cfi(struct objects *o, struct dso *dso)
{
	gpointer cfi;

	if (dso_kind(dso) != DSO_USER && dso_kind(dso) != DSO_VDSO)
		return NULL;
	pthread_mutex_lock(&o->lock);
	if (!g_hash_table_lookup_extended(o->by_dso, dso, NULL, &cfi)) {
		cfi = find_or_open(o, dso);
		g_hash_table_insert(o->by_dso, dso, cfi);
	}
	pthread_mutex_unlock(&o->lock);
	return cfi;
}
