// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/dsos.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dso/private.h"

#define DSOS_PER_BLOCK 512u
/* Block size of the GStringChunk. */
#define TEXTS_SIZE (64 << 10)

static void contents_free(struct dso *dso)
{
	struct dso_contents *c = dso->contents;

	lines_free(c->lines);
	debug_close(dso);
	module_close(c->module);
	symtab_free(c->symtab);
	kernel_free_modules(c->module_syms);
	if (c->old_symtabs)
		g_ptr_array_free(c->old_symtabs, TRUE);
	if (c->extra)
		g_array_free(c->extra, TRUE);
	if (c->texts)
		g_ptr_array_free(c->texts, TRUE);
	if (c->debug != c->code)
		image_close(c->debug);
	image_close(c->code);
	image_close(c->mini);
	absence_clear(&c->no_code);
	absence_clear(&c->no_debug);
	absence_clear(&c->no_symbols);
	pthread_mutex_destroy(&c->lock);
	g_free(c->reference);
	g_free(c);
}

static void destroy(void *p)
{
	struct dsos *dsos = p;

	for (u32 i = 0; i < dsos->opened->len; i++)
		contents_free(g_ptr_array_index(dsos->opened, i));
	g_ptr_array_free(dsos->opened, TRUE);
	g_ptr_array_free(dsos->beside, TRUE);
	table_release(&dsos->by_key);
	g_hash_table_destroy(dsos->known);
	g_ptr_array_free(dsos->all, TRUE);
	g_ptr_array_free(dsos->blocks, TRUE);
	g_string_chunk_free(dsos->texts);
	pthread_mutex_destroy(&dsos->lock);
	g_free((char *)dsos->options.symfs);
	g_free((char *)dsos->options.vmlinux);
	g_free((char *)dsos->options.kallsyms);
	g_free((char *)dsos->options.buildid_dir);
	g_free((char *)dsos->options.debug_dir);
	g_free(dsos);
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
						   : build_id_cache_folder();
	dsos->options.debug_dir = g_strdup(o->debug_dir ?: "/usr/lib/debug");
	dsos->first = dsos;
	pthread_mutex_init(&dsos->lock, NULL);
	dsos->all = g_ptr_array_new();
	dsos->blocks = g_ptr_array_new_with_free_func(g_free);
	table_init(&dsos->by_key);
	dsos->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	dsos->texts = g_string_chunk_new(TEXTS_SIZE);
	dsos->opened = g_ptr_array_new();
	dsos->beside = g_ptr_array_new_with_free_func(destroy);
	return dsos;
}

struct dsos *dsos_new_beside(struct dsos *first, const struct dso_options *options)
{
	struct dsos *dsos = dsos_new(options);

	dsos->first = first = first->first;
	pthread_mutex_lock(&first->lock);
	g_ptr_array_add(first->beside, dsos);
	pthread_mutex_unlock(&first->lock);
	return dsos;
}

