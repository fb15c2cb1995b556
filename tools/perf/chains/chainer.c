// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The unwinder caches rules under a number for the process and its maps, the "space". A process gets a new number when
 * the code in its maps changes. machine_code_window() tells the time window without such a change. So the key of a
 * number is the pid and the time of the last change before the sample. Samples from before and after a change may come
 * in any order.
 */
#include "chains/chainer.h"

#include <glib.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/table.h"
#include "chains/objects.h"
#include "chains/returns.h"
#include "dso/image.h"
#include "machine/machine.h"
#include "perfdata/event.h"

#define NR_WINDOWS 64u
#define NR_KNOWN   32u

#define CACHE_LINE 64u
#define MAX_SPACES UINT16_MAX

/* For each DWARF register number, the bit of x86's register in samples (linux/asm/perf_regs.h). */
static const u8 sampled_bits[CFI_NR_REGS] = { 0,  3,  2,  1,  4,  5,  6,  7, 16,
					      17, 18, 19, 20, 21, 22, 23, 8 };

struct space_key {
	u32 pid;
	u64 since;
};

/* The last window found for a process. */
struct space_window {
	u32 pid;
	u64 from, to; /* times; equal: no window */
	u16 space;
};

/* Cache of a file's call-frame information. It is read without the lock that all threads share. */
struct known_cfi {
	const struct dso *dso;
	struct cfi *cfi;
};

struct sampled_place {
	u8 reg; /* enum cfi_reg */
	u8 at;	/* index in the sample's registers */
};

struct chainer {
	struct machine *machine;
	struct objects *objects;
	struct unwinder *unwinder;
	u32 max;
	struct unwind_frame *frames; /* max */
	u64 *ips;
	size_t nr_ips; /* allocated entries */
	/* the mask of sampled registers for which @sampled and @places were computed */
	u64 mask;
	u32 sampled; /* the registers in @mask, one bit per enum cfi_reg */
	u32 nr_places;
	struct sampled_place places[CFI_NR_REGS]; /* their positions in the sample */

	struct machine_hits hits;
	u64 generation; /* of @hits, when the windows were computed */
	struct space_window windows[NR_WINDOWS];
	GArray *spaces; /* struct space_key; the number of spaces[i] is i + 1 */
	struct table space_index;

	const struct thread *thread; /* the present sample's */
	u64 time;
	u64 last_ip;
	u64 used; /* bytes of stack that samples need, on average */
	struct known_cfi known[NR_KNOWN];
};

static struct cfi *cfi_of(struct chainer *c, struct dso *dso)
{
	struct known_cfi *k = &c->known[table_fold(table_mix((uintptr_t)dso, 0)) % NR_KNOWN];

	if (k->dso != dso || !k->cfi)
		*k = (struct known_cfi){ dso, objects_cfi(c->objects, dso) };
	return k->cfi;
}

/*
 * Sets the range of @code to the whole mapping. But a mapping may contain several segments with different biases. Then
 * there is no range.
 */
static void set_range(const struct chainer *c, const struct mapped *at, struct unwind_code *code)
{
	const struct machine_hit *hit = &c->hits.user;
	struct mapped first = *at, last = *at;
	u64 low, high;

	if (hit->map != at->map || at->va < hit->start || at->va >= hit->end)
		return;
	first.va = hit->start;
	last.va = hit->end - 1;
	if (!mapped_vaddr(&first, &low) || !mapped_vaddr(&last, &high) ||
	    first.va - low != code->bias || last.va - high != code->bias)
		return;
	code->start = hit->start;
	code->size = hit->end - hit->start;
}

static bool find_code(void *process, u64 ip, struct unwind_code *code)
{
	struct chainer *c = process;
	const struct image *image;
	struct mapped at;
	u64 vaddr;

	if (!machine_find(c->machine, c->thread, PERF_RECORD_MISC_USER, ip, c->time, &at,
			  &c->hits) ||
	    at.map->data)
		return false;
	*code = (struct unwind_code){ 0 };
	if (mapped_vaddr(&at, &vaddr)) {
		code->cfi = cfi_of(c, at.dso);
		code->bias = ip - vaddr;
		image = dso_code_image(at.dso);
		code->entry = image ? image->ehdr.e_entry : 0;
		set_range(c, &at, code);
	}
	return true;
}

