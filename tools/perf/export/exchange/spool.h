/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Series of records of one size, to be read back series by series. Some formats have one column after the other for each
 * thread, while samples come in order of time. So they are kept in a temporary file, and memory has only the last
 * SPOOL_BLOCK records of each series.
 */
#ifndef EXPORT_EXCHANGE_SPOOL_H
#define EXPORT_EXCHANGE_SPOOL_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

#define SPOOL_BLOCK 64u

struct spool;

/* NULL with @error: no temporary file can be made. */
struct spool *spool_new(u32 record_size, GError **error);
void spool_free(struct spool *spool);

/* Appends a copy of @record to series number @series, any from 0. False with @error: the disk is full. */
bool spool_add(struct spool *spool, u32 series, const void *record, GError **error);

/* The last record of a series, to be changed; NULL: it has none. Valid until the next call. */
void *spool_last(struct spool *spool, u32 series);

u32 spool_nr_series(const struct spool *spool); /* the largest number + 1 */
u64 spool_nr(const struct spool *spool, u32 series);

/* Calls @fn for the records of a series, in order. */
typedef void spool_fn(const void *record, void *arg);
bool spool_each(struct spool *spool, u32 series, spool_fn *fn, void *arg, GError **error);

#endif
