// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions and types of two recordings side by side (annotate --baseline):
 *
 *	  Before     Now : mov    0x10(%rax),%edx       | mov    0x80(%rax),%edx
 *
 *	  Before     Now     before        now       size  field
 *	    6.62   25.43       0x10       0x80       0x10      uint32_t[]	flags;	moved, from line 0 to line 2
 */
#include <inttypes.h>
#include <string.h>

#include "pages/code/beside_pages.h"
#include "view/stdio/bodies.h"

#define INDENT	   4
#define LINE	   64 /* bytes of a cache line */
#define LEAST_CODE 24 /* columns for an instruction */
#define MOST_CODE  60

struct beside_printer {
	struct rows *rows;
	const struct view_options *options;
	GString *line, *text, *file;
	u64 source_line;
	u32 width; /* of the left instruction */
	FILE *out;
};

static bool has(const struct beside_printer *p, struct row row, u32 column, u64 *number)
{
	struct cell cell;

	p->rows->ops->cell(p->rows, row, column, 0, &cell);
	*number = cell.number;
	return cell.kind != CELL_NONE;
}

/* The cell's text in p->text; empty: it has none. */
static const char *text_of(struct beside_printer *p, struct row row, u32 column)
{
	u64 number;

	g_string_truncate(p->text, 0);
	if (has(p, row, column, &number))
		p->rows->ops->text(p->rows, row, column, 0, p->text);
	return p->text->str;
}

/* A value is blank if its side has no such row. */
static void append_values(struct beside_printer *p, struct row row)
{
	static const u32 columns[] = { BESIDE_SHARE_BEFORE, BESIDE_SHARE };
	u64 number;

	for (u32 i = 0; i < ARRAY_SIZE(columns); i++) {
		if (has(p, row, columns[i], &number))
			stdio_append_value(p->rows, row, columns[i], 0, p->options, p->line);
		else
			g_string_append_printf(p->line, "%*s",
					       p->options->values == VIEW_PERIOD ? 12 : 8, "");
	}
}

static const char *words_of(const struct page *page, const char *name)
{
	return notes_find(&page->notes, name)->words;
}

static void print_title(const struct beside_printer *p, const struct page *page, const char *what)
{
	const struct note *before = notes_find(&page->notes, "event_before");
	const char *now = words_of(page, "event");
	g_autofree char *event =
		before && strcmp(before->words, now)
			? g_strdup_printf("another event (%s before, %s now)", before->words, now)
			: g_strdup(now);

	fprintf(p->out,
		"%s '%s' in %s for %s (%" PRIu64 " samples before, %" PRIu64
		" now, percent: %s):\n",
		what, page->title,
		words_of(page, notes_find(&page->notes, "dso") ? "dso" : "dso_before"), event,
		notes_find(&page->notes, "samples_before")->value.number,
		notes_find(&page->notes, "samples")->value.number, words_of(page, "percent_of"));
}

static void begin(struct beside_printer *p)
{
	p->line = g_string_new(NULL);
	p->text = g_string_new(NULL);
	p->file = g_string_new(NULL);
}

static void end(struct beside_printer *p)
{
	fputc('\n', p->out);
	g_string_free(p->line, TRUE);
	g_string_free(p->text, TRUE);
	g_string_free(p->file, TRUE);
}

static int titles_width(const struct beside_printer *p)
{
	return p->options->values == VIEW_PERIOD ? 12 : 8;
}

/* --- code */

static struct row first_of(const struct beside_printer *p)
{
	return p->rows->ops->first(p->rows, (struct row){ ROW_NONE });
}

/* As wide as the widest instruction before, but both fit on a terminal. */
static u32 code_width(struct beside_printer *p)
{
	u32 widest = 0, most = MOST_CODE, values = 2 * (u32)titles_width(p) + 6;

	if (p->options->columns)
		most = MAX(LEAST_CODE,
			   (p->options->columns - MIN(values, p->options->columns)) / 2);
	for (struct row row = first_of(p); row.kind != ROW_NONE;
	     row = p->rows->ops->next(p->rows, row))
		widest = MAX(widest, (u32)strlen(text_of(p, row, BESIDE_INSTRUCTION_BEFORE)));
	return MIN(MAX(widest, LEAST_CODE), most);
}

static void print_source(struct beside_printer *p, struct row row)
{
	const char *text;
	u64 line;

	if (p->options->no_source || !has(p, row, BESIDE_LINE, &line))
		return;
	if (!strcmp(text_of(p, row, BESIDE_FILE), p->file->str) && line == p->source_line)
		return;
	g_string_assign(p->file, p->text->str);
	p->source_line = line;
	for (text = text_of(p, row, BESIDE_SOURCE); g_ascii_isspace(*text);)
		text++;
	if (*text)
		fprintf(p->out, "%*s : %-4" PRIu64 " %s\n", 2 * titles_width(p), "", line, text);
}

