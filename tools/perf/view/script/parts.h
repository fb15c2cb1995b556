/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the parts of a script line: addresses, registers, branches, bytes. Each function appends to @out, in
 * upstream's format (perf-script(1), Linux 7.x).
 */
#ifndef VIEW_SCRIPT_PARTS_H
#define VIEW_SCRIPT_PARTS_H

#include <glib.h>

#include "base/types.h"
#include "fields/fields.h"
#include "insn/insn.h"
#include "perfdata/event.h"
#include "resolve/place.h"
#include "view/script/memo.h"

/* In @wanted besides COLUMN_BIT(): the kernel is named by the path of its file, if it has one. */
#define WANT_KERNEL_PATH (1ULL << 63)

/* Letters for header.misc: "K", "U", "E" for an exact ip. Four columns. */
void script_print_misc(u32 type, u16 misc, GString *out);

/*
 * "    7f53b662a040 sum+0x1e (/usr/bin/x)": the parts whose COLUMN_BIT() is in @wanted. @memo caches names of functions
 * and files.
 */
void script_print_code(struct memo *memo, const struct code *code, u64 wanted, GString *out);

/* The data address, with symbol and dso if they are in @wanted. */
void script_print_addr(struct memo *memo, const struct place *place, u64 wanted, GString *out);

/* "1e05080021 |OP LOAD|LVL L1 hit|...". */
void script_print_data_src(struct lexicon *lexicon, const struct place *place, GString *out);

/* " ABI:2    AX:0x12 ...". @regs: x86, by linux/asm/perf_regs.h. */
void script_print_regs(const struct sample_regs *regs, GString *out);

/* The branch stack in the selected forms; nothing if the sample has none. */
void script_print_branches(const struct place *place, u64 wanted, GString *out);

/* A hex dump: eight bytes per line, with their text. */
void script_print_bytes(const void *bytes, u32 size, GString *out);

/* Length, bytes and text of the instruction at @code; nothing if its file cannot be read. */
void script_print_insn(struct insn_decoder *decoder, const struct code *code, u64 wanted,
		       GString *out);

/* The length of that instruction; 0: not known. */
u8 script_insn_size(struct insn_decoder *decoder, const struct code *code);

/* " 4K", " N/A". */
void script_print_page_size(u64 bytes, GString *out);

/* " tls:64/64 00112233...": requested and recorded size, then the bytes up to the thread pointer. */
void script_print_tls(const struct sample_bytes *tls, GString *out);

#endif
