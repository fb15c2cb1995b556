/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf data pack: one file with a recording and all that a report of it needs elsewhere (dso/packed.h).
 */
#ifndef CMD_PACK_H
#define CMD_PACK_H

/* @argv[0] is "pack". The exit status. */
int pack_run(int argc, char **argv);

#endif
