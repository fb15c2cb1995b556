// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fixpoint over a function's blocks, in rounds. A round applies the transfer functions until no state changes.
 * Then it walks each block once more to record uses of values and to answer. If the uses tell a new type, another
 * round follows.
 *
 *	long drop(void *p) { total -= ((struct item *)p)->size; return item_free(p); }	long item_free(struct item *);
 *
 *	mov 0x8(%rdi),%rax	round 1: %rdi is a SYMBOL, made at the entry: no answer
 *	sub %rax,total(%rip)
 *	jmp item_free		round 1: %rdi is used as a struct item * (infer.c)
 *
 *	mov 0x8(%rdi),%rax	round 2: %rdi is ADDRESS(struct item, 0) from the entry on: item, offset 8
 *	jmp item_free		round 2: the use adds nothing new: no further round
 *
 * Blocks are walked in reverse postorder, so only loops need a second walk. The state at a block's start can only
 * lose precision, and for each register only a bounded number of times.
 */
#include <string.h>

#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define MAX_ROUNDS 4
#define MAX_PASSES 64 /* in a round; two or three are enough, and one more per nested loop */

static const struct block *block_at(const struct flow *flow, u32 block)
{
	return &g_array_index(flow->cfg->blocks, struct block, block);
}

static bool is_answered(const struct access *access)
{
	return access->how != ACCESS_UNKNOWN || access->why == ACCESS_NO_MEMORY;
}

/* An answer of an earlier round is kept. */
static void answer(struct flow *flow, const struct insn *insn)
{
	struct access *access = &flow->answers[flow->insn];

	if ((flow->asked && !flow->asked[flow->insn]) || is_answered(access) ||
	    (flow->settled && flow->settled[flow->insn]))
		return;
	answer_access(flow, insn, access);
	if (flow->merged)
		merged_doubt(access);
	if (is_answered(access))
		return;
	flow->unknown++;
	if (flow->noting && flow->prospects)
		prospects_root(flow, insn);
}

/* Applies the instruction. In the last walk of a round, also records what depends on what. */
static void step(struct flow *flow, const struct insn *insn)
{
	if (!flow->noting || !flow->prospects) {
		transfer(flow, insn);
		return;
	}
	prospects_before(flow, insn);
	transfer(flow, insn);
	prospects_after(flow, insn);
}

/* Applies the block's instructions, up to but not including @until, to flow->now. */
static void walk_block(struct flow *flow, u32 index, u32 until)
{
	const struct block *block = block_at(flow, index);
	const struct code_facts *facts = flow->facts;

	state_copy(flow->now, flow->in[index]);
	flow->fact = facts->first[index];
	flow->walked += block->end - block->first;
	for (u32 i = block->first; i < block->end; i++) {
		const struct insn *insn = &flow->cfg->insns[i];

		flow->insn = i;
		flow->vaddr = insn->vaddr;
		if (flow->fact < facts->nr && facts->facts[flow->fact].insn == i)
			facts_step(flow);
		if (i == until)
			return;
		if (flow->answering)
			answer(flow, insn);
		step(flow, insn);
	}
}

/* At the function's entry every register holds the caller's value. */
static void enter(struct flow *flow, struct state *state)
{
	state->nr_slots = 0;
	state->escaped = 0;
	for (u8 reg = 0; reg < state->nr_regs; reg++) {
		state->regs[reg] = value_symbol(ACCESS_NO_SOURCE, maker_entry(flow->infer, reg));
		infer_apply(flow->infer, &state->regs[reg]);
	}
	call_entry(flow, state);
	state->regs[X86_RSP] = value_const(-8, 0);
	state->regs[X86_RSP].kind = VALUE_STACK;
	state->regs[X86_RSP].detail = ACCESS_LOCAL;
}

