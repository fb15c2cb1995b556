// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the dynamic linker has written into the process's memory, and what each value means.
 *
 * The way to it, by glibc:
 *
 *	/proc/PID/auxv		AT_PHDR: the program headers in memory
 *	PT_DYNAMIC, DT_DEBUG	address of r_debug, which the linker has filled in for debuggers
 *	r_debug.r_map		first link_map; l_next leads to the others
 *	link_map		l_addr is the load bias: the library's is the one with its bias
 *	l_tls_offset, l_tls_modid	behind the public part; libc.so.6 states where (_thread_db_link_map_*)
 *
 * The memory of a static TLS block, and of a dynamic one:
 *
 *	        l_tls_offset 0x80                      TP
 *	  ... |<-- block of libotel.so: 0x80 bytes --->|          variable at TP - 0x80 + st_value
 *	                                               | TCB: +8 dtv --> dtv[modid] --> block: + st_value
 *
 * Values of l_tls_offset in glibc: a distance is a static place; 0 is "not decided yet" (the first
 * use decides); -1 is "dynamic for ever".
 *
 * Elsewhere (musl, a stripped glibc) the GOT slots tell. What a slot has before relocation shows
 * that it is not ready: a link-time value is no distance below the thread pointer, no address, and
 * no module number.
 *
 *	R_X86_64_TPOFF64	a negative offset from the thread pointer
 *	R_X86_64_TLSDESC	function and argument; the argument is an offset if negative, else the address of
 *				{ module, offset, generation }
 *	R_X86_64_DTPMOD64	module number, and next to it the offset in the block
 *
 * The process runs while it is read. So lists have limits, each number is checked for its range,
 * and "not yet" is an answer.
 */
#include "record/tls/placement.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Limits: longer lists are taken for garbage. */
#define MAX_PHDRS   128
#define MAX_DYNS    1024
#define MAX_OBJECTS 8192
#define MAX_CHUNKS  1024 /* chunks in glibc's list of modules */

bool tls_peek(u32 pid, u64 va, void *to, size_t size)
{
	struct iovec local = { to, size };
	struct iovec remote = { (void *)(uintptr_t)va, size };

	return process_vm_readv((pid_t)pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

u16 tls_place_mark(const struct tls_place *place)
{
	const u64 words[] = { place->reach, (u64)place->offset, place->module, place->generation };
	u64 hash = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	return (u16)(hash % G_MAXUINT16 + 1);
}

/* Reads a string of the process, cut to @size - 1 bytes. False: there is none. */
static bool peek_string(u32 pid, u64 va, char *to, size_t size)
{
	size_t got = 0;

	/* Read page by page: the next page may be unmapped. */
	while (got < size - 1) {
		size_t piece = MIN(size - 1 - got, 4096 - (va + got) % 4096);

		if (!tls_peek(pid, va + got, to + got, piece))
			return false;
		if (memchr(to + got, '\0', piece))
			return true;
		got += piece;
	}
	to[got] = '\0';
	return true;
}

/* Finds the program headers of the main program in the auxiliary vector. */
static bool find_phdrs(const struct kernel_paths *paths, u32 pid, u64 *va, u64 *nr)
{
	g_autofree char *path = g_strdup_printf("%s/%u/auxv", paths->proc, pid);
	g_autofree char *bytes = NULL;
	gsize size;

	*va = *nr = 0;
	if (!g_file_get_contents(path, &bytes, &size, NULL))
		return false;
	for (gsize i = 0; i + sizeof(Elf64_auxv_t) <= size; i += sizeof(Elf64_auxv_t)) {
		Elf64_auxv_t entry;

		memcpy(&entry, bytes + i, sizeof(entry));
		if (entry.a_type == AT_PHDR)
			*va = entry.a_un.a_val;
		else if (entry.a_type == AT_PHNUM)
			*nr = entry.a_un.a_val;
	}
	return *va && *nr && *nr <= MAX_PHDRS;
}

/*
 * The first entry of the list of loaded objects; 0: there is none yet.
 *
 * A static program has no PT_DYNAMIC, and a program that has just begun has 0 in DT_DEBUG.
 */
static u64 find_link_map(const struct kernel_paths *paths, u32 pid)
{
	u64 phdrs_va, nr, bias = 0, dynamic = 0, dynamic_size = 0;
	struct r_debug debug;

	if (!find_phdrs(paths, pid, &phdrs_va, &nr))
		return 0;
	for (u64 i = 0; i < nr; i++) {
		Elf64_Phdr phdr;

		if (!tls_peek(pid, phdrs_va + i * sizeof(phdr), &phdr, sizeof(phdr)))
			return 0;
		if (phdr.p_type == PT_PHDR) {
			bias = phdrs_va - phdr.p_vaddr;
		} else if (phdr.p_type == PT_DYNAMIC) {
			dynamic = phdr.p_vaddr;
			dynamic_size = phdr.p_memsz;
		}
	}
	for (u64 i = 0; dynamic && i < MIN(dynamic_size / sizeof(Elf64_Dyn), MAX_DYNS); i++) {
		Elf64_Dyn dyn;

		if (!tls_peek(pid, bias + dynamic + i * sizeof(dyn), &dyn, sizeof(dyn)) ||
		    dyn.d_tag == DT_NULL)
			return 0;
		if (dyn.d_tag != DT_DEBUG)
			continue;
		if (!dyn.d_un.d_ptr || !tls_peek(pid, dyn.d_un.d_ptr, &debug, sizeof(debug)))
			return 0;
		return (u64)(uintptr_t)debug.r_map;
	}
	return 0;
}

/* The kind of a loaded file: glibc's C library, glibc's dynamic linker, musl, or none of them. */
struct library {
	bool has_libc, musl;
	struct tls_libc libc;
	u64 rtld_global; /* of the dynamic linker: vaddr; 0: this file is not the linker */
};

static void read_library(int fd, struct library *library)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);

	if (elf) {
		library->has_libc = tls_find_libc(elf, &library->libc);
		if (!tls_find_object(elf, "_rtld_global", &library->rtld_global))
			library->rtld_global = 0;
	}
	elf_end(elf);
}

