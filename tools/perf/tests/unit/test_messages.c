// SPDX-License-Identifier: GPL-2.0-or-later
/* Who sent what was received, and what that tells of the clocks of two hosts. Times in us. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <glib.h>
#include <string.h>

#include "critical/children.h"
#include "critical/messages.h"

#define US 1000ull

/* Host 0 has the address 10.0.0.1, host 1 10.0.0.2, and so on. Clients use port 40000, the server port 80. */
static struct wall_message on(u32 local, u16 local_port, u32 remote, u16 remote_port, u32 end)
{
	return (struct wall_message){ .end = end,
				      .family = AF_INET,
				      .local_port = local_port,
				      .remote_port = remote_port,
				      .local = { 10, 0, 0, (u8)(local + 1) },
				      .remote = { 10, 0, 0, (u8)(remote + 1) } };
}

static void add(struct messages *m, struct wall_message w, u32 host, u64 time)
{
	messages_add(m, &w, host, 10 + host, 100 + host, time * US);
}

/* A request and its answer: bytes up to @end of each. Host 1's times are by its own clock. */
static void request(struct messages *m, u32 end, u64 sent, u64 received, u64 answered, u64 back)
{
	struct wall_message w = on(0, 40000, 1, 80, end);

	add(m, w, 0, sent);
	w = on(1, 80, 0, 40000, end);
	add(m, w, 1, answered);
	w.received = 1;
	add(m, w, 1, received);
	w = on(0, 40000, 1, 80, end);
	w.received = 1;
	add(m, w, 0, back);
}

static void tell(const struct message_pair *p, void *arg)
{
	g_string_append_printf(arg, "[%u %u %u-%u %u %u]", p->from, p->activity,
			       (u32)(p->sent / US), (u32)(p->received / US), p->to, p->to_host);
}

static char *pairs(struct messages *m)
{
	GString *text = g_string_new(NULL);

	messages_seal(m);
	messages_each_pair(m, tell, text);
	return g_string_free(text, FALSE);
}

#define assert_pairs(m, expected)                                                                  \
	do {                                                                                       \
		g_autofree char *found_ = pairs(m);                                                \
		assert_string_equal(found_, expected);                                             \
		messages_free(m);                                                                  \
	} while (0)

static void test_pair(void **state)
{
	struct messages *m = messages_new();

	request(m, 100, 10, 1030, 1050, 75);
	assert_pairs(m, "[10 100 10-1030 11 1][11 101 1050-75 10 0]");
}

/* The bytes tell, not the order: a later request was recorded first, and a part of an answer was sent by nobody that is known. */
static void test_by_bytes(void **state)
{
	struct messages *m = messages_new();
	struct wall_message part = on(0, 40000, 1, 80, 150);

	request(m, 200, 110, 1130, 1150, 175);
	request(m, 100, 10, 1030, 1050, 75);
	part.received = 1;
	add(m, part, 0, 120);
	assert_pairs(m, "[10 100 10-1030 11 1][10 100 110-1130 11 1]"
			"[11 101 1050-75 10 0][11 101 1150-175 10 0]");
}

static void test_other_connections(void **state)
{
	struct messages *m = messages_new();
	struct wall_message w = on(1, 80, 0, 40001, 100);

	add(m, on(0, 40000, 1, 80, 100), 0, 10);
	w.received = 1;
	add(m, w, 1, 20); /* another port */
	w = on(1, 80, 2, 40000, 100);
	w.received = 1;
	add(m, w, 1, 30); /* from another host */
	w = on(1, 80, 0, 40000, 100);
	add(m, w, 1, 40); /* sent the other way */
	assert_pairs(m, "");
}

/* The server's socket takes IPv6 and IPv4. */
static void test_mapped_addresses(void **state)
{
	struct messages *m = messages_new();
	struct wall_message w = { .end = 100,
				  .family = AF_INET6,
				  .local_port = 80,
				  .remote_port = 40000,
				  .received = 1,
				  .local = { [10] = 0xff, 0xff, 10, 0, 0, 2 },
				  .remote = { [10] = 0xff, 0xff, 10, 0, 0, 1 } };

	add(m, on(0, 40000, 1, 80, 100), 0, 10);
	add(m, w, 1, 1030);
	assert_pairs(m, "[10 100 10-1030 11 1]");
}

/* A port was used again, and its numbers, too: nobody knows which one was sent. */
static void test_twice(void **state)
{
	struct messages *m = messages_new();
	struct wall_message w = on(1, 80, 0, 40000, 100);

	add(m, on(0, 40000, 1, 80, 100), 0, 10);
	add(m, on(0, 40000, 1, 80, 100), 0, 900);
	w.received = 1;
	add(m, w, 1, 1030);
	assert_pairs(m, "");
	m = messages_new();
	add(m, on(0, 40000, 1, 80, 100), 0, 10);
	add(m, w, 1, 1030);
	add(m, w, 1, 1040); /* woken once more, and nothing new is there */
	assert_pairs(m, "[10 100 10-1030 11 1]");
}

