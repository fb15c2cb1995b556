/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf report's browser on any screen, for tests on a screen in memory. */
#ifndef CMD_REPORT_SCREEN_H
#define CMD_REPORT_SCREEN_H

struct config;
struct screen;

/*
 * Runs `perf report` with these arguments; returns the exit status. @screen belongs to the caller.
 */
int report_on_screen(struct screen *screen, const struct config *config, int argc, char **argv);

#endif
