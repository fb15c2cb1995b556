// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the code at an address in three steps. Each step is a hash look-up if its key was seen before:
 *
 *	step	key					table
 *	1	process, address, time			code_cache.h, which evicts old answers
 *	2	mapping, address			code_index, which keeps all answers
 *	3	symbol					function_index
 */
#include "resolve/private.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/big.h"
#include "dso/lines.h"

#define CACHE_LINE 64u
G_STATIC_ASSERT(sizeof(struct code) == CACHE_LINE);

/* Each block has room for twice as many as the one before it. */
static u32 block_of(u32 i)
{
	return 31 - (u32)__builtin_clz(i / CODES_IN_FIRST + 1);
}

static u32 codes_in(u32 block)
{
	return CODES_IN_FIRST << block;
}

static struct code *code_at(const struct resolver *r, u32 i)
{
	u32 block = block_of(i);

	return r->blocks[block] + (i - (codes_in(block) - CODES_IN_FIRST));
}

void resolve_free_codes(struct resolver *r)
{
	for (u32 block = 0; block < NR_BLOCKS && r->blocks[block]; block++)
		big_free(r->blocks[block], codes_in(block) * sizeof(struct code));
}

const struct code *resolve_numbered(const struct resolver *r, u32 number)
{
	return code_at(r, number - 1);
}

static struct code *new_code(struct resolver *r)
{
	u32 block = block_of(r->nr_codes);
	struct code *c;

	if (!r->blocks[block])
		r->blocks[block] = big_new0(codes_in(block) * sizeof(struct code));
	c = code_at(r, r->nr_codes++);
	g_ptr_array_add(r->numbers->codes, c);
	c->id = r->numbers->codes->len;
	return c;
}

/* Are they equal by name? They may be two files, or two symbols, that have the same name. */
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

/* The array of symbols is small. The function's code may be in memory that no cache has. */
static bool is_function(const struct code_numbers *n, u32 i, const struct code *c)
{
	if (c->symbol && !c->inlined)
		return g_ptr_array_index(n->symbols, i) == c->symbol;
	return same_function(g_ptr_array_index(n->functions, i), c);
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

	while ((i = table_next(&n->function_index, hash, &at)) >= 0)
		if (n->by_name ? same_name(g_ptr_array_index(n->functions, i), c)
			       : is_function(n, (u32)i, c)) {
			c->function = (u32)i + 1;
			return;
		}
	g_ptr_array_add(n->functions, c);
	g_ptr_array_add(n->symbols, c->inlined ? NULL : (void *)c->symbol);
	c->function = n->functions->len;
	table_add(&n->function_index, hash, n->functions->len - 1);
}

static u32 code_hash(const struct mapped *at_map, bool caller)
{
	u64 mapping = at_map->map ? at_map->map->id + 1 : 0;

	return table_fold(
		table_mix(table_mix(mapping << 8 | (u8)at_map->level, at_map->va), caller));
}

/* The number of the address among all that the resolver knows, from 1. */
static u32 intern(struct resolver *r, const struct mapped *at_map, bool caller)
{
	u32 hash = code_hash(at_map, caller), at = hash;
	struct code *c;
	s64 i;

	while ((i = table_next(&r->code_index, hash, &at)) >= 0) {
		c = code_at(r, (u32)i);
		if (c->va == at_map->va && c->map == at_map->map && c->level == at_map->level &&
		    !c->caller == !caller)
			return (u32)i + 1;
	}
	c = new_code(r);
	table_add(&r->code_index, hash, r->nr_codes - 1);
	c->va = at_map->va;
	c->map = at_map->map;
	c->dso = at_map->dso;
	c->level = at_map->level;
	c->vaddr = c->va;
	c->caller = caller ? CODE_MAYBE_RETURN : CODE_HIT;
	return r->nr_codes;
}

/* Sets dso and symbol. This opens the file, so it is done only when a caller asks for them. */
static void name(struct resolver *r, const struct mapped *at_map, struct code *c)
{
	bool in_file = c->dso && mapped_vaddr(at_map, &c->vaddr);

	if (c->caller)
		c->caller = (u8)resolve_caller(c);
	if (in_file)
		c->symbol = dso_find_symbol(c->dso, code_insn_vaddr(c));
	set_function(r, c);
}

/* Limits the time range in which all look-ups of the present sample are valid. */
static void narrow(struct resolver *r, u64 from, u64 to)
{
	r->from = MAX(r->from, from);
	r->to = MIN(r->to, to);
}

static struct code *code_of(struct resolver *r, const struct mapped *mapped, bool caller,
			    u32 *number)
{
	struct code *code;

	*number = intern(r, mapped, caller);
	code = code_at(r, *number - 1);
	if (r->symbols && !code->function)
		name(r, mapped, code);
	narrow(r, mapped->from, mapped->to);
	return code;
}

