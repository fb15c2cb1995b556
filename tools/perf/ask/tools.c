// SPDX-License-Identifier: GPL-2.0-or-later
/* The tools and their arguments: a tool is a row here, and its function. */
#include <string.h>

#include "ask/ask_private.h"

static const struct ask_argument arguments[] = {
	{ "keys", false, false,
	  "what rows are told apart by (default: symbol; in drill, what tells most): sort keys "
	  "with commas, such as "
	  "span,type,typeoff,symbol,srcline,comm,tid,dso,state,syscall,lock,trace_id,type_rank (an "
	  "unknown one is answered with the whole list)" },
	{ "where", false, false,
	  "only these samples: a row's handle, or conditions KEY=TEXT (reads) and KEY~TEXT "
	  "(contains) joined by ';'" },
	{ "handle", false, false, "the handle of a row of an earlier answer" },
	{ "span", false, false,
	  "name of a span, pattern such as check*, id of a span or trace, thread id, or * for a "
	  "table of all" },
	{ "slowest", false, true, "percent of the requests that are the slow ones (default 1)" },
	{ "with", false, false, "the other recording, the new side: as file" },
	{ "type", false, false, "name of a data type, such as order (without struct)" },
	{ "field", false, false, "a field of the type: its name, a path a.b, or +0x10" },
	{ "symbol", false, false, "name of a function" },
	{ "place", false, false, "an instruction: FUNCTION+0xOFFSET, or FUNCTION" },
	{ "part", false, false,
	  "which part of the answer, by its title, of those listed in other_parts (default: the "
	  "first)" },
	{ "file", true, false,
	  "which recording: its path on the command line, or the end of it (default: the first)" },
	{ "rows", true, true, "budget: at most this many rows (default 20)" },
	{ "bytes", true, true,
	  "budget: at most this many bytes of answer (default 8192, at least 512)" },
};

static const struct ask_tool tools[] = {
	{ "about", "What is in the recording",
	  "Begin here. Events, machine, times, losses; which share of the samples has an activity "
	  "(span), a data type and a symbol; which questions this recording cannot answer, why, "
	  "and what to record for them.",
	  "", tool_about },
	{ "top", "Where the time went",
	  "Samples summed by keys, the largest share first, within conditions. overhead is percent "
	  "of all samples of the event. By data types, rows are ranked by certain, what of "
	  "overhead has a known type; without it, all has. Each row has a handle for drill and for "
	  "where.",
	  "keys where part", tool_top },
	{ "drill", "Into a row",
	  "Continues from a row's handle with the next keys: a span by function and type, a type "
	  "by field, a field by code; or with keys of your own.",
	  "handle keys part", tool_drill },
	{ "why", "Why requests were slow",
	  "What the time of requests went to along their critical paths: running, queued, waiting "
	  "for locks and for whom; the slowest ones beside the rest. Needs perf record --off-cpu.",
	  "span slowest part", tool_why },
	{ "compare", "What differs between two recordings",
	  "Rows of both recordings by the same keys, certain differences first (verdict more, "
	  "less, or noise), with the bounds of an interval of 95 %.",
	  "with keys where part", tool_compare },
	{ "fields", "Fields of a data type",
	  "Which fields of a type are read and written, by offset and cache line. Without type: "
	  "the types that samples touch.",
	  "type where part", tool_fields },
	{ "code", "Instructions of a field or function",
	  "With type and perhaps field: the instructions that touch it, with function and source "
	  "line. With symbol: the instructions of the function that have samples, the hottest "
	  "first.",
	  "type field symbol where part", tool_code },
	{ "derive", "How a type was found",
	  "The steps by which the data type of an instruction was derived: for checking an answer. "
	  "With place, or with type and field for their hottest instruction.",
	  "place type field part", tool_derive },
};

const struct ask_tool *ask_tool_at(u32 i)
{
	return i < ARRAY_SIZE(tools) ? &tools[i] : NULL;
}

const struct ask_tool *ask_tool_find(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(tools); i++)
		if (!strcmp(tools[i].name, name))
			return &tools[i];
	return NULL;
}

static bool has(const struct ask_tool *tool, const struct ask_argument *argument)
{
	g_auto(GStrv) names = g_strsplit(tool->arguments, " ", -1);

	return argument->of_all || g_strv_contains((const char *const *)names, argument->name);
}

const struct ask_argument *ask_tool_argument(const struct ask_tool *tool, u32 i)
{
	for (u32 k = 0; k < ARRAY_SIZE(arguments); k++)
		if (has(tool, &arguments[k]) && !i--)
			return &arguments[k];
	return NULL;
}
