/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells at the start of a recording with -g if the target has no frame pointers. */
#ifndef CMD_RECORD_FRAMES_H
#define CMD_RECORD_FRAMES_H

struct record_options;

/* A line on stderr for each program to be recorded that surely has none: its call chains will end early. */
void record_note_frames(const struct record_options *opts);

#endif