/* Of two hosts: "1 ahead 1000 +-10 of 0, 2 there 2 back". */
static void assert_clock(struct messages *m, s64 ahead, u64 error, u32 there, u32 back)
{
	g_autofree struct message_clock *c = NULL;

	messages_seal(m);
	c = messages_clocks(m, 2);
	assert_true(c[0].is_known && !c[0].correction);
	assert_true(c[1].is_known);
	assert_int_equal(c[1].ahead, ahead * (s64)US);
	assert_int_equal(c[1].correction, -ahead * (s64)US);
	assert_int_equal(c[1].error, error * US);
	assert_int_equal(c[1].there, there);
	assert_int_equal(c[1].back, back);
	messages_free(m);
}

static void test_clock(void **state)
{
	struct messages *m = messages_new();

	/* 1000 ahead: 20 there, 20 back. */
	request(m, 100, 10, 1030, 1050, 70);
	assert_clock(m, 1000, 20, 1, 1);
	/* Of two, the faster one each way: 10 there, 30 back. The truth, 1000, is within the error. */
	m = messages_new();
	request(m, 100, 10, 1030, 1050, 80);
	request(m, 200, 110, 1120, 1150, 300);
	assert_clock(m, 990, 20, 2, 2);
	/* Behind. */
	m = messages_new();
	request(m, 100, 5010, 4030, 4050, 5070);
	assert_clock(m, -1000, 20, 1, 1);
	/* A clock that may be right is not touched. */
	m = messages_new();
	request(m, 100, 10, 36, 50, 60);
	assert_clock(m, 0, 18, 1, 1);
}

/* Host 1 is 1000 ahead. It worked for two spans, whose waits leave 30 there and 10 back at least. */
static void test_clock_by_calls(void **state)
{
	struct messages *m = messages_new();
	g_autofree struct message_clock *c = NULL;

	messages_add_call(m, 0, 1, 100 * US, 1130 * US, 1150 * US, 190 * US);
	messages_add_call(m, 0, 1, 200 * US, 1240 * US, 1280 * US, 290 * US);
	assert_clock(m, 1010, 20, 2, 2);
	/* The span that waits may be on the later host. */
	m = messages_new();
	messages_add_call(m, 1, 0, 1100 * US, 130 * US, 150 * US, 1190 * US);
	assert_clock(m, 1005, 35, 1, 1);
	/* Messages both ways tell more. */
	m = messages_new();
	messages_add_call(m, 0, 1, 100 * US, 5130 * US, 5150 * US, 190 * US);
	request(m, 100, 10, 1030, 1050, 70);
	assert_clock(m, 1000, 20, 1, 1);
	/* The second one would have ended before it was asked for, or the first one too late. */
	m = messages_new();
	messages_add_call(m, 0, 1, 100 * US, 1130 * US, 1150 * US, 190 * US);
	messages_add_call(m, 0, 1, 200 * US, 1030 * US, 1050 * US, 290 * US);
	messages_seal(m);
	c = messages_clocks(m, 2);
	assert_true(!c[1].is_known && c[1].no_fit && !c[1].correction);
	assert_true(messages_error(c, 1) == UINT64_MAX && !messages_error(c, 0));
	messages_free(m);
}

static void test_clock_of_one_way(void **state)
{
	struct messages *m = messages_new();
	struct wall_message w = on(1, 80, 0, 40000, 100);
	g_autofree struct message_clock *c = NULL;

	add(m, on(0, 40000, 1, 80, 100), 0, 10);
	w.received = 1;
	add(m, w, 1, 1030);
	messages_seal(m);
	c = messages_clocks(m, 3);
	assert_false(c[1].is_known || c[2].is_known);
	assert_true(!c[1].correction && !c[2].correction);
	messages_free(m);
}

/* Host 2 talks to host 1 only, whose clock is 1000 ahead; its own is 500 behind that. */
static void test_clock_by_another(void **state)
{
	struct messages *m = messages_new();
	struct wall_message w;
	g_autofree struct message_clock *c = NULL;

	request(m, 100, 10, 1030, 1050, 70);
	add(m, on(1, 50000, 2, 80, 7), 1, 2000);
	w = on(2, 80, 1, 50000, 7);
	w.received = 1;
	add(m, w, 2, 1510);
	add(m, on(2, 80, 1, 50000, 9), 2, 1520);
	w = on(1, 50000, 2, 80, 9);
	w.received = 1;
	add(m, w, 1, 2030);
	messages_seal(m);
	c = messages_clocks(m, 3);
	assert_int_equal(c[2].with, 1);
	assert_int_equal(c[2].ahead, -500 * (s64)US);
	assert_int_equal(c[2].error, 10 * US);
	assert_int_equal(c[2].correction, -500 * (s64)US);
	messages_free(m);
}

