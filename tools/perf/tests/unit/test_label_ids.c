// SPDX-License-Identifier: GPL-2.0-or-later
/* Labels that are ids: under which names, and in which ways of writing them. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "activity/decoders.h"
#include "activity/identity.h"
#include "activity/label_ids.h"

#define NONE "0000000000000000"

static void put(GByteArray *to, const char *key, const char *value, u8 cut)
{
	u8 sizes[] = { (u8)strlen(key), (u8)(strlen(value) | cut) };

	g_byte_array_append(to, sizes, sizeof(sizes));
	g_byte_array_append(to, (const u8 *)key, (guint)strlen(key));
	g_byte_array_append(to, (const u8 *)value, (guint)strlen(value));
}

/* The activity of "key=value;key=value", in which a value that ends in ".." was cut there. */
static GByteArray *labels_of(const char *text, struct activity *a)
{
	g_auto(GStrv) pairs = g_strsplit(text, ";", -1);
	GByteArray *bytes = g_byte_array_new();

	for (char **pair = pairs; *pair; pair++) {
		char *value = strchr(*pair, '=');
		bool cut = g_str_has_suffix(*pair, "..");

		*value++ = '\0';
		if (cut)
			value[strlen(value) - 2] = '\0';
		put(bytes, *pair, value, cut ? 0x80 : 0);
	}
	memset(a, 0, sizeof(*a));
	a->state = (u8)activity_decode_labels(bytes->data, bytes->len, a);
	a->format = ACTIVITY_GO;
	return bytes;
}

static const struct activity_id_names no_names;

/* As activity_print() has it; a text without ids stays what it is. */
static void check_by(const struct activity_id_names *names, const char *labels,
		     const char *expected)
{
	char text[ACTIVITY_TEXT_MAX];
	struct activity a;
	GByteArray *bytes = labels_of(labels, &a);

	activity_take_label_ids(&a, names);
	assert_string_equal(activity_print(&a, text), expected);
	assert_int_equal(a.state, ACTIVITY_OK);
	g_byte_array_unref(bytes);
}

static void check(const char *labels, const char *expected)
{
	check_by(&no_names, labels, expected);
}

#define TRACE "4bf92f3577b34da6a3ce929d0e0e4736"
#define SPAN  "00f067aa0ba902b7"

static void test_names(void **state)
{
	static const char *const traces[] = { "trace_id", "traceId",  "traceid",
					      "trace.id", "trace id", "dd.trace_id" };
	static const char *const spans[] = { "span_id", "spanId",     "spanid",	   "span.id",
					     "span id", "dd.span_id", "profile_id" };

	for (size_t i = 0; i < ARRAY_SIZE(traces); i++) {
		g_autofree char *text = g_strdup_printf("%s=" TRACE ";span_id=" SPAN, traces[i]);

		check(text, TRACE ":" SPAN);
	}
	for (size_t i = 0; i < ARRAY_SIZE(spans); i++) {
		g_autofree char *text = g_strdup_printf("trace_id=" TRACE ";%s=" SPAN, spans[i]);

		check(text, TRACE ":" SPAN);
	}
	check("Trace_Id=" TRACE, "Trace_Id=" TRACE);
	check("user=ann", "user=ann");
}

static void test_forms(void **state)
{
	check("trace_id=4BF92F3577B34DA6A3CE929D0E0E4736;span_id=00F067AA0BA902B7", TRACE ":" SPAN);
	check("trace_id=4bf92f35-77b3-4da6-a3ce-929d0e0e4736;span_id=" SPAN, TRACE ":" SPAN);
	check("trace_id=a3ce929d0e0e4736;span_id=" SPAN, NONE "a3ce929d0e0e4736:" SPAN);
	/* 16 digits are hexadecimal, but for Datadog. */
	check("trace_id=1234567890123456;span_id=1234567890123456",
	      NONE "1234567890123456:1234567890123456");
	check("dd.trace_id=1234567890123456;dd.span_id=1234567890123456",
	      NONE "000462d53c8abac0:000462d53c8abac0");
	check("dd.trace_id=18446744073709551615;dd.span_id=1",
	      NONE "ffffffffffffffff:0000000000000001");
	check("dd.trace_id=" TRACE ";dd.span_id=255", TRACE ":00000000000000ff");
	check("trace_id=12345;span_id=67", NONE "0000000000003039:0000000000000043");
}

