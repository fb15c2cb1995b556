/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes and threads of a recording as a tree, with the mappings that each had at the end. */
#ifndef PAGES_TASK_PAGES_H
#define PAGES_TASK_PAGES_H

#include "pages/base/page.h"
#include "session/session.h"

/* The kinds of rows: tasks, whose cells for maps are empty, and with @maps the maps below them. */
enum {
	TASK_PID,
	TASK_TID,
	TASK_PPID,
	TASK_COMM,
	TASK_NR_COLUMNS,
	TASK_START = TASK_NR_COLUMNS,
	TASK_END,
	TASK_PROT,
	TASK_PGOFF,
	TASK_FILE_ID,
	TASK_FILE,
	TASK_NR_MAP_COLUMNS,
};

/* Reads a pipe to its end, because its tasks are only known after that. NULL with @error. */
struct pages *task_pages_new(struct session *session, bool maps, GError **error);

#endif
