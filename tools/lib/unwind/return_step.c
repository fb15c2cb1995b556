// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The step through code without rules, by its instructions: how will this function return? The instructions from rip on
 * are followed to the next `ret`. They tell where the return address is and which registers are restored:
 *
 *	rip:	mov  %rax,(%rdi)
 *		add  $24,%rsp		rsp + 24
 *		pop  %rbx		the caller's rbx is there
 *		ret			the return address is at rsp + 32
 *
 * All paths of a function to its returns agree, whatever its data are. So conditional jumps are not taken at first. If
 * that path leads nowhere (it ends in a call that does not return, or in a loop), the path behind the last jump is
 * tried. A path counts only if its return address follows a call. So code that is decoded wrongly gives no caller.
 *
 * Only known values are computed: rsp, registers that are copied from it, and what the stack holds. A store to memory
 * is not followed, except for pushes. Callees keep what the ABI says.
 *
 * The first function of a thread has no caller to find. There are three kinds of evidence for it: its path ends the
 * thread by a system call; it is __start_context, to which the function of a context returns; or the first return
 * address above rsp is that of the program's entry (musl's start code).
 */
#include <string.h>
#include <sys/syscall.h>

#include "insn/insn.h"
#include "unwind/ascent.h"

#define INSNS_MAX  2000u /* of all paths */
#define PATHS_MAX  32u	 /* targets of jumps */
#define PUSHED_MAX 16u	 /* words pushed on a path */
#define CODE_BYTES 64u	 /* read at once */
#define INSN_MAX   15u	 /* bytes of the longest instruction */
#define ENTRY_MAX  32u	 /* words above rsp in which the entry's return address is searched */

#define PLT_PUSH      6u	 /* bytes of `push slot(%rip)` */
#define FRAME_MAX     (1u << 20) /* bytes: no function has a larger frame */
#define SIGCONTEXT_AT 40u	 /* bytes from a struct ucontext to its registers */

struct return_path {
	u64 ip;
	u64 regs[CFI_NR_REGS];
	u32 known;
	u32 nr_pushed;
	struct pushed_word {
		u64 address, value;
	} pushed[PUSHED_MAX]; /* words of known value, the last ones first to be searched */
	bool called;
	bool bound_late; /* the last push was that of a PLT's head: its jump goes to the dynamic linker, which drops two words */
};

struct return_paths {
	struct ascent *w;
	u32 nr, left; /* paths to follow; instructions that may still be decoded */
	bool exits;   /* one ends the thread, and calls nothing before */
	u64 code_at;  /* address of @code */
	u32 code_size;
	u8 code[CODE_BYTES];
	u32 nr_targets;
	u64 targets[PATHS_MAX]; /* of jumps that were seen */
	struct return_path at[PATHS_MAX];
};

static void set(struct return_path *p, u32 reg, bool known, u64 value)
{
	p->known = known ? p->known | BIT(reg) : p->known & ~BIT(reg);
	p->regs[reg] = value;
}

/*
 * The word at @address. Above the frame's stack pointer it comes from the copy. Below, only this path can have pushed
 * it.
 */
static bool load(const struct ascent *w, const struct return_path *p, u64 address, u64 *value)
{
	if (address >= w->regs[CFI_RSP]) {
		if (!ascent_in_copy(w->stack, address, 8))
			return false;
		*value = ascent_copied_word(w, address);
		return true;
	}
	for (u32 i = p->nr_pushed; i--;) {
		*value = p->pushed[i].value;
		if (p->pushed[i].address == address)
			return true;
	}
	return false;
}

/* The addresses in @pushed descend, as the stack grows. */
static void push(struct return_path *p, bool known, u64 value)
{
	u64 address = p->regs[CFI_RSP] -= 8;

	/* What was pushed there before is gone. */
	while (p->nr_pushed && p->pushed[p->nr_pushed - 1].address <= address)
		p->nr_pushed--;
	if (known && p->nr_pushed < PUSHED_MAX)
		p->pushed[p->nr_pushed++] = (struct pushed_word){ address, value };
}

static void pop(const struct ascent *w, struct return_path *p, u32 reg)
{
	u64 value = 0, address = p->regs[CFI_RSP];
	bool known = p->known & BIT(CFI_RSP) && load(w, p, address, &value);

	p->regs[CFI_RSP] += 8;
	if (reg < CFI_RIP)
		set(p, reg, known, value);
}

static bool is_whole_register(const struct insn_operand *op)
{
	return op->kind == INSN_REG && op->width == 8 && op->reg < CFI_RIP;
}

/* The address of a memory operand, if it is known. */
static bool address_of(const struct return_path *p, const struct insn_operand *op, u64 *address)
{
	if (op->kind != INSN_MEM || op->mem.base >= CFI_RIP || op->mem.index != INSN_NO_REG ||
	    op->mem.segment != INSN_SEG_NONE || !(p->known & BIT(op->mem.base)))
		return false;
	*address = p->regs[op->mem.base] + (u64)op->mem.disp;
	return true;
}

