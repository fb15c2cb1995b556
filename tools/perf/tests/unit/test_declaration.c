// SPDX-License-Identifier: GPL-2.0-or-later
/* Declarations that are changed in their source, those that are refused, and what is said of runs of two programs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/types.h"
#include "trial/declaration.h"
#include "have.h"
#include "trial/tree_files.h"
#include "trial/trial.h"

/*
 * "b a,c@64 {u} d#2": the new order; a,c is one part of two members; @: alignment; {}: a name inside of a nameless member; #: its old
 * place, if that is another.
 */
static GArray *parts_of(const char *order)
{
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct declared_part));
	g_auto(GStrv) words = g_strsplit(order, " ", 0);

	for (char **word = words; *word; word++) {
		struct declared_part part = { .names = g_ptr_array_new_with_free_func(g_free) };
		char *align = strchr(*word, '@'), *was = strchr(*word, '#');
		g_auto(GStrv) names = NULL;

		part.was = was ? (u32)atoi(was + 1) : parts->len;
		if (was)
			*was = 0;
		if (align) {
			*align = 0;
			part.align = (u32)atoi(align + 1);
		}
		part.inside = **word == '{';
		names = g_strsplit(part.inside ? *word + 1 : *word, ",", 0);
		for (char **name = names; *name; name++)
			g_ptr_array_add(part.names, g_strndup(*name, strcspn(*name, "}")));
		g_array_append_val(parts, part);
	}
	return parts;
}

static char *changed(const char *source, u32 line, const char *order, GError **error)
{
	g_autoptr(GArray) parts = parts_of(order);
	char *text = declaration_change(source, line, parts, error);

	for (u32 i = 0; i < parts->len; i++)
		g_ptr_array_unref(g_array_index(parts, struct declared_part, i).names);
	return text;
}

static void expect(const char *source, u32 line, const char *order, const char *want)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *got = changed(source, line, order, &error);

	if (error)
		print_message("%s\n", error->message);
	assert_non_null(got);
	assert_string_equal(got, want);
}

static void refused(const char *source, u32 line, const char *order, const char *why)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *got = changed(source, line, order, &error);

	assert_null(got);
	assert_string_equal(error->message, why);
}

static void test_order(void **state)
{
	expect("struct s {\n\tint a;\n\tlong b;\n};\n", 1, "b a",
	       "struct s {\n\tlong b;\n\tint a;\n};\n");
	expect("struct s { int a; long b; };\n", 1, "b a", "struct s { long b; int a; };\n");
	expect("// x\nstruct s\n{\n\tint a;\n\tlong b;\n} s;\nint c;\n", 2, "b a",
	       "// x\nstruct s\n{\n\tlong b;\n\tint a;\n} s;\nint c;\n");
}

static void test_comments_move(void **state)
{
	expect("struct s { /* of s */\n"
	       "\t/* of\n\t   a */\n"
	       "\tint a; // { rest of a\n"
	       "\n"
	       "\tlong b; /* b; */ /* too */\n"
	       "\t/* at the end */\n"
	       "};\n",
	       1, "b a",
	       "struct s { /* of s */\n"
	       "\n"
	       "\tlong b; /* b; */ /* too */\n"
	       "\t/* of\n\t   a */\n"
	       "\tint a; // { rest of a\n"
	       "\t/* at the end */\n"
	       "};\n");
}

/* A macro declares the first members: it stays as long as they do. */
static void test_macro(void **state)
{
	const char *source = "struct s {\n\tCommonHeader;\n\tint a;\n\tlong b;\n};\n";

	expect(source, 1, "next tt b a", "struct s {\n\tCommonHeader;\n\tlong b;\n\tint a;\n};\n");
	refused(source, 1, "next b tt#1 a",
		"the declaration of 'tt' is not found: a macro may declare it");
	refused(source, 1, "tt#1 next#0 b a",
		"the declaration of 'tt' is not found: a macro may declare it");
	refused(source, 1, "next@64 tt b a",
		"the declaration of 'next' is not found: a macro may declare it");
}

