// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/recorder.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perfdata/evsel.h"
#include "record/parts.h"
#include "record/seen_files.h"

struct recorder *recorder_new(const struct record_options *opts, int argc, char *const *argv)
{
	struct recorder *r = g_new0(struct recorder, 1);

	r->opts = opts;
	r->argc = argc;
	r->argv = argv;
	recording_init(&r->rec, opts, kernel_paths_host());
	event_list_init(&r->events);
	r->rec.events = &r->events;
	r->command = (struct command_process){ .pid = -1, .go_fd = -1, .failed_fd = -1 };
	r->more_sources = g_ptr_array_new();
	r->more_stages = g_ptr_array_new();
	r->consumers = g_ptr_array_new();
	r->rec.alerts = &r->alerts;
	r->control.fd = r->control.ack_fd = -1;
	r->alerts.fd = r->signal_fd = r->delay_fd = r->switch_fd = -1;
	return r;
}

static void close_sources(GPtrArray *sources)
{
	for (u32 i = 0; i < sources->len; i++) {
		struct source *src = g_ptr_array_index(sources, i);

		src->ops->close(src);
	}
	g_ptr_array_unref(sources);
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void recorder_close(struct recorder *r)
{
	command_end(&r->command);
	recorder_detach(r, NULL);
	close_sources(r->more_sources);
	close_sources(g_steal_pointer(&r->rec.sources));
	seen_files_free(r->rec.seen);
	recording_release(&r->rec);
	g_ptr_array_unref(r->more_stages);
	g_ptr_array_unref(r->consumers);
	target_release(&r->target);
	target_release(&r->side_target);
	event_list_release(&r->events);
	closing_release(&r->facts);
	control_close(&r->control);
	close_fd(r->signal_fd);
	close_fd(r->delay_fd);
	close_fd(r->switch_fd);
	g_free(r);
}

void recorder_add_source(struct recorder *r, struct source *src)
{
	g_ptr_array_add(r->more_sources, src);
}

void recorder_add_stage(struct recorder *r, struct stage *st)
{
	g_ptr_array_add(r->more_stages, st);
}

void recorder_add_consumer(struct recorder *r, struct consumer *c)
{
	g_ptr_array_add(r->consumers, c);
}

void recorder_hold_files(struct recorder *r, struct open_files *held)
{
	r->rec.seen = seen_files_new(r->rec.paths, held, options_keep_copies(r->opts));
}

void recorder_answer(struct recorder *r, const u64 *asked)
{
	r->rec.asked = asked;
}

int recorder_ended_by(const struct recorder *r)
{
	return r->ended_by;
}

static const char *first_name(const struct recorder *r)
{
	const struct evsel *evsel = r->events.specs->len ? event_list_at(&r->events, 0)->evsel
							 : g_ptr_array_index(r->rec.own_evsels, 0);

	return evsel->name;
}

/* The exit status, by the way in which the command ended, or without a command. */
static bool judge(const struct recorder *r, struct record_result *result, GError **error)
{
	const struct command_process *cmd = &r->command;

	result->signal = r->ended_by;
	if (cmd->pid < 0 || !cmd->waited)
		return true;
	if (cmd->exec_errno)
		return error_set_errno(error, cmd->exec_errno,
				       "failed to collect '%s' for the '%s' workload",
				       first_name(r), r->opts->command[0]);
	if (WIFSIGNALED(cmd->status))
		result->signal = WTERMSIG(cmd->status);
	else if (WIFEXITED(cmd->status))
		result->status = WEXITSTATUS(cmd->status);
	return true;
}

/* A command without samples: says if the kernel has ended its events. */
static void say_hidden(const struct recorder *r)
{
	const char *what = r->target.kind == TARGET_COMMAND && !r->facts.collected.samples
				   ? command_is_hidden(r->opts->command[0])
				   : NULL;

	if (what)
		fprintf(stderr,
			"[ perf record: No samples: '%s' %s, and the kernel ends the recording of "
			"such "
			"a program when it starts: record %s ]\n",
			r->opts->command[0], what,
			geteuid() ? "as root" : "all processes, with -a");
}

bool recorder_run(struct recorder *r, struct record_result *result, GError **error)
{
	bool fine;

	*result = (struct record_result){ 0 };
	if (!recorder_open(r, error))
		return false;
	if (!r->opts->dry_run) {
		fine = recorder_enable_side_records(r, error) && recorder_attach(r, error) &&
		       recorder_collect(r, error);
		command_end(&r->command);
		if (!recorder_detach(r, fine ? error : NULL) || !fine)
			return false;
	}
	if (!judge(r, result, error))
		return false;
	result->narrow = r->facts.collected.narrow;
	if (!r->opts->quiet && !r->opts->dry_run) {
		closing_say(&r->facts, r->opts, r->rec.sources, stderr);
		say_hidden(r);
	}
	return true;
}
