/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call-frame information: for each address of an ELF file, the rule that restores the caller's registers. The rules
 * come from .eh_frame and .debug_frame (DWARF 5, section 6.4; .eh_frame: LSB 5.0 core, section 10.6). If a file has
 * .sframe and no .eh_frame, they come from .sframe. cfi.c opens with a worked example. unwind/unwind.h applies the
 * rules.
 *
 * Architectures: x86-64, and i386 in 32-bit files. An i386 register has the number of the x86-64 register whose lower
 * half it is.
 *
 * Addresses are the file's own (vaddr). A function's rows are compiled when an address in it is first asked for, so
 * opening a large library costs nothing. All threads may ask at the same time.
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
	CFI_RIP = 16, /* the return address: it has a column in the table */
	CFI_NR_REGS = 17,
};

enum cfi_how {
	CFI_SAME,      /* not changed. For rsp: the CFA */
	CFI_UNDEFINED, /* not known; rip: there is no caller */
	CFI_AT,	       /* in memory at CFA + value */
	CFI_PLUS,      /* CFA + value */
	CFI_REG,       /* register @reg + value */
	CFI_AT_REG,    /* in memory at register @reg + value */
	CFI_AT_EXPR,   /* in memory at the expression's result */
	CFI_EXPR,      /* the expression's result */
};

struct cfi_place {
	/*
	 * enum cfi_how. The CFA has only CFI_REG, CFI_AT_REG, CFI_EXPR, or CFI_UNDEFINED if the rule does not state it.
	 */
	u8 how;
	u8 reg;	   /* CFI_REG, CFI_AT_REG */
	u16 size;  /* bytes of the expression, see cfi_expression() */
	s32 value; /* offset in bytes, or position of the expression */
};

struct cfi_rule {
	u32 set;     /* one bit per register that is not CFI_SAME */
	bool signal; /* a signal frame: the caller was interrupted at its pc, it made no call */
	bool debug_frame; /* expressions are in .debug_frame */
	struct cfi_place cfa;
	struct cfi_place regs[CFI_NR_REGS];
};

struct cfi;

/*
 * Opens the call-frame information of @code. @debug: the separate debug file, for .debug_frame; NULL: none. It may be
 * @code. .eh_frame is searched first. Both images must stay open until cfi_close(). NULL: neither file has call-frame
 * information that can be read here.
 */
struct cfi *cfi_open(const struct image *code, const struct image *debug);
void cfi_close(struct cfi *cfi);

/* Is the file a 32-bit one? */
bool cfi_is_narrow(const struct cfi *cfi);

/*
 * Uses the rows that earlier runs kept in @folder (dso/kept.h) for the object with that build-id. If this run compiles
 * many new rows, cfi_close() adds them there. Call it directly after cfi_open().
 */
void cfi_keep(struct cfi *cfi, const char *folder, const struct build_id *object);

/*
 * Declares that the functions in [low, high) have no caller there, because rsp points to another stack. This overrides
 * the file's rules: rip and rsp become CFI_UNDEFINED. Call it before the first cfi_find().
 */
void cfi_end_calls(struct cfi *cfi, u64 low, u64 high);

/*
 * The rule for the instruction at @vaddr, valid until cfi_close(). NULL: the file has no rule for it, or the rule is
 * malformed.
 */
const struct cfi_rule *cfi_find(struct cfi *cfi, u64 vaddr);

/* The bytes of the expression of @place, a place of @rule: place->size of them. */
const u8 *cfi_expression(const struct cfi *cfi, const struct cfi_rule *rule,
			 const struct cfi_place *place);

struct cfi_stats {
	u32 nr_functions; /* FDEs in the file */
	/* FDEs that were compiled because an address in them was asked for */
	u32 nr_compiled;
	u32 nr_kept;	       /* FDEs that an earlier run had compiled */
	u32 nr_rows, nr_rules; /* rows: compiled in this run; rules: all known ones */
	u64 bytes;	       /* memory of all compiled rows and rules */
};

struct cfi_stats cfi_stats(struct cfi *cfi);

/* Compiles all FDEs of the file. */
void cfi_compile(struct cfi *cfi);

#endif
