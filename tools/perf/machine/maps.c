// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes a mapping of a dso from an MMAP record. The file name tells what was mapped (a file, the vdso, the kernel, a
 * module). The rules are those by which upstream perf names it in a report.
 */
#include <string.h>
#include <sys/mman.h>

#include "dso/vdso.h"
#include "machine/private.h"
#include "perfdata/contents.h"

static bool starts(const char *text, const char *with)
{
	return g_str_has_prefix(text, with);
}

static bool is_anonymous(const struct event_mmap *mmap)
{
	return !strcmp(mmap->filename, "//anon") || starts(mmap->filename, "/dev/zero") ||
	       starts(mmap->filename, "/anon_hugepage") || (mmap->flags & MAP_HUGETLB);
}

/* Memory with a special name that the kernel gives. */
static bool is_no_file(const struct event_mmap *mmap)
{
	return starts(mmap->filename, "[stack") || starts(mmap->filename, "/SYSV") ||
	       !strcmp(mmap->filename, "[heap]");
}

struct map *machine_map_at(const struct machine *m, u32 id)
{
	struct map *block = g_ptr_array_index(m->map_blocks, id / MAPS_PER_BLOCK);

	return &block[id % MAPS_PER_BLOCK];
}

static struct map *map_new(struct machine *m, const struct event *event)
{
	struct map *map;

	if (m->nr_maps % MAPS_PER_BLOCK == 0)
		g_ptr_array_add(m->map_blocks, g_new0(struct map, MAPS_PER_BLOCK));
	map = machine_map_at(m, m->nr_maps);
	map->id = m->nr_maps++;
	map->time = machine_time_of(event);
	return map;
}

static void know_contents(struct machine *m, const char *note)
{
	g_autofree char *sha1 = NULL;
	struct build_id id;
	const char *file;

	if (!contents_parse(note, &sha1, &file))
		return;
	build_id_parse(sha1, &id);
	g_hash_table_replace(m->contents, g_strdup(file), g_memdup2(&id, sizeof(id)));
}

void machine_know_contents(struct machine *m, const struct perfdata_info *info)
{
	for (u32 i = 0; i < info->notes->len; i++) {
		const struct info_note *note = g_ptr_array_index(info->notes, i);

		if (!strcmp(note->key, CONTENTS_NOTE))
			know_contents(m, note->value);
	}
}

/* The identity of a file that has no build-id; NULL: it has one, or nothing is known. */
static const struct build_id *contents_of(const struct machine *m, const struct event_mmap *mmap)
{
	g_autofree char *file = NULL;

	if (!g_hash_table_size(m->contents) || mmap->has_build_id || !mmap->has_inode)
		return NULL;
	file = contents_file(mmap);
	return g_hash_table_lookup(m->contents, file);
}

static struct dso *dso_of_file(struct machine *m, const char *name, const struct event_mmap *mmap,
			       enum dso_kind kind)
{
	const struct build_id *contents = kind == DSO_USER ? contents_of(m, mmap) : NULL;

	return contents ? dsos_get_by_contents(m->dsos, name, contents)
			: dsos_get(m->dsos, name, mmap->has_build_id ? mmap->build_id : NULL,
				   mmap->has_build_id ? mmap->build_id_size : 0, kind);
}

static void user_dso(struct machine *m, struct map *map, const struct event_mmap *mmap)
{
	bool memory = is_anonymous(mmap) || is_no_file(mmap);
	const char *name = mmap->filename;
	enum dso_kind kind = DSO_USER;
	g_autofree char *jit = NULL;

	if (memory && (mmap->prot & PROT_EXEC)) {
		kind = DSO_JIT;
		name = jit = g_strdup_printf("/tmp/perf-%u.map", mmap->pid);
	} else if (!strcmp(name, "[vdso]")) {
		kind = DSO_VDSO;
		name = vdso_name(vdso_mapped(mmap->start + mmap->len));
		map->pgoff = 0;
	} else if (memory || name[0] == '[') {
		kind = DSO_ANON;
	}
	map->identity = memory;
	map->dso = dso_of_file(m, name, mmap, kind);
	if (kind == DSO_USER)
		dso_mapped_by(map->dso, mmap->pid, mmap->has_inode ? mmap->ino : 0);
}

