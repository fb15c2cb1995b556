// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which instructions without an answer may get one in a further round.
 *
 * A further round differs from the one before only where something new is known of a value: a type that was inferred for
 * it, an array that it points into, a second type of its target (infer.news). From there, news spread to what depends
 * on it:
 *
 *	mov  0x28(%r12),%rax	A: one of two pointers of a union; %r12 is an ADDRESS
 *	cmpb $0,(%rax)		no answer: its address depends on A
 *	mov  (%rbx),%rdi	B: a void *
 *	mov  8(%rdi),%rcx	no answer: its address depends on B
 *	call item_free		B is used as a struct item *: news of B
 *
 * Nothing is new of A, or of what A depends on. So another round would find the same for the cmpb: it is settled. The
 * load of 8(%rdi) may get an answer. Settled instructions stay without one, also if others need further rounds, so that
 * no answer depends on the order of questions.
 *
 * A node is one aspect of one maker's value, and a link leads from a node to one that depends on it:
 *
 *	read -> written			mov, add, a load through a pointer; not shr, div: they write a number, whatever they read
 *	source -> join			the join of two paths
 *	array -> the join with its end	a join of pointers into one array
 *	pointer -> uses of a value	the value is stored there, so the pointer's type tells that of the value
 *	compared -> uses of the other
 *	uses of a join -> uses of its sources
 *	join -> doubt of its sources	uses of the join count for its sources only while the join has no type. So they may
 *					stop to contradict others
 *
 * A pointer with a type is an ADDRESS. A member that is loaded through it does not depend on it: the type is known.
 */
#include "typeflow/flow/prospects.h"

#include <string.h>

#include "typeflow/flow/flow.h"

#define MAX_INPUTS 8
#define ANY	   0 /* a node: anything is new; no maker has the number 0 */

/*
 * The value while it is no ADDRESS; the ADDRESS; what is found through the ADDRESS; its uses; the same, but only if they
 * contradict each other.
 */
enum aspect { ASPECT_VALUE, ASPECT_ADDRESS, ASPECT_VIEW, ASPECT_USES, ASPECT_DOUBT, NR_ASPECTS };

struct link {
	u32 from, to; /* nodes */
	u32 before;   /* the link before this one from a node of the same maker, plus 1; 0: none */
};

/* Instruction @insn has no answer. Its address depends on @node. */
struct root {
	u32 insn, node;
};

/* Nodes of the values that the present instruction reads. */
struct inputs {
	u32 pointers[MAX_INPUTS]; /* bases and indexes of memory operands */
	u32 values[MAX_INPUTS];	  /* others */
	u32 nr_pointers, nr_values;
	bool lost; /* the value of a stack slot that is not known, and another round may know it */
};

struct prospects {
	u32 nr_makers;
	u8 *open;    /* by node: something is new of it, or of what it depends on */
	u32 *opened; /* the nodes that are open */
	u32 nr_opened;
	struct link *links;
	u32 *last; /* by maker: the last link from its nodes, plus 1; 0: none */
	u32 nr_links, room;
	GArray *roots; /* struct root */
	struct inputs inputs;
};

struct prospects *prospects_new(u32 nr_makers)
{
	struct prospects *p = g_new0(struct prospects, 1);

	p->nr_makers = nr_makers;
	p->open = g_new0(u8, (size_t)nr_makers * NR_ASPECTS);
	p->opened = g_new(u32, (size_t)nr_makers * NR_ASPECTS);
	p->last = g_new0(u32, nr_makers);
	p->roots = g_array_new(false, false, sizeof(struct root));
	return p;
}

void prospects_free(struct prospects *p)
{
	if (!p)
		return;
	g_free(p->open);
	g_free(p->opened);
	g_free(p->links);
	g_free(p->last);
	g_array_unref(p->roots);
	g_free(p);
}

void prospects_reset(struct prospects *p)
{
	memset(p->open, 0, (size_t)p->nr_makers * NR_ASPECTS);
	memset(p->last, 0, p->nr_makers * sizeof(*p->last));
	p->nr_opened = p->nr_links = 0;
	g_array_set_size(p->roots, 0);
}

