/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that waited for each other at the end of a recording with --off-cpu: their names, and those of the locks. */
#ifndef PAGES_DEADLOCK_NOTES_H
#define PAGES_DEADLOCK_NOTES_H

#include "pages/base/page.h"
#include "session/session.h"

/* A thread of a circle, and the lock that it waits for. */
struct deadlock_thread {
	char *comm, *lock; /* NULL: not known */
};

/*
 * A text for each circle of @text ("8 9, 11 12"), to be freed with the array: "left (12) waits for a.lock (mutex) that right (11)
 * has, which waits for b.lock (mutex) that left (12) has". @name fills @out, whose texts are taken over.
 */
GPtrArray *deadlock_words(const char *text,
			  void (*name)(u32 tid, struct deadlock_thread *out, void *arg), void *arg);

/*
 * One line per circle of such threads, as the recorder of @file has found them (OFFCPU_DEADLOCKS_NOTE in perfdata/wall.h).
 * The file is read once more for the names, if there is a circle and it is no pipe.
 */
void notes_add_deadlocks(struct notes *notes, struct session *file);

#endif
