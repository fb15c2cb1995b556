// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/top_profile.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "dso/symtab.h"
#include "machine/machine.h"
#include "pages/explorer.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "resolve/place.h"

/* The part of the previous frame's sums that is kept, as in upstream. */
#define KEPT_PER_FRAME (7.0 / 8)

/* Kept samples: for text, until they are added; for a browser, as long as their weight matters. */
#define TEXT_BYTES   (4u << 20)
#define BROWSE_BYTES (32u << 20)
#define MOST_FRAMES  64

/* Samples that are taken together. */
#define BATCH 1024
/* ns. A frame whose time is over, but which has not all samples, is asked again after it. */
#define ASKED_AGAIN 50000000

/* After the samples with numbers below @end were added, all sums were multiplied by @factor. */
struct top_frame {
	u64 end;
	double factor;
};

static u64 own_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return ((u64)u.ru_utime.tv_sec + (u64)u.ru_stime.tv_sec) * 1000000000 +
	       ((u64)u.ru_utime.tv_usec + (u64)u.ru_stime.tv_usec) * 1000;
}

void top_profile_begin(struct top_profile *t)
{
	t->counts = (struct top_counts){ .lost = t->counts.lost };
	t->frame_ns = clock_ns(CLOCK_MONOTONIC);
	t->frame_own_ns = own_ns();
}

void top_profile_init(struct top_profile *t, struct report_options *options)
{
	*t = (struct top_profile){ .report.options = options };
	turns_init(&t->turns);
	t->frames = g_array_new(FALSE, FALSE, sizeof(struct top_frame));
}

void top_profile_release(struct top_profile *t)
{
	explorer_free(t->explorer);
	report_release(&t->report);
	session_close(t->report.session);
	turns_clear(&t->turns);
	g_array_unref(t->frames);
	g_clear_error(&t->error);
}

/* The profile that gets the samples; NULL: none yet. */
static struct profile *profile_of(const struct top_profile *t)
{
	return t->explorer ? explorer_profile(t->explorer) : t->report.profile;
}

