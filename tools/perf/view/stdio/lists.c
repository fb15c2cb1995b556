// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists of tasks, maps and record counts, in upstream's formats (report --tasks, --mmaps, --stats). */
#include <inttypes.h>
#include <string.h>

#include "pages/lists/stat_pages.h"
#include "pages/lists/task_pages.h"
#include "view/stdio/bodies.h"

struct list_printer {
	struct rows *rows;
	GString *line;
	u32 indent; /* indent of the tasks in the present tree */
	FILE *out;
};

static u64 number_of(const struct list_printer *p, struct row row, u32 column)
{
	struct cell cell;

	p->rows->ops->cell(p->rows, row, column, 0, &cell);
	return cell.number;
}

static void print_task(struct list_printer *p, struct row row)
{
	g_string_append_printf(p->line, "%10" PRId64 " %8" PRId64 " %8" PRId64 " |%*s",
			       (s64)number_of(p, row, TASK_PID), (s64)number_of(p, row, TASK_TID),
			       (s64)number_of(p, row, TASK_PPID), (int)(p->indent + row.level), "");
	p->rows->ops->text(p->rows, row, TASK_COMM, 0, p->line);
}

static void print_map(struct list_printer *p, struct row row)
{
	/* A map is below its task. */
	g_string_append_printf(p->line, "%*s  %" PRIx64 "-%" PRIx64 " ",
			       (int)(30 + p->indent + row.level - 1), "",
			       number_of(p, row, TASK_START), number_of(p, row, TASK_END));
	p->rows->ops->text(p->rows, row, TASK_PROT, 0, p->line);
	g_string_append_printf(p->line, " %08" PRIx64 " ", number_of(p, row, TASK_PGOFF));
	p->rows->ops->text(p->rows, row, TASK_FILE_ID, 0, p->line);
	g_string_append_c(p->line, ' ');
	p->rows->ops->text(p->rows, row, TASK_FILE, 0, p->line);
}

static void print_below(struct list_printer *p, struct row parent)
{
	struct row row = p->rows->ops->first(p->rows, parent);

	for (; row.kind != ROW_NONE; row = p->rows->ops->next(p->rows, row)) {
		struct cell pid;

		g_string_truncate(p->line, 0);
		p->rows->ops->cell(p->rows, row, TASK_PID, 0, &pid);
		/* As upstream: all tasks are indented below the idle task. */
		if (!row.level)
			p->indent = number_of(p, row, TASK_TID) ? 1 : 0;
		if (pid.kind == CELL_NONE)
			print_map(p, row);
		else
			print_task(p, row);
		fprintf(p->out, "%s\n", p->line->str);
		print_below(p, row);
	}
}

void stdio_print_tasks(const struct page *page, const struct view_options *options, FILE *out)
{
	struct list_printer p = { .rows = page->rows, .line = g_string_new(NULL), .out = out };

	fprintf(out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	print_below(&p, (struct row){ ROW_NONE });
	g_string_free(p.line, TRUE);
}

void stdio_print_stats(const struct page *page, const struct view_options *options, FILE *out)
{
	bool aggregated = !strcmp(page->title, "Aggregated");
	g_autoptr(GString) name = g_string_new(NULL);
	struct rows *rows = page->rows;
	struct row row = rows->ops->first(rows, (struct row){ ROW_NONE });

	fprintf(out, "%s%s stats:\n", aggregated ? "\n" : "", page->title);
	if (aggregated)
		fprintf(out, "%20s events: %10" PRIu64 "\n", "TOTAL",
			notes_find(&page->notes, "total")->value.number);
	for (; row.kind != ROW_NONE; row = rows->ops->next(rows, row)) {
		struct cell number;

		g_string_truncate(name, 0);
		rows->ops->text(rows, row, STAT_RECORD, 0, name);
		rows->ops->cell(rows, row, STAT_SHARE, 0, &number);
		fprintf(out, "%20s events: %10" PRIu64, name->str, number.number);
		if (aggregated)
			fprintf(out, "  (%4.1f%%)", number.real);
		fputc('\n', out);
	}
}
