// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "cli/options.h"

struct opts {
	bool force, quiet, inherit_off;
	int verbose, delay;
	u64 count, size;
	double limit;
	const char *input, *level, *graph, *tls;
	GPtrArray *events;
	bool tls_set;
	u32 called;
};

static bool call(const struct option_row *row, const char *arg, bool unset, void *opts,
		 GError **error)
{
	struct opts *o = opts;

	o->called = unset ? 0 : (u32)strlen(arg);
	if (arg && !strcmp(arg, "wrong"))
		return error_set(error, PERF_ERROR_USAGE, "unknown mode `%s'", arg);
	return true;
}

#define AT(member) offsetof(struct opts, member)
static const struct option_row rows[] = {
	{ 'f', "force", OPT_FLAG, NULL, "don't complain, do it", AT(force) },
	{ 'q', "quiet", OPT_FLAG, NULL, "say little", AT(quiet) },
	{ 'F', "fields", OPT_STRING, "key[,keys...]", "output fields", AT(input) },
	{ 'i', "no-inherit", OPT_FLAG, NULL, "child tasks do not inherit counters",
	  AT(inherit_off) },
	{ 'v', "verbose", OPT_COUNT, NULL, "be more verbose", AT(verbose) },
	{ 'D', "delay", OPT_INT, "ms", "ms to wait", AT(delay) },
	{ 'c', "count", OPT_U64, "n", "event period to sample", AT(count) },
	{ 0, "max-size", OPT_SIZE, "size", "limit of the file", AT(size) },
	{ 0, "percent-limit", OPT_DOUBLE, "percent", "hide rows under it", AT(limit) },
	{ 'e', "event", OPT_LIST, "event", "event selector", AT(events) },
	{ 'z', "compression-level", OPT_STRING, "n", "compress", AT(level), .fallback = "1" },
	{ 'g', "call-graph", OPT_STRING, "mode", "call graph", AT(graph), .fallback = "graph",
	  .flags = OPT_NEXT_WORD },
	{ 0, "sample-tls", OPT_STRING, "layout", "activity of each sample", AT(tls),
	  .fallback = "activity", .set_offset = AT(tls_set) },
	{ 0, "mode", OPT_CALL, "mode", "how", 0, .call = call },
	{ 0, "secret", OPT_FLAG, NULL, "hidden", AT(force), .flags = OPT_HIDDEN | OPT_NO_NEGATE },
};
static const char *const usage[] = { "perf try [<options>] [<command>]",
				     "perf try [<options>] -- <command> [<options>]", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };
static const struct options_spec stopping = { usage, rows, ARRAY_SIZE(rows),
					      .stop_at_argument = true };

/* The words of @line parsed; what is left over is joined into @rest (of 256 bytes). Options point into words: they stay. */
static int try_spec(const struct options_spec *s, const char *line, struct opts *o, char *rest)
{
	g_autofree char *all = g_strconcat("try ", line, NULL);
	g_auto(GStrv) words = g_strsplit(all, " ", -1);
	int argc = (int)g_strv_length(words), status = 0;
	g_autofree char **argv = g_new0(char *, argc + 1);
	char **left = argv;

	for (int i = 0; i < argc; i++)
		argv[i] = (char *)g_intern_string(words[i]);
	rest[0] = 0;
	if (options_parse(s, &argc, &left, o, &status)) {
		g_autofree char *joined = g_strjoinv(" ", left);

		g_strlcpy(rest, joined, 256);
	}
	return status;
}

static int try(const char *line, struct opts *o)
{
	char rest[256];
	int status;

	*o = (struct opts){ .input = "perf.data" };
	status = try_spec(&spec, line, o, rest);
	assert_string_equal(rest, "");
	return status;
}

/* What the wrong @line prints on stderr. */
static char *complaint(const char *line)
{
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "test_options.XXXXXX", NULL);
	int fd = g_mkstemp(path), saved = dup(2);
	struct opts o = { 0 };
	char rest[256], *text;

	assert_true(fd >= 0);
	fflush(stderr);
	dup2(fd, 2);
	assert_int_equal(try_spec(&spec, line, &o, rest), OPTIONS_EXIT_USAGE);
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	close(fd);
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	unlink(path);
	return text;
}

