// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/script/script_options.h"

#include <string.h>

#include "options/config_keys.h"
#include "options/session_options.h"
#include "options/format_option.h"
#include "options/type_options.h"
#include "perfdata/event.h"
#include "view/script/columns.h"

#define AT(member) offsetof(struct script_options, member)

/* Chains are always merged: only the next perf can leave them apart. */
static bool take_merge(const struct option_row *row, const char *arg, bool unset, void *opts,
		       GError **error)
{
	return !unset || upstream_option_hand_on(row, arg, false, opts, error);
}

static const struct option_row rows[] = {
	{ 'i', "input", OPT_STRING, "file", "input file name, - for standard input",
	  AT(session.input) },
	{ 'F', "fields", OPT_LIST, "str",
	  "comma separated output fields, with a prefix 'hw:', 'sw:', 'trace:' or 'raw:' for\n"
	  "events of that type; '+field' adds to the defaults, '-field' removes. Any sort key of\n"
	  "perf report is a field, too. Fields:",
	  AT(columns), .words = script_columns_names },
	FORMAT_OPTION_ROW(AT(format)),
	{ 'G', "hide-call-graph", OPT_FLAG, NULL, "do not print call chains", AT(hide_call_graph) },
	{ 0, "max-stack", OPT_U64, "n", "print at most this many frames of a call chain",
	  AT(max_stack) },
	{ 0, "max-blocks", OPT_U64, "n",
	  "print only this many runs between branches of brstackinsn, the newest", AT(max_blocks) },
	{ 0, "stop-bt", OPT_STRING, "symbol[,symbol...]", "end call chains at these symbols",
	  AT(line.stop_bt) },
	{ 0, "inline", OPT_FLAG, NULL, "show inlined functions (the default)", AT(inlined) },
	{ 0, "addr-range", OPT_U64, "n",
	  "with -S ADDRESS: also consider the n bytes from the address on",
	  AT(session.filter.addr_range) },
	SPAN_OPTION_ROWS(AT(spans)),
	READING_OPTION_ROWS(AT(session)),
	KALLSYMS_OPTION_ROW(AT(session)),
	CPU_FILTER_ROW(AT(session)),
	CODE_FILTER_ROWS(AT(session), 'c', 0, 'S'),
	THREAD_FILTER_ROWS(AT(session)),
	SWITCH_OPTION_ROWS(AT(session)),
	{ 0, "skid", OPT_STRING, "mode", SKID_HELP, AT(skid), .fallback = "before" },
	{ 0, "ns", OPT_FLAG, NULL, "print times with 9 decimal places", AT(line.ns) },
	{ 0, "full-source-path", OPT_FLAG, NULL, "print source files with their folders",
	  AT(line.full_source_path) },
	{ 0, "reltime", OPT_FLAG, NULL, "print times relative to the first", AT(line.reltime) },
	{ 0, "deltatime", OPT_FLAG, NULL, "print times relative to the line before",
	  AT(line.deltatime) },
	{ 0, "show-kernel-path", OPT_FLAG, NULL, "print the path of the kernel's file",
	  AT(line.kernel_path) },
	{ 0, "show-mmap-events", OPT_FLAG, NULL, "show MMAP and MMAP2 records", AT(show.mmap) },
	{ 0, "show-task-events", OPT_FLAG, NULL, "show COMM, FORK and EXIT records",
	  AT(show.task) },
	{ 0, "show-namespace-events", OPT_FLAG, NULL, "show NAMESPACES records",
	  AT(show.namespaces) },
	{ 0, "show-cgroup-events", OPT_FLAG, NULL, "show CGROUP records", AT(show.cgroup) },
	{ 0, "show-lost-events", OPT_FLAG, NULL, "show LOST and LOST_SAMPLES records",
	  AT(show.lost) },
	{ 0, "show-round-events", OPT_FLAG, NULL, "show FINISHED_ROUND records", AT(show.round) },
	{ 0, "show-switch-events", OPT_FLAG, NULL, "show context switches", AT(show.sw) },
	{ 0, "show-bpf-events", OPT_FLAG, NULL, "show KSYMBOL and BPF_EVENT records",
	  AT(show.bpf) },
	{ 0, "show-text-poke-events", OPT_FLAG, NULL, "show TEXT_POKE records",
	  AT(show.text_poke) },
	{ 0, "header", OPT_FLAG, NULL, "print the file's header first", AT(header) },
	{ 0, "header-only", OPT_FLAG, NULL, "print only the file's header", AT(header_only) },
	{ 'I', "show-info", OPT_FLAG, NULL, "print the long parts of the header, too", AT(info) },
	{ 'D', "dump-raw-trace", OPT_FLAG, NULL, "dump every record in hexadecimal and words",
	  AT(dump) },
	{ 0, "dump-unsorted-raw-trace", OPT_FLAG, NULL, "-D in the file's order",
	  AT(dump_unsorted) },
	{ 0, "per-event-dump", OPT_FLAG, NULL, "write each event's samples to FILE.EVENT.dump",
	  AT(per_event) },
	ADDR2LINE_OPTION_ROW(AT(upstream)),
	NO_EFFECT_FLAG(AT(upstream), 'a', "all-cpus", "it is for scripts that record"),
	{ 0, "merge-callchains", OPT_CALL, NULL,
	  "join deferred user call chains with those of the kernel (the default)", AT(upstream),
	  .flags = OPT_NO_ARG, .call = take_merge },
	UNWIND_STYLE_OPTION_ROW(AT(upstream)),
	ITRACE_OPTION_ROW(AT(upstream)),
	NEXT_PERF_OPTIONAL(AT(upstream), 0, "call-ret-trace", "opts",
			   "show calls and returns of hardware traces, by the next perf"),
	NEXT_PERF_OPTIONAL(AT(upstream), 0, "call-trace", "opts",
			   "show calls of hardware traces, by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 'd', "debug-mode",
		       "check the order of samples, by the next perf"),
	NEXT_PERF_OPTION(AT(upstream), 0, "dlarg", "argument", "an argument for --dlfilter"),
	NEXT_PERF_OPTION(AT(upstream), 0, "dlfilter", "file",
			 "filter samples by a shared object, by the next perf"),
	NEXT_PERF_OPTION(AT(upstream), 'g', "gen-script", "lang",
			 "write a script of this language, by the next perf"),
	NEXT_PERF_OPTION(AT(upstream), 0, "graph-function", "symbol[,symbol...]",
			 "limit --call-trace to these functions, by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 0, "guest-code",
		       "find the code of guests in the hypervisor's process, by the next perf"),
	NEXT_PERF_OPTION(AT(upstream), 0, "guestkallsyms", "file",
			 "a guest's /proc/kallsyms, for the next perf"),
	NEXT_PERF_OPTION(AT(upstream), 0, "guestmodules", "file",
			 "a guest's /proc/modules, for the next perf"),
	GUESTMOUNT_OPTION_ROW(AT(upstream)),
	NEXT_PERF_OPTION(AT(upstream), 0, "guestvmlinux", "file",
			 "a guest's vmlinux, for the next perf"),
	NEXT_PERF_OPTIONAL(AT(upstream), 0, "insn-trace", "opts",
			   "show instructions of hardware traces, by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 'L', "Latency",
		       "show latency attributes in scripts, by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 'l', "list", "list the scripts of the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 0, "list-dlfilters",
		       "list the shared objects for --dlfilter, by the next perf"),
	NEXT_PERF_OPTION(AT(upstream), 's', "script", "name",
			 "run a script (Python, Perl), by the next perf"),
	STITCH_LBR_OPTION_ROW(AT(upstream)),
	NEXT_PERF_OPTIONAL(AT(upstream), 0, "xed", "opts",
			   "decode the instructions of a trace with xed, by the next perf"),
	{ 'v', "verbose", OPT_COUNT, NULL,
	  "print build-ids, how stacks ended and settings without effect", AT(verbose) },
};