static void add_link(struct prospects *p, u32 from, u32 to)
{
	u32 *last = &p->last[from / NR_ASPECTS];

	if (from == to)
		return;
	if (p->nr_links == p->room) {
		p->room = MAX(p->room * 2, 256);
		p->links = g_renew(struct link, p->links, p->room);
	}
	p->links[p->nr_links++] = (struct link){ from, to, *last };
	*last = p->nr_links;
}

static u32 node(u32 maker, enum aspect aspect)
{
	return maker * NR_ASPECTS + aspect;
}

static enum aspect aspect_of(u32 at)
{
	return at % NR_ASPECTS;
}

/* Another aspect of the same maker's value. */
static u32 beside(u32 at, enum aspect aspect)
{
	return node(at / NR_ASPECTS, aspect);
}

/* A value that may get a type by its uses. */
static bool is_untyped(const struct value *value)
{
	return (value->kind == VALUE_SYMBOL || value->kind == VALUE_NUMBER) && value->maker;
}

static bool is_typed(const struct value *value)
{
	return value->kind == VALUE_ADDRESS && value->maker;
}

static u32 node_of(const struct value *value)
{
	return node(value->maker, is_typed(value) ? ASPECT_ADDRESS : ASPECT_VALUE);
}

/*
 * For what is found in memory. News that a pointer is to an array, for example, are news of this node; what the pointer is
 * joined with or added to is the same as before.
 */
static u32 view_of(const struct value *value)
{
	return node(value->maker, is_typed(value) ? ASPECT_VIEW : ASPECT_VALUE);
}

static void add_node(struct inputs *in, const struct value *value, u32 at)
{
	if ((is_untyped(value) || is_typed(value)) && in->nr_values < MAX_INPUTS)
		in->values[in->nr_values++] = at;
}

static void add_input(struct inputs *in, const struct value *value)
{
	add_node(in, value, node_of(value));
}

static void add_pointer(const struct flow *flow, struct inputs *in, u8 reg)
{
	const struct value *value;

	if (reg >= STATE_REGS || in->nr_pointers == MAX_INPUTS)
		return;
	value = &flow->now->regs[reg];
	if (is_untyped(value) || is_typed(value))
		in->pointers[in->nr_pointers++] = view_of(value);
}

/* The value of the stack slot that the operand reads. */
static void add_slot(const struct flow *flow, struct inputs *in, const struct insn_operand *op)
{
	const struct value *base, *slot;
	s64 at;

	if (op->mem.base >= STATE_REGS || op->mem.index != INSN_NO_REG || !(op->access & INSN_READ))
		return;
	base = &flow->now->regs[op->mem.base];
	if (base->kind != VALUE_STACK)
		return;
	at = (s64)((u64)base->offset + (u64)op->mem.disp);
	slot = state_slot(flow->now, at);
	if (slot)
		add_input(in, slot);
	else
		in->lost |= op->width >= 8 && lost_has(flow, at);
}

/* The type of a function pointer tells those of the arguments. */
static void link_arguments(struct flow *flow, const u32 *from, u32 nr)
{
	static const u8 passing[] = { X86_RDI, X86_RSI, X86_RDX, X86_RCX, X86_R8, 9 };

	for (u32 i = 0; i < ARRAY_SIZE(passing); i++) {
		const struct value *value = &flow->now->regs[passing[i]];

		for (u32 k = 0; is_untyped(value) && k < nr; k++)
			add_link(flow->prospects, from[k], node(value->maker, ASPECT_USES));
	}
}

static void add_call(struct flow *flow, struct inputs *in, const struct insn *insn)
{
	if (insn->indirect) {
		link_arguments(flow, in->values, in->nr_values);
		link_arguments(flow, in->pointers, in->nr_pointers);
	}
	/* It may return its first or second argument. */
	add_input(in, &flow->now->regs[X86_RDI]);
	add_input(in, &flow->now->regs[X86_RSI]);
}

static u64 tracked(const struct flow *flow, u64 regs)
{
	return regs & (((u64)1 << flow->now->nr_regs) - 1);
}

