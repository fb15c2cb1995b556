// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * getopt_long() parses the words: prefixes of names, bundles of letters, and `--`. It gets two long names per row, X
 * and no-X. It returns a number that tells the row and whether it was no-X. Two things are added here: messages name
 * the options that an ambiguous prefix could mean, and an optional argument may be in the next word.
 */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include "base/edits.h"
#include "base/error.h"

#define LONG_BASE 0x1000 /* getopt's value for X of row i: LONG_BASE + 2 * i; for no-X: 1 more */

enum own_option { OWN_HELP = LONG_BASE - 2, OWN_LIST };

struct parse {
	const struct options_spec *spec;
	GArray *longs; /* struct option */
	GPtrArray *names;
	GString *shorts;
};

static bool row_takes_argument(const struct option_row *row)
{
	return row->kind != OPT_FLAG && row->kind != OPT_COUNT && !(row->flags & OPT_NO_ARG);
}

/* The negated name: no-X for X, X for no-X. */
static char *negated(const char *name)
{
	return g_str_has_prefix(name, "no-") ? g_strdup(name + 3) : g_strconcat("no-", name, NULL);
}

static const struct option_row *row_by_name(const struct options_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->nr_rows; i++)
		if (spec->rows[i].name && !strcmp(spec->rows[i].name, name))
			return &spec->rows[i];
	return NULL;
}

static void add_long(struct parse *p, char *name, int has_arg, int val)
{
	struct option option = { .name = name, .has_arg = has_arg, .val = val };

	g_ptr_array_add(p->names, name);
	g_array_append_val(p->longs, option);
}

static void add_row(struct parse *p, size_t i)
{
	const struct option_row *row = &p->spec->rows[i];
	int has_arg = !row_takes_argument(row) ? no_argument
		      : row->fallback	       ? optional_argument
					       : required_argument;
	g_autofree char *opposite = row->name ? negated(row->name) : NULL;

	if (row->short_name) {
		g_string_append_c(p->shorts, row->short_name);
		g_string_append(p->shorts, has_arg == optional_argument	  ? "::"
					   : has_arg == required_argument ? ":"
									  : "");
	}
	if (!row->name)
		return;
	add_long(p, g_strdup(row->name), has_arg, LONG_BASE + 2 * (int)i);
	if (!(row->flags & OPT_NO_NEGATE) && !row_by_name(p->spec, opposite))
		add_long(p, g_steal_pointer(&opposite), no_argument, LONG_BASE + 2 * (int)i + 1);
}

static void parse_init(struct parse *p, const struct options_spec *spec)
{
	p->spec = spec;
	p->longs = g_array_new(true, true, sizeof(struct option));
	p->names = g_ptr_array_new_with_free_func(g_free);
	p->shorts = g_string_new(spec->stop_at_argument ? "+:h" : ":h");
	for (size_t i = 0; i < spec->nr_rows; i++)
		add_row(p, i);
	add_long(p, g_strdup("help"), no_argument, OWN_HELP);
	add_long(p, g_strdup("list-opts"), optional_argument, OWN_LIST);
}

static void parse_release(struct parse *p)
{
	g_array_free(p->longs, true);
	g_ptr_array_free(p->names, true);
	g_string_free(p->shorts, true);
}

static const struct option_row *row_of(const struct options_spec *spec, int val, bool *unset)
{
	*unset = false;
	if (val >= LONG_BASE) {
		*unset = (val - LONG_BASE) & 1;
		return &spec->rows[(val - LONG_BASE) / 2];
	}
	for (size_t i = 0; i < spec->nr_rows; i++)
		if (spec->rows[i].short_name == val)
			return &spec->rows[i];
	return NULL;
}

/* "switch `c'" or "option `freq'", as the user wrote it. */
static char *row_called(const struct option_row *row, int val, bool unset)
{
	g_autofree char *opposite = NULL;

	if (val < LONG_BASE)
		return g_strdup_printf("switch `%c'", val);
	opposite = unset ? negated(row->name) : NULL;
	return g_strdup_printf("option `%s'", unset ? opposite : row->name);
}

static bool parse_int(const char *text, s64 min, s64 max, s64 *value)
{
	char *end;

	errno = 0;
	*value = strtoll(text, &end, 10);
	return end != text && !*end && !errno && *value >= min && *value <= max;
}

