/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer of a recording whose records a session reads while they come, on a thread of its own. */
#ifndef CMD_RECORD_REPORT_H
#define CMD_RECORD_REPORT_H

#include "base/turns.h"
#include "record/base/consumer.h"

struct perfdata;

struct records_reader {
	/* Called once, on that thread. Takes over @records, and reads them to their end. */
	void (*read)(void *arg, struct perfdata *records);
	void *arg;
	/* NULL, or what read() has a turn of, except while it waits for records. */
	struct turns *turns;
};

/* Its close() waits for that thread, and frees it. */
struct consumer *record_report_consumer(const struct records_reader *reader);

#endif