static bool source_value(const struct ascent *w, const struct return_path *p,
			 const struct insn_operand *op, u64 *value)
{
	u64 address;

	if (op->kind == INSN_IMM) {
		*value = (u64)op->imm;
		return true;
	}
	if (is_whole_register(op)) {
		*value = p->regs[op->reg];
		return p->known & BIT(op->reg);
	}
	return op->width == 8 && address_of(p, op, &address) && load(w, p, address, value);
}

/*
 * The value that an instruction gives to its first operand, a register. False: not known. A write to a 32-bit register
 * clears the upper half: after `mov $60,%eax`, rax is 60. `and` is needed for realigned stacks: `and $-16,%rsp`.
 */
static bool result(const struct ascent *w, const struct return_path *p, const struct insn *insn,
		   u64 *value)
{
	const struct insn_operand *to = &insn->operands[0], *from = &insn->operands[1];
	u64 by, old = p->regs[to->reg];
	bool known = p->known & BIT(to->reg);

	*value = 0;
	if (insn->zero)
		return to->width >= 4;
	if (insn->op == INSN_LEA)
		return to->width == 8 && address_of(p, from, value);
	if (insn->nr_operands < 2 || !source_value(w, p, from, &by))
		return false;
	switch (insn->op) {
	case INSN_MOV:
		*value = to->width == 1 ? (old & ~0xffull) | (by & 0xff) : by;
		return !to->high && (to->width == 1 ? known : to->width >= 4);
	case INSN_ADD:
		*value = old + by;
		break;
	case INSN_SUB:
		*value = old - by;
		break;
	case INSN_AND:
		*value = old & by;
		break;
	default:
		return false;
	}
	return known && to->width == 8;
}

/* Changes the registers as the instruction does. */
static void execute(const struct ascent *w, struct return_path *p, const struct insn *insn)
{
	const struct insn_operand *to = &insn->operands[0];
	u64 value = 0;
	bool known;

	switch (insn->op) {
	case INSN_PUSH:
		p->bound_late = to->kind == INSN_MEM && to->relative;
		known = source_value(w, p, to, &value);
		push(p, known, value);
		return;
	case INSN_POP:
		pop(w, p, is_whole_register(to) ? to->reg : CFI_NR_REGS);
		return;
	case INSN_LEAVE:
		set(p, CFI_RSP, p->known & BIT(CFI_RBP), p->regs[CFI_RBP]);
		pop(w, p, CFI_RBP);
		return;
	case INSN_CALLS:
		p->known &= KEPT;
		p->called = true;
		return;
	default:
		break;
	}
	known = insn->nr_operands && to->kind == INSN_REG && to->reg < CFI_RIP &&
		to->access & INSN_WRITE && result(w, p, insn, &value);
	p->known &= ~((u32)insn->writes[0] & (BIT(CFI_RIP) - 1));
	if (known)
		set(p, to->reg, true, value);
}

/* At a mapping's end, fewer bytes can be read: the size is halved until the read succeeds. */
static bool decode(struct return_paths *a, u64 ip, struct insn *insn)
{
	struct ascent *w = a->w;
	const struct unwind_ops *ops = w->u->ops;
	void *process = w->stack->process;

	if (ip - a->code_at >= a->code_size || a->code_at + a->code_size - ip < INSN_MAX) {
		a->code_at = ip;
		a->code_size = CODE_BYTES;
		while (a->code_size && !ops->read(process, ip, a->code_size, a->code))
			a->code_size /= 2;
	}
	return a->code_size && insn_decode(w->u->decoder, a->code + (ip - a->code_at),
					   (size_t)(a->code_at + a->code_size - ip), ip, insn);
}

/* The system call by which a signal handler returns: the interrupted registers are at rsp (struct ucontext). */
static bool returns_from_signal(struct ascent *w, const struct return_path *p)
{
	/* In the order of struct sigcontext (asm/sigcontext.h). */
	static const u8 order[CFI_NR_REGS] = { 8,	9,	 10,	  11,	   CFI_R12, 13,
					       14,	CFI_R15, CFI_RDI, CFI_RSI, CFI_RBP, CFI_RBX,
					       X86_RDX, X86_RAX, X86_RCX, CFI_RSP, CFI_RIP };
	u64 regs[CFI_NR_REGS], at = p->regs[CFI_RSP] + SIGCONTEXT_AT;

	if (!(p->known & BIT(CFI_RSP)))
		return false;
	if (!ascent_in_copy(w->stack, at, sizeof(regs)))
		return ascent_stop(w, UNWIND_CUT, at + sizeof(regs) - 8);
	for (u32 i = 0; i < CFI_NR_REGS; i++)
		regs[order[i]] = ascent_copied_word(w, at + i * 8);
	return ascent_move_up(w, regs, BIT(CFI_NR_REGS) - 1, true);
}

