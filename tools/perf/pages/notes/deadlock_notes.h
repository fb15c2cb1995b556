/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that waited for each other at the end of a recording with --off-cpu: their names, and those of the locks. */
#ifndef PAGES_DEADLOCK_NOTES_H
#define PAGES_DEADLOCK_NOTES_H

#include "pages/base/page.h"
#include "session/session.h"

/*
 * One line per circle of such threads, as the recorder of @file has found them (OFFCPU_DEADLOCKS_NOTE in perfdata/wall.h).
 * The file is read once more for the names, if there is a circle and it is no pipe.
 */
void notes_add_deadlocks(struct notes *notes, struct session *file);

#endif
