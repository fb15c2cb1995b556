// SPDX-License-Identifier: GPL-2.0-or-later
#include "compare/chains.h"

#include "dso/dso.h"
#include "fields/identity.h"
#include "resolve/resolve.h"

const struct field compare_chain_key = { .name = "callchain",
					 .header = "Call Chain",
					 .loose = true };

/* A function, or for code without one its file: addresses differ from build to build. */
static char *frame_name(const struct code *code)
{
	const char *name = code_name(code);

	if (name)
		return identity_function(name);
	return code->dso ? g_strdup_printf("[%s]", dso_short_name(code->dso))
			 : g_strdup("[unknown]");
}

u32 compare_chain_text(const struct stacks *stacks, u32 stack, struct intern *texts)
{
	struct stack_walk walk = stacks_walk(stacks, stack);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) text = g_string_new(NULL);
	const struct stack_frame *frame;

	if (!stack)
		return intern_id(texts, "(no call chain)");
	while ((frame = stack_next(&walk)))
		g_ptr_array_add(names, frame_name(frame->code));
	for (u32 i = names->len; i--;)
		g_string_append_printf(text, "%s%s", (char *)names->pdata[i], i ? ";" : "");
	return intern_id(texts, text->str);
}
