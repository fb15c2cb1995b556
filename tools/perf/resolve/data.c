// SPDX-License-Identifier: GPL-2.0-or-later
#include <glib.h>

#include "dso/kept.h"
#include "perfdata/evsel.h"
#include "resolve/data.h"

struct data_types {
	struct typeflow *flow;
	enum access_rank min;
	bool skid;
	/* struct access *, by code id; NULL: not asked yet. [1]: of late samples, where these are moved. */
	GPtrArray *by_code[2];
};

struct data_types *data_types_new(const char *cpuid, enum access_rank min, bool skid)
{
	struct data_types *types = g_new0(struct data_types, 1);
	g_autofree char *folder = kept_folder("PERF_TYPES_CACHE", "types");

	types->flow = typeflow_new(insn_fusion_of(cpuid), folder);
	types->min = min;
	types->skid = skid;
	if (skid)
		typeflow_expect_skid(types->flow);
	for (u32 i = 0; i < ARRAY_SIZE(types->by_code); i++)
		types->by_code[i] = g_ptr_array_new_with_free_func(g_free);
	return types;
}

void data_types_free(struct data_types *types)
{
	if (!types)
		return;
	for (u32 i = 0; i < ARRAY_SIZE(types->by_code); i++)
		g_ptr_array_unref(types->by_code[i]);
	typeflow_free(types->flow);
	g_free(types);
}

void data_types_expect(struct data_types *types, const struct code *code)
{
	if (code->dso)
		typeflow_expect(types->flow, code->dso, code->vaddr);
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
	if (code->dso)
		typeflow_lookup(types->flow, code->dso, code->vaddr, access);
	else
		access->why = ACCESS_NO_SYMBOL;
	if (code->dso && charge)
		typeflow_charge(types->flow, code->dso, code->vaddr, access);
	if (access->type && access_rank(access) < types->min)
		*access = (struct access){ .why = ACCESS_TOO_WEAK, .skid = access->skid };
	return access;
}