/* A block with no known predecessor: only the frame's address is known. */
static void enter_unknown(struct flow *flow, u32 block, struct state *state)
{
	u64 vaddr = flow->cfg->insns[block_at(flow, block)->first].vaddr, low, high;
	u8 reg = INSN_NO_REG;
	s64 offset;

	state->nr_slots = 0;
	state->escaped = ~(u64)0;
	for (u8 r = 0; r < state->nr_regs; r++) {
		state->regs[r] = value_symbol(ACCESS_UNREACHED, maker_join(flow->infer, block, r));
		infer_apply(flow->infer, &state->regs[r]);
	}
	go_enter(flow, state);
	if (!flow->object->debug ||
	    !debuginfo_cfa(flow->object->debug, vaddr, &reg, &offset, &low, &high) || reg > X86_R15)
		return;
	state->regs[reg] = value_const(-offset, 0);
	state->regs[reg].kind = VALUE_STACK;
	state->regs[reg].detail = ACCESS_LOCAL;
}

static void forget_states(struct flow *flow)
{
	state_pool_clear(&flow->pool);
	for (u32 i = 0; i < flow->cfg->blocks->len; i++)
		flow->in[i] = NULL;
}

static bool is_walked(const struct flow *flow, u32 block)
{
	return !flow->leading || flow->leading[block];
}

/* The block has instructions for which answers are wanted. */
static bool is_answered_in(const struct flow *flow, u32 block)
{
	return !flow->leading || flow->leading[block] == CFG_ASKED;
}

/* A path from a block of @group that is walked to block @to, which may be walked later in the round. */
struct block_exit {
	u32 group, to;
	const struct state *state;
};

static bool is_ready(const struct flow *flow, u32 block)
{
	return flow->ready && flow->ready[block];
}

static void keep_exit(struct flow *flow, u32 to, const struct state **kept)
{
	struct block_exit exit = { .group = flow->group, .to = to };

	if (!*kept)
		*kept = state_keep(&flow->pool, flow->now);
	exit.state = *kept;
	g_array_append_val(flow->exits, exit);
}

/* Does the function have a jump whose targets may not be known? */
static bool jumps_anywhere(const struct cfg *cfg)
{
	for (u32 i = 0; i < cfg->nr; i++)
		if (cfg->insns[i].flow == INSN_JUMP && cfg->insns[i].indirect)
			return true;
	return false;
}

/*
 * The kernel's code as it runs has rests of alternatives that are jumped over:
 *
 *	jmp 1f; int3; int3; int3	instead of a longer call
 *	movabs $0x7ff0000000000ffb,%rdx	never executed
 *	1: mov 8(%rsp),%rdi
 *
 * At their start nothing is known, not even the stack pointer, as BTF comes without call-frame information. So they do not
 * lead to the code that the entry reaches.
 */
static bool is_dead_end(const struct flow *flow, u32 from, u32 to)
{
	return flow->skips_rests && block_at(flow, from)->apart && !block_at(flow, to)->apart;
}

/* Passes on the state behind a comparison that tells the type of an interface's value. */
static void pass_case(struct flow *flow, u32 to, const struct go_case *found, u8 *waiting)
{
	struct state *now = flow->now, *behind = state_new(now->nr_regs);
	const struct state *kept = NULL;

	state_copy(behind, now);
	go_enter_case(behind, found);
	flow->now = behind;
	if (!is_walked(flow, to))
		keep_exit(flow, to, &kept);
	else if (join_block(flow, to, behind))
		waiting[to] = 1;
	flow->now = now;
	state_free(behind);
}

static void pass_on(struct flow *flow, u32 index, u8 *waiting)
{
	const struct block *block = block_at(flow, index);
	const struct state *kept = NULL;
	struct go_case found;
	bool has_case = flow->of_go && go_find_case(flow, block, &found);

	for (u32 i = 0; i < block->nr_next; i++) {
		u32 to = g_array_index(flow->cfg->edges, u32, block->next + i);

		if (is_dead_end(flow, index, to))
			continue;
		if (has_case && (to == found.target) == found.equal)
			pass_case(flow, to, &found, waiting);
		else if (!is_walked(flow, to))
			keep_exit(flow, to, &kept);
		else if (join_block(flow, to, flow->now))
			waiting[to] = 1;
	}
}

