/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the single parts of a script line read: addresses, registers, branches, bytes. Each
 * function appends to @out in upstream's form (perf-script(1), Linux 7.x).
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

/* Letters for header.misc: "K", "U", "E" for an exact ip; four columns. */
void script_print_misc(u32 type, u16 misc, GString *out);

/*
 * "    7f53b662a040 sum+0x1e (/usr/bin/x)", as far as COLUMN_BIT()s in @wanted say. @memo has names
 * of functions by their numbers, and of files.
 */
void script_print_code(struct memo *memo, const struct code *code, u64 wanted, GString *out);

/* The data address, with symbol and dso where those are wanted. */
void script_print_addr(struct memo *memo, const struct place *place, u64 wanted, GString *out);

/* "1e05080021 |OP LOAD|LVL L1 hit|...". */
void script_print_data_src(struct lexicon *lexicon, const struct place *place, GString *out);

/* " ABI:2    AX:0x12 ...": @regs by linux/asm/perf_regs.h of x86. */
void script_print_regs(const struct sample_regs *regs, GString *out);

/* The branch stack in the forms that are wanted; nothing where the sample has none. */
void script_print_branches(const struct place *place, u64 wanted, GString *out);

/* A dump of bytes: eight to a line, with their text. */
void script_print_bytes(const void *bytes, u32 size, GString *out);

/* Length, bytes and text of the instruction at @code; nothing where its file is absent. */
void script_print_insn(struct insn_decoder *decoder, const struct code *code, u64 wanted,
		       GString *out);

/* " 4K", " N/A". */
void script_print_page_size(u64 bytes, GString *out);

/* " tls:64/64 00112233...": size wanted and filled, then the bytes up to the thread pointer. */
void script_print_tls(const struct sample_bytes *tls, GString *out);

#endif