void prospects_before(struct flow *flow, const struct insn *insn)
{
	struct inputs *in = &flow->prospects->inputs;
	u64 reads = tracked(flow, insn->reads[0]);

	in->nr_pointers = in->nr_values = 0;
	in->lost = false;
	for (u32 i = 0; i < insn->nr_operands && insn->op != INSN_LEA; i++) {
		const struct insn_operand *op = &insn->operands[i];

		if (op->kind != INSN_MEM)
			continue;
		add_pointer(flow, in, op->mem.base);
		add_pointer(flow, in, op->mem.index);
		add_slot(flow, in, op);
		if (op->mem.base < STATE_REGS)
			reads &= ~((u64)1 << op->mem.base);
		if (op->mem.index < STATE_REGS)
			reads &= ~((u64)1 << op->mem.index);
	}
	/* lea 8(%rax,%rcx,8): an object beside that of %rax may be found, as in a load. */
	for (; reads; reads &= reads - 1) {
		const struct value *value = &flow->now->regs[__builtin_ctzll(reads)];

		add_node(in, value, insn->op == INSN_LEA ? view_of(value) : node_of(value));
	}
	/* mov %rax,8(%rax): the base is the stored value as well. */
	for (u32 i = 0; i < insn->nr_operands && in->nr_pointers; i++) {
		const struct insn_operand *op = &insn->operands[i];

		if (op->kind == INSN_REG && op->access & INSN_READ && op->reg < flow->now->nr_regs)
			add_input(in, &flow->now->regs[op->reg]);
	}
	if (insn->flow == INSN_CALL)
		add_call(flow, in, insn);
}

/* A void *, one of several pointers of a union, or a declared number: the load has found its member. */
static bool is_member(const struct value *value)
{
	if (value->kind == VALUE_NUMBER)
		return value->type;
	return value->detail == ACCESS_NO_TYPE || value->detail == ACCESS_AMBIGUOUS;
}

/* @value, which the instruction has written, depends on what it has read. */
static void add_output(struct prospects *p, const struct value *value)
{
	const struct inputs *in = &p->inputs;
	bool untyped = is_untyped(value);

	if (!untyped && !is_typed(value))
		return;
	for (u32 i = 0; i < in->nr_values; i++)
		if (untyped || aspect_of(in->values[i]) == ASPECT_VALUE)
			add_link(p, in->values[i], node_of(value));
	for (u32 i = 0; untyped && i < in->nr_pointers; i++)
		if (!is_member(value) || aspect_of(in->pointers[i]) == ASPECT_VALUE)
			add_link(p, in->pointers[i], node_of(value));
	if (in->lost && untyped)
		add_link(p, ANY, node_of(value));
}

/* What is known of the join tells something of its source, a value. */
static void link_back(struct prospects *p, u32 join, u32 source)
{
	add_link(p, beside(join, ASPECT_USES), beside(source, ASPECT_USES));
	add_link(p, join, beside(source, ASPECT_DOUBT));
}

/* A conditional move is a join. */
static void add_merge(struct prospects *p, const struct value *value)
{
	const struct inputs *in = &p->inputs;

	for (u32 i = 0; is_untyped(value) && i < in->nr_values; i++)
		if (aspect_of(in->values[i]) == ASPECT_VALUE)
			link_back(p, node_of(value), in->values[i]);
}

/* Each value is used by the type of something else: of the place where it is stored, or of what it is compared with. */
static void add_uses(struct prospects *p, bool compares)
{
	const struct inputs *in = &p->inputs;

	for (u32 i = 0; i < in->nr_values; i++) {
		u32 uses = beside(in->values[i], ASPECT_USES);

		if (aspect_of(in->values[i]) != ASPECT_VALUE)
			continue;
		for (u32 k = 0; k < in->nr_pointers; k++)
			add_link(p, in->pointers[k], uses);
		for (u32 k = 0; compares && k < in->nr_values; k++)
			add_link(p, in->values[k], uses);
	}
}

/* Whatever it reads, it writes a number: see other() in transfer.c. */
static bool makes_number(const struct insn *insn)
{
	switch (insn->op) {
	case INSN_ADC:
	case INSN_SBB:
	case INSN_SHR:
	case INSN_SAR:
	case INSN_ROTATE:
	case INSN_NOT:
	case INSN_NEG:
	case INSN_SETCC:
	case INSN_COUNT:
	case INSN_MULWIDE:
	case INSN_DIV:
	case INSN_SIGN:
		return true;
	default:
		return false;
	}
}

