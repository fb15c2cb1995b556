// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The processor takes a timer's interrupt when the oldest instruction retires. The saved address is that of the
 * instruction executed next. A load that misses the cache is the oldest instruction for as long as it waits, so nearly
 * all samples of its wait name the instruction behind it:
 *
 *	while (n) {			401160:  mov  0x8(%rdi),%rdi	the load that waits
 *		sum += k;		401164:  add  %rdx,%rax		the samples
 *		n = n->next;		401167:  test %rdi,%rdi
 *	}				40116a:  jne  401160
 *
 * Inside of a block, the instruction before is the one at the lower address. At the start of a block it is the last
 * instruction of a block that leads there, and there may be several:
 *
 *	v = c ? n->val : n->id;			je   1f
 *						mov  0x10(%rdi),%rax	the samples of val's wait are at 2:
 *						jmp  2f
 *					1:	mov  0x8(%rdi),%rax	those of id's wait, too
 *					2:	add  %rax,%rbx
 *
 * Here the jmp separates the two: what waits for val is followed by the jmp, which gets the samples. Jumps, nops and moves
 * between registers never wait, so these ways are left out if another one remains.
 *
 * A compare and the conditional jump behind it may be one instruction for the processor (fusion.h); then the samples of
 * the compare's wait are behind the jump.
 */
#include <string.h>

#include "typeflow/code/waits.h"

#define MOST_WAYS 16

void waits_init(struct waits *waits, const struct cfg *cfg, enum insn_fusion fusion, bool kernel)
{
	*waits = (struct waits){ .cfg = cfg, .fusion = fusion, .kernel = kernel };
}

/* Only needed for instructions at the start of a block. */
static void find_predecessors(struct waits *waits)
{
	const struct cfg *cfg = waits->cfg;
	u32 nr = cfg->blocks->len;
	g_autofree u32 *filled = g_new0(u32, nr + 1);

	waits->first = g_new0(u32, nr + 2);
	waits->before = g_new(u32, cfg->edges->len + 1);
	for (u32 i = 0; i < cfg->edges->len; i++)
		waits->first[g_array_index(cfg->edges, u32, i) + 1]++;
	for (u32 i = 0; i < nr; i++)
		waits->first[i + 1] += waits->first[i];
	for (u32 i = 0; i < nr; i++) {
		const struct block *block = &g_array_index(cfg->blocks, struct block, i);

		for (u32 n = block->next; n < block->next + block->nr_next; n++) {
			u32 to = g_array_index(cfg->edges, u32, n);

			waits->before[waits->first[to] + filled[to]++] = i;
		}
	}
}

void waits_release(struct waits *waits)
{
	g_clear_pointer(&waits->first, g_free);
	g_clear_pointer(&waits->before, g_free);
}

bool insn_accesses(const struct insn *insn)
{
	for (u32 i = 0; i < insn->nr_operands; i++)
		if (insn->operands[i].kind == INSN_MEM && insn->operands[i].access)
			return true;
	return insn->stack_op;
}

/* It takes no time of its own: a direct jump, a nop, a move between registers, a register set to 0. */
static bool never_waits(const struct insn *insn)
{
	if (insn_accesses(insn))
		return false;
	return (insn->flow == INSN_JUMP && !insn->indirect) || insn->op == INSN_NOP ||
	       insn->op == INSN_MOV || insn->zero;
}

/* sti and popf: interrupts that are pending are taken behind it. */
static bool allows_interrupts(const struct insn *insn)
{
	return insn->op == INSN_IRQ_ON || (insn->op == INSN_POP && insn_writes(insn, X86_RFLAGS));
}

static const struct block *block_of(const struct cfg *cfg, u32 at)
{
	return &g_array_index(cfg->blocks, struct block, cfg->block_of[at]);
}

/* The instruction right before @at on the only path that is known to lead there, or CFG_NONE. */
static u32 straight_before(const struct cfg *cfg, u32 at)
{
	if (!at || at == block_of(cfg, at)->first)
		return CFG_NONE;
	return cfg->insns[at - 1].vaddr + cfg->insns[at - 1].size == cfg->insns[at].vaddr
		       ? at - 1
		       : CFG_NONE;
}

/*
 * The interrupt is taken behind the instruction that allows interrupts, but one instruction later for sti ("interrupt
 * shadow"): the CPU must be able to return between both.
 */
static u32 allowed_by(const struct waits *w, u32 last)
{
	const struct cfg *cfg = w->cfg;
	u32 before;

	if (!w->kernel)
		return CFG_NONE;
	if (allows_interrupts(&cfg->insns[last]))
		return last;
	before = straight_before(cfg, last);
	return before != CFG_NONE && cfg->insns[before].op == INSN_IRQ_ON ? before : CFG_NONE;
}

static void add_way(GArray *ways, enum waited_how how, u32 at, u32 from)
{
	struct wait_way way = { at, from, how };

	for (u32 i = 0; i < ways->len; i++) {
		const struct wait_way *known = &g_array_index(ways, struct wait_way, i);

		if (known->how == way.how && known->at == way.at)
			return;
	}
	g_array_append_val(ways, way);
}