static bool parse_u64(const char *text, u64 *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, g_ascii_strncasecmp(text, "0x", 2) ? 10 : 16);
	return g_ascii_isdigit(*text) && !*end && !errno;
}

bool options_parse_size(const char *text, bool need_suffix, u64 *bytes)
{
	static const char suffixes[] = "BKMG";
	const char *suffix;
	char *end;

	errno = 0;
	*bytes = strtoull(text, &end, 10);
	if (!g_ascii_isdigit(*text) || errno)
		return false;
	if (!*end)
		return !need_suffix;
	suffix = strchr(suffixes, g_ascii_toupper(*end));
	return suffix && !end[1] &&
	       !__builtin_mul_overflow(*bytes, 1ULL << (10 * (suffix - suffixes)), bytes);
}

bool options_parse_seconds(const char *text, u64 *seconds)
{
	static const struct {
		char suffix;
		u32 seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	char *end;

	errno = 0;
	*seconds = strtoull(text, &end, 10);
	if (!g_ascii_isdigit(*text) || errno || !*end || end[1])
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (units[i].suffix == *end)
			return !__builtin_mul_overflow(*seconds, units[i].seconds, seconds);
	return false;
}

static bool parse_double(const char *text, double *value)
{
	char *end;

	*value = g_ascii_strtod(text, &end);
	return end != text && !*end && isfinite(*value);
}

/* Stores a row's value. @arg: the argument, if the kind has one; NULL if @unset. */
static bool store(const struct option_row *row, const char *arg, bool unset, void *opts,
		  GError **error)
{
	void *at = (char *)opts + row->offset;
	GPtrArray **list = at;
	s64 number = 0;

	switch (row->kind) {
	case OPT_FLAG:
		*(bool *)at = !unset;
		return true;
	case OPT_COUNT:
		*(int *)at = unset ? 0 : *(int *)at + 1;
		return true;
	case OPT_STRING:
		*(const char **)at = arg;
		return true;
	case OPT_LIST:
		if (!*list)
			*list = g_ptr_array_new();
		if (unset)
			g_ptr_array_set_size(*list, 0);
		else
			g_ptr_array_add(*list, (char *)arg);
		return true;
	case OPT_INT:
		if (!unset && !parse_int(arg, G_MININT, G_MAXINT, &number))
			return error_set(error, PERF_ERROR_USAGE, "expects a numerical value");
		*(int *)at = (int)number;
		return true;
	case OPT_U64:
		*(u64 *)at = 0;
		if (!unset && !parse_u64(arg, at))
			return error_set(error, PERF_ERROR_USAGE,
					 "expects an unsigned numerical value");
		return true;
	case OPT_DOUBLE:
		*(double *)at = 0;
		if (!unset && !parse_double(arg, at))
			return error_set(error, PERF_ERROR_USAGE, "expects a numerical value");
		return true;
	case OPT_SIZE:
		*(u64 *)at = 0;
		if (!unset && !options_parse_size(arg, false, at))
			return error_set(error, PERF_ERROR_USAGE,
					 "expects a size: a number and B, K, M or G");
		return true;
	case OPT_CALL:
		return row->call(row, arg, unset, opts, error);
	}
	return true;
}

/* Applies the option that getopt has just found. False: the user made a mistake, which has been reported. */
static bool apply(const struct options_spec *spec, int val, char **argv, void *opts)
{
	bool unset;
	const struct option_row *row = row_of(spec, val, &unset);
	const char *arg = unset || !row_takes_argument(row) ? NULL : optarg;
	g_autofree char *called = row_called(row, val, unset);
	g_autoptr(GError) error = NULL;

	if (!unset && !arg && row_takes_argument(row)) {
		const char *next = argv[optind];

		if ((row->flags & OPT_NEXT_WORD) && next && next[0] != '-') {
			arg = next;
			optind++;
		} else {
			arg = row->fallback;
		}
	}
	if (!store(row, arg, unset, opts, &error)) {
		fprintf(stderr, row->kind == OPT_CALL ? " Error: %s: %s\n" : " Error: %s %s\n",
			called, error->message);
		options_usage(spec, row->name ? row->name : called, stderr);
		return false;
	}
	if (row->set_offset)
		*(bool *)((char *)opts + row->set_offset) = true;
	return true;
}

/* The long names that start with @word. The part of @word from '=' on is ignored. */
static GPtrArray *names_with_prefix(const struct parse *p, const char *word)
{
	GPtrArray *found = g_ptr_array_new();

	for (u32 i = 0; i < p->names->len; i++)
		if (g_str_has_prefix(g_ptr_array_index(p->names, i), word))
			g_ptr_array_add(found, g_ptr_array_index(p->names, i));
	return found;
}

/* Prints the names that are similar to @word. If there are none, prints all options, as upstream does. */
static void say_what_was_meant(const struct parse *p, const char *word)
{
	u32 least = (u32)strlen(word) / 3, nr = 0;

	for (u32 i = 0; i < p->names->len; i++)
		least = MIN(least, edits_between(word, g_ptr_array_index(p->names, i)));
	for (u32 i = 0; least && i < p->names->len; i++) {
		const char *name = g_ptr_array_index(p->names, i);

		if (edits_between(word, name) == least)
			fprintf(stderr, "%s\t--%s\n", nr++ ? "" : "\nDid you mean this?\n", name);
	}
	if (!nr)
		options_usage(p->spec, NULL, stderr);
}

static void say_unknown_long(const struct parse *p, const char *given)
{
	g_autofree char *word = g_strndup(given, strcspn(given, "="));
	g_autoptr(GPtrArray) found = names_with_prefix(p, word);

	if (found->len < 2) {
		fprintf(stderr, "  Error: unknown option `%s'\n", word);
		say_what_was_meant(p, word);
		return;
	}
	fprintf(stderr, " Error: Ambiguous option: %s (could be ", word);
	for (u32 i = 0; i < found->len; i++)
		fprintf(stderr, "%s--%s", i ? " or " : "", (char *)found->pdata[i]);
	fprintf(stderr, ")\n");
	options_usage(p->spec, word, stderr);
}

/* Prints the error for the word before argv[optind], for which getopt returned '?' or ':'. */
static void say_mistake(const struct parse *p, int result, char **argv)
{
	const struct option_row *row;
	g_autofree char *called = NULL;
	bool unset;

	if (!optopt) {
		say_unknown_long(p, argv[optind - 1] + 2);
		return;
	}
	row = optopt == OWN_HELP || optopt == OWN_LIST ? NULL : row_of(p->spec, optopt, &unset);
	if (!row) {
		fprintf(stderr, "  Error: unknown switch `%c'\n", optopt);
		options_usage(p->spec, NULL, stderr);
		return;
	}
	called = row_called(row, optopt, unset);
	fprintf(stderr, " Error: %s %s\n", called,
		result == ':' ? "requires a value" : "takes no value");
	options_usage(p->spec, row->name ? row->name : called, stderr);
}

static void list_opts(const struct options_spec *spec)
{
	for (size_t i = 0; i < spec->nr_rows; i++)
		if (spec->rows[i].name && !(spec->rows[i].flags & OPT_HIDDEN))
			printf("--%s ", spec->rows[i].name);
	printf("\n");
}

/* Prints the words that the option's argument may be, for completion. Nothing if they are not known. */
static void list_words(const struct options_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->nr_rows; i++) {
		g_autofree char *words = NULL;

		if (!spec->rows[i].name || strcmp(spec->rows[i].name, name) || !spec->rows[i].words)
			continue;
		words = spec->rows[i].words();
		printf("%s\n", g_strdelimit(words, ",", ' '));
	}
}

bool options_parse(const struct options_spec *spec, int *argc, char ***argv, void *opts,
		   int *status)
{
	struct parse p;
	int val;

	parse_init(&p, spec);
	*status = 0;
	opterr = 0;
	optind = 0; /* glibc: start anew */
	while (!*status && (val = getopt_long(*argc, *argv, p.shorts->str,
					      (struct option *)p.longs->data, NULL)) != -1) {
		if (val == OWN_LIST) {
			if (optarg)
				list_words(spec, optarg);
			else
				list_opts(spec);
			parse_release(&p);
			return false;
		}
		if (val == '?' || val == ':')
			say_mistake(&p, val, *argv);
		else if (val == 'h' || val == OWN_HELP)
			options_usage(spec, (*argv)[optind], val == 'h' ? stderr : stdout);
		else if (apply(spec, val, *argv, opts))
			continue;
		*status = OPTIONS_EXIT_USAGE;
	}
	parse_release(&p);
	if (*status)
		return false;
	*argc -= optind;
	*argv += optind;
	if (spec->no_arguments && *argc) {
		*status = options_wrong(spec, "unexpected argument `%s'", (*argv)[0]);
		return false;
	}
	return true;
}
