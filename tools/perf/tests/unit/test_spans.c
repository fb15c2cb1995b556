// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "spans/load.h"

/* The store after reading @text, whose labels are @keys (NULL at the end). */
static struct spans *load(const char *text, ...)
{
	struct spans *spans = spans_new();
	g_autoptr(GError) error = NULL;
	const char *key;
	va_list keys;

	va_start(keys, text);
	while ((key = va_arg(keys, const char *)))
		spans_keep(spans, key);
	va_end(keys);
	if (!spans_load_bytes(spans, "t.json", text, strlen(text), &error))
		fail_msg("%s", error->message);
	return spans;
}

static char *fails(const char *text, size_t size)
{
	struct spans *spans = spans_new();
	g_autoptr(GError) error = NULL;

	assert_false(spans_load_bytes(spans, "t.json", text, size, &error));
	spans_free(spans);
	return g_strdup(error->message);
}

static void assert_fails(const char *text, const char *message)
{
	g_autofree char *said = fails(text, strlen(text));

	if (!g_str_has_prefix(said, message))
		fail_msg("expected %s\ngot      %s", message, said);
}

static const u8 trace[16] = { 0x4b, 0xf9, 0x2f, 0x35, 0x77, 0xb3, 0x4d, 0xa6,
			      0xa3, 0xce, 0x92, 0x9d, 0x0e, 0x0e, 0x47, 0x36 };

#define TRACE "4bf92f3577b34da6a3ce929d0e0e4736"

static const struct span *get(const struct spans *spans, u64 id)
{
	const struct span *span = spans_find(spans, trace, id);

	assert_non_null(span);
	return span;
}

static void test_otlp(void **state)
{
	struct spans *s = load(
		"{\"resourceSpans\":[{\"resource\":{\"attributes\":["
		"{\"key\":\"service.name\",\"value\":{\"stringValue\":\"shop\"}},"
		"{\"key\":\"zone\",\"value\":{\"stringValue\":\"eu\"}}]},"
		"\"scopeSpans\":[{\"scope\":{\"name\":\"lib\",\"attributes\":[]},\"spans\":["
		"{\"traceId\":\"" TRACE "\",\"spanId\":\"00f067aa0ba902b7\",\"parentSpanId\":\"\","
		"\"name\":\"GET /cart\",\"kind\":2,\"startTimeUnixNano\":\"1544712660000000000\","
		"\"endTimeUnixNano\":\"1544712661500000000\",\"attributes\":["
		"{\"key\":\"http.route\",\"value\":{\"stringValue\":\"/cart\"}},"
		"{\"key\":\"http.status\",\"value\":{\"intValue\":\"500\"}}],"
		"\"events\":[{\"name\":\"not a span\",\"attributes\":[{\"key\":\"http.route\","
		"\"value\":{\"stringValue\":\"wrong\"}}]}],"
		"\"status\":{\"code\":2}},"
		"{\"spanId\":\"00000000000000ff\",\"traceId\":\"" TRACE "\","
		"\"parentSpanId\":\"00f067aa0ba902b7\",\"name\":\"query\","
		"\"kind\":\"SPAN_KIND_CLIENT\"}]}]}]}\n"
		/* A second line: the resource stands behind its spans. */
		"{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"" TRACE "\","
		"\"spanId\":\"AAAAAAAAAQA=\",\"name\":\"query\"}]}],\"resource\":{\"attributes\":["
		"{\"key\":\"service.name\",\"value\":{\"stringValue\":\"db\"}}]}}]}\n",
		"http.route", "http.status", "zone", NULL);
	const struct span *cart = get(s, 0x00f067aa0ba902b7), *query = get(s, 0xff);
	const struct span *other = get(s, 0x100);

	assert_int_equal(spans_nr(s), 3);
	assert_string_equal(spans_name(s, cart), "GET /cart");
	assert_string_equal(spans_service(s, cart), "shop");
	assert_int_equal(cart->kind, SPAN_SERVER);
	assert_int_equal(cart->status, SPAN_ERROR);
	assert_int_equal(cart->start_ns, 1544712660000000000);
	assert_int_equal(cart->duration_ns, 1500000000);
	assert_null(spans_parent(s, cart));
	assert_string_equal(spans_label(s, cart, "http.route"), "/cart");
	assert_string_equal(spans_label(s, cart, "http.status"), "500");
	assert_string_equal(spans_label(s, cart, "zone"), "eu");
	assert_null(spans_label(s, cart, "service.name"));

	assert_ptr_equal(spans_parent(s, query), cart);
	assert_int_equal(query->kind, SPAN_CLIENT);
	assert_int_equal(query->status, SPAN_UNSET);
	assert_string_equal(spans_label(s, query, "http.route"), "/cart");
	assert_null(spans_label(s, other, "http.route"));
	assert_ptr_equal(spans_root(s, query), cart);
	assert_ptr_equal(spans_root(s, other), other);

	assert_string_equal(spans_service(s, other), "db");
	assert_true(spans_is_ambiguous(s, other));
	assert_false(spans_is_ambiguous(s, cart));
	spans_free(s);
}

