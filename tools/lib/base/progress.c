// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/percent.h"

#define FIRST_NS 500000000ULL /* work shorter than this shows nothing */
#define EVERY_NS 100000000ULL
#define LOOKS	 1000 /* how often the clock is read during the whole work */

void progress_start(struct progress *p, const char *title, u64 total, bool on)
{
	*p = (struct progress){ .title = title, .total = total, .next = UINT64_MAX };
	if (!on || !isatty(STDERR_FILENO))
		return;
	p->next = 0;
	p->start_ns = clock_ns(CLOCK_MONOTONIC);
}

void progress_set_watch(struct progress *p, const struct progress_watch *watch)
{
	p->watch = *watch;
	if (watch->show)
		p->next = 0;
}

void progress_show(struct progress *p, u64 done)
{
	u64 now = clock_ns(CLOCK_MONOTONIC);

	p->next = done + (p->total ? p->total / LOOKS : 4096) + 1;
	if (p->watch.show) {
		if (now - p->shown_ns < EVERY_NS)
			return;
		p->shown_ns = now;
		p->stopped |= !p->watch.show(p->watch.arg, p->title, done, p->total);
		return;
	}
	if (now - p->start_ns < FIRST_NS || now - p->shown_ns < EVERY_NS)
		return;
	p->shown_ns = now;
	if (p->total)
		dprintf(STDERR_FILENO, "\r%s %3u%%\033[K", p->title,
			(unsigned int)percent_of(done, p->total));
	else
		dprintf(STDERR_FILENO, "\r%s %llu\033[K", p->title, (unsigned long long)done);
}

void progress_end(struct progress *p)
{
	if (p->shown_ns && !p->watch.show)
		dprintf(STDERR_FILENO, "\r\033[K");
	p->next = UINT64_MAX;
	p->shown_ns = 0;
}
