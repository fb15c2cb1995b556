// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of perf record's options. */
#include "cmd/record/record_request.h"

#include <string.h>

#include "base/error.h"
#include "cmd/record/record_words.h"
#include "perfdata/regs.h"

#define AT(member) offsetof(struct record_request, opts.member)
#define UPSTREAM   offsetof(struct record_request, upstream)

static bool take_callgraph(const struct option_row *row, const char *arg, bool unset, void *opts,
			   GError **error)
{
	struct record_request *r = opts;
	struct callgraph *graph = &r->opts.callgraph;
	u32 size = 0;

	if (unset) {
		*graph = (struct callgraph){ 0 };
		return true;
	}
	if (!arg && graph->mode != CALLGRAPH_NONE)
		return true;
	if (!arg)
		arg = r->record_graph_mode ?: r->graph_mode ?: "fp";
	if (r->dump_size && !callgraph_size_parse(r->dump_size, &size, error))
		return false;
	return callgraph_parse(arg, size, graph, error);
}

static bool take_regs(const struct option_row *row, const char *arg, bool unset, void *opts,
		      GError **error)
{
	u64 *mask = (u64 *)((char *)opts + row->offset);

	((struct record_request *)opts)->list_regs |= arg && !strcmp(arg, "?");
	*mask = unset ? 0 : REGS_ALL;
	return unset || !*arg || !strcmp(arg, "?") ||
	       callgraph_regs_parse(arg, row->short_name ? "-I" : "--user-regs=", mask, error);
}

static bool take_clock(const struct option_row *row, const char *arg, bool unset, void *opts,
		       GError **error)
{
	struct record_request *r = opts;

	r->opts.clock_given = !unset;
	return unset || clockid_parse(arg, &r->opts.clockid, error);
}

static bool take_delay(const struct option_row *row, const char *arg, bool unset, void *opts,
		       GError **error)
{
	struct record_options *o = opts;

	g_clear_pointer(&o->delay_times, g_array_unref);
	o->delayed = false;
	if (unset)
		return true;
	if (!delay_parse(arg, &o->delay_times, error))
		return false;
	o->delayed = !o->delay_times || o->delay_times->len;
	return true;
}

static bool take_switch_output(const struct option_row *row, const char *arg, bool unset,
			       void *opts, GError **error)
{
	struct record_request *r = opts;

	r->opts.switch_output = (struct switch_output){ 0 };
	return unset || switch_output_parse(arg, &r->opts.switch_output, error);
}

static bool take_keep(const struct option_row *row, const char *arg, bool unset, void *opts,
		      GError **error)
{
	struct record_request *r = opts;

	r->opts.keep = (struct keep_limits){ 0 };
	r->detached.keep = arg;
	/* Options that are only valid with --detached are checked there. */
	return unset || detached_keep_may_be(arg) || keep_parse(arg, &r->opts.keep, error);
}

static bool take_synth(const struct option_row *row, const char *arg, bool unset, void *opts,
		       GError **error)
{
	struct record_request *r = opts;

	r->opts.synth = SYNTH_ALL;
	return unset || synth_parse(arg, &r->opts.synth, error);
}

static bool take_level(const struct option_row *row, const char *arg, bool unset, void *opts,
		       GError **error)
{
	struct record_request *r = opts;

	r->opts.zstd_level = 0;
	return unset || zstd_level_parse(arg, &r->opts.zstd_level, error);
}

static bool take_live_wait(const struct option_row *row, const char *arg, bool unset, void *opts,
			   GError **error)
{
	struct record_request *r = opts;

	r->opts.live_late = LIVE_LATE_FP;
	if (unset)
		return true;
	r->opts.live_late = strcmp(arg, "stacks") ? LIVE_LATE_WAIT : LIVE_LATE_STACKS;
	return !strcmp(arg, "stacks") || !strcmp(arg, "queue") ||
	       error_set(error, PERF_ERROR_USAGE, "expected queue or stacks");
}