static void begin_block(struct flow *flow, u32 index)
{
	const struct block *block = block_at(flow, index);

	if (block->entry)
		enter(flow, flow->now);
	else
		enter_unknown(flow, index, flow->now);
	join_block(flow, index, flow->now);
}

/* The last walk over a block in this round. */
static void note_block(struct flow *flow, u32 index)
{
	flow->answering = true;
	flow->noting = !flow->leading;
	walk_block(flow, index, CFG_NONE);
	flow->answering = flow->noting = false;
	memcpy(&flow->out[(size_t)index * INFER_REGS], flow->now->regs,
	       INFER_REGS * sizeof(*flow->out));
}

/* Walks the whole loop in passes, so that the changes of all its paths are joined before it is walked again. */
static void converge(struct flow *flow, const struct group *group, u8 *waiting)
{
	const u32 *order = flow->cfg->order;
	bool more = true;

	for (u32 pass = 0; more && pass < MAX_PASSES; pass++) {
		more = false;
		for (u32 at = group->first; at < group->end; at++) {
			if (!waiting[order[at]])
				continue;
			waiting[order[at]] = 0;
			more = true;
			walk_block(flow, order[at], CFG_NONE);
			pass_on(flow, order[at], waiting);
		}
	}
}

/*
 * Except in loops, the state at a block's start is final after the blocks before it are done. @note: record uses and
 * answer on the way.
 */
static void run_group(struct flow *flow, const struct group *group, u8 *waiting, bool note)
{
	const u32 *order = flow->cfg->order;

	flow->widen = group->loop;
	if (note && !group->loop) {
		if (!waiting[order[group->first]])
			return;
		note_block(flow, order[group->first]);
		pass_on(flow, order[group->first], waiting);
		return;
	}
	converge(flow, group, waiting);
	for (u32 at = group->first; note && at < group->end; at++)
		if (flow->in[order[at]] && is_answered_in(flow, order[at]))
			note_block(flow, order[at]);
}

/*
 * The same for blocks that are ready: their states are final, and what they pass on to others is kept. @next: the first
 * of flow->exits that is not passed on yet.
 */
static void finish_group(struct flow *flow, const struct group *group, u8 *waiting, bool note,
			 u32 *next)
{
	const u32 *order = flow->cfg->order;

	flow->widen = group->loop;
	for (u32 at = group->first; note && at < group->end; at++)
		if (flow->in[order[at]])
			note_block(flow, order[at]);
	for (; *next < flow->exits->len; (*next)++) {
		const struct block_exit *exit =
			&g_array_index(flow->exits, struct block_exit, *next);

		if (exit->group != flow->group)
			return;
		state_copy(flow->now, exit->state);
		if (join_block(flow, exit->to, flow->now))
			waiting[exit->to] = 1;
	}
}

/*
 * A pointer that steps by whole structures, so it points into an array. False if it may instead step along a larger
 * object that begins with the structure.
 */
static bool is_row(const struct value *value)
{
	return value->kind == VALUE_ADDRESS && value->stride && value->type->size > 1 &&
	       value->stride % value->type->size == 0 &&
	       layout_is_neighbour(value->type, value->offset);
}

/*
 * One source of a join: the register's value at the end of a block before it (@from), and after the join (@met), whose maker is
 * @maker if the join has made it.
 */
