// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One sort key more in the vocabulary, and one annotation more on the provider's rows: `perf report` has both, printed, on a
 * terminal, in JSON and on the page for browsers, by the same words of the command line, and no view was touched.
 *
 * The linker gives this program its own fields_find() and hist_rows_new() (tools/build/tests.mk), which add the two. With
 * --html FILE -i FILE it writes the page, for a browser to open it (page/browser.sh).
 */
#include "screens.h"

#include <fcntl.h>
#include <unistd.h>

#include <zlib.h>

#include "base/error.h"
#include "cli/config.h"
#include "cmd/cmd.h"
#include "cmd/report/report_screen.h"
#include "fields/fields.h"
#include "forged.h"
#include "pages/report/hist_rows.h"
#include "tide.h"

const struct field *__real_fields_find(const char *name, u32 families, GError **error);
const struct field *__wrap_fields_find(const char *name, u32 families, GError **error);

const struct field *__wrap_fields_find(const char *name, u32 families, GError **error)
{
	return strcmp(name, "tide") ? __real_fields_find(name, families, error) : &field_tide;
}

/* The annotation: a column behind those of the rows, whatever these are. */
static const struct rows_ops *plain;
static struct rows_ops annotated;

static bool is_whim(const struct rows *rows, u32 column)
{
	return column + 1 == rows->nr_columns;
}

static void whim_column(const struct rows *rows, u32 i, struct rows_column *out)
{
	if (is_whim(rows, i))
		*out = (struct rows_column){ "whim", "Whim", .kind = CELL_TEXT, .nr_parts = 1,
					     .width = 16 };
	else
		plain->column(rows, i, out);
}

static void whim_cell(const struct rows *rows, struct row row, u32 column, u32 part,
		      struct cell *out)
{
	if (is_whim(rows, column))
		*out = (struct cell){ .kind = row.kind == ROW_ENTRY ? CELL_TEXT : CELL_NONE };
	else
		plain->cell(rows, row, column, part, out);
}

static void whim_text(const struct rows *rows, struct row row, u32 column, u32 part, GString *out)
{
	if (is_whim(rows, column))
		g_string_append(out, "whim of the sea");
	else
		plain->text(rows, row, column, part, out);
}

static u32 whim_widest(const struct rows *rows, u32 column)
{
	return is_whim(rows, column) ? 16 : plain->widest(rows, column);
}

struct rows *__real_hist_rows_new(const struct hist_rows_options *options);
struct rows *__wrap_hist_rows_new(const struct hist_rows_options *options);

struct rows *__wrap_hist_rows_new(const struct hist_rows_options *options)
{
	struct rows *rows = __real_hist_rows_new(options);

	plain = rows->ops;
	annotated = *plain;
	annotated.column = whim_column;
	annotated.cell = whim_cell;
	annotated.text = whim_text;
	annotated.widest = whim_widest;
	rows->ops = &annotated;
	rows->nr_columns++;
	return rows;
}

/* `perf report` with @words of the recording @path. */
static int run(struct screen *screen, const char *path, const char *words)
{
	g_autofree char *line = g_strdup_printf("report -f -i %s -s tide,comm %s", path, words);
	g_autofree char **argv = NULL;
	g_auto(GStrv) list = NULL;
	struct config *config = config_load(CONFIG_ALL);
	int nr, status;

	assert_true(g_shell_parse_argv(line, &nr, &list, NULL));
	argv = g_memdup2(list, sizeof(*list) * ((gsize)nr + 1));
	status = screen ? report_on_screen(screen, config, nr, argv)
			: cmd_report.run(config, nr, argv);
	config_free(config);
	return status;
}

static int set_up(void **state)
{
	*state = forged_file(TIDE_RECORDING);
	return 0;
}

/* What `perf report` with @words prints. */
static char *printed(const char *path, const char *words)
{
	char name[] = "/tmp/test-perf-key.XXXXXX";
	int fd = mkstemp(name), out = dup(STDOUT_FILENO);
	char *text = NULL;

	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	assert_int_equal(run(NULL, path, words), 0);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	close(fd);
	assert_true(g_file_get_contents(name, &text, NULL, NULL));
	unlink(name);
	return text;
}

static void assert_has_both(const char *text, const char *where)
{
	static const char *const words[] = { "low tide", "high tide", "gull", "whim of the sea" };

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (!strstr(text, words[i]))
			fail_msg("%s has no '%s': %s", where, words[i], text);
}

static void test_in_text(void **state)
{
	static const char *const forms[] = { "--stdio", "--format=json", "--format=csv",
					     "--panels --format=json" };

	for (u32 i = 0; i < ARRAY_SIZE(forms); i++) {
		g_autofree char *text = printed(*state, forms[i]);

		assert_has_both(text, forms[i]);
	}
}

/* What the page has between the tags of its data. */
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

/* The page's data are the JSON of the same command, byte for byte. */
static void test_on_the_page(void **state)
{
	g_autofree char *page = printed(*state, "--html=-");
	g_autofree char *json = printed(*state, "--panels --format=json");
	g_autofree char *data = unpacked(page);

	assert_has_both(data, "the page");
	assert_string_equal(g_strchomp(data), g_strchomp(json));
}

/* The browser itself, from its first screen on and after keys. */
static void test_on_the_terminal(void **state)
{
	static const char *const keys[] = { "", "Tab", "o Down Enter", "Enter ESC", "F" };

	for (u32 i = 0; i < ARRAY_SIZE(keys); i++) {
		struct screen *screen = memory_screen_new(24, 80);
		g_autoptr(GString) text = g_string_new(NULL);

		screens_press(screen, keys[i]);
		assert_int_equal(run(screen, *state, ""), 0);
		memory_screen_print(screen, text);
		assert_has_both(text->str, keys[i]);
		assert_non_null(strstr(text->str, "Tide"));
		assert_non_null(strstr(text->str, "Whim"));
		screen_free(screen);
	}
}

/* Only what happened at low tide. */
static void test_zooms(void **state)
{
	struct screen *screen = memory_screen_new(24, 80);
	g_autoptr(GString) text = g_string_new(NULL);

	/* Among the filters' keys it is the first. */
	screens_press(screen, "/ l o w Enter");
	assert_int_equal(run(screen, *state, ""), 0);
	memory_screen_print(screen, text);
	assert_non_null(strstr(text->str, "low tide"));
	assert_null(strstr(text->str, "high tide"));
	screen_free(screen);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_text),
		cmocka_unit_test(test_on_the_page),
		cmocka_unit_test(test_on_the_terminal),
		cmocka_unit_test(test_zooms),
	};

	if (argc > 1) {
		g_autofree char *words = g_strdup_printf("-q --html=%s", argv[1]);
		g_autofree char *path = forged_file(TIDE_RECORDING);
		int status = run(NULL, path, words);

		unlink(path);
		return status;
	}
	return cmocka_run_group_tests(tests, set_up, forged_remove);
}
