/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where was a library's variable in an earlier process that began alike?
 *
 * The dynamic linker gives out the space below the thread pointer library by library, in the order in
 * which it loads them. Two processes that have loaded the same files with thread-local storage in the
 * same order, up to the one that defines a variable, have it at the same distance. So a process
 * that has ended before its memory could be read need not stay unknown.
 */
#ifndef RECORD_TLS_RECALL_H
#define RECORD_TLS_RECALL_H

#include "base/types.h"
#include "record/tls_live.h"

struct tls_recall;

struct tls_recall *tls_recall_new(void);
void tls_recall_free(struct tls_recall *r);

/*
 * What one process has loaded: the files that have thread-local storage, in the order of loading,
 * up to the one that defines variable @number. A file is an address that stands for it.
 */
struct tls_loaded {
	const void *const *files;
	u32 nr;
	u32 number;
};

/* Of places that are not static nothing is learnt; what is known already stays. */
void tls_recall_learn(struct tls_recall *r, const struct tls_loaded *loaded,
		      const struct tls_place *place);

/* False where no process like that was learnt of. */
bool tls_recall_find(const struct tls_recall *r, const struct tls_loaded *loaded,
		     struct tls_place *place);

#endif
