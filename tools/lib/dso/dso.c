// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of a dso that need no file: its names, its empty contents and its lock. */
#include "dso/private.h"

u32 dso_id(const struct dso *dso)
{
	return dso->id;
}

enum dso_kind dso_kind(const struct dso *dso)
{
	return dso->kind;
}

const char *dso_long_name(const struct dso *dso)
{
	return dso->shown_name;
}

const char *dso_short_name(const struct dso *dso)
{
	return dso->short_name;
}

/* Recursive, because functions that hold it call each other. Not GRecMutex: ThreadSanitizer does not know it. */
static void init_recursive(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(lock, &attr);
	pthread_mutexattr_destroy(&attr);
}

struct dso_contents *dso_make_contents(const struct dso *of)
{
	struct dsos *dsos = of->table;
	struct dso *dso = (struct dso *)of; /* its name and ids are not changed here */
	struct dso_contents *c;

	pthread_mutex_lock(&dsos->lock);
	c = dso->contents;
	if (!c) {
		c = g_new0(struct dso_contents, 1);
		init_recursive(&c->lock);
		g_ptr_array_add(dsos->opened, dso);
		g_atomic_pointer_set(&dso->contents, c);
	}
	pthread_mutex_unlock(&dsos->lock);
	return c;
}

void dso_lock(struct dso *dso)
{
	pthread_mutex_lock(&in(dso)->lock);
}

void dso_unlock(struct dso *dso)
{
	pthread_mutex_unlock(&in(dso)->lock);
}

pthread_mutex_t *dso_mutex(struct dso *dso)
{
	return &in(dso)->lock;
}

struct build_id dso_recorded_build_id(const struct dso *dso)
{
	struct build_id id;

	pthread_mutex_lock(&dso->table->lock);
	id = dso->by_contents ? (struct build_id){ 0 } : dso->recorded;
	pthread_mutex_unlock(&dso->table->lock);
	return id;
}

struct build_id dso_identity(const struct dso *dso)
{
	struct build_id id;

	pthread_mutex_lock(&dso->table->lock);
	id = dso->recorded;
	pthread_mutex_unlock(&dso->table->lock);
	return id;
}

const struct build_id *dso_final_id(const struct dso *dso)
{
	struct dso_contents *contents = in(dso);

	pthread_mutex_lock(&dso->table->lock);
	contents->id_final = true;
	pthread_mutex_unlock(&dso->table->lock);
	return &dso->recorded;
}

void dso_mapped_by(struct dso *dso, u32 pid, u64 ino)
{
	u32 first = 0;

	__atomic_compare_exchange_n(&dso->pids[0], &first, pid, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
	__atomic_store_n(&dso->pids[1], pid, __ATOMIC_RELAXED);
	__atomic_store_n(&dso->ino, ino, __ATOMIC_RELAXED);
}

void dso_kernel_reference(struct dso *dso, const char *symbol, u64 va)
{
	dso_lock(dso);
	if (!in(dso)->reference) {
		in(dso)->reference = g_strdup(symbol);
		in(dso)->reference_va = va;
	}
	dso_unlock(dso);
}
