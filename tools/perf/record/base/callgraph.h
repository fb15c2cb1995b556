/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options --call-graph, --user-regs and --intr-regs. */
#ifndef RECORD_CALLGRAPH_H
#define RECORD_CALLGRAPH_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

struct perf_event_attr;

enum callgraph_mode {
	CALLGRAPH_NONE,
	CALLGRAPH_FP,	 /* the kernel follows frame pointers */
	CALLGRAPH_DWARF, /* registers and a copy of the stack, unwound when the file is read */
	CALLGRAPH_LBR,	 /* the processor records the last branches */
	CALLGRAPH_LIVE, /* as DWARF, but unwound while recording (live/live.h): no stack in the file */
};

struct callgraph {
	enum callgraph_mode mode;
	u32 stack_size; /* DWARF, LIVE: bytes copied */
	bool defer;	/* FP: user frames when the thread returns to user code */
};

#define CALLGRAPH_STACK_SIZE	 8192u
#define CALLGRAPH_STACK_SIZE_MAX 65528u /* a record has at most 64 KiB, in words of 8 bytes */

/* "fp", "fp,defer", "dwarf", "dwarf,4096", "lbr". @size: bytes for DWARF without a size; 0: the default. */
bool callgraph_parse(const char *text, u32 size, struct callgraph *out, GError **error);

/* A number of bytes for DWARF, rounded up to a multiple of 8. */
bool callgraph_size_parse(const char *text, u32 *out, GError **error);

/* "AX BX ..."; the caller frees it. */
char *callgraph_regs_names(void);

/* "ip,sp": bits of REGS_ALL. @option: how a list of names is asked for, but for the '?'. */
bool callgraph_regs_parse(const char *text, const char *option, u64 *mask, GError **error);

/*
 * Sets the sample fields that @graph needs. @user_regs: registers of --user-regs, or 0. Registers that unwinding needs
 * are added.
 */
void callgraph_config(const struct callgraph *graph, u64 user_regs, struct perf_event_attr *attr);

/* This event gets the records with the user part of deferred chains. */
void callgraph_take_deferred(struct perf_event_attr *attr);

#endif
