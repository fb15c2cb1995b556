// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of perf script: one row for each has all that a line, a row of cells, and -F know of it. */
#include <inttypes.h>

#include "base/digits.h"
#include "dso/dso.h"
#include "fields/of_sample.h"
#include "machine/machine.h"
#include "perfdata/evsel.h"
#include "resolve/trace.h"
#include "view/script/blocks.h"
#include "view/script/parts.h"
#include "view/script/private.h"

#define NONE ((struct cell){ .kind = CELL_NONE })

static void print_trace(struct script_printer *p, const struct place *place, u64 wanted,
			GString *out)
{
	trace_print(script_formats(p), place->evsel, place->sample, out);
}

static void print_addr(struct script_printer *p, const struct place *place, u64 wanted,
		       GString *out)
{
	script_print_addr(p->memo, place, wanted, out);
}

static void print_data_src(struct script_printer *p, const struct place *place, u64 wanted,
			   GString *out)
{
	script_print_data_src(p->lexicon, place, out);
}

static void print_weight(struct script_printer *p, const struct place *place, u64 wanted,
			 GString *out)
{
	g_string_append_printf(out, "%16" PRIu64, place->sample->weight);
}

static void print_ins_lat(struct script_printer *p, const struct place *place, u64 wanted,
			  GString *out)
{
	g_string_append_printf(out, "%16u", place->sample->ins_lat);
}

static void print_retire_lat(struct script_printer *p, const struct place *place, u64 wanted,
			     GString *out)
{
	g_string_append_printf(out, "%16u", place->sample->p_stage_cyc);
}

static void print_cgroup(struct script_printer *p, const struct place *place, u64 wanted,
			 GString *out)
{
	const char *path = machine_cgroup(p->machine, place->sample->cgroup);

	g_string_append_printf(out, " %s", path ? path : "unknown");
}

static void print_iregs(struct script_printer *p, const struct place *place, u64 wanted,
			GString *out)
{
	script_print_regs(&place->sample->intr_regs, out);
}

static void print_uregs(struct script_printer *p, const struct place *place, u64 wanted,
			GString *out)
{
	script_print_regs(&place->sample->user_regs, out);
}

static void print_branches(struct script_printer *p, const struct place *place, u64 wanted,
			   GString *out)
{
	script_print_branches(place, wanted, out);
}

static void print_bytes(struct script_printer *p, const struct place *place, u64 wanted,
			GString *out)
{
	if (place->sample->raw_size)
		script_print_bytes(place->sample->raw, place->sample->raw_size, out);
}

static void print_insn(struct script_printer *p, const struct place *place, u64 wanted,
		       GString *out)
{
	script_print_insn(p->decoder, place->ip, wanted, out);
}

static void print_blocks(struct script_printer *p, const struct place *place, u64 wanted,
			 GString *out)
{
	script_print_blocks(p->decoder, place, wanted, p->options.max_blocks, out);
}

static void print_phys_addr(struct script_printer *p, const struct place *place, u64 wanted,
			    GString *out)
{
	g_string_append_printf(out, "%16" PRIx64, place->sample->phys_addr);
}

static void print_data_page_size(struct script_printer *p, const struct place *place, u64 wanted,
				 GString *out)
{
	script_print_page_size(place->sample->data_page_size, out);
}

static void print_code_page_size(struct script_printer *p, const struct place *place, u64 wanted,
				 GString *out)
{
	script_print_page_size(place->sample->code_page_size, out);
}

static void print_tls(struct script_printer *p, const struct place *place, u64 wanted, GString *out)
{
	script_print_tls(&place->sample->tls, out);
}

static struct cell misc_cell(struct script_printer *p, const struct place *place, GString *text)
{
	script_print_misc(PERF_RECORD_SAMPLE, place->event->misc, text);
	return (struct cell){ .kind = CELL_TEXT };
}

static struct cell time_cell(struct script_printer *p, const struct place *place, GString *text)
{
	return (struct cell){ .kind = CELL_TIME, .number = p->shown_time };
}

static struct cell tod_cell(struct script_printer *p, const struct place *place, GString *text)
{
	script_print_time_of_day(p, place->time, text);
	return (struct cell){ .kind = CELL_TEXT };
}

static struct cell event_cell(struct script_printer *p, const struct place *place, GString *text)
{
	g_string_append(text, place->evsel->name);
	return (struct cell){ .kind = CELL_TEXT };
}

