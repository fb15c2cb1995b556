/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is `perf script` asked for? Its words and those of configuration files. */
#ifndef CMD_SCRIPT_OPTIONS_H
#define CMD_SCRIPT_OPTIONS_H

#include "cli/options.h"
#include "cmd/cmd.h"
#include "cmd/span_options.h"
#include "session/session.h"
#include "view/script/line.h"
#include "view/view.h"

/* Which records beside samples are shown; by record type. */
struct shown_records {
	bool mmap, task, cgroup, namespaces, lost, round, sw, bpf, text_poke;
};

struct script_options {
	struct session_options session;
	struct span_options spans;
	struct script_line_options line;
	struct shown_records show;
	GPtrArray *columns; /* -F arguments, in order */
	bool dump, dump_unsorted;
	bool header, header_only, info;
	bool hide_call_graph, inlined;
	u64 max_stack, max_blocks;
	bool per_event;
	int verbose;
	const char *format;
	const struct view *view;
};

/* Words and their help: for options_parse(). */
extern const struct options_spec script_options_spec;

/* Tells of settings in configuration files that change nothing here. */
void script_options_note_unused(const struct config *config);

/* Whether records of @type are shown beside samples. */
bool script_shows(const struct script_options *o, u32 type);

/* Whether something is asked for that is no sample. */
bool script_prints_text(const struct script_options *o);

#endif
