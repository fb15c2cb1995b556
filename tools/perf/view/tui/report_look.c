// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys that change what the report shows: order, keys, filters, limits, file. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "pages/compared.h"
#include "perfdata/print/print.h"
#include "view/tui/report_private.h"
#include "view/view.h"

/*
 * Shows the same rows with other percentages, or fewer rows. A call tree has the branches that are at least some share
 * of what 100% is. So with another 100%, it is made again, and has other rows.
 */
static bool look_otherwise(struct rows_view *rows, void *arg)
{
	struct report_view *v = report_view_of(&rows->view);
	const struct explorer_question *q = arg;
	bool other_rows = v->q.least > 0 || q->least > 0 || q->relative != v->q.relative;

	v->q.relative = q->relative;
	v->q.least = q->least;
	explorer_look(v->answer, rows->page, q->relative, q->least);
	return other_rows;
}

/* The same, or what a comparison must judge again. */
static void look_with(struct report_view *v, bool relative, double least)
{
	struct explorer_question q = v->q;

	if (report_is_compared(v)) {
		explorer_question_copy(&q, &v->q);
		q.relative = relative;
		q.least = least;
		report_ask_again(v, &q);
		return;
	}
	q.relative = relative;
	q.least = least;
	rows_view_refresh(&v->rows, look_otherwise, &q);
}

static void toggle_relative(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	bool relative = !v->q.relative;

	look_with(v, relative, v->q.least);
	tui_say(tui, "percentages are of %s",
		relative ? "the samples that are left" : "all samples");
}

static void ask_limit(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	g_autofree char *before = g_strdup_printf("%g", v->q.least);
	g_autofree char *text = tui_ask(tui, "Least percentage of a row:", before);
	double least;
	char *end;

	if (!text)
		return;
	least = g_ascii_strtod(text, &end);
	if (end == text || *end || !(least >= 0 && least <= 100)) {
		tui_warn(tui, "'%s' is not a percentage", text);
		return;
	}
	look_with(v, v->q.relative, least);
}

static void sort_by_member(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct explorer_question q;
	u32 member = key - '0';

	if (v->rows.page->parts->len < 2 || member >= v->rows.page->parts->len) {
		tui_say(tui, "there is no such event in a group");
		return;
	}
	explorer_question_copy(&q, &v->q);
	q.member = member;
	if (report_ask_again(v, &q))
		tui_say(tui, "sorted by %s", (const char *)v->rows.page->parts->pdata[member]);
}

/* Texts are made when they are drawn, so nothing else is to do. */
static bool other_words(struct rows_view *rows, void *arg)
{
	struct lexicon *lexicon = arg;

	lexicon->verbose = !lexicon->verbose;
	return false;
}

static void toggle_verbose(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct explorer *e = v->shared->explorer;

	if (report_is_compared(v))
		tui_say(tui, "addresses and paths are of one recording: see this row's menu");
	else
		rows_view_refresh(&v->rows, other_words, explorer_options(e)->lexicon);
}

/* The field that a search looks at: the symbol, or the first key of the rows. */
static const struct field *searched_field(const struct report_view *v)
{
	g_autoptr(GPtrArray) names = explorer_keys(v->answer);
	const char *name = names->len ? names->pdata[0] : NULL;

	for (u32 i = 0; i < names->len; i++)
		if (!strcmp(names->pdata[i], "symbol"))
			name = names->pdata[i];
	return name ? fields_find(name, FIELD_NORMAL | FIELD_MEMORY | FIELD_BRANCH, NULL) : NULL;
}

static void drop_parts(struct explorer_question *q, const struct field *field)
{
	for (u32 i = q->terms->len; i--;) {
		struct term *t = &g_array_index(q->terms, struct term, i);

		if (!t->part || t->field != field)
			continue;
		g_array_remove_index(q->terms, i);
	}
}

static void ask_filter(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	const struct field *field = searched_field(v);
	g_autofree char *words = NULL, *text = NULL;
	struct explorer_question q;

	if (!field || v->q.tree) {
		tui_say(tui, "these rows have no such key");
		return;
	}
	words = g_strdup_printf("%s has:", field->header);
	text = tui_ask(tui, words, "");
	if (!text)
		return;
	explorer_question_copy(&q, &v->q);
	drop_parts(&q, field);
	if (*text) {
		struct term term = term_of_part(field, text);

		explorer_question_add(&q, &term);
	}
	if (report_ask_again(v, &q))
		tui_say(tui, "%s",
			*text ? "filtered: press / and Enter to remove the filter" : "no filter");
}

static char *joined(GPtrArray *names)
{
	g_ptr_array_add(names, NULL);
	return g_strjoinv(",", (char **)names->pdata);
}

static void ask_keys(struct report_view *v, struct tui *tui)
{
	g_autoptr(GPtrArray) names = explorer_keys(v->answer);
	g_autofree char *before = v->q.sort ? g_strdup(v->q.sort) : joined(names);
	g_autofree char *text = tui_ask(tui, "Keys:", v->q.tree ? "" : before);
	struct explorer_question q;

	if (!text)
		return;
	explorer_question_copy(&q, &v->q);
	explorer_question_set_sort(&q, *g_strstrip(text) ? text : NULL);
	report_ask_again(v, &q);
}

