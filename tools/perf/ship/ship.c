// SPDX-License-Identifier: GPL-2.0-or-later
#include "ship/ship.h"

#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/service.h"
#include "ship/push.h"

#define LOOK_MS 30000 /* at the folder, although nothing has moved */

struct ship {
	const struct ship_options *o;
	struct pusher pusher;
	int moved_fd; /* readable: the folder has a new name; -1: not known */
};

/* Also while the server does not answer: the recorder goes on. */
static bool look(void *arg, GError **error)
{
	struct ship *s = arg;

	return ledger_scan(s->pusher.ledger, error) &&
	       (!s->o->limit || ledger_limit(s->pusher.ledger, s->o->limit, error));
}

/* False: to stop. */
static bool wait_for_files(struct ship *s)
{
	char events[4096];
	bool on = patience_pause(&s->pusher.patience, s->moved_fd, LOOK_MS);

	while (s->moved_fd >= 0 && read(s->moved_fd, events, sizeof(events)) > 0)
		;
	return on;
}

static bool run(struct ship *s, GError **error)
{
	struct ledger_file *file;

	do {
		if (!look(s, error))
			return false;
		file = ledger_next(s->pusher.ledger);
		if (file && !push_file(&s->pusher, file, error))
			return false;
	} while (file ? patience_pause(&s->pusher.patience, -1, 0)
		      : !s->o->once && wait_for_files(s));
	return true;
}

static bool run_with(struct ship *s, struct ship_counts *counts, GError **error)
{
	bool good;

	s->moved_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (s->moved_fd >= 0)
		inotify_add_watch(s->moved_fd, s->o->folder.folder, IN_MOVED_TO);
	service_notify("READY=1");
	good = run(s, error);
	service_notify("STOPPING=1");
	*counts = (struct ship_counts){ s->pusher.files, s->pusher.samples, s->pusher.there_already,
					ledger_dropped(s->pusher.ledger) };
	if (s->moved_fd >= 0)
		close(s->moved_fd);
	return good;
}

bool ship_run(const struct ship_options *o, struct ship_counts *counts, GError **error)
{
	struct ship s = { .o = o };
	bool good = false;

	*counts = (struct ship_counts){ 0 };
	s.pusher = (struct pusher){ .session = o->session,
				    .mask = o->mask,
				    .meanwhile = look,
				    .arg = &s,
				    .patience = { .stop_fd = o->server.stop_fd,
						  .most_s = o->retry_s } };
	s.pusher.server = server_new(&o->server, error);
	if (s.pusher.server)
		s.pusher.ledger = ledger_open(&o->folder, error);
	if (s.pusher.ledger)
		good = run_with(&s, counts, error);
	ledger_close(s.pusher.ledger);
	server_free(s.pusher.server);
	return good;
}
