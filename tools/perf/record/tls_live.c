// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/tls_live.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Longer lists than these are taken for garbage. */
#define MAX_PHDRS   128
#define MAX_DYNS    1024
#define MAX_OBJECTS 8192
#define NO_FIELD    (-1)

bool tls_live_peek(u32 pid, u64 va, void *to, size_t size)
{
	struct iovec local = { to, size };
	struct iovec remote = { (void *)(uintptr_t)va, size };

	return process_vm_readv((pid_t)pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

/* A string of the process, cut to what fits; false where there is none. */
static bool peek_string(u32 pid, u64 va, char *to, size_t size)
{
	size_t got = 0;

	/* By pieces that end at a page's end: the next page need not be there. */
	while (got < size - 1) {
		size_t piece = MIN(size - 1 - got, 4096 - (va + got) % 4096);

		if (!tls_live_peek(pid, va + got, to + got, piece))
			return false;
		if (memchr(to + got, '\0', piece))
			return true;
		got += piece;
	}
	to[got] = '\0';
	return true;
}

/* The program headers of the main program, from the auxiliary vector. */
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

/* The first entry of the list of loaded objects, 0 while there is none. */
static u64 find_link_map(const struct kernel_paths *paths, u32 pid)
{
	u64 phdrs_va, nr, bias = 0, dynamic = 0, dynamic_size = 0;
	struct r_debug debug;

	if (!find_phdrs(paths, pid, &phdrs_va, &nr))
		return 0;
	for (u64 i = 0; i < nr; i++) {
		Elf64_Phdr phdr;

		if (!tls_live_peek(pid, phdrs_va + i * sizeof(phdr), &phdr, sizeof(phdr)))
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

		if (!tls_live_peek(pid, bias + dynamic + i * sizeof(dyn), &dyn, sizeof(dyn)) ||
		    dyn.d_tag == DT_NULL)
			return 0;
		if (dyn.d_tag != DT_DEBUG)
			continue;
		if (!dyn.d_un.d_ptr || !tls_live_peek(pid, dyn.d_un.d_ptr, &debug, sizeof(debug)))
			return 0;
		return (u64)(uintptr_t)debug.r_map;
	}
	return 0;
}

/* Where the C library at @name in the process's file system keeps the distance, or NO_FIELD. */
static int find_field(const struct kernel_paths *paths, u32 pid, const char *name,
		      GHashTable *fields)
{
	g_autofree char *path = g_strdup_printf("%s/%u/root%s", paths->proc, pid, name);
	g_autofree char *key = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC), field = NO_FIELD;
	struct stat st;
	gpointer known;
	Elf *elf;
	u32 offset;

	if (fd < 0)
		return NO_FIELD;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		goto out;
	key = g_strdup_printf("%jx:%jx:%jx", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
			      (uintmax_t)st.st_mtime);
	if (g_hash_table_lookup_extended(fields, key, NULL, &known)) {
		field = GPOINTER_TO_INT(known);
		goto out;
	}
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (tls_link_map_field(elf, &offset))
		field = (int)offset;
	elf_end(elf);
	g_hash_table_insert(fields, g_steal_pointer(&key), GINT_TO_POINTER(field));
out:
	close(fd);
	return field;
}

static bool is_c_library(const char *name)
{
	g_autofree char *base = g_path_get_basename(name);

	return strcmp(base, "libc.so.6") == 0 || strcmp(base, "libpthread.so.0") == 0;
}

enum tls_live tls_live_block(const struct kernel_paths *paths, u32 pid, u64 bias,
			     GHashTable *fields, u64 *distance)
{
	u64 at = find_link_map(paths, pid), ours = 0;
	int field = NO_FIELD;
	u64 value;

	for (u32 i = 0; at && i < MAX_OBJECTS && (!ours || field == NO_FIELD); i++) {
		struct link_map map;
		char name[512];

		if (!tls_live_peek(pid, at, &map, sizeof(map)))
			return TLS_LIVE_NOT_YET;
		if (map.l_addr == bias)
			ours = at;
		if (map.l_name && field == NO_FIELD &&
		    peek_string(pid, (u64)(uintptr_t)map.l_name, name, sizeof(name)) &&
		    is_c_library(name))
			field = find_field(paths, pid, name, fields);
		at = (u64)(uintptr_t)map.l_next;
	}
	if (!ours || field == NO_FIELD ||
	    !tls_live_peek(pid, ours + (u64)field, &value, sizeof(value)))
		return TLS_LIVE_NOT_YET;
	if (value == ~(u64)0)
		return TLS_LIVE_NEVER;
	if (value == 0 || value > G_MAXINT32)
		return TLS_LIVE_NOT_YET;
	*distance = value;
	return TLS_LIVE_KNOWN;
}

enum tls_live tls_live_slots(u32 pid, u64 bias, const GArray *slots, s64 *tpoff)
{
	for (guint i = 0; i < slots->len; i++) {
		const struct tls_slot *slot = &g_array_index(slots, struct tls_slot, i);
		u64 va = bias + slot->vaddr + (slot->kind == TLS_SLOT_TLSDESC ? sizeof(u64) : 0);
		s64 value;

		if (!tls_live_peek(pid, va, &value, sizeof(value)))
			return TLS_LIVE_NOT_YET;
		value -= slot->addend;
		/* Anything else is a slot not yet filled, or the address of a dynamic one. */
		if (value < 0 && value > G_MININT32) {
			*tpoff = value;
			return TLS_LIVE_KNOWN;
		}
	}
	return TLS_LIVE_NOT_YET;
}