static void test_no_ids(void **state)
{
	static const char *const not_ids[] = {
		"span_id=xyz",
		"span_id=0",
		("span_id=" NONE),
		"span_id=18446744073709551616",
		"span_id=-1",
		"span_id=+1",
		"span_id=00f067aa0ba902b",
		"span_id=00f067aa0ba902b7a",
		"span_id=4bf92f35-77b3-4da6-a3ce-929d0e0e4736",
		"trace_id=4bf92f35x77b3-4da6-a3ce-929d0e0e4736",
		"trace_id=4bf92f3577b34da6a3ce929d0e0e47361234",
		"trace_id=4bf92f3577b34da6a3ce929d0e0e47",
	};

	for (size_t i = 0; i < ARRAY_SIZE(not_ids); i++)
		check(not_ids[i], not_ids[i]);
	check("span_id= 1", "span_id= 1");
}

static void test_one_of_them(void **state)
{
	check("span id=255;local root span id=16", NONE NONE ":00000000000000ff");
	check("trace_id=" TRACE ";user=ann", TRACE ":" NONE);
}

static void test_what_stays(void **state)
{
	static const u8 root[8] = { [7] = 16 };
	struct activity a;
	GByteArray *bytes =
		labels_of("span id=255;local root span id=16;trace endpoint=GET /cart", &a);
	const char *value;
	size_t size;

	activity_take_label_ids(&a, &no_names);
	assert_int_equal(a.has, ACTIVITY_HAS_IDS | ACTIVITY_HAS_ROOT);
	assert_memory_equal(a.root_span, root, sizeof(root));
	assert_true(activity_label(&a, "trace endpoint", &value, &size));
	assert_int_equal(size, strlen("GET /cart"));
	g_byte_array_unref(bytes);
}

/* Ids that were read whole count although another label was cut; one that was cut does not. */
static void test_cut(void **state)
{
	char text[ACTIVITY_TEXT_MAX];
	struct activity a;
	GByteArray *bytes = labels_of("span_id=" SPAN ";route=/ca..", &a);

	a.state = ACTIVITY_TRUNCATED;
	activity_take_label_ids(&a, &no_names);
	assert_string_equal(activity_print(&a, text), NONE NONE ":" SPAN);
	assert_int_equal(a.state, ACTIVITY_OK);
	g_byte_array_unref(bytes);
	bytes = labels_of("span_id=1234..", &a);
	a.state = ACTIVITY_TRUNCATED;
	activity_take_label_ids(&a, &no_names);
	assert_int_equal(a.state, ACTIVITY_TRUNCATED);
	assert_string_equal(activity_print(&a, text), "span_id=1234..");
	g_byte_array_unref(bytes);
}

static void test_asked_for(void **state)
{
	g_autoptr(GPtrArray) trace = g_ptr_array_new(), span = g_ptr_array_new();
	struct activity_id_names names = { trace, span };

	g_ptr_array_add(trace, (char *)"request");
	g_ptr_array_add(span, (char *)"absent");
	g_ptr_array_add(span, (char *)"step");
	check_by(&names, "request=" TRACE ";step=7", TRACE ":0000000000000007");
	/* They come before the known ones. */
	check_by(&names, "span_id=" SPAN ";step=7", NONE NONE ":0000000000000007");
	check_by(&names, "span_id=" SPAN ";step=x", NONE NONE ":" SPAN);
	check("request=" TRACE ";step=7", "request=" TRACE " step=7");
}

/* What has ids of its own, or none at all, is left alone. */
static void test_others(void **state)
{
	struct activity a = { .state = ACTIVITY_OK, .value_size = 1, .value = "x" }, before = a;

	activity_take_label_ids(&a, &no_names);
	assert_memory_equal(&a, &before, sizeof(a));
	a = (struct activity){ .state = ACTIVITY_NONE };
	activity_take_label_ids(&a, &no_names);
	assert_int_equal(a.state, ACTIVITY_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),	   cmocka_unit_test(test_forms),
		cmocka_unit_test(test_no_ids),	   cmocka_unit_test(test_one_of_them),
		cmocka_unit_test(test_what_stays), cmocka_unit_test(test_cut),
		cmocka_unit_test(test_asked_for),  cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
