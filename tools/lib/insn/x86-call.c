// SPDX-License-Identifier: GPL-2.0-or-later
#include "insn/x86-call.h"

#include <string.h>

/*
 * The size of `ff /2` with this operand:
 *
 *	mod 3: register			2 bytes
 *	mod 0, 1, 2: memory		2, 3, 6 bytes; one more with a SIB byte (rm 4)
 *	mod 0 without a base register	6 bytes (rm 5), or 7 with a SIB byte whose base is 5
 */
static u32 indirect_size(u8 modrm, u8 sib)
{
	static const u8 displacement[] = { 0, 1, 4, 0 };
	u8 mod = modrm >> 6, rm = modrm & 7;
	bool has_sib = mod != 3 && rm == 4;

	if (mod == 0 && (has_sib ? (sib & 7) == 5 : rm == 5))
		return 6 + has_sib;
	return 2u + has_sib + displacement[mod];
}

bool x86_ends_in_call(const u8 *before)
{
	if (before[X86_MAX_CALL - 5] == 0xe8)
		return true;
	for (u32 i = 0; i + 1 < X86_MAX_CALL; i++) {
		const u8 *at = before + i;

		if (at[0] == 0xff && (at[1] >> 3 & 7) == 2 &&
		    indirect_size(at[1], i + 2 < X86_MAX_CALL ? at[2] : 0) == X86_MAX_CALL - i)
			return true;
	}
	return false;
}

/*
 *	mov $15,%rax; syscall				rt_sigreturn()
 *	mov %rbx,%rsp; mov (%rsp),%rdi; test %rdi,%rdi	rbx: where the next context is stored
 */
const struct x86_landing x86_landings[X86_NR_LANDINGS] = {
	{ "__restore_rt", "sigaction", 9, { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 } },
	{ "__start_context",
	  "makecontext",
	  10,
	  { 0x48, 0x89, 0xdc, 0x48, 0x8b, 0x3c, 0x24, 0x48, 0x85, 0xff } },
};

const struct x86_landing *x86_landing_at(const u8 *at, size_t left)
{
	for (u32 i = 0; i < X86_NR_LANDINGS; i++)
		if (left >= x86_landings[i].size &&
		    !memcmp(at, x86_landings[i].bytes, x86_landings[i].size))
			return &x86_landings[i];
	return NULL;
}
