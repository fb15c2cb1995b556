// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One source: a sort key, and an annotation of rows, that no view has heard of are in every view. The key is a
 * field, the annotation a column of a provider of rows; nothing else is written for them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <zlib.h>

#include "forged.h"
#include "hist/cross.h"
#include "hist/profile.h"
#include "pages/base/list_rows.h"
#include "pages/report/cross_pages.h"
#include "pages/report/joined_pages.h"
#include "pages/report/report_pages.h"
#include "term/memory.h"
#include "tide.h"
#include "view/tui/rows_view.h"
#include "view/view.h"

/* The annotation: of rows that somebody else counts. */
static const struct rows_column whim_columns[] = {
	{ "boat", "Boat", .kind = CELL_TEXT },
	{ "whim", "Whim", .kind = CELL_TEXT },
};

static void whim_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
}

static void whim_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	g_string_append(out, column ? "a whim of the sea" : "dinghy");
}

static u64 whim_key(const void *arg, u32 line)
{
	return line;
}

static struct page *open_whim(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { whim_cell, whim_text, whim_key };
	struct page *page = page_new(g_strdup("Boats"));

	page->rows = list_rows_new(whim_columns, ARRAY_SIZE(whim_columns), &ops, NULL);
	list_rows_add(page->rows, LIST_TOP);
	return page;
}

static void free_whim(struct pages *pages)
{
	pages_release(pages);
	g_free(pages);
}

static struct pages *whim_pages_new(void)
{
	static const struct pages_ops ops = { open_whim, NULL, free_whim };
	struct pages *pages = g_new0(struct pages, 1);

	pages_init(pages, &ops, "report", "boats");
	pages->nr = 1;
	return pages;
}

/* A recording, its profile by the key, and its cross table. */
struct harbour {
	char *path;
	struct session_options options;
	struct session *session;
	struct lexicon *lexicon;
	struct columns *columns;
	struct profile *profile;
	struct cross *cross;
};

static bool take(const struct place *place, u32 filtered, void *arg, GError **error)
{
	cross_take(arg, place, filtered);
	return true;
}

static int set_up(void **state)
{
	struct columns_options co = { .sort = "comm", .families = FIELD_NORMAL };
	struct harbour *h = *state = g_new0(struct harbour, 1);
	const struct column column = { &field_tide, 1, 0 };

	h->path = forged_file(TIDE_RECORDING);
	h->options.input = h->path;
	h->session = session_open(&h->options, NULL);
	assert_non_null(h->session);
	h->lexicon = lexicon_new(h->session);
	h->columns = columns_new(&co, NULL);
	assert_non_null(h->columns);
	g_ptr_array_add(h->columns->groups, (void *)&field_tide);
	g_array_append_val(h->columns->levels, column.level);
	g_array_append_val(h->columns->output, column);
	g_array_append_val(h->columns->order, column);
	h->columns->needs |= field_tide.needs;
	h->profile = profile_new(h->session, h->lexicon,
				 &(struct profile_options){ .columns = h->columns });
	assert_true(profile_read(h->profile, NULL));
	h->cross = cross_new(&(struct cross_options){ .session = h->session,
						      .lexicon = h->lexicon,
						      .fields = h->columns->groups,
						      .nr_files = 1 });
	assert_true(session_each_sample(h->session, h->cross->needs, take, h->cross, NULL));
	cross_settle(h->cross);
	return 0;
}

static int tear_down(void **state)
{
	struct harbour *h = *state;

	cross_free(h->cross);
	profile_free(h->profile);
	columns_free(h->columns);
	lexicon_free(h->lexicon);
	session_close(h->session);
	unlink(h->path);
	g_free(h->path);
	g_free(h);
	return 0;
}

static struct pages *all_pages(struct harbour *h)
{
	struct report_pages_options po = { .session = &h->options, .columns = h->columns };
	const struct joined_part parts[] = {
		{ report_pages_new(h->profile, &po), UINT32_MAX },
		{ cross_pages_new(h->cross, NULL), UINT32_MAX },
		{ whim_pages_new(), UINT32_MAX },
	};

	return joined_pages_new(parts, ARRAY_SIZE(parts));
}

/* What the page for browsers has between the tags of its data. */
static char *unpacked(const char *page)
{
	static const char tag[] = "id=\"data\">";
	const char *start = strstr(page, tag) + strlen(tag);
	g_autofree char *text = g_strndup(start, (gsize)(strstr(start, "</script>") - start));
	gsize size;
	g_autofree guchar *packed = g_base64_decode(text, &size);
	char *out = g_malloc0(1 << 20);
	z_stream z = { .next_in = packed,
		       .avail_in = (uInt)size,
		       .next_out = (Bytef *)out,
		       .avail_out = (1 << 20) - 1 };

	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	inflateEnd(&z);
	return out;
}

/*
 * A toy view, as extending.md says how to write one: a line "PAGE: NAME=VALUE ..." for each entry, then the remarks.
 */
