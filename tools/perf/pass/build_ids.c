// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each file is written once. BUILD_ID records come before the first record that needs them, because readers of a pipe
 * look for a file when they first need it. A mapping that has its build-id (MMAP2) needs no record; the header's
 * table still lists it.
 *
 * Mappings that are held back until a sample hits them are created again from the machine's state, before this
 * sample.
 */
#include "pass/build_ids.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "machine/machine.h"

struct build_ids_pass {
	struct pass pass;
	struct machine *machine;
	enum build_ids_mode mode;
	GHashTable *known;
	bool verbose;
	GHashTable *told;  /* struct dso * that a record or a mapping has named */
	GPtrArray *listed; /* of them, those with a build-id */
	GHashTable *given; /* struct map_part */
	struct machine_hits hits;
};

static struct build_ids_pass *build_ids_pass(struct pass *p)
{
	return container_of(p, struct build_ids_pass, pass);
}

static bool is_kernel(const struct dso *dso)
{
	return dso_kind(dso) == DSO_KERNEL || dso_kind(dso) == DSO_MODULE;
}

/* The build-id of the running kernel, which is assumed to be the recorded one, as in upstream. */
static void find_kernel_build_id(const struct dso *dso, struct build_id *id)
{
	g_autofree char *name = NULL;

	if (dso_kind(dso) == DSO_KERNEL) {
		build_id_read_kernel(id, NULL);
		return;
	}
	name = g_path_get_basename(dso_long_name(dso));
	if (name[0] == '[')
		memmove(name, name + 1, strlen(name));
	name[strcspn(name, ".]")] = 0;
	g_strdelimit(name, "-", '_');
	build_id_read_module(name, id, NULL);
}

static struct build_id find_build_id(struct build_ids_pass *b, struct dso *dso)
{
	const struct build_id *known = b->known ? g_hash_table_lookup(b->known, dso_long_name(dso))
						: NULL;
	struct build_id id;

	if (known)
		return *known;
	id = is_kernel(dso) ? dso_recorded_build_id(dso) : dso_build_id(dso);
	if (!id.size && is_kernel(dso))
		find_kernel_build_id(dso, &id);
	return id;
}

static bool has_file(const struct dso *dso)
{
	enum dso_kind kind = dso_kind(dso);

	return kind == DSO_USER || kind == DSO_VDSO || is_kernel(dso);
}

static bool give_record(struct build_ids_pass *b, struct dso *dso, const struct build_id *id,
			GError **error)
{
	u16 misc = is_kernel(dso) ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	struct event ev = { .type = PERFDATA_BUILD_ID,
			    .misc = misc | PERF_MISC_BUILD_ID_SIZE,
			    .build_id = { .pid = EVENT_NO_PID,
					  .size = id->size,
					  .filename = dso_long_name(dso) } };

	memcpy(ev.build_id.build_id, id->bytes, id->size);
	return pass_on_made(&b->pass, &ev, NULL, error);
}

/* True if the recording has had the build-id by now. */
static bool is_recorded(const struct build_ids_pass *b, const struct dso *dso)
{
	const struct build_id id = dso_recorded_build_id(dso);

	return id.size && !(b->known && g_hash_table_contains(b->known, dso_long_name(dso)));
}

static bool tell_dso(struct build_ids_pass *b, struct dso *dso, GError **error)
{
	struct build_id id;

	if (!has_file(dso) || !g_hash_table_add(b->told, dso))
		return true;
	id = find_build_id(b, dso);
	if (!id.size) {
		if (b->verbose)
			fprintf(stderr, "no build-id found for %s\n", dso_long_name(dso));
		return true;
	}
	g_ptr_array_add(b->listed, dso);
	return is_recorded(b, dso) || give_record(b, dso, &id, error);
}

/*
 * The part of a mapping that a process sees: it may be inherited from the parent, and partly covered by later ones.
 */
struct map_part {
	u32 pid, map_id;
	u64 start;
};

static guint hash_part(gconstpointer at)
{
	const struct map_part *part = at;

	return (guint)(part->pid * 31 + part->map_id * 1021 + (part->start >> 12));
}

static gboolean equal_parts(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, sizeof(struct map_part)) == 0;
}

