// SPDX-License-Identifier: GPL-2.0-or-later
#include <err.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib.h>

#include "objects.h"

#define MAX_ENTRIES (4u << 20)
#define MAX_NAME    65536

struct objects {
	struct oracle_log *log;
	size_t log_size;
	u64 done;	   /* entries of @log that are in the trees */
	GTree *made;	   /* address -> struct object: what was allocated */
	GTree *placed;	   /* what was placed, in there or elsewhere */
	GHashTable *names; /* (address, size) in the program -> text */
};

/* Descending, so that the lower bound of an address is the object that begins before it. */
static gint later_first(gconstpointer a, gconstpointer b, gpointer unused)
{
	u64 x = (u64)(uintptr_t)a, y = (u64)(uintptr_t)b;

	return x > y ? -1 : x < y;
}

struct objects *objects_new(void)
{
	struct objects *objects = g_new0(struct objects, 1);
	g_autofree char *path = NULL;
	int fd = memfd_create("oracle", 0); /* inherited by the program, which opens it again */

	path = g_strdup_printf("/proc/self/fd/%d", fd);
	objects->log_size = sizeof(struct oracle_log) + MAX_ENTRIES * sizeof(struct oracle_entry);
	if (fd < 0 || ftruncate(fd, (off_t)objects->log_size))
		err(2, "memory for the log");
	setenv(ORACLE_LOG_ENV, path, 1);
	objects->log = mmap(NULL, objects->log_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (objects->log == MAP_FAILED)
		err(2, "memory for the log");
	objects->log->max = MAX_ENTRIES;
	objects->made = g_tree_new_full(later_first, NULL, NULL, g_free);
	objects->placed = g_tree_new_full(later_first, NULL, NULL, g_free);
	objects->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return objects;
}

void objects_free(struct objects *objects)
{
	munmap(objects->log, objects->log_size);
	g_tree_unref(objects->made);
	g_tree_unref(objects->placed);
	g_hash_table_unref(objects->names);
	g_free(objects);
}

static const char *read_name(struct objects *objects, int mem, const struct oracle_entry *entry)
{
	u32 size = MIN(entry->type_size, MAX_NAME);
	g_autofree char *name = g_malloc0(size + 1);
	char *known;

	if (pread(mem, name, size, (off_t)entry->type) != (ssize_t)size)
		return "?";
	if (!g_hash_table_lookup_extended(objects->names, name, (gpointer *)&known, NULL)) {
		known = g_steal_pointer(&name);
		g_hash_table_add(objects->names, known);
	}
	return known;
}

static const struct object *find_in(GTree *tree, u64 address)
{
	GTreeNode *node = g_tree_lower_bound(tree, (gconstpointer)(uintptr_t)address);
	const struct object *object = node ? g_tree_node_value(node) : NULL;

	return object && address - object->address < MAX(object->size, 1) ? object : NULL;
}

/* Takes out what begins in [@low, @high). */
static void forget(GTree *tree, u64 low, u64 high)
{
	for (;;) {
		GTreeNode *node = g_tree_lower_bound(tree, (gconstpointer)(uintptr_t)(high - 1));
		const struct object *object = node ? g_tree_node_value(node) : NULL;

		if (!object || object->address < low)
			return;
		g_tree_remove(tree, (gconstpointer)(uintptr_t)object->address);
	}
}

/* "&MARKER": the stepper knows what the marker's type is. */
static void take_typed(struct objects *objects, const struct oracle_entry *entry)
{
	const struct object *made = find_in(objects->made, entry->address);
	bool many = entry->size || entry->type_size == 1;
	struct object *object;
	char *name, *known;
	u64 size;

	if (!made || !entry->type_size)
		return;
	size = made->address + made->size - entry->address;
	name = g_strdup_printf("&%lx", (unsigned long)entry->type);
	if (g_hash_table_lookup_extended(objects->names, name, (gpointer *)&known, NULL)) {
		g_free(name);
	} else {
		known = name;
		g_hash_table_add(objects->names, known);
	}
	object = g_new(struct object, 1);
	*object = (struct object){ entry->address, many ? size : MIN(size, entry->type_size), known,
				   many ? MAX(size / entry->type_size, 1) : 1 };
	forget(objects->placed, object->address, object->address + MAX(object->size, 1));
	g_tree_replace(objects->placed, (gpointer)(uintptr_t)object->address, object);
}

static void take(struct objects *objects, int mem, const struct oracle_entry *entry)
{
	const struct object *old;
	struct object *object;

	if (entry->what == ORACLE_FREED) {
		old = find_in(objects->made, entry->address);
		if (old) {
			forget(objects->placed, old->address, old->address + MAX(old->size, 1));
			g_tree_remove(objects->made, (gconstpointer)(uintptr_t)old->address);
		}
		return;
	}
	if (entry->what == ORACLE_TYPED) {
		take_typed(objects, entry);
		return;
	}
	object = g_new(struct object, 1);
	*object = (struct object){ entry->address, entry->size, read_name(objects, mem, entry),
				   entry->count };
	forget(objects->placed, object->address, object->address + MAX(object->size, 1));
	if (entry->what == ORACLE_MADE)
		forget(objects->made, object->address, object->address + MAX(object->size, 1));
	g_tree_replace(entry->what == ORACLE_MADE ? objects->made : objects->placed,
		       (gpointer)(uintptr_t)object->address, object);
}

static char *known_name(struct objects *objects, const char *name)
{
	char *known;

	if (!g_hash_table_lookup_extended(objects->names, name, (gpointer *)&known, NULL)) {
		known = g_strdup(name);
		g_hash_table_add(objects->names, known);
	}
	return known;
}

void objects_add(struct objects *objects, u64 address, u64 size, const char *type, u64 count)
{
	struct object *object = g_new(struct object, 1);

	*object = (struct object){ address, size, known_name(objects, type), count };
	forget(objects->made, address, address + MAX(size, 1));
	g_tree_replace(objects->made, (gpointer)(uintptr_t)address, object);
}

static void catch_up(struct objects *objects, int mem)
{
	while (objects->done < objects->log->nr)
		take(objects, mem, &objects->log->entries[objects->done++]);
}

void objects_forget(struct objects *objects, int mem, u64 low, u64 high)
{
	catch_up(objects, mem);
	forget(objects->placed, low, high);
}

const struct object *objects_find(struct objects *objects, int mem, u64 address)
{
	const struct object *object;

	catch_up(objects, mem);
	object = find_in(objects->placed, address);
	return object ? object : find_in(objects->made, address);
}

const struct object *objects_around(struct objects *objects, const struct object *placed,
				    u64 address)
{
	const struct object *made = find_in(objects->made, address);

	return made == placed ? NULL : made;
}
