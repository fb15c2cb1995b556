/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watches CPUs that go offline while all their threads are recorded. The kernel then takes the events off the CPU, and does not
 * put them back when it is online again. So they are opened again there. The user is told when the CPU was not recorded.
 */
#ifndef RECORD_CPU_WATCH_H
#define RECORD_CPU_WATCH_H

#include "record/base/source.h"

/* To be added to a recorder, which frees it. Without permission for the kernel's messages, nothing is watched. */
struct source *cpu_watch_new(void);

#endif