/* The part of @map from @start to @end, as a mapping of @pid, at the time of @sample. */
static bool give_map(struct build_ids_pass *b, const struct map *map, u32 pid, u64 start, u64 end,
		     const struct event *sample, GError **error)
{
	struct event ev = { .type = PERF_RECORD_MMAP2,
			    .misc = PERF_RECORD_MISC_USER,
			    .id = sample->id };
	struct build_id id = has_file(map->dso) ? find_build_id(b, map->dso)
						: (struct build_id){ 0 };

	ev.id.pid = ev.id.tid = pid;
	ev.mmap = (struct event_mmap){
		.pid = pid,
		.tid = pid,
		.start = start,
		.len = end - start,
		.pgoff = map->pgoff + (start - map->start),
		.prot = map->prot,
		.flags = map->flags,
		.maj = map->maj,
		.min = map->min,
		.ino = map->ino,
		.ino_generation = map->ino_generation,
		.filename = dso_long_name(map->dso),
	};
	if (id.size) {
		ev.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
		ev.mmap.has_build_id = true;
		ev.mmap.build_id_size = id.size;
		memcpy(ev.mmap.build_id, id.bytes, id.size);
	}
	return pass_on_made(&b->pass, &ev, pass_evsel(&b->pass, sample), error);
}

static bool is_new_part(struct build_ids_pass *b, const struct map_part *part)
{
	return !g_hash_table_contains(b->given, part) &&
	       g_hash_table_add(b->given, g_memdup2(part, sizeof(*part)));
}

static bool hit(struct build_ids_pass *b, const struct event *ev, const struct thread *thread,
		u8 cpumode, u64 va, GError **error)
{
	const struct machine_hit *user = &b->hits.user;
	struct mapped at;

	if (!machine_find(b->machine, thread, cpumode, va, ev->id.time, &at, &b->hits))
		return true;
	if (b->mode == BUILD_IDS_OF_HITS)
		return tell_dso(b, at.dso, error);
	/*
	 * The kernel's own mapping is never removed: it has the address where the kernel was loaded.
	 */
	if (at.map->kernel ||
	    !is_new_part(b, &(struct map_part){ thread->pid, at.map->id, user->start }))
		return true;
	return give_map(b, at.map, thread->pid, user->start, user->end, ev, error);
}

static bool take_chain(struct build_ids_pass *b, const struct event *ev,
		       const struct thread *thread, GError **error)
{
	u8 cpumode = ev->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	for (u64 i = 0; i < ev->sample.nr_ips; i++) {
		u64 ip = ev->sample.ips[i];

		if (ip < PERF_CONTEXT_MAX) {
			if (!hit(b, ev, thread, cpumode, ip, error))
				return false;
		} else if (ip == PERF_CONTEXT_KERNEL) {
			cpumode = PERF_RECORD_MISC_KERNEL;
		} else if (ip == PERF_CONTEXT_USER) {
			cpumode = PERF_RECORD_MISC_USER;
		} else if (ip == PERF_CONTEXT_USER_DEFERRED) {
			break; /* a cookie follows */
		}
	}
	return true;
}

static bool take_sample(struct build_ids_pass *b, const struct event *ev, GError **error)
{
	const struct thread *thread;

	if (!ev->evsel || b->mode == BUILD_IDS_OF_ALL || b->mode == BUILD_IDS_MMAP2_ALL)
		return true;
	thread = machine_thread(b->machine, ev->id.pid, ev->id.tid, ev->id.time, &b->hits);
	return hit(b, ev, thread, ev->misc & PERF_RECORD_MISC_CPUMODE_MASK, ev->sample.ip, error) &&
	       take_chain(b, ev, thread, error);
}

/* The dso that @ev maps, by a machine of its own would be too much: by name and build-id as recorded. */
static struct dso *dso_of_mmap(struct build_ids_pass *b, const struct event *ev)
{
	const struct event_mmap *m = &ev->mmap;
	const struct thread *thread;
	struct mapped at;

	thread = machine_thread(b->machine, m->pid, m->tid, ev->id.time, &b->hits);
	if (!machine_find(b->machine, thread, ev->misc & PERF_RECORD_MISC_CPUMODE_MASK, m->start,
			  ev->id.time, &at, &b->hits))
		return NULL;
	return at.dso;
}

/* @ev as an MMAP2 record with its build-id, if there is one. */
static bool give_with_build_id(struct build_ids_pass *b, const struct event *ev, GError **error)
{
	struct dso *dso = dso_of_mmap(b, ev);
	struct build_id id = { 0 };
	struct event made = *ev;

	if (dso && has_file(dso))
		id = find_build_id(b, dso);
	if (!id.size)
		return pass_on(&b->pass, ev, error);
	if (made.type == PERF_RECORD_MMAP) {
		made.type = PERF_RECORD_MMAP2;
		made.mmap.prot |= PROT_READ;
		made.mmap.flags = MAP_PRIVATE;
	}
	made.misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	made.mmap.has_build_id = true;
	made.mmap.build_id_size = id.size;
	memset(made.mmap.build_id, 0, sizeof(made.mmap.build_id));
	memcpy(made.mmap.build_id, id.bytes, id.size);
	return pass_on_made(&b->pass, &made, pass_evsel(&b->pass, ev), error);
}

