// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "cli/config.h"
#include "cli/config_text.h"

static void take(const char *key, const char *value, void *arg)
{
	g_string_append_printf(arg, "%s=%s|", key, value);
}

/* What @text says, "KEY=VALUE|KEY=VALUE|", and "line N" where it ends in a mistake. */
static void says(const char *text, const char *expected)
{
	g_autoptr(GString) got = g_string_new(NULL);
	u32 wrong = config_text_parse(text, strlen(text), take, got);

	if (wrong)
		g_string_append_printf(got, "line %u", wrong);
	assert_string_equal(got->str, expected);
}

static void sections_and_names(void **state)
{
	says("", "");
	says("[a]\nb = c", "a.b=c|");
	says("[a] b = c\n", "a.b=c|");
	says("\xef\xbb\xbf[a]\r\n\tb = c\r\n", "a.b=c|");
	says("[Report]\nSort_Order = x\n", "report.sort_Order=x|");
	says("[a \"Sub \\\" b\"]\nc = d\n[e.f]\n g=1", "a.Sub \" b.c=d|e.f.g=1|");
	says("# c\n; d\n[a] # e\nb=c # d\nd=e ; f", "a.b=c|a.d=e|");
}

static void values(void **state)
{
	says("[a]\nb =\nc = 1  2\t 3  \n", "a.b=|a.c=1 2 3|");
	says("[a]\nb = \" # ; \"  x\n", "a.b= # ;  x|");
	says("[a]\nb = x, \\\n   y\nc = \\\"\\\\\\t\\n\n", "a.b=x,  y|a.c=\"\\\t\n|");
}

/* What stands in front of a mistake counts, and the line is where it begins. */
static void mistakes(void **state)
{
	says("b = c\n", "line 1");
	says("[a]\nb = c\nd\n[e]\nf = g", "a.b=c|line 3");
	says("[a\nb = c", "line 1");
	says("[]\nb = c", "line 1");
	says("[a \"b]\nc = d", "line 1");
	says("[a]\nb = \"c\nd = e", "line 2");
	says("[a]\nb = c\\x\n", "line 2");
	says("[a]\nb = c\\", "line 2");
	says("[a]\n1b = c", "line 2");
	says("[a]\nb c = d", "line 2");
	says("\xef\xbb", "line 1");
}

static void quotes_are_read_back(void **state)
{
	static const char *const texts[] = { "",       "plain",	 " a  b ",     "#x;",
					     "a\r\rb", "a\"b\\", "t\tb\bn\nx", "dso,sym" };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		g_autofree char *quoted = config_text_quote(texts[i]);
		g_autofree char *text = g_strdup_printf("[a]\nb = %s\n", quoted);
		g_autofree char *expected = g_strdup_printf("a.b=%s|", texts[i]);

		says(text, expected);
	}
}

static void numbers_and_truths(void **state)
{
	bool truth;
	u64 number;

	assert_true(config_parse_bool("Yes", &truth) && truth);
	assert_true(config_parse_bool("on", &truth) && truth);
	assert_true(config_parse_bool("0", &truth) && !truth);
	assert_true(config_parse_bool("", &truth) && !truth);
	assert_true(config_parse_bool("2", &truth) && truth);
	assert_false(config_parse_bool("maybe", &truth));
	assert_true(config_parse_u64("4k", &number) && number == 4096);
	assert_true(config_parse_u64("0x10", &number) && number == 16);
	assert_false(config_parse_u64("4q", &number));
	assert_false(config_parse_u64("-1", &number));
	assert_false(config_parse_u64("18446744073709551615g", &number));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_and_names), cmocka_unit_test(values),
		cmocka_unit_test(mistakes),	      cmocka_unit_test(quotes_are_read_back),
		cmocka_unit_test(numbers_and_truths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
