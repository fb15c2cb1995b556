// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>
#include <pthread.h>

#include "dso/kept.h"
#include "resolve/data.h"

struct data_types {
	struct data_types *first; /* itself, or the first of those that share its data */
	pthread_mutex_t lock;	  /* of the first: protects the shared typeflow */
	struct typeflow *flow;
	enum access_rank min;
	GPtrArray *by_code; /* struct access *, by code id; NULL: not asked yet */
};

static struct data_types *new_empty(enum access_rank min)
{
	struct data_types *types = g_new0(struct data_types, 1);

	types->min = min;
	types->by_code = g_ptr_array_new_with_free_func(g_free);
	return types;
}

struct data_types *data_types_new(const char *cpuid, enum access_rank min, bool waited)
{
	struct data_types *types = new_empty(min);
	g_autofree char *folder = kept_folder("PERF_TYPES_CACHE", "types");

	types->first = types;
	pthread_mutex_init(&types->lock, NULL);
	types->flow = typeflow_new(insn_fusion_of(cpuid), folder);
	if (waited)
		typeflow_expect_waited(types->flow);
	return types;
}

struct data_types *data_types_new_beside(struct data_types *first)
{
	struct data_types *types = new_empty(first->min);

	types->first = first;
	types->flow = first->flow;
	return types;
}

void data_types_free(struct data_types *types)
{
	if (!types)
		return;
	g_ptr_array_unref(types->by_code);
	if (types->first == types) {
		typeflow_free(types->flow);
		pthread_mutex_destroy(&types->lock);
	}
	g_free(types);
}

void data_types_expect(struct data_types *types, const struct code *code, bool before, u32 nr)
{
	if (code->dso)
		typeflow_expect(types->flow, code->dso, code->vaddr, before, nr);
}

void data_types_prepare(struct data_types *types, u32 nr_threads)
{
	typeflow_prepare(types->flow, nr_threads, 0);
}

void data_types_ways(struct data_types *types, const struct code *code, bool data, GArray *out)
{
	pthread_mutex_lock(&types->first->lock);
	typeflow_waited(types->flow, code->dso, code->vaddr, data, out);
	pthread_mutex_unlock(&types->first->lock);
}

u32 data_types_expected(struct data_types *types, const struct code *code, u64 low, u64 high)
{
	u32 nr;

	pthread_mutex_lock(&types->first->lock);
	nr = typeflow_expected(types->flow, code->dso, low, high);
	pthread_mutex_unlock(&types->first->lock);
	return nr;
}

static void ask(struct data_types *types, const struct code *code, struct access *access)
{
	if (!code->dso) {
		access->why = ACCESS_NO_SYMBOL;
		return;
	}
	pthread_mutex_lock(&types->first->lock);
	typeflow_lookup(types->flow, code->dso, code->vaddr, access);
	pthread_mutex_unlock(&types->first->lock);
}

static void refuse_weak(const struct data_types *types, struct access *access)
{
	if (access->type && access_rank(access) < types->min)
		*access = (struct access){ .why = ACCESS_TOO_WEAK };
}

const struct access *data_types_find(struct data_types *types, const struct code *code)
{
	GPtrArray *by_code = types->by_code;
	struct access *access;

	if (code->id >= by_code->len)
		g_ptr_array_set_size(by_code, (int)code->id + 1);
	access = g_ptr_array_index(by_code, code->id);
	if (access)
		return access;
	access = g_new0(struct access, 1);
	g_ptr_array_index(by_code, code->id) = access;
	ask(types, code, access);
	refuse_weak(types, access);
	return access;
}

void data_types_weaken(const struct data_types *types, struct access *access)
{
	if (!access->type)
		return;
	access->how = ACCESS_INFERRED;
	refuse_weak(types, access);
}

bool data_types_argument(struct data_types *types, const struct code *code, u32 nth,
			 struct pointee *out)
{
	struct access access = { 0 };
	bool found;

	/*
	 * A frame has the return address, or the last byte of the call if the recorder has looked it up: the byte before is
	 * in the call in both cases.
	 */
	pthread_mutex_lock(&types->first->lock);
	found = code->dso && typeflow_argument(types->flow, code->dso, code->vaddr - 1, nth, out);
	pthread_mutex_unlock(&types->first->lock);
	if (!found)
		return false;
	access.type = out->type;
	access.how = out->how;
	return access_rank(&access) >= types->min;
}

bool data_types_variable(struct data_types *types, struct dso *dso, u64 vaddr, u64 from,
			 struct pointee *out)
{
	bool found;

	pthread_mutex_lock(&types->first->lock);
	found = typeflow_variable(types->flow, dso, vaddr, from, out);
	pthread_mutex_unlock(&types->first->lock);
	return found;
}
