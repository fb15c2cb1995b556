// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The publisher, looked at from outside as a profiler does: a traced child executes its functions
 * instruction by instruction, and after each of them the record is read and decoded. A signal
 * handler that sets an activity itself is run at each instruction, too.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "activity/activity.h"
#include "activity/layout.h"
#include "activity/record.h"
#include "sanitized.h"

static const u8 trace_a[16] = "trace id a......", span_a[8] = "span a..";
static const u8 trace_b[16] = "trace id b......", span_b[8] = "span b..";
static const u8 trace_h[16] = "trace of handler", span_h[8] = "handler.";
static const u8 zero[16];

static void test_set_get_clear(void **state)
{
	u8 trace[16], span[8];

	assert_false(activity_get(trace, span));
	activity_set(trace_a, span_a);
	assert_true(activity_get(trace, span));
	assert_memory_equal(trace, trace_a, 16);
	assert_memory_equal(span, span_a, 8);
	activity_set(trace_b, span_b);
	assert_true(activity_get(trace, span));
	assert_memory_equal(trace, trace_b, 16);
	activity_clear();
	assert_false(activity_get(trace, span));
	assert_memory_equal(trace, zero, 16);
	assert_memory_equal(span, zero, 8);
	activity_set(zero, span_a); /* half of an activity is one */
	assert_true(activity_get(trace, span));
	activity_set(zero, zero);
	assert_false(activity_get(trace, span));
}

static void *other_thread(void *arg)
{
	u8 trace[16], span[8];

	assert_false(activity_get(trace, span));
	activity_set(trace_b, span_b);
	return NULL;
}

static void test_is_the_threads_own(void **state)
{
	u8 trace[16], span[8];
	GThread *thread;

	activity_set(trace_a, span_a);
	thread = g_thread_new("other", other_thread, NULL);
	g_thread_join(thread);
	assert_true(activity_get(trace, span));
	assert_memory_equal(trace, trace_a, 16);
	activity_clear();
}

static void on_signal(int signal)
{
	activity_set(trace_h, span_h);
}

/* What a handler must do that lets nobody see that it was there. */
static void on_signal_restore(int signal)
{
	u8 trace[16], span[8];
	bool had = activity_get(trace, span);

	activity_set(trace_h, span_h);
	if (had)
		activity_set(trace, span);
	else
		activity_clear();
}

enum change { SET, CLEAR, SWAP, SWAP_DEEP };

static const u8 span_around[8] = "around a";

/* What a swap put aside is a, as deep as it was or as a handler set it again, or the handler's. */
static bool is_whole(const struct activity_whole *ids)
{
	u32 depth = ACTIVITY_TAIL_DEPTH(ids->tail);

	if (memcmp(ids->trace, trace_a, 16) == 0)
		return memcmp(&ids->span, span_a, 8) == 0 &&
		       (depth == 1 || (depth == 2 && memcmp(&ids->parent, span_around, 8) == 0));
	return memcmp(ids->trace, trace_h, 16) == 0 && memcmp(&ids->span, span_h, 8) == 0 &&
	       depth == 1;
}

/* The child: has activity a, then between two stops takes up b or clears. */
static void child(enum change change, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };
	struct activity_context mine = { 0 }, next;
	struct activity_span before;

	sigaction(SIGUSR1, &action, NULL);
	activity_set(trace_b, span_b);
	activity_save(&next);
	activity_set(trace_a, change == SWAP_DEEP ? span_around : span_a);
	if (change == SWAP_DEEP)
		activity_push(&before, span_a);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	if (change == CLEAR)
		activity_clear();
	else if (change == SET)
		activity_set(trace_b, span_b);
	else
		activity_swap(&mine, &next);
	if (change >= SWAP && !is_whole(&mine.ids))
		_exit(1);
	raise(SIGSTOP);
	_exit(0);
}

static struct activity look(pid_t pid)
{
	struct activity_layout layout = {
		.format = ACTIVITY_RECORD, .symbol = "", .tpoff = -64, .size = 64
	};
	struct iovec remote = { (void *)&activity_record, 64 };
	struct activity activity;
	u8 bytes[64];
	struct iovec local = { bytes, 64 };

