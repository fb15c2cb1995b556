// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browsers of annotated types and code, drawn into memory: screens/annotate-* say which keys bring
 * which screen, of the recordings below.
 */
#include <fcntl.h>
#include <unistd.h>

#include "own_programs.h"
#include "screens.h"

#include "session/session.h"
#include "tests/forge/forge.h"
#include "view/tui/annotate.h"
#include "view/tui/beside.h"

struct recording {
	char *path;
	struct session *session;
};

/* Views of a recording have its prefix. */
static const struct {
	const char *prefix;
	const char *of_case; /* the case that forges it, or NULL */
	const char *text;    /* that the forge takes */
} recordings[] = {
	{ "two ", "annotate-types", NULL },
	/* The same, its two events side by side. */
	{ "group ", "annotate-types", NULL },
	{ "skid ", "annotate-skid", NULL },
	/* through_plt() calls exported() through the procedure linkage table, called() a function of no recorded file. */
	{ "library ", NULL,
	  "info arch=x86_64\n"
	  "event cycles type=hardware config=0 precise=1 sample_type=IP|TID|TIME|PERIOD\n"
	  "comm pid=7 text=prog\n"
	  "mmap2 misc=user pid=7 start=0x1000 len=0x1000 pgoff=0x1000 file=/lib/calls.so\n"
	  "sample misc=user pid=7 ip=0x1209 time=1 period=100\n"
	  "sample misc=user pid=7 ip=0x1163 time=2 period=50\n"
	  "sample misc=user pid=7 ip=0x11ea time=3 period=10\n" },
	/* The hottest function, of the kernel, is in no file. */
	{ "gone ", NULL,
	  "info arch=x86_64\n"
	  "event cycles type=hardware config=0 precise=1 sample_type=IP|TID|TIME|PERIOD\n"
	  "comm pid=7 text=walk\n"
	  "mmap2 misc=user pid=7 start=0x400000 len=0x2000 pgoff=0 file=/bin/walk\n"
	  "ksymbol addr=0xffffffffc0001000 len=0x100 type=1 name=bpf_prog_1234_hit\n"
	  "sample misc=kernel pid=7 ip=0xffffffffc0001010 time=1 period=100\n"
	  "sample misc=user pid=7 ip=0x401049 time=2 period=10\n" },
	{ "", "annotate-touches", NULL },
};

/* Two releases of a server, and a program that has no code. */
static const char *const releases[] = { "data/shop/before.data", "data/shop/after.data", NULL };

struct fixture {
	char *types, *libraries; /* root folders */
	struct session *releases[G_N_ELEMENTS(releases)];
	struct recording recordings[G_N_ELEMENTS(recordings)];
};

static char *source_path(const char *name)
{
	const char *top = getenv("SRC");

	return g_strdup_printf("%s/tools/perf/tests/%s", top ?: ".", name);
}

static char *text_of_case(const char *name)
{
	g_autofree char *in = g_strdup_printf("cases/%s/in.txt", name);
	g_autofree char *from = source_path(in);
	char *text = NULL;

	if (!g_file_get_contents(from, &text, NULL, NULL))
		fail_msg("%s cannot be read", from);
	return text;
}