/* Memory without a file counts as having one: what is missing there is not the file. */
static bool has_file(struct chainer *c, u64 ip)
{
	struct mapped at;

	return !machine_find(c->machine, c->thread, PERF_RECORD_MISC_USER, ip, c->time, &at,
			     &c->hits) ||
	       dso_kind(at.dso) != DSO_USER || dso_code_image(at.dso);
}

/* Reads bytes of a segment that is not writable. */
static bool read_code(void *process, u64 address, u32 size, void *to)
{
	struct chainer *c = process;
	const struct image *image;
	const u8 *bytes = NULL;
	struct mapped at;
	size_t left;
	u64 vaddr;

	if (!machine_find(c->machine, c->thread, PERF_RECORD_MISC_USER, address, c->time, &at,
			  &c->hits))
		return false;
	image = dso_code_image(at.dso);
	if (image && mapped_vaddr(&at, &vaddr))
		bytes = image_constant_at(image, vaddr, &left);
	if (!bytes || left < size)
		return false;
	memcpy(to, bytes, size);
	return true;
}

struct chainer *chainer_new(struct machine *machine, struct objects *objects, u32 max)
{
	static const struct unwind_ops ops = { find_code, read_code };
	struct chainer *c = g_new0(struct chainer, 1);

	c->machine = machine;
	c->objects = objects;
	c->unwinder = unwinder_new(&ops);
	c->max = max;
	c->frames = g_new(struct unwind_frame, max);
	c->spaces = g_array_new(FALSE, FALSE, sizeof(struct space_key));
	table_init(&c->space_index);
	return c;
}

void chainer_free(struct chainer *c)
{
	if (!c)
		return;
	unwinder_free(c->unwinder);
	g_free(c->frames);
	g_free(c->ips);
	g_array_unref(c->spaces);
	table_release(&c->space_index);
	g_free(c);
}

struct unwinder_stats chainer_stats(const struct chainer *c)
{
	return unwinder_stats(c->unwinder);
}

bool chainer_takes(const struct evsel *evsel)
{
	const u64 both = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	const u64 needed = 1u << sampled_bits[CFI_RSP] | 1u << sampled_bits[CFI_RIP];

	return (evsel->attr.sample_type & both) == both &&
	       (evsel->attr.sample_regs_user & needed) == needed;
}

/* Forgets all numbers. Numbering starts at 1 again. */
static void forget_spaces(struct chainer *c)
{
	unwinder_forget(c->unwinder);
	memset(c->windows, 0, sizeof(c->windows));
	g_array_set_size(c->spaces, 0);
	table_release(&c->space_index);
	table_init(&c->space_index);
}

static u16 number_of_space(struct chainer *c, u32 pid, u64 since)
{
	u32 hash = table_fold(table_mix(pid, since)), at = hash;
	struct space_key new = { pid, since };
	s64 i;

	while ((i = table_next(&c->space_index, hash, &at)) >= 0) {
		const struct space_key *known = &g_array_index(c->spaces, struct space_key, i);

		if (known->pid == pid && known->since == since)
			return (u16)(i + 1);
	}
	if (c->spaces->len == MAX_SPACES)
		forget_spaces(c);
	g_array_append_val(c->spaces, new);
	table_add(&c->space_index, hash, c->spaces->len - 1);
	return (u16)c->spaces->len;
}

static u16 space_of(struct chainer *c, u32 pid, u64 time)
{
	struct space_window *w = &c->windows[pid % NR_WINDOWS];
	u64 from = 0, to = UINT64_MAX;
	u16 space;

	if (c->generation != c->hits.generation) {
		memset(c->windows, 0, sizeof(c->windows));
		c->generation = c->hits.generation;
	}
	if (w->pid == pid && time >= w->from && time < w->to)
		return w->space;
	machine_code_window(c->machine, pid, time, &from, &to);
	space = number_of_space(c, pid, from);
	*w = (struct space_window){ pid, from, to, space };
	return space;
}

