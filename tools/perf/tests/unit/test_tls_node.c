// SPDX-License-Identifier: GPL-2.0-or-later
/* What a process of Node.js states of V8, put into the walk; and where the kernel counts contexts. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>
#include <linux/types.h>

#include "bpf/sample_tls.h"
#include "record/tls/facts.h"
#include "record/tls/node.h"

/* A field of protobuf with a length. */
static void put_field(GByteArray *to, u8 nr, const void *bytes, guint size)
{
	u8 head[] = { (u8)(nr << 3 | 2), (u8)size };

	g_byte_array_append(to, head, sizeof(head));
	g_byte_array_append(to, bytes, size);
}

/* ProcessContext{attributes=2: KeyValue{key=1, value=2: AnyValue{int_value=3}}} */
static void put_number(GByteArray *to, const char *key, u8 value)
{
	GByteArray *pair = g_byte_array_new();
	u8 any[] = { 3 << 3, value };

	put_field(pair, 1, key, (guint)strlen(key));
	put_field(pair, 2, any, sizeof(any));
	put_field(to, 2, pair->data, pair->len);
	g_byte_array_unref(pair);
}

static bool take(struct tls_node *n, u32 pid, const GByteArray *context)
{
	struct tls_facts_news news = { .pid = pid, .form = ACTIVITY_PROCESS_OTEL };

	news.data = context ? context->data : NULL;
	news.size = context ? context->len : 0;
	if (!context)
		news.form = ACTIVITY_PROCESS_GONE;
	return tls_node_take(n, &news);
}

static struct sample_tls_source filled(const struct tls_node *n, u32 pid, u8 what)
{
	struct sample_tls_source source = { .what = what };

	tls_node_fill(n, pid, &source);
	return source;
}

static void test_stated(void **state)
{
	g_autoptr(GByteArray) context = NULL;
	struct sample_tls_source s;
	struct tls_node *n;

	if (!activity_process_supported(ACTIVITY_PROCESS_OTEL))
		skip();
	context = g_byte_array_new();
	n = tls_node_new();
	put_number(context, "threadlocal.js_map_table_offset", 32);
	put_number(context, "threadlocal.ordered_hash_map_header_size", 24);
	put_number(context, "threadlocal.js_object_record_offset", 40);
	put_number(context, "threadlocal.tagged_size", 8);
	put_number(context, "js_map_table_offset", 99);
	assert_true(take(n, 10, context));
	assert_false(take(n, 10, context)); /* nothing new */
	s = filled(n, 10, SAMPLE_TLS_NODE);
	assert_int_equal(s.node_table, 32);
	assert_int_equal(s.node_header, 24);
	assert_int_equal(s.node_record, 40);
	assert_int_equal(s.node_wrapped, 0);
	assert_int_equal(s.node_foreign, 0);
	assert_int_equal(filled(n, 11, SAMPLE_TLS_NODE).node_table, 0);
	assert_int_equal(filled(n, 10, SAMPLE_TLS_OTEP).node_table, 0);
	put_number(context, "threadlocal.wrapped_object_offset", 24);
	put_number(context, "threadlocal.native_wrap_fields_offset", 16);
	put_number(context, "threadlocal.tagged_size", 4);
	assert_true(take(n, 10, context));
	s = filled(n, 10, SAMPLE_TLS_NODE);
	assert_int_equal(s.node_wrapped, 24);
	assert_int_equal(s.node_fields, 16);
	assert_int_equal(s.node_foreign, 1);
	assert_true(take(n, 10, NULL));
	assert_int_equal(filled(n, 10, SAMPLE_TLS_NODE).node_table, 0);
	tls_node_free(n);
}

static void test_nothing_stated(void **state)
{
	GByteArray *context = g_byte_array_new();
	struct tls_node *n = tls_node_new();

	put_number(context, "other", 3);
	assert_false(take(n, 10, context));
	g_byte_array_set_size(context, 3); /* not a message */
	assert_false(take(n, 10, context));
	assert_false(take(n, 10, NULL));
	g_byte_array_unref(context);
	tls_node_free(n);
}

static void count_due(u32 pid, void *arg)
{
	u32 *due = arg;

	due[pid - 10]++;
}

/* A process that has ended states nothing, and is not told of. */
static void test_gone(void **state)
{
	struct tls_node *n = tls_node_new();
	u32 due[2] = { 0 };

	tls_node_found(n, 10, 0, 1000);
	tls_node_found(n, 11, 0, 1000);
	tls_node_gone(n, 10);
	tls_node_due(n, UINT64_MAX, count_due, due);
	assert_int_equal(due[0], 0);
	assert_int_equal(due[1], 1);
	tls_node_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stated),
		cmocka_unit_test(test_nothing_stated),
		cmocka_unit_test(test_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
