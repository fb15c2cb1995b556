// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Jump tables. In position-independent code, gcc and clang make tables of 4-byte distances from the table's start. In
 * other code the entries are 8-byte addresses. gcc's computed gotos use 8-byte addresses that the dynamic linker
 * relocates:
 *
 *	lea   table(%rip),%rdx			jmp  *table(,%rax,8)
 *	movslq (%rdx,%rax,4),%rax
 *	add   %rdx,%rax
 *	jmp   *%rax
 *
 * The table's address may be computed far from the jump: an interpreter's loop keeps it in a register. So tables are
 * found without the jump: an address in the function's code is a table if its entries lead to starts of instructions
 * of this function. A table ends at the first entry that does not, or where the next table begins. If a jump's own
 * block names a table, the jump uses that table; otherwise it may use any.
 *
 * Interpreters also store addresses of their code in the program that they interpret ("jmp *(%rbx)"), and copy them
 * from a table that no jump names, perhaps in another function. The targets of such a table, and of relocated
 * pointers into the function, are labels: a jump through memory may go to any of them.
 *
 * Example, from gcc -O2: a switch over 0 to 5, otherwise `return 0` in the cold part.
 *
 *	60:	cmp    $0x5,%edi		block 0: edges to block 1 (falls through) and to sw.cold
 *	63:	ja     800 <sw.cold>
 *	69:	lea    0xf90(%rip),%rdx	# 1000	block 1: names the table at 1000
 *	70:	mov    %edi,%edi
 *	72:	movslq (%rdx,%rdi,4),%rax
 *	76:	add    %rdx,%rax
 *	79:	jmp    *%rax			edges to all targets of the table
 *	7b:	nopl   0x0(%rax,%rax,1)		block 2: padding, no edge leads there (cfg_order.c)
 *	80:	addl   $0x1,0x8(%rsi)		block 3: case 4
 *	...
 *
 *	table at 1000: the target minus 1000	a0 a8 b8 c0 80 90: cases 0 to 5, six edges
 *	then a byte string			its four bytes lead to no instruction of the function: the table ends
 *
 * Too many edges cost precision, since more states are joined. A missing edge would make answers wrong. So a jump whose
 * block names no table gets edges to all labels and to the targets of all tables; through memory without an index
 * (jmp *8(%rax)), to the labels only.
 *
 * Limits: MAX_ENTRIES entries of a table. A table of one entry is not recognized (MIN_ENTRIES). Tables that
 * are filled at run time are not known; their targets are blocks without a predecessor (block.root).
 */
#include <string.h>

#include "base/search.h"
#include "typeflow/code/cfg.h"

#define MAX_INSNS   400000
#define MAX_ENTRIES 4096
#define MIN_ENTRIES 2

/*
 * Memory is allocated ahead for the instructions of at most so many bytes, with a mean size that most functions
 * exceed.
 */
#define BYTES_AT_ONCE	(1 << 20)
#define LEAST_MEAN_SIZE 3

struct found_table {
	u64 at;	       /* vaddr of its first entry */
	bool absolute; /* entries are addresses of 8 bytes; else distances of 4 bytes */
	GArray *targets; /* u32 instruction; may repeat. NULL: a later one in the list is the same table */
	bool jumped; /* a jump uses it */
};

struct building {
	struct cfg *cfg;
	struct dso *dso;
	struct data_image *image;
	u8 *leads; /* by instruction: bit 0: a block starts there; bit 1: a call without return */
	GArray *found;	/* struct found_table, sorted by at */
	GArray *labels; /* u32 instruction */
};

u32 cfg_find(const struct cfg *cfg, u64 vaddr)
{
	u32 at = SEARCH(i, 0, cfg->nr, cfg->insns[i].vaddr < vaddr);

	return at < cfg->nr && cfg->insns[at].vaddr == vaddr ? at : CFG_NONE;
}

bool cfg_in_table(const struct cfg *cfg, u64 vaddr)
{
	for (u32 i = 0; i < cfg->tables->len; i++) {
		const struct jump_table *t = &g_array_index(cfg->tables, struct jump_table, i);

		if (vaddr >= t->low && vaddr < t->high)
			return true;
	}
	return false;
}

