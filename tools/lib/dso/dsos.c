// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/dsos.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dso/private.h"

struct dsos {
	struct dso_options options;
	struct dsos *first; /* whose `all` has the dsos of this one too; itself, mostly */
	GMutex lock;
	GPtrArray *all;	     /* id -> struct dso * */
	GHashTable *by_key;  /* struct dso_key -> struct dso * */
	GHashTable *known;   /* long name -> struct build_id * */
	GHashTable *by_name; /* long name -> GPtrArray of its dsos */
	struct dso *kernel;  /* the first DSO_KERNEL entered: an atomic pointer */
};

struct dso_key {
	const char *name;
	struct build_id id;
};

static u32 key_hash(const void *p)
{
	const struct dso_key *k = p;
	u32 h = g_str_hash(k->name);

	for (int i = 0; i < k->id.size; i++)
		h = h * 31 + k->id.bytes[i];
	return h;
}

static int key_equal(const void *a, const void *b)
{
	const struct dso_key *x = a, *y = b;

	return !strcmp(x->name, y->name) && !memcmp(x->id.bytes, y->id.bytes, sizeof(x->id.bytes));
}

static char *default_buildid_dir(void)
{
	const char *home = getenv("HOME");

	return g_build_filename(home ?: "/", ".debug", NULL);
}

struct dsos *dsos_new(const struct dso_options *options)
{
	struct dsos *dsos = g_new0(struct dsos, 1);
	const struct dso_options none = { 0 };
	const struct dso_options *o = options ?: &none;

	dsos->options = *o;
	dsos->options.symfs = o->symfs && o->symfs[0] ? g_strdup(o->symfs) : NULL;
	dsos->options.vmlinux = g_strdup(o->vmlinux);
	dsos->options.kallsyms = g_strdup(o->kallsyms);
	dsos->options.buildid_dir = o->buildid_dir ? g_strdup(o->buildid_dir)
						   : default_buildid_dir();
	dsos->options.debug_dir = g_strdup(o->debug_dir ?: "/usr/lib/debug");
	dsos->first = dsos;
	g_mutex_init(&dsos->lock);
	dsos->all = g_ptr_array_new();
	dsos->by_key = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
	dsos->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	dsos->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					      (GDestroyNotify)g_ptr_array_unref);
	return dsos;
}

struct dsos *dsos_new_beside(struct dsos *first, const struct dso_options *options)
{
	struct dsos *dsos = dsos_new(options);

	dsos->first = first->first;
	return dsos;
}

static void dso_free(struct dso *dso)
{
	lines_free(dso->lines);
	debug_close(dso);
	module_close(dso->module);
	symtab_free(dso->symtab);
	kernel_free_modules(dso->module_syms);
	if (dso->old_symtabs)
		g_ptr_array_free(dso->old_symtabs, TRUE);
	if (dso->extra)
		g_array_free(dso->extra, TRUE);
	if (dso->debug != dso->code)
		image_close(dso->debug);
	image_close(dso->code);
	image_close(dso->mini);
	absence_clear(&dso->no_code);
	absence_clear(&dso->no_debug);
	absence_clear(&dso->no_symbols);
	g_rec_mutex_clear(&dso->lock);
	g_free(dso->reference);
	if (dso->shown_name != dso->long_name)
		g_free(dso->shown_name);
	g_free(dso->long_name);
	g_free(dso->short_name);
	g_free(dso);
}

void dsos_free(struct dsos *dsos)
{
	if (!dsos)
		return;
	g_hash_table_destroy(dsos->by_key);
	g_hash_table_destroy(dsos->by_name);
	g_hash_table_destroy(dsos->known);
	for (u32 i = 0; i < dsos->all->len; i++)
		dso_free(g_ptr_array_index(dsos->all, i));
	g_ptr_array_free(dsos->all, TRUE);
	g_mutex_clear(&dsos->lock);
	g_free((char *)dsos->options.symfs);
	g_free((char *)dsos->options.vmlinux);
	g_free((char *)dsos->options.kallsyms);
	g_free((char *)dsos->options.buildid_dir);
	g_free((char *)dsos->options.debug_dir);
	g_free(dsos);
}

/* "/lib/modules/6.1/kernel/net/br_netfilter.ko.xz" -> "[br_netfilter]" */
static char *module_short_name(const char *long_name)
{
	const char *slash = strrchr(long_name, '/');
	g_autofree char *name = g_strdup(slash ? slash + 1 : long_name);
	char *ko = strstr(name, ".ko");

	if (name[0] == '[')
		return g_steal_pointer(&name);
	if (ko && (!ko[3] || ko[3] == '.'))
		*ko = 0;
	return g_strdup_printf("[%s]", g_strdelimit(name, "-", '_'));
}

static char *jit_short_name(const char *long_name)
{
	const char *slash = strrchr(long_name, '/');
	int pid;

	if (slash && sscanf(slash, "/perf-%d.map", &pid) == 1)
		return g_strdup_printf("[JIT] tid %d", pid);
	return g_strdup(slash ? slash + 1 : long_name);
}

