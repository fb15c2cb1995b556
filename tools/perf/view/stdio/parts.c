// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Formats rows with several threads. It takes some hundred rows at a time and splits them into parts of a few dozen.
 * Any free thread takes the next part. The text of the parts is written in their order.
 */
#include "base/append.h"
#include "base/crew.h"
#include "view/stdio/private.h"

#define ROWS_OF_PART 32u
#define PARTS	     16u
#define AT_ONCE	     (PARTS * ROWS_OF_PART)

/* With fewer rows, another thread does not pay off. */
#define LEAST_ROWS 256u

void stdio_row(struct stdio *s, struct row row)
{
	const char *separator = s->options->separator;

	if (!separator)
		append_bytes(s->line, "  ", 2);
	for (u32 i = 0; i < s->rows->nr_columns; i++) {
		if (i)
			append_text(s->line, separator ? separator : "  ");
		stdio_cell(s, row, i, i + 1 == s->rows->nr_columns);
	}
	append_char(s->line, '\n');
	stdio_flush(s);
	if (!s->rows->nested)
		stdio_calls(s, row);
}

struct parts {
	struct stdio *threads; /* by worker */
	struct row rows[AT_ONCE];
	u32 nr;
	GString *texts[PARTS];
};

static void print_part(void *arg, u32 worker, u32 part)
{
	struct parts *p = arg;
	struct stdio *s = &p->threads[worker];
	u32 end = MIN((part + 1) * ROWS_OF_PART, p->nr);

	s->text = p->texts[part];
	g_string_truncate(s->text, 0);
	for (u32 i = part * ROWS_OF_PART; i < end; i++)
		stdio_row(s, p->rows[i]);
}

static void open_threads(struct parts *p, const struct stdio *s, u32 nr)
{
	p->threads = g_new0(struct stdio, nr);
	for (u32 i = 0; i < nr; i++) {
		p->threads[i] = *s;
		p->threads[i].rows = s->rows->ops->twin(s->rows);
		p->threads[i].line = g_string_sized_new(256);
		p->threads[i].cell = g_string_sized_new(256);
		p->threads[i].lines = g_string_new(NULL);
	}
	for (u32 i = 0; i < PARTS; i++)
		p->texts[i] = g_string_new(NULL);
}

static void close_threads(struct parts *p, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		rows_free(p->threads[i].rows);
		g_string_free(p->threads[i].line, TRUE);
		g_string_free(p->threads[i].cell, TRUE);
		g_string_free(p->threads[i].lines, TRUE);
	}
	for (u32 i = 0; i < PARTS; i++)
		g_string_free(p->texts[i], TRUE);
	g_free(p->threads);
}

bool stdio_print_in_parts(const struct stdio *s)
{
	const struct rows_ops *ops = s->rows->ops;
	const struct row all = { ROW_NONE };
	struct parts p = { 0 };
	struct crew *crew;

	if (s->options->threads < 2 || !ops->twin || s->rows->nested || s->rows->nr_levels > 1 ||
	    ops->nr(s->rows, all) < LEAST_ROWS)
		return false;
	crew = crew_new(s->options->threads);
	open_threads(&p, s, crew_size(crew));
	for (u32 from = 0; (p.nr = ops->window(s->rows, all, from, p.rows, AT_ONCE));
	     from += p.nr) {
		u32 nr = (p.nr + ROWS_OF_PART - 1) / ROWS_OF_PART;

		crew_run(crew, nr, print_part, &p);
		for (u32 i = 0; i < nr; i++)
			fwrite(p.texts[i]->str, 1, p.texts[i]->len, s->out);
	}
	close_threads(&p, crew_size(crew));
	crew_free(crew);
	return true;
}
