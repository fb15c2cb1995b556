/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `perf script`, from the command line and configuration files. */
#ifndef CMD_SCRIPT_OPTIONS_H
#define CMD_SCRIPT_OPTIONS_H

#include "cli/options.h"
#include "cmd/cmd.h"
#include "options/span_options.h"
#include "options/upstream_options.h"
#include "session/session.h"
#include "view/script/line.h"
#include "view/view.h"

/* Other records to show, by record type. */
struct shown_records {
	bool mmap, task, cgroup, namespaces, lost, round, sw, bpf, text_poke;
};

struct script_options {
	struct session_options session;
	struct span_options spans;
	struct upstream_options upstream;
	struct script_line_options line;
	struct shown_records show;
	GPtrArray *columns; /* -F arguments, in order */
	bool dump, dump_unsorted;
	bool header, header_only, info;
	bool hide_call_graph, inlined;
	u64 max_stack, max_blocks;
	bool per_event;
	int verbose;
	const char *format, *skid;
	const struct view *view;
};

/* The options and their help, for options_parse(). */
extern const struct options_spec script_options_spec;

/* The defaults, and what configuration files say. False: a value is wrong, and that was reported. */
bool script_options_begin(struct script_options *options, const struct config *config);

/* Reports settings in configuration files that have no effect here. */
void script_options_note_unused(const struct config *config);

/* True if records of @type are shown besides samples. */
bool script_shows(const struct script_options *o, u32 type);

/*
 * True if records are wanted in order of time; false: in the file's order, in which rounds are shown, too (as
 * upstream).
 */
bool script_by_time(const struct script_options *o);

/* True if output other than samples is wanted. */
bool script_prints_text(const struct script_options *o);

#endif