/*
 * The library at @name in the process's file system; NULL: not readable.
 *
 * Kept by device, inode and change time: all processes of a machine share one C library, or one for
 * each container image.
 */
static const struct library *find_library(const struct kernel_paths *paths, u32 pid,
					  const char *name, GHashTable *libraries)
{
	g_autofree char *path = g_strdup_printf("%s/%u/root%s", paths->proc, pid, name);
	g_autofree char *key = NULL;
	struct library *library = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		key = g_strdup_printf("%jx:%jx:%jx.%lx", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
				      (uintmax_t)st.st_ctim.tv_sec,
				      (unsigned long)st.st_ctim.tv_nsec);
		library = g_hash_table_lookup(libraries, key);
		if (!library) {
			library = g_new0(struct library, 1);
			read_library(fd, library);
			g_hash_table_insert(libraries, g_steal_pointer(&key), library);
		}
	}
	close(fd);
	return library;
}

/* The results of one walk over the loaded objects. */
struct world {
	bool any, musl;
	struct tls_libc libc;
	bool has_libc;
	u64 rtld_global; /* address in the process; 0: not known */
	u64 definer;	 /* address of the defining object's link_map; 0: not in the list */
};

static bool is_c_library(const char *base)
{
	return strcmp(base, "libc.so.6") == 0 || strcmp(base, "libpthread.so.0") == 0 ||
	       g_str_has_prefix(base, "ld-linux") || g_str_has_prefix(base, "ld-2.");
}

static void look_at_name(const struct kernel_paths *paths, u32 pid, const char *name, u64 bias,
			 GHashTable *libraries, struct world *w)
{
	g_autofree char *base = g_path_get_basename(name);
	const struct library *library;

	if (g_str_has_prefix(base, "ld-musl-") || strcmp(base, "libc.so") == 0)
		w->musl = true;
	if (!is_c_library(base))
		return;
	library = find_library(paths, pid, name, libraries);
	if (library && library->has_libc && !w->has_libc) {
		w->libc = library->libc;
		w->has_libc = true;
	}
	if (library && library->rtld_global)
		w->rtld_global = bias + library->rtld_global;
}

