// SPDX-License-Identifier: GPL-2.0-or-later
/* A data type's page in upstream perf's format (annotate --data-type --stdio). */
#include <inttypes.h>
#include <string.h>

#include "pages/code/annotate_pages.h"
#include "view/stdio/bodies.h"

#define RULE   "============================================================================"
#define DASHES "------------------------------------------------------------------------"
#define INDENT 4

struct type_printer {
	const struct page *page;
	struct rows *rows;
	const struct view_options *options;
	struct rows_column values;
	u64 line_size;	/* of a cache line */
	s64 cache_line; /* of the previous row; -1: there is none */
	GString *line, *mark;
	FILE *out;
};

static int value_width(const struct view_options *options)
{
	return options->values == VIEW_PERIOD ? 12 : 8;
}

static u64 number_of(const struct type_printer *p, struct row row, u32 column)
{
	struct cell cell;

	p->rows->ops->cell(p->rows, row, column, 0, &cell);
	return cell.kind == CELL_NONE ? 0 : cell.number;
}

/* Prints a ruler before the first row of a cache line. */
static void print_ruler(struct type_printer *p, struct row row)
{
	u64 line = number_of(p, row, TYPE_LINE);
	g_autofree char *text = NULL;

	if (p->cache_line == (s64)line)
		return;
	p->cache_line = (s64)line;
	text = g_strdup_printf(" line %" PRIu64 " (%#" PRIx64 ")", line, line * p->line_size);
	fprintf(p->out, " %.*s%s\n", MAX(0, 74 - (int)strlen(text)), DASHES, text);
}

/* Appends the values; with a layout, reads and writes, too. */
static void append_values(struct type_printer *p, struct row row)
{
	static const u32 columns[] = { ANNOTATE_SHARE, TYPE_READS, TYPE_WRITES };

	for (u32 c = 0; c < (p->options->layout ? ARRAY_SIZE(columns) : 1); c++)
		for (u32 i = 0; i < p->values.nr_parts; i++)
			stdio_append_value(p->rows, row, columns[c], i, p->options, p->line);
}

/* Appends the name after the type; nothing for a row that is no member. */
static void append_name(struct type_printer *p, struct row row, u64 bits)
{
	const char *mark = "";
	struct cell cell;

	g_string_truncate(p->mark, 0);
	p->rows->ops->cell(p->rows, row, TYPE_MARK, 0, &cell);
	if (cell.kind == CELL_TEXT)
		p->rows->ops->text(p->rows, row, TYPE_MARK, 0, p->mark);
	if (p->mark->len && strcmp(p->mark->str, "hot")) {
		g_string_append_c(p->line, '\n');
		return;
	}
	if (p->options->layout && p->mark->len)
		mark = "\t<- hot";
	g_string_append_c(p->line, '\t');
	p->rows->ops->text(p->rows, row, TYPE_MEMBER, 0, p->line);
	if (bits)
		g_string_append_printf(p->line, ":%" PRIu64, bits);
	g_string_append_printf(p->line, "%s%s\n", p->rows->ops->foldable(p->rows, row) ? " {" : ";",
			       mark);
}

static void print_row(struct type_printer *p, struct row row)
{
	u64 bits = number_of(p, row, TYPE_BITS);

	if (p->options->layout && row.level)
		print_ruler(p, row);
	g_string_truncate(p->line, 0);
	append_values(p, row);
	g_string_append_printf(p->line, " %#10" PRIx64 " %#10" PRIx64 "  %*s",
			       number_of(p, row, TYPE_OFFSET), number_of(p, row, TYPE_SIZE),
			       (int)row.level * INDENT, "");
	p->rows->ops->text(p->rows, row, TYPE_TYPE, 0, p->line);
	append_name(p, row, bits);
	fwrite(p->line->str, 1, p->line->len, p->out);
}

static void print_below(struct type_printer *p, struct row parent)
{
	struct row row = p->rows->ops->first(p->rows, parent);

	for (; row.kind != ROW_NONE; row = p->rows->ops->next(p->rows, row)) {
		print_row(p, row);
		if (!p->rows->ops->foldable(p->rows, row))
			continue;
		print_below(p, row);
		/* The brace is in the column of the outermost type: after values, offset, size and two blanks. */
		fprintf(p->out, "%*s};\n",
			(int)p->values.nr_parts * value_width(p->options) *
					(p->options->layout ? 3 : 1) +
				24 + (int)row.level * INDENT,
			"");
	}
}

static const char *const titles[] = {
	[VIEW_PERCENT] = "Percent",
	[VIEW_PERIOD] = "Period",
	[VIEW_SAMPLES] = "Samples",
};

static u64 fact(const struct page *page, const char *name)
{
	return notes_find(&page->notes, name)->value.number;
}

static void print_titles(const struct type_printer *p)
{
	int width = value_width(p->options) * (int)p->page->parts->len;

	fprintf(p->out, "%s\n%*s", RULE, width, titles[p->options->values]);
	if (p->options->layout)
		fprintf(p->out, "%*s%*s", width, "Reads", width, "Writes");
	fprintf(p->out, " %10s %10s  %s\n", "offset", "size", "field");
}

/* Prints the number of cache lines, and how many bytes of the last one are used. */
static void print_end(const struct type_printer *p)
{
	u64 size = fact(p->page, "size"), lines = fact(p->page, "cache_lines");
	u64 rest = size % p->line_size;

	fprintf(p->out, "%" PRIu64 " byte%s, %" PRIu64 " cache line%s of %" PRIu64, size,
		size == 1 ? "" : "s", lines, lines == 1 ? "" : "s", p->line_size);
	if (rest && lines > 1)
		fprintf(p->out, "; %" PRIu64 " byte%s in the last", rest, rest == 1 ? "" : "s");
	fputc('\n', p->out);
}

void stdio_print_type(const struct page *page, const struct view_options *options, FILE *out)
{
	struct type_printer p = { .page = page,
				  .rows = page->rows,
				  .options = options,
				  .line_size = fact(page, "cache_line_size"),
				  .cache_line = -1,
				  .out = out };

	p.rows->ops->column(p.rows, ANNOTATE_SHARE, &p.values);
	p.line = g_string_new(NULL);
	p.mark = g_string_new(NULL);
	fprintf(out, "Annotate type: '%s' in %s (%" PRIu64 " samples):\n", page->title,
		notes_find(&page->notes, "dso")->words, fact(page, "samples"));
	if (fact(page, "nr_events") > 1)
		for (u32 i = 0; i < page->parts->len; i++)
			fprintf(out, " event[%u] = %s\n", i,
				(const char *)g_ptr_array_index(page->parts, i));
	print_titles(&p);
	print_below(&p, (struct row){ ROW_NONE });
	if (options->layout)
		print_end(&p);
	fputc('\n', out);
	g_string_free(p.line, TRUE);
	g_string_free(p.mark, TRUE);
}