static void note_source(struct flow *flow, u32 maker, const struct value *met,
			const struct value *from)
{
	if (flow->prospects && met->maker == maker)
		prospects_join(flow->prospects, met, from);
	if (met->kind == VALUE_SYMBOL) {
		if (met->maker == maker)
			infer_source(flow->infer, maker, from);
	} else if (is_row(met) && from->kind == VALUE_ADDRESS) {
		infer_row(flow->infer, from->maker, met->span != SPAN_UP);
		infer_row(flow->infer, met->maker, met->span != SPAN_UP);
	} else if (met->kind == VALUE_ADDRESS && from->kind == VALUE_ADDRESS &&
		   met->type == from->type) {
		infer_same_row(flow->infer, from->maker, met->maker);
	}
}

/* Most registers have the same value on all paths: that tells something only of a pointer that moves. */
static bool tells_nothing(const struct value *met, const struct value *from)
{
	return value_identical(met, from) && !met->stride &&
	       (met->kind != VALUE_SYMBOL || !met->offset);
}

/* Records the sources of joins: values of different paths that were merged into a new value. */
static void note_sources(struct flow *flow, u32 index)
{
	const struct block *block = block_at(flow, index);
	const struct value *out = &flow->out[(size_t)index * INFER_REGS];

	for (u32 i = 0; i < block->nr_next; i++) {
		u32 to = g_array_index(flow->cfg->edges, u32, block->next + i);
		const struct value *met = flow->in[to] ? flow->in[to]->regs : NULL;

		if (is_dead_end(flow, index, to))
			continue;
		for (u8 reg = 0; met && reg < INFER_REGS; reg++)
			if (!tells_nothing(&met[reg], &out[reg]))
				note_source(flow, maker_join(flow->infer, to, reg), &met[reg],
					    &out[reg]);
	}
}

/*
 * One round. A fact about an object beside a pointer answers for accesses anywhere in the function. If there is such
 * a fact, all blocks are walked before uses are recorded.
 */
static void run_round(struct flow *flow)
{
	const struct cfg *cfg = flow->cfg;
	g_autofree u8 *waiting = g_new0(u8, cfg->blocks->len);
	bool note = flow->answers, at_once = note && !flow->facts->beside;
	u32 next = 0;

	flow->unknown = 0;
	for (u32 i = 0; i < cfg->blocks->len; i++) {
		if ((!block_at(flow, i)->entry && !block_at(flow, i)->root) ||
		    !is_walked(flow, i) || is_ready(flow, i))
			continue;
		begin_block(flow, i);
		waiting[i] = 1;
	}
	for (flow->group = 0; flow->group < cfg->nr_groups; flow->group++) {
		const struct group *group = &cfg->groups[flow->group];

		if (is_ready(flow, cfg->order[group->first]))
			finish_group(flow, group, waiting, at_once, &next);
		else if (is_walked(flow, cfg->order[group->first]))
			run_group(flow, group, waiting, at_once);
	}
	for (u32 i = 0; note && !at_once && i < cfg->blocks->len; i++)
		if (flow->in[cfg->order[i]] && is_answered_in(flow, cfg->order[i]))
			note_block(flow, cfg->order[i]);
}

/*
 * Ends a round after which another may follow. False: nothing is new of what instructions without an answer depend on, so
 * another round would find the same.
 */
static bool decide(struct flow *flow)
{
	const struct cfg *cfg = flow->cfg;
	bool fresh, pending;

	for (u32 i = 0; i < cfg->blocks->len; i++)
		if (flow->in[cfg->order[i]])
			note_sources(flow, cfg->order[i]);
	fresh = infer_decide(flow->infer);
	/* Infer types from callers and shapes last: if there is no other news, or before the last round. */
	pending = fresh && flow->round + 1 < MAX_ROUNDS;
	if (!pending) {
		pending = flow->ask_callers && flow->ask_callers(flow);
		fresh |= pending || shape_decide(flow);
	}
	return fresh && (!flow->prospects || prospects_settle(flow, pending));
}

/*
 * True if blocks that lead to no asked instruction can be left out. False if the function takes so many addresses in
 * its frame that state.escaped has no bit for each: then every block can change the answers of the others.
 */
