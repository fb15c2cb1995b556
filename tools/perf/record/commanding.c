// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the commands of --control do. All run in the main thread, between two polls, so they need no
 * lock.
 *
 *	echo "disable cycles" > ctl.fifo	the event stops; its state is printed; "ack" goes to the other pipe
 *
 * An acknowledgement says that the command was carried out, not that a record of it is in the file.
 * A command that is not known gets none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "perfdata/evsel.h"
#include "perfdata/print/print.h"
#include "record/parts.h"

#define MOST_REFUSALS 20

/*
 * Also with -q: nothing else tells the sender what is wrong. The limit keeps a sender of garbage from filling the
 * terminal.
 */
static void refuse(struct recorder *r, const char *why, const char *what)
{
	if (r->nr_refused < MOST_REFUSALS)
		fprintf(stderr, "perf: --control: %s '%s'\n", why, what);
	else if (r->nr_refused == MOST_REFUSALS)
		fprintf(stderr, "perf: --control: more wrong commands are not reported\n");
	r->nr_refused += r->nr_refused <= MOST_REFUSALS;
}

/* @name: "" is all events. */
static bool switch_events(struct recorder *r, const char *name, bool on, GError **error)
{
	bool found = false;

	if (!*name)
		return recorder_switch(r, on, error);
	if (on && !recorder_leave_out_own(r, error))
		return false;
	for (u32 ev = 0; r->rec.set && ev < r->events.specs->len; ev++) {
		const char *own = event_list_at(&r->events, ev)->evsel->name;

		if (strcmp(own, name))
			continue;
		found = true;
		if (!openset_switch(r->rec.set, ev, on, error))
			return false;
	}
	if (!found)
		refuse(r, "there is no event", name);
	else if (!r->opts->quiet)
		fprintf(stderr, "Event %s %s\n", name, on ? "enabled" : "disabled");
	return true;
}

static bool enable(struct recorder *r, const char *name, GError **error)
{
	return switch_events(r, name, true, error);
}

static bool disable(struct recorder *r, const char *name, GError **error)
{
	return switch_events(r, name, false, error);
}

static void print_event(const struct evsel *evsel, char how)
{
	g_autoptr(GString) attr = g_string_new(NULL);

	if (how == 'v')
		evsel_print_attr(evsel, ": ", attr);
	if (how == 'F')
		fprintf(stderr, "%s: sample_%s=%" PRIu64 "\n", evsel->name,
			evsel->attr.freq ? "freq" : "period", (u64)evsel->attr.sample_period);
	else
		fprintf(stderr, "%s%s%s\n", evsel->name, attr->len ? ": " : "", attr->str);
}

/* "{a,b}", or a single event. */
static void print_group(const GPtrArray *evsels, const struct evsel *leader)
{
	bool several = leader->nr_members > 1;

	fprintf(stderr, "%s%s", several ? "{" : "", leader->name);
	for (u32 i = leader->idx + 1; i < leader->idx + leader->nr_members && i < evsels->len; i++)
		fprintf(stderr, ",%s", ((const struct evsel *)evsels->pdata[i])->name);
	fprintf(stderr, "%s\n", several ? "}" : "");
}

static bool list(struct recorder *r, const char *how, GError **error)
{
	if (*how && (strlen(how) != 2 || *how != '-' || !strchr("vgF", how[1]))) {
		refuse(r, "evlist has -v, -g and -F, but not", how);
		return true;
	}
	for (u32 i = 0; i < r->evsels->len; i++) {
		const struct evsel *evsel = r->evsels->pdata[i];

		if (how[0] && how[1] == 'g') {
			if (evsel->leader == evsel->idx)
				print_group(r->evsels, evsel);
		} else {
			print_event(evsel, how[0] ? how[1] : 0);
		}
	}
	return true;
}

static bool stop(struct recorder *r, const char *arg, GError **error)
{
	r->stopped = true;
	return true;
}

static bool do_nothing(struct recorder *r, const char *arg, GError **error)
{
	return true;
}

static const struct {
	const char *name;
	bool has_arg;
	bool (*run)(struct recorder *r, const char *arg, GError **error);
} commands[] = {
	{ "enable", true, enable },    { "disable", true, disable },
	{ "evlist", true, list },      { "stop", false, stop },
	{ "ping", false, do_nothing }, { "snapshot", false, do_nothing },
};

static bool run_line(struct recorder *r, const char *line, GError **error)
{
	size_t length = strcspn(line, " ");
	const char *arg = line + length + strspn(line + length, " ");

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strlen(commands[i].name) != length || strncmp(line, commands[i].name, length) ||
		    (*arg && !commands[i].has_arg))
			continue;
		if (!commands[i].run(r, arg, error))
			return false;
		control_ack(&r->control);
		return true;
	}
	if (*line)
		refuse(r, "unknown command", line);
	return true;
}

bool recorder_take_commands(struct recorder *r, GError **error)
{
	bool fine = true;
	char *line;

	control_fill(&r->control);
	while (fine && (line = control_take(&r->control))) {
		fine = run_line(r, line, error);
		g_free(line);
	}
	return fine;
}
