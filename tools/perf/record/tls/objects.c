// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which files matter. Each file is opened once; the key of the first table is what the file is,
 * that of the second what a record says.
 *
 *	by_file		device, inode, change time -> object		an object may have several names
 *	by_record	name, device, inode, generation of the record -> object
 *
 * The second table answers when the process has ended, and its files cannot be opened through /proc
 * any more: then another process's mapping of the same file tells. If the name leads to another
 * file by now, the inode in the record differs.
 *
 * A file matters if it defines a variable, or has GOT slots for it. Most do not, and have only an
 * entry that says so.
 */
#include "record/tls/objects.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/base/mapped_file.h"

#define ELASTIC_STORAGE "elastic_apm_profiling_correlation_process_storage_v1"

struct tls_objects {
	const GArray *asked;
	const struct kernel_paths *paths;
	GHashTable *by_file;   /* device, inode and change time -> struct tls_object */
	GHashTable *by_record; /* what a record says about a file -> the same */
};

static void object_free(gpointer data)
{
	struct tls_object *object = data;

	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (object->mention[i].slots)
			g_array_unref(object->mention[i].slots);
	}
	if (object->loads)
		g_array_unref(object->loads);
	g_free(object);
}

struct tls_objects *tls_objects_new(const GArray *asked, const struct kernel_paths *paths)
{
	struct tls_objects *t = g_new0(struct tls_objects, 1);

	elf_version(EV_CURRENT);
	t->asked = asked;
	t->paths = paths;
	t->by_file = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, object_free);
	t->by_record = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return t;
}

void tls_objects_free(struct tls_objects *t)
{
	if (!t)
		return;
	g_hash_table_destroy(t->by_record);
	g_hash_table_destroy(t->by_file);
	g_free(t);
}

static const struct activity_layout *asked_at(const struct tls_objects *t, u32 i)
{
	return &g_array_index(t->asked, struct activity_layout, i);
}

static void read_loads(Elf *elf, struct tls_object *object)
{
	size_t nr;

	object->loads = g_array_new(FALSE, FALSE, sizeof(GElf_Phdr));
	if (elf_getphdrnum(elf, &nr) != 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(elf, (int)i, &phdr) || phdr.p_type != PT_LOAD)
			continue;
		if (!object->loads->len)
			object->begin = phdr.p_vaddr;
		object->begin = MIN(object->begin, phdr.p_vaddr);
		object->end = MAX(object->end, phdr.p_vaddr + phdr.p_memsz);
		g_array_append_val(object->loads, phdr);
	}
}

/* custom-labels states the version of its layout in a second variable. Version 1 is known. */
static bool is_known_version(Elf *elf, const struct activity_layout *asked)
{
	u64 vaddr;
	u32 version;

	return asked->format != ACTIVITY_LABELS ||
	       !tls_find_object(elf, "custom_labels_abi_version", &vaddr) ||
	       (tls_read_image(elf, vaddr, &version, sizeof(version)) && version == 1);
}

static void read_mentions(const struct tls_objects *t, Elf *elf, struct tls_object *object)
{
	bool has_segment = tls_find_segment(elf, &object->segment);

	object->has_tls = has_segment;
	for (u32 i = 0; i < t->asked->len; i++) {
		const struct activity_layout *asked = asked_at(t, i);
		struct tls_mention *m = &object->mention[i];

		if (asked->format == ACTIVITY_GO) {
			m->defines = go_find_program(elf, &object->go);
			object->mentions |= m->defines;
			continue;
		}
		m->defines = has_segment && tls_find_symbol(elf, asked->symbol, &m->symbol) &&
			     is_known_version(elf, asked);
		m->slots = tls_find_slots(elf, asked->symbol, m->defines ? &m->symbol : NULL);
		if (asked->format == ACTIVITY_ELASTIC && m->defines &&
		    !tls_find_object(elf, ELASTIC_STORAGE, &object->storage_vaddr))
			object->storage_vaddr = 0;
		if (!m->slots->len)
			g_clear_pointer(&m->slots, g_array_unref);
		object->mentions |= m->defines || m->slots;
	}
}

/* A 32-bit program can define the variables, too, but its thread pointer is another one. */
static bool is_foreign_publisher(const struct tls_objects *t, Elf *elf)
{
	struct tls_symbol symbol;

	for (u32 i = 0; elf_kind(elf) == ELF_K_ELF && i < t->asked->len; i++) {
		const struct activity_layout *asked = asked_at(t, i);

		if (asked->format != ACTIVITY_GO && tls_find_symbol(elf, asked->symbol, &symbol))
			return true;
	}
	return false;
}