static void kernel_dso(struct machine *m, struct map *map, const struct event_mmap *mmap,
		       bool guest)
{
	const u8 *id = mmap->has_build_id ? mmap->build_id : NULL;
	size_t size = mmap->has_build_id ? mmap->build_id_size : 0;
	const char *close = strchr(mmap->filename, ']');

	map->kernel = true;
	if (guest) {
		map->dso = dsos_get(m->dsos, mmap->filename, id, size, DSO_GUEST_KERNEL);
	} else if (starts(mmap->filename, "[kernel.kallsyms]")) {
		map->dso = dsos_get(m->dsos, "[kernel.kallsyms]", id, size, DSO_KERNEL);
		/* pgoff is the address, at recording time, of the symbol named after the bracket. */
		if (mmap->pgoff && close[1])
			dso_kernel_reference(map->dso, close + 1, mmap->pgoff);
		if (!map->start && map->end <= 1)
			map->end = UINT64_MAX;
	} else {
		map->dso = dsos_get(m->dsos, mmap->filename, id, size, DSO_MODULE);
		dso_kernel_reference(map->dso, "", map->start);
	}
}

void machine_apply_mmap(struct machine *m, const struct event *event)
{
	const struct event_mmap *mmap = &event->mmap;
	u8 mode = event->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	bool guest = mode == PERF_RECORD_MISC_GUEST_KERNEL;
	struct map *map = map_new(m, event);

	map->start = mmap->start;
	map->end = mmap->len > UINT64_MAX - mmap->start ? UINT64_MAX : mmap->start + mmap->len;
	map->pgoff = mmap->pgoff;
	map->ino = mmap->ino;
	map->ino_generation = mmap->ino_generation;
	map->maj = mmap->maj;
	map->min = mmap->min;
	map->prot = mmap->prot;
	map->flags = mmap->flags;
	map->pid = mmap->pid;
	map->data = event->misc & PERF_MISC_MMAP_DATA;
	if (mode == PERF_RECORD_MISC_KERNEL || guest)
		kernel_dso(m, map, mmap, guest);
	else
		user_dso(m, map, mmap);
}

void machine_apply_ksymbol(struct machine *m, const struct event *event)
{
	const struct event_ksymbol *k = &event->ksymbol;
	struct map *map = map_new(m, event);

	map->start = k->addr;
	map->end = k->len > UINT64_MAX - k->addr ? UINT64_MAX : k->addr + k->len;
	map->prot = PROT_EXEC | PROT_READ;
	map->pid = (u32)-1;
	map->kernel = true;
	map->identity = true;
	map->dso = dsos_get(m->dsos, k->name, NULL, 0, DSO_BPF);
	dso_add_symbol(map->dso, k->addr, k->len, k->name);
}

void machine_join_dsos(struct machine *m)
{
	for (u32 i = 0; i < m->nr_maps; i++) {
		struct map *map = machine_map_at(m, i);

		map->dso = dsos_joined(map->dso);
	}
}

u64 mapped_foff(const struct mapped *at)
{
	return at->map->identity ? at->va : at->va - at->map->start + at->map->pgoff;
}

bool mapped_vaddr(const struct mapped *at, u64 *vaddr)
{
	if (!at->map)
		return false;
	*vaddr = at->va;
	if (at->map->identity)
		return true;
	if (at->map->kernel) {
		*vaddr = dso_kernel_vaddr(at->dso, at->va);
		return true;
	}
	return dso_foff_to_vaddr(at->dso, mapped_foff(at), vaddr);
}
