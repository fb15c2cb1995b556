// SPDX-License-Identifier: GPL-2.0-or-later
/* What a dso is called, and its lock: all that needs no file. */
#include "dso/private.h"

u32 dso_id(const struct dso *dso)
{
	return dso->id;
}

enum dso_kind dso_kind(const struct dso *dso)
{
	return dso->kind;
}

struct dsos *dso_table(const struct dso *dso)
{
	return dso->table;
}

const char *dso_long_name(const struct dso *dso)
{
	return dso->shown_name;
}

const char *dso_short_name(const struct dso *dso)
{
	return dso->short_name;
}

void dso_lock(struct dso *dso)
{
	g_rec_mutex_lock(&dso->lock);
}

void dso_unlock(struct dso *dso)
{
	g_rec_mutex_unlock(&dso->lock);
}

struct build_id dso_recorded_build_id(const struct dso *dso)
{
	return dso->recorded;
}

void dso_kernel_reference(struct dso *dso, const char *symbol, u64 va)
{
	dso_lock(dso);
	if (!dso->reference) {
		dso->reference = g_strdup(symbol);
		dso->reference_va = va;
	}
	dso_unlock(dso);
}
