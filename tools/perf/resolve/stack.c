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

/*
 * A wrong frame pointer leads to data, such as addresses on the heap, which are not mapped as code. Code that was generated at
 * run time may not be mapped either. Then the sample is in such code, or a caller behind it is mapped.
 */
static void judge(struct resolver *r, const struct code *code)
{
	if (r->nr_sure == UINT32_MAX)
		return;
	if (code->map || code->level != '.')
		r->nr_sure = r->chain.nr;
	else if (code->caller == CODE_HIT)
		r->nr_sure = UINT32_MAX;
}

/* False: the chain ends here, because it is broken. */
static bool add_frames(struct resolver *r, struct chain_address *frames, u32 nr, u32 needs,
		       struct place *place)
{
	look_up(r, place, frames, nr);
	for (u32 i = 0; i < nr; i++) {
		const struct chain_address *f = &frames[i];
		const struct code *code = f->number ? resolve_numbered(r, f->number)
						    : resolve_code(r, place->thread, f->mode,
								   f->how, f->va, place->time);

		r->broken = r->options.chains == CHAINS_CUT && code->caller == CODE_NO_RETURN;
		if (r->broken)
			return false;
		add_frame(r, code, needs, place);
		judge(r, code);
	}
	return true;
}

/* Takes the frames off the end of the chain that are nowhere. */
static void cut_end(struct resolver *r)
{
	if (r->options.chains != CHAINS_CUT || !r->nr_sure || r->chain.nr <= r->nr_sure)
		return;
	r->chain.nr = r->nr_sure;
	r->broken = true;
}

/*
 * After PERF_CONTEXT_USER, the first address is that of the interrupted code, the others are return addresses. The
 * addresses of calls that the processor recorded are those of the calls.
 */
static bool has_return_addresses(const struct resolver *r, const struct place *place)
{
	return r->options.chains != CHAINS_RAW &&
	       !(place->evsel->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
}

/* Puts the frames of the chain into r->chain. */
static void walk(struct resolver *r, const struct sample *sample, u32 needs, struct place *place)
{
	u32 max = r->options.max_stack ? r->options.max_stack : DEFAULT_MAX_STACK, taken = 0;
	struct chain_address frames[AHEAD];
	enum code_lookup how = LOOKUP_ANY;
	enum code_lookup callers = has_return_addresses(r, place) ? LOOKUP_CALLER : LOOKUP_MODE;
	u8 mode = place->cpumode;
	bool good = true;
	u32 nr = 0;

	r->chain.nr = r->nr_sure = 0;
	for (u64 i = 0; i < sample->nr_ips && taken < max && good; i++) {
		u64 ip = sample->ips[i];

		if (ip < (u64)PERF_CONTEXT_MAX) {
			frames[nr++] = (struct chain_address){ ip, how, mode, 0 };
			taken++;
			if (how == LOOKUP_MODE && mode == PERF_RECORD_MISC_USER)
				how = callers;
			if (nr == AHEAD) {
				good = add_frames(r, frames, nr, needs, place);
				nr = 0;
			}
			continue;
		}
		mode = mode_of_marker(ip);
		how = LOOKUP_MODE;
		if (!mode)
			break;
	}
	if (good)
		add_frames(r, frames, nr, needs, place);
	cut_end(r);
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
		r->broken = false;
		walk(r, sample, needs, place);
		chain = (struct memo_chain){ 0, r->chain.nr, r->chain.frames, r->broken };
		if (plain && r->from < r->to)
			chain_memo_store(r->memo, &key, r->from, r->to, &chain);
	}
	place->chain = chain.frames;
	place->nr_chain = chain.nr_frames;
	place->chain_id = chain.id;
	place->broken = chain.broken;
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

/* The frames of @code, innermost first, ending in NULL: with the calls that are inlined there, if they are wanted. */
static const struct code *const *frames_of(struct resolver *r, const struct code *code, u32 needs,
					   const struct code *alone[2])
{
	alone[0] = code;
	alone[1] = NULL;
	return needs & NEED_INLINE ? resolve_inlined(r, code) : alone;
}

static bool same_functions(const struct code *const *a, const struct code *const *b)
{
	for (; *a && *b; a++, b++)
		if ((*a)->function != (*b)->function)
			return false;
	return !*a && !*b;
}

/* The frames of the chain behind its first physical one. */
static u32 behind_first(const struct place *place, u32 at)
{
	while (at < place->nr_chain && place->chain[at]->inlined)
		at++;
	return MIN(at + 1, place->nr_chain);
}

void resolver_charge_chain(struct resolver *r, u32 needs, bool exact, struct place *place)
{
	const struct code *const *charged, *const *sampled, *room[2], *other[2];
	u32 rest = behind_first(place, 0), behind;

	if (!rest || place->chain[rest - 1] != place->sampled || place->ip == place->sampled)
		return;
	charged = frames_of(r, place->ip, needs, room);
	sampled = frames_of(r, place->sampled, needs, other);
	if (!exact && same_functions(charged, sampled))
		return;
	/* The call in the caller: the caller's own frame is the next one. */
	behind = behind_first(place, rest);
	if (place->ip->function != place->sampled->function && behind > rest &&
	    place->chain[behind - 1]->function == place->ip->function)
		rest = behind;
	g_ptr_array_set_size(r->charged, 0);
	for (; *charged; charged++)
		g_ptr_array_add(r->charged, (void *)*charged);
	for (u32 i = rest; i < place->nr_chain; i++)
		g_ptr_array_add(r->charged, (void *)place->chain[i]);
	place->chain = (const struct code *const *)r->charged->pdata;
	place->nr_chain = r->charged->len;
	place->chain_id = 0;
}