static bool is_apart(const struct flow *flow)
{
	u32 addresses = 0;

	for (u32 i = 0; i < flow->cfg->nr; i++) {
		const struct insn *insn = &flow->cfg->insns[i];

		addresses += insn->op == INSN_LEA &&
			     (insn_reads(insn, X86_RSP) || insn_reads(insn, X86_RBP));
	}
	return addresses < MAX_ESCAPED;
}

/* No further round is needed for instruction @i. */
static bool is_done(const struct flow *flow, u32 i)
{
	return is_answered(&flow->answers[i]) || (flow->settled && flow->settled[i]);
}

static bool are_done(const struct flow *flow, u32 until)
{
	for (u32 i = 0; flow->wanted && i < flow->wanted->len; i++)
		if (!is_done(flow, g_array_index(flow->wanted, u32, i)))
			return false;
	return until == CFG_NONE || is_done(flow, until);
}

/* By instruction: 1 for those that still need an answer. */
static u8 *find_open(const struct flow *flow)
{
	u8 *open = g_new0(u8, flow->cfg->nr);

	for (u32 i = 0; i < flow->wanted->len; i++) {
		u32 insn = g_array_index(flow->wanted, u32, i);

		open[insn] = !is_done(flow, insn);
	}
	return open;
}

/*
 * The blocks that must be walked for @open instructions. Facts about objects beside a pointer answer anywhere, so their
 * blocks are needed too.
 */
static u8 *find_leading(const struct flow *flow, const u8 *open)
{
	g_autofree u8 *needed = g_memdup2(open, flow->cfg->nr);
	u32 insns;

	for (u32 i = 0; flow->facts->beside && i < flow->facts->nr; i++)
		if (flow->facts->facts[i].beside)
			needed[flow->facts->facts[i].insn] = 1;
	return cfg_leading(flow->cfg, needed, &insns);
}

/*
 * Begins a round: walks only the blocks that lead to wanted instructions without an answer, and records no uses. True if
 * all of them have an answer then. Otherwise run_round() walks the other blocks and records the uses in all of them:
 *
 *	blocks 1, loop 2, 3, 4; wanted: an instruction in 2
 *
 *	run_wanted()	1, 2 until its state is final, 2 for the answer; ready: 1, 2
 *	run_round()	1 and 2 for the uses, 3, 4
 */
static bool run_wanted(struct flow *flow)
{
	g_autofree u8 *open = find_open(flow);
	bool done;

	flow->asked = open;
	flow->leading = find_leading(flow, open);
	run_round(flow);
	flow->asked = NULL;
	done = !flow->facts->vars || are_done(flow, CFG_NONE);
	/* These answers recorded no uses either. */
	for (u32 i = 0; !done && i < flow->wanted->len; i++) {
		u32 insn = g_array_index(flow->wanted, u32, i);

		if (open[insn])
			flow->answers[insn] = (struct access){ .why = ACCESS_UNREACHED };
	}
	if (!done)
		flow->ready = g_steal_pointer(&flow->leading);
	g_clear_pointer(&flow->leading, g_free);
	return done;
}

void flow_walk_to(struct flow *flow, const u8 *wanted)
{
	if (is_apart(flow))
		flow->leading = find_leading(flow, wanted);
	run_round(flow);
	g_clear_pointer(&flow->leading, g_free);
}

static void begin_round(struct flow *flow)
{
	forget_states(flow);
	g_array_set_size(flow->exits, 0);
}

/* Without flow->settled, nobody needs to know what further rounds may find. */
static void begin_prospects(struct flow *flow)
{
	if (flow->prospects)
		prospects_reset(flow->prospects);
	else if (flow->settled)
		flow->prospects = prospects_new(flow->infer->nr_makers);
}

/*
 * Gives the values at the start of a block the types that the last round has told. False: one of them is moved, so that it is not
 * known how the block gets it.
 */