static void lines_cell(struct rows *rows, struct row row, u32 column, GString *out)
{
	struct rows_column c;
	struct cell cell;

	rows->ops->column(rows, column, &c);
	rows->ops->cell(rows, row, column, 0, &cell);
	g_string_append_printf(out, " %s=", c.name);
	if (cell.kind == CELL_TEXT)
		rows->ops->text(rows, row, column, 0, out);
	else if (cell.kind == CELL_SHARE)
		g_string_append_printf(out, "%.0f%%", cell.real);
	else
		g_string_append_printf(out, "%llu", (unsigned long long)cell.number);
}

static void lines_page(const struct page *page, FILE *out)
{
	struct rows *rows = page->rows;
	struct row row = rows->ops->first(rows, (struct row){ ROW_NONE });

	for (; row.kind == ROW_ENTRY; row = rows->ops->next(rows, row)) {
		g_autoptr(GString) line = g_string_new(page->title);

		g_string_append_c(line, ':');
		for (u32 i = 0; i < rows->nr_columns; i++)
			lines_cell(rows, row, i, line);
		fprintf(out, "%s\n", line->str);
	}
}

static bool lines_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
			      GError **error)
{
	struct notes remarks;

	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);

		if (page)
			lines_page(page, out);
		page_free(page);
	}
	notes_init(&remarks);
	pages_remark(pages, &remarks);
	for (u32 i = 0; i < remarks.list->len; i++)
		fprintf(out, "%s\n", notes_at(&remarks, i)->text);
	notes_release(&remarks);
	return true;
}

static const struct view lines = { "lines", true, lines_print_pages, NULL };

static char *drawn(struct harbour *h, const char *name)
{
	const struct view *view = strcmp(name, lines.name) ? view_find(name, NULL) : &lines;
	struct pages *pages = all_pages(h);
	char *text = NULL, *inner;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_true(view->print(pages, &(struct view_options){ .beside = out }, out, NULL));
	fclose(out);
	pages_free(pages);
	if (strcmp(name, "html") != 0)
		return text;
	inner = unpacked(text);
	free(text);
	return inner;
}

static void test_in_views_of_files(void **state)
{
	g_autofree char *names = view_names();
	g_auto(GStrv) list = g_strsplit(names, " ", -1);

	assert_true(g_strv_length(list) >= 4);
	for (u32 i = 0; list[i]; i++) {
		char *text = drawn(*state, list[i]);

		if (!strstr(text, tides[0]) || !strstr(text, tides[1]) || !strstr(text, "gull"))
			fail_msg("%s has no sort key of a test: %s", list[i], text);
		if (!strstr(text, "a whim of the sea"))
			fail_msg("%s has no annotation of a test: %s", list[i], text);
		free(text);
	}
}

static void test_in_a_new_view(void **state)
{
	char *text = drawn(*state, "lines");

	assert_non_null(strstr(text, "overhead=70% comm=gull tide=high tide\n"));
	assert_non_null(strstr(text, "overhead=30% comm=gull tide=low tide\n"));
	assert_non_null(strstr(text, "Boats: boat=dinghy whim=a whim of the sea\n"));
	free(text);
}

/* By name, with a column of its own, wherever pages of the panels name keys. */
static void test_panels_follow_the_key(void **state)
{
	char *text = drawn(*state, "html");

	assert_non_null(strstr(text, "\"kind\":\"keys\",\"facts\":{\"key\":\"tide\"}"));
	assert_non_null(strstr(text, "{\"name\":\"tide\",\"title\":\"Tide\",\"kind\":\"id\"}"));
	free(text);
}

static void title(const struct tui_view *view, GString *out)
{
	g_string_append(out, "rows");
}

static void free_view(struct tui_view *view)
{
	struct rows_view *v = container_of(view, struct rows_view, view);

	rows_view_release(v);
	g_free(v);
}

static void test_on_the_terminal(void **state)
{
	static const struct tui_key *const keys[] = { rows_view_keys, NULL };
	static const struct tui_view_ops ops = { .name = "rows",
						 .keys = keys,
						 .title = title,
						 .draw = rows_view_draw,
						 .free = free_view };
	static const struct rows_view_ops rows_ops;
	struct pages *pages = all_pages(*state);
	g_autoptr(GString) seen = g_string_new(NULL);

	for (u32 i = 0; i < pages->nr; i++) {
		struct screen *screen = memory_screen_new(24, 80);
		struct tui *tui = tui_new(screen);
		struct rows_view *v = g_new0(struct rows_view, 1);

		rows_view_init(v, &ops, &rows_ops, pages->ops->open(pages, i));
		v->sorted = -1;
		tui_push(tui, &v->view);
		tui_run(tui);
		memory_screen_print(screen, seen);
		tui_free(tui);
		screen_free(screen);
	}
	pages_free(pages);
	assert_non_null(strstr(seen->str, "low tide"));
	assert_non_null(strstr(seen->str, "high tide"));
	assert_non_null(strstr(seen->str, "a whim of the sea"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_in_views_of_files, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_a_new_view, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_panels_follow_the_key, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_on_the_terminal, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
