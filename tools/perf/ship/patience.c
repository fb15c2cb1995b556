// SPDX-License-Identifier: GPL-2.0-or-later
#include "ship/patience.h"

#include <poll.h>
#include <stdio.h>

#include "base/clock.h"

#define FIRST_MS  200
#define LAST_MS	  60000
#define NS_PER_MS 1000000

bool patience_pause(const struct patience *p, int fd, u32 ms)
{
	struct pollfd fds[] = { { .fd = p->stop_fd, .events = POLLIN },
				{ .fd = fd, .events = POLLIN } };

	poll(fds, ARRAY_SIZE(fds), (int)ms);
	return !fds[0].revents;
}

static u32 wait_ms(const struct patience *p)
{
	u32 ms = p->tries < 9 ? FIRST_MS << p->tries : LAST_MS;

	ms = MIN(ms, LAST_MS);
	return ms / 2 + g_random_int_range(0, (gint32)ms + 1);
}

bool patience_wait(struct patience *p, GError **why, GError **error)
{
	u64 now = clock_ns(CLOCK_MONOTONIC);
	u32 ms = wait_ms(p);

	if (!p->began_ns) {
		p->began_ns = now;
		if (*why)
			fprintf(stderr, "perf ship: %s; trying again\n", (*why)->message);
	}
	if (p->most_s) {
		u64 end = p->began_ns + p->most_s * NS_PER_S;

		if (now >= end) {
			g_propagate_error(error, g_steal_pointer(why));
			return false;
		}
		ms = (u32)MIN(ms, (end - now) / NS_PER_MS + 1);
	}
	p->tries++;
	return patience_pause(p, -1, ms) || error_set(error, PERF_ERROR_STOPPED, "stopped");
}

void patience_reset(struct patience *p)
{
	p->began_ns = 0;
	p->tries = 0;
}
