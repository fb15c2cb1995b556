/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The browser of perf report on what perf top knows, which goes on changing. On a thread of its own, while the
 * recording runs on that of the caller.
 */
#ifndef CMD_TOP_BROWSER_H
#define CMD_TOP_BROWSER_H

#include "cmd/top_screen.h"

struct top_browser;

/*
 * @profile, which browses, and what @options point to outlive it. The terminal becomes its screen once there is
 * something to show. NULL with @error where there is no thread.
 */
struct top_browser *top_browser_start(struct top_profile *profile,
				      const struct top_screen_options *options, GError **error);

/*
 * When nothing more is recorded. @at_once: the terminal is given back; else the user may go on looking at what was
 * recorded, and leaves. False with @error where there was no screen, or nothing to show.
 */
bool top_browser_stop(struct top_browser *browser, bool at_once, GError **error);

#endif
