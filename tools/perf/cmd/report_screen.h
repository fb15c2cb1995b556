/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf report's browser on any screen: for tests, on one in memory. */
#ifndef CMD_REPORT_SCREEN_H
#define CMD_REPORT_SCREEN_H

struct config;
struct screen;

/* As `perf report` with these words; the exit status. @screen stays the caller's. */
int report_on_screen(struct screen *screen, const struct config *config, int argc, char **argv);

#endif
