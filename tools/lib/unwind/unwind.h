/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which functions called which, from a thread's registers and a copy of its stack? Offline: nothing is read
 * but the copy, the rules of unwind/cfi.h and what cannot have changed in the files that were mapped. x86-64, and i386 code under
 * a 64-bit kernel.
 *
 * A stack ends with a reason. A frame is given only if something led to it: a rule; or, in code without rules (just-in-time
 * compilers, assembly), the frame pointer, if it points into the copy, to an address behind a call.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include "base/types.h"
#include "unwind/cfi.h"

/* What is mapped where an instruction is. */
struct unwind_code {
	struct cfi *cfi; /* NULL: code without call-frame information */
	u64 bias;	 /* address in the process - address in the file */
	u64 entry; /* where the file states that a program or the dynamic linker starts; 0: nowhere */
	u64 start,
		size; /* addresses with the one asked for, for all of which this is so; 0: not known */
};

/* @process: struct unwind_stack's. */
struct unwind_ops {
	/* False: no code is mapped at @ip. */
	bool (*find)(void *process, u64 ip, struct unwind_code *code);
	/*
	 * Copies @size bytes at @address out of a file that is mapped there, if the process could not write to
	 * them. False: they are not known. May be NULL.
	 */
	bool (*read)(void *process, u64 address, u32 size, void *to);
};

struct unwind_stack {
	u64 regs[CFI_NR_REGS]; /* by enum cfi_reg */
	u32 known;	       /* one bit per register; rip and rsp at least */
	u64 address;	       /* of the copy's first byte */
	const u8 *bytes;
	u64 size;
	/* 32-bit code: the registers are the lower halves, words have 4 bytes. */
	bool narrow;
	void *process; /* for unwind_ops */
	/*
	 * A number for the process and its mappings: what was learned of where something is mapped is used
	 * again under the same number only, or until unwinder_forget(). No cfi may be closed before that.
	 */
	u16 space;
};

struct unwind_frame {
	u64 ip;
	u64 sp;
	/*
	 * @ip is the instruction that was being executed: in the innermost frame and where a signal came. Else
	 * it is a return address: the call is the instruction before, and may be the last of its function.
	 */
	bool exact;
};

enum unwind_why {
	UNWIND_ROOT,	    /* the thread's first function */
	UNWIND_CUT,	    /* the copy ends before what is needed, unwind_end.address */
	UNWIND_BAD_MEMORY,  /* what is needed is below the copy */
	UNWIND_UNMAPPED,    /* there is no code at unwind_end.address */
	UNWIND_NO_CFI,	    /* code without a rule, and no frame pointer leads on */
	UNWIND_NO_REGISTER, /* the rule needs a register that is not known */
	UNWIND_BAD_RULE,    /* the rule makes no sense */
	UNWIND_CYCLE,	    /* the stack pointer does not come up */
	UNWIND_LIMIT,	    /* more frames than wanted */
	UNWIND_NR_WHYS,
};

struct unwind_end {
	enum unwind_why why;
	u64 address; /* as said above; else of the instruction */
	/* UNWIND_ROOT: the return address is 0, or the stack another one's, rather than stated not to be: so a runtime's own stack begins. */
	bool zero;
};

struct unwinder;

/* Keeps what it learned of addresses. One per thread. */
struct unwinder *unwinder_new(const struct unwind_ops *ops);
void unwinder_free(struct unwinder *u);
void unwinder_forget(struct unwinder *u);

struct unwinder_stats {
	u64 hits;   /* steps whose rule was at hand */
	u64 misses; /* steps whose mapping and rule were looked up */
	u64 guided; /* steps by frame pointers: no rule was there */
};

struct unwinder_stats unwinder_stats(const struct unwinder *u);

/* Innermost first; returns how many, at most @max. A return address where nothing is mapped is no frame. */
u32 unwinder_walk(struct unwinder *u, const struct unwind_stack *stack, struct unwind_frame *frames,
		  u32 max, struct unwind_end *end);

/* What the reason means, for people. */
const char *unwind_why_text(enum unwind_why why);

#endif
