// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/chained.h"

#include <string.h>

#include "chains/objects.h"
#include "perfdata/event.h"
#include "perfdata/info.h"
#include "session/private.h"

#define DEFAULT_MAX_STACK 127u

struct chained {
	struct session *session;
	struct chainer *chainer;
	struct chain_ends *ends;
	struct event event;
	GArray *ips; /* u64: of heads */
	GArray *at;  /* u32: where in ips those of a head begin */
};

static bool is_x86_64(const struct session *s)
{
	const char *arch = perfdata_info(s->pd)->arch;

	return !arch || !strcmp(arch, "x86_64");
}

static bool takes_any(const struct session *s)
{
	const GPtrArray *evsels = perfdata_evsels(s->pd);

	for (u32 i = 0; i < evsels->len; i++)
		if (chainer_takes(g_ptr_array_index(evsels, i)))
			return true;
	return false;
}

struct chained *chained_new(struct session *s, struct chain_ends *ends)
{
	u32 max = s->options.resolver.max_stack ?: DEFAULT_MAX_STACK;
	struct chained *c;

	if (!takes_any(s) || !is_x86_64(s))
		return NULL;
	c = g_new0(struct chained, 1);
	c->session = s;
	c->ends = ends;
	c->chainer = chainer_new(s->machine, s->objects, max);
	c->ips = g_array_new(FALSE, FALSE, sizeof(u64));
	c->at = g_array_new(FALSE, FALSE, sizeof(u32));
	return c;
}

void chained_free(struct chained *c)
{
	if (!c)
		return;
	chainer_free(c->chainer);
	g_array_unref(c->ips);
	g_array_unref(c->at);
	g_free(c);
}

static void unwind(struct chained *c, const struct event *event, struct unwound_chain *chain)
{
	chainer_unwind(c->chainer, event, chain);
	chain_ends_add(c->ends, chain);
}

const struct event *chained_event(struct chained *c, const struct event *event)
{
	struct unwound_chain chain;

	if (!event->evsel || !chainer_takes(event->evsel))
		return event;
	unwind(c, event, &chain);
	c->event = *event;
	c->event.sample.ips = chain.ips;
	c->event.sample.nr_ips = chain.nr_ips;
	return &c->event;
}

void chained_heads(struct chained *c, struct sample_head *heads, u32 nr)
{
	g_array_set_size(c->ips, 0);
	g_array_set_size(c->at, 0);
	for (u32 i = 0; i < nr; i++) {
		struct sample_head *head = &heads[i];
		struct unwound_chain chain = { .ips = head->ips, .nr_ips = head->nr_ips };
		struct event event;

		if (head->evsel && chainer_takes(head->evsel) &&
		    perfdata_decode(c->session->pd, head->raw, head->foff, &event, NULL))
			unwind(c, &event, &chain);
		g_array_append_val(c->at, c->ips->len);
		g_array_append_vals(c->ips, chain.ips, chain.nr_ips);
		head->nr_ips = chain.nr_ips;
	}
	for (u32 i = 0; i < nr; i++)
		heads[i].ips = (const u64 *)c->ips->data + g_array_index(c->at, u32, i);
}
