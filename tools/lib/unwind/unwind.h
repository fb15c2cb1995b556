/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinding: which functions called which, from a thread's registers and a copy of its stack? It works offline: it
 * reads only the copy, the rules of unwind/cfi.h, and those bytes of mapped files that the process cannot have changed.
 * x86-64, and i386 code under a 64-bit kernel.
 *
 * Every walk ends with a reason. A frame is reported only if there is evidence for it. The evidence is a rule. Code
 * without rules is followed to its return (return_step.c). If its instructions are not known (just-in-time compilers),
 * the frame pointer is used: it must point into the copy, to a return address that follows a call.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include "base/types.h"
#include "unwind/cfi.h"

/* The mapping that contains an instruction. */
struct unwind_code {
	struct cfi *cfi; /* NULL: code without call-frame information */
	u64 bias;	 /* address in the process - address in the file */
	/* entry point of a program or the dynamic linker, as the file states it; 0: none */
	u64 entry;
	u64 start,
		/* the range around the asked address that has the same @cfi and @bias; size 0: not known */
		size;
};

/* @process: unwind_stack.process. */
struct unwind_ops {
	/* False: no code is mapped at @ip. */
	bool (*find)(void *process, u64 ip, struct unwind_code *code);
	/*
	 * Copies @size bytes at @address from the file that is mapped there, if the mapping is not writable. False: the
	 * bytes are not known. May be NULL.
	 */
	bool (*read)(void *process, u64 address, u32 size, void *to);
};

/* A copy of memory. */
struct unwind_memory {
	u64 address;
	const u8 *bytes;
	u64 size;
};

struct unwind_stack {
	u64 regs[CFI_NR_REGS]; /* by enum cfi_reg */
	u32 known;	       /* one bit per register; rip and rsp at least */
	u64 address;	       /* of the copy's first byte */
	const u8 *bytes;
	u64 size;
	/* A part that this copy lacks: the stack that a signal interrupted, or what is above a guard page. size 0: none. */
	struct unwind_memory more;
	/* 32-bit code: the registers are the lower halves, and words have 4 bytes. */
	bool narrow;
	void *process; /* argument of unwind_ops */
	/*
	 * A number for the process and its mappings. Cached mappings are used again only for the same number, until
	 * unwinder_forget(). No cfi may be closed before that.
	 */
	u16 space;
};

struct unwind_frame {
	u64 ip;
	u64 sp;
	/*
	 * True: @ip is the instruction that was being executed, or will be without a call before it. This holds for the
	 * innermost frame, where a signal came, the signal's trampoline and the start of a context. False: @ip is a
	 * return address. The call is the instruction before it. It may be the last instruction of its function.
	 */
	bool exact;
};

enum unwind_why {
	UNWIND_ROOT,	    /* the thread's first function */
	UNWIND_CUT,	    /* the copy ends before the needed address, unwind_end.address */
	UNWIND_BAD_MEMORY,  /* the needed address is below the copy */
	UNWIND_UNMAPPED,    /* there is no code at unwind_end.address */
	UNWIND_NO_CFI,	    /* code without a rule, and the frame pointer leads to no caller */
	UNWIND_NO_REGISTER, /* the rule needs an unknown register */
	UNWIND_BAD_RULE,    /* the rule is malformed */
	UNWIND_CYCLE,	    /* the stack pointer does not move up */
	UNWIND_LIMIT,	    /* more frames than wanted */
	UNWIND_NO_FILE, /* as UNWIND_NO_CFI, because the file is absent: set by chains/, which knows files */
	UNWIND_NR_WHYS,
};

struct unwind_end {
	enum unwind_why why;
	u64 address; /* as described at the reason; else the instruction's address */
	/*
	 * UNWIND_ROOT: true if the return address is 0, or if rsp points to another stack (cfi_end_calls()). A
	 * runtime's own stack begins like this. False: the file's rule states that there is no caller.
	 */
	bool zero;
};

struct unwinder;

/* Caches rules and mappings by address. Use one unwinder per thread. */
struct unwinder *unwinder_new(const struct unwind_ops *ops);
void unwinder_free(struct unwinder *u);
void unwinder_forget(struct unwinder *u);

struct unwinder_stats {
	u64 hits;   /* steps whose rule was cached */
	u64 misses; /* steps that needed a look-up of mapping and rule */
	u64 guided; /* steps without a rule: by the instructions or by frame pointer */
};

struct unwinder_stats unwinder_stats(const struct unwinder *u);

/*
 * Innermost frame first. Returns the number of frames, at most @max. A return address at which nothing is mapped is not
 * reported.
 */
u32 unwinder_walk(struct unwinder *u, const struct unwind_stack *stack, struct unwind_frame *frames,
		  u32 max, struct unwind_end *end);

/* The reason as text for users. */
const char *unwind_why_text(enum unwind_why why);

#endif