/* Times of a damaged file. */
static void test_wild_times(void **state)
{
	struct messages *m = messages_new();
	struct wall_message w = on(1, 80, 0, 40000, 100);
	g_autofree struct message_clock *c = NULL;

	request(m, 200, 10, 1030, 1050, 75);
	messages_add(m, &(struct wall_message){ .end = 1, .family = 77 }, 0, 0, 0, UINT64_MAX);
	messages_add(m, &w, 1, 0, 0, (u64)1 << 63);
	w = on(0, 40000, 1, 80, 100);
	w.received = 1;
	messages_add(m, &w, 0, 0, 0, 0);
	messages_seal(m);
	c = messages_clocks(m, 2);
	assert_true(c[1].is_known);
	assert_int_equal(c[1].ahead, -c[1].correction);
	messages_free(m);
}

/* What host @host did for @span of a trace; threads are 10 + host, activities spans. Parents: span 102's is 2, and so on; span 2 has none. */
static void see(struct children *c, u32 host, u64 span, u64 from, u64 to, bool waits)
{
	const struct child_sight s = { .ids = { 1, 1, span },
				       .parent = span > 100 ? span % 100 : 0,
				       .from = from * US,
				       .to = to * US,
				       .host = host,
				       .thread = 10 + host,
				       .activity = (u32)span,
				       .waits = waits };

	children_see(c, &s);
}

static void tell_child(const struct child_call *call, void *arg)
{
	g_string_append_printf(arg, "[%u %u-%u: %u %u %u-%u]", call->waiter, (u32)(call->sent / US),
			       (u32)(call->received / US), call->from, call->activity,
			       (u32)(call->begun / US), (u32)(call->ended / US));
}

#define assert_children(c, each, pairs, ...)                                                       \
	do {                                                                                       \
		g_autoptr(GString) each_ = g_string_new(NULL), pairs_ = g_string_new(NULL);        \
		children_each(c, tell_child, each_);                                               \
		children_each_pair(c, (const u64[]){ __VA_ARGS__ }, tell_child, pairs_);           \
		assert_string_equal(each_->str, each);                                             \
		assert_string_equal(pairs_->str, pairs);                                           \
		children_free(c);                                                                  \
	} while (0)

/* Host 1 worked for a child of span 2, from 120 to 140. */
static struct children *one_child(void)
{
	struct children *c = children_new(NULL);

	see(c, 1, 102, 120, 125, false);
	see(c, 1, 102, 130, 140, false);
	return c;
}

static void test_children(void **state)
{
	struct children *c = one_child();

	see(c, 0, 2, 100, 150, true);
	assert_children(c, "[10 100-150: 11 102 120-140]", "[10 100-150: 11 102 120-140]", 0,
			5 * US);
	/* Two waits may have it, as far as the clocks are known: nobody knows which one. A third one is too short. */
	c = one_child();
	see(c, 0, 2, 100, 150, true);
	see(c, 0, 2, 160, 190, true);
	see(c, 0, 2, 200, 210, true);
	assert_children(c, "[10 100-190: 11 102 120-140]", "", 0, 40 * US);
	c = one_child();
	see(c, 0, 2, 100, 150, true);
	see(c, 0, 2, 160, 190, true);
	assert_children(c, "[10 100-190: 11 102 120-140]", "[10 100-150: 11 102 120-140]", 0,
			39 * US);
	/* Nothing is known of the clock; the parent ran; it is on the same host. */
	c = one_child();
	see(c, 0, 2, 100, 150, true);
	assert_children(c, "[10 100-150: 11 102 120-140]", "", 0, UINT64_MAX);
	c = one_child();
	see(c, 0, 2, 100, 150, false);
	assert_children(c, "", "", 0, 0);
	c = one_child();
	see(c, 1, 2, 100, 150, true);
	assert_children(c, "", "", 0, 0);
	/* Programs use an id again: it is seen on two hosts. */
	c = one_child();
	see(c, 0, 2, 100, 150, true);
	see(c, 2, 102, 120, 140, false);
	assert_children(c, "", "", 0, 0, 0);
}

/* Two hosts work for one wait: the one that ends last, if that is certain. */
static void test_last_child(void **state)
{
	for (u32 error = 5; error <= 10; error += 5) {
		struct children *c = one_child();
		g_autoptr(GString) text = g_string_new(NULL);

		see(c, 2, 202, 120, 130, false);
		see(c, 0, 2, 100, 150, true);
		children_each_pair(c, (const u64[]){ 0, error * US, 4 * US }, tell_child, text);
		assert_string_equal(text->str, error == 5 ? "[10 100-150: 11 102 120-140]" : "");
		children_free(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pair),
		cmocka_unit_test(test_by_bytes),
		cmocka_unit_test(test_other_connections),
		cmocka_unit_test(test_mapped_addresses),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_clock_by_calls),
		cmocka_unit_test(test_clock_of_one_way),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_last_child),
		cmocka_unit_test(test_clock_by_another),
		cmocka_unit_test(test_wild_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
