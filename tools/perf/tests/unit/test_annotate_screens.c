// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browsers of annotated types and code, drawn into memory: screens/annotate-* say which keys bring
 * which screen, of the recordings that cases/annotate-touches and annotate-types forge.
 */
#include <fcntl.h>
#include <unistd.h>

#include "screens.h"

#include "session/session.h"
#include "tests/forge/forge.h"
#include "view/tui/annotate.h"

struct recording {
	char *path;
	struct session *session;
};

struct fixture {
	char *symfs;
	struct recording touches, two_events, skid;
};

static char *source_path(const char *name)
{
	const char *top = getenv("SRC");

	return g_strdup_printf("%s/tools/perf/tests/%s", top ?: ".", name);
}

static void open_recording(struct recording *r, const char *name, const char *symfs)
{
	g_autofree char *from = source_path(name);
	g_autofree char *text = NULL;
	g_autoptr(GBytes) bytes = NULL;
	struct session_options options = { .threads = 1 };
	int fd;

	if (!g_file_get_contents(from, &text, NULL, NULL))
		fail_msg("%s cannot be read", from);
	bytes = forge_text(text, NULL);
	assert_non_null(bytes);
	fd = g_file_open_tmp("screens-XXXXXX", &r->path, NULL);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes)),
			 g_bytes_get_size(bytes));
	close(fd);
	options.input = r->path;
	options.dso.symfs = symfs;
	r->session = session_open(&options, NULL);
	assert_non_null(r->session);
}

static void close_recording(struct recording *r)
{
	session_close(r->session);
	unlink(r->path);
	g_free(r->path);
}

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);

	f->symfs = source_path("data/types");
	open_recording(&f->touches, "cases/annotate-touches/in.txt", f->symfs);
	open_recording(&f->two_events, "cases/annotate-types/in.txt", f->symfs);
	open_recording(&f->skid, "cases/annotate-skid/in.txt", f->symfs);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	close_recording(&f->touches);
	close_recording(&f->two_events);
	close_recording(&f->skid);
	g_free(f->symfs);
	g_free(f);
	return 0;
}

/*
 * "types", "layout,TYPE", "field,TYPE,FIELD", "users,TYPE,FIELD", "code"; behind "two " of the recording of
 * two events, behind "group " of these side by side.
 */
static void open_view(struct tui *tui, const char *what, void *arg)
{
	struct fixture *f = arg;
	bool group = g_str_has_prefix(what, "group "), two = g_str_has_prefix(what, "two ");
	bool skid = g_str_has_prefix(what, "skid ");
	g_auto(GStrv)
		words = g_strsplit(group || two || skid ? strchr(what, ' ') + 1 : what, ",", 3);
	u32 nr = g_strv_length(words);
	struct annotator_options options = {
		.session = skid		  ? f->skid.session
			   : group || two ? f->two_events.session
					  : f->touches.session,
		.look = { .group = group },
	};
	struct tui_annotate_look look = { .key = "comm" };
	struct tui_annotate *a = tui_annotate_new(annotator_new(&options), &look);
	bool ok = false;

	if (!strcmp(words[0], "types"))
		ok = tui_open_types(tui, a);
	else if (!strcmp(words[0], "layout"))
		ok = tui_open_layout(tui, a, nr > 1 ? words[1] : NULL);
	else if (!strcmp(words[0], "field"))
		ok = tui_open_field(tui, a, words[1], nr > 2 ? words[2] : NULL);
	else if (!strcmp(words[0], "users"))
		ok = tui_open_users(tui, a, words[1], nr > 2 ? words[2] : NULL);
	else
		ok = tui_open_code(tui, a, NULL, NULL, 0);
	assert_true(ok);
}

static void types_and_fields(void **state)
{
	screens_check("annotate-types", open_view, *state);
}

static void code(void **state)
{
	screens_check("annotate-code", open_view, *state);
}

/* Every key that a browser has, but those that leave (live/annotate_tui.sh). */
static void each_key_does_something(void **state)
{
	struct screens_views views = { open_view, *state };
	static const struct {
		const char *what, *keys;
	} rows[] = {
		{ "code",
		  "Enter H Tab Shift-Tab < > / ^R n N s o O f k l j J S t p b T m W A ^A h F1 "
		  "Up Down PgUp "
		  "PgDn Space Home End Left Right ESC Backspace" },
		{ "types", "Enter m A ^A W h F1 ? Up Down Home End H ESC" },
		{ "two types", "Tab Shift-Tab < >" },
		{ "layout,", "Enter x t + e E C m A W h H Right Home End PgUp PgDn Space" },
		{ "types 80x24: Enter", "n < >" },
		{ "field,", "Enter t m A W h H" },
		{ "users,", "Enter Down m h H" },
		{ "types 80x24: W", "< > Tab Shift-Tab Enter Down h H Right" },
	};

	screens_check("annotate-keys", open_view, *state);
	for (u32 i = 0; i < G_N_ELEMENTS(rows); i++)
		screens_check_keys("annotate-keys", rows[i].what, rows[i].keys, screens_run_view,
				   &views);
}

static void each_browser_and_menu_in_all_sizes(void **state)
{
	static const char *const views[] = { "types: ",
					     "types: m",
					     "types: h",
					     "types: W",
					     "layout,struct node: ",
					     "layout,struct node: m",
					     "layout,struct node: h",
					     "field,struct node,+0x8: ",
					     "field,struct node,+0x8: m",
					     "field,struct node,+0x8: h",
					     "users,struct node: ",
					     "users,struct node: m",
					     "users,struct node: h",
					     "code: ",
					     "code: m",
					     "code: h",
					     "code: /",
					     "code: A",
					     "code: W",
					     "code: W h",
					     NULL };

	screens_check_sizes("annotate-types annotate-code", views);
}

