/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filters of report, annotate and script that have the same options, into a struct session_filter at @at. */
#ifndef OPTIONS_FILTER_OPTIONS_H
#define OPTIONS_FILTER_OPTIONS_H

#include "cli/options.h"
#include "session/session.h"

#define SWITCH_OPTION_ROWS(at)                                                                     \
	{ 0,                                                                                       \
	  "switch-on",                                                                             \
	  OPT_STRING,                                                                              \
	  "event",                                                                                 \
	  "Consider samples after a sample of this event",                                         \
	  (at) + offsetof(struct session_filter, switch_on) },                                     \
		{ 0,                                                                               \
		  "switch-off",                                                                    \
		  OPT_STRING,                                                                      \
		  "event",                                                                         \
		  "Stop considering samples after a sample of this event",                         \
		  (at) + offsetof(struct session_filter, switch_off) },                            \
	{                                                                                          \
		0, "show-on-off-events", OPT_FLAG, NULL,                                           \
			"Consider the samples of --switch-on and --switch-off, too",               \
			(at) + offsetof(struct session_filter, show_switches)                      \
	}

#endif