static void open_recording(struct recording *r, const char *text, const char *symfs)
{
	g_autoptr(GBytes) bytes = forge_text(text, NULL);
	struct session_options options = { .threads = 1 };
	int fd;

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

static struct session *open_release(const char *name)
{
	g_autofree char *path = source_path(name), *symfs = source_path("data/shop");
	struct session_options options = { .input = path, .threads = 1, .force = true };
	struct session *session;

	options.dso.symfs = symfs;
	session = session_open(&options, NULL);
	assert_non_null(session);
	return session;
}

static void close_recording(struct recording *r)
{
	session_close(r->session);
	unlink(r->path);
	g_free(r->path);
}

/* A root folder with the libraries of data/shared. */
static char *unpack_libraries(void)
{
	g_autofree char *packed = source_path("data/shared/shared.tar.xz");
	char *folder = g_dir_make_tmp("screens-XXXXXX", NULL);
	g_autofree char *line = g_strdup_printf("mkdir '%s/lib' && tar -xJf '%s' -C '%s/lib'",
						folder, packed, folder);

	assert_int_equal(system(line), 0);
	return folder;
}

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);

	f->types = source_path("data/types");
	f->libraries = unpack_libraries();
	for (u32 i = 0; i < G_N_ELEMENTS(recordings); i++) {
		g_autofree char *text = recordings[i].of_case ? text_of_case(recordings[i].of_case)
							      : g_strdup(recordings[i].text);

		open_recording(&f->recordings[i], text,
			       strstr(text, "file=/lib/") ? f->libraries : f->types);
	}
	for (u32 i = 0; releases[i]; i++)
		f->releases[i] = open_release(releases[i]);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	g_autofree char *line = g_strdup_printf("rm -r '%s'", f->libraries);

	for (u32 i = 0; i < G_N_ELEMENTS(recordings); i++)
		close_recording(&f->recordings[i]);
	for (u32 i = 0; releases[i]; i++)
		session_close(f->releases[i]);
	assert_int_equal(system(line), 0);
	g_free(f->types);
	g_free(f->libraries);
	g_free(f);
	return 0;
}

/* The number of the recording whose prefix @what has. */
static u32 recording_of(const char *what)
{
	u32 i = 0;

	while (!g_str_has_prefix(what, recordings[i].prefix))
		i++;
	return i;
}

static struct session *session_of(const struct fixture *f, const char *what)
{
	return f->recordings[recording_of(what)].session;
}

/*
 * "code before after", "types after after": two of the releases side by side; with a comma, a function or a type. "code walk walk": a program
 * whose source lines are known.
 */
static void open_beside(struct tui *tui, const char *what, void *arg)
{
	const struct fixture *f = arg;
	g_auto(GStrv) words = g_strsplit(what, " ", 3);
	g_auto(GStrv) names = g_strsplit(words[2], ",", 2);
	bool same = !strcmp(words[1], "walk");
	struct annotator_options options[] = {
		{ .session = same ? session_of(f, "") : f->releases[!strcmp(words[1], "after")] },
		{ .session = same ? session_of(f, "") : f->releases[!strcmp(names[0], "after")] },
	};
	struct tui_annotate_look look = { .key = "comm" };
	struct tui_beside beside = {
		.before = tui_annotate_new(annotator_new(&options[0]), &look),
		.now = tui_annotate_new(annotator_new(&options[1]), &look),
		.types = !strcmp(words[0], "types"),
		.name = names[1],
	};

	assert_true(tui_open_beside(tui, &beside));
}

/* "types", "layout,TYPE", "field,TYPE,FIELD", "users,TYPE,FIELD", "code", behind a recording's prefix. */
static void open_view(struct tui *tui, const char *what, void *arg)
{
	const char *view = what + strlen(recordings[recording_of(what)].prefix);
	g_auto(GStrv) words = g_strsplit(view, ",", 3);
	u32 nr = g_strv_length(words);
	bool group = g_str_has_prefix(what, "group ");
	struct annotator_options options = { .session = session_of(arg, what),
					     .look = { .group = group } };
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

static void side_by_side(void **state)
{
	struct screens_views views = { open_beside, *state };

	screens_check("annotate-beside", open_beside, *state);
	screens_check_keys("annotate-beside", "code before after",
			   "Enter Tab Shift-Tab > < t Down Home End PgUp h H", screens_run_view,
			   &views);
	screens_check_keys("annotate-beside", "code walk walk", "s", screens_run_view, &views);
	screens_check_keys("annotate-beside", "types before after", "Enter Tab t s",
			   screens_run_view, &views);
}

/* In all sizes, and with whatever keys. */
static void side_by_side_in_all_sizes(void **state)
{
	static const char *const views[] = { "code before after: ", "types before after: ", NULL };

	screens_check_sizes("annotate-beside", views);
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
	struct annotator_options options = { .session = session_of(f, "") };
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
	struct annotator_options options = { .session = session_of(f, "") };
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
		cmocka_unit_test(side_by_side),
		cmocka_unit_test(side_by_side_in_all_sizes),
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