static bool is_hidden(const struct top_profile *t, const struct place *place)
{
	return place->ip->level == 'k' ? t->hide_kernel : t->hide_user;
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

struct taking {
	const struct top_profile *top;
	struct profile *profile;
	bool is_new; /* samples that were not taken before */
};

static bool take_place(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct taking *taking = arg;
	const struct top_look *look = &taking->top->look;

	if (taking->is_new && look->look)
		look->look(taking->top->report.lexicon, place, look->arg);
	if (!taking->top->only_states && is_idle(place))
		return true;
	if (is_hidden(taking->top, place))
		filtered |= FILTERED_SYMBOL;
	profile_take(taking->profile, place, filtered);
	return true;
}

static bool take_into(const struct top_profile *t, struct profile *profile, u64 from, u64 to,
		      bool is_new, GError **error)
{
	struct taking taking = { t, profile, is_new };
	u32 needs = profile_needs(profile) | (t->only_states ? 0 : NEED_SYMBOL);

	if (is_new && t->look.look)
		needs |= t->look.needs;
	return session_each_kept(t->report.session, from, to, needs, take_place, &taking, error);
}

/* For samples, and for records that may have been samples. */
static void count_losses(struct top_profile *t)
{
	const struct session_counts *c = session_counts(t->report.session);
	u64 lost = c->lost_samples + c->lost_events;

	t->counts.lost_now += lost - t->counts.lost;
	t->counts.lost = lost;
}

/* Losses count without a later sample, too: there is none if all are lost. */
void top_profile_take(struct top_profile *t)
{
	struct profile *profile = t->ready ? profile_of(t) : NULL;
	u64 end;

	if (!profile)
		return;
	end = session_kept_end(t->report.session);
	count_losses(t);
	take_into(t, profile, t->taken, end, true, t->error ? NULL : &t->error);
	t->taken = end;
}

static const struct top_frame *frame_at(const struct top_profile *t, u32 i)
{
	return &g_array_index(t->frames, struct top_frame, i);
}

/* Earlier frames do not count: a factor of 0 has erased their samples. */
static u32 first_frame_that_counts(const struct top_profile *t)
{
	u32 first = 0;

	for (u32 i = 0; i < t->frames->len; i++)
		if (frame_at(t, i)->factor == 0)
			first = i + 1;
	return first;
}

/* For the explorer: adds the kept samples, with the fading of each frame. */
static bool read_kept(void *arg, struct profile *profile, GError **error)
{
	struct top_profile *t = arg;
	u32 first = first_frame_that_counts(t);
	u64 from = first ? frame_at(t, first - 1)->end : 0, old, end;

	for (u32 i = first; i < t->frames->len; i++) {
		const struct top_frame *frame = frame_at(t, i);

		if (!take_into(t, profile, from, frame->end, false, error))
			return false;
		profile_fade(profile, frame->factor);
		from = frame->end;
	}
	end = session_kept_end(t->report.session);
	old = CLAMP(t->taken, from, end);
	t->taken = end;
	return take_into(t, profile, from, old, false, error) &&
	       take_into(t, profile, old, end, true, error);
}

static void fade(struct top_profile *t, double factor)
{
	struct profile *profile = t->ready ? profile_of(t) : NULL;
	struct top_frame frame = { .factor = factor };

	if (!profile)
		return;
	frame.end = t->taken;
	if (t->frames->len == MOST_FRAMES)
		g_array_remove_index(t->frames, 0);
	g_array_append_val(t->frames, frame);
	profile_fade(profile, factor);
}

u64 top_profile_due(const struct top_profile *t, u64 delay)
{
	u64 due = t->frame_ns + delay;

	if (!t->first_looks)
		return due;
	return CLAMP(clock_ns(CLOCK_MONOTONIC) + ASKED_AGAIN, due, t->frame_ns + 5 * delay);
}

void top_profile_next_frame(struct top_profile *t)
{
	t->first_looks = 0;
	if (!t->frozen)
		fade(t, t->zero ? 0 : KEPT_PER_FRAME);
	top_profile_begin(t);
}

void top_profile_forget(struct top_profile *t)
{
	fade(t, 0);
}

static double share(u64 part, u64 of)
{
	return of ? 100.0 * (double)part / (double)of : 0;
}

struct top_rates top_profile_rates(const struct top_profile *t)
{
	const struct top_counts *c = &t->counts;
	u64 time = clock_ns(CLOCK_MONOTONIC) - t->frame_ns;

	return (struct top_rates){
		.per_second = time ? (double)c->samples * 1e9 / (double)time : 0,
		.kernel = share(c->kernel, c->samples),
		.exact = share(c->exact, c->samples),
		.own = share(own_ns() - t->frame_own_ns, time),
	};
}

void top_profile_append_events(const struct top_profile *t, GString *out)
{
	const struct profile *p = t->ready ? profile_of(t) : NULL;
	u32 nr = 0;

	for (u32 i = 0; p && i < p->events->len; i++) {
		const struct profile_event *e = g_ptr_array_index(p->events, i);
		const struct evsel *evsel = g_ptr_array_index(e->evsels, 0);

		if (evsel_is_dummy(evsel))
			continue;
		g_string_append_printf(out, "%s%s", nr++ ? "," : "", evsel->name);
	}
}

/*
 * The first frame needs the samples of the first pass that is @first_looks after the first one. Passes are told before their
 * samples, and samples are in order: so it has them when a sample is later than such a pass.
 */
static void note_look(struct top_profile *t, u64 time)
{
	const struct session_counts *c = session_counts(t->report.session);

	if (!t->looked && c->last_pass - c->first_pass >= t->first_looks)
		t->looked = c->last_pass;
	if (t->looked && time > t->looked)
		t->first_looks = 0;
}

/* A new sample: true if it counts. */
static bool note_sample(const struct event *sample, void *arg)
{
	struct top_profile *t = arg;

	turns_yield(&t->turns);
	if (t->frozen)
		return false;
	t->counts.samples++;
	if (t->first_looks)
		note_look(t, sample->sample.time);
	t->counts.kernel += (sample->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
			    PERF_RECORD_MISC_KERNEL;
	t->counts.exact += (sample->misc & PERF_RECORD_MISC_EXACT_IP) != 0;
	if (session_kept_end(t->report.session) - t->taken >= BATCH)
		top_profile_take(t);
	return true;
}

static bool begin(struct top_profile *t)
{
	struct report *r = &t->report;

	if (!t->browses)
		return report_begin(r, &t->error);
	if (!report_settle(r, &t->error))
		return false;
	t->explorer = explorer_new(&(struct explorer_options){
		.session = r->session,
		.lexicon = r->lexicon,
		.columns = r->columns_options,
		.profile = r->profile_options,
		.pages = report_pages_options(r),
		.read = read_kept,
		.read_arg = t,
	});
	return true;
}

void top_profile_read(void *top_profile, struct perfdata *records)
{
	struct top_profile *t = top_profile;
	struct report *r = &t->report;

	r->options->session.opened = records;
	r->session = session_open(&r->options->session, &t->error);
	if (r->session && begin(t))
		t->ready = true;
	if (t->ready)
		session_keep(r->session, t->browses ? BROWSE_BYTES : TEXT_BYTES, note_sample, t,
			     &t->error);
	t->ended = true;
}
