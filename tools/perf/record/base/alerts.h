/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * News from the recording's threads for the main thread, which decides when to end: a set of flags,
 * and an fd that becomes readable when a flag is raised.
 */
#ifndef RECORD_ALERTS_H
#define RECORD_ALERTS_H

#include "base/types.h"

enum alert {
	ALERT_BEGUN = 1 << 0, /* the consumers got the records of everything that existed before */
	ALERT_TARGETS_ENDED = 1 << 1, /* all recorded threads have ended */
	ALERT_FAILED = 1 << 2,	      /* a consumer, such as the file, or a source has failed */
	ALERT_FULL = 1 << 3,	      /* a consumer has enough: --max-size is reached */
	ALERT_ATTEND = 1 << 4,	      /* a source has work for the main thread */
};

struct alerts {
	int fd; /* readable after a raise */
	u32 raised;
};

static inline bool alerts_has(const struct alerts *alerts, enum alert alert)
{
	return __atomic_load_n(&alerts->raised, __ATOMIC_ACQUIRE) & alert;
}

/* The same, and lowers it. */
bool alerts_take(struct alerts *alerts, enum alert alert);

bool alerts_init(struct alerts *alerts);
void alerts_raise(struct alerts *alerts, enum alert alert);
/* Makes fd unreadable until the next raise. */
void alerts_clear_fd(const struct alerts *alerts);
void alerts_release(struct alerts *alerts);

#endif
