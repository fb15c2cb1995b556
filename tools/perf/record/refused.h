/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thread states (--wall) where the kernel permits no event on what is to be recorded: other users' processes or whole
 * CPUs for an ordinary user, or any process in a container. Or where descriptors are too few: an event takes one for each
 * thread on each CPU. States, names and existing mappings come from /proc, or states from BPF. The events that record only
 * side records are left out then. Events that the user asked for are still refused.
 */
#ifndef RECORD_REFUSED_H
#define RECORD_REFUSED_H

#include "record/parts.h"

/*
 * After target_init(), before anything is opened. If only side records of --wall would be recorded, and the kernel
 * refuses them or there are too few descriptors: takes them out of r->events, sets r->refused, r->only_command and
 * r->few_files, and adds a note with the reason.
 */
void recorder_leave_out_refused(struct recorder *r);

/*
 * A source without records, if r->refused: it ends the recording when the target's processes have ended, and its summary
 * names what is missing.
 */
struct source *refused_source_new(const struct recorder *r);

#endif
