// SPDX-License-Identifier: GPL-2.0-or-later
#include "unwind/ascent.h"

/*
 * A stack grows down, so callers have higher addresses. Exceptions: a signal may have its own stack, and coroutines
 * switch stacks.
 */
#define TURNS_MAX 16

/* Longer than the code before the first function in glibc's dynamic linker and musl's crt1.o. */
#define ENTRY_BYTES 64

bool ascent_move_up(struct ascent *w, const u64 *regs, u32 known, bool signal)
{
	if (!regs[CFI_RIP]) {
		ascent_stop(w, UNWIND_ROOT, w->regs[CFI_RIP]);
		w->end.zero = true;
		return false;
	}
	if (regs[CFI_RSP] <= w->regs[CFI_RSP] && ++w->turns > TURNS_MAX)
		return ascent_stop(w, UNWIND_CYCLE, w->regs[CFI_RIP]);
	memcpy(w->regs, regs, sizeof(w->regs));
	w->known = known;
	w->exact = signal;
	w->guided = false;
	return true;
}

bool ascent_is_entry(const struct unwind_code *code, u64 address)
{
	return code->entry && address - code->bias - code->entry < ENTRY_BYTES;
}
