/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timers on all CPUs that run a BPF program while a thread runs there: bpf/track.h samples the activities of running
 * threads by them. The scheduler's own ticks would not do: it switches between threads at these, so a short run that begins
 * at one ends before the next one.
 */
#ifndef RECORD_WALL_TICKS_H
#define RECORD_WALL_TICKS_H

#include <glib.h>

struct bpf_program;

/*
 * Starts the timers. Unref ends them. Empty: the kernel refuses them, or has no CPU that is known; then only the ends of
 * runs are sampled.
 */
GPtrArray *wall_ticks_start(const struct bpf_program *program);

#endif
