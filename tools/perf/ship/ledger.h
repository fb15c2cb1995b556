/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of the files of a folder: which wait, were sent, or were dropped without being sent. It is a text in the
 * folder, .perf-ship, which is replaced by rename() at each change, and so survives a crash. The server remains the judge of what
 * it has: if the ledger is lost, it is asked about each file, and only the counts of dropped files are lost.
 *
 * Candidates are the parts of `record --switch-output` (perf.data.2026112107585560): they have their names when they are
 * whole. Links, other files, and files of other users are not.
 *
 * A file that waits is dropped if it vanishes (record --keep), cannot be read, or is too much (ledger_limit()). Dropped
 * files are counted, and the next push tells the server (ledger_begin()).
 */
#ifndef SHIP_LEDGER_H
#define SHIP_LEDGER_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

enum ledger_state {
	LEDGER_WAITING,
	LEDGER_SENT,
	LEDGER_DROPPED,
	LEDGER_OTHER, /* no recording: not counted */
};

struct ledger_file {
	char *name; /* in the folder */
	enum ledger_state state;
	u64 push; /* its number, once it was begun; 0: it was not */
	bool ask; /* it may have been begun: there was no ledger when it was found */
	u64 size, mtime_ns, inode;
	bool present; /* false: it has vanished */
};

struct ledger_counts {
	u64 files, bytes;
};

struct ledger_options {
	const char *folder;
	bool force;  /* files of other users, too */
	bool remove; /* removes files from the folder when they were sent or dropped */
};

struct ledger;

/*
 * NULL with @error: there is no such folder, or it cannot be written, or another process has opened its ledger. A damaged
 * ledger is set aside, with a note on stderr.
 */
struct ledger *ledger_open(const struct ledger_options *options, GError **error);
void ledger_close(struct ledger *ledger);

/* Looks at the folder again. All that change the ledger fail if it cannot be written. */
bool ledger_scan(struct ledger *ledger, GError **error);
/* Drops the oldest files that wait until the others have at most @bytes. Those that were begun stay. */
bool ledger_limit(struct ledger *ledger, u64 bytes, GError **error);

/* The file that was begun, else the oldest one that waits, by name; NULL: none. Valid until it has another state. */
struct ledger_file *ledger_next(struct ledger *ledger);
/* Opens it. -1 with errno; ENOENT, too, if it is another file now. */
int ledger_open_file(struct ledger *ledger, const struct ledger_file *file);
/* Its name with the folder; g_free() it. */
char *ledger_path(const struct ledger *ledger, const struct ledger_file *file);

/*
 * The file is about to be sent as @push. *@dropped: what this push is to tell, the same after a restart. *@fresh: it cannot have been
 * sent before.
 */
bool ledger_begin(struct ledger *ledger, struct ledger_file *file, u64 push,
		  struct ledger_counts *dropped, bool *fresh, GError **error);
/* It was sent, or dropped, or is no recording. */
bool ledger_end(struct ledger *ledger, struct ledger_file *file, enum ledger_state state,
		GError **error);

/* All that were dropped so far. */
struct ledger_counts ledger_dropped(const struct ledger *ledger);

#endif