static void test_jaeger(void **state)
{
	/* Leading zeros left out; processes behind the spans, and one inside. */
	struct spans *s =
		load("{\"data\":[{\"traceID\":\"" TRACE "\",\"spans\":["
		     "{\"traceID\":\"" TRACE "\",\"spanID\":\"ab\",\"operationName\":\"place\","
		     "\"references\":[],\"startTime\":1544712660000001,\"duration\":250,"
		     "\"tags\":[{\"key\":\"span.kind\",\"type\":\"string\",\"value\":\"server\"},"
		     "{\"key\":\"error\",\"type\":\"bool\",\"value\":true},"
		     "{\"key\":\"http.status_code\",\"type\":\"int64\",\"value\":503}],"
		     "\"logs\":[],\"processID\":\"p1\",\"warnings\":null},"
		     "{\"traceID\":\"" TRACE "\",\"spanID\":\"ac\",\"operationName\":\"pay\","
		     "\"references\":[{\"refType\":\"FOLLOWS_FROM\",\"traceID\":\"" TRACE "\","
		     "\"spanID\":\"77\"},{\"refType\":\"CHILD_OF\",\"traceID\":\"" TRACE "\","
		     "\"spanID\":\"ab\"}],\"processID\":\"p2\"},"
		     "{\"traceID\":\"" TRACE "\",\"spanID\":\"ad\",\"operationName\":\"ship\","
		     "\"process\":{\"serviceName\":\"depot\",\"tags\":[]}}],"
		     "\"processes\":{\"p1\":{\"serviceName\":\"shop\",\"tags\":[{\"key\":\"zone\","
		     "\"value\":\"eu\"}]},\"p2\":{\"serviceName\":\"bank\",\"tags\":[]}}}],"
		     "\"total\":0,\"errors\":null}",
		     "http.status_code", "zone", NULL);
	const struct span *place = get(s, 0xab), *pay = get(s, 0xac), *ship = get(s, 0xad);

	assert_int_equal(spans_nr(s), 3);
	assert_string_equal(spans_service(s, place), "shop");
	assert_string_equal(spans_service(s, pay), "bank");
	assert_string_equal(spans_service(s, ship), "depot");
	assert_string_equal(spans_label(s, place, "zone"), "eu");
	assert_string_equal(spans_label(s, place, "http.status_code"), "503");
	assert_null(spans_label(s, pay, "zone"));
	assert_int_equal(place->kind, SPAN_SERVER);
	assert_int_equal(place->status, SPAN_ERROR);
	assert_int_equal(place->start_ns, 1544712660000001000);
	assert_int_equal(place->duration_ns, 250000);
	assert_ptr_equal(spans_parent(s, pay), place);
	spans_free(s);
}

