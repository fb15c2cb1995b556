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

struct frame_words {
	char *identity, *text;
};

static void frame_words_clear(void *arg)
{
	struct frame_words *words = arg;

	g_free(words->identity);
	g_free(words->text);
}

static struct frame_words words_of(const struct code *code, const struct compare_chain_names *by)
{
	g_autofree char *name = frame_name(code);
	struct compare_function f;

	if (!compare_functions_tell(by->functions, by->old, by->names, code, &f))
		return (struct frame_words){ g_strdup(name), g_steal_pointer(&name) };
	return (struct frame_words){
		g_strdup_printf("%s (%s)", name, f.same_as),
		f.same_as == f.file ? g_strdup_printf("%s (%s)", name, f.file)
				    : g_strdup_printf("%s (%s, was %s)", name, f.file, f.same_as),
	};
}

struct compare_chain compare_chain_make(const struct stacks *stacks, u32 stack,
					const struct compare_chain_names *by, struct intern *texts)
{
	struct stack_walk walk = stacks_walk(stacks, stack);
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct frame_words));
	g_autoptr(GString) identity = g_string_new(stack ? NULL : "(no call chain)");
	g_autoptr(GString) text = g_string_new(identity->str);
	const struct stack_frame *frame;

	g_array_set_clear_func(frames, frame_words_clear);
	while (stack && (frame = stack_next(&walk))) {
		struct frame_words words = words_of(frame->code, by);

		g_array_append_val(frames, words);
	}
	for (u32 i = frames->len; i--;) {
		const struct frame_words *words = &g_array_index(frames, struct frame_words, i);

		g_string_append_printf(identity, "%s%s", words->identity, i ? ";" : "");
		g_string_append_printf(text, "%s%s", words->text, i ? ";" : "");
	}
	return (struct compare_chain){ intern_id(texts, identity->str),
				       intern_id(texts, text->str) };
}