static int compare_ranges(const void *pa, const void *pb)
{
	const struct range *a = pa, *b = pb;

	return a->low < b->low ? -1 : a->low > b->low;
}

/*
 * Decodes the parts by address. Where they overlap, the code is decoded once. Bytes that are no instruction are left
 * out (data in hand-written assembly), so two neighbours in cfg.insns need not be neighbours in memory. Code behind
 * MAX_INSNS instructions is left out, too.
 */
static void decode(struct cfg *cfg, struct insn_decoder *decoder, struct dso *dso,
		   const struct range *ranges, u32 nr_ranges)
{
	g_autofree struct range *sorted = g_memdup2(ranges, nr_ranges * sizeof(*ranges));
	struct insn *insns;
	u64 done = 0, bytes = 0, named = 0;
	u32 nr = 0, room;

	qsort(sorted, nr_ranges, sizeof(*sorted), compare_ranges);
	for (u32 i = 0; i < nr_ranges; i++)
		bytes += MIN(sorted[i].high - sorted[i].low, BYTES_AT_ONCE);
	room = (u32)MIN(bytes, BYTES_AT_ONCE) / LEAST_MEAN_SIZE + 16;
	insns = g_new(struct insn, room);
	for (u32 i = 0; i < nr_ranges; i++) {
		size_t left = 0;
		u64 low = MAX(sorted[i].low, done), size;
		const u8 *code = dso_code(dso, low, &left);

		if (!code || sorted[i].high <= low)
			continue;
		size = MIN(sorted[i].high - low, left);
		done = low + size;
		for (u64 at = 0; at < size && nr < MAX_INSNS;) {
			bool known;

			if (nr == room) {
				room *= 2;
				insns = g_renew(struct insn, insns, room);
			}
			known = insn_decode(decoder, code + at, size - at, low + at, &insns[nr]);
			at += MAX(insns[nr].size, 1);
			if (!known)
				continue;
			named |= insns[nr].reads[0] | insns[nr].writes[0];
			nr++;
		}
	}
	cfg->nr = nr;
	cfg->insns = insns;
	named &= ((u64)1 << (X86_XMM15 + 1)) - 1;
	cfg->nr_regs = named >> X86_XMM0 ? 64 - (u32)__builtin_clzll(named) : X86_XMM0;
}

/* The target of entry @nth of the table at @at, or CFG_NONE. */
static u32 table_entry(struct building *b, u64 at, u32 nth, bool absolute)
{
	u64 entry = at + (u64)nth * (absolute ? 8 : 4), target;
	const struct reloc_slot *slot;
	const u8 *bytes;
	size_t left;
	s32 distance;

	if (absolute && (slot = data_image_slot(b->image, entry)))
		return slot->kind == SLOT_ADDRESS && !slot->elsewhere
			       ? cfg_find(b->cfg, slot->vaddr)
			       : CFG_NONE;
	bytes = dso_code(b->dso, entry, &left);
	if (!bytes || left < (absolute ? 8 : 4))
		return CFG_NONE;
	if (absolute) {
		memcpy(&target, bytes, 8);
	} else {
		memcpy(&distance, bytes, 4);
		target = at + (u64)(s64)distance;
	}
	return cfg_find(b->cfg, target);
}

static int compare_found(const void *pa, const void *pb)
{
	const struct found_table *a = pa, *b = pb;

	return a->at < b->at ? -1 : a->at > b->at;
}

/*
 * Both formats are tried, distances first. Two entries must lead to starts of instructions of this function, which data
 * of another kind does only by accident: most numbers lead out of the function, or into the middle of an instruction.
 */
static void try_table(struct building *b, u64 at)
{
	enum data_image_kind kind = data_image_kind(b->image, at);
	struct found_table table = { .at = at };

	if (kind != IMAGE_CONSTANT && kind != IMAGE_RELOCATED && kind != IMAGE_DATA)
		return;
	for (u32 absolute = 0; absolute < 2; absolute++) {
		u32 nr = 0;

		while (nr < MIN_ENTRIES && table_entry(b, at, nr, absolute) != CFG_NONE)
			nr++;
		if (nr < MIN_ENTRIES)
			continue;
		table.absolute = absolute;
		g_array_append_val(b->found, table);
		return;
	}
}

