/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of the kernel's global variables, which BTF lacks (but for per-CPU ones). Two kinds of evidence:
 *
 * - calls: `mov $g,%rdi; call f` says that g is what f's first parameter points to. Each such call is a vote. Two thirds of a
 *   variable's votes must agree.
 * - names and sizes that the kernel's macros and conventions give: __tracepoint_sched_switch, dentry_cache, inet_sk_ops.
 *
 * Both are guesses, right for some 90 % of the variables.
 */
#ifndef BTF_GLOBALS_H
#define BTF_GLOBALS_H

#include "btf/to_dwarf.h"

struct btf_globals;

/* @btf and @code must outlive the result. */
struct btf_globals *btf_globals_new(const struct btf *btf, const struct btf_code *code);
void btf_globals_free(struct btf_globals *globals);

/* A symbol of data at [@start, @end). Without sizes in the symbol table, @end is the next symbol. */
void btf_globals_symbol(struct btf_globals *globals, const char *name, u64 start, u64 end);

/* The function at @callee is called with parameter @nth = the address @global, or if @loaded, what is stored there. */
void btf_globals_argument(struct btf_globals *globals, u64 callee, u32 nth, u64 global,
			  bool loaded);

/* What the function at @callee returns is stored at @global. */
void btf_globals_result(struct btf_globals *globals, u64 callee, u64 global);

/* struct btf_global, sorted by address, each address once. To free with g_array_unref(). */
GArray *btf_globals_decide(struct btf_globals *globals);

#endif
