/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recalls the place of a library's variable from an earlier process with the same files.
 *
 * The dynamic linker assigns space below the thread pointer to libraries in the order in which it
 * loads them. If two processes have loaded the same files with thread-local storage in the same
 * order, up to the file that defines a variable, then the variable is at the same distance in both.
 * So the place is known even for a process that ended before its memory could be read.
 */
#ifndef RECORD_TLS_RECALL_H
#define RECORD_TLS_RECALL_H

#include "base/types.h"
#include "record/tls/placement.h"

struct tls_recall;

struct tls_recall *tls_recall_new(void);
void tls_recall_free(struct tls_recall *r);

/*
 * The files with thread-local storage that one process has loaded, in order, up to the one that
 * defines variable @number. Each file is identified by an address.
 */
struct tls_loaded {
	const void *const *files;
	u32 nr;
	u32 number;
};

/* Learns a place. Places that are not static are ignored; a place that is already known stays. */
void tls_recall_learn(struct tls_recall *r, const struct tls_loaded *loaded,
		      const struct tls_place *place);

/* False: no such process is known. */
bool tls_recall_find(const struct tls_recall *r, const struct tls_loaded *loaded,
		     struct tls_place *place);

#endif