static bool renew(const struct flow *flow, struct state *state)
{
	for (u32 reg = 0; reg < state->nr_regs; reg++) {
		struct value *value = &state->regs[reg], old = *value;

		infer_apply(flow->infer, value);
		if (value->kind != old.kind && (old.offset || old.stride > 1))
			return false;
	}
	return true;
}

/*
 * Answers for which nothing is new but the value of an own register, which one instruction has made. All paths bring it from there,
 * as in the last round; now it has a type. So only the block of the access is walked, from the state of the last round:
 *
 *	call find		news: the result is a struct node *
 *	...			many blocks
 *	mov  8(%rax),%rdx	%rax is ADDRESS(struct node, 0)
 */
static void answer_direct(struct flow *flow)
{
	g_autofree u8 *open = find_open(flow);
	g_autofree u8 *direct = prospects_direct(flow, open);

	/* The walks may bring more. */
	g_array_set_size(flow->infer->news, 0);
	flow->asked = direct;
	flow->answering = true;
	for (u32 i = 0; i < flow->wanted->len; i++) {
		u32 insn = g_array_index(flow->wanted, u32, i), block = flow->cfg->block_of[insn];

		if (direct[insn] && !is_done(flow, insn) && flow->in[block] &&
		    renew(flow, flow->in[block]))
			walk_block(flow, block, CFG_NONE);
	}
	flow->answering = false;
	flow->asked = NULL;
}

void flow_run(struct flow *flow, u32 until)
{
	bool part = flow->part && is_apart(flow);

	flow->more = false;
	for (bool again = false;; again = true) {
		if (part && again)
			answer_direct(flow);
		else
			g_array_set_size(flow->infer->news, 0);
		if (part && again && are_done(flow, CFG_NONE))
			return;
		begin_round(flow);
		if (part && run_wanted(flow))
			return;
		begin_prospects(flow);
		run_round(flow);
		g_clear_pointer(&flow->ready, g_free);
		flow->round++;
		flow->more = flow->facts->vars && flow->unknown && flow->round < MAX_ROUNDS;
		flow->more = flow->more && decide(flow);
		if (!flow->more || are_done(flow, until))
			break;
	}
	flow->part = false;
}

void flow_init(struct flow *flow)
{
	u32 nr = flow->cfg->blocks->len;

	flow->infer = infer_new(flow->cfg->nr, nr);
	flow->in = g_new0(struct state *, nr);
	flow->out = g_new(struct value, (size_t)nr * INFER_REGS);
	flow->now = state_new(flow->cfg->nr_regs);
	flow->escaped = g_array_new(false, false, sizeof(struct frame_extent));
	flow->exits = g_array_new(false, false, sizeof(struct block_exit));
	flow->skips_rests = flow->facts->vars && flow->facts->vars->by_btf &&
			    !jumps_anywhere(flow->cfg);
}

void flow_resume(struct flow *flow, struct infer *infer, u32 round)
{
	infer_free(flow->infer);
	infer_unpack(infer);
	flow->infer = infer;
	flow->round = round;
}

struct infer *flow_suspend(struct flow *flow)
{
	struct infer *infer = flow->infer;

	if (!flow->more)
		return NULL;
	flow->infer = NULL;
	infer_pack(infer);
	return infer;
}

void flow_release(struct flow *flow)
{
	state_pool_clear(&flow->pool);
	g_free(flow->in);
	g_free(flow->out);
	state_free(flow->now);
	g_array_unref(flow->escaped);
	g_array_unref(flow->exits);
	g_free(flow->answers);
	g_free(flow->settled);
	g_free(flow->frames);
	prospects_free(flow->prospects);
	if (flow->near)
		g_ptr_array_unref(flow->near);
	infer_free(flow->infer);
}

bool flow_state_at(struct flow *flow, u32 insn)
{
	u32 block = flow->cfg->block_of[insn];

	if (!flow->in[block])
		return false;
	walk_block(flow, block, insn);
	return true;
}