/* o: asks for the column or keys to sort by. */
static void ask_order(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct rows *rows = v->rows.page->rows;
	g_autofree struct tui_choice *choices = g_new0(struct tui_choice, rows->nr_columns + 2);
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	struct explorer_question q;
	struct rows_column c;
	s32 chosen;

	for (u32 i = 0; i < rows->nr_columns; i++) {
		rows->ops->column(rows, i, &c);
		g_ptr_array_add(texts, g_strdup_printf("by %s", c.title));
		choices[i].text = texts->pdata[i];
	}
	choices[rows->nr_columns] = (struct tui_choice){ "other keys ...", "k", 'k' };
	chosen = tui_choose(tui, "Order", choices, rows->nr_columns + 1,
			    v->rows.sorted < 0 ? 0 : (u32)v->rows.sorted);
	if (chosen < 0)
		return;
	if (chosen == (s32)rows->nr_columns) {
		ask_keys(v, tui); /* the present rows are freed then */
		return;
	}
	rows->ops->column(rows, (u32)chosen, &c);
	explorer_question_copy(&q, &v->q);
	g_free(q.first);
	q.first = g_strdup(c.name);
	report_ask_again(v, &q);
}

static void print_headers(const struct explorer *e, FILE *out)
{
	struct session *session = explorer_options(e)->session;

	for (u32 i = 0; session && i < session_nr_files(session); i++)
		perfdata_print_header(session_perfdata(session_file(session, i)), true, out);
	for (u32 i = 0; i < explorer_nr_parts(e); i++) {
		fprintf(out, "%s:\n", compared_path(e, i));
		print_headers(explorer_part(e, i), out);
	}
}

/* Shows the headers of the files. */
static void show_header(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	print_headers(v->shared->explorer, out);
	fclose(out);
	tui_read(tui, "Header", text, false);
	free(text);
}

/* Opens perf.hist.N with the first free N. Never overwrites a file. */
static FILE *new_file(char *name, size_t size)
{
	for (u32 i = 0; i < 1000; i++) {
		int fd;

		g_snprintf(name, (gulong)size, "perf.hist.%u", i);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0)
			return fdopen(fd, "w");
		if (errno != EEXIST)
			break;
	}
	return NULL;
}

static void print_rows(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	struct view_options options = { 0 };
	char name[32];
	FILE *out = new_file(name, sizeof(name));
	bool ok;

	if (!out) {
		tui_warn(tui, "%s: %s", name, g_strerror(errno));
		return;
	}
	options.beside = out;
	ok = view_stdio.print(explorer_pages(v->answer), &options, out, NULL);
	ok = !fclose(out) && ok;
	if (ok)
		tui_say(tui, "printed to %s", name);
	else
		tui_warn(tui, "cannot write %s", name);
}

static bool is_recording(const char *path)
{
	g_autofree char *start = g_malloc0(8);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && read(fd, start, 8) == 8 && !memcmp(start, "PERFILE2", 8);

	if (fd >= 0)
		close(fd);
	return is;
}

/* s: asks for another recording, from this folder or by name. */
static void other_file(struct tui_view *view, struct tui *tui, u32 key)
{
	struct report_view *v = report_view_of(view);
	g_autoptr(GArray) choices = g_array_new(FALSE, TRUE, sizeof(struct tui_choice));
	struct tui_choice other = { "another one ...", "/", '/' };
	glob_t found = { 0 };
	s32 chosen;

	if (report_is_compared(v) || v->shared->is_part) {
		tui_say(tui, "other recordings are compared by another perf diff");
		return;
	}

	if (!glob("*", 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc && choices->len < 1000; i++) {
			struct tui_choice c = { found.gl_pathv[i] };

			if (is_recording(c.text))
				g_array_append_val(choices, c);
		}
	g_array_append_val(choices, other);
	chosen = tui_choose(tui, "Another recording", (struct tui_choice *)(void *)choices->data,
			    choices->len, 0);
	if (chosen == (s32)choices->len - 1)
		v->shared->next = tui_ask(tui, "File:", "");
	else if (chosen >= 0)
		v->shared->next = g_strdup(g_array_index(choices, struct tui_choice, chosen).text);
	globfree(&found);
	if (v->shared->next && is_recording(v->shared->next)) {
		tui_quit(tui);
	} else if (v->shared->next) {
		tui_warn(tui, "%s is not a recording", v->shared->next);
		g_clear_pointer(&v->shared->next, g_free);
	}
}

const struct tui_key report_look_keys[] = {
	{ '/', 0, "filter", "only rows whose symbol has this text; nothing removes it",
	  ask_filter },
	{ 'o', 0, "order", "sort by another column, or group by other keys", ask_order },
	{ 'F', 0, NULL, "percentages of all samples, or of those that the filters left",
	  toggle_relative },
	{ 'L', 0, NULL, "leave out rows below a percentage", ask_limit },
	{ 'V', 0, NULL, "more or fewer words: addresses, whole paths", toggle_verbose },
	{ '0', '9', NULL, "sort by this event of a group", sort_by_member },
	{ 'i', 0, NULL, "show the file's header", show_header },
	{ 'P', 0, NULL, "print the rows to perf.hist.N", print_rows },
	{ 's', 0, NULL, "show another recording", other_file },
	{ 0 },
};