static void test_declarators(void **state)
{
	expect("struct s {\n\tlong a, *b, c[2];\n\tint d;\n};\n", 1, "d b a c",
	       "struct s {\n\tint d;\n\tlong *b;\n\tlong a;\n\tlong c[2];\n};\n");
	expect("struct s {\n\tstruct s *next, *prev;\n\tint d;\n};\n", 1, "prev d next",
	       "struct s {\n\tstruct s *prev;\n\tint d;\n\tstruct s *next;\n};\n");
	/* Those that stay together stay one declaration. */
	expect("struct s {\n\tlong a, b;\n\tint d;\n};\n", 1, "d a b",
	       "struct s {\n\tint d;\n\tlong a, b;\n};\n");
	expect("struct s {\n\tvoid (*call)(int a, void *b);\n\tint a;\n};\n", 1, "a call",
	       "struct s {\n\tint a;\n\tvoid (*call)(int a, void *b);\n};\n");
	expect("struct s {\n\tunsigned x : 3, y : 5;\n\tlong d;\n};\n", 1, "d x,y",
	       "struct s {\n\tlong d;\n\tunsigned x : 3, y : 5;\n};\n");
}

static void test_nameless(void **state)
{
	expect("struct s {\n\tint a;\n\tunion {\n\t\tint u;\n\t\tlong v;\n\t};\n};\n", 1, "{u} a",
	       "struct s {\n\tunion {\n\t\tint u;\n\t\tlong v;\n\t};\n\tint a;\n};\n");
	expect("struct s {\n\tint a;\n\tstruct { int x; } in;\n};\n", 1, "in a",
	       "struct s {\n\tstruct { int x; } in;\n\tint a;\n};\n");
}

static void test_alignment(void **state)
{
	expect("struct s {\n\tlong a;\n\tlong b;\n};\n", 1, "a b@64",
	       "struct s {\n\tlong a;\n\t__attribute__((aligned(64))) long b;\n};\n");
	expect("struct s {\n\tlong a, b;\n};\n", 1, "a b@64",
	       "struct s {\n\tlong a;\n\t__attribute__((aligned(64))) long b;\n};\n");
	expect("struct s {\n\tlong a, b;\n};\n", 1, "a@64 b",
	       "struct s {\n\t__attribute__((aligned(64))) long a;\n\tlong b;\n};\n");
}

/* Functions, types and friends of a class stay. */
static void test_classes(void **state)
{
	expect("class C : public B {\n"
	       "public:\n"
	       "\tC() : a(0) {}\n"
	       "\tvoid f(int x);\n"
	       "\tstatic int count;\n"
	       "private:\n"
	       "\tint a = 0;\n"
	       "\tstd::vector<int, A<int>> b{1, 2};\n"
	       "\tenum kind { X, Y };\n"
	       "\tkind k;\n"
	       "};\n",
	       1, "k b a",
	       "class C : public B {\n"
	       "public:\n"
	       "\tC() : a(0) {}\n"
	       "\tvoid f(int x);\n"
	       "\tstatic int count;\n"
	       "private:\n"
	       "\tkind k;\n"
	       "\tstd::vector<int, A<int>> b{1, 2};\n"
	       "\tint a = 0;\n"
	       "\tenum kind { X, Y };\n"
	       "};\n");
}

