// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json_out.h"

/* What @write writes, to memory. */
static char *written(void (*write)(struct json_out *json))
{
	struct json_out json;
	char *text;

	json_out_init(&json, NULL);
	write(&json);
	text = g_strdup(json.text->str);
	json_out_release(&json);
	return text;
}

static void write_values(struct json_out *j)
{
	json_out_begin(j, '{');
	json_out_open(j, "list", '[');
	json_out_u64(j, UINT64_MAX);
	json_out_s64(j, INT64_MIN);
	json_out_real(j, 0.5);
	json_out_real(j, NAN);
	json_out_real(j, INFINITY);
	json_out_hex(j, 0xffffffff81000000);
	json_out_bool(j, true);
	json_out_null(j);
	json_out_begin(j, '[');
	json_out_end(j, ']');
	json_out_begin(j, '{');
	json_out_end(j, '}');
	json_out_end(j, ']');
	json_out_pair(j, "after", "");
	json_out_key(j, "end");
	json_out_text(j, "");
	json_out_end(j, '}');
}

static void values_have_commas_where_they_belong(void **state)
{
	g_autofree char *text = written(write_values);

	assert_string_equal(text,
			    "{\"list\":[18446744073709551615,-9223372036854775808,0.5,null,null,"
			    "\"0xffffffff81000000\",true,null,[],{}],\"after\":\"\",\"end\":\"\"}");
}

static void write_texts(struct json_out *j)
{
	json_out_begin(j, '[');
	json_out_text(j, "a \"quoted\" \\ path");
	json_out_text(j, "line\nbreak\tand \x1b[31m\x7f");
	json_out_text(j, "ünïcode 日本 \xf0\x9f\x98\x80");
	json_out_text(j, "bad \xff and \xc3\x28, cut \xe6\x97");
	json_out_text_size(j, "a\0b", 3);
	json_out_key(j, "key\"");
	json_out_end(j, ']');
}

static void texts_are_escaped_and_valid(void **state)
{
	g_autofree char *text = written(write_texts);

	assert_true(g_utf8_validate(text, -1, NULL));
	assert_string_equal(text, "[\"a \\\"quoted\\\" \\\\ path\","
				  "\"line\\u000abreak\\u0009and \\u001b[31m\\u007f\","
				  "\"ünïcode 日本 \xf0\x9f\x98\x80\","
				  "\"bad \\\\xff and \\\\xc3(, cut \\\\xe6\\\\x97\","
				  "\"a\\\\x00b\",\"key\\\"\":]");
}

#define DEEP 100000

static void write_deep(struct json_out *j)
{
	for (u32 i = 0; i < DEEP; i++)
		json_out_begin(j, '[');
	for (u32 i = 0; i < DEEP; i++)
		json_out_end(j, ']');
}

static void nesting_has_no_end(void **state)
{
	g_autofree char *text = written(write_deep);

	assert_int_equal(strlen(text), 2 * DEEP);
	assert_int_equal(strspn(text, "["), DEEP);
}

static void what_is_written_is_gathered_and_arrives(void **state)
{
	g_autofree char *text = NULL;
	struct json_out json;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	json_out_init(&json, out);
	json_out_begin(&json, '[');
	for (u32 i = 0; i < 100000; i++) {
		json_out_line(&json);
		json_out_u64(&json, i);
	}
	json_out_end(&json, ']');
	json_out_release(&json);
	fclose(out);
	assert_true(g_str_has_prefix(text, "[\n0,\n1,\n"));
	assert_true(g_str_has_suffix(text, ",\n99998,\n99999]"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_have_commas_where_they_belong),
		cmocka_unit_test(texts_are_escaped_and_valid),
		cmocka_unit_test(nesting_has_no_end),
		cmocka_unit_test(what_is_written_is_gathered_and_arrives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
