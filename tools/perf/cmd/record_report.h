/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer of records that makes a report of them while they are recorded. */
#ifndef CMD_RECORD_REPORT_H
#define CMD_RECORD_REPORT_H

#include "cmd/live_report.h"
#include "record/consumer.h"

/* Reads into @report, on a thread of its own. Its close() waits for that thread, and frees it. */
struct consumer *record_report_consumer(struct live_report *report);

#endif