/*
 * One walk for everything: kind of C library, the linker's _rtld_global, the link_map of the
 * defining object. The list may change while it is read; then a later try finds the object.
 */
static void walk_objects(const struct kernel_paths *paths, u32 pid,
			 const struct tls_mapped *definer, GHashTable *libraries, struct world *w)
{
	u64 at = find_link_map(paths, pid);

	for (u32 i = 0; at && i < MAX_OBJECTS; i++) {
		struct link_map map;
		char name[512];

		if (!tls_peek(pid, at, &map, sizeof(map)))
			return;
		w->any = true;
		if (definer && map.l_addr == definer->bias)
			w->definer = at;
		if (map.l_name && peek_string(pid, (u64)(uintptr_t)map.l_name, name, sizeof(name)))
			look_at_name(paths, pid, name, map.l_addr, libraries, w);
		at = (u64)(uintptr_t)map.l_next;
	}
}

/*
 * The generation of the vector in which @module got its number; 0: not known.
 *
 * A thread's vector may be older than the library: then dtv[module] is not the library's block. The
 * program compares the vector's generation with this one. glibc keeps module numbers in chunks:
 *
 *	_rtld_global._dl_tls_dtv_slotinfo_list -> { len 64, next, slotinfo[64] } -> { len 128, ... }
 *
 * so module 70 is slotinfo[6] of the second chunk.
 */
static u64 find_generation(u32 pid, const struct world *w, u64 module)
{
	const struct tls_libc *libc = &w->libc;
	u64 chunk, first = 0, length, generation;

	if (!libc->has_modules || !w->rtld_global ||
	    !tls_peek(pid, w->rtld_global + libc->rtld_list, &chunk, sizeof(chunk)))
		return 0;
	for (u32 i = 0; chunk && i < MAX_CHUNKS; i++) {
		if (!tls_peek(pid, chunk + libc->list_len, &length, sizeof(length)))
			return 0;
		if (module - first < length) {
			u64 at = chunk + libc->list_slotinfo +
				 (module - first) * libc->slotinfo_size + libc->slotinfo_gen;

			return tls_peek(pid, at, &generation, sizeof(generation)) ? generation : 0;
		}
		first += length;
		if (!tls_peek(pid, chunk + libc->list_next, &chunk, sizeof(chunk)))
			return 0;
	}
	return 0;
}

static bool is_module(u64 module)
{
	return module > 0 && module <= G_MAXUINT16;
}

/*
 * Finds the place by the link_map of the defining object.
 *
 * A static block contains the library's whole segment. So a distance below the segment's size is no
 * distance yet.
 */
static enum tls_placement by_link_map(u32 pid, const struct world *w,
				      const struct tls_mapped *definer, struct tls_place *place)
{
	u64 distance, module;

	if (!w->definer || !w->has_libc ||
	    !tls_peek(pid, w->definer + w->libc.tls_offset, &distance, sizeof(distance)) ||
	    !tls_peek(pid, w->definer + w->libc.tls_modid, &module, sizeof(module)))
		return TLS_PLACEMENT_NOT_YET;
	if (distance != 0 && distance <= G_MAXINT32) {
		if (distance < definer->segment.memsz)
			return TLS_PLACEMENT_NOT_YET;
		*place = (struct tls_place){ .offset = (s64)(definer->symbol.value - distance) };
		return TLS_PLACEMENT_KNOWN;
	}
	if (!is_module(module) || (distance != 0 && distance != ~(u64)0))
		return TLS_PLACEMENT_NOT_YET;
	*place = (struct tls_place){
		.reach = TLS_GLIBC,
		.offset = (s64)definer->symbol.value,
		.module = (u32)module,
		.generation = find_generation(pid, w, module),
	};
	/* 0: the linker decides at the first use whether the block gets a static place. */
	return distance ? TLS_PLACEMENT_KNOWN : TLS_PLACEMENT_PROVISIONAL;
}

/*
 * Finds the place by a TLS descriptor's argument: the offset, or the address of {module, offset,
 * generation}.
 *
 * An argument is an address only if it can be one of user space: at least 65536, below 1 << 47.
 */