static void values_of_every_kind(void **state)
{
	struct opts o;

	assert_int_equal(try("-f -q", &o), 0);
	assert_true(o.force && o.quiet);
	assert_int_equal(try("-vvv -v", &o), 0);
	assert_int_equal(o.verbose, 4);
	assert_int_equal(try("-c 0x10 -D -1", &o), 0);
	assert_int_equal(o.count, 16);
	assert_int_equal(o.delay, -1);
	assert_int_equal(try("-c4000 --max-size=2M --percent-limit 0.5", &o), 0);
	assert_int_equal(o.count, 4000);
	assert_int_equal(o.size, 2 << 20);
	assert_true(o.limit == 0.5);
	assert_int_equal(try("-e a -e b,c", &o), 0);
	assert_int_equal(o.events->len, 2);
	assert_string_equal(o.events->pdata[1], "b,c");
	g_ptr_array_unref(o.events);
	assert_int_equal(try("-F+time --mode dwarf", &o), 0);
	assert_string_equal(o.input, "+time");
	assert_int_equal(o.called, 5);
}

static void numbers_are_finite(void **state)
{
	struct opts o;

	assert_int_equal(try("--percent-limit nan", &o), OPTIONS_EXIT_USAGE);
	assert_int_equal(try("--percent-limit 1e999", &o), OPTIONS_EXIT_USAGE);
	assert_int_equal(try("--percent-limit -inf", &o), OPTIONS_EXIT_USAGE);
}

static void optional_arguments(void **state)
{
	struct opts o;
	char rest[256];

	assert_int_equal(try("-z", &o), 0);
	assert_string_equal(o.level, "1");
	assert_int_equal(try("-z3", &o), 0);
	assert_string_equal(o.level, "3");
	assert_int_equal(try("--sample-tls", &o), 0);
	assert_string_equal(o.tls, "activity");
	assert_true(o.tls_set);
	assert_int_equal(try("--sample-tls=var:8:u64", &o), 0);
	assert_string_equal(o.tls, "var:8:u64");
	assert_int_equal(try("-g caller -f", &o), 0);
	assert_string_equal(o.graph, "caller");
	assert_true(o.force);
	assert_int_equal(try("-g -f", &o), 0);
	assert_string_equal(o.graph, "graph");
	/* An optional argument is not the next word, where that could be the command. */
	o = (struct opts){ 0 };
	assert_int_equal(try_spec(&stopping, "-z sleep 3", &o, rest), 0);
	assert_string_equal(rest, "sleep 3");
}

static void taken_back(void **state)
{
	struct opts o;

	assert_int_equal(try("-f --no-force -vv --no-verbose --no-fields", &o), 0);
	assert_false(o.force);
	assert_int_equal(o.verbose, 0);
	assert_null(o.input);
	assert_int_equal(try("-i", &o), 0);
	assert_true(o.inherit_off);
	assert_int_equal(try("-i --inherit", &o), 0);
	assert_false(o.inherit_off);
	assert_int_equal(try("-e a --no-event -e b", &o), 0);
	assert_int_equal(o.events->len, 1);
	g_ptr_array_unref(o.events);
	assert_int_equal(try("--no-secret", &o), OPTIONS_EXIT_USAGE);
}

static void prefixes(void **state)
{
	g_autofree char *complaint_of_f = NULL;
	struct opts o;

	assert_int_equal(try("--verb --max=1", &o), 0);
	assert_int_equal(o.verbose, 1);
	assert_int_equal(o.size, 1);
	assert_int_equal(try("--no-inh", &o), 0);
	assert_true(o.inherit_off);
	complaint_of_f = complaint("--f");
	assert_true(g_str_has_prefix(complaint_of_f, " Error: Ambiguous option: f (could be "
						     "--force or --fields)\n"));
}

