/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A consumer whose records a session reads while they arrive, on its own thread. */
#ifndef CMD_RECORD_REPORT_H
#define CMD_RECORD_REPORT_H

#include "base/turns.h"
#include "record/base/consumer.h"

struct perfdata;

struct records_reader {
	/* Called once, on that thread. Owns @records, and reads them to their end. */
	void (*read)(void *arg, struct perfdata *records);
	void *arg;
	/* NULL, or the turns that read() holds, except while it waits for records. */
	struct turns *turns;
};

/* Its close() waits for that thread, and frees the consumer. */
struct consumer *record_report_consumer(const struct records_reader *reader);

#endif
