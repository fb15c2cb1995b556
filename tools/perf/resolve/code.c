// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses become code in three steps, each a hash look-up when it was seen before: an
 * address of a process at a time (slots, direct-mapped, forgetful), an address of a mapping
 * (code_index, complete), a symbol (function_index).
 */
#include "resolve/private.h"

#include <linux/perf_event.h>
#include <string.h>

#include "dso/lines.h"

#define BLOCK_CODES 1024u

static struct code *code_at(const struct resolver *r, u32 i)
{
	return g_ptr_array_index(r->codes, i);
}

static struct code *new_code(struct resolver *r)
{
	if (!r->block_left) {
		r->block_at = g_new0(struct code, BLOCK_CODES);
		r->block_left = BLOCK_CODES;
		g_ptr_array_add(r->blocks, r->block_at);
	}
	r->block_left--;
	g_ptr_array_add(r->codes, r->block_at);
	g_ptr_array_add(r->numbers->codes, r->block_at);
	r->block_at->id = r->numbers->codes->len;
	return r->block_at++;
}

/* What may be two files, and two symbols, of the same names. */
static bool same_name(const struct code *a, const struct code *b)
{
	const char *x = code_name(a), *y = code_name(b);

	if (!a->dso || !b->dso ? a->dso != b->dso
			       : strcmp(dso_short_name(a->dso), dso_short_name(b->dso)))
		return false;
	if (!x || !y)
		return !x && !y && code_bare_address(a) == code_bare_address(b);
	return a->level == b->level && !a->inlined == !b->inlined && !strcmp(x, y);
}

static u32 name_hash(const struct code *c)
{
	const char *name = code_name(c);
	u64 what = name ? g_str_hash(name) : code_bare_address(c);

	return table_fold(
		table_mix(table_mix(0, what), c->dso ? g_str_hash(dso_short_name(c->dso)) : 0));
}

static bool same_function(const struct code *a, const struct code *b)
{
	if (a->symbol || b->symbol)
		return a->symbol == b->symbol && a->inlined == b->inlined;
	return a->dso == b->dso && code_bare_address(a) == code_bare_address(b);
}

static u32 function_hash(const struct code *c)
{
	u64 what = c->symbol ? (u64)(uintptr_t)c->symbol : code_bare_address(c);
	u64 whose = c->symbol ? (u64)(uintptr_t)c->inlined : (u64)(uintptr_t)c->dso;

	return table_fold(table_mix(table_mix(0, what), whose));
}

static void set_function(struct resolver *r, struct code *c)
{
	struct code_numbers *n = r->numbers;
	u32 hash = n->by_name ? name_hash(c) : function_hash(c), at = hash;
	s64 i;

	while ((i = table_next(&n->function_index, hash, &at)) >= 0) {
		const struct code *known = g_ptr_array_index(n->functions, i);

		if (n->by_name ? same_name(known, c) : same_function(known, c)) {
			c->function = (u32)i + 1;
			return;
		}
	}
	g_ptr_array_add(n->functions, c);
	c->function = n->functions->len;
	table_add(&n->function_index, hash, n->functions->len - 1);
}

static struct code *intern(struct resolver *r, const struct mapped *at_map)
{
	u64 mapping = at_map->map ? at_map->map->id + 1 : 0;
	u64 mixed = table_mix(table_mix(mapping << 8 | (u8)at_map->level, at_map->va), 0);
	u32 hash = table_fold(mixed), at = hash;
	struct code *c;
	s64 i;

	while ((i = table_next(&r->code_index, hash, &at)) >= 0) {
		c = code_at(r, (u32)i);
		if (c->va == at_map->va && c->map == at_map->map && c->level == at_map->level)
			return c;
	}
	c = new_code(r);
	table_add(&r->code_index, hash, r->codes->len - 1);
	c->va = at_map->va;
	c->map = at_map->map;
	c->dso = at_map->dso;
	c->level = at_map->level;
	c->vaddr = c->va;
	return c;
}

