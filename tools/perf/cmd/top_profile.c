// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/top_profile.h"

#include <linux/perf_event.h>
#include <string.h>

#include "dso/symtab.h"
#include "machine/machine.h"

#include "perfdata/event.h"
#include "resolve/place.h"

void top_profile_init(struct top_profile *t, struct report_options *options)
{
	*t = (struct top_profile){ .report.options = options };
	turns_init(&t->turns);
}

void top_profile_release(struct top_profile *t)
{
	report_release(&t->report);
	session_close(t->report.session);
	turns_clear(&t->turns);
	g_clear_error(&t->error);
}

static bool is_hidden(const struct top_profile *t, const struct place *place)
{
	return place->ip->level == 'k' ? t->hide_kernel : t->hide_user;
}

/* Of samples, and of records that may have been samples. */
static void count_losses(struct top_profile *t)
{
	const struct session_counts *c = session_counts(t->report.session);
	u64 lost = c->lost_samples + c->lost_events;

	t->counts.lost_now += lost - t->counts.lost;
	t->counts.lost = lost;
}

/* The kernel's idle loop: nothing ran. */
static bool is_idle(const struct place *place)
{
	static const char *const words[] = { "idle", "halt", "mwait" };
	const struct symbol *symbol = place->ip->symbol;

	if (place->thread->tid || place->ip->level != 'k' || !symbol)
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(symbol->raw, words[i]))
			return true;
	return false;
}

static bool take(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct top_profile *t = arg;

	turns_yield(&t->turns);
	if (t->frozen)
		return true;
	t->counts.samples++;
	t->counts.kernel += place->cpumode == PERF_RECORD_MISC_KERNEL;
	t->counts.exact += (place->event->misc & PERF_RECORD_MISC_EXACT_IP) != 0;
	count_losses(t);
	if (is_idle(place))
		return true;
	if (is_hidden(t, place))
		filtered |= FILTERED_SYMBOL;
	profile_take(t->report.profile, place, filtered);
	return true;
}

void top_profile_read(void *top_profile, struct perfdata *records)
{
	struct top_profile *t = top_profile;
	struct report *r = &t->report;

	r->options->session.opened = records;
	r->session = session_open(&r->options->session, &t->error);
	if (r->session && report_begin(r, &t->error)) {
		t->ready = true;
		session_each_sample(r->session, profile_needs(r->profile) | NEED_SYMBOL, take, t,
				    &t->error);
	}
	t->ended = true;
}