/* A group of the preprocessor is one piece, with all its branches. */
static void test_groups(void **state)
{
	const char *two = "struct s {\n\tint c;\n#ifdef X\n\tint a;\n\tlong b;\n#endif\n};\n";

	expect("struct s {\n#ifdef X /* x */\n\tint a;\n#endif // X\n\tlong b;\n};\n", 1, "b a",
	       "struct s {\n\tlong b;\n#ifdef X /* x */\n\tint a;\n#endif // X\n};\n");
	expect("struct s {\n\tlong b;\n# if defined(X) && \\\n\tY\n\tint a;\n#else\n\tlong a;\n"
	       "# endif\n\tint c;\n};\n",
	       1, "a c b",
	       "struct s {\n# if defined(X) && \\\n\tY\n\tint a;\n#else\n\tlong a;\n"
	       "# endif\n\tint c;\n\tlong b;\n};\n");
	expect("struct s {\n\tint c;\n#if X\n#if Y\n\tint y;\n#endif\n\tint a, *b;\n#elif Z\n"
	       "\tunion { int q; };\n#endif\n\tlong d;\n};\n",
	       1, "d a b c",
	       "struct s {\n\tlong d;\n#if X\n#if Y\n\tint y;\n#endif\n\tint a, *b;\n#elif Z\n"
	       "\tunion { int q; };\n#endif\n\tint c;\n};\n");
	/* This build has nothing of it: it stays in front, or behind the members. */
	expect("struct s {\n#ifdef X\n\tint x;\n#endif\n\tint a;\n#ifdef Y\n\tint y;\n#endif\n"
	       "\tlong b;\n};\n",
	       1, "b a",
	       "struct s {\n#ifdef X\n\tint x;\n#endif\n\tlong b;\n\tint a;\n#ifdef Y\n\tint y;\n"
	       "#endif\n};\n");
	expect(two, 1, "a b c",
	       "struct s {\n#ifdef X\n\tint a;\n\tlong b;\n#endif\n\tint c;\n};\n");
	refused(two, 1, "b a c",
		"line 3: the preprocessor chooses members that would not stay together");
	refused(two, 1, "a c b",
		"line 3: the preprocessor chooses members that would not stay together");
	refused(two, 1, "a@64 b c",
		"line 3: the preprocessor chooses a member that would be aligned");
	refused("struct s {\n\tlong b;\n#if X\n\tint\n#else\n\tlong\n#endif\n\ta;\n};\n", 1, "a b",
		"line 5: the preprocessor chooses parts of a declaration");
	refused("class s {\n\tlong b;\n#if X\npublic:\n#endif\n\tint a;\n};\n", 1, "a b",
		"line 4: the preprocessor chooses sections of the class");
	refused("struct s {\n\tlong b;\n#if X\n\tint a;\n};\n#endif\n", 1, "a b",
		"line 3: #if has no end among the members");
	refused("struct s {\n\tlong b;\n#pragma pack(1)\n\tint a;\n};\n", 1, "a b",
		"line 3: a directive stands among the members");
	/* What one of them may use. */
	expect("struct s {\n\tint a;\n#define N 4 /* of b */\n\tlong b[N];\n};\n", 1, "b a",
	       "struct s {\n#define N 4 /* of b */\n\tlong b[N];\n\tint a;\n};\n");
}

static void test_refused(void **state)
{
	refused("struct s {\n\tint a\n#ifdef X\n\t[2]\n#endif\n\t;\n\tlong b;\n};\n", 1, "b a",
		"line 3: the preprocessor chooses parts of a declaration");
	refused("struct s {\n\tint a;\n};\n", 1, "b a",
		"the declaration of 'b' is not found: a macro may declare it");
	refused("struct s {\n\tint a, b;\n};\n", 1, "a",
		"line 2: some members of this declaration are not known");
	refused("class s {\n\tint a;\npublic:\n\tint b;\n};\n", 1, "b a",
		"line 2: members are in several sections of the class");
	refused("int a;\nstruct s {\n\tint a;\n};\n", 1, "a",
		"line 1: no structure is declared there: has the file changed?");
	refused("struct s {\n\tint a;\n", 1, "a",
		"line 1: no structure is declared there: has the file changed?");
	refused("struct s {\n\tstruct { int x; } p, q;\n\tint a;\n};\n", 1, "q a p",
		"line 2: members of one nameless type are declared together");
	refused("struct s {};\n", 90, "a",
		"line 2: no structure is declared there: has the file changed?");
	refused("struct s {\n\tint a;\n\tint a;\n};\n", 1, "a",
		"'a' seems to be declared more than once: the file may have changed");
}