/* As many tools write JSON: members in the order of their names, references before the span's own ids. */
static void test_sorted(void **state)
{
	struct spans *s =
		load("{\"data\":[{\"processes\":{},\"spans\":["
		     "{\"operationName\":\"pay\",\"references\":["
		     "{\"refType\":\"CHILD_OF\",\"spanID\":\"ab\",\"traceID\":\"" TRACE "\"},"
		     "{\"refType\":\"FOLLOWS_FROM\",\"spanID\":\"77\",\"traceID\":\"" TRACE "\"}],"
		     "\"spanID\":\"ac\",\"traceID\":\"" TRACE "\"},"
		     "{\"operationName\":\"other\",\"references\":["
		     "{\"refType\":\"CHILD_OF\",\"spanID\":\"ab\",\"traceID\":\"1\"}],"
		     "\"spanID\":\"ad\",\"traceID\":\"" TRACE "\"}]}]}",
		     NULL);

	assert_int_equal(get(s, 0xac)->parent, 0xab);
	assert_int_equal(get(s, 0xad)->parent, 0);
	spans_free(s);
}

static void test_zipkin(void **state)
{
	/* One span seen by its client, then by its server; a trace id of 64 bits. */
	struct spans *s = load(
		"[{\"traceId\":\"" TRACE "\",\"parentId\":\"01\",\"id\":\"02\",\"kind\":\"CLIENT\","
		"\"name\":\"get\",\"timestamp\":1544712660000000,\"duration\":9,"
		"\"localEndpoint\":{\"serviceName\":\"front\",\"ipv4\":\"10.0.0.1\"},"
		"\"tags\":{\"http.path\":\"/a\"}},"
		"{\"traceId\":\"" TRACE "\",\"parentId\":\"01\",\"id\":\"02\",\"kind\":\"SERVER\","
		"\"shared\":true,\"name\":\"get /a\",\"localEndpoint\":{\"serviceName\":\"back\"},"
		"\"tags\":{\"error\":\"timeout\",\"http.path\":\"/b\"}},"
		"{\"traceId\":\"a3ce929d0e0e4736\",\"id\":\"03\",\"name\":\"short\","
		"\"localEndpoint\":{\"serviceName\":\"back\"}}]",
		"http.path", NULL);
	static const u8 narrow[16] = { 0,    0,	   0,	 0,    0,    0,	   0,	 0,
				       0xa3, 0xce, 0x92, 0x9d, 0x0e, 0x0e, 0x47, 0x36 };
	const struct span *get_a = get(s, 2), *narrow_one = spans_find(s, narrow, 3);

	assert_int_equal(spans_nr(s), 2);
	assert_int_equal(spans_counts(s)->repeated, 1);
	assert_string_equal(spans_name(s, get_a), "get /a");
	assert_string_equal(spans_service(s, get_a), "back");
	assert_string_equal(spans_label(s, get_a, "http.path"), "/b");
	assert_int_equal(get_a->status, SPAN_ERROR);
	assert_int_equal(get_a->parent, 1);
	assert_string_equal(spans_name(s, narrow_one), "short");
	spans_free(s);
}

static void test_nobodys(void **state)
{
	/* Spans without ids are counted, a span is not its own parent, texts are made showable. */
	struct spans *s = load("[{\"traceId\":\"" TRACE "\",\"id\":\"0\",\"name\":\"x\"},"
			       "{\"traceId\":\"not hex\",\"id\":\"1\",\"name\":\"x\"},"
			       "{\"traceId\":\"" TRACE "\",\"parentId\":\"2\",\"id\":\"2\","
			       "\"name\":\"a\\nb\\u0007\xff\"}]",
			       NULL);

	assert_int_equal(spans_nr(s), 1);
	assert_int_equal(spans_counts(s)->nameless, 2);
	assert_null(spans_parent(s, get(s, 2)));
	assert_string_equal(spans_name(s, get(s, 2)), "a\\x0ab\\x07\\xff");
	assert_string_equal(spans_service(s, get(s, 2)), "");
	spans_free(s);
}

