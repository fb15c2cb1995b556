// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the argument of a call points to: a program compiled here, whose functions each pass a pointer to take(). And the
 * variables with static storage at an address.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "dso/dsos.h"
#include "insn/insn.h"
#include "typeflow/typeflow.h"

static const char source[] =
	"struct lock { int word; };\n"
	"struct shard { long n; struct lock lock; struct { char c; struct lock second; } in; };\n"
	"struct shard shards[4];\n"
	"__attribute__((noipa)) void take(int how, struct lock *lock);\n"
	"void member(struct shard *s) { take(1, &s->lock); }\n"
	"void nested(struct shard *s) { take(1, &s->in.second); }\n"
	"struct holder { struct shard *of; };\n"
	"void loaded(struct holder *h) { take(2, &h->of->lock); h->of = 0; }\n"
	"void passes(struct lock *lock) { take(3, lock); take(4, lock); }\n"
	"void frame(void) { struct shard mine = { 0 }; take(5, &mine.lock); }\n"
	"void number(int n) { take(n, (struct lock *)(long)n); }\n"
	"__attribute__((noipa)) void take(int how, struct lock *lock) { lock->word = how; }\n"
	"int main(void) { member(shards); nested(shards); loaded(&(struct holder){ shards });\n"
	"passes(&shards[2].lock); frame(); number(3); }\n";

struct program {
	char *folder;
	struct dsos *dsos;
	struct dso *dso;
	struct typeflow *flow;
};

static void build(struct program *p, const char *flags)
{
	g_autofree char *path = NULL, *file = NULL, *command = NULL;

	p->folder = g_dir_make_tmp("argument-XXXXXX", NULL);
	file = g_build_filename(p->folder, "program.c", NULL);
	path = g_build_filename(p->folder, "program", NULL);
	assert_true(g_file_set_contents(file, source, -1, NULL));
	command = g_strdup_printf("cc -g %s -w -fno-inline -fno-ipa-cp -fno-ipa-sra "
				  "-fno-ipa-ra -o '%s' '%s'",
				  flags, path, file);
	assert_int_equal(system(command), 0);
	p->dsos = dsos_new(&(struct dso_options){ .buildid_dir = p->folder });
	p->dso = dsos_get(p->dsos, path, NULL, 0, DSO_USER);
	p->flow = typeflow_new(insn_fusion_of(NULL), NULL);
}

static void clear(struct program *p)
{
	g_autofree char *command = g_strdup_printf("rm -rf '%s'", p->folder);

	typeflow_free(p->flow);
	dsos_free(p->dsos);
	assert_int_equal(system(command), 0);
	g_free(p->folder);
}

static const struct symbol *symbol_named(struct dso *dso, const char *name)
{
	for (u32 i = 0; i < dso_nr_symbols(dso); i++)
		if (!strcmp(dso_symbol(dso, i)->raw, name))
			return dso_symbol(dso, i);
	fail_msg("no symbol %s", name);
	return NULL;
}

/* The last byte of the first call or tail call in the function. */
static u64 first_call(struct dso *dso, const char *name, bool *tail)
{
	struct insn_decoder *dec = insn_decoder_new(INSN_X86_64, NULL);
	const struct symbol *s = symbol_named(dso, name), *take = symbol_named(dso, "take");
	size_t left;
	const u8 *code = dso_code(dso, s->start, &left);
	struct insn insn = { 0 };
	u64 at = s->start, found = 0;

	for (; !found && at < s->end; at += insn.size) {
		assert_true(insn_decode(dec, code + (at - s->start), left - (at - s->start), at,
					&insn));
		if (insn.target == take->start)
			found = at + insn.size - 1;
	}
	*tail = insn.op != INSN_CALLS;
	insn_decoder_free(dec);
	if (!found)
		fail_msg("%s does not call take()", name);
	return found;
}

/* "struct shard+8", "?" */
static char *argument_of(struct program *p, const char *function, u32 nth, u8 *parameter)
{
	struct pointee to;
	bool tail;
	u64 call = first_call(p->dso, function, &tail);

	if (tail)
		return g_strdup("tail");
	if (!typeflow_argument(p->flow, p->dso, call, nth, &to))
		return g_strdup("?");
	*parameter = to.parameter;
	return g_strdup_printf("%s%s%s+%d", to.variable ?: "", to.variable ? ": " : "",
			       type_shown_name(to.type), (int)to.offset);
}

static void test_arguments(void **state)
{
	static const struct {
		const char *function, *expected;
		u32 nth;
	} rows[] = {
		{ "member", "struct shard+8", 1 },
		{ "nested", "struct shard+16", 1 },
		{ "loaded", "struct shard+8", 1 },
		{ "passes", "struct lock+0", 1 },
		{ "frame", "mine: struct shard+8", 1 },
		{ "member", "?", 0 },
		{ "number", "?", 0 },
		{ "member", "?", TYPEFLOW_ARGUMENTS },
	};
	static const char *const levels[] = { "-O0", "-Og", "-O1 -fno-optimize-sibling-calls",
					      "-O2 -fno-optimize-sibling-calls" };

	for (u32 l = 0; l < ARRAY_SIZE(levels); l++) {
		struct program p;

		build(&p, levels[l]);
		for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
			u8 parameter = 99;
			g_autofree char *found =
				argument_of(&p, rows[i].function, rows[i].nth, &parameter);

			if (strcmp(found, rows[i].expected))
				fail_msg("%s: %s has %s, not %s", levels[l], rows[i].function,
					 found, rows[i].expected);
			/* Without optimization, the pointer goes through the stack. */
			if (!strcmp(rows[i].function, "passes") && l)
				assert_int_equal(parameter, 0);
			else if (!strcmp(rows[i].function, "loaded"))
				assert_int_equal(parameter, TYPEFLOW_ARGUMENTS);
		}
		clear(&p);
	}
}

/* Addresses that are in no call, and in no function. */
static void test_no_call(void **state)
{
	struct program p;
	struct pointee to;
	const struct symbol *member;

	build(&p, "-O0");
	member = symbol_named(p.dso, "member");
	assert_false(typeflow_argument(p.flow, p.dso, member->start, 1, &to));
	assert_false(typeflow_argument(p.flow, p.dso, 1, 1, &to));
	assert_false(typeflow_argument(p.flow, p.dso, 0, 1, &to));
	assert_false(typeflow_argument(p.flow, p.dso, UINT64_MAX, 1, &to));
	clear(&p);
}

static void test_variables(void **state)
{
	struct program p;
	struct pointee to;
	const struct symbol *shards;

	build(&p, "-O0");
	shards = symbol_named(p.dso, "shards");
	assert_true(typeflow_variable(p.flow, p.dso, shards->start + 56, 0, &to));
	assert_string_equal(to.variable, "shards");
	assert_int_equal(to.offset, 56);
	assert_int_equal(to.parameter, TYPEFLOW_ARGUMENTS);
	assert_false(typeflow_variable(p.flow, p.dso, shards->start + 4096, 0, &to));
	assert_false(typeflow_variable(p.flow, p.dso, UINT64_MAX, 0, &to));
	clear(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_no_call),
		cmocka_unit_test(test_variables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
