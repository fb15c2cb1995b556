// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changes of attributes, instruction by instruction: what a reader finds is the list before or the
 * list after, never another, and a signal handler that works for an activity with attributes of
 * its own and goes back leaves no trace in the change that it interrupted.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "activity/activity.h"
#include "base/types.h"

static const u8 trace_a[16] = "trace of mine...", span_a[8] = "my span.";
static const u8 trace_h[16] = "the handler's...", span_h[8] = "its span";
static int route, user;

struct otep {
	u8 trace[16], span[8], valid, flags;
	u16 size;
	u8 attributes[ACTIVITY_ATTRIBUTES_SIZE];
};

/* What there is before, what is done, and what there must be then. */
struct change {
	const char *before[2], *to;
	int *key;
	const char *then;
};

static const struct change changes[] = {
	{ { NULL, NULL }, "/orders", &route, "0=/orders," },
	{ { "/orders", NULL }, "/basket", &route, "0=/basket," },
	{ { "/orders", "ann" }, "/", &route, "1=ann,0=/," },
	{ { "/", "ann" }, "/a/longer/one/than/that", &route, "1=ann,0=/a/longer/one/than/that," },
	{ { "/orders", "ann" }, "me", &user, "0=/orders,1=me," },
	{ { "/orders", "ann" }, "", &route, "1=ann," },
	{ { "/orders", NULL }, "", &route, "" },
	{ { "/orders", NULL }, "bob", &user, "0=/orders,1=bob," },
};

static void list(const struct otep *record, char *text)
{
	size_t at = 0;

	*text = 0;
	while (at + 2 <= record->size && at + 2 + record->attributes[at + 1] <= record->size) {
		text += sprintf(text, "%u=%.*s,", record->attributes[at],
				record->attributes[at + 1],
				(const char *)record->attributes + at + 2);
		at += 2 + record->attributes[at + 1];
	}
	if (at != record->size)
		strcpy(text, "(broken)");
}

/* The record of the stopped @pid, whose variables are where this thread's are; false: none valid. */
static bool look(pid_t pid, struct otep *record)
{
	void *pointer = NULL;
	struct iovec to = { &pointer, sizeof(pointer) };
	struct iovec from = { (void *)&otel_thread_ctx_v1, sizeof(pointer) };

	memset(record, 0, sizeof(*record));
	assert_int_equal(process_vm_readv(pid, &to, 1, &from, 1, 0), sizeof(pointer));
	if (!pointer)
		return false;
	to = (struct iovec){ record, offsetof(struct otep, attributes) };
	from = (struct iovec){ pointer, to.iov_len };
	assert_int_equal(process_vm_readv(pid, &to, 1, &from, 1, 0), to.iov_len);
	if (record->valid != 1)
		return false;
	assert_true(record->size <= ACTIVITY_ATTRIBUTES_SIZE);
	to = (struct iovec){ record->attributes, record->size };
	from = (struct iovec){ (u8 *)pointer + offsetof(struct otep, attributes), record->size };
	assert_int_equal(process_vm_readv(pid, &to, 1, &from, 1, 0), record->size);
	return true;
}

static void on_signal(int signal)
{
	struct activity_context mine, none = { 0 };
	char long_one[150];

	memset(long_one, 'h', sizeof(long_one));
	activity_swap(&mine, &none);
	activity_set(trace_h, span_h);
	activity_attribute(user, long_one, sizeof(long_one));
	activity_attribute(route, "handler", 7);
	activity_swap(&none, &mine);
}

static bool set(int key, const char *value)
{
	return activity_attribute(key, value, strlen(value));
}

static void child(const struct change *change)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGUSR1, &action, NULL);
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	activity_set(trace_a, span_a);
	activity_flags(1);
	if (change->before[0])
		set(route, change->before[0]);
	if (change->before[1])
		set(user, change->before[1]);
	raise(SIGSTOP);
	if (!set(*change->key, change->to))
		_exit(1);
	raise(SIGSTOP);
	_exit(0);
}