static void set_places(struct chainer *c, u64 mask)
{
	c->mask = mask;
	c->sampled = c->nr_places = 0;
	for (u8 reg = 0; reg < CFI_NR_REGS; reg++) {
		u64 bit = 1ull << sampled_bits[reg];

		if (!(mask & bit))
			continue;
		c->sampled |= 1u << reg;
		c->places[c->nr_places++] =
			(struct sampled_place){ reg, (u8)__builtin_popcountll(mask & (bit - 1)) };
	}
}

static void take_registers(struct chainer *c, const struct sample_regs *regs,
			   struct unwind_stack *stack)
{
	if (c->mask != regs->mask)
		set_places(c, regs->mask);
	for (u32 i = 0; i < c->nr_places; i++)
		stack->regs[c->places[i].reg] = regs->regs[c->places[i].at];
	stack->known = c->sampled;
}

/* The number of addresses in the sample that belong to the kernel's part. */
static u64 kernel_part(const struct sample *s)
{
	u64 nr = 0;

	while (nr < s->nr_ips && s->ips[nr] != (u64)PERF_CONTEXT_USER &&
	       s->ips[nr] != PERF_CONTEXT_USER_DEFERRED)
		nr++;
	return nr;
}

static void give_own(const struct sample *s, u64 nr_kernel, u64 nr_ips, struct unwound_chain *out)
{
	*out = (struct unwound_chain){ .ips = s->ips,
				       .nr_ips = (u32)nr_ips,
				       .nr_user = (u32)(nr_ips - MIN(nr_ips, nr_kernel + 1)) };
}

/* Can the kernel's walk by frame pointers be right about the return address @ip? */
static bool can_return_to(struct chainer *c, u64 ip)
{
	struct mapped at;
	u64 vaddr;

	if (!machine_find(c->machine, c->thread, PERF_RECORD_MISC_USER, ip, c->time, &at,
			  &c->hits) ||
	    at.map->data)
		return false;
	return !mapped_vaddr(&at, &vaddr) || returns_in_dso(at.dso, vaddr) != RETURNS_NEVER;
}

/*
 * The length of the sample's own chain up to the first address that is no caller. Behind it the kernel followed a register
 * that was no frame pointer.
 */
static u64 credible(struct chainer *c, const struct sample *s, u64 nr_kernel)
{
	u64 nr = MIN(s->nr_ips, nr_kernel + 2);

	while (nr < s->nr_ips && can_return_to(c, s->ips[nr]))
		nr++;
	return nr;
}

/*
 * If the copy ends too early, the kernel's frame pointer walk may have got further. Returns the first of the sample's
 * own addresses above the outermost unwound frame; @nr_ips: there are none. The same holds if a runtime has switched to
 * its own stack, which begins with a return address of 0. Go's runtime keeps rbp, so frame pointers lead to the
 * goroutine's stack.
 */
static u64 spliced_from(const struct chainer *c, const struct sample *s, u64 nr_kernel, u64 nr_ips,
			u32 nr)
{
	const struct unwind_frame *last = &c->frames[nr - 1];

	for (u64 i = nr_kernel; i < nr_ips && !last->exact; i++)
		if (s->ips[i] == last->ip)
			return i + 1;
	return nr_ips;
}

