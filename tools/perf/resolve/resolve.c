// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/resolve.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/clear.h"
#include "perfdata/event.h"
#include "resolve/private.h"
#include "resolve/data_address.h"

/* As upstream: functions that enter the kernel count as parents. */
#define DEFAULT_PARENT "^sys_|^do_page_fault"

static GRegex *compile(const char *what, const char *pattern, GError **error)
{
	GRegex *regex = g_regex_new(pattern, G_REGEX_OPTIMIZE, 0, error);

	if (!regex)
		g_prefix_error(error, "%s '%s': ", what, pattern);
	return regex;
}

static bool compile_patterns(struct resolver *r, GError **error)
{
	const struct resolver_options *o = &r->options;

	r->parent = compile("parent", o->parent ? o->parent : DEFAULT_PARENT, error);
	if (!r->parent)
		return false;
	if (o->ignored_callees)
		r->ignored_callees = compile("ignored callees", o->ignored_callees, error);
	return !o->ignored_callees || r->ignored_callees;
}

static struct code_numbers *numbers_new(void)
{
	struct code_numbers *n = g_new0(struct code_numbers, 1);

	n->codes = g_ptr_array_new();
	n->functions = g_ptr_array_new();
	n->symbols = g_ptr_array_new();
	table_init(&n->function_index);
	return n;
}

static void numbers_free(struct code_numbers *n)
{
	g_ptr_array_free(n->codes, TRUE);
	g_ptr_array_free(n->functions, TRUE);
	g_ptr_array_free(n->symbols, TRUE);
	table_release(&n->function_index);
	g_free(n);
}

struct resolver *resolver_new(struct machine *machine, const struct resolver_options *options,
			      GError **error)
{
	return resolver_new_beside(NULL, machine, options, error);
}

struct resolver *resolver_new_beside(struct resolver *first, struct machine *machine,
				     const struct resolver_options *options, GError **error)
{
	struct resolver *r = g_new0(struct resolver, 1);

	r->owns_numbers = !first;
	r->numbers = first ? first->numbers : numbers_new();
	r->numbers->by_name = first;

	r->machine = machine;
	r->options = *options;
	r->cache = code_cache_new();
	r->memo = chain_memo_new();
	table_init(&r->code_index);
	r->inlined = g_ptr_array_new_with_free_func(g_free);
	r->parent_matches = g_hash_table_new(NULL, NULL);
	r->ignored_matches = g_hash_table_new(NULL, NULL);
	r->charged = g_ptr_array_new();
	r->branches = g_array_new(FALSE, FALSE, sizeof(struct branch));
	if (!compile_patterns(r, error)) {
		resolver_free(r);
		return NULL;
	}
	return r;
}

void resolver_free(struct resolver *r)
{
	if (!r)
		return;
	code_cache_free(r->cache);
	chain_memo_free(r->memo);
	table_release(&r->code_index);
	if (r->owns_numbers)
		numbers_free(r->numbers);
	resolve_free_codes(r);
	g_ptr_array_free(r->inlined, TRUE);
	g_clear_pointer(&r->parent, g_regex_unref);
	g_clear_pointer(&r->ignored_callees, g_regex_unref);
	g_hash_table_destroy(r->parent_matches);
	g_hash_table_destroy(r->ignored_matches);
	g_free(r->chain.frames);
	g_ptr_array_unref(r->charged);
	g_array_free(r->branches, TRUE);
	g_free(r);
}

void resolver_place(struct resolver *r, const struct event *event, u32 needs, struct place *place)
{
	const struct sample *sample = &event->sample;

	r->symbols = needs & (NEED_SYMBOL | NEED_CHAIN | NEED_PARENT | NEED_CHARGE);
	clear_bytes(place, sizeof(*place));
	place->event = event;
	place->sample = sample;
	place->evsel = event->evsel;
	place->time = event->id.time;
	place->cpumode = event->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	place->thread =
		machine_thread(r->machine, event->id.pid, event->id.tid, place->time, &r->hits);
	if (r->cache_generation != r->hits.generation) {
		code_cache_forget(r->cache);
		chain_memo_forget(r->memo);
		r->cache_generation = r->hits.generation;
	}
	place->comm = machine_comm(r->machine, place->thread, place->time);
	place->ip = r->expect_new ? resolve_new_code(r, place->thread, place->cpumode, sample->ip,
						     place->time)
				  : resolve_code(r, place->thread, place->cpumode, LOOKUP_MODE,
						 sample->ip, place->time);
	place->sampled = place->ip;
	if (needs & NEED_ADDR && sample->type & PERF_SAMPLE_ADDR) {
		place->addr = resolver_data_at(r, place, sample->addr);
		place->addr_how = !sample->addr			 ? ADDRESS_NONE
				  : evsel_is_timer(place->evsel) ? ADDRESS_COMPUTED
								 : ADDRESS_EVENT;
	}
	if (needs & (NEED_CHAIN | NEED_PARENT) && sample->nr_ips)
		resolve_chain(r, sample, needs, place);
	if (needs & NEED_BRANCH && sample->nr_branches)
		resolve_branches(r, sample, place);
}

void resolver_take_outermost_parent(struct resolver *r)
{
	r->outermost_parent = true;
}

void resolver_expect_new(struct resolver *r, bool each)
{
	r->expect_new = each;
}

static void prefetch_new(struct resolver *r, const struct event *e)
{
	const struct thread *thread =
		machine_thread(r->machine, e->id.pid, e->id.tid, e->id.time, &r->hits);

	resolve_prefetch_code(r, thread, e->misc & PERF_RECORD_MISC_CPUMODE_MASK, e->sample.ip,
			      e->id.time);
}

void resolver_prefetch(struct resolver *r, const struct event *events, u32 nr, bool new)
{
	for (u32 i = 0; i < nr; i++)
		if (events[i].type == PERF_RECORD_SAMPLE)
			code_cache_prefetch(r->cache, events[i].id.pid, events[i].sample.ip);
	for (u32 i = 0; i < nr; i++) {
		const struct event *e = &events[i];
		u32 number;

		if (e->type != PERF_RECORD_SAMPLE || !e->evsel)
			continue;
		number = code_cache_guess(r->cache, e->id.pid, e->sample.ip);
		if (number)
			__builtin_prefetch(resolve_numbered(r, number));
		else if (new)
			prefetch_new(r, e);
	}
}

void resolver_prefetch_new(struct resolver *r, const struct event *const *samples, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		prefetch_new(r, samples[i]);
}
