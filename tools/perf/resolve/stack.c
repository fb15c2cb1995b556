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

static inline void append(struct frame_list *list, const struct code *code)
{
	if (list->nr == list->room) {
		list->room = MAX(list->room * 2, 256);
		list->frames = g_renew(const struct code *, list->frames, list->room);
	}
	list->frames[list->nr++] = code;
}

static void add_frame(struct resolver *r, const struct code *code, u32 needs, struct place *place)
{
	const struct code *const *frames;

	if (!code->symbol && r->options.no_unresolved)
		return;
	if (needs & NEED_PARENT && code->symbol && (!place->parent || r->outermost_parent) &&
	    matches(r->parent, r->parent_matches, code))
		place->parent = code;
	if (r->ignored_callees && code->symbol &&
	    matches(r->ignored_callees, r->ignored_matches, code)) {
		place->ip = code;
		r->chain.nr = 0;
	}
	if (!(needs & NEED_INLINE)) {
		append(&r->chain, code);
		return;
	}
	for (frames = resolve_inlined(r, code); *frames; frames++)
		append(&r->chain, *frames);
}

/* So many frames are looked up together, so that memory for one is fetched while others are. */
#define AHEAD 32u

/* An address of a chain. */
struct chain_address {
	u64 va;
	enum code_lookup how;
	u8 mode;
	u32 number; /* of its code, where that is known; 0: not yet */
};

static void look_up(struct resolver *r, const struct place *place, struct chain_address *frames,
		    u32 nr)
{
	u32 pid = place->thread->pid;

	for (u32 i = 0; i < nr; i++)
		code_cache_prefetch(r->cache, pid, frames[i].va);
	for (u32 i = 0; i < nr; i++) {
		frames[i].number = resolve_known(r, place->thread, frames[i].mode, frames[i].how,
						 frames[i].va, place->time);
		if (frames[i].number)
			__builtin_prefetch(resolve_numbered(r, frames[i].number));
	}
}

static void add_frames(struct resolver *r, struct chain_address *frames, u32 nr, u32 needs,
		       struct place *place)
{
	look_up(r, place, frames, nr);
	for (u32 i = 0; i < nr; i++) {
		const struct chain_address *f = &frames[i];

		add_frame(r,
			  f->number ? resolve_numbered(r, f->number)
				    : resolve_code(r, place->thread, f->mode, f->how, f->va,
						   place->time),
			  needs, place);
	}
}

/* Puts the frames of the chain into r->chain. */
static void walk(struct resolver *r, const struct sample *sample, u32 needs, struct place *place)
{
	u32 max = r->options.max_stack ? r->options.max_stack : DEFAULT_MAX_STACK, taken = 0;
	struct chain_address frames[AHEAD];
	enum code_lookup how = LOOKUP_ANY;
	u8 mode = place->cpumode;
	u32 nr = 0;

	r->chain.nr = 0;
	for (u64 i = 0; i < sample->nr_ips && taken < max; i++) {
		u64 ip = sample->ips[i];

		if (ip < (u64)PERF_CONTEXT_MAX) {
			frames[nr++] = (struct chain_address){ ip, how, mode, 0 };
			taken++;
			if (nr == AHEAD) {
				add_frames(r, frames, nr, needs, place);
				nr = 0;
			}
			continue;
		}
		mode = mode_of_marker(ip);
		how = LOOKUP_MODE;
		if (!mode)
			break;
	}
	add_frames(r, frames, nr, needs, place);
	/* After an unknown marker, no part of the chain can be trusted. */
	if (!mode)
		r->chain.nr = 0;
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
		chain = (struct memo_chain){ 0, r->chain.nr, r->chain.frames };
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