static const struct config_row config_rows[] = {
	{ "call-graph.order", CONFIG_UNUSED,
	  .why = "call chains are always printed innermost first" },
	{ "report.skid", CONFIG_STRING, AT(skid) },
	READER_CONFIG_ROWS,
};

static const char *const usage[] = {
	"perf script [<options>]", "perf script [<options>] [record|report] <script> [<arguments>]",
	NULL
};
const struct options_spec script_options_spec = {
	.usage = usage, .rows = rows, .nr_rows = ARRAY_SIZE(rows), .stop_at_argument = true
};

bool script_options_begin(struct script_options *o, const struct config *config)
{
	*o = (struct script_options){ .inlined = true };
	return config_apply(config, config_rows, ARRAY_SIZE(config_rows), o);
}

void script_options_note_unused(const struct config *config)
{
	config_note_unused(config, config_rows, ARRAY_SIZE(config_rows));
}

bool script_shows(const struct script_options *o, u32 type)
{
	const struct shown_records *show = &o->show;

	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return show->mmap;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return show->task;
	case PERF_RECORD_NAMESPACES:
		return show->namespaces;
	case PERF_RECORD_CGROUP:
		return show->cgroup;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return show->lost;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return show->sw;
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
		return show->bpf;
	case PERF_RECORD_TEXT_POKE:
		return show->text_poke;
	case PERFDATA_FINISHED_ROUND:
		return show->round;
	default:
		return false;
	}
}

bool script_by_time(const struct script_options *o)
{
	return !o->dump_unsorted && !o->show.round;
}

bool script_prints_text(const struct script_options *o)
{
	static const struct shown_records none;

	return o->dump || o->dump_unsorted || o->header || o->header_only || o->info ||
	       o->per_event || memcmp(&o->show, &none, sizeof(none)) != 0;
}