/* The way by which control comes from instruction @last. */
static struct wait_way way_from(const struct waits *w, u32 last)
{
	const struct cfg *cfg = w->cfg;
	const struct insn *insn = &cfg->insns[last];
	u32 from = block_of(cfg, last)->first, allowed = allowed_by(w, last);

	if (allowed != CFG_NONE)
		return (struct wait_way){ allowed, from, WAITED_MASKED };
	if (insn->flow == INSN_CALL)
		return (struct wait_way){ last, from, WAITED_RETURN };
	if (insn->op == INSN_SYSCALL)
		return (struct wait_way){ last, from, WAITED_KERNEL };
	if (last > from && insn->flow == INSN_COND && insn_fuses(w->fusion, insn - 1, insn))
		return (struct wait_way){ last - 1, from, WAITED_BEFORE };
	return (struct wait_way){ last, from, WAITED_BEFORE };
}

static void add_last(const struct waits *w, u32 last, GArray *ways)
{
	struct wait_way way = way_from(w, last);

	add_way(ways, way.how, way.at, way.from);
}

static bool is_idle_way(const struct waits *w, const struct wait_way *way)
{
	return way->how == WAITED_BEFORE && never_waits(&w->cfg->insns[way->at]);
}

/* Removes the ways that cannot have waited, unless all are such. */
static void remove_idle(const struct waits *w, GArray *ways)
{
	u32 idle = 0;

	for (u32 i = 0; i < ways->len; i++)
		idle += is_idle_way(w, &g_array_index(ways, struct wait_way, i));
	for (u32 i = ways->len; idle < ways->len && idle && i-- > 0;)
		if (is_idle_way(w, &g_array_index(ways, struct wait_way, i))) {
			g_array_remove_index(ways, i);
			idle--;
		}
}

/*
 * An interpreter's label is the target of a hundred jumps through a register. They are alike: none accesses memory. So
 * only the first of them is kept if there are many.
 */
static void remove_alike(const struct waits *w, GArray *ways)
{
	bool first = true;

	for (u32 i = 0; ways->len > MOST_WAYS && i < ways->len;) {
		const struct wait_way *way = &g_array_index(ways, struct wait_way, i);
		bool alike = way->how == WAITED_BEFORE && !insn_accesses(&w->cfg->insns[way->at]);

		if (alike && !first)
			g_array_remove_index(ways, i);
		else
			i++;
		first &= !alike;
	}
}

/*
 * Its first instruction that is executed. If no way to a block is known, the nops at its start fill the space before an
 * aligned label.
 */
static u32 start_of(const struct waits *w, u32 number)
{
	const struct block *block = &g_array_index(w->cfg->blocks, struct block, number);
	u32 at = block->first;

	if (block->entry || w->first[number] != w->first[number + 1])
		return at;
	while (at < block->end && w->cfg->insns[at].op == INSN_NOP)
		at++;
	return at;
}

static bool is_padding(const struct waits *w, u32 number)
{
	return start_of(w, number) == g_array_index(w->cfg->blocks, struct block, number).end;
}

/* The code takes the address of instruction @at, as of a label for a computed goto. */
static bool is_label(const struct cfg *cfg, u32 at)
{
	for (u32 i = 0; i < cfg->nr; i++)
		for (u32 k = 0; k < cfg->insns[i].nr_operands; k++) {
			const struct insn_operand *op = &cfg->insns[i].operands[k];

			if (op->kind == INSN_MEM && op->relative &&
			    (u64)op->mem.disp == cfg->insns[at].vaddr)
				return true;
		}
	return false;
}

/* A label without a known way: the indirect jumps of the function whose targets are not known lead there. */
static void add_indirect(const struct waits *w, u32 at, GArray *ways)
{
	const struct cfg *cfg = w->cfg;

	if (!is_label(cfg, at))
		return;
	for (u32 i = 0; i < cfg->blocks->len; i++) {
		const struct block *block = &g_array_index(cfg->blocks, struct block, i);
		const struct insn *last = &cfg->insns[block->end - 1];

		if (last->flow == INSN_JUMP && last->indirect && !block->nr_next)
			add_last(w, block->end - 1, ways);
	}
}

static void add_before_block(const struct waits *w, u32 number, GArray *ways)
{
	const struct block *block = &g_array_index(w->cfg->blocks, struct block, number);

	if (block->entry && !w->headless)
		add_way(ways, WAITED_ENTRY, block->first, block->first);
	for (u32 i = w->first[number]; i < w->first[number + 1]; i++)
		if (!is_padding(w, w->before[i]))
			add_last(w,
				 g_array_index(w->cfg->blocks, struct block, w->before[i]).end - 1,
				 ways);
	if (!ways->len && start_of(w, number) < block->end)
		add_indirect(w, start_of(w, number), ways);
}

