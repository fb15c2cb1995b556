// SPDX-License-Identifier: GPL-2.0-or-later
#include "chains/returns.h"

#include <elf.h>

#include "dso/dso.h"
#include "dso/go.h"
#include "insn/x86-call.h"

#define LOWEST_CODE  0x10000u /* the kernel's usual vm.mmap_min_addr */
#define USER_BITS    56u      /* of addresses, with five levels of page tables */
#define BYTES_NEEDED (X86_MAX_CALL + 1)

static bool is_go(struct dso *dso)
{
	bool go;
	Elf *elf;

	dso_lock(dso);
	elf = dso_elf(dso);
	go = elf && go_is_program(elf);
	dso_unlock(dso);
	return go;
}

enum return_evidence returns_unmapped(u64 va)
{
	return va < LOWEST_CODE || va >> USER_BITS ? RETURNS_NEVER : RETURNS_MAYBE;
}

enum return_evidence returns_in_dso(struct dso *dso, u64 vaddr)
{
	const u8 *before;
	size_t left;

	if (dso_kind(dso) != DSO_USER || dso_machine(dso) != EM_X86_64 || vaddr < X86_MAX_CALL)
		return RETURNS_MAYBE;
	before = dso_code(dso, vaddr - X86_MAX_CALL, &left);
	if (!before || left < BYTES_NEEDED)
		return RETURNS_MAYBE;
	if (x86_ends_in_call(before))
		return RETURNS;
	/* Chains that were unwound have the last byte of the call. */
	if (x86_ends_in_call(before + 1) ||
	    x86_landing_at(before + X86_MAX_CALL, left - X86_MAX_CALL) || is_go(dso))
		return RETURNS_MAYBE;
	return RETURNS_NEVER;
}
