// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/open_files.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

struct open_files {
	pthread_mutex_t lock;
	GHashTable *fds; /* build-id in hexadecimal -> descriptor + 1 */
};

struct open_files *open_files_new(void)
{
	struct open_files *held = g_new0(struct open_files, 1);

	pthread_mutex_init(&held->lock, NULL);
	held->fds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return held;
}

void open_files_free(struct open_files *held)
{
	GHashTableIter iter;
	gpointer fd;

	if (!held)
		return;
	g_hash_table_iter_init(&iter, held->fds);
	while (g_hash_table_iter_next(&iter, NULL, &fd))
		close(GPOINTER_TO_INT(fd) - 1);
	g_hash_table_unref(held->fds);
	pthread_mutex_destroy(&held->lock);
	g_free(held);
}

/* The recorder may have raised the limit by now. */
bool open_files_may_keep(int fd)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_NOFILE, &limit) && (rlim_t)fd < limit.rlim_cur / 2;
}

/* The caller holds the lock. */
static void hold(struct open_files *held, const char *hex, int fd)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (own < 0)
		return;
	if (!open_files_may_keep(own))
		close(own);
	else
		g_hash_table_insert(held->fds, g_strdup(hex), GINT_TO_POINTER(own + 1));
}

void open_files_add(struct open_files *held, const struct build_id *id, int fd)
{
	char hex[BUILD_ID_HEX];

	if (!id->size)
		return;
	build_id_hex(id, hex);
	pthread_mutex_lock(&held->lock);
	if (!g_hash_table_contains(held->fds, hex))
		hold(held, hex, fd);
	pthread_mutex_unlock(&held->lock);
}

char *open_files_path(struct open_files *held, const struct build_id *id)
{
	char hex[BUILD_ID_HEX];
	int fd;

	if (!id->size)
		return NULL;
	build_id_hex(id, hex);
	pthread_mutex_lock(&held->lock);
	fd = GPOINTER_TO_INT(g_hash_table_lookup(held->fds, hex)) - 1;
	pthread_mutex_unlock(&held->lock);
	return fd >= 0 ? g_strdup_printf("/proc/self/fd/%d", fd) : NULL;
}
