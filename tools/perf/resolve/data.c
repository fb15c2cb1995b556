// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>
#include <pthread.h>

#include "dso/kept.h"
#include "perfdata/evsel.h"
#include "resolve/data.h"

struct data_types {
	struct data_types *first; /* itself, or the first of those that share its data */
	pthread_mutex_t lock;	  /* of the first: protects the shared typeflow */
	struct typeflow *flow;
	enum access_rank min;
	bool skid;
	/* struct access *, by code id; NULL: not asked yet. [1]: for late samples, if these are moved. */
	GPtrArray *by_code[2];
};

static struct data_types *new_empty(enum access_rank min, bool skid)
{
	struct data_types *types = g_new0(struct data_types, 1);

	types->min = min;
	types->skid = skid;
	for (u32 i = 0; i < ARRAY_SIZE(types->by_code); i++)
		types->by_code[i] = g_ptr_array_new_with_free_func(g_free);
	return types;
}

struct data_types *data_types_new(const char *cpuid, enum access_rank min, bool skid)
{
	struct data_types *types = new_empty(min, skid);
	g_autofree char *folder = kept_folder("PERF_TYPES_CACHE", "types");

	types->first = types;
	pthread_mutex_init(&types->lock, NULL);
	types->flow = typeflow_new(insn_fusion_of(cpuid), folder);
	if (skid)
		typeflow_expect_skid(types->flow);
	return types;
}

struct data_types *data_types_new_beside(struct data_types *first)
{
	struct data_types *types = new_empty(first->min, first->skid);

	types->first = first;
	types->flow = first->flow;
	return types;
}

void data_types_free(struct data_types *types)
{
	if (!types)
		return;
	for (u32 i = 0; i < ARRAY_SIZE(types->by_code); i++)
		g_ptr_array_unref(types->by_code[i]);
	if (types->first == types) {
		typeflow_free(types->flow);
		pthread_mutex_destroy(&types->lock);
	}
	g_free(types);
}

void data_types_expect(struct data_types *types, const struct code *code)
{
	if (code->dso)
		typeflow_expect(types->flow, code->dso, code->vaddr);
}

void data_types_prepare(struct data_types *types, u32 nr_threads)
{
	typeflow_prepare(types->flow, nr_threads, 0);
}

bool data_types_late(const struct evsel *evsel)
{
	const struct perf_event_attr *attr = &evsel->attr;

	switch (attr->type) {
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return false;
	case PERF_TYPE_SOFTWARE:
		return attr->config == PERF_COUNT_SW_CPU_CLOCK ||
		       attr->config == PERF_COUNT_SW_TASK_CLOCK;
	default:
		return !attr->precise_ip;
	}
}

static void ask(struct data_types *types, const struct code *code, bool charge,
		struct access *access)
{
	if (!code->dso) {
		access->why = ACCESS_NO_SYMBOL;
		return;
	}
	pthread_mutex_lock(&types->first->lock);
	typeflow_lookup(types->flow, code->dso, code->vaddr, access);
	if (charge)
		typeflow_charge(types->flow, code->dso, code->vaddr, access);
	pthread_mutex_unlock(&types->first->lock);
}

const struct access *data_types_find(struct data_types *types, const struct code *code, bool late)
{
	bool charge = late && types->skid;
	GPtrArray *by_code = types->by_code[charge];
	struct access *access;

	if (code->id >= by_code->len)
		g_ptr_array_set_size(by_code, (int)code->id + 1);
	access = g_ptr_array_index(by_code, code->id);
	if (access)
		return access;
	access = g_new0(struct access, 1);
	g_ptr_array_index(by_code, code->id) = access;
	ask(types, code, charge, access);
	if (access->type && access_rank(access) < types->min)
		*access = (struct access){ .why = ACCESS_TOO_WEAK, .skid = access->skid };
	return access;
}
