// SPDX-License-Identifier: GPL-2.0-or-later
/* What is said of samples whose activities nobody has read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "activity/history.h"
#include "activity/layout.h"

#define PID   7
#define FOUND 1000 /* when its variable was found */

/* Eight bytes at the end of a window of 64 bytes. */
static struct activity_history *history(void)
{
	struct activity_history *h = activity_history_new();
	struct activity_change change = { .pid = PID,
					  .state = ACTIVITY_PLACED,
					  .time = FOUND,
					  .layout = { .format = ACTIVITY_HEX,
						      .tpoff = -8,
						      .size = 8,
						      .where = ACTIVITY_IN_WINDOW,
						      .framed = true } };

	activity_history_apply(h, &change);
	return h;
}

static u8 state_of(const struct activity_history *h, u32 pid, u64 time, const u8 *data, u64 size,
		   bool absent)
{
	const struct activity_bytes bytes = { data, size, size, absent };
	struct activity activity;

	activity_history_find(h, pid, time, &bytes, NULL, &activity);
	return activity.state;
}

static void test_event_without_activities(void **state)
{
	struct activity_history *h = history();

	assert_int_equal(state_of(h, PID, FOUND, NULL, 0, true), ACTIVITY_NOT_READ);
	assert_int_equal(state_of(h, PID, FOUND, NULL, 0, false), ACTIVITY_NONE);
	/* Of this process it is known that there is none. */
	assert_int_equal(state_of(h, PID + 1, FOUND, NULL, 0, true), ACTIVITY_NONE);
	activity_history_free(h);
}

static void test_process_that_nobody_looked_at(void **state)
{
	struct activity_history *h = history();
	struct activity_frame frame = { .size = sizeof(frame), .version = ACTIVITY_FRAME_VERSION };
	u8 window[64] = { 8, 0, 1, 0, 0, 1 }; /* without a frame: such bytes say nothing */

	assert_int_equal(state_of(h, PID + 1, FOUND, (u8 *)&frame, sizeof(frame), false),
			 ACTIVITY_NONE);
	frame.unread = ACTIVITY_UNREAD; /* but it is known to have none */
	assert_int_equal(state_of(h, PID + 1, FOUND, (u8 *)&frame, sizeof(frame), false),
			 ACTIVITY_NONE);
	assert_int_equal(state_of(h, PID, FOUND, (u8 *)&frame, sizeof(frame), false),
			 ACTIVITY_NOT_READ);
	frame.unread = ACTIVITY_UNSOUGHT;
	assert_int_equal(state_of(h, PID + 1, FOUND, (u8 *)&frame, sizeof(frame), false),
			 ACTIVITY_NOT_READ);
	assert_int_equal(state_of(h, PID + 1, FOUND, window, sizeof(window), false), ACTIVITY_NONE);
	activity_history_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_event_without_activities),
		cmocka_unit_test(test_process_that_nobody_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
