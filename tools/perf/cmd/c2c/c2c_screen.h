/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf c2c report's browser on any screen, for tests on a screen in memory. */
#ifndef CMD_C2C_SCREEN_H
#define CMD_C2C_SCREEN_H

struct config;
struct screen;

/*
 * Runs `perf c2c report` with these arguments; returns the exit status. @screen belongs to the caller.
 */
int c2c_on_screen(struct screen *screen, const struct config *config, int argc, char **argv);

#endif