static void test_damage(void **state)
{
	g_autofree char *deep = g_strnfill(200, '[');
	g_autofree char *longer = g_strnfill((16 << 20) + 1, 'x'), *said = NULL;

	assert_fails("{\"resourceSpans\":[}", "t.json: offset 19: no JSON: ");
	assert_fails("{\"resourceSpans\":[", "t.json: offset 18: it ends inside a value");
	assert_fails("\x1f\x8b\x08", "t.json: is compressed: use gzip -dc");
	assert_fails("[1,2,{\"a\":{}}]", "t.json: offset 0: no spans of OTLP, Jaeger or Zipkin");
	assert_fails(deep, "t.json: offset 65: nested too deep");
	longer[0] = '"';
	said = fails(longer, strlen(longer));
	assert_string_equal(said, "t.json: offset 0: a value is larger than 8 MiB");
}

static void test_nothing(void **state)
{
	static const char *const texts[] = { "", " \n", "\xef\xbb\xbf", "[]",
					     "\xef\xbb\xbf [[], []]\n[]" };

	for (u32 i = 0; i < ARRAY_SIZE(texts); i++) {
		struct spans *s = load(texts[i], NULL);

		assert_int_equal(spans_nr(s), 0);
		spans_free(s);
	}
}

static void test_ids(void **state)
{
	struct spans *s = load("[{\"traceId\":\"" TRACE "\",\"id\":\"1x\"},"
			       "{\"traceId\":\"4bf92f3577b34da6x\",\"id\":\"1\"},"
			       "{\"traceId\":\"0" TRACE "\",\"id\":\"1\"},"
			       "{\"traceId\":\"" TRACE "\",\"id\":\"0abC\",\"name\":\"a\"}]",
			       NULL);

	assert_int_equal(spans_counts(s)->nameless, 3);
	assert_string_equal(spans_name(s, get(s, 0xabc)), "a");
	spans_free(s);
}

static void test_cut(void **state)
{
	struct spans *s = load("[{\"traceId\":\"" TRACE "\",\"id\":\"1\",\"name\":\"a\"},"
			       "{\"traceId\":\"" TRACE "\",\"id\":\"2\",\"na",
			       NULL);

	assert_int_equal(spans_counts(s)->cut, 1);
	assert_int_equal(spans_nr(s), 1);
	assert_string_equal(spans_name(s, get(s, 1)), "a");
	spans_free(s);
}

static void test_many(void **state)
{
	struct spans *s = spans_new();
	struct span_owner owner = { spans_text_id(s, "load", 4), 0 };
	struct span_facts facts = { 0 };

	for (u32 i = 0; i < 100000; i++) {
		memcpy(facts.trace_id, &(u32){ i / 10 + 1 }, 4);
		facts.id = i + 1;
		facts.parent = i % 10 ? i : 0;
		spans_add(s, &facts, 0);
	}
	spans_end_batch(s, &owner, 1);
	assert_int_equal(spans_nr(s), 100000);
	for (u32 i = 0; i < 100000; i += 777) {
		const struct span *span;

		memset(facts.trace_id, 0, sizeof(facts.trace_id));
		memcpy(facts.trace_id, &(u32){ i / 10 + 1 }, 4);
		span = spans_find(s, facts.trace_id, i + 1);
		assert_non_null(span);
		assert_string_equal(spans_service(s, span), "load");
		assert_int_equal(!spans_parent(s, span), i % 10 == 0);
		facts.trace_id[15] = 1;
		assert_null(spans_find(s, facts.trace_id, i + 1));
	}
	spans_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_otlp),	cmocka_unit_test(test_jaeger),
		cmocka_unit_test(test_sorted),	cmocka_unit_test(test_zipkin),
		cmocka_unit_test(test_nobodys), cmocka_unit_test(test_damage),
		cmocka_unit_test(test_many),	cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_cut),	cmocka_unit_test(test_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
