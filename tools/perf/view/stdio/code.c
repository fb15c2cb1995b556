// SPDX-License-Identifier: GPL-2.0-or-later
/* A function's page in upstream perf's format (annotate --stdio): instructions, with source lines between them. */
#include <inttypes.h>
#include <string.h>

#include "cli/colour.h"
#include "pages/code/annotate_pages.h"
#include "view/stdio/bodies.h"

struct listing {
	struct rows *rows;
	const struct view_options *options;
	u32 nr_parts;
	bool typed;    /* there are columns for data types */
	GString *file; /* file of the source line printed last */
	GString *text, *line;
	u64 source_line; /* the line printed last */
	int width;	 /* of the value columns */
	FILE *out;
};

void stdio_append_value(struct rows *rows, struct row row, u32 column, u32 part,
			const struct view_options *options, GString *line)
{
	struct cell share, shown;
	const char *colour = "";

	rows->ops->cell(rows, row, column, part, &share);
	if (options->colour)
		colour = colour_of_percent(share.real);
	g_string_append(line, colour);
	if (options->values == VIEW_PERIOD) {
		g_string_append_printf(line, " %11" PRIu64, share.number);
	} else if (options->values == VIEW_SAMPLES) {
		rows->ops->cell(rows, row, column + 1, part, &shown);
		g_string_append_printf(line, " %7" PRIu64, shown.number);
	} else {
		g_string_append_printf(line, " %7.2f", share.real);
	}
	if (*colour)
		g_string_append(line, COLOUR_RESET);
}

static const GString *text_of(struct listing *l, struct row row, u32 column)
{
	struct cell cell;

	g_string_truncate(l->text, 0);
	l->rows->ops->cell(l->rows, row, column, 0, &cell);
	if (cell.kind == CELL_TEXT)
		l->rows->ops->text(l->rows, row, column, 0, l->text);
	return l->text;
}

static void print_title(const struct listing *l, const struct page *page)
{
	static const char *const titles[] = {
		[VIEW_PERCENT] = "Percent",
		[VIEW_PERIOD] = "Period",
		[VIEW_SAMPLES] = "Samples",
	};
	int half = l->options->sampled ? l->width / 2 : l->width;
	g_autofree char *rule = NULL;
	int size;

	size = fprintf(l->out,
		       " %-*.*s%-*.*s|\tSource code & Disassembly of %s for %s (%" PRIu64
		       " samples, percent: %s)\n",
		       half, half, titles[l->options->values], l->width - half, l->width - half,
		       "Sampled", notes_find(&page->notes, "dso")->words,
		       notes_find(&page->notes, "event")->words,
		       notes_find(&page->notes, "samples")->value.number,
		       notes_find(&page->notes, "percent_of")->words);
	rule = g_strnfill((size_t)size + 4, '-');
	fprintf(l->out, "%s\n", rule);
	fprintf(l->out, " %*s: %-4u %016" PRIx64 " <%s>:\n", l->width, "", 0,
		notes_find(&page->notes, "start")->value.number, page->title);
}

/* Prints the source line of the instruction, if it differs from the last one. */
static void print_source(struct listing *l, struct row row)
{
	const char *text, *name;
	struct cell line;

	if (l->options->no_source)
		return;
	l->rows->ops->cell(l->rows, row, CODE_LINE, 0, &line);
	if (line.kind == CELL_NONE)
		return;
	text_of(l, row, CODE_FILE);
	if (line.number == l->source_line && g_string_equal(l->text, l->file))
		return;
	g_string_assign(l->file, l->text->str);
	l->source_line = line.number;
	name = l->options->full_paths ? NULL : strrchr(l->file->str, '/');
	if (l->options->print_lines)
		fprintf(l->out, " %*s: %s:%" PRIu64 "\n", l->width, "",
			name ? name + 1 : l->file->str, line.number);
	l->rows->ops->cell(l->rows, row, CODE_SOURCE, 0, &line);
	text = text_of(l, row, CODE_SOURCE)->str;
	while (g_ascii_isspace(*text))
		text++;
	if (line.kind == CELL_TEXT)
		fprintf(l->out, " %*s: %-4u %s\n", l->width, "", (u32)l->source_line, text);
}

static void append_type(struct listing *l, struct row row)
{
	const GString *text = l->typed ? text_of(l, row, CODE_TYPE) : NULL;
	struct cell offset;
	s64 at;

	if (!text || !text->len)
		return;
	g_string_append_printf(l->line, "\t\t# data-type: %s", text->str);
	l->rows->ops->cell(l->rows, row, CODE_OFFSET, 0, &offset);
	at = (s64)offset.number;
	if (offset.kind != CELL_NONE)
		g_string_append_printf(l->line, " %s%#" PRIx64, at < 0 ? "-" : "+",
				       at < 0 ? 0 - (u64)at : (u64)at);
	if (text_of(l, row, CODE_MEMBER)->len)
		g_string_append_printf(l->line, " (%s)", l->text->str);
}

static void append_values(const struct listing *l, struct row row, u32 column)
{
	for (u32 i = 0; i < l->nr_parts; i++)
		stdio_append_value(l->rows, row, column, i, l->options, l->line);
}

static void print_instruction(struct listing *l, struct row row)
{
	struct cell address;

	g_string_truncate(l->line, 0);
	append_values(l, row, ANNOTATE_SHARE);
	if (l->options->sampled)
		append_values(l, row, CODE_SAMPLED);
	l->rows->ops->cell(l->rows, row, CODE_ADDRESS, 0, &address);
	g_string_append_printf(l->line, " :   %" PRIx64 ":   ", address.number);
	if (l->options->raw_bytes) {
		l->rows->ops->text(l->rows, row, CODE_BYTES, 0, l->line);
		g_string_append_c(l->line, ' ');
	}
	l->rows->ops->text(l->rows, row, CODE_INSTRUCTION, 0, l->line);
	l->rows->ops->text(l->rows, row, CODE_REFERENCES, 0, l->line);
	append_type(l, row);
	g_string_append_c(l->line, '\n');
	fwrite(l->line->str, 1, l->line->len, l->out);
}

void stdio_print_code(const struct page *page, const struct view_options *options, FILE *out)
{
	struct listing l = { .rows = page->rows, .options = options, .out = out };
	struct rows_column values;
	struct row row;

	l.rows->ops->column(l.rows, ANNOTATE_SHARE, &values);
	l.nr_parts = values.nr_parts;
	l.typed = l.rows->nr_columns > CODE_TYPE;
	l.width = (int)l.nr_parts * (options->values == VIEW_PERIOD ? 12 : 8) *
		  (options->sampled ? 2 : 1);
	l.file = g_string_new(NULL);
	l.text = g_string_new(NULL);
	l.line = g_string_new(NULL);
	print_title(&l, page);
	row = l.rows->ops->first(l.rows, (struct row){ ROW_NONE });
	for (; row.kind != ROW_NONE; row = l.rows->ops->next(l.rows, row)) {
		print_source(&l, row);
		print_instruction(&l, row);
	}
	fputc('\n', out);
	g_string_free(l.file, TRUE);
	g_string_free(l.text, TRUE);
	g_string_free(l.line, TRUE);
}
