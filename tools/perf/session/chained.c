// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/chained.h"

#include <string.h>

#include "chains/objects.h"
#include "perfdata/event.h"
#include "perfdata/info.h"
#include "session/deferred.h"
#include "session/private.h"

#define DEFAULT_MAX_STACK 127u

struct chained {
	struct session *session;
	struct chainer *chainer; /* made when first needed */
	struct chain_ends *ends;
	struct event event;
	GArray *joined; /* u64 */
	GArray *ips;	/* u64: of heads */
	GArray *at;	/* u32: where in ips those of a head begin */
	bool x86_64;
};

static bool is_x86_64(const struct session *s)
{
	const char *arch = perfdata_info(s->file->pd)->arch;

	return !arch || !strcmp(arch, "x86_64");
}

bool chained_asked(const struct session *s)
{
	const GPtrArray *evsels = perfdata_evsels(s->file->pd);

	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = evsels->pdata[i];

		if (evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN || chainer_takes(evsel))
			return true;
	}
	return false;
}

struct chained *chained_new(struct session *s, struct chain_ends *ends)
{
	struct chained *c = g_new0(struct chained, 1);

	c->session = s;
	c->ends = ends;
	c->joined = g_array_new(FALSE, FALSE, sizeof(u64));
	c->ips = g_array_new(FALSE, FALSE, sizeof(u64));
	c->at = g_array_new(FALSE, FALSE, sizeof(u32));
	c->x86_64 = is_x86_64(s);
	return c;
}

void chained_free(struct chained *c)
{
	if (!c)
		return;
	chainer_free(c->chainer);
	g_array_unref(c->joined);
	g_array_unref(c->ips);
	g_array_unref(c->at);
	g_free(c);
}

static void unwind(struct chained *c, const struct event *event, struct unwound_chain *chain)
{
	struct session *s = c->session;

	if (!c->chainer)
		c->chainer = chainer_new(s->file->machine, s->set->objects,
					 s->options.resolver.max_stack ?: DEFAULT_MAX_STACK);
	chainer_unwind(c->chainer, event, chain);
	chain_ends_add(c->ends, chain);
}

static bool has_calls(const struct evsel *evsel)
{
	return evsel->attr.sample_type & PERF_SAMPLE_BRANCH_STACK &&
	       evsel->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

/*
 * The sampled user address is followed by the calls that led there, newest first. The chain by frame pointers is
 * dropped, as in upstream. False: the sample has no user part, or no recorded calls.
 */
static bool take_calls(struct chained *c, const struct sample *s, struct unwound_chain *chain)
{
	u64 user = 0;

	while (user < s->nr_ips && s->ips[user] != (u64)PERF_CONTEXT_USER)
		user++;
	if (user >= s->nr_ips || !s->nr_branches)
		return false;
	g_array_set_size(c->joined, 0);
	g_array_append_vals(c->joined, s->ips, (guint)MIN(user + 2, s->nr_ips));
	for (u64 i = 0; i < s->nr_branches; i++)
		g_array_append_val(c->joined, s->branches[i].from);
	*chain = (struct unwound_chain){ .ips = (const u64 *)c->joined->data,
					 .nr_ips = c->joined->len };
	return true;
}

/* Joins the kernel's part and the user part that came later. */
static void join(struct chained *c, u32 tid, const u64 *ips, u64 nr, struct unwound_chain *chain)
{
	u32 nr_user = 0;
	const u64 *user = deferred_find(c->session->file->deferred, tid, ips, nr, &nr_user);

	g_array_set_size(c->joined, 0);
	g_array_append_vals(c->joined, ips, (guint)nr - 2);
	if (user)
		g_array_append_vals(c->joined, user, nr_user);
	*chain = (struct unwound_chain){ .ips = (const u64 *)c->joined->data,
					 .nr_ips = c->joined->len };
}

const struct event *chained_event(struct chained *c, const struct event *event)
{
	const struct sample *s = &event->sample;
	struct unwound_chain chain;

	if (c->x86_64 && chainer_takes(event->evsel))
		unwind(c, event, &chain);
	else if (has_calls(event->evsel) && take_calls(c, s, &chain))
		;
	else if (deferred_is(s->ips, s->nr_ips))
		join(c, event->id.tid, s->ips, s->nr_ips, &chain);
	else
		return event;
	c->event = *event;
	c->event.sample.ips = chain.ips;
	c->event.sample.nr_ips = chain.nr_ips;
	return &c->event;
}

/* False: the head has the complete chain. */
static bool decode_head(const struct chained *c, const struct sample_head *head,
			struct event *event)
{
	bool stack = head->evsel && c->x86_64 && chainer_takes(head->evsel);

	if (!stack && !(head->evsel && has_calls(head->evsel)))
		return false;
	if (!perfdata_decode(c->session->file->pd, head->raw, head->foff, event, NULL))
		return false;
	if (stack && c->chainer)
		chainer_expect(c->chainer, event);
	return true;
}

/* Uses the whole sample, if available, or its head. Without addresses, nothing changes. */
static void find_chain(struct chained *c, const struct sample_head *head, const struct event *event,
		       struct unwound_chain *chain)
{
	if (event && c->x86_64 && chainer_takes(head->evsel))
		unwind(c, event, chain);
	else if (event && take_calls(c, &event->sample, chain))
		return;
	else if (deferred_is(head->ips, head->nr_ips))
		join(c, head->tid, head->ips, head->nr_ips, chain);
}

void chained_heads(struct chained *c, struct sample_head *heads, u32 nr)
{
	struct event events[2];
	bool whole[2] = { nr && decode_head(c, &heads[0], &events[0]) };

	g_array_set_size(c->ips, 0);
	g_array_set_size(c->at, 0);
	for (u32 i = 0; i < nr; i++) {
		struct sample_head *head = &heads[i];
		struct unwound_chain chain = { .nr_ips = 0 };
		u32 first = c->ips->len;

		/* Prefetches the next sample while this one is unwound. */
		whole[(i + 1) % 2] = i + 1 < nr &&
				     decode_head(c, &heads[i + 1], &events[(i + 1) % 2]);
		find_chain(c, head, whole[i % 2] ? &events[i % 2] : NULL, &chain);
		if (!chain.ips)
			first = UINT32_MAX;
		else
			g_array_append_vals(c->ips, chain.ips, chain.nr_ips);
		g_array_append_val(c->at, first);
		if (chain.ips)
			head->nr_ips = chain.nr_ips;
	}
	for (u32 i = 0; i < nr; i++)
		if (g_array_index(c->at, u32, i) != UINT32_MAX)
			heads[i].ips = (const u64 *)c->ips->data + g_array_index(c->at, u32, i);
}