/* Finds tables by the addresses in the code: lea, displacements of indexed operands, immediates. */
static void find_tables(struct building *b)
{
	for (u32 i = 0; i < b->cfg->nr; i++) {
		const struct insn *insn = &b->cfg->insns[i];

		for (u32 k = 0; k < insn->nr_operands; k++) {
			const struct insn_operand *op = &insn->operands[k];
			bool fixed = data_image_is_fixed(b->image);

			if (op->kind == INSN_MEM &&
			    (op->relative ? insn->op == INSN_LEA
					  : fixed && op->mem.index != INSN_NO_REG &&
						    op->mem.base == INSN_NO_REG))
				try_table(b, (u64)op->mem.disp);
			else if (op->kind == INSN_IMM && fixed && insn->op == INSN_MOV)
				try_table(b, (u64)op->imm);
		}
	}
	g_array_sort(b->found, compare_found);
}

static void read_tables(struct building *b)
{
	for (u32 i = 0; i < b->found->len; i++) {
		struct found_table *t = &g_array_index(b->found, struct found_table, i);
		u64 end = i + 1 < b->found->len
				  ? g_array_index(b->found, struct found_table, i + 1).at
				  : UINT64_MAX;
		struct jump_table done = { .low = t->at };
		u32 step = t->absolute ? 8 : 4, nr = 0, target;

		if (end == t->at)
			continue; /* several instructions name it */
		t->targets = g_array_new(false, false, sizeof(u32));
		while (nr < MAX_ENTRIES && t->at + (u64)nr * step < end &&
		       (target = table_entry(b, t->at, nr, t->absolute)) != CFG_NONE) {
			g_array_append_val(t->targets, target);
			b->leads[target] = 1;
			nr++;
		}
		done.high = t->at + (u64)nr * step;
		g_array_append_val(b->cfg->tables, done);
	}
}

/*
 * A relocated pointer into the function, behind its start, points to a label. Switch tables of distances have no
 * relocations.
 */
static void find_labels(struct building *b, const struct range *ranges, u32 nr_ranges)
{
	for (u32 i = 0; i < nr_ranges; i++) {
		u32 nr, insn;
		const u64 *pointed =
			data_image_pointed(b->image, ranges[i].low + 1, ranges[i].high, &nr);

		for (u32 k = 0; k < nr && b->labels->len < MAX_ENTRIES; k++) {
			if ((k && pointed[k] == pointed[k - 1]) ||
			    (insn = cfg_find(b->cfg, pointed[k])) == CFG_NONE)
				continue;
			g_array_append_val(b->labels, insn);
			b->leads[insn] |= 1;
		}
	}
}

/* True if the indirect jump may be a switch, not a tail call through a pointer. */
static bool is_switch(const struct building *b, u32 i)
{
	return b->cfg->insns[i].flow == INSN_JUMP && b->cfg->insns[i].indirect;
}

/* The other target of a static branch, which the kernel patches: see data_image_branch(). */
static u32 patched_target(const struct building *b, u32 i)
{
	const struct insn *insn = &b->cfg->insns[i];
	u64 target;

	if (insn->op != INSN_NOP && insn->flow != INSN_JUMP)
		return CFG_NONE;
	target = data_image_branch(b->image, insn->vaddr);
	return target ? cfg_find(b->cfg, target) : CFG_NONE;
}

/*
 * Marks the first instruction of each block (a leader): the target of a jump, and what follows a jump, a return, a call
 * that does not return, or a gap in the code. A call that returns does not end a block.
 */