	/* The child is a fork of this thread: its record is at the same address. */
	assert_int_equal(process_vm_readv(pid, &local, 1, &remote, 1, 0), 64);
	activity_decode(&layout, bytes, 64, 64, NULL, &activity);
	return activity;
}

static bool is(const struct activity *activity, const u8 *trace, const u8 *span)
{
	return activity->state == ACTIVITY_OK && memcmp(activity->trace_id, trace, 16) == 0 &&
	       memcmp(activity->span_id, span, 8) == 0;
}

static void test_spans(void **state)
{
	static const u8 span_c[8] = "span c..", span_d[8] = "span d..";
	struct activity_span outer, inner, innermost;
	struct activity_ids ids;

	activity_clear();
	activity_push(&outer, span_b); /* of nothing */
	assert_false(activity_look(&ids));
	activity_pop(&outer);
	assert_false(activity_look(&ids));

	activity_set(trace_a, span_a);
	activity_flags(1);
	assert_true(activity_look(&ids));
	assert_int_equal(ids.depth, 1);
	assert_int_equal(ids.flags, 1);
	assert_memory_equal(ids.root_id, span_a, 8);
	assert_memory_equal(ids.parent_id, zero, 8);
	activity_push(&outer, span_b);
	activity_push(&inner, span_c);
	activity_push(&innermost, span_d);
	assert_true(activity_look(&ids));
	assert_int_equal(ids.depth, 4);
	assert_int_equal(ids.flags, 1);
	assert_memory_equal(ids.trace_id, trace_a, 16);
	assert_memory_equal(ids.span_id, span_d, 8);
	assert_memory_equal(ids.parent_id, span_c, 8);
	assert_memory_equal(ids.root_id, span_a, 8);
	activity_pop(&inner); /* past the innermost, as after an exception */
	assert_true(activity_look(&ids));
	assert_int_equal(ids.depth, 2);
	assert_memory_equal(ids.span_id, span_b, 8);
	assert_memory_equal(ids.parent_id, span_a, 8);
	assert_memory_equal(ids.root_id, span_a, 8);
	activity_set(trace_b, span_d); /* another one, which nobody put back */
	activity_pop(&outer);
	assert_true(activity_look(&ids));
	assert_memory_equal(ids.trace_id, trace_b, 16);
	assert_memory_equal(ids.span_id, span_d, 8);
	assert_int_equal(ids.depth, 1);
	activity_clear();
}

static void test_contexts(void **state)
{
	struct activity_context a, b, saved, idle = { 0 };
	struct activity_span span;
	struct activity_ids ids;

	activity_set(trace_a, span_a);
	activity_push(&span, span_h);
	activity_detach(&a);
	assert_false(activity_look(&ids));
	activity_set(trace_b, span_b);
	activity_save(&b);
	activity_attach(&a);
	assert_true(activity_look(&ids));
	assert_memory_equal(ids.trace_id, trace_a, 16);
	assert_memory_equal(ids.root_id, span_a, 8);
	assert_int_equal(ids.depth, 2);
	activity_swap(&a, &b);
	activity_look(&ids);
	assert_memory_equal(ids.trace_id, trace_b, 16);
	assert_int_equal(ids.depth, 1);
	activity_swap(&b, &a);
	activity_look(&ids);
	assert_memory_equal(ids.span_id, span_h, 8);
	assert_memory_equal(ids.parent_id, span_a, 8);
	activity_swap(&a, &a);
	activity_look(&ids);
	assert_memory_equal(ids.span_id, span_h, 8);
	activity_swap(&a, &idle);
	assert_false(activity_look(&ids));
	activity_swap(&idle, &a);
	activity_pop(&span);
	activity_save(&saved);
	activity_clear();
	activity_restore(&saved);
	activity_look(&ids);
	assert_memory_equal(ids.span_id, span_a, 8);
	activity_clear();
}

/* The record that readers of OTEP 4947 find, and its attributes as "index=value,". */
static const char *otep(char text[512])
{
	const u8 *record = otel_thread_ctx_v1;
	u16 size;
	char *to = text;

	*to = '\0';
	if (!record || record[24] != 1)
		return text;
	memcpy(&size, record + 26, sizeof(size));
	for (u32 at = 0; at + 2 <= size; at += 2 + record[28 + at + 1])
		to += sprintf(to, "%d=%.*s,", record[28 + at], record[28 + at + 1],
			      (const char *)record + 28 + at + 2);
	return text;
}