static void words_left_over(void **state)
{
	struct opts o = { 0 };
	char rest[256];

	assert_int_equal(try_spec(&stopping, "-f sleep -q 3", &o, rest), 0);
	assert_string_equal(rest, "sleep -q 3");
	assert_false(o.quiet);
	assert_int_equal(try_spec(&spec, "main -q -- -f", &o, rest), 0);
	assert_string_equal(rest, "main -f");
	assert_true(o.quiet);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *line, *first;
	} cases[] = {
		{ "--bogus=3", "  Error: unknown option `bogus'\n\n Usage: perf try" },
		{ "--froce", "  Error: unknown option `froce'\n\nDid you mean this?\n\t--force\n" },
		{ "-fx", "  Error: unknown switch `x'\n" },
		{ "-c", " Error: switch `c' requires a value\n" },
		{ "--count", " Error: option `count' requires a value\n" },
		{ "-c ten", " Error: switch `c' expects an unsigned numerical value\n" },
		{ "-c -3", " Error: switch `c' expects an unsigned numerical value\n" },
		{ "-D 9x", " Error: switch `D' expects a numerical value\n" },
		{ "--force=3", " Error: option `force' takes no value\n" },
		{ "--no-force=3", " Error: option `no-force' takes no value\n" },
		{ "--max-size 3Q", " Error: option `max-size' expects a size" },
		{ "--max-size 99999999999G", " Error: option `max-size' expects a size" },
		{ "--mode wrong", " Error: option `mode': unknown mode `wrong'\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		g_autofree char *text = complaint(cases[i].line);

		if (!g_str_has_prefix(text, cases[i].first))
			fail_msg("%s: %s", cases[i].line, text);
	}
}

static void usage_is_shaped_like_upstreams(void **state)
{
	g_autofree char *all = NULL, *some = NULL;
	size_t size;
	FILE *f = open_memstream(&all, &size);

	options_usage(&spec, NULL, f);
	fclose(f);
	assert_string_equal(all, "\n Usage: perf try [<options>] [<command>]\n"
				 "    or: perf try [<options>] -- <command> [<options>]\n\n"
				 "    -c, --count <n>       event period to sample\n"
				 "    -D, --delay <ms>      ms to wait\n"
				 "    -e, --event <event>   event selector\n"
				 "    -f, --force           don't complain, do it\n"
				 "    -F, --fields <key[,keys...]>\n"
				 "                          output fields\n"
				 "    -g, --call-graph <mode>\n"
				 "                          call graph\n"
				 "    -i, --no-inherit      child tasks do not inherit counters\n"
				 "    -q, --quiet           say little\n"
				 "    -v, --verbose         be more verbose\n"
				 "    -z, --compression-level[=<n>]\n"
				 "                          compress\n"
				 "        --max-size <size>\n"
				 "                          limit of the file\n"
				 "        --mode <mode>     how\n"
				 "        --percent-limit <percent>\n"
				 "                          hide rows under it\n"
				 "        --sample-tls[=<layout>]\n"
				 "                          activity of each sample\n\n");
	f = open_memstream(&some, &size);
	options_usage(&spec, "c", f);
	fclose(f);
	assert_string_equal(strstr(some, "\n\n") + 2,
			    "    -c, --count <n>       event period to sample\n\n");
}

static void sizes_and_times(void **state)
{
	u64 v;

	assert_true(options_parse_size("4K", true, &v) && v == 4096);
	assert_true(options_parse_size("1g", true, &v) && v == 1 << 30);
	assert_false(options_parse_size("4", true, &v));
	assert_false(options_parse_size("-4K", false, &v));
	assert_false(options_parse_size("", false, &v));
	assert_true(options_parse_seconds("90s", &v) && v == 90);
	assert_true(options_parse_seconds("2h", &v) && v == 7200);
	assert_false(options_parse_seconds("2", &v));
	assert_false(options_parse_seconds("2hh", &v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_every_kind),
		cmocka_unit_test(numbers_are_finite),
		cmocka_unit_test(optional_arguments),
		cmocka_unit_test(taken_back),
		cmocka_unit_test(prefixes),
		cmocka_unit_test(words_left_over),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(usage_is_shaped_like_upstreams),
		cmocka_unit_test(sizes_and_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