static bool is_kernel_map(const struct event *ev)
{
	return (ev->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

static bool take_mmap(struct build_ids_pass *b, const struct event *ev, GError **error)
{
	struct dso *dso;

	switch (b->mode) {
	case BUILD_IDS_OF_ALL:
		dso = dso_of_mmap(b, ev);
		return (!dso || tell_dso(b, dso, error)) && pass_on(&b->pass, ev, error);
	case BUILD_IDS_MMAP2_ALL:
		return give_with_build_id(b, ev, error);
	case BUILD_IDS_MMAP2:
		return is_kernel_map(ev) ? give_with_build_id(b, ev, error) : true;
	default:
		return pass_on(&b->pass, ev, error);
	}
}

static bool take(struct pass *p, const struct event *ev, GError **error)
{
	struct build_ids_pass *b = build_ids_pass(p);

	if (ev->type == PERF_RECORD_MMAP || ev->type == PERF_RECORD_MMAP2) {
		machine_seal(b->machine); /* nothing to do for a file, whose mappings are known */
		return take_mmap(b, ev, error);
	}
	if (ev->type == PERF_RECORD_SAMPLE && !take_sample(b, ev, error))
		return false;
	return pass_on(p, ev, error);
}

/* Replaces entries of the input's table that name the same file. */
static void drop_entry(struct perfdata_info *info, const char *name)
{
	for (u32 i = 0; i < info->build_ids->len; i++) {
		const struct info_build_id *entry = g_ptr_array_index(info->build_ids, i);

		if (strcmp(entry->filename, name) == 0)
			g_ptr_array_remove_index(info->build_ids, i--);
	}
}

static void conclude(struct pass *p, struct perfdata_info *info)
{
	struct build_ids_pass *b = build_ids_pass(p);

	for (u32 i = 0; i < b->listed->len; i++) {
		struct dso *dso = g_ptr_array_index(b->listed, i);
		struct build_id id = find_build_id(b, dso);

		drop_entry(info, dso_long_name(dso));
		perfdata_info_add_build_id(info, EVENT_NO_PID,
					   is_kernel(dso) ? PERF_RECORD_MISC_KERNEL
							  : PERF_RECORD_MISC_USER,
					   id.bytes, id.size, dso_long_name(dso));
	}
}

static void free_build_ids(struct pass *p)
{
	struct build_ids_pass *b = build_ids_pass(p);

	g_hash_table_unref(b->told);
	g_hash_table_unref(b->given);
	g_ptr_array_unref(b->listed);
	if (b->known)
		g_hash_table_unref(b->known);
	g_free(b);
}

static const struct pass_ops build_ids_ops = {
	.name = "build-ids",
	.take = take,
	.conclude = conclude,
	.free = free_build_ids,
};

struct pass *build_ids_pass_new(struct machine *machine, enum build_ids_mode mode,
				GHashTable *known, bool verbose)
{
	struct build_ids_pass *b = g_new0(struct build_ids_pass, 1);

	b->pass.ops = &build_ids_ops;
	b->machine = machine;
	b->mode = mode;
	b->known = known ? g_hash_table_ref(known) : NULL;
	b->verbose = verbose;
	b->told = g_hash_table_new(NULL, NULL);
	b->given = g_hash_table_new_full(hash_part, equal_parts, g_free, NULL);
	b->listed = g_ptr_array_new();
	return &b->pass;
}

GHashTable *build_ids_parse_known(const char *text, GError **error)
{
	g_autoptr(GHashTable)
		known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_autofree char *file = text[0] == '@' ? file_read(text + 1, 64 << 20, NULL, error) : NULL;
	g_auto(GStrv) entries = NULL;

	if (text[0] == '@' && !file)
		return NULL;
	entries = g_strsplit(file ? file : text, file ? "\n" : ",", -1);
	for (char **entry = entries; *entry; entry++) {
		char *hex = g_strstrip(*entry), *path = hex + strcspn(hex, " \t");
		struct build_id id;

		if (!*hex)
			continue;
		if (*path)
			*path++ = 0;
		path = g_strchug(path);
		if (!*path || !build_id_parse(hex, &id)) {
			error_set(error, PERF_ERROR_USAGE,
				  "'%s %s': expected a build-id in hexadecimal and a path", hex,
				  path);
			return NULL;
		}
		g_hash_table_replace(known, g_strdup(path), g_memdup2(&id, sizeof(id)));
	}
	return g_steal_pointer(&known);
}