static char *make_short_name(const struct dsos *dsos, const char *long_name, enum dso_kind kind)
{
	const char *slash = strrchr(long_name, '/');

	switch (kind) {
	case DSO_KERNEL:
		return g_strdup(dsos->options.vmlinux ? "[kernel.vmlinux]" : "[kernel.kallsyms]");
	case DSO_MODULE:
		return module_short_name(long_name);
	case DSO_JIT:
		return jit_short_name(long_name);
	default:
		/* A name that ends in a slash, or is all there is, stays whole. */
		return g_strdup(slash && slash[1] ? slash + 1 : long_name);
	}
}

/* @other: of a table beside, whose lock is not this one's. */
static void add_to_all(struct dsos *dsos, struct dso *dso, bool other)
{
	if (other)
		g_mutex_lock(&dsos->lock);
	dso->id = dsos->all->len;
	g_ptr_array_add(dsos->all, dso);
	if (other)
		g_mutex_unlock(&dsos->lock);
}

static struct dso *dso_new(struct dsos *dsos, const char *long_name, const struct build_id *id,
			   enum dso_kind kind)
{
	struct dso *dso = g_new0(struct dso, 1);
	struct dso_key *key = g_new0(struct dso_key, 1);
	GPtrArray *same;

	dso->table = dsos;
	dso->options = &dsos->options;
	dso->kernel = &dsos->kernel;
	dso->kind = kind;
	dso->long_name = g_strdup(long_name);
	dso->shown_name = text_is_shown(long_name) ? dso->long_name : text_shown(long_name);
	dso->short_name = make_short_name(dsos, dso->shown_name, kind);
	dso->recorded = *id;
	g_rec_mutex_init(&dso->lock);
	key->name = dso->long_name;
	key->id = *id;
	g_hash_table_insert(dsos->by_key, key, dso);
	add_to_all(dsos->first, dso, dsos->first != dsos);
	same = g_hash_table_lookup(dsos->by_name, long_name);
	if (!same) {
		same = g_ptr_array_new();
		g_hash_table_insert(dsos->by_name, dso->long_name, same);
	}
	g_ptr_array_add(same, dso);
	if (kind == DSO_KERNEL && !dsos->kernel)
		g_atomic_pointer_set(&dsos->kernel, dso);
	return dso;
}

static struct dso *find_in(struct dsos *first, const struct dso_key *key)
{
	struct dso *dso;

	g_mutex_lock(&first->lock);
	dso = g_hash_table_lookup(first->by_key, key);
	g_mutex_unlock(&first->lock);
	return dso;
}

struct dso *dsos_get(struct dsos *dsos, const char *long_name, const u8 *build_id,
		     size_t build_id_size, enum dso_kind kind)
{
	struct dso_key key = { .name = long_name };
	const struct build_id *known;
	struct dso *dso;

	if (build_id && build_id_size)
		key.id = build_id_of(build_id, build_id_size);
	g_mutex_lock(&dsos->lock);
	if (!key.id.size && (known = g_hash_table_lookup(dsos->known, long_name)))
		key.id = *known;
	dso = g_hash_table_lookup(dsos->by_key, &key);
	if (!dso && key.id.size && dsos->first != dsos)
		dso = find_in(dsos->first, &key);
	if (!dso)
		dso = dso_new(dsos, long_name, &key.id, kind);
	g_mutex_unlock(&dsos->lock);
	return dso;
}

void dsos_know_build_id(struct dsos *dsos, const char *long_name, const u8 *build_id,
			size_t build_id_size)
{
	struct build_id id = build_id_of(build_id, build_id_size);
	GPtrArray *same;

	if (!id.size)
		return;
	g_mutex_lock(&dsos->lock);
	g_hash_table_replace(dsos->known, g_strdup(long_name), g_memdup2(&id, sizeof(id)));
	same = g_hash_table_lookup(dsos->by_name, long_name);
	for (u32 i = 0; same && i < same->len; i++) {
		struct dso *dso = g_ptr_array_index(same, i);
		struct dso_key *key = g_new0(struct dso_key, 1);

		if (dso->recorded.size || g_atomic_int_get(&dso->code_done)) {
			g_free(key);
			continue;
		}
		/* Reachable under both keys: an asker may know the id or not. */
		dso->recorded = id;
		key->name = dso->long_name;
		key->id = id;
		if (g_hash_table_contains(dsos->by_key, key))
			g_free(key);
		else
			g_hash_table_insert(dsos->by_key, key, dso);
	}
	g_mutex_unlock(&dsos->lock);
}

u32 dsos_count(struct dsos *dsos)
{
	u32 nr;

	dsos = dsos->first;
	g_mutex_lock(&dsos->lock);
	nr = dsos->all->len;
	g_mutex_unlock(&dsos->lock);
	return nr;
}

struct dso *dsos_at(struct dsos *dsos, u32 id)
{
	struct dso *dso;

	dsos = dsos->first;
	g_mutex_lock(&dsos->lock);
	dso = id < dsos->all->len ? g_ptr_array_index(dsos->all, id) : NULL;
	g_mutex_unlock(&dsos->lock);
	return dso;
}