const struct code *resolver_code_at(struct resolver *r, const struct place *place, u64 va)
{
	return resolve_code(r, place->thread, place->cpumode, LOOKUP_MODE, va, place->time);
}

const struct code *resolver_data_at(struct resolver *r, const struct place *place, u64 va)
{
	return resolve_code(r, place->thread, place->cpumode, LOOKUP_ANY, va, place->time);
}

const struct code *resolver_beside(struct resolver *r, const struct code *code, u64 vaddr)
{
	struct mapped mapped = { .map = code->map, .dso = code->dso };
	struct code *beside;
	u32 number;

	mapped.level = code->level;
	mapped.va = code->va + (vaddr - code->vaddr);
	number = intern(r, &mapped, false);
	beside = code_at(r, number - 1);
	if (!beside->function) {
		beside->vaddr = vaddr;
		beside->symbol = dso_find_symbol_near(beside->dso, vaddr, code->symbol);
		/* Of the same symbol: it is the same function. */
		if (beside->symbol && beside->symbol == code->symbol && !code->inlined)
			beside->function = code->function;
		if (!beside->function)
			set_function(r, beside);
	}
	return beside;
}

static u32 kind_of(u8 cpumode, enum code_lookup how)
{
	return cpumode | (u32)how << 8;
}

u32 resolve_known(struct resolver *r, const struct thread *thread, u8 cpumode, enum code_lookup how,
		  u64 va, u64 time)
{
	const struct code_window *window;
	u32 number =
		code_cache_find(r->cache, thread->pid, kind_of(cpumode, how), va, time, &window);

	if (!number || (r->symbols && !code_at(r, number - 1)->function))
		return 0;
	narrow(r, window->from, window->to);
	return number;
}

const struct code *resolve_code(struct resolver *r, const struct thread *thread, u8 cpumode,
				enum code_lookup how, u64 va, u64 time)
{
	u32 number = resolve_known(r, thread, cpumode, how, va, time);
	struct mapped mapped;
	struct code *code;

	if (number)
		return code_at(r, number - 1);
	if (how == LOOKUP_ANY)
		machine_find_any(r->machine, thread, cpumode, va, time, &mapped, &r->hits);
	else
		machine_find(r->machine, thread, cpumode, va, time, &mapped, &r->hits);
	code = code_of(r, &mapped, how == LOOKUP_CALLER, &number);
	if (mapped.from < mapped.to)
		code_cache_store(r->cache,
				 &(struct code_window){ mapped.from, mapped.to, thread->pid,
							kind_of(cpumode, how) },
				 va, number);
	return code;
}

const struct code *resolve_new_code(struct resolver *r, const struct thread *thread, u8 cpumode,
				    u64 va, u64 time)
{
	struct mapped mapped;
	u32 number;

	machine_find(r->machine, thread, cpumode, va, time, &mapped, &r->hits);
	return code_of(r, &mapped, false, &number);
}

void resolve_prefetch_code(struct resolver *r, const struct thread *thread, u8 cpumode, u64 va,
			   u64 time)
{
	struct mapped mapped;

	machine_find(r->machine, thread, cpumode, va, time, &mapped, &r->hits);
	table_prefetch(&r->code_index, code_hash(&mapped, false));
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

const struct code *const *resolve_find_inlined(struct resolver *r, const struct code *code)
{
	const struct source_frame *frames;
	GPtrArray *list;
	u32 nr;

	if (r->inlined->len < code->id)
		g_ptr_array_set_size(r->inlined, (int)MAX(code->id, r->numbers->codes->len));
	list = g_ptr_array_new();
	nr = code->symbol && code->level == '.'
		     ? dso_functions(code->dso, code_insn_vaddr(code), &frames)
		     : 0;
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

const char *resolver_kernel_function(struct resolver *r, u64 va, u64 time, u64 *start)
{
	const struct thread *swapper = machine_thread(r->machine, 0, 0, time, &r->hits);
	const bool symbols = r->symbols;
	const struct code *code;

	r->symbols = true;
	code = resolve_code(r, swapper, PERF_RECORD_MISC_KERNEL, LOOKUP_MODE, va, time);
	r->symbols = symbols;
	if (code->symbol)
		*start = va - (code->vaddr - code->symbol->start);
	return code_name(code);
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
	return code->dso && dso_line(code->dso, code_insn_vaddr(code), file, line);
}

u64 code_bare_address(const struct code *code)
{
	const struct map *map = code->map;

	if (!map || (map->kernel ? !map->identity : map->identity))
		return code->va;
	return code->va - map->start + map->pgoff;
}
