// SPDX-License-Identifier: GPL-2.0-or-later
/* The step through code without rules: by the frame pointer, or by the instruction that was interrupted. */
#include <string.h>

#include "insn/x86-call.h"
#include "unwind/ascent.h"

const struct x86_landing *ascent_landing(const struct ascent *w, u64 address)
{
	u8 b[X86_MAX_LANDING];

	if (!w->u->ops->read || !w->u->ops->read(w->stack->process, address, sizeof(b), b))
		return NULL;
	return x86_landing_at(b, sizeof(b));
}

/*
 * Can something return to @address: a call ends there, or it is a landing? True if the bytes are not known, as with
 * just-in-time compilers.
 */
static bool can_return_to(const struct ascent *w, u64 address)
{
	const struct unwind_ops *ops = w->u->ops;
	u8 b[X86_MAX_CALL];

	return !ops->read || !ops->read(w->stack->process, address - sizeof(b), sizeof(b), b) ||
	       x86_ends_in_call(b) || ascent_landing(w, address);
}

u64 ascent_return_address(const struct ascent *w, u64 slot)
{
	struct unwind_code code;
	u64 ip;

	if (slot % ascent_word_size(w) || !ascent_in_copy(w->stack, slot, ascent_word_size(w)))
		return 0;
	ip = ascent_copied_word(w, slot);
	if (!ip || !w->u->ops->find(w->stack->process, ip - 1, &code) || !can_return_to(w, ip))
		return 0;
	return ip;
}

/*
 * The return address's distance from rsp in code without rules, if the instruction at rip shows it; -1: it does not.
 * The interrupted function has no frame of its own at these instructions:
 *
 *	at its start		push %rbp; endbr64, push %rbp	return address at rsp
 *	in a stub of the PLT	jmp *slot(%rip)			at rsp
 *	after the push		mov %rsp,%rbp			at rsp + a word, the caller's rbp at rsp
 *	at its end		ret				at rsp
 *
 * i386 has endbr32, jmp *slot or jmp *slot(%ebx), and mov %esp,%ebp without the prefix 48.
 */
static int frameless_offset(const struct ascent *w)
{
	static const u8 endbr[] = { 0xf3, 0x0f, 0x1e }, move[] = { 0x48, 0x89, 0xe5 };
	const struct unwind_ops *ops = w->u->ops;
	bool narrow = w->stack->narrow;
	u8 before[6], b[8], *at = b;

	if (!w->exact || !ops->read ||
	    !ops->read(w->stack->process, w->regs[CFI_RIP], sizeof(b), b))
		return -1;
	/* The start of a lazy PLT is a push, then this jump. */
	if (ops->read(w->stack->process, w->regs[CFI_RIP] - sizeof(before), sizeof(before),
		      before) &&
	    before[0] == 0xff && (before[1] == 0x35 || (narrow && before[1] == 0xb3)))
		return -1;
	if (!memcmp(at, move + narrow, sizeof(move) - narrow))
		return (int)ascent_word_size(w);
	if (!memcmp(at, endbr, sizeof(endbr)) && at[3] == (narrow ? 0xfb : 0xfa))
		at += sizeof(endbr) + 1;
	at += *at == 0xf2; /* bnd */
	return *at == 0x55 || *at == 0xc3 ||
			       (at[0] == 0xff && (at[1] == 0x25 || (narrow && at[1] == 0xa3)))
		       ? 0
		       : -1;
}

bool ascent_frame_step(struct ascent *w)
{
	u64 regs[CFI_NR_REGS] = { 0 }, rbp = w->regs[CFI_RBP], ip, word = ascent_word_size(w);
	int offset = frameless_offset(w);

	if (offset >= 0) {
		u64 slot = w->regs[CFI_RSP] + (u64)offset;

		ip = ascent_return_address(w, slot);
		if (!ip)
			return false;
		regs[CFI_RBP] = offset ? ascent_copied_word(w, slot - word) : rbp;
		regs[CFI_RSP] = slot + word;
	} else {
		if (!(w->known & BIT(CFI_RBP)) || rbp < w->regs[CFI_RSP])
			return false;
		if (w->guided && !rbp)
			return ascent_stop(w, UNWIND_ROOT, w->regs[CFI_RIP]);
		ip = ascent_return_address(w, rbp + word);
		if (!ip)
			return false;
		regs[CFI_RBP] = ascent_copied_word(w, rbp);
		regs[CFI_RSP] = rbp + 2 * word;
	}
	regs[CFI_RIP] = ip;
	if (!ascent_move_up(w, regs, FAST & (w->known | BIT(CFI_RIP)), false))
		return false;
	w->cut = 0;
	w->guided = true;
	w->u->stats.guided++;
	return true;
}
