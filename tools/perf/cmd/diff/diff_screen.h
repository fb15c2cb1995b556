/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf diff's browser on any screen, for tests on a screen in memory. */
#ifndef CMD_DIFF_SCREEN_H
#define CMD_DIFF_SCREEN_H

struct config;
struct screen;

/*
 * Runs `perf diff` with these arguments; returns the exit status. @screen belongs to the caller.
 */
int diff_on_screen(struct screen *screen, const struct config *config, int argc, char **argv);

#endif
