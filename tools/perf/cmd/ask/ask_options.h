/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What perf mcp and perf query have in common: how recordings are read. */
#ifndef CMD_ASK_OPTIONS_H
#define CMD_ASK_OPTIONS_H

#include "ask/ask.h"
#include "options/session_options.h"
#include "options/span_options.h"
#include "options/type_options.h"
#include "report/report_options.h"

/* Rows of an option table; @at is the offset of the struct report_options. */
#define ASK_OPTION_ROWS(at)                                                                        \
	SPAN_OPTION_ROWS((at) + offsetof(struct report_options, spans)),                           \
		READING_OPTION_ROWS((at) + offsetof(struct report_options, session)),              \
		IGNORE_VMLINUX_OPTION_ROW((at) + offsetof(struct report_options, session)),        \
		KALLSYMS_OPTION_ROW((at) + offsetof(struct report_options, session)),              \
		CODE_FILTER_ROWS((at) + offsetof(struct report_options, session), 0, 0, 0),        \
		CPU_FILTER_ROW((at) + offsetof(struct report_options, session)),                   \
		THREAD_FILTER_ROWS((at) + offsetof(struct report_options, session)),               \
		TYPE_OPTION_ROWS((at) + offsetof(struct report_options, types))

/* Checks the values, and connects the members. False with @error. */
bool ask_reading_complete(struct report_options *reading, GError **error);

#endif