/* Browsers, by the keys that open them from others. */
static const char *const browsers[] = {
	"code: ",   "code: W",	"types: ", "types: Enter", "types: Enter Enter",
	"types: A", "types: W", NULL
};

static char *screen_of(const char *browser, const char *size, const char *keys, void *fixture)
{
	struct screens_views views = { open_view, fixture };
	g_auto(GStrv) parts = g_strsplit(browser, ": ", 2);
	g_autofree char *head = g_strdup_printf("== %s %s: %s%s", parts[0], size, parts[1], keys);

	return screens_draw(head, screens_run_view, &views);
}

static void question_mark_is_help_in_all_browsers(void **state)
{
	for (u32 i = 0; browsers[i]; i++) {
		g_autofree char *before = screen_of(browsers[i], "80x24", "", *state);
		g_autofree char *help = screen_of(browsers[i], "80x24", " ?", *state);

		/* The last line promises it. */
		assert_non_null(strstr(before, "? all keys\n"));
		assert_non_null(strstr(help, "─ Keys ─"));
	}
}

static void q_goes_back(void **state)
{
	u32 nr = 0;

	for (u32 i = 0; browsers[i]; i++) {
		g_autofree char *back = screen_of(browsers[i], "80x24", " q Home", *state);
		g_autofree char *esc = screen_of(browsers[i], "80x24", " ESC Home", *state);
		g_autofree char *here = screen_of(browsers[i], "80x24", " Home", *state);

		assert_string_equal(back, esc);
		nr += strcmp(back, here) != 0;
	}
	assert_true(nr >= 5); /* the first browsers leave */
}

/* The last line has whole words, and does not use the last column, which terminals do not show. */
static void last_lines_have_whole_keys(void **state)
{
	for (u32 i = 0; browsers[i]; i++) {
		for (u32 columns = 30; columns <= 130; columns++) {
			g_autofree char *size = g_strdup_printf("%ux24", columns);
			g_autofree char *text = screen_of(browsers[i], size, " Home", *state);
			const char *last;

			g_strchomp(text);
			last = strrchr(text, '\n');
			assert_non_null(last);
			assert_true(g_str_has_suffix(last, "? all keys"));
			assert_true(g_utf8_strlen(last + 1, -1) < columns);
		}
	}
}

/* A type's name is no pattern, whatever its characters are. */
static void names_of_types_are_no_patterns(void **state)
{
	static const char *const names[] = { "struct node*", "struct n?de", "struct n[o]de",
					     "struct n*" };
	struct fixture *f = *state;
	struct annotator_options options = { .session = f->touches.session };
	struct tui_annotate_look look = { 0 };
	struct screen *screen = memory_screen_new(24, 80);
	struct tui *tui = tui_new(screen);

	/* There is such a type, and struct node is touched more often. */
	assert_true(
		tui_open_layout(tui, tui_annotate_new(annotator_new(&options), &look), names[0]));
	assert_int_equal(tui_depth(tui), 0);
	tui_run(tui);
	{
		g_autoptr(GString) out = g_string_new(NULL);

		memory_screen_print(screen, out);
		assert_true(g_str_has_prefix(out->str, " struct node* "));
	}
	for (u32 i = 1; i < G_N_ELEMENTS(names); i++)
		assert_false(tui_open_layout(tui, tui_annotate_new(annotator_new(&options), &look),
					     names[i]));
	tui_free(tui);
	screen_free(screen);
}

/* Where there is nothing the caller's view stays, and says why. */
static void nothing_to_show(void **state)
{
	struct fixture *f = *state;
	struct annotator_options options = { .session = f->touches.session };
	struct tui_annotate_look look = { 0 };
	struct screen *screen = memory_screen_new(24, 80);
	struct tui *tui = tui_new(screen);

	assert_false(tui_open_layout(tui, tui_annotate_new(annotator_new(&options), &look),
				     "struct nod"));
	assert_false(tui_open_field(tui, tui_annotate_new(annotator_new(&options), &look),
				    "struct node", "tail"));
	assert_false(tui_open_users(tui, tui_annotate_new(annotator_new(&options), &look),
				    "struct node*s", NULL));
	assert_int_equal(tui_depth(tui), 0);
	tui_free(tui);
	screen_free(screen);
}

/* P writes what --stdio prints. */
static void code_is_printed(void **state)
{
	g_autofree char *folder = g_dir_make_tmp("screens-XXXXXX", NULL);
	g_autofree char *before = g_get_current_dir(), *text = NULL;
	struct screen *screen = memory_screen_new(24, 80);
	struct tui *tui = tui_new(screen);

	assert_int_equal(chdir(folder), 0);
	screens_press(screen, "P");
	open_view(tui, "code", *state);
	tui_run(tui);
	assert_true(g_file_get_contents("walk.annotation", &text, NULL, NULL));
	assert_non_null(strstr(text, "Disassembly of walk for cycles"));
	assert_non_null(strstr(text, "60.47 :   401049:   add    (%rdx),%rax"));
	unlink("walk.annotation");
	assert_int_equal(chdir(before), 0);
	rmdir(folder);
	tui_free(tui);
	screen_free(screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_and_fields),
		cmocka_unit_test(code),
		cmocka_unit_test(each_key_does_something),
		cmocka_unit_test(each_browser_and_menu_in_all_sizes),
		cmocka_unit_test(question_mark_is_help_in_all_browsers),
		cmocka_unit_test(q_goes_back),
		cmocka_unit_test(last_lines_have_whole_keys),
		cmocka_unit_test(names_of_types_are_no_patterns),
		cmocka_unit_test(nothing_to_show),
		cmocka_unit_test(code_is_printed),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
