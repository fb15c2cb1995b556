// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the text of `-h`, in the format of upstream perf. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

#define HELP_COLUMN 26
#define TEXT_WIDTH  55 /* of wrapped words */

/* Options with a letter are first, sorted by letter. The others follow, sorted by name. */
static int by_letter_then_name(const void *a, const void *b)
{
	const struct option_row *x = *(const struct option_row *const *)a;
	const struct option_row *y = *(const struct option_row *const *)b;

	if (x->short_name && y->short_name) {
		int d = g_ascii_tolower(x->short_name) - g_ascii_tolower(y->short_name);

		/* The same letter in both cases: lower case first. */
		return d ? d : y->short_name - x->short_name;
	}
	if (x->short_name || y->short_name)
		return x->short_name ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool has_argument(const struct option_row *row)
{
	return row->arg && row->kind != OPT_FLAG && row->kind != OPT_COUNT &&
	       !(row->flags & OPT_NO_ARG);
}

static void print_words(const char *words, int column, FILE *out)
{
	g_auto(GStrv) word = g_strsplit(words, " ", -1);

	for (int i = 0; word[i]; i++) {
		int len = (int)strlen(word[i]);

		if (column + len + 1 > HELP_COLUMN + TEXT_WIDTH) {
			fprintf(out, "\n%*s", HELP_COLUMN, "");
			column = HELP_COLUMN;
		} else {
			fputc(' ', out);
			column++;
		}
		fputs(word[i], out);
		column += len;
	}
}

static void print_row(const struct option_row *row, FILE *out)
{
	g_autoptr(GString) left = g_string_new("    ");
	g_auto(GStrv) lines = g_strsplit(row->help, "\n", -1);

	if (row->short_name)
		g_string_append_printf(left, "-%c%s", row->short_name, row->name ? ", " : "");
	else
		g_string_append(left, "    ");
	if (row->name)
		g_string_append_printf(left, "--%s", row->name);
	if (has_argument(row)) {
		bool attached = row->fallback && !(row->flags & OPT_NEXT_WORD);

		g_string_append_printf(left, attached ? "%s<%s>]" : "%s<%s>",
				       !attached   ? " "
				       : row->name ? "[="
						   : "[",
				       row->arg);
	}
	if (left->len <= HELP_COLUMN - 2)
		fprintf(out, "%-*s", HELP_COLUMN, left->str);
	else
		fprintf(out, "%s\n%*s", left->str, HELP_COLUMN, "");
	for (int i = 0; lines[i]; i++) {
		if (i)
			fprintf(out, "\n%*s", lines[i][0] ? HELP_COLUMN : 0, "");
		fputs(lines[i], out);
	}
	if (row->words) {
		g_autofree char *words = row->words();
		int nr = (int)g_strv_length(lines);

		print_words(words, HELP_COLUMN + (nr ? (int)strlen(lines[nr - 1]) : 0), out);
	}
	fputc('\n', out);
}

static bool row_matches(const struct option_row *row, const char *word)
{
	if (!word)
		return !(row->flags & OPT_HIDDEN);
	while (*word == '-')
		word++;
	if (g_str_has_prefix(word, "switch `")) /* an option that is only a letter */
		return row->short_name == word[8];
	if (word[0] && !word[1] && row->short_name == word[0])
		return true;
	return word[0] && word[1] && row->name && strstr(row->name, word);
}

void options_usage(const struct options_spec *spec, const char *word, FILE *out)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_new();

	for (int i = 0; spec->usage[i]; i++)
		fprintf(out, "%s %s\n", i ? "    or:" : "\n Usage:", spec->usage[i]);
	fputc('\n', out);
	for (size_t i = 0; i < spec->nr_rows; i++)
		if (row_matches(&spec->rows[i], word))
			g_ptr_array_add(rows, (void *)&spec->rows[i]);
	g_ptr_array_sort(rows, by_letter_then_name);
	for (u32 i = 0; i < rows->len; i++)
		print_row(g_ptr_array_index(rows, i), out);
	fputc('\n', out);
}

/* The length of the command in "perf record [<options>]", here that of "perf record". Words begin with a letter. */
static int command_length(const char *usage)
{
	const char *space = strchr(usage, ' ');

	while (space && g_ascii_isalpha(space[1]))
		space = strchr(space + 1, ' ');
	return (int)(space ? space - usage : (ssize_t)strlen(usage));
}

int options_wrong(const struct options_spec *spec, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, " Error: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, " (%.*s -h lists the options)\n", command_length(spec->usage[0]),
		spec->usage[0]);
	return OPTIONS_EXIT_USAGE;
}

int options_check(const struct options_spec *spec, const struct option_rule *rules, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (rules[i].broken)
			return options_wrong(spec, "%s", rules[i].message);
	return 0;
}