void prospects_after(struct flow *flow, const struct insn *insn)
{
	struct prospects *p = flow->prospects;
	u64 writes = tracked(flow, insn->writes[0]) & ~((u64)1 << X86_RSP);

	/* What else a call changes is not known after it, whatever was passed. */
	if (insn->flow == INSN_CALL)
		writes = (u64)1 << X86_RAX;
	for (; writes; writes &= writes - 1) {
		const struct value *value = &flow->now->regs[__builtin_ctzll(writes)];

		if (!makes_number(insn))
			add_output(p, value);
		if (insn->op == INSN_CMOV)
			add_merge(p, value);
	}
	add_uses(p, insn->op == INSN_CMP);
}

void prospects_join(struct prospects *p, const struct value *met, const struct value *from)
{
	if (met->maker == from->maker)
		return;
	if (is_typed(met) && is_typed(from))
		add_link(p, view_of(from), view_of(met));
	if (is_untyped(from) || (is_untyped(met) && is_typed(from)))
		add_link(p, node_of(from), node_of(met));
	if (is_untyped(met) && is_untyped(from))
		link_back(p, node_of(met), node_of(from));
}

static void add_root(struct flow *flow, const struct value *value)
{
	struct root root = { flow->insn, value->maker ? view_of(value) : ANY };

	if (is_untyped(value) || value->kind == VALUE_SYMBOL || value->kind == VALUE_ADDRESS ||
	    value->kind == VALUE_STACK)
		g_array_append_val(flow->prospects->roots, root);
}

void prospects_root(struct flow *flow, const struct insn *insn)
{
	for (u32 i = 0; i < insn->nr_operands; i++) {
		const struct insn_operand *op = &insn->operands[i];
		struct value address;

		if (op->kind != INSN_MEM)
			continue;
		address = transfer_address(flow, insn, op);
		add_root(flow, &address);
		if (flow->of_go && go_is_context(flow, &address)) {
			struct value loaded =
				value_symbol(ACCESS_COMPUTED, maker_insn(flow->insn, 0));

			add_root(flow, &loaded);
		}
		if (op->mem.base < STATE_REGS)
			add_root(flow, &flow->now->regs[op->mem.base]);
		if (op->mem.index < STATE_REGS)
			add_root(flow, &flow->now->regs[op->mem.index]);
	}
}

/* Another value of the ADDRESS is found through it, too. */
static void open_node(struct prospects *p, u32 at)
{
	if (p->open[at])
		return;
	p->open[at] = 1;
	p->opened[p->nr_opened++] = at;
	if (aspect_of(at) == ASPECT_ADDRESS)
		open_node(p, beside(at, ASPECT_VIEW));
}

static void open_news(struct flow *flow)
{
	const GArray *news = flow->infer->news;

	for (u32 i = 0; i < news->len; i++) {
		const struct infer_news *n = &g_array_index(news, struct infer_news, i);

		open_node(flow->prospects, node(n->maker, ASPECT_VALUE));
		if (n->address)
			open_node(flow->prospects, node(n->maker, ASPECT_VIEW));
	}
	if (news->len)
		open_node(flow->prospects, ANY);
}

static void open_shapes(struct flow *flow)
{
	GHashTableIter each;
	void *maker, *at;

	g_hash_table_iter_init(&each, flow->infer->shapes);
	while (g_hash_table_iter_next(&each, &maker, &at)) {
		const struct shape *shape = at;
		enum aspect aspect = shape->part ? ASPECT_VIEW : ASPECT_VALUE;

		if (shape_may_tell(flow, shape))
			open_node(flow->prospects, node(GPOINTER_TO_UINT(maker), aspect));
	}
}

/* The last part of a round decides once more, without its uses: then a choice counts that they contradict. */
static void open_choices(struct flow *flow)
{
	GHashTableIter each;
	void *maker;

	if (!flow->infer->choices)
		return;
	g_hash_table_iter_init(&each, flow->infer->choices);
	while (g_hash_table_iter_next(&each, &maker, NULL))
		if (flow->infer->doubts[GPOINTER_TO_UINT(maker)])
			open_node(flow->prospects, node(GPOINTER_TO_UINT(maker), ASPECT_VALUE));
}