static enum tls_placement by_descriptor(u32 pid, const struct world *w, u64 argument, s64 addend,
					struct tls_place *place)
{
	u64 dynamic[3] = { 0 };

	if (argument < 65536 || argument >> 47 ||
	    !tls_peek(pid, argument, dynamic, (w->musl ? 2 : 3) * sizeof(u64)) ||
	    !is_module(dynamic[0]) || dynamic[1] > G_MAXUINT32)
		return TLS_PLACEMENT_NOT_YET;
	*place = (struct tls_place){
		.reach = w->musl ? TLS_MUSL : TLS_GLIBC,
		.offset = (s64)dynamic[1] - addend,
		.module = (u32)dynamic[0],
		.generation = dynamic[2],
	};
	return TLS_PLACEMENT_KNOWN;
}

static enum tls_placement by_module(u32 pid, const struct world *w, u64 va,
				    const struct tls_slot *slot, const struct tls_mapped *definer,
				    struct tls_place *place)
{
	u64 pair[2];

	if (!tls_peek(pid, va, pair, sizeof(pair)) || !is_module(pair[0]))
		return TLS_PLACEMENT_NOT_YET;
	if (definer)
		pair[1] = definer->symbol.value;
	else if (!slot->paired || pair[1] > G_MAXUINT32)
		return TLS_PLACEMENT_NOT_YET;
	*place = (struct tls_place){
		.reach = w->musl ? TLS_MUSL : TLS_GLIBC,
		.offset = (s64)pair[1],
		.module = (u32)pair[0],
		.generation = w->musl ? 0 : find_generation(pid, w, pair[0]),
	};
	return TLS_PLACEMENT_KNOWN;
}

static enum tls_placement by_slot(u32 pid, const struct world *w, const struct tls_mapped *object,
				  const struct tls_slot *slot, const struct tls_mapped *definer,
				  struct tls_place *place)
{
	u64 va = object->bias + slot->vaddr;
	s64 value;

	if (slot->kind == TLS_SLOT_MODULE)
		return by_module(pid, w, va, slot, definer, place);
	if (slot->kind == TLS_SLOT_TLSDESC)
		va += sizeof(u64);
	if (!tls_peek(pid, va, &value, sizeof(value)))
		return TLS_PLACEMENT_NOT_YET;
	if (value >= 0 && slot->kind == TLS_SLOT_TLSDESC)
		return by_descriptor(pid, w, (u64)value, slot->addend, place);
	value -= slot->addend;
	/* Any other value: the slot is not filled yet. */
	if (value >= 0 || value <= G_MININT32)
		return TLS_PLACEMENT_NOT_YET;
	*place = (struct tls_place){ .offset = value };
	return TLS_PLACEMENT_KNOWN;
}

/*
 * The link_map first: it is exact, and needs no relocation. If glibc's list has the object, but its
 * place is not decided, slots are not asked: they would not be filled in either.
 */
enum tls_placement tls_placement_find(const struct kernel_paths *paths, u32 pid,
				      const struct tls_mapped *objects, u32 nr,
				      GHashTable *libraries, struct tls_place *place)
{
	const struct tls_mapped *definer = NULL;
	enum tls_placement live = TLS_PLACEMENT_NOT_YET;
	struct world w = { 0 };

	for (u32 i = 0; i < nr && !definer; i++)
		definer = objects[i].defines ? &objects[i] : NULL;
	walk_objects(paths, pid, definer, libraries, &w);
	if (!w.any)
		return TLS_PLACEMENT_NOT_YET;
	if (definer)
		live = by_link_map(pid, &w, definer, place);
	for (u32 i = 0; i < nr && live == TLS_PLACEMENT_NOT_YET && !(w.has_libc && w.definer);
	     i++) {
		const GArray *slots = objects[i].slots;

		for (guint s = 0; slots && s < slots->len && live == TLS_PLACEMENT_NOT_YET; s++)
			live = by_slot(pid, &w, &objects[i],
				       &g_array_index(slots, struct tls_slot, s), definer, place);
	}
	return live;
}
