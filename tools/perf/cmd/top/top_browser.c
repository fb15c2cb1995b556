// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/top/top_browser.h"

#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "pages/explorer.h"
#include "term/terminal.h"
#include "view/tui/report.h"

#define LOOK_AGAIN_US 20000

struct top_browser {
	struct top_profile *profile;
	struct top_screen_options options;
	struct top_rates rates; /* of the last frame */
	u64 lost;
	bool deadlock; /* at the last frame */
	GThread *thread;
	gint stops;	/* atomic: it is to end at once */
	gint no_record; /* atomic: nothing more comes */
	bool knows;	/* of that: views say so */
	GError *error;	/* of the thread */
};

/* Between frames, other threads use the profile. */
static void wait_for_key(void *arg, bool begins)
{
	struct top_browser *b = arg;

	if (begins)
		turns_end(&b->profile->turns);
	else
		turns_begin(&b->profile->turns);
}

static bool due(void *arg)
{
	struct top_browser *b = arg;
	struct top_profile *p = b->profile;
	u64 now = clock_ns(CLOCK_MONOTONIC);
	bool last = g_atomic_int_get(&b->no_record);

	if (b->knows || (!last && now < top_profile_due(p, (u64)b->options.delay * 1000000000)))
		return false;
	b->knows = last;
	top_profile_take(p);
	if (last)
		return true;
	b->rates = top_profile_rates(p);
	b->lost += p->counts.lost_now;
	if (b->options.waits) {
		b->deadlock = top_waits_has_deadlock(b->options.waits);
		top_waits_next_frame(b->options.waits);
	}
	top_profile_next_frame(p);
	return true;
}

static bool ended(void *arg)
{
	struct top_browser *b = arg;

	return g_atomic_int_get(&b->stops);
}

static void status(void *arg, GString *out)
{
	struct top_browser *b = arg;
	const struct top_profile *p = b->profile;

	top_profile_append_events(p, out);
	g_string_append_printf(out, " %s  %.0f/s", b->options.rate, b->rates.per_second);
	if (b->lost)
		g_string_append_printf(out, "  lost %" G_GUINT64_FORMAT, b->lost);
	g_string_append_printf(out, "  own %.1f%%%s%s%s%s%s", b->rates.own,
			       b->deadlock ? "  DEADLOCK (w)" : "",
			       b->options.missing ? "  INCOMPLETE" : "",
			       p->frozen ? "  FROZEN" : "", p->zero ? "  zeroed" : "",
			       g_atomic_int_get(&b->no_record) ? "  ENDED" : "");
}

static const char *toggle(void *arg, u32 key)
{
	struct top_browser *b = arg;
	struct top_profile *p = b->profile;

	if (key == 'f') {
		top_profile_take(p);
		p->frozen = !p->frozen;
		return p->frozen ? "frozen: f takes samples again" : "samples are taken again";
	}
	p->zero = !p->zero;
	return p->zero ? "each update shows only new samples"
		       : "older samples fade with each update";
}

#define MOST_WAITS 100

static void waits(void *arg, GString *out)
{
	struct top_browser *b = arg;

	if (!b->options.waits)
		g_string_append(out, "Waits need perf top --wall.\n");
	else
		top_waits_append(b->options.waits, MOST_WAITS, out);
	if (!out->len)
		g_string_append(out, "No thread has waited for a millisecond, except for work.\n");
}

/* The session's events are known, and the explorer is ready. */
static bool wait_until_ready(struct top_browser *b)
{
	bool ready = false, over = false;

	while (!ready && !over) {
		over = g_atomic_int_get(&b->stops) || g_atomic_int_get(&b->no_record);
		turns_begin(&b->profile->turns);
		ready = b->profile->ready;
		over |= b->profile->error != NULL;
		turns_end(&b->profile->turns);
		if (!ready)
			g_usleep(LOOK_AGAIN_US);
	}
	return ready;
}

static void run(struct top_browser *b, struct screen *screen)
{
	const struct tui_report_live live = {
		.clock = { wait_for_key, due, ended, b },
		.status = status,
		.toggle = toggle,
		.waits = waits,
		.arg = b,
	};
	const struct report_options *o = b->profile->report.options;
	const struct tui_report_options options = { .explorer = b->profile->explorer,
						    .tree = o->tree,
						    .live = &live,
						    .code = { .no_source = o->code.no_source,
							      .raw_bytes = o->code.raw_bytes,
							      .sampled = o->code.show_sampled },
						    .code_pages = &o->code_look };
	char *next = NULL;

	turns_begin(&b->profile->turns);
	tui_report_run(screen, &options, &next, &b->error);
	turns_end(&b->profile->turns);
	g_free(next);
}

static gpointer browse(gpointer arg)
{
	struct top_browser *b = arg;
	struct screen *screen = wait_until_ready(b) ? terminal_open(&b->error) : NULL;

	if (screen)
		run(b, screen);
	screen_free(screen);
	if (!g_atomic_int_get(&b->no_record))
		kill(getpid(), SIGINT); /* as ^C: the recording ends in order */
	return NULL;
}

struct top_browser *top_browser_start(struct top_profile *profile,
				      const struct top_screen_options *options, GError **error)
{
	struct top_browser *b = g_new0(struct top_browser, 1);

	b->profile = profile;
	b->options = *options;
	b->thread = g_thread_try_new("browser", browse, b, error);
	if (!b->thread)
		g_clear_pointer(&b, g_free);
	return b;
}

/* The recording has changed the handling of signals; now they end the browser again. */
static void let_signals_end(void)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	pthread_sigmask(SIG_UNBLOCK, &ends, NULL);
}

bool top_browser_stop(struct top_browser *b, bool at_once, GError **error)
{
	bool ok;

	if (!b)
		return true;
	g_atomic_int_set(&b->no_record, 1);
	if (at_once)
		g_atomic_int_set(&b->stops, 1);
	else
		let_signals_end();
	g_thread_join(b->thread);
	ok = !b->error;
	if (!ok)
		g_propagate_error(error, b->error);
	g_free(b);
	return ok;
}
