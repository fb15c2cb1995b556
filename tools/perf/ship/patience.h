/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits between attempts: 0.2 seconds, then twice as long each time, up to a minute. Each is longer or shorter by up to a half, so
 * that the hosts of a fleet do not come back together.
 */
#ifndef SHIP_PATIENCE_H
#define SHIP_PATIENCE_H

#include "base/error.h"
#include "base/types.h"

struct patience {
	int stop_fd;  /* readable: no further attempt */
	u64 most_s;   /* since the first failure; 0: without end */
	u64 began_ns; /* of the first failure; 0: there was none since patience_reset() */
	u32 tries;
};

/*
 * @why: the failure. True after the wait. False: enough; @why is moved to @error, or PERF_ERROR_STOPPED is set. Says on stderr why
 * it waits, once until patience_reset().
 */
bool patience_wait(struct patience *p, GError **why, GError **error);
void patience_reset(struct patience *p);
/* Waits for @fd (-1: nothing) or for @ms; false: to stop. */
bool patience_pause(const struct patience *p, int fd, u32 ms);

#endif