/* A scheduler's threads may do nothing else: what they take up is there for OTEP's readers, too. */
static void *swap_first(void *contexts)
{
	struct activity_context *context = contexts, idle;
	char text[512];

	activity_swap(&idle, &context[0]);
	assert_non_null(otel_thread_ctx_v1);
	assert_memory_equal(otel_thread_ctx_v1, trace_a, 16);
	assert_string_equal(otep(text), "");
	activity_swap(&context[0], &context[1]);
	assert_memory_equal((const u8 *)otel_thread_ctx_v1 + 16, span_h, 8);
	activity_swap(&context[1], &idle);
	assert_int_not_equal(((const u8 *)otel_thread_ctx_v1)[24], 1);
	return NULL;
}

static void test_first_swap(void **state)
{
	struct activity_context contexts[2];
	struct activity_span span;
	pthread_t thread;

	activity_set(trace_a, span_a);
	activity_save(&contexts[0]);
	activity_push(&span, span_h);
	activity_save(&contexts[1]);
	assert_int_equal(pthread_create(&thread, NULL, swap_first, contexts), 0);
	pthread_join(thread, NULL);
	activity_clear();
}

static void test_attributes(void **state)
{
	int route = activity_key("http.route"), user = activity_key("user.id");
	struct activity_context a, none = { 0 };
	struct activity_span span;
	char text[512], big[200];

	memset(big, 'x', sizeof(big));
	assert_true(route >= 0 && user >= 0 && route != user);
	assert_int_equal(activity_key("http.route"), route);
	assert_int_equal(activity_key(""), -1);
	activity_clear();
	assert_false(activity_attribute(route, "/", 1)); /* of no activity */
	activity_set(trace_a, span_a);
	assert_string_equal(otep(text), "");
	assert_true(activity_attribute(route, "/orders", 7));
	assert_true(activity_attribute(user, "me", 2));
	assert_false(activity_attribute(user, big, 160));
	assert_false(activity_attribute(user + 1, "me", 2));
	assert_false(activity_attribute(-1, "me", 2));
	assert_string_equal(otep(text), "0=/orders,1=me,");
	assert_memory_equal(otel_thread_ctx_v1, trace_a, 16);
	assert_true(activity_attribute(route, "/pay", 4));
	assert_string_equal(otep(text), "1=me,0=/pay,");
	activity_push(&span, span_b);
	assert_string_equal(otep(text), "1=me,0=/pay,");
	assert_memory_equal((u8 *)otel_thread_ctx_v1 + 16, span_b, 8);
	activity_swap(&a, &none);
	assert_string_equal(otep(text), "");
	activity_swap(&none, &a);
	assert_string_equal(otep(text), "1=me,0=/pay,");
	activity_pop(&span);
	assert_memory_equal((u8 *)otel_thread_ctx_v1 + 16, span_a, 8);
	assert_true(activity_attribute(user, NULL, 0));
	assert_string_equal(otep(text), "0=/pay,");
	activity_set(trace_b, span_b);
	assert_string_equal(otep(text), "");
	assert_memory_equal(otel_thread_ctx_v1, trace_b, 16);
	activity_clear();
}

/* What OTEP 4719 says where to find; the mapping's address, and its message as bytes. */
static u64 read_context(u64 *published, GString *message)
{
	g_autofree char *maps = NULL;
	u64 begin = 0;
	char *line;

	g_string_truncate(message, 0);
	assert_true(g_file_get_contents("/proc/self/maps", &maps, NULL, NULL));
	line = strstr(maps, "OTEL_CTX");
	if (!line)
		return 0;
	while (line > maps && line[-1] != '\n')
		line--;
	begin = g_ascii_strtoull(line, NULL, 16);
	assert_memory_equal((void *)begin, "OTEL_CTX\x02\0\0\0", 12);
	*published = *(u64 *)(begin + 16);
	g_string_append_len(message, *(char **)(begin + 24), *(u32 *)(begin + 12));
	return begin;
}

static bool says(const GString *message, const char *text)
{
	return memmem(message->str, message->len, text, strlen(text)) != NULL;
}

