#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every key of upstream's perf-config(1) and of its source that concerns a command of ours is honoured, or
# -v says that it is not: what is printed with the key differs from what is printed without.
#
# key = value	command that it concerns
keys='
annotate.addr2line = /nowhere	annotate --stdio
annotate.demangle = perhaps	annotate --stdio
annotate.demangle_kernel = perhaps	annotate --stdio
annotate.disassembler_style = sideways	annotate --stdio
annotate.disassemblers = objdump	annotate --stdio
annotate.hide_src_code = perhaps	annotate --stdio
annotate.jump_arrows = false	annotate --stdio
annotate.objdump = /nowhere	annotate --stdio
annotate.offset_level = 3	annotate --stdio
annotate.show_linenr = true	annotate --stdio
annotate.show_nr_jumps = true	annotate --stdio
annotate.show_nr_samples = perhaps	annotate --stdio
annotate.show_total_period = perhaps	annotate --stdio
annotate.use_offset = false	annotate --stdio
addr2line.style = llvm	report --stdio
annotate.demangle = perhaps	report --stdio
annotate.disassembler_style = sideways	report --stdio
annotate.demangle_kernel = perhaps	report --stdio
call-graph.order = sideways	report --stdio -g
call-graph.print-limit = 1	report --stdio --no-children
call-graph.print-type = flat	report --stdio --no-children
call-graph.sort-key = sideways	report --stdio
call-graph.threshold = 60	report --stdio --no-children
colors.top = red, default	report --stdio
core.addr2line-disable-warn = true	report --stdio
core.addr2line-timeout = 1	report --stdio
hist.percentage = relative	report --stdio -d lib.so
report.children = false	report --stdio
report.group = perhaps	report --stdio
report.percent-limit = 60	report --stdio --no-children
report.queue-size = 4k	report --stdio
report.skip-empty = perhaps	report --stdio
report.sort_order = dso	report --stdio
samples.context = 4	report --stdio
ui.show-headers = false	report --stdio
call-graph.dump-size = sideways	record --dry-run --call-graph dwarf -e cpu-clock -- true
call-graph.record-mode = sideways	record --dry-run -g -e cpu-clock -- true
core.proc-map-timeout = 1	record --dry-run -e cpu-clock -- true
record.aio = 2	record --dry-run -e cpu-clock -- true
record.build-id = sideways	record --dry-run -e cpu-clock -- true
record.call-graph = sideways	record --dry-run -g -e cpu-clock -- true
record.debuginfod = http://localhost:1	record --dry-run -e cpu-clock -- true
top.call-graph = sideways	top --stdio -p 999999999
top.children = perhaps	top --stdio -p 999999999
man.viewer = nothing	help report
help.autocorrect = -1	reprot
'
"$FORGE" <"$SRC/tools/perf/tests/cases/report-callers/in.txt" >perf.data
export PAGER=cat
. "$SRC/tools/perf/tests/tap"
plan "$(grep -c . <<<"$keys")"

# The command's output with the configuration in ./config.
prints() { # words...
	local verbose=-v input=
	case $1 in
	annotate | report) input="-i perf.data" ;;
	help | reprot) verbose= ;;
	esac
	timeout 20 env PERF_CONFIG="$PWD/config" HOME="$PWD" "$PERF" $1 $verbose $input "${@:2}" 2>&1 </dev/null
}

while IFS=$'\t' read -r setting words; do
	[[ $setting ]] || continue
	key=${setting%% *}
	: >config
	prints $words >without
	printf '[%s]\n%s\n' "${key%%.*}" "${setting#*.}" >config
	prints $words >with
	if ! cmp -s without with; then
		echo "ok - $key: perf ${words%% *}"
	else
		head -n 5 with
		echo "not ok - $key: perf ${words%% *}: it changes nothing, and -v does not say so"
	fi
done <<<"$keys"