/* Opens the dso, which is why it waits until somebody asks. */
static void name(struct resolver *r, const struct mapped *at_map, struct code *c)
{
	if (c->dso && mapped_vaddr(at_map, &c->vaddr))
		c->symbol = dso_find_symbol(c->dso, c->vaddr);
	set_function(r, c);
}

static struct code_slot *slot_of(struct resolver *r, u32 pid, u64 va)
{
	u64 mixed = table_mix(pid, va);

	return &r->slots[table_fold(mixed) & (NR_CODE_SLOTS - 1)];
}

const struct code *resolve_code(struct resolver *r, const struct thread *thread, u8 cpumode,
				enum code_lookup how, u64 va, u64 time)
{
	u16 mode = (u16)(cpumode | (how == LOOKUP_ANY ? 0x100 : 0));
	struct code_slot *slot = slot_of(r, thread->pid, va);
	struct mapped mapped;
	struct code *code;

	if (slot->generation == r->hits.generation && slot->va == va && slot->pid == thread->pid &&
	    slot->mode == mode && time >= slot->from && time < slot->to &&
	    (slot->code->function || !r->symbols))
		return slot->code;
	if (how == LOOKUP_ANY)
		machine_find_any(r->machine, thread, cpumode, va, time, &mapped, &r->hits);
	else
		machine_find(r->machine, thread, cpumode, va, time, &mapped, &r->hits);
	slot->code = code = intern(r, &mapped);
	if (r->symbols && !code->function)
		name(r, &mapped, code);
	slot->va = va;
	slot->pid = thread->pid;
	slot->mode = mode;
	slot->from = mapped.from;
	slot->to = mapped.to;
	slot->generation = r->hits.generation;
	return slot->code;
}

static const struct code *inlined_code(struct resolver *r, const struct code *outer,
				       const char *function)
{
	struct code *c = new_code(r);
	u32 id = c->id;

	*c = *outer;
	c->id = id;
	c->inlined = g_intern_string(function);
	set_function(r, c);
	return c;
}

const struct code *const *resolve_inlined(struct resolver *r, const struct code *code)
{
	const struct source_frame *frames;
	GPtrArray *list;
	u32 nr;

	if (r->inlined->len < code->id)
		g_ptr_array_set_size(r->inlined, (int)MAX(code->id, r->numbers->codes->len));
	if (r->inlined->pdata[code->id - 1])
		return r->inlined->pdata[code->id - 1];
	list = g_ptr_array_new();
	nr = code->symbol && code->level == '.' ? dso_frames(code->dso, code->vaddr, &frames) : 0;
	for (u32 i = 0; i + 1 < nr; i++)
		if (frames[i].function && frames[i].inlined)
			g_ptr_array_add(list, (void *)inlined_code(r, code, frames[i].function));
	g_ptr_array_add(list, (void *)code);
	g_ptr_array_add(list, NULL);
	if (r->inlined->len < code->id)
		g_ptr_array_set_size(r->inlined, (int)code->id);
	r->inlined->pdata[code->id - 1] = g_ptr_array_free(list, FALSE);
	return r->inlined->pdata[code->id - 1];
}

const struct code *resolver_code(const struct resolver *r, u32 id)
{
	return g_ptr_array_index(r->numbers->codes, id - 1);
}

const struct code *resolver_function(const struct resolver *r, u32 function)
{
	return g_ptr_array_index(r->numbers->functions, function - 1);
}

const char *code_name(const struct code *code)
{
	if (code->inlined)
		return code->inlined;
	return code->symbol ? dso_symbol_name(code->dso, code->symbol) : NULL;
}

bool code_line(const struct code *code, const char **file, u32 *line)
{
	return code->dso && dso_line(code->dso, code->vaddr, file, line);
}

u64 code_bare_address(const struct code *code)
{
	const struct map *map = code->map;

	if (!map || map->kernel || map->identity)
		return code->va;
	return code->va - map->start + map->pgoff;
}