/* Asked before start_of(), which goes through the nops: a function may have thousands of them in a row. */
static bool ends_nops(const struct cfg *cfg, u32 at)
{
	return cfg->insns[at].op != INSN_NOP && cfg->insns[at - 1].op == INSN_NOP;
}

/* A string instruction, or an endless loop of one jump. The jump never waits, but nothing else runs there. */
static bool repeats(const struct insn *insn)
{
	return insn->rep || (insn->flow == INSN_JUMP && insn->target == insn->vaddr);
}

/* Most instructions are in the middle of a block, and have one way. False: see find_ways(). out: @way. */
static bool find_straight(const struct waits *w, u32 at, struct wait_way *way)
{
	const struct cfg *cfg = w->cfg;

	if (repeats(&cfg->insns[at]) || at == block_of(cfg, at)->first || ends_nops(cfg, at) ||
	    straight_before(cfg, at) == CFG_NONE)
		return false;
	*way = way_from(w, at - 1);
	return true;
}

static void find_ways(struct waits *w, u32 at, GArray *ways)
{
	const struct cfg *cfg = w->cfg;

	if (!w->first)
		find_predecessors(w);
	g_array_set_size(ways, 0);
	if (repeats(&cfg->insns[at])) {
		add_way(ways, WAITED_HERE, at, block_of(cfg, at)->first);
		return;
	}
	if (at == block_of(cfg, at)->first ||
	    (ends_nops(cfg, at) && at == start_of(w, cfg->block_of[at])))
		add_before_block(w, cfg->block_of[at], ways);
	else if (straight_before(cfg, at) != CFG_NONE)
		add_last(w, at - 1, ways);
	remove_idle(w, ways);
	remove_alike(w, ways);
	if (!ways->len || ways->len > MOST_WAYS) {
		g_array_set_size(ways, 0);
		add_way(ways, WAITED_UNKNOWN, at, at);
	}
}

void waits_find(struct waits *w, u32 at, GArray *ways)
{
	struct wait_way way;

	if (!find_straight(w, at, &way)) {
		find_ways(w, at, ways);
		return;
	}
	g_array_set_size(ways, 0);
	g_array_append_val(ways, way);
}

/* The next instruction from @at on that is @asked; the number of instructions: none. */
static u32 next_asked(const struct cfg *cfg, const u8 *asked, u32 at)
{
	const u8 *found;

	if (!asked || at >= cfg->nr)
		return at;
	found = memchr(asked + at, 1, cfg->nr - at);
	return found ? (u32)(found - asked) : cfg->nr;
}

/* Writes @ways at *@nr of @all, which has room in advance, as addresses. */
static void put_ways(const struct waits *w, u64 low, const struct wait_way *ways, u32 nr_ways,
		     GArray *all, u32 *nr, u8 *charged)
{
	const struct insn *insns = w->cfg->insns;

	if (*nr + nr_ways > all->len)
		g_array_set_size(all, 2 * all->len + nr_ways);
	for (u32 i = 0; i < nr_ways; i++) {
		const struct wait_way *way = &ways[i];

		if (charged && (way->how == WAITED_BEFORE || way->how == WAITED_HERE))
			charged[way->at] = 1;
		g_array_index(all, struct wait_way, (*nr)++) =
			(struct wait_way){ (u32)(insns[way->at].vaddr - low),
					   (u32)(insns[way->from].vaddr - low), way->how };
	}
}

void waits_add_rows(struct waits *w, u64 low, const u8 *asked, GArray *rows, GArray *all,
		    u8 *charged)
{
	g_autoptr(GArray) ways = g_array_new(false, false, sizeof(struct wait_way));
	const struct cfg *cfg = w->cfg;
	u32 nr = all->len, nr_rows = rows->len;

	for (u32 i = next_asked(cfg, asked, 0); i < cfg->nr; i = next_asked(cfg, asked, i + 1)) {
		struct wait_row row = { (u32)(cfg->insns[i].vaddr - low), nr, 1 };
		struct wait_way straight;

		if (find_straight(w, i, &straight)) {
			put_ways(w, low, &straight, 1, all, &nr, charged);
		} else {
			find_ways(w, i, ways);
			put_ways(w, low, (const struct wait_way *)(void *)ways->data, ways->len,
				 all, &nr, charged);
			row.nr = ways->len;
		}
		if (nr_rows == rows->len)
			g_array_set_size(rows, 2 * nr_rows + 1);
		g_array_index(rows, struct wait_row, nr_rows++) = row;
	}
	g_array_set_size(rows, nr_rows);
	g_array_set_size(all, nr);
}

void waits_tell(const struct wait_way *ways, u32 nr, u64 low, GArray *out)
{
	g_array_set_size(out, nr);
	for (u32 i = 0; i < nr; i++)
		g_array_index(out, struct waited_way, i) =
			(struct waited_way){ ways[i].how, low + ways[i].at, low + ways[i].from };
}