static void give_unwound(struct chainer *c, const struct sample *s, u64 nr_kernel, u32 nr,
			 u64 own_from, u64 own_to, struct unwound_chain *out)
{
	size_t nr_own = own_to - own_from, nr_ips = nr_kernel + 1 + nr + nr_own;
	u64 *at;

	if (nr_ips > c->nr_ips) {
		c->nr_ips = 2 * nr_ips;
		c->ips = g_renew(u64, c->ips, c->nr_ips);
	}
	if (nr_kernel)
		memcpy(c->ips, s->ips, nr_kernel * sizeof(u64));
	at = c->ips + nr_kernel;
	*at++ = (u64)PERF_CONTEXT_USER;
	for (u32 i = 0; i < nr; i++)
		*at++ = unwind_frame_shown(&c->frames[i]);
	for (u64 i = own_from; i < own_to; i++)
		*at++ = s->ips[i] - 1;
	out->ips = c->ips;
	out->nr_ips = (u32)nr_ips;
	out->nr_user = nr + (u32)nr_own;
	out->nr_spliced = (u32)nr_own;
	out->unwound = true;
	out->frames = c->frames;
	out->nr_frames = nr;
}

/* Updates the moving average of needed stack bytes. A new sample has a weight of 1/16. */
static void note_used(struct chainer *c, const struct unwind_stack *stack, u32 nr)
{
	u64 used = c->frames[nr - 1].sp - stack->address;

	if (used <= stack->size)
		c->used = (c->used * 15 + used) / 16;
}

void chainer_unwind(struct chainer *c, const struct event *event, struct unwound_chain *out)
{
	const struct sample *s = &event->sample;
	struct unwind_stack stack = { .process = c };
	u64 nr_kernel = kernel_part(s), own_from, own_to;
	u32 nr;

	give_own(s, nr_kernel, s->nr_ips, out);
	c->last_ip = 0;
	if (s->user_regs.abi == PERF_SAMPLE_REGS_ABI_NONE)
		return;
	c->time = event->id.time;
	c->thread = machine_thread(c->machine, event->id.pid, event->id.tid, c->time, &c->hits);
	stack.space = space_of(c, c->thread->pid, c->time);
	take_registers(c, &s->user_regs, &stack);
	stack.address = stack.regs[CFI_RSP];
	stack.narrow = s->user_regs.abi == PERF_SAMPLE_REGS_ABI_32;
	stack.bytes = s->user_stack.data;
	stack.size = MIN(s->user_stack.dyn_size, s->user_stack.size);
	stack.more = (struct unwind_memory){ s->more_stack.address, s->more_stack.data,
					     s->more_stack.size };
	nr = unwinder_walk(c->unwinder, &stack, c->frames, c->max, &out->end);
	if (out->end.why == UNWIND_NO_CFI && !has_file(c, out->end.address))
		out->end.why = UNWIND_NO_FILE;
	own_from = own_to = out->nr_user > nr ? credible(c, s, nr_kernel) : s->nr_ips;
	if (nr && (out->end.why == UNWIND_CUT || out->end.zero))
		own_from = spliced_from(c, s, nr_kernel, own_to, nr);
	/* The kernel's frame pointer walk may have got further. */
	if (!nr ||
	    (own_to > nr_kernel + 1 + nr && out->end.why != UNWIND_ROOT && own_from == own_to)) {
		give_own(s, nr_kernel, own_to, out);
		return;
	}
	give_unwound(c, s, nr_kernel, nr, own_from, own_to, out);
	note_used(c, &stack, nr);
	out->last_ip = c->last_ip = unwind_frame_shown(&c->frames[nr - 1]);
	if (out->end.why == UNWIND_CUT)
		out->needed = out->end.address + (stack.narrow ? sizeof(u32) : sizeof(u64)) -
			      stack.address;
}

void chainer_expect(const struct chainer *c, const struct event *event)
{
	const struct sample_bytes *stack = &event->sample.user_stack;
	u64 size = MIN(stack->dyn_size, c->used + c->used / 2);
	const u8 *bytes = stack->data;

	for (u64 i = 0; i < size; i += CACHE_LINE)
		__builtin_prefetch(bytes + i);
}

struct dso *chainer_last_dso(struct chainer *c)
{
	struct mapped at;

	if (!c->last_ip || !machine_find(c->machine, c->thread, PERF_RECORD_MISC_USER, c->last_ip,
					 c->time, &at, &c->hits))
		return NULL;
	return at.dso;
}
