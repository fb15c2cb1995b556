/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where did the caller's registers go? For each address of an ELF file, the rule by which the frame of the
 * function there is undone, as .eh_frame and .debug_frame state it (DWARF 5, section 6.4; .eh_frame: LSB 5.0 core,
 * section 10.6). cfi.c opens with a worked example. To apply a rule is unwind/unwind.h's.
 *
 * x86-64, and i386 in 32-bit files, whose registers have the numbers of those that they are the lower half of. Where a file has
 * no .eh_frame but .sframe, the rules are that one's.
 *
 * Addresses are the file's own (vaddr). A function's rows are compiled when an address in it is first asked
 * for, so opening a large library costs nothing. Any number of threads may ask at the same time.
 */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include "base/types.h"
#include "dso/image.h"

/* Registers by DWARF's numbers (System V ABI, AMD64 supplement, figure 3.36). */
enum cfi_reg {
	CFI_RBX = 3,
	CFI_RSI = 4,
	CFI_RDI = 5,
	CFI_RBP = 6,
	CFI_RSP = 7,
	CFI_R12 = 12,
	CFI_R15 = 15,
	CFI_RIP = 16, /* the return address, as a column of the table */
	CFI_NR_REGS = 17,
};

enum cfi_how {
	CFI_SAME,      /* not changed. For rsp: the CFA */
	CFI_UNDEFINED, /* lost; for rip: there is no caller */
	CFI_AT,	       /* in memory at CFA + value */
	CFI_PLUS,      /* CFA + value */
	CFI_REG,       /* register @reg + value */
	CFI_AT_REG,    /* in memory at register @reg + value */
	CFI_AT_EXPR,   /* in memory at what the expression says */
	CFI_EXPR,      /* what the expression says */
};

struct cfi_place {
	/* enum cfi_how; of a CFA only CFI_REG, CFI_AT_REG and CFI_EXPR, CFI_UNDEFINED where none was stated */
	u8 how;
	u8 reg;	   /* CFI_REG, CFI_AT_REG */
	u16 size;  /* of the expression in bytes, for cfi_expression() */
	s32 value; /* offset in bytes, or where the expression is */
};

struct cfi_rule {
	u32 set;     /* one bit per register that is not CFI_SAME */
	bool signal; /* a signal's frame: the caller was interrupted at its pc, and called nothing */
	bool debug_frame; /* where expressions are */
	struct cfi_place cfa;
	struct cfi_place regs[CFI_NR_REGS];
};

struct cfi;

/*
 * NULL where neither file has call-frame information that can be read here. @debug: the separate debug file, for
 * .debug_frame, or NULL; may be @code. .eh_frame is asked first. Both images must stay open until cfi_close().
 */
struct cfi *cfi_open(const struct image *code, const struct image *debug);
void cfi_close(struct cfi *cfi);

/* Is the file a 32-bit one? */
bool cfi_is_narrow(const struct cfi *cfi);

/*
 * Directly after cfi_open(): takes the rows that earlier runs kept of the object with that build-id in @folder (dso/kept.h), and
 * keeps what is compiled from now on there, at cfi_close(), if it is much.
 */
void cfi_keep(struct cfi *cfi, const char *folder, const struct build_id *object);

/*
 * Before the first question: whatever is stated, the functions in [low, high) have no caller there, because rsp is that of another
 * stack. The rule says of rip and rsp that they are CFI_UNDEFINED.
 */
void cfi_end_calls(struct cfi *cfi, u64 low, u64 high);

/* The rule for the instruction at @vaddr, valid until cfi_close(). NULL: none is stated, or it is garbled. */
const struct cfi_rule *cfi_find(struct cfi *cfi, u64 vaddr);

/* The bytes of the expression of @place, a place of @rule: place->size of them. */
const u8 *cfi_expression(const struct cfi *cfi, const struct cfi_rule *rule,
			 const struct cfi_place *place);

struct cfi_stats {
	u32 nr_functions;      /* entries (FDEs) that the file has */
	u32 nr_compiled;       /* of them, those asked for */
	u32 nr_kept;	       /* those that an earlier run had compiled */
	u32 nr_rows, nr_rules; /* compiled; all that are known */
	u64 bytes;	       /* memory of all that is compiled */
};

struct cfi_stats cfi_stats(struct cfi *cfi);

/* Compiles all that the file has. */
void cfi_compile(struct cfi *cfi);

#endif
