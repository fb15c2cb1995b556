// SPDX-License-Identifier: GPL-2.0-or-later
#include "pass/addresses.h"

#include <linux/perf_event.h>

#include "perfdata/evsel.h"

struct addresses_pass {
	struct pass pass;
	addresses_find_fn *find;
	void *arg;
	bool changes_layout; /* samples of some event had no place for an address */
};

static struct addresses_pass *of(struct pass *p)
{
	return container_of(p, struct addresses_pass, pass);
}

/* The same for all events: readers find out of which event a sample is at a place that is equal in all of them. */
static bool begin(struct pass *p, GPtrArray *evsels, GError **error)
{
	for (u32 i = 0; i < evsels->len; i++) {
		struct perf_event_attr *attr =
			&((struct evsel *)g_ptr_array_index(evsels, i))->attr;

		of(p)->changes_layout |= !(attr->sample_type & PERF_SAMPLE_ADDR);
		attr->sample_type |= PERF_SAMPLE_ADDR;
	}
	return true;
}

static bool take(struct pass *p, const struct event *ev, GError **error)
{
	struct addresses_pass *a = of(p);
	struct event made = *ev;
	bool found;

	if (ev->type != PERF_RECORD_SAMPLE || !ev->evsel)
		return pass_on(p, ev, error);
	found = a->find(a->arg, ev, &made.sample.addr);
	if (!found && !a->changes_layout)
		return pass_on(p, ev, error);
	return pass_on_made(p, &made, pass_evsel(p, ev), error);
}

static void free_addresses(struct pass *p)
{
	g_free(of(p));
}

struct pass *addresses_pass_new(addresses_find_fn *find, void *arg)
{
	static const struct pass_ops ops = {
		.name = "addresses", .begin = begin, .take = take, .free = free_addresses
	};
	struct addresses_pass *a = g_new0(struct addresses_pass, 1);

	a->pass.ops = &ops;
	a->find = find;
	a->arg = arg;
	return &a->pass;
}