/* Any text at all: an answer, and no access beyond it. */
static void test_garbage(void **state)
{
	static const char signs[] = "{}()[];,:*=#\"'/\\\n ab<>~if\n#";
	u64 seed = 1;

	for (u32 i = 0; i < 20000; i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *got = NULL,
				*text = g_strdup("struct s {\n                              ");
		size_t size = strlen(text);

		for (size_t k = i % 11; k < size; k++) {
			seed = seed * 6364136223846793005ull + 1;
			text[k] = signs[(seed >> 33) % (sizeof(signs) - 1)];
		}
		got = changed(text, 1, "b a", &error);
		assert_true(got || error);
	}
}

/* Pairs that all save a quarter, and pairs that differ by chance. */
static void test_measure(void **state)
{
	const double before[] = { 4, 8, 2, 4 }, after[] = { 3, 6, 1.5, 3 };
	const double a[] = { 1, 1.1, 0.9, 1.05 }, b[] = { 1.05, 0.95, 1.1, 0.9 };
	struct trial_measure m = trial_measure_of(before, after, 4);

	assert_float_equal(m.before, 4, 1e-9);
	assert_float_equal(m.after, 3, 1e-9);
	assert_float_equal(m.saved, 0.25, 1e-9);
	assert_float_equal(m.low, 0.25, 1e-9);
	m = trial_measure_of(a, b, 4);
	assert_true(m.low < 0 && m.high > 0);
	/* t of 3 degrees of freedom is 3.182; two pairs, with logarithms 0 and ln 4: half is 12.706 x ln 2. */
	m = trial_measure_of((const double[]){ 1, 4 }, (const double[]){ 1, 1 }, 2);
	assert_float_equal(m.saved, 0.5, 1e-9);
	assert_float_equal(m.low, 1 - 0.5 * exp(12.7062 * log(2)), 1);
}

struct tree {
	char *folder;
	struct trial_options options;
	struct trial_result result;
};

static void tree_init(struct tree *t, const char *script, const char *const *command)
{
	g_autofree char *path = NULL;

	*t = (struct tree){ .folder = g_dir_make_tmp("tree-XXXXXX", NULL) };
	path = g_build_filename(t->folder, "text", NULL);
	assert_true(g_file_set_contents(path, "0\n", -1, NULL));
	t->options = (struct trial_options){ .tree = t->folder,
					     .most = 1 << 20,
					     .file = "text",
					     .text = "1\n",
					     .build = script,
					     .command = command,
					     .runs = 3 };
}

static void tree_release(struct tree *t)
{
	g_autofree char *path = g_build_filename(t->folder, "text", NULL);

	unlink(path);
	rmdir(t->folder);
	g_free(t->folder);
	trial_result_release(&t->result);
}

/* The build sees each text; the tree itself is not touched; the copies are gone. */
static void test_runs(void **state)
{
	const char *const command[] = { "sh", "-c", "sleep $(cat built)", NULL };
	g_autofree char *text = NULL, *path = NULL;
	struct tree t;

	tree_init(&t, "sed s/1/0.2/ text > built", command);
	assert_true(trial_run(&t.options, &t.result, NULL));
	assert_int_equal(t.result.pairs, 3);
	assert_true(t.result.measures[TRIAL_CLOCK].after >= 0.2);
	assert_true(t.result.measures[TRIAL_CLOCK].saved < 0);
	assert_true(t.result.same_output);
	assert_null(t.result.kept);
	path = g_build_filename(t.folder, "text", NULL);
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	assert_string_equal(text, "0\n");
	tree_release(&t);
}

static void test_outputs_differ(void **state)
{
	const char *const command[] = { "cat", "text", NULL };
	struct tree t;

	tree_init(&t, "true", command);
	assert_true(trial_run(&t.options, &t.result, NULL));
	assert_false(t.result.same_output);
	tree_release(&t);
	/* A program that never prints the same says nothing. */
	tree_init(&t, "true", (const char *const[]){ "sh", "-c", "echo $$", NULL });
	assert_true(trial_run(&t.options, &t.result, NULL));
	assert_true(t.result.same_output);
	tree_release(&t);
}