struct changing {
	u32 nr, first, last; /* steps at which no record was valid */
};

static void check(const struct otep *record, const char *before, const char *then)
{
	char text[512];

	list(record, text);
	assert_memory_equal(record->trace, trace_a, 16);
	assert_memory_equal(record->span, span_a, 8);
	assert_int_equal(record->flags, 1);
	if (strcmp(text, before) != 0)
		assert_string_equal(text, then);
}

/* Before instruction @interrupt, if not 0, comes a signal. Returns how many there were. */
static u32 step_through(const struct change *change, u32 interrupt, struct changing *changing)
{
	pid_t pid = fork();
	struct otep record;
	char before[512];
	u32 steps = 0;
	int status;

	assert_true(pid >= 0);
	if (pid == 0)
		child(change);
	waitpid(pid, &status, 0);
	assert_true(WIFSTOPPED(status) && look(pid, &record));
	list(&record, before);
	for (;;) {
		int signal = interrupt && steps == interrupt ? SIGUSR1 : 0;

		steps++;
		assert_int_equal(ptrace(PTRACE_SINGLESTEP, pid, NULL, signal), 0);
		waitpid(pid, &status, 0);
		assert_true(WIFSTOPPED(status));
		if (WSTOPSIG(status) == SIGSTOP)
			break;
		if (!look(pid, &record)) {
			changing->first = changing->nr++ ? changing->first : steps;
			changing->last = steps;
		} else if (memcmp(record.trace, trace_h, 16) != 0 &&
			   (!interrupt || steps < interrupt)) {
			check(&record, before, change->then);
		}
		if (interrupt && steps > interrupt) {
			/* The handler's own steps are many; the change ends by its own next stop. */
			assert_int_equal(ptrace(PTRACE_CONT, pid, NULL, 0), 0);
			waitpid(pid, &status, 0);
			assert_true(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
			break;
		}
		assert_true(steps < 100000);
	}
	assert_true(look(pid, &record));
	check(&record, change->then, change->then);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return steps;
}

static void test_reader(void **state)
{
	for (u32 i = 0; i < ARRAY_SIZE(changes); i++) {
		struct changing changing = { 0 };

		step_through(&changes[i], 0, &changing);
		assert_true(changing.nr > 4 || !*changes[i].then);
	}
}

static void test_handler(void **state)
{
	for (u32 i = 0; i < ARRAY_SIZE(changes); i++) {
		struct changing changing = { 0 }, others = { 0 };
		u32 steps = step_through(&changes[i], 0, &changing), at;
		u32 first = changing.nr ? changing.first : steps / 2;

		for (at = first > 100 ? first - 100 : 1; at < steps && at < changing.last + 20;
		     at++)
			step_through(&changes[i], at, &others);
	}
}

/* What does not do changes nothing, and a full list stays as it is. */
static void test_refused(void **state)
{
	char big[256] = { 0 }, text[512];
	struct otep record;

	memset(big, 'b', sizeof(big) - 1);
	activity_clear();
	assert_false(activity_attribute(route, "/", 1));
	assert_false(activity_get((u8 *)text, (u8 *)text + 16));
	activity_set(trace_a, span_a);
	activity_flags(1);
	assert_false(activity_attribute(route, big, 163));
	assert_false(activity_attribute(route, big, 256));
	assert_true(activity_attribute(route, big, 162));
	assert_false(activity_attribute(user, "a", 1));
	assert_true(activity_attribute(route, "/pay", 4));
	assert_false(activity_attribute(user, big, 157));
	assert_true(activity_attribute(user, NULL, 0));
	assert_true(look(getpid(), &record));
	list(&record, text);
	assert_string_equal(text, "0=/pay,");
	check(&record, "0=/pay,", "0=/pay,");
	activity_clear();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_reader),
		cmocka_unit_test(test_handler),
	};

	route = activity_key("route");
	user = activity_key("user");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
