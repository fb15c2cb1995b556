// SPDX-License-Identifier: GPL-2.0-or-later
/* The tools and their arguments: a tool is a row here, and its function. */
#include <string.h>

#include "ask/ask_private.h"

static const struct ask_argument arg_file = {
	"file", false,
	"which recording: its path on the command line, or the end of it (default: the first)"
};
static const struct ask_argument arg_rows = { "rows", true,
					      "budget: at most this many rows (default 20)" };
static const struct ask_argument arg_bytes = {
	"bytes", true, "budget: at most this many bytes of answer (default 8192, at least 512)"
};
static const struct ask_argument *const of_all[] = { &arg_file, &arg_rows, &arg_bytes };

const struct ask_argument ask_arg_keys = {
	"keys", false,
	"what rows are told apart by: sort keys with commas, such as "
	"span,type,typeoff,symbol,srcline,comm,tid,"
	"dso,state,syscall,lock,trace_id,type_rank (an unknown one is answered with the whole list)"
};
const struct ask_argument ask_arg_where = {
	"where", false,
	"only these samples: a row's handle, or conditions KEY=TEXT (reads) and KEY~TEXT "
	"(contains) joined by ';'"
};
const struct ask_argument ask_arg_handle = { "handle", false,
					     "the handle of a row of an earlier answer" };
const struct ask_argument ask_arg_span = { "span", false,
					   "name of a span, pattern such as check*, id of a span "
					   "or trace, thread id, or * for a table of all" };
const struct ask_argument ask_arg_slowest = {
	"slowest", true, "percent of the requests that are the slow ones (default 1)"
};
const struct ask_argument ask_arg_with = { "with", false,
					   "the other recording, the new side: as file" };
const struct ask_argument ask_arg_type = { "type", false,
					   "name of a data type, such as order (without struct)" };
const struct ask_argument ask_arg_field = { "field", false,
					    "a field of the type: its name, a path a.b, or +0x10" };
const struct ask_argument ask_arg_symbol = { "symbol", false, "name of a function" };
const struct ask_argument ask_arg_place = { "place", false,
					    "an instruction: FUNCTION+0xOFFSET, or FUNCTION" };
const struct ask_argument ask_arg_part = { "part", false,
					   "which part of the answer, by its title, of those "
					   "listed in other_parts (default: the first)" };

static const struct ask_tool tools[] = {
	{ "about",
	  "What is in the recording",
	  "Begin here. Events, machine, times, losses; which share of the samples has an activity "
	  "(span), a data type and a "
	  "symbol; which questions this recording cannot answer, why, and what to record for them.",
	  { NULL },
	  tool_about },
	{ "top",
	  "Where the time went",
	  "Samples summed by keys, the largest share first, within conditions. overhead is percent "
	  "of all samples of the "
	  "event. Each row has a handle for drill and for where.",
	  { &ask_arg_keys, &ask_arg_where, &ask_arg_part },
	  tool_top },
	{ "drill",
	  "Into a row",
	  "Continues from a row's handle with the next keys: a span by function and type, a type "
	  "by field, a field by code; "
	  "or with keys of your own.",
	  { &ask_arg_handle, &ask_arg_keys, &ask_arg_part },
	  tool_drill },
	{ "why",
	  "Why requests were slow",
	  "What the time of requests went to along their critical paths: running, queued, waiting "
	  "for locks and for whom; the "
	  "slowest ones beside the rest. Needs perf record --off-cpu.",
	  { &ask_arg_span, &ask_arg_slowest, &ask_arg_part },
	  tool_why },
	{ "compare",
	  "What differs between two recordings",
	  "Rows of both recordings by the same keys, certain differences first (verdict more or "
	  "less; none: within noise), with "
	  "the bounds of an interval of 95 %.",
	  { &ask_arg_with, &ask_arg_keys, &ask_arg_where, &ask_arg_part },
	  tool_compare },
	{ "fields",
	  "Fields of a data type",
	  "Which fields of a type are read and written, by offset and cache line. Without type: "
	  "the types that samples touch.",
	  { &ask_arg_type, &ask_arg_where, &ask_arg_part },
	  tool_fields },
	{ "code",
	  "Instructions of a field or function",
	  "With type and perhaps field: the instructions that touch it, with function and source "
	  "line. With symbol: the "
	  "instructions of the function that have samples, the hottest first.",
	  { &ask_arg_type, &ask_arg_field, &ask_arg_symbol, &ask_arg_where, &ask_arg_part },
	  tool_code },
	{ "derive",
	  "How a type was found",
	  "The steps by which the data type of an instruction was derived: for checking an answer. "
	  "With place, or with type and "
	  "field for their hottest instruction.",
	  { &ask_arg_place, &ask_arg_type, &ask_arg_field, &ask_arg_part },
	  tool_derive },
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

const struct ask_argument *ask_tool_argument(const struct ask_tool *tool, u32 i)
{
	u32 own = 0;

	while (tool->arguments[own])
		own++;
	if (i < own)
		return tool->arguments[i];
	return i - own < ARRAY_SIZE(of_all) ? of_all[i - own] : NULL;
}
