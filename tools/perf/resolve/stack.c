// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call chains and branch stacks. A chain is a list of addresses. A PERF_CONTEXT_ marker in it gives the mode (kernel,
 * user) of the addresses that follow. A chain ends where the recorder could not unwind further. A frame that is not
 * mapped stays in the chain, as an address only.
 */
#include "resolve/private.h"

#include <linux/perf_event.h>

#include "perfdata/event.h"

#define DEFAULT_MAX_STACK 127u

/* The mode of the addresses after the marker. 0: the marker ends the readable part of the chain. */
static u8 mode_of_marker(u64 marker)
{
	switch ((s64)marker) {
	case PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	case PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case PERF_CONTEXT_GUEST_KERNEL:
		return PERF_RECORD_MISC_GUEST_KERNEL;
	case PERF_CONTEXT_GUEST_USER:
		return PERF_RECORD_MISC_GUEST_USER;
	default:
		return 0;
	}
}

/* Does @regex match the function's name? Cached per function. */
static bool matches(GRegex *regex, GHashTable *known, const struct code *code)
{
	gpointer key = GUINT_TO_POINTER(code->function), answer;
	const char *name;
	bool fits;

	if (g_hash_table_lookup_extended(known, key, NULL, &answer))
		return GPOINTER_TO_INT(answer);
	name = code_name(code);
	fits = name && g_regex_match(regex, name, 0, NULL);
	g_hash_table_insert(known, key, GINT_TO_POINTER(fits));
	return fits;
}

static void add_frame(struct resolver *r, const struct code *code, u32 needs, struct place *place)
{
	const struct code *const *frames;

	if (!code->symbol && r->options.no_unresolved)
		return;
	if (needs & NEED_PARENT && code->symbol && !place->parent &&
	    matches(r->parent, r->parent_matches, code))
		place->parent = code;
	if (r->ignored_callees && code->symbol &&
	    matches(r->ignored_callees, r->ignored_matches, code)) {
		place->ip = code;
		g_ptr_array_set_size(r->chain, 0);
	}
	if (!(needs & NEED_INLINE)) {
		g_ptr_array_add(r->chain, (void *)code);
		return;
	}
	for (frames = resolve_inlined(r, code); *frames; frames++)
		g_ptr_array_add(r->chain, (void *)*frames);
}

/*
 * Prefetches the memory that look-ups of the frames read: the cache slots of all frames first, then the code that the
 * slots refer to.
 */
static void prefetch_frames(const struct resolver *r, const struct sample *sample, u32 pid)
{
	u64 nr = MIN(sample->nr_ips, DEFAULT_MAX_STACK);

	for (u64 i = 0; i < nr; i++)
		code_cache_prefetch(r->cache, pid, sample->ips[i]);
	for (u64 i = 0; i < nr; i++) {
		u32 number = code_cache_guess(r->cache, pid, sample->ips[i]);

		if (!number)
			continue;
		__builtin_prefetch(resolve_numbered(r, number));
		if (number <= r->inlined->len)
			__builtin_prefetch(&r->inlined->pdata[number - 1]);
	}
}

/* Puts the frames of the chain into r->chain. */
static void walk(struct resolver *r, const struct sample *sample, u32 needs, struct place *place)
{
	u32 max = r->options.max_stack ? r->options.max_stack : DEFAULT_MAX_STACK, taken = 0;
	enum code_lookup how = LOOKUP_ANY;
	u8 mode = place->cpumode;

	g_ptr_array_set_size(r->chain, 0);
	prefetch_frames(r, sample, place->thread->pid);
	for (u64 i = 0; i < sample->nr_ips && taken < max; i++) {
		u64 ip = sample->ips[i];

		if (ip < (u64)PERF_CONTEXT_MAX) {
			add_frame(r, resolve_code(r, place->thread, mode, how, ip, place->time),
				  needs, place);
			taken++;
			continue;
		}
		mode = mode_of_marker(ip);
		how = LOOKUP_MODE;
		if (!mode) {
			/* After an unknown marker, no part of the chain can be trusted. */
			g_ptr_array_set_size(r->chain, 0);
			break;
		}
	}
}

void resolve_chain(struct resolver *r, const struct sample *sample, u32 needs, struct place *place)
{
	/*
	 * These options change the place, too, not only the chain. And a chain that occurs once is not worth caching.
	 */
	bool plain = !(needs & NEED_PARENT) && !r->ignored_callees && !r->expect_new;
	struct recorded_chain key = { place->thread->pid, place->cpumode | needs << 8,
				      sample->nr_ips, sample->ips };
	struct memo_chain chain;

	if (!plain || !chain_memo_find(r->memo, &key, place->time, &chain)) {
		r->from = 0;
		r->to = UINT64_MAX;
		walk(r, sample, needs, place);
		chain = (struct memo_chain){ 0, r->chain->len,
					     (const struct code *const *)r->chain->pdata };
		if (plain && r->from < r->to)
			chain_memo_store(r->memo, &key, r->from, r->to, &chain);
	}
	place->chain = chain.frames;
	place->nr_chain = chain.nr_frames;
	place->chain_id = chain.id;
}

void resolve_branches(struct resolver *r, const struct sample *sample, struct place *place)
{
	g_array_set_size(r->branches, 0);
	for (u64 i = 0; i < sample->nr_branches; i++) {
		const struct perf_branch_entry *entry = &sample->branches[i];
		struct branch b = { .entry = entry };

		b.from = resolve_code(r, place->thread, place->cpumode, LOOKUP_ANY, entry->from,
				      place->time);
		b.to = resolve_code(r, place->thread, place->cpumode, LOOKUP_ANY, entry->to,
				    place->time);
		g_array_append_val(r->branches, b);
	}
	place->branches = (const struct branch *)r->branches->data;
	place->nr_branches = r->branches->len;
}