static struct cell ip_cell(struct script_printer *p, const struct place *place, GString *text)
{
	return (struct cell){ .kind = CELL_ADDRESS, .number = place->ip->va };
}

static struct cell insnlen_cell(struct script_printer *p, const struct place *place, GString *text)
{
	u8 size = script_insn_size(p->decoder, place->ip);

	return size ? (struct cell){ .kind = CELL_BYTES, .number = size } : NONE;
}

static struct cell phys_addr_cell(struct script_printer *p, const struct place *place,
				  GString *text)
{
	return (struct cell){ .kind = CELL_ADDRESS, .number = place->sample->phys_addr };
}

static struct cell frame_ip(struct script_printer *p, const struct place *place, u32 i,
			    GString *text)
{
	return (struct cell){ .kind = CELL_ADDRESS, .number = place->chain[i]->va };
}

static struct cell frame_sym(struct script_printer *p, const struct place *place, u32 i,
			     GString *text)
{
	return code_symbol_cell(place->chain[i], text);
}

static struct cell frame_symoff(struct script_printer *p, const struct place *place, u32 i,
				GString *text)
{
	return code_offset_cell(place->chain[i]);
}

static struct cell frame_dso(struct script_printer *p, const struct place *place, u32 i,
			     GString *text)
{
	return code_dso_cell(place->chain[i], text);
}

static struct cell frame_dsoff(struct script_printer *p, const struct place *place, u32 i,
			       GString *text)
{
	const struct code *code = place->chain[i];
	u64 foff;

	if (!code->dso || dso_kind(code->dso) != DSO_USER ||
	    !dso_vaddr_to_foff(code->dso, code->vaddr, &foff))
		return NONE;
	return (struct cell){ .kind = CELL_BYTES, .number = foff };
}

static struct cell frame_srcline(struct script_printer *p, const struct place *place, u32 i,
				 GString *text)
{
	script_print_frame_line(p, place, i, text);
	return (struct cell){ .kind = CELL_TEXT };
}

static struct cell dsoff_cell(struct script_printer *p, const struct place *place, GString *text)
{
	bool is_leaf = place->chain && place->nr_chain && place->chain[0] == place->ip;

	return is_leaf ? frame_dsoff(p, place, 0, text) : NONE;
}

#define IP	 PERF_SAMPLE_IP, "IP", NULL
#define TID	 PERF_SAMPLE_TID, "TID", NULL
#define BRANCHES PERF_SAMPLE_BRANCH_STACK, NULL, NULL
#define WEIGHTS	 PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", "-W"
#define INSN	 (COLUMN_BIT(COLUMN_INSNLEN) | COLUMN_BIT(COLUMN_INSN) | COLUMN_BIT(COLUMN_DISASM))

