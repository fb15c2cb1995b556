// SPDX-License-Identifier: GPL-2.0-or-later
/* A data type's page in upstream perf's layout (annotate --data-type --stdio). */
#include <inttypes.h>
#include <string.h>

#include "pages/annotate_pages.h"
#include "view/stdio/bodies.h"

#define RULE   "============================================================================"
#define INDENT 4

struct type_printer {
	const struct page *page;
	struct rows *rows;
	const struct view_options *options;
	struct rows_column values;
	GString *line;
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

static void print_row(struct type_printer *p, struct row row)
{
	u64 bits = number_of(p, row, TYPE_BITS);

	g_string_truncate(p->line, 0);
	for (u32 i = 0; i < p->values.nr_parts; i++)
		stdio_append_value(p->rows, row, i, p->options, p->line);
	g_string_append_printf(p->line, " %#10" PRIx64 " %#10" PRIx64 "  %*s",
			       number_of(p, row, TYPE_OFFSET), number_of(p, row, TYPE_SIZE),
			       (int)row.level * INDENT, "");
	p->rows->ops->text(p->rows, row, TYPE_TYPE, 0, p->line);
	g_string_append_c(p->line, '\t');
	p->rows->ops->text(p->rows, row, TYPE_MEMBER, 0, p->line);
	if (bits)
		g_string_append_printf(p->line, ":%" PRIu64, bits);
	g_string_append(p->line, p->rows->ops->foldable(p->rows, row) ? " {\n" : ";\n");
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
		/* Under the type's own column: values, offset, size, two blanks. */
		fprintf(p->out, "%*s};\n",
			(int)p->values.nr_parts * value_width(p->options) + 24 +
				(int)row.level * INDENT,
			"");
	}
}

void stdio_print_type(const struct page *page, const struct view_options *options, FILE *out)
{
	static const char *const titles[] = {
		[VIEW_PERCENT] = "Percent",
		[VIEW_PERIOD] = "Period",
		[VIEW_SAMPLES] = "Samples",
	};
	struct type_printer p = { page, page->rows, options, .out = out };
	const struct note *dso = notes_find(&page->notes, "dso");

	p.rows->ops->column(p.rows, ANNOTATE_SHARE, &p.values);
	p.line = g_string_new(NULL);
	fprintf(out, "Annotate type: '%s' in %s (%" PRIu64 " samples):\n", page->title, dso->words,
		notes_find(&page->notes, "samples")->value.number);
	if (notes_find(&page->notes, "nr_events")->value.number > 1)
		for (u32 i = 0; i < page->parts->len; i++)
			fprintf(out, " event[%u] = %s\n", i,
				(const char *)g_ptr_array_index(page->parts, i));
	fprintf(out, "%s\n%*s %10s %10s  %s\n", RULE, value_width(options) * (int)page->parts->len,
		titles[options->values], "offset", "size", "field");
	print_below(&p, (struct row){ ROW_NONE });
	fputc('\n', out);
	g_string_free(p.line, TRUE);
}
