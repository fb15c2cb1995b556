/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data types that code accesses. Each distinct code address is looked up once; later samples cost an array
 * access.
 */
#ifndef RESOLVE_DATA_H
#define RESOLVE_DATA_H

#include "resolve/place.h"
#include "typeflow/typeflow.h"

struct data_types;

/*
 * @cpuid: the machine that took the samples, as in a perf.data header; NULL: unknown.
 * @min: a type with a lower rank is reported as unknown.
 * @waited: data_types_ways() will be called, too.
 * Answers are cached in the folder $PERF_TYPES_CACHE. If the variable is unset, the folder is
 * $XDG_CACHE_HOME/perf/types; if it is empty, there is no cache.
 */
struct data_types *data_types_new(const char *cpuid, enum access_rank min, bool waited);
void data_types_free(struct data_types *types);

/*
 * The same answers for another thread, with the code of another resolver: both may be used at the same time. Free it
 * before @first.
 */
struct data_types *data_types_new_beside(struct data_types *first);

/*
 * Announces calls of data_types_find(), or if @before, of data_types_ways(), for @nr samples: a look-up of known addresses
 * is cheaper.
 */
void data_types_expect(struct data_types *types, const struct code *code, bool before, u32 nr);
/*
 * Finds the answers for the announced addresses, with this many threads. Later calls only look them up.
 */
void data_types_prepare(struct data_types *types, u32 nr_threads);

/* The ways by which control comes to the code, see typeflow_waited(). Its dso is known. */
void data_types_ways(struct data_types *types, const struct code *code, bool data, GArray *out);
/* For how many samples addresses from @low to @high were announced, both included, in the dso of @code. */
u32 data_types_expected(struct data_types *types, const struct code *code, u64 low, u64 high);

/*
 * Type and offset of what the code accesses, or the reason why not; never NULL, lives as long as @types. The ids of
 * @code must be dense, as the resolver gives them.
 * One thread at a time, but for those of data_types_new_beside(). What is read of a type on demand (dwarf/types.h)
 * needs type_lock() where there are some.
 */
const struct access *data_types_find(struct data_types *types, const struct code *code);

/*
 * typeflow_argument() for the call that @code, a frame of a chain, is in, and typeflow_variable() in the dso of @code, for the code @from. A
 * type that is weaker than the least rank is not told.
 */
bool data_types_argument(struct data_types *types, const struct code *code, u32 nth,
			 struct pointee *out);
bool data_types_variable(struct data_types *types, struct dso *dso, u64 vaddr, u64 from,
			 struct pointee *out);

/* Changes an answer to one that is only likely: a type has the lowest rank then. */
void data_types_weaken(const struct data_types *types, struct access *access);

#endif