/* What callers and shapes may tell at the end of a later round. */
static void open_pending(struct flow *flow)
{
	bool callers = flow->ask_callers && callers_may_tell(flow);
	bool shapes = flow->infer->shapes && flow->object->debug;

	for (u8 reg = 0; callers && reg < INFER_REGS; reg++)
		open_node(flow->prospects, node(maker_entry(flow->infer, reg), ASPECT_VALUE));
	if (shapes)
		open_shapes(flow);
	if (callers || shapes)
		open_choices(flow);
}

static void open_next(struct prospects *p, const struct infer *infer, u32 at)
{
	open_node(p, at);
	if (aspect_of(at) != ASPECT_USES &&
	    !(aspect_of(at) == ASPECT_DOUBT && infer->doubts[at / NR_ASPECTS]))
		return;
	/* Other uses, another type. */
	open_node(p, beside(at, ASPECT_USES));
	open_node(p, beside(at, ASPECT_VALUE));
}

/* Opens all that depends on open nodes. */
static void spread(struct prospects *p, const struct infer *infer)
{
	for (u32 i = 0; i < p->nr_opened; i++) {
		u32 from = p->opened[i];

		for (u32 k = p->last[from / NR_ASPECTS]; k; k = p->links[k - 1].before)
			if (p->links[k - 1].from == from)
				open_next(p, infer, p->links[k - 1].to);
	}
}

static bool is_unanswered(const struct access *access)
{
	return access->how == ACCESS_UNKNOWN && access->why != ACCESS_NO_MEMORY;
}

bool prospects_settle(struct flow *flow, bool pending)
{
	struct prospects *p = flow->prospects;
	g_autofree u8 *open = g_new0(u8, flow->cfg->nr);
	bool any = false;

	open_news(flow);
	if (pending)
		open_pending(flow);
	spread(p, flow->infer);
	for (u32 i = 0; i < p->roots->len; i++) {
		const struct root *root = &g_array_index(p->roots, struct root, i);

		open[root->insn] |= p->open[root->node];
	}
	for (u32 i = 0; i < flow->cfg->nr; i++) {
		if (!is_unanswered(&flow->answers[i]))
			continue;
		flow->settled[i] |= !open[i];
		any |= !flow->settled[i];
	}
	return any;
}

/* By node: 1 for those of which news tell. */
static u8 *find_news(const struct flow *flow)
{
	const GArray *news = flow->infer->news;
	u8 *marks = g_new0(u8, (size_t)flow->prospects->nr_makers * NR_ASPECTS);

	for (u32 i = 0; i < news->len; i++) {
		const struct infer_news *n = &g_array_index(news, struct infer_news, i);

		marks[node(n->maker, ASPECT_VALUE)] = 1;
		if (n->address)
			marks[node(n->maker, ASPECT_VIEW)] = 1;
	}
	return marks;
}

/* A node of which news tell, and on which nothing else has an effect: @news, without the nodes that open ones lead to. */
static bool is_direct(const struct flow *flow, const u8 *news, u32 at)
{
	return news[at] && maker_is_insn(flow->infer, at / NR_ASPECTS) != CFG_NONE &&
	       (aspect_of(at) != ASPECT_VIEW || !flow->prospects->open[beside(at, ASPECT_ADDRESS)]);
}

u8 *prospects_direct(const struct flow *flow, const u8 *open)
{
	const struct prospects *p = flow->prospects;
	u8 *direct = g_memdup2(open, flow->cfg->nr);
	g_autofree u8 *news = find_news(flow);

	for (u32 i = 0; i < p->nr_links; i++)
		if (p->open[p->links[i].from])
			news[p->links[i].to] = 0;
	for (u32 i = 0; i < p->roots->len; i++) {
		const struct root *root = &g_array_index(p->roots, struct root, i);

		if (p->open[root->node] && !is_direct(flow, news, root->node))
			direct[root->insn] = 0;
	}
	return direct;
}