static void read_object(const struct tls_objects *t, int fd, struct tls_object *object)
{
	struct stat st;
	Elf *elf;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    pread(fd, object->header, sizeof(object->header), 0) != sizeof(object->header) ||
	    memcmp(object->header, ELFMAG, SELFMAG) != 0)
		return;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && tls_supported(elf))
		read_mentions(t, elf, object);
	else if (elf)
		object->foreign = is_foreign_publisher(t, elf);
	if (object->mentions) {
		object->program = tls_is_program(elf);
		object->dev = st.st_dev;
		object->ino = st.st_ino;
		read_loads(elf, object);
	}
	elf_end(elf);
}

static char *object_key(const struct event_mmap *map)
{
	GString *key = g_string_new(map->filename);

	if (map->has_inode)
		g_string_append_printf(key, " %x:%x %" PRIx64 " %" PRIx64, map->maj, map->min,
				       map->ino, map->ino_generation);
	for (u32 i = 0; map->has_build_id && i < MIN(map->build_id_size, 20); i++)
		g_string_append_printf(key, "%c%02x", i ? '.' : ' ', map->build_id[i]);
	return g_string_free(key, FALSE);
}

/*
 * The key includes the change time: a program can be rebuilt in place (same path, same inode) and
 * is then another file.
 */
static struct tls_object *object_of_fd(struct tls_objects *t, int fd)
{
	struct tls_object *object;
	char key[96];
	struct stat st;

	if (fstat(fd, &st) != 0)
		return NULL;
	snprintf(key, sizeof(key), "%jx:%jx:%jx.%lx", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
		 (uintmax_t)st.st_ctim.tv_sec, (unsigned long)st.st_ctim.tv_nsec);
	object = g_hash_table_lookup(t->by_file, key);
	if (!object) {
		object = g_new0(struct tls_object, 1);
		read_object(t, fd, object);
		g_hash_table_insert(t->by_file, g_strdup(key), object);
	}
	return object;
}

const struct tls_object *tls_objects_find(struct tls_objects *t, const struct event_mmap *map)
{
	g_autofree char *key = object_key(map);
	struct tls_object *object = NULL;
	int fd = mapped_file_open(t->paths->proc, map);

	if (fd < 0) /* the process has ended: use the file that another process has mapped */
		return g_hash_table_lookup(t->by_record, key);
	object = object_of_fd(t, fd);
	close(fd);
	if (object)
		g_hash_table_replace(t->by_record, g_steal_pointer(&key), object);
	return object;
}

/*
 * The bias is what the kernel added to the file's addresses. Example: the executable PT_LOAD has
 * p_offset 0x1000 and p_vaddr 0x2000, and is mapped at 0x7f0000002000 with pgoff 0x1000. The bias
 * is 0x7f0000002000 - 0x1000 + 0x1000 - 0x2000 = 0x7f0000000000.
 *
 * The mapping may begin in front of the segment, as mappings begin at pages: so ranges are
 * compared, and not offsets.
 */
bool tls_object_bias(const struct tls_object *object, const struct event_mmap *map, u64 *bias)
{
	for (guint i = 0; i < object->loads->len; i++) {
		const GElf_Phdr *load = &g_array_index(object->loads, GElf_Phdr, i);
		u64 end = load->p_offset + load->p_filesz;

		if (map->pgoff + map->len <= load->p_offset || map->pgoff >= end)
			continue;
		if (!(load->p_flags & PF_X))
			continue;
		*bias = map->start - map->pgoff + load->p_offset - load->p_vaddr;
		return true;
	}
	return false;
}

bool tls_object_is_program_of(const struct tls_object *object, const struct kernel_paths *paths,
			      u32 pid)
{
	g_autofree char *exe = g_strdup_printf("%s/%u/exe", paths->proc, pid);
	struct stat st;

	return stat(exe, &st) == 0 && st.st_dev == object->dev && st.st_ino == object->ino;
}

struct tls_object *tls_object_read(const struct tls_objects *t, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct tls_object *object;

	if (fd < 0)
		return NULL;
	object = g_new0(struct tls_object, 1);
	read_object(t, fd, object);
	close(fd);
	return object;
}

void tls_object_free(struct tls_object *object)
{
	if (object)
		object_free(object);
}