static void test_process_context(void **state)
{
	g_autoptr(GString) message = g_string_new(NULL);
	u64 first = 0, second = 0, place;
	char name[16];
	int status;
	pid_t pid;

	assert_true(activity_describe("service.name", "orders"));
	place = read_context(&first, message);
	assert_true(place && first);
	assert_true(says(message, "service.name\x12\x08\x0a\x06orders"));
	assert_true(says(message, "threadlocal.schema_version\x12\x10\x0a\x0etlsdesc_v1_dev"));
	assert_true(says(message, "threadlocal.attribute_key_map"));
	assert_true(activity_describe("service.name", "payments"));
	assert_int_equal(read_context(&second, message), place);
	assert_true(second > first);
	assert_true(says(message, "payments"));
	assert_false(says(message, "orders"));

	pid = fork();
	if (pid == 0) {
		/* Its own: the parent's is not inherited. */
		if (!read_context(&first, message) || first <= second || !says(message, "payments"))
			_exit(1);
		_exit(activity_key("of.the.child") < 0 || !read_context(&first, message) ||
		      !says(message, "of.the.child"));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	read_context(&second, message);
	assert_false(says(message, "of.the.child"));

	for (int i = activity_key("last.before"); i < ACTIVITY_KEYS_MAX - 1; i++) {
		snprintf(name, sizeof(name), "key.%d", i);
		assert_int_equal(activity_key(name), i + 1);
	}
	assert_int_equal(activity_key("one.too.many"), -1);
	read_context(&second, message);
	assert_true(says(message, "\x0a\x07key.254"));
	assert_false(activity_describe("service.name", ""));
}

static void test_new_ids(void **state)
{
	g_autoptr(GHashTable)
		seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	u64 id, other;
	int pipes[2], status;
	pid_t pid;

	for (u32 i = 0; i < 100000; i++) {
		activity_new_span_id((u8 *)&id);
		assert_true(id != 0);
		assert_true(g_hash_table_add(seen, g_memdup2(&id, sizeof(id))));
	}
	assert_int_equal(pipe(pipes), 0);
	pid = fork();
	if (pid == 0) {
		activity_new_span_id((u8 *)&id);
		_exit(write(pipes[1], &id, sizeof(id)) != sizeof(id));
	}
	assert_int_equal(read(pipes[0], &other, sizeof(other)), sizeof(other));
	waitpid(pid, &status, 0);
	activity_new_span_id((u8 *)&id);
	assert_true(id != other);
}

/* Whole and one of those that were ever set, or none of them for certain. */
static void check_whole(const struct activity *activity)
{
	if (activity->state == ACTIVITY_OK)
		assert_true(is(activity, trace_a, span_a) || is(activity, trace_b, span_b) ||
			    is(activity, trace_h, span_h));
	else
		assert_true(activity->state == ACTIVITY_UPDATING ||
			    activity->state == ACTIVITY_NONE);
}

/* The instructions at which the record was seen being updated. */
struct updating {
	u32 nr, first, last;
};

/*
 * Steps through the child's change; before instruction @interrupt (if not 0) it gets a signal.
 * Returns the number of instructions.
 */
static u32 step_through(enum change change, void (*handler)(int), u32 interrupt,
			struct updating *updating)
{
	pid_t pid = fork();
	struct activity activity;
	bool published = false; /* before the signal came */
	u32 steps = 0;
	int status;

	assert_true(pid >= 0);
	if (pid == 0)
		child(change, handler);
	waitpid(pid, &status, 0);
	activity = look(pid);
	assert_true(is(&activity, trace_a, span_a));
	for (;;) {
		int signal = interrupt && steps == interrupt ? SIGUSR1 : 0;

		if (signal)
			published = is(&activity, trace_b, span_b);
		steps++;
		assert_int_equal(ptrace(PTRACE_SINGLESTEP, pid, NULL, signal), 0);
		waitpid(pid, &status, 0);
		assert_true(WIFSTOPPED(status));
		if (WSTOPSIG(status) == SIGSTOP)
			break;
		activity = look(pid);
		check_whole(&activity);
		if (activity.state == ACTIVITY_UPDATING) {
			updating->first = updating->nr++ ? updating->first : steps;
			updating->last = steps;
		}
		assert_true(steps < 100000);
	}
	activity = look(pid);
	if (change == CLEAR)
		assert_int_equal(activity.state, ACTIVITY_NONE);
	else if (handler == on_signal && published)
		assert_true(is(&activity, trace_b, span_b) || is(&activity, trace_h, span_h));
	else
		assert_true(is(&activity, trace_b, span_b));
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return steps;
}

static void test_never_half_an_id(void **state)
{
	for (enum change change = SET; change <= SWAP_DEEP; change++) {
		struct updating updating = { 0 };

		assert_true(step_through(change, on_signal, 0, &updating) > 10);
		assert_true(updating.nr >= 4); /* or the test has not looked closely */
	}
}

/*
 * A sanitizer's build has ten times as many instructions, and looks at memory, not at instructions: there a handler
 * interrupts every sixteenth of them.
 */
#define INTERRUPT_EVERY (SANITIZED ? 16 : 1)

/*
 * The id of a handler that leaves it set is there in the end only where the handler ran when the
 * change was made already; see step_through().
 */
static void interrupt_everywhere(enum change change, void (*handler)(int))
{
	struct updating updating = { 0 }, others = { 0 };
	u32 steps = step_through(change, handler, 0, &updating);

	/* The instructions of raise() around the change are many and do not matter. */
	for (u32 at = updating.first > 40 ? updating.first - 40 : 1;
	     at < MIN(steps, updating.last + 20); at += INTERRUPT_EVERY)
		step_through(change, handler, at, &others);
}

static void test_handler_restores(void **state)
{
	for (enum change change = SET; change <= SWAP_DEEP; change++)
		interrupt_everywhere(change, on_signal_restore);
}

static void test_handler_sets(void **state)
{
	interrupt_everywhere(SET, on_signal);
	interrupt_everywhere(SWAP, on_signal);
	interrupt_everywhere(SWAP_DEEP, on_signal);
}

/* The function has been interrupted for good: activity_restore() makes the next call work. */
static sigjmp_buf out;

static void on_signal_leave(int signal)
{
	activity_set(trace_h, span_h);
	siglongjmp(out, 1);
}

static void leave_child(void)
{
	struct sigaction action = { .sa_handler = on_signal_leave };
	struct activity_context before;

	sigaction(SIGUSR1, &action, NULL);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	activity_save(&before);
	if (!sigsetjmp(out, 1)) {
		raise(SIGSTOP);
		activity_set(trace_b, span_b);
	} else {
		activity_restore(&before);
	}
	activity_set(trace_a, span_a);
	raise(SIGSTOP);
	_exit(0);
}

static void test_handler_never_returns(void **state)
{
	bool in_update = false;

	for (u32 at = 1; at < 200; at++) {
		pid_t pid = fork();
		struct activity activity;
		int status;

		if (pid == 0)
			leave_child();
		waitpid(pid, &status, 0);
		for (u32 step = 0; step < at; step++) {
			ptrace(PTRACE_SINGLESTEP, pid, NULL, 0);
			waitpid(pid, &status, 0);
		}
		activity = look(pid);
		in_update |= activity.state == ACTIVITY_UPDATING;
		ptrace(PTRACE_CONT, pid, NULL, SIGUSR1);
		waitpid(pid, &status, 0);
		assert_int_equal(WSTOPSIG(status), SIGSTOP);
		activity = look(pid);
		assert_true(is(&activity, trace_a, span_a));
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	assert_true(in_update);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set_get_clear),
		cmocka_unit_test(test_is_the_threads_own),
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_contexts),
		cmocka_unit_test(test_first_swap),
		cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_process_context),
		cmocka_unit_test(test_new_ids),
		cmocka_unit_test(test_never_half_an_id),
		cmocka_unit_test(test_handler_restores),
		cmocka_unit_test(test_handler_sets),
		cmocka_unit_test(test_handler_never_returns),
	};

#if defined(__AVX__) || defined(TEST_IN_PARTS)
	/* A sanitizer's build has other instructions than programs have; once is enough of it. */
	if (!__builtin_cpu_supports("avx") || SANITIZED)
		return 0;
#endif
#ifdef TEST_IN_PARTS
	activity_flat_at_once = 0;
#endif
	return cmocka_run_group_tests(tests, NULL, NULL);
}