static const struct option_row rows[] = {
	RECORD_OPTION_ROWS(offsetof(struct record_request, opts)),
	{ 0, "exclude-perf", OPT_CALL, NULL,
	  "record no hits of the tracepoints of the last -e by perf itself",
	  .call = record_take_filter, .flags = OPT_NO_ARG },
	{ 0, "per-thread", OPT_FLAG, NULL, "use per-thread mmaps", AT(per_thread) },
	{ 'D', "delay", OPT_CALL, "ms",
	  "ms to wait before starting measurement after program start (-1: start with events "
	  "disabled), or ranges of time with the events enabled: 10-20,50-60",
	  .call = take_delay },
	{ 0, "control", OPT_STRING, "fd:ctl[,ack]|fifo:ctl[,ack]",
	  "take commands from this file descriptor or fifo: enable [event], disable [event], "
	  "evlist [-v|-g|-F], stop, ping; each is acknowledged to the second one",
	  AT(control) },

	{ 0, "strict-freq", OPT_FLAG, NULL, "Fail if the specified frequency can't be used",
	  AT(strict_freq) },

	{ 'g', NULL, OPT_CALL, NULL, "enables call-graph recording", .call = take_callgraph,
	  .flags = OPT_NO_ARG },
	{ 0, "call-graph", OPT_CALL, "record_mode[,record_size]",
	  "setup and enables call-graph (stack chain/backtrace):\n\nfp: the kernel follows frame "
	  "pointers; fp,defer: when the thread returns to user mode, if the kernel can\ndwarf: "
	  "registers and a copy of the stack, unwound when the file is read\nlbr: the call stack "
	  "that the processor records\nlive: like dwarf, but unwound while recording: the file has "
	  "call chains instead of stacks\nrecord_size: bytes of stack that dwarf and live copy, at "
	  "most 65528 (default: 8192)",
	  .call = take_callgraph },
	{ 0, "live-wait", OPT_CALL, "queue|stacks",
	  "--call-graph live: what to do with stacks that cannot be unwound in time: wait (queue, "
	  "default) or write them to the file (stacks)",
	  .fallback = "queue", .call = take_live_wait },
	{ 0, "no-stitch", OPT_FLAG, NULL,
	  "--call-graph live: do not complete truncated stacks from the thread's last complete one",
	  AT(no_stitch) },
	{ 'I', "intr-regs", OPT_CALL, "any register",
	  "sample selected machine registers on interrupt, use '-I?' to list register names",
	  AT(intr_regs), .call = take_regs, .fallback = "" },
	{ 0, "user-regs", OPT_CALL, "any register",
	  "sample selected machine registers in user space, use '--user-regs=?' to list register "
	  "names",
	  AT(user_regs), .call = take_regs, .fallback = "" },
	{ 0, "user-callchains", OPT_FLAG, NULL, "collect user callchains", AT(user_callchains) },
	{ 0, "kernel-callchains", OPT_FLAG, NULL, "collect kernel callchains",
	  AT(kernel_callchains) },
	TLS_OPTION_ROWS(AT(tls)),
	WALL_OPTION_ROW(AT(wall)),
	WALL_MORE_OPTION_ROWS(AT(wall)),
	OFF_CPU_OPTION_ROWS(AT(off_cpu)),
	{ 0, "no-skid-check", OPT_FLAG, NULL,
	  "do not measure, once per boot, which instruction the samples of a timer name",
	  AT(no_skid_check) },
	{ 'b', "branch-any", OPT_CALL, NULL, "sample any taken branches",
	  .call = record_take_branches, .flags = OPT_NO_ARG },
	{ 'j', "branch-filter", OPT_CALL, "branch filter mask",
	  "sample branches of these kinds, such as any_call,u", .call = record_take_branches },
	{ 'd', "data", OPT_FLAG, NULL, "Record the sample addresses", AT(data) },
	{ 'W', "weight", OPT_FLAG, NULL, "sample by weight (on special events only)", AT(weight) },
	{ 0, "transaction", OPT_FLAG, NULL, "sample transaction flags (special events only)",
	  AT(transaction) },
	{ 0, "sample-mem-info", OPT_FLAG, NULL, "Record the data source for memory operations",
	  AT(data_source) },
	{ 0, "running-time", OPT_FLAG, NULL,
	  "Record how long events were enabled, and counted, with the counts of :S",
	  AT(running_time) },
	{ 0, "phys-data", OPT_FLAG, NULL, "Record the sample physical addresses", AT(phys_data) },
	{ 0, "data-page-size", OPT_FLAG, NULL, "Record the sampled data address data page size",
	  AT(data_page_size) },
	{ 0, "code-page-size", OPT_FLAG, NULL, "Record the sampled code address (ip) page size",
	  AT(code_page_size) },
	{ 0, "data-mmap", OPT_FLAG, NULL, "Record mmap events for non-executable mappings",
	  AT(data_mmap) },
	{ 'T', "timestamp", OPT_FLAG, NULL, "Record the sample timestamps", AT(timestamp) },
	{ 'k', "clockid", OPT_CALL, "clockid", "clockid to use for events, see clock_gettime()",
	  .call = take_clock },
	{ 'P', "period", OPT_FLAG, NULL, "Record the sample period", AT(period) },
	{ 'R', "raw-samples", OPT_FLAG, NULL, "collect raw sample records from all opened counters",
	  AT(raw_samples) },
	{ 's', "stat", OPT_FLAG, NULL, "per thread counts", AT(stat) },
	{ 'n', "no-samples", OPT_FLAG, NULL, "don't sample", AT(no_samples) },
	{ 0, "sample-cpu", OPT_FLAG, NULL, "Record the sample cpu", AT(sample_cpu) },
	{ 0, "sample-identifier", OPT_FLAG, NULL, "Record the sample identifier",
	  AT(sample_identifier) },
	{ 0, "all-user", OPT_FLAG, NULL, "Configure all used events to run in user space.",
	  AT(all_user) },
	{ 0, "all-kernel", OPT_FLAG, NULL, "Configure all used events to run in kernel space.",
	  AT(all_kernel) },
	{ 0, "latency", OPT_FLAG, NULL,
	  "Enable data collection for latency profiling: --switch-events, for perf report "
	  "--latency",
	  AT(switch_events) },
	{ 0, "switch-events", OPT_FLAG, NULL, "Record context switch events", AT(switch_events) },

	{ 0, "overwrite", OPT_FLAG, NULL, "use overwrite mode", AT(overwrite) },
	{ 0, "no-buffering", OPT_FLAG, NULL, "collect data without buffering", AT(no_buffering) },
	{ 0, "report", OPT_STRING, "key[,keys...]",
	  "Print a report when the recording ends, sorted by these keys; a file is written "
	  "only with -o",
	  offsetof(struct record_request, report), .fallback = "" },
	{ 0, "synth", OPT_CALL, "no|all|task|mmap|cgroup",
	  "Fine-tune which existing processes and maps are recorded at the start (default: all)",
	  .call = take_synth },
	{ 0, "threads", OPT_STRING, "spec",
	  "accepted and ignored: separate threads already read the ring buffers and write the file",
	  offsetof(struct record_request, threads), .fallback = "cpu" },
	{ 0, "tail-synthesize", OPT_FLAG, NULL, "synthesize non-sample events at the end of output",
	  AT(tail_synthesize) },

	{ 'o', "output", OPT_STRING, "file", "output file name", AT(output) },
	{ 'z', "compression-level", OPT_CALL, "n",
	  "Compress records using specified level (default: 1 - fastest compression, 22 - "
	  "greatest compression)",
	  .fallback = "1", .call = take_level },
	{ 0, "switch-output", OPT_CALL, "signal or size[BKMG] or time[smhd]",
	  "Switch output when receiving SIGUSR2 (signal) or cross a size or time threshold",
	  .fallback = "signal", .call = take_switch_output },
	{ 0, "keep", OPT_CALL, "files or size[BKMG], or time,size",
	  "With --switch-output: keep this many files, including those of earlier recordings, and "
	  "remove the oldest\n\nwith --detached: how much to keep, such as 10s,16M (default: 16M)",
	  .call = take_keep },
	{ 0, "switch-max-files", OPT_INT, "n", "Limit number of switch output generated files",
	  AT(switch_max_files) },
	{ 0, "max-size", OPT_SIZE, "size", "Limit the maximum size of the output file",
	  AT(max_size) },
	{ 0, "timestamp-filename", OPT_FLAG, NULL, "append timestamp to output filename",
	  AT(timestamp_filename) },
	{ 'B', "no-buildid", OPT_FLAG, NULL, "do not collect buildids in perf.data",
	  AT(no_buildid) },
	{ 0, "buildid-all", OPT_FLAG, NULL,
	  "Record build-id of all DSOs regardless of hits (always so), and copy all",
	  AT(buildid_all) },
	{ 'N', "no-buildid-cache", OPT_FLAG, NULL,
	  "do not update the buildid cache: no copies of programs with samples, nor of the vdso",
	  AT(no_buildid_cache) },
	{ 0, "buildid-mmap", OPT_FLAG, NULL,
	  "Record build-id in mmap events and skip build-id processing.", AT(buildid_mmap) },
	{ 0, "detached", OPT_STRING, "name",
	  "Record into memory and return; the recording continues in the background, see perf "
	  "detached",
	  offsetof(struct record_request, detached.name) },
	{ 0, "carrier", OPT_STRING, "keeper|bpf",
	  "with --detached: what records: the user's keeper process, or a BPF program without a "
	  "process (default: bpf for root's recordings of whole CPUs, if BPF can record them; else "
	  "keeper)",
	  offsetof(struct record_request, detached.carrier) },
	{ 0, "on-crash", OPT_FLAG, NULL,
	  "with --detached: save the recording when the program crashes or fails, and add it to "
	  "the core dump",
	  offsetof(struct record_request, detached.on_crash) },
	{ 0, "trigger", OPT_LIST, "event|uprobe:file:function|span>time",
	  "with --detached: save a copy whenever this event happens",
	  offsetof(struct record_request, detached.triggers) },
	{ 0, "trigger-limit", OPT_STRING, "count,time",
	  "with --trigger: at most so many copies, and so much time between two (default: 64,1s)",
	  offsetof(struct record_request, detached.trigger_limit) },
	NO_EFFECT_FLAG(UPSTREAM, 0, "timestamp-boundary",
		       "the times of the first and the last sample are always recorded"),
	NO_EFFECT_OPTIONAL(UPSTREAM, 0, "aio", "n", "a separate thread always writes the file"),
	NO_EFFECT_OPTION(UPSTREAM, 0, "affinity", "node|cpu",
			 "the threads of the recorder run on any CPU"),
	NO_EFFECT_OPTION(UPSTREAM, 0, "mmap-flush", "size",
			 "everything in the ring buffers is read each time"),
	SYNTHESIZE_OPTION_ROWS(UPSTREAM),
	NO_EFFECT_OPTION(UPSTREAM, 0, "vmlinux", "file", "no symbols are needed while recording"),
	NO_EFFECT_OPTIONAL(UPSTREAM, 0, "debuginfod", "urls",
			   "no debug information is needed while recording"),
	NEXT_PERF_FLAG(UPSTREAM, 0, "kcore",
		       "copy /proc/kcore: the next perf on PATH runs the command"),
	NEXT_PERF_OPTIONAL(UPSTREAM, 'S', "snapshot", "opts",
			   "snapshots of AUX areas: the next perf on PATH runs the command"),
	NEXT_PERF_OPTIONAL(UPSTREAM, 0, "aux-sample", "opts",
			   "samples of AUX areas: the next perf on PATH runs the command"),
	NEXT_PERF_OPTION(UPSTREAM, 0, "setup-filter", "pin|unpin",
			 "BPF programs as filters: the next perf on PATH runs the command"),
	NEXT_PERF_OPTION(UPSTREAM, 0, "switch-output-event", "event",
			 "a new file at an event: the next perf on PATH runs the command"),
	{ 0, "dry-run", OPT_FLAG, NULL, "Parse options then exit", AT(dry_run) },
	{ 'v', "verbose", OPT_COUNT, NULL, "be more verbose", AT(verbose) },
	{ 'q', "quiet", OPT_FLAG, NULL, "don't print any warnings or messages", AT(quiet) },
};
static const char *const usage[] = { "perf record [<options>] [<command>]",
				     "perf record [<options>] -- <command> [<options>]", NULL };
const struct options_spec record_request_spec = { usage, rows, ARRAY_SIZE(rows),
						  .stop_at_argument = true };
