// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/base/callgraph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata/abi.h"
#include "perfdata/regs.h"

bool callgraph_size_parse(const char *text, u32 *out, GError **error)
{
	char *end;
	u64 size;

	errno = 0;
	size = strtoull(text, &end, 0);
	if (errno || end == text || *end || !size || size > CALLGRAPH_STACK_SIZE_MAX)
		return error_set(error, PERF_ERROR_USAGE, "Incorrect stack dump size (max %u): %s",
				 CALLGRAPH_STACK_SIZE_MAX, text);
	*out = (u32)ALIGN_UP(size, 8u);
	return true;
}

static bool parse_dwarf(const char *size_text, u32 size, struct callgraph *out, GError **error)
{
	g_autofree char *first = g_strndup(size_text, strcspn(size_text, ","));

	out->stack_size = size ? size : CALLGRAPH_STACK_SIZE;
	return !*first || callgraph_size_parse(first, &out->stack_size, error);
}

bool callgraph_parse(const char *text, u32 size, struct callgraph *out, GError **error)
{
	static const char *const modes[] = { [CALLGRAPH_FP] = "fp",
					     [CALLGRAPH_DWARF] = "dwarf",
					     [CALLGRAPH_LBR] = "lbr",
					     [CALLGRAPH_LIVE] = "live" };
	size_t length = strcspn(text, ",");
	const char *more = text[length] ? text + length + 1 : "";
	struct callgraph parsed = { 0 };

	for (u32 i = CALLGRAPH_FP; i < ARRAY_SIZE(modes); i++)
		if (strlen(modes[i]) == length && !strncmp(text, modes[i], length))
			parsed.mode = (enum callgraph_mode)i;
	switch (parsed.mode) {
	case CALLGRAPH_NONE:
		return error_set(
			error, PERF_ERROR_USAGE,
			"Unknown --call-graph option value: %s: expected fp, dwarf, lbr or live",
			text);
	case CALLGRAPH_FP:
		/* As upstream: other words after it are ignored. */
		parsed.defer = !strcmp(more, "defer");
		break;
	case CALLGRAPH_DWARF:
	case CALLGRAPH_LIVE:
		if (!parse_dwarf(more, size, &parsed, error))
			return false;
		break;
	case CALLGRAPH_LBR:
		if (*more)
			return error_set(error, PERF_ERROR_USAGE,
					 "No more arguments needed for --call-graph lbr");
		break;
	}
	*out = parsed;
	return true;
}

char *callgraph_regs_names(void)
{
	GString *names = g_string_new(NULL);

	for (u32 i = 0; regs_name(i); i++)
		if (REGS_ALL >> i & 1)
			g_string_append_printf(names, "%s%s", names->len ? " " : "", regs_name(i));
	return g_string_free(names, FALSE);
}

static bool find_reg(const char *name, u64 *mask)
{
	for (u32 i = 0; regs_name(i); i++) {
		if (!(REGS_ALL >> i & 1) || g_ascii_strcasecmp(name, regs_name(i)))
			continue;
		*mask |= 1ull << i;
		return true;
	}
	return false;
}

bool callgraph_regs_parse(const char *text, const char *option, u64 *mask, GError **error)
{
	g_auto(GStrv) names = g_strsplit(text, ",", -1);
	u64 found = 0;

	for (char **name = names; *name; name++)
		if (!find_reg(*name, &found))
			return error_set(error, PERF_ERROR_USAGE,
					 "Unknown register \"%s\", check man page or run \"perf "
					 "record %s?\"",
					 *name, option);
	if (!found)
		return error_set(error, PERF_ERROR_USAGE,
				 "needs a register, run \"perf record %s?\"", option);
	*mask = found;
	return true;
}

/*
 * For bits of perf_event_attr that the headers of this build do not have yet: the flags are one
 * word, right behind read_format.
 */
static void set_flag(struct perf_event_attr *attr, u64 flag)
{
	char *word = (char *)&attr->read_format + sizeof(attr->read_format);
	u64 flags;

	memcpy(&flags, word, sizeof(flags));
	flags |= flag;
	memcpy(word, &flags, sizeof(flags));
}

static void config_stack(u32 stack_size, u64 user_regs, struct perf_event_attr *attr)
{
	const u64 least = 1u << REGS_SP | 1u << REGS_IP;

	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_stack_user = stack_size;
	attr->sample_regs_user = user_regs ? user_regs | least : REGS_ALL;
}

void callgraph_config(const struct callgraph *graph, u64 user_regs, struct perf_event_attr *attr)
{
	if (user_regs) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
		attr->sample_regs_user = user_regs;
	}
	if (graph->mode != CALLGRAPH_NONE)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (graph->mode == CALLGRAPH_DWARF || graph->mode == CALLGRAPH_LIVE)
		config_stack(graph->stack_size, user_regs, attr);
	/* LIVE also records chains by frame pointers: a fallback if unwinding fails. */
	attr->exclude_callchain_user = graph->mode == CALLGRAPH_DWARF;
	if (graph->mode == CALLGRAPH_LBR) {
		attr->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		attr->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
					   PERF_SAMPLE_BRANCH_NO_CYCLES |
					   PERF_SAMPLE_BRANCH_NO_FLAGS |
					   PERF_SAMPLE_BRANCH_HW_INDEX;
	}
	if (graph->defer)
		set_flag(attr, PERF_ATTR_FLAG_DEFER_CALLCHAIN);
}

void callgraph_take_deferred(struct perf_event_attr *attr)
{
	set_flag(attr, PERF_ATTR_FLAG_DEFER_OUTPUT);
}