/* In the words of sdiff(1): one sign between both. */
static char sign_of(struct beside_printer *p, struct row row)
{
	static const char *const words[] = { "new", "gone", "changed" };
	static const char signs[] = "><|";
	const char *change = text_of(p, row, BESIDE_CHANGE);

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(change, words[i]))
			return signs[i];
	return ' ';
}

static void print_pair(struct beside_printer *p, struct row row)
{
	char sign = sign_of(p, row);

	g_string_truncate(p->line, 0);
	append_values(p, row);
	text_of(p, row, BESIDE_INSTRUCTION_BEFORE);
	g_string_append_printf(p->line, " : %-*.*s %c ", (int)p->width, (int)p->width, p->text->str,
			       sign);
	g_string_append(p->line, text_of(p, row, BESIDE_INSTRUCTION));
	g_strchomp(p->line->str);
	fprintf(p->out, "%s\n", p->line->str);
}

void stdio_print_code_beside(const struct page *page, const struct view_options *options, FILE *out)
{
	struct beside_printer p = { .rows = page->rows, .options = options, .out = out };

	begin(&p);
	print_title(&p, page, "Code of");
	p.width = code_width(&p);
	fprintf(out, "%*s%*s : %-*s   %s\n", titles_width(&p), "Before", titles_width(&p), "Now",
		(int)p.width, "before", "now");
	for (struct row row = first_of(&p); row.kind != ROW_NONE;
	     row = p.rows->ops->next(p.rows, row)) {
		print_source(&p, row);
		print_pair(&p, row);
	}
	end(&p);
}

/* --- types */

static void append_number(struct beside_printer *p, struct row row, u32 column)
{
	u64 number;

	if (has(p, row, column, &number))
		g_string_append_printf(p->line, " %#10" PRIx64, number);
	else
		g_string_append_printf(p->line, " %10s", "");
}

static bool differs(const struct beside_printer *p, struct row row, u32 column_before, u32 column,
		    u64 *before, u64 *now)
{
	return has(p, row, column_before, before) && has(p, row, column, now) && *before != *now;
}

static void append_change(struct beside_printer *p, struct row row)
{
	u64 before, now;

	if (!*text_of(p, row, BESIDE_CHANGE))
		return;
	g_string_append_printf(p->line, "\t<- %s", p->text->str);
	if (differs(p, row, BESIDE_SIZE_BEFORE, BESIDE_SIZE, &before, &now))
		g_string_append_printf(p->line, ", had %" PRIu64 " bytes", before);
	if (strcmp(p->text->str, "moved") || !has(p, row, BESIDE_OFFSET_BEFORE, &before) ||
	    !has(p, row, BESIDE_OFFSET, &now) || before / LINE == now / LINE)
		return;
	g_string_append_printf(p->line, ", from line %" PRIu64 " to line %" PRIu64, before / LINE,
			       now / LINE);
}

static void print_members(struct beside_printer *p, struct row parent)
{
	u64 number;

	for (struct row row = p->rows->ops->first(p->rows, parent); row.kind != ROW_NONE;
	     row = p->rows->ops->next(p->rows, row)) {
		g_string_truncate(p->line, 0);
		append_values(p, row);
		append_number(p, row, BESIDE_OFFSET_BEFORE);
		append_number(p, row, BESIDE_OFFSET);
		append_number(p, row,
			      has(p, row, BESIDE_SIZE, &number) ? BESIDE_SIZE : BESIDE_SIZE_BEFORE);
		g_string_append_printf(p->line, "  %*s%s", (int)row.level * INDENT, "",
				       text_of(p, row, BESIDE_TYPE));
		if (*text_of(p, row, BESIDE_MEMBER))
			g_string_append_printf(p->line, "\t%s", p->text->str);
		append_change(p, row);
		fprintf(p->out, "%s\n", p->line->str);
		print_members(p, row);
	}
}

void stdio_print_types_beside(const struct page *page, const struct view_options *options,
			      FILE *out)
{
	struct beside_printer p = { .rows = page->rows, .options = options, .out = out };

	begin(&p);
	print_title(&p, page, "Type");
	fprintf(out, "%*s%*s %10s %10s %10s  %s\n", titles_width(&p), "Before", titles_width(&p),
		"Now", "before", "offset", "size", "field");
	print_members(&p, (struct row){ ROW_NONE });
	end(&p);
}