/* The words behind a name: see struct script_column_row. */
static const struct script_column_row table[NR_COLUMNS] = {
	[COLUMN_COMM] = { "comm", .key = "comm" },
	[COLUMN_PID] = { "pid", TID, .key = "pid" },
	[COLUMN_TID] = { "tid", TID, .key = "tid" },
	[COLUMN_CPU] = { "cpu", PERF_SAMPLE_CPU, "CPU", "--sample-cpu", .key = "cpu" },
	[COLUMN_MISC] = { "misc", .cell = misc_cell },
	[COLUMN_TIME] = { "time", PERF_SAMPLE_TIME, "TIME", "-T", .key = "time",
			  .cell = time_cell },
	[COLUMN_TOD] = { "tod", PERF_SAMPLE_TIME, "TIME", "-k CLOCK_MONOTONIC", .cell = tod_cell },
	[COLUMN_PERIOD] = { "period", .key = "period" },
	[COLUMN_EVENT] = { "event", .cell = event_cell },
	[COLUMN_TRACE] = { "trace", PERF_SAMPLE_RAW, "RAW", "-R", .print = print_trace },
	[COLUMN_ADDR] = { "addr", PERF_SAMPLE_ADDR, "ADDR", "-d", .key = "addr",
			  .print = print_addr, .needs = NEED_ADDR },
	[COLUMN_DATA_SRC] = { "data_src", PERF_SAMPLE_DATA_SRC, "DATA_SRC", "-d",
			      .print = print_data_src },
	[COLUMN_WEIGHT] = { "weight", PERF_SAMPLE_WEIGHT_TYPE, "WEIGHT", "-W", .key = "weight",
			    .print = print_weight },
	[COLUMN_INS_LAT] = { "ins_lat", WEIGHTS, .key = "ins_lat", .print = print_ins_lat },
	[COLUMN_RETIRE_LAT] = { "retire_lat", WEIGHTS, .key = "retire_lat",
				.print = print_retire_lat },
	[COLUMN_CGROUP] = { "cgroup", PERF_SAMPLE_CGROUP, "CGROUP", "--all-cgroups",
			    .key = "cgroup", .print = print_cgroup },
	[COLUMN_IP] = { "ip", IP, .kind = CELL_ADDRESS, .cell = ip_cell, .frame = frame_ip },
	[COLUMN_SYM] = { "sym", IP, .key = "symbol", .frame = frame_sym, .needs = NEED_SYMBOL },
	[COLUMN_SYMOFF] = { "symoff", IP, .key = "symoff", .frame = frame_symoff,
			    .needs = NEED_SYMBOL },
	[COLUMN_DSO] = { "dso", IP, .key = "dso", .frame = frame_dso },
	[COLUMN_DSOFF] = { "dsoff", IP, .kind = CELL_BYTES, .cell = dsoff_cell,
			   .frame = frame_dsoff },
	[COLUMN_SRCLINE] = { "srcline", IP, .key = "srcline", .frame = frame_srcline,
			     .needs = NEED_LINE },
	[COLUMN_IREGS] = { "iregs", PERF_SAMPLE_REGS_INTR, "IREGS", "-I", .print = print_iregs },
	[COLUMN_UREGS] = { "uregs", PERF_SAMPLE_REGS_USER, "UREGS", "--user-regs",
			   .print = print_uregs },
	[COLUMN_BRSTACK] = { "brstack", BRANCHES, .print = print_branches, .with = SCRIPT_BRANCHES,
			     .needs = NEED_BRANCH },
	[COLUMN_BRSTACKSYM] = { "brstacksym", BRANCHES, .print = print_branches,
				.with = SCRIPT_BRANCHES, .needs = NEED_BRANCH },
	[COLUMN_BRSTACKOFF] = { "brstackoff", BRANCHES, .print = print_branches,
				.with = SCRIPT_BRANCHES, .needs = NEED_BRANCH },
	[COLUMN_BPF_OUTPUT] = { "bpf-output", PERF_SAMPLE_RAW, "RAW", "-R", .print = print_bytes },
	[COLUMN_INSNLEN] = { "insnlen", IP, .kind = CELL_BYTES, .cell = insnlen_cell,
			     .print = print_insn, .with = INSN },
	[COLUMN_INSN] = { "insn", IP, .print = print_insn, .with = INSN },
	[COLUMN_DISASM] = { "disasm", IP, .print = print_insn, .with = INSN },
	[COLUMN_BRSTACKINSN] = { "brstackinsn", BRANCHES, .print = print_blocks,
				 .with = SCRIPT_BLOCKS, .needs = NEED_BRANCH },
	[COLUMN_BRSTACKINSNLEN] = { "brstackinsnlen", BRANCHES, .print = print_blocks,
				    .with = SCRIPT_BLOCKS, .needs = NEED_BRANCH },
	[COLUMN_BRSTACKDISASM] = { "brstackdisasm", BRANCHES, .print = print_blocks,
				   .with = SCRIPT_BLOCKS, .needs = NEED_BRANCH },
	[COLUMN_PHYS_ADDR] = { "phys_addr", PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR", "--phys-data",
			       .kind = CELL_ADDRESS, .cell = phys_addr_cell,
			       .print = print_phys_addr },
	[COLUMN_DATA_PAGE_SIZE] = { "data_page_size", PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE",
				    "--data-page-size", .key = "data_page_size",
				    .print = print_data_page_size },
	[COLUMN_CODE_PAGE_SIZE] = { "code_page_size", PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE",
				    "--code-page-size", .key = "code_page_size",
				    .print = print_code_page_size },
	[COLUMN_TLS] = { "tls", PERF_SAMPLE_TLS_USER, "TLS_USER", "--sample-tls",
			 .print = print_tls },
};

const struct script_column_row *script_column_row(enum script_column column)
{
	return &table[column];
}

void script_print_columns(struct script_printer *p, const struct place *place, u64 which,
			  u64 wanted, GString *out)
{
	u64 left = which & wanted;

	while (left) {
		u32 i = (u32)__builtin_ctzll(left);

		left &= ~(COLUMN_BIT(i) | table[i].with);
		if (table[i].print)
			table[i].print(p, place, wanted, out);
	}
}
