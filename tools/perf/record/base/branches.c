// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/base/branches.h"

#include <linux/perf_event.h>
#include <string.h>

#include "perfdata/abi.h"

#define LEVELS (PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV)

static const struct {
	const char *name;
	u64 bit;
} words[] = {
	{ "any", PERF_SAMPLE_BRANCH_ANY },
	{ "u", PERF_SAMPLE_BRANCH_USER },
	{ "k", PERF_SAMPLE_BRANCH_KERNEL },
	{ "hv", PERF_SAMPLE_BRANCH_HV },
	{ "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN },
	{ "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
	{ "call", PERF_SAMPLE_BRANCH_CALL },
	{ "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP },
	{ "cond", PERF_SAMPLE_BRANCH_COND },
	{ "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX },
	{ "in_tx", PERF_SAMPLE_BRANCH_IN_TX },
	{ "no_tx", PERF_SAMPLE_BRANCH_NO_TX },
	{ "no_flags", PERF_SAMPLE_BRANCH_NO_FLAGS },
	{ "no_cycles", PERF_SAMPLE_BRANCH_NO_CYCLES },
	{ "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE },
	{ "stack", PERF_SAMPLE_BRANCH_CALL_STACK },
	{ "hw_index", PERF_SAMPLE_BRANCH_HW_INDEX },
	{ "priv", PERF_SAMPLE_BRANCH_PRIV_SAVE },
	{ "counter", PERF_SAMPLE_BRANCH_COUNTERS },
};

static bool unknown(const char *word, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		g_string_append_printf(known, "%s%s", i ? ", " : "", words[i].name);
	return error_set(error, PERF_ERROR_USAGE, "'%s': expected some of %s", word, known->str);
}

bool branches_parse(const char *text, u64 *mask, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);
	u64 bits = 0;

	for (u32 i = 0; parts[i]; i++) {
		size_t k = 0;

		while (k < ARRAY_SIZE(words) && g_ascii_strcasecmp(parts[i], words[k].name))
			k++;
		if (k == ARRAY_SIZE(words))
			return unknown(parts[i], error);
		bits |= words[k].bit;
	}
	if (!bits)
		return unknown(text, error);
	*mask = bits & ~(u64)LEVELS ? bits : bits | PERF_SAMPLE_BRANCH_ANY;
	return true;
}
