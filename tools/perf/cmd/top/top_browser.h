/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The browser of perf report for perf top, whose data changes. It has its own thread; the recording runs on the
 * caller's.
 */
#ifndef CMD_TOP_BROWSER_H
#define CMD_TOP_BROWSER_H

#include "cmd/top/top_screen.h"

struct top_browser;

/*
 * @profile, with its browser, and the objects in @options must outlive it. It uses the terminal as soon as there is
 * something to show. NULL with @error if no thread can be started.
 */
struct top_browser *top_browser_start(struct top_profile *profile,
				      const struct top_screen_options *options, GError **error);

/*
 * Call it when the recording has ended. @at_once: restores the terminal at once; else the user may continue to look
 * at the data, and leaves. False with @error if there was no screen, or nothing to show.
 */
bool top_browser_stop(struct top_browser *browser, bool at_once, GError **error);

#endif