static void mark_leads(struct building *b, cfg_no_return no_return, void *data)
{
	struct cfg *cfg = b->cfg;

	for (u32 i = 0; i < cfg->nr; i++) {
		const struct insn *insn = &cfg->insns[i];
		u32 target;
		bool ends = insn->flow != INSN_NEXT && insn->flow != INSN_CALL;

		if (i == 0 || insn->vaddr != cfg->insns[i - 1].vaddr + cfg->insns[i - 1].size)
			b->leads[i] |= 1;
		if (insn->flow == INSN_CALL && no_return(data, insn)) {
			b->leads[i] |= 2;
			ends = true;
		}
		target = patched_target(b, i);
		if (target != CFG_NONE) {
			b->leads[target] |= 1;
			ends = true;
		}
		if (ends && i + 1 < cfg->nr)
			b->leads[i + 1] |= 1;
		if (insn->flow != INSN_CALL && insn->target &&
		    (target = cfg_find(cfg, insn->target)) != CFG_NONE)
			b->leads[target] |= 1;
	}
}

static void make_blocks(struct building *b)
{
	struct cfg *cfg = b->cfg;
	struct block *block;
	u32 nr = 0;

	for (u32 i = 0; i < cfg->nr; i++)
		nr += b->leads[i] & 1;
	g_array_set_size(cfg->blocks, nr);
	block = (struct block *)(void *)cfg->blocks->data;
	cfg->block_of = g_new(u32, cfg->nr);
	nr = 0;
	for (u32 i = 0; i < cfg->nr; i++) {
		if (b->leads[i] & 1)
			block[nr++] = (struct block){ .first = i };
		cfg->block_of[i] = nr - 1;
		block[nr - 1].end = i + 1;
	}
}

static void add_edge(struct cfg *cfg, struct block *block, u32 insn)
{
	u32 to = cfg->block_of[insn];

	for (u32 i = 0; i < block->nr_next; i++)
		if (g_array_index(cfg->edges, u32, block->next + i) == to)
			return;
	g_array_append_val(cfg->edges, to);
	block->nr_next++;
}

/* The table that an instruction of the block names, or NULL. */
static struct found_table *named_table(const struct building *b, const struct block *block)
{
	for (u32 i = block->end; i-- > block->first;) {
		const struct insn *insn = &b->cfg->insns[i];

		for (u32 k = 0; k < insn->nr_operands; k++) {
			const struct insn_operand *op = &insn->operands[k];

			if (op->kind != INSN_MEM)
				continue;
			for (u32 t = 0; t < b->found->len; t++) {
				struct found_table *table =
					&g_array_index(b->found, struct found_table, t);

				if (table->at == (u64)op->mem.disp && table->targets &&
				    (op->relative || op->mem.base == INSN_NO_REG))
					return table;
			}
		}
	}
	return NULL;
}

/* Adds an edge to each target once, in linear time. */
static void add_targets(struct cfg *cfg, struct block *block, const GArray *targets, u32 *seen,
			u32 mark)
{
	for (u32 i = 0; i < targets->len; i++) {
		u32 to = cfg->block_of[g_array_index(targets, u32, i)];

		if (seen[to] == mark)
			continue;
		seen[to] = mark;
		g_array_append_val(cfg->edges, to);
		block->nr_next++;
	}
}

static void add_indirect(struct building *b, struct block *block, u32 *seen, u32 mark)
{
	struct cfg *cfg = b->cfg;
	const struct found_table *table = named_table(b, block);
	const struct insn *last = &cfg->insns[block->end - 1];

	if (table) {
		add_targets(cfg, block, table->targets, seen, mark);
		return;
	}
	add_targets(cfg, block, b->labels, seen, mark);
	/* A jump through a member or a parameter is a tail call, if the function has no labels. */
	if (last->operands[0].kind == INSN_MEM && last->operands[0].mem.index == INSN_NO_REG)
		return;
	for (u32 t = 0; t < b->found->len; t++) {
		table = &g_array_index(b->found, struct found_table, t);
		if (table->targets)
			add_targets(cfg, block, table->targets, seen, mark);
	}
}