static void test_failures(void **state)
{
	const char *const command[] = { "sh", "-c", "echo so; echo why >&2; exit 3", NULL };
	g_autoptr(GError) error = NULL;
	struct tree t;

	tree_init(&t, "echo no rule; exit 2", command);
	assert_false(trial_run(&t.options, &t.result, &error));
	assert_string_equal(error->message, "build (before): exit status 2\nno rule");
	g_clear_error(&error);
	t.options.build = "true";
	assert_false(trial_run(&t.options, &t.result, &error));
	assert_string_equal(error->message, "sh (before): exit status 3\nwhy");
	g_clear_error(&error);
	t.options.command = (const char *const[]){ "/nowhere/program", NULL };
	assert_false(trial_run(&t.options, &t.result, &error));
	assert_non_null(strstr(error->message, "/nowhere/program"));
	tree_release(&t);
}

/* A compiler's output that does not depend on the file; a script may be the same. */
static void test_same_program(void **state)
{
	const char *const command[] = { "./program", "-c", "true", NULL };
	g_autoptr(GError) error = NULL;
	struct tree t;

	tree_init(&t, "cp /bin/sh program", command);
	assert_false(trial_run(&t.options, &t.result, &error));
	assert_string_equal(
		error->message,
		"the build made the same program with and without the change: does it use "
		"text of the folder in which it runs?");
	t.options.build = "echo '#!/bin/sh' > program; chmod +x program";
	assert_true(trial_run(&t.options, &t.result, NULL));
	tree_release(&t);
}

/* A shell script in the tree that must succeed. */
static void in_tree(const struct tree *t, const char *script)
{
	const char *const command[] = { "sh", "-c", script, NULL };
	int status;

	assert_true(g_spawn_sync(t->folder, (char **)command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
				 NULL, NULL, &status, NULL));
	assert_true(g_spawn_check_wait_status(status, NULL));
}

/* More than may be copied unasked is refused with its size; with git, what it ignores is left behind. */
static void test_large_trees(void **state)
{
	const char *const command[] = { "sh", "-c", "test ! -e data && cat 'deep/a b' text", NULL };
	g_autoptr(GError) error = NULL;
	struct tree_files files;
	struct tree t;

	tree_init(&t, "true", command);
	in_tree(&t, "truncate -s 3M data; mkdir deep; echo one >'deep/a b'");
	assert_false(trial_run(&t.options, &t.result, &error));
	assert_non_null(strstr(error->message, " has at least 3.0 MiB in "));
	assert_non_null(strstr(error->message, "--tree=FOLDER"));
	assert_null(strstr(error->message, "git"));
	if (have("git")) {
		in_tree(&t, "git init -q . && echo data >.gitignore && touch gone && git add . && "
			    "rm gone");
		assert_true(trial_run(&t.options, &t.result, NULL));
		assert_false(t.result.same_output);
		t.options.most = 1;
		g_clear_error(&error);
		assert_false(trial_run(&t.options, &t.result, &error));
		assert_non_null(strstr(error->message, " files that git does not ignore"));
	}
	assert_true(tree_files_find(t.folder, UINT64_MAX, "/nowhere/list", &files, NULL));
	assert_false(files.listed);
	assert_true(files.bytes >= 3 << 20);
	in_tree(&t, "rm -rf data deep .git .gitignore");
	tree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),	       cmocka_unit_test(test_comments_move),
		cmocka_unit_test(test_macro),	       cmocka_unit_test(test_declarators),
		cmocka_unit_test(test_nameless),       cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_classes),	       cmocka_unit_test(test_groups),
		cmocka_unit_test(test_refused),	       cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_measure),	       cmocka_unit_test(test_runs),
		cmocka_unit_test(test_outputs_differ), cmocka_unit_test(test_failures),
		cmocka_unit_test(test_same_program),   cmocka_unit_test(test_large_trees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