/* At a `ret`: makes the caller the present frame, if the return address follows a call. */
static bool returns(struct ascent *w, const struct return_path *p)
{
	u64 regs[CFI_NR_REGS], slot = p->regs[CFI_RSP];

	if (p->bound_late)
		slot += 2 * 8;
	if (!(p->known & BIT(CFI_RSP)) || slot < w->regs[CFI_RSP])
		return false;
	if (slot - w->regs[CFI_RSP] < FRAME_MAX && !ascent_in_copy(w->stack, slot, 8))
		return ascent_stop(w, UNWIND_CUT, slot);
	memcpy(regs, p->regs, sizeof(regs));
	regs[CFI_RIP] = ascent_return_address(w, slot);
	regs[CFI_RSP] = slot + 8;
	return regs[CFI_RIP] && ascent_move_up(w, regs, (p->known & KEPT) | BIT(CFI_RIP), false);
}

/*
 * Is @target that of a jump for the first time? All paths from there lead to the same place. So each target is followed
 * once, and a loop ends when its jump back is seen again.
 */
static bool is_new(struct return_paths *a, u64 target)
{
	for (u32 i = 0; i < a->nr_targets; i++)
		if (a->targets[i] == target)
			return false;
	if (a->nr_targets == PATHS_MAX)
		return false;
	a->targets[a->nr_targets++] = target;
	return true;
}

/* Remembers the other side of a conditional jump. */
static void remember(struct return_paths *a, const struct return_path *p, u64 target)
{
	if (!is_new(a, target))
		return;
	a->at[a->nr] = *p;
	a->at[a->nr++].ip = target;
}

/* Does the path end here? out: @found, whether it led to the caller. */
static bool ends(struct return_paths *a, const struct return_path *p, const struct insn *insn,
		 bool *found)
{
	/* A jump through a constant slot leaves the function, as a return does. */
	bool leaves = insn->flow == INSN_JUMP && insn->indirect && insn->operands[0].relative;
	u64 number = insn->op == INSN_SYSCALL && p->known & BIT(X86_RAX) ? p->regs[X86_RAX] : 0;

	if (number == SYS_rt_sigreturn) {
		*found = returns_from_signal(a->w, p);
		return true;
	}
	if (insn->flow == INSN_RET || leaves) {
		*found = returns(a->w, p);
		return true;
	}
	a->exits |= !p->called && (number == SYS_exit || number == SYS_exit_group);
	return insn->flow == INSN_STOP || (insn->flow == INSN_JUMP && insn->indirect);
}

/* Follows a path to its end. True: it leads to the caller. */
static bool follow(struct return_paths *a, struct return_path *p)
{
	struct insn insn;
	bool found = false;

	for (; a->left && decode(a, p->ip, &insn); a->left--) {
		if (ends(a, p, &insn, &found))
			return found;
		if (insn.flow == INSN_JUMP && !is_new(a, insn.target))
			return false;
		execute(a->w, p, &insn);
		p->ip = insn.flow == INSN_JUMP ? insn.target : p->ip + insn.size;
		if (insn.flow == INSN_COND)
			remember(a, p, insn.target);
	}
	return false;
}

/*
 * The path that was remembered last is tried first: its jump is the nearest to the place where the other path failed.
 * INSNS_MAX is for all paths together. In the head of a PLT, the push before rip may already be done: the two words
 * that the PLT pushed are then below the return address.
 */
bool ascent_return_step(struct ascent *w)
{
	struct unwinder *u = w->u;
	struct return_path p = { .ip = w->regs[CFI_RIP], .known = w->known & (BIT(CFI_RIP) - 1) };
	struct return_paths a;

	u8 before[PLT_PUSH];

	w->exits = false;
	if (!u->decoder)
		u->decoder = insn_decoder_new(INSN_X86_64, NULL);
	if (!u->decoder || !u->ops->read || w->stack->narrow)
		return false;
	a.w = w;
	a.nr = a.nr_targets = 0;
	a.left = INSNS_MAX;
	a.exits = false;
	a.code_size = 0;
	memcpy(p.regs, w->regs, sizeof(p.regs));
	p.bound_late = w->exact &&
		       u->ops->read(w->stack->process, p.ip - PLT_PUSH, PLT_PUSH, before) &&
		       before[0] == 0xff && before[1] == 0x35;
	while (!follow(&a, &p)) {
		if (!a.left || !a.nr) {
			w->exits = a.exits;
			return false;
		}
		p = a.at[--a.nr];
	}
	w->cut = 0;
	u->stats.guided++;
	return true;
}

bool ascent_is_first(struct ascent *w)
{
	struct unwind_code code;
	u64 ip = 0;

	if (w->exact)
		return false;
	w->landed = ascent_landing(w, w->regs[CFI_RIP]);
	for (u32 i = 0; i < ENTRY_MAX && !ip; i++)
		ip = ascent_return_address(w, w->regs[CFI_RSP] + i * ascent_word_size(w));
	return w->landed || w->exits ||
	       (ip && w->u->ops->find(w->stack->process, ip - 1, &code) &&
		ascent_is_entry(&code, ip - 1));
}