/* Tables of addresses that the code names, but no jump: their targets are labels. */
static void add_unjumped(struct building *b)
{
	struct cfg *cfg = b->cfg;

	for (u32 i = 0; b->found->len && i < cfg->blocks->len; i++) {
		const struct block *block = &g_array_index(cfg->blocks, struct block, i);
		struct found_table *table;

		if (is_switch(b, block->end - 1) && (table = named_table(b, block)))
			table->jumped = true;
	}
	for (u32 t = 0; t < b->found->len; t++) {
		const struct found_table *table = &g_array_index(b->found, struct found_table, t);

		if (table->absolute && !table->jumped && table->targets)
			g_array_append_vals(b->labels, table->targets->data, table->targets->len);
	}
}

/*
 * Edges in the order: a static branch's other target, the next block, the jump's target. The next block must follow in
 * memory: the last block of the hot part does not fall through to the cold part.
 */
static void connect(struct building *b)
{
	struct cfg *cfg = b->cfg;
	g_autofree u32 *seen = g_new0(u32, cfg->blocks->len);

	cfg->edges = g_array_sized_new(false, false, sizeof(u32), 2 * cfg->blocks->len);
	for (u32 i = 0; i < cfg->blocks->len; i++) {
		struct block *block = &g_array_index(cfg->blocks, struct block, i);
		u32 last = block->end - 1, target;
		const struct insn *insn = &cfg->insns[last];
		bool falls = insn->flow == INSN_NEXT || insn->flow == INSN_COND ||
			     insn->flow == INSN_CALL;

		block->next = cfg->edges->len;
		if (insn->flow == INSN_CALL && b->leads[last] & 2)
			falls = false;
		target = patched_target(b, last);
		if (target != CFG_NONE) {
			add_edge(cfg, block, target);
			falls = true;
		}
		if (falls && block->end < cfg->nr &&
		    cfg->insns[block->end].vaddr == insn->vaddr + insn->size)
			add_edge(cfg, block, block->end);
		if ((insn->flow == INSN_JUMP || insn->flow == INSN_COND) && insn->target &&
		    (target = cfg_find(cfg, insn->target)) != CFG_NONE)
			add_edge(cfg, block, target);
		else if (is_switch(b, last))
			add_indirect(b, block, seen, i + 1);
	}
}

struct cfg *cfg_new(struct insn_decoder *decoder, struct dso *dso, struct data_image *image,
		    const struct range *ranges, u32 nr_ranges, cfg_no_return no_return, void *data)
{
	struct cfg *cfg = g_new0(struct cfg, 1);
	struct building b = { .cfg = cfg, .dso = dso, .image = image };

	cfg->blocks = g_array_new(false, false, sizeof(struct block));
	cfg->tables = g_array_new(false, false, sizeof(struct jump_table));
	decode(cfg, decoder, dso, ranges, nr_ranges);
	if (!cfg->nr) {
		cfg_free(cfg);
		return NULL;
	}
	b.leads = g_new0(u8, cfg->nr);
	b.found = g_array_new(false, false, sizeof(struct found_table));
	b.labels = g_array_new(false, false, sizeof(u32));
	for (u32 i = 0; i < cfg->nr; i++)
		if (is_switch(&b, i)) {
			find_tables(&b);
			read_tables(&b);
			find_labels(&b, ranges, nr_ranges);
			break;
		}
	mark_leads(&b, no_return, data);
	make_blocks(&b);
	add_unjumped(&b);
	connect(&b);
	cfg_order_blocks(cfg, cfg_find(cfg, ranges[0].low));
	for (u32 i = 0; i < b.found->len; i++)
		if (g_array_index(b.found, struct found_table, i).targets)
			g_array_unref(g_array_index(b.found, struct found_table, i).targets);
	g_array_unref(b.found);
	g_array_unref(b.labels);
	g_free(b.leads);
	return cfg;
}

void cfg_free(struct cfg *cfg)
{
	if (!cfg)
		return;
	g_free(cfg->insns);
	g_free(cfg->block_of);
	g_array_unref(cfg->blocks);
	if (cfg->edges)
		g_array_unref(cfg->edges);
	g_free(cfg->order);
	g_free(cfg->groups);
	g_array_unref(cfg->tables);
	g_free(cfg);
}