void dsos_free(struct dsos *dsos)
{
	/* If @dsos is beside another one, that one frees it: others may still point into it. */
	if (dsos && dsos->first == dsos)
		destroy(dsos);
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

/* Copies @made to the table's texts and frees it. Returns the copy. */
static const char *keep(struct dsos *dsos, char *made)
{
	const char *kept = g_string_chunk_insert(dsos->texts, made);

	g_free(made);
	return kept;
}

/* @long_name is one of the table's texts. */
static const char *short_name(struct dsos *dsos, const char *long_name, enum dso_kind kind)
{
	const char *slash = strrchr(long_name, '/');

	switch (kind) {
	case DSO_KERNEL:
		return dsos->options.vmlinux ? "[kernel.vmlinux]" : "[kernel.kallsyms]";
	case DSO_MODULE:
		return keep(dsos, module_short_name(long_name));
	case DSO_JIT:
		return keep(dsos, jit_short_name(long_name));
	default:
		/* If no slash is in the name, or the last one ends it, the short name is the whole name. */
		return slash && slash[1] ? slash + 1 : long_name;
	}
}

static void add_to_all(struct dsos *first, struct dso *dso)
{
	dso->id = first->all->len;
	g_ptr_array_add(first->all, dso);
}

static u32 key_hash(const char *name, const struct build_id *id)
{
	u64 h = 0, part;
	size_t left = strlen(name);

	for (; left >= sizeof(part); name += sizeof(part), left -= sizeof(part)) {
		memcpy(&part, name, sizeof(part));
		h = table_mix(h, part);
	}
	part = 0;
	memcpy(&part, name, left);
	h = table_mix(h, part);
	for (u32 i = 0; i < id->size; i++)
		h = table_mix(h, id->bytes[i]);
	return table_fold(h);
}

static struct dso *dso_at(const struct dsos *dsos, u32 position)
{
	struct dso *block = g_ptr_array_index(dsos->blocks, position / DSOS_PER_BLOCK);

	return &block[position % DSOS_PER_BLOCK];
}

/* The dso's position in the table's blocks; -1: not found. */
static s64 find_position(const struct dsos *dsos, u32 hash, const char *long_name,
			 const struct build_id *id, bool unknown)
{
	u32 at = hash;
	s64 position;

	while ((position = table_next(&dsos->by_key, hash, &at)) >= 0) {
		const struct dso *dso = dso_at(dsos, (u32)position);

		if (!strcmp(dso->long_name, long_name) &&
		    !memcmp(dso->recorded.bytes, id->bytes, sizeof(id->bytes)) &&
		    dso->unknown == unknown)
			return position;
	}
	return -1;
}

static struct dso *dso_find(const struct dsos *dsos, u32 hash, const char *long_name,
			    const struct build_id *id, bool unknown)
{
	s64 position = find_position(dsos, hash, long_name, id, unknown);

	return position >= 0 ? dso_at(dsos, (u32)position) : NULL;
}

static struct dso *dso_new(struct dsos *dsos, u32 hash, const char *long_name,
			   const struct build_id *id, enum dso_kind kind)
{
	struct dso *dso;

	if (dsos->nr % DSOS_PER_BLOCK == 0)
		g_ptr_array_add(dsos->blocks, g_new0(struct dso, DSOS_PER_BLOCK));
	table_add(&dsos->by_key, hash, dsos->nr);
	dso = dso_at(dsos, dsos->nr++);
	dso->table = dsos;
	dso->kind = kind;
	dso->long_name = g_string_chunk_insert(dsos->texts, long_name);
	dso->shown_name = text_is_shown(long_name) ? dso->long_name
						   : keep(dsos, text_shown(long_name));
	dso->short_name = short_name(dsos, dso->shown_name, kind);
	dso->recorded = *id;
	if (dsos->first == dsos)
		add_to_all(dsos, dso);
	if (kind == DSO_KERNEL && !dsos->kernel)
		g_atomic_pointer_set(&dsos->kernel, dso);
	return dso;
}

struct dso *dsos_get(struct dsos *dsos, const char *long_name, const u8 *build_id,
		     size_t build_id_size, enum dso_kind kind)
{
	struct build_id id = { 0 };
	const struct build_id *known;
	struct dso *dso;
	bool unknown;
	u32 hash;

	if (build_id && build_id_size)
		id = build_id_of(build_id, build_id_size);
	unknown = build_id && build_id_size && !id.size && kind == DSO_USER;
	pthread_mutex_lock(&dsos->lock);
	if (!id.size && !unknown && g_hash_table_size(dsos->known) &&
	    (known = g_hash_table_lookup(dsos->known, long_name)))
		id = *known;
	hash = key_hash(long_name, &id);
	dso = dso_find(dsos, hash, long_name, &id, unknown);
	if (!dso) {
		dso = dso_new(dsos, hash, long_name, &id, kind);
		dso->unknown = unknown;
	}
	pthread_mutex_unlock(&dsos->lock);
	return dso;
}

struct dso *dsos_get_by_contents(struct dsos *dsos, const char *long_name,
				 const struct build_id *contents)
{
	u32 hash = key_hash(long_name, contents);
	struct dso *dso;

	pthread_mutex_lock(&dsos->lock);
	dso = dso_find(dsos, hash, long_name, contents, false);
	if (!dso)
		dso = dso_new(dsos, hash, long_name, contents, DSO_USER);
	dso->by_contents = true;
	pthread_mutex_unlock(&dsos->lock);
	return dso;
}

/* With KASLR, a kernel has other addresses at each boot. A dso has the addresses of one boot. */
static bool same_addresses(const struct dso *a, const struct dso *b)
{
	const struct dso_contents *of_a = a->contents, *of_b = b->contents;

	if (a->kind != DSO_KERNEL && a->kind != DSO_MODULE)
		return true;
	return (of_a ? of_a->reference_va : 0) == (of_b ? of_b->reference_va : 0) &&
	       g_strcmp0(of_a ? of_a->reference : NULL, of_b ? of_b->reference : NULL) == 0;
}

static struct dso *find_same(const struct dsos *first, const struct dso *dso)
{
	const struct build_id *id = &dso->recorded;
	struct dso *same =
		id->size ? dso_find(first, key_hash(dso->long_name, id), dso->long_name, id, false)
			 : NULL;

	return same && same_addresses(same, dso) ? same : NULL;
}

void dsos_join(struct dsos *dsos)
{
	struct dsos *first = dsos->first;

	pthread_mutex_lock(&first->lock);
	for (u32 i = 0; i < dsos->nr; i++) {
		struct dso *dso = dso_at(dsos, i), *same = find_same(first, dso);

		if (same)
			dso->id = same->id;
		else
			add_to_all(first, dso);
		if (dsos->kernel == dso)
			dsos->kernel = same ?: dso;
	}
	pthread_mutex_unlock(&first->lock);
}

struct dso *dsos_joined(const struct dso *dso)
{
	return g_ptr_array_index(dso->table->first->all, dso->id);
}

/* If a dso called @long_name without a build-id exists, gives it @id and a second key. The caller holds the lock. */
static void give_build_id(struct dsos *dsos, const char *long_name, const struct build_id *id)
{
	const struct build_id none = { 0 };
	s64 position = find_position(dsos, key_hash(long_name, &none), long_name, &none, false);
	struct dso *dso = position >= 0 ? dso_at(dsos, (u32)position) : NULL;
	u32 hash = key_hash(long_name, id);

	if (!dso || dso->by_contents || (dso->contents && dso->contents->id_final))
		return;
	if (!dso_find(dsos, hash, long_name, id, false))
		table_add(&dsos->by_key, hash, (u32)position);
	/* The key without an id is not used any more: dsos_get() looks up the known build-id. */
	dso->recorded = *id;
}

void dsos_know_build_id(struct dsos *dsos, const char *long_name, const u8 *build_id,
			size_t build_id_size)
{
	struct build_id id = build_id_of(build_id, build_id_size);

	if (!id.size)
		return;
	pthread_mutex_lock(&dsos->lock);
	g_hash_table_replace(dsos->known, g_strdup(long_name), g_memdup2(&id, sizeof(id)));
	give_build_id(dsos, long_name, &id);
	pthread_mutex_unlock(&dsos->lock);
}

struct dso *dsos_kernel(const struct dsos *dsos)
{
	return __atomic_load_n(&dsos->kernel, __ATOMIC_ACQUIRE);
}

u32 dsos_count(struct dsos *dsos)
{
	u32 nr;

	dsos = dsos->first;
	pthread_mutex_lock(&dsos->lock);
	nr = dsos->all->len;
	pthread_mutex_unlock(&dsos->lock);
	return nr;
}

struct dso *dsos_at(struct dsos *dsos, u32 id)
{
	struct dso *dso;

	dsos = dsos->first;
	pthread_mutex_lock(&dsos->lock);
	dso = id < dsos->all->len ? g_ptr_array_index(dsos->all, id) : NULL;
	pthread_mutex_unlock(&dsos->lock);
	return dso;
}
