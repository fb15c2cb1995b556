// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/waits/wall_files.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/table.h"

/* Maximum number of cached names. One more empties the cache. */
#define MOST_NAMES 65536

struct wall_files {
	char *proc;
	GHashTable *names; /* struct file_key * -> char * */
};

struct file_key {
	u64 dev, inode;
	u64 of; /* process and descriptor, if several files share the inode; else 0 */
};

static guint hash_key(gconstpointer p)
{
	const struct file_key *k = p;

	return table_fold(table_mix(table_mix(table_mix(0, k->dev), k->inode), k->of));
}

static gboolean equal_keys(gconstpointer x, gconstpointer y)
{
	const struct file_key *a = x, *b = y;

	return a->dev == b->dev && a->inode == b->inode && a->of == b->of;
}

struct wall_files *wall_files_new(const char *proc)
{
	struct wall_files *f = g_new0(struct wall_files, 1);

	f->proc = g_strdup(proc);
	f->names = g_hash_table_new_full(hash_key, equal_keys, g_free, g_free);
	return f;
}

void wall_files_free(struct wall_files *f)
{
	if (!f)
		return;
	g_hash_table_unref(f->names);
	g_free(f->proc);
	g_free(f);
}

/* All anonymous files share one inode, for example an eventpoll and an eventfd. */
static bool is_anonymous(const char *name)
{
	return g_str_has_prefix(name, "anon_inode:");
}

char *wall_files_ask(const char *proc, u32 pid, u64 fd)
{
	g_autofree char *path =
		g_strdup_printf("%s/%u/fd/%" G_GUINT64_FORMAT, proc, pid, (guint64)fd);
	char name[4096];
	ssize_t size = readlink(path, name, sizeof(name));

	return size > 0 ? g_strndup(name, (gsize)size) : NULL;
}

/* The name of a pipe or socket states its inode. Another one: the descriptor was closed, and opened again as this. */
static bool is_of_inode(const char *name, u64 inode)
{
	static const char *const fronts[] = { "pipe:[", "socket:[" };

	for (u32 i = 0; i < ARRAY_SIZE(fronts); i++)
		if (g_str_has_prefix(name, fronts[i]))
			return g_ascii_strtoull(name + strlen(fronts[i]), NULL, 10) == inode;
	return true;
}

/*
 * The cache saves a readlink() for each look at a thread in read(). A socket or a file has an inode
 * of its own. All anonymous files share one inode, so their names are kept by process and
 * descriptor:
 *
 *	{ dev 14, inode 4711, of 0 }		socket:[4711]
 *	{ dev 13, inode 1032, of 0 }		anon_inode:[eventfd]	says only: names of this inode are by descriptor
 *	{ dev 13, inode 1032, of 800:6 }	anon_inode:[eventpoll]
 *
 * A name that is kept is not checked again: a file that was renamed keeps its first name, and a
 * descriptor that was closed and opened again as another anonymous file keeps the old one's, until
 * the cache is emptied.
 */
const char *wall_files_name(struct wall_files *f, u32 pid, u64 fd, u64 dev, u64 inode)
{
	struct file_key key = { dev, inode, 0 };
	const char *known = g_hash_table_lookup(f->names, &key);
	char *name;

	if (known && is_anonymous(known)) {
		key.of = (u64)pid << 32 | (u32)fd;
		known = g_hash_table_lookup(f->names, &key);
	}
	if (known)
		return known;
	if (g_hash_table_size(f->names) >= MOST_NAMES)
		g_hash_table_remove_all(f->names);
	name = wall_files_ask(f->proc, pid, fd);
	if (name && !is_of_inode(name, inode))
		g_clear_pointer(&name, g_free);
	if (name) /* else it may be closed by now; other processes may have it open */
		g_hash_table_insert(f->names, g_memdup2(&key, sizeof(key)), name);
	return name;
}
