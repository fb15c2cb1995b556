#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Our report of stock perf's files beside stock perf's own report of them, line by line:
# headings, titles, rulers, rows and call trees, over recordings of three real programs, of
# several events, of a group, of a whole machine and of tracepoints.
#
# What must differ, and is evened out here on both sides:
#  - the tip at the end is a sentence of each one's own
#  - what is below the threshold of a fractal tree, "[...]", stock perf takes for inlined
#  - perf 6.1 has C++ names without their parameters, perf 7 and ours with them: names are
#    here as the file has them; places.sh compares what the programmer calls them
#  - perf 6.1 finds no inlined calls here: ours reads with --no-inline
#  - stubs of the PLT, which perf 6.1 leaves without a name or names by their number
#  - code without a symbol on a call chain: stock perf shows the level ([k], [.]) of the frame
#    before it, and an address in the process where a sample's own is one in the file
#  - newer than 6.1: the call chains of a hierarchy, which stock perf prints as addresses, are given the names
#    that stock perf itself has for these addresses (perf script)
#  - 6.1: --stats has four columns less in front
#  - stock perf gives the column of a tracepoint's text the width of those texts that it has compared with
#    another: the text of a command's only sample is not among them, and is cut where it is longer
#  - rows of equal value and name stand in an order that stock perf's memory decides
set -u
. "$SRC/tools/perf/tests/compat/common"
export DEBUGINFOD_URLS= PERF_PAGER=cat LC_ALL=C.UTF-8
printf '[report]\n\tunnamed = no\n' >by_address # stock perf has a row for each address of a stripped file
export PERF_CONFIG=$PWD/by_address

# Record, or leave with a word on why not.
record() { # file, arguments of record
	local file=$1
	shift
	"$STOCK_PERF" record -q -o "$file" "$@" >/dev/null 2>record.log && [[ -s $file ]]
}

# Again while code of the vdso is in it that stock perf has no name for: one sample in a page fault there.
record_named() { # file, arguments of record
	local i
	for i in 1 2 3 4 5; do
		record "$@"
		"$STOCK_PERF" script -i "$1" -F ip,sym,dso 2>/dev/null | grep -q '\[unknown\] (\[vdso\])' || break
	done
}

stock_6_1=
[[ $("$STOCK_PERF" --version) == "perf version 6.1".* ]] && stock_6_1=1

if ! record probe.data -e cpu-clock true; then
	skip_all_refused "rows" record.log
fi
plan 78

even_out() {
	sed -E -e '/^# \(Tip: /d' -e 's/(--\[\.\.\.\]) \(inlined\)$/\1/' -e 's/\[[k.]\] (0x)?[0-9a-f]{16}/[?] &/' \
		-e 's/\[\?\] \[[k.]\]/[?]/' -e 's/ (\[[k.]\]) ([^ ]*@plt|\.plt) *$/ \1 PLT/' \
		-e 's/([^ -]*@plt|\.plt)$/PLT/' -e '/^[0-9.]+%? [^ ]*;/s/([^ ;]*@plt|\.plt)(;|$)/PLT\2/g'
}

# With -v, code without a symbol has 43 columns. Stock perf counts 22 of them: its column is narrower if no name is long.
as_wide_as_addresses() {
	perl -0777 -pe '
		if (/\[\?\] (0x)?[0-9a-f]{16} *$/m) {
			s/^(# \.+  \.+  )\.{1,42}$/$1 . "." x 43/me;
			s/^(# Overhead  Command  )Symbol {0,36}$/sprintf("%s%-43s", $1, "Symbol")/me;
		}'
}

# A sample that hits the middle of an exec has the caller of the old program on its chain:
# stock perf goes on resolving it there, ours does not.
even_out_exec() {
	even_out | sed -E 's/((__GI_)?_*execve|0x[0-9a-f]{8,})$/OLD/'
}

# Stock perf cuts the name that a thread had before its last exec to the length of the last one.
even_out_names() {
	even_out | sed -E -e 's/perf-ex(ec?)?( |$)/perf\2/' -e 's/ +/ /g' -e 's/\.\.+/../g' -e 's/ $//' | sed -f blanks.sed
}

# Stock perf ends a tracepoint's field at its first blank. Names of threads may have some: "tmux: server". Makes blanks.sed,
# which cuts those of a recording.
cut_at_blanks() { # file
	"$STOCK_PERF" script -i "$1" -F trace 2>/dev/null | grep -oE '\bcomm=[^=]* [a-z_]*pid=|_comm=[^=]* [a-z_]*pid=' |
		sed -E 's/^_?comm=//; s/ [a-z_]*pid=$//; s/ +/ /g' | grep ' ' | sort -ru |
		sed -E 's|[].[\*^$/]|\\&|g; s|^([^ ]*) .*|s/&/\1/g|' >blanks.sed
}

# Cuts the text of a command's only sample (-n -s comm,trace) as stock perf does; ours has all of it.
cut_lone_texts() {
	awk '
		function flush(	i, width) {
			width = length("Trace output")
			for (i = 1; i <= nr; i++)
				if (text[i] != "" && samples[comm[i]] > 1 && length(text[i]) > width)
					width = length(text[i])
			for (i = 1; i <= nr; i++)
				print samples[comm[i]] == 1 ? front[i] substr(text[i], 1, width) : front[i] text[i]
			nr = at = 0
			delete samples
		}
		/^# Samples: / { flush() }
		/^# \.\.+  / { at = match($0, /\.+$/) }
		{
			front[++nr] = $0
			text[nr] = comm[nr] = ""
		}
		at && /^ +[0-9.]+% +[0-9]+ / {
			front[nr] = substr($0, 1, at - 1)
			text[nr] = substr($0, at)
			sub(/ +$/, "", text[nr])
			comm[nr] = front[nr]
			sub(/^ +[0-9.]+% +[0-9]+ +/, "", comm[nr])
			samples[comm[nr]] += $2
		}
		END { flush() }'
}

even_out_texts() {
	cut_lone_texts | even_out_names
}

# libtraceevent prints a bare number as the event's text does, "%03d" say; what perf 6.1 has of it does not.
even_out_zeros() {
	even_out_names | sed -E -e 's/\b00+([0-9])/\1/g' -e 's/ +/ /g'
}

even_out_callers() {
	even_out | grep -v '\[?\]'
}

# A chain's addresses as stock perf's own names for them.
name_addresses() { # file
	local file=$1
	if [[ $stock_6_1 ]]; then
		cat
		return
	fi
	awk 'NR == FNR { if ($2 != "[unknown]") name["0x" $1] = $2; next }
		match($0, /0x[0-9a-f]+$/) && substr($0, RSTART) in name { $0 = substr($0, 1, RSTART - 1) name[substr($0, RSTART)] }
		{ print }' <("$STOCK_PERF" script -i "$file" -F ip,sym 2>/dev/null) -
}

# Runs of rows that show the same values, sorted; call trees stay behind their row.
sort_ties() {
	perl -e '
		my ($value, @rows) = ("");
		sub flush { print sort @rows; @rows = () }
		while (<STDIN>) {
			if (/^ *([0-9.]+%?[ ,]+)+/ && /^ *[0-9]/ && !/--/ && !/^[0-9.]+% [^ ]*;/) {
				my ($v) = /^((?:[ ,]*[0-9.]+%?)+)/;
				flush() if $v ne $value;
				$value = $v;
				push @rows, $_;
			} elsif (@rows && (/^ {11}/ || /^[0-9]/ || /^$/ && $rows[-1] =~ /\n./)) {
				$rows[-1] .= $_;
			} else {
				flush();
				$value = "";
				print;
			}
		}
		flush();'
}

# Whether the two differ only in stubs of the PLT that stock perf has no symbol for.
only_stubs() {
	awk '/^>/ && / PLT *$/ { ours++; next } /^</ && /\[\?\]/ { stock++; next } /^[<>]/ { other++ }
		END { exit other || stock > ours || !ours }'
}

# Whether the two have the same lines, in another order: branches of a call tree that weigh the
# same stand in an order that stock perf's memory decides, like rows.
only_order() {
	cmp -s <(sed -E 's/^[ |-]+//; s/ +$//' stock.txt | sort) <(sed -E 's/^[ |-]+//; s/ +$//' ours.txt | sort)
}

same() { # name, file, arguments of report
	local name=$1 file=$2 n
	shift 2
	"$STOCK_PERF" report --stdio -i "$file" --no-demangle "$@" 2>stock.err | ${even:-even_out} |
		${names:-cat} | sort_ties >stock.txt
	"$PERF" report --stdio -i "$file" --no-inline --no-demangle --raw-chains "$@" 2>ours.err | ${even:-even_out} | sort_ties >ours.txt
	n=$(wc -l <stock.txt)
	if ((n < 7)); then
		sed 's/^/# /' stock.err
		echo "not ok - $name: stock perf prints only $n lines"
	elif diff stock.txt ours.txt >diff.txt || only_stubs <diff.txt || only_order; then
		echo "ok - $name ($n lines)"
	else
		sed 's/^/# /' ours.err | head -5
		head -20 diff.txt | sed 's/^/# /'
		echo "not ok - $name: $(grep -c '^[<>]' diff.txt) of $n lines differ"
	fi
}

# Rows of callers without a symbol differ: stock perf takes such a function for another one
# where it was sampled than where it called, and for yet another one in each process.
callers() {
	even=even_out_callers same "$@"
}

"$FORGE" <"$SRC/tools/perf/tests/cases/report-late-names/in.txt" >late.data
same "names that come late" late.data -s comm -n
"$FORGE" <"$SRC/tools/perf/tests/cases/report-thresholds/in.txt" >garbled.data
same "thresholds with a garbled chain" garbled.data --no-children -s dso -g graph,15
same "thresholds below what is garbled" garbled.data --no-children -s dso -g graph,11
same "thresholds of what is left of a filter" garbled.data --no-children -s comm,dso -g graph,15 --dsos lib.so
same "branches of relative rows" garbled.data --no-children -s comm,dso -g graph,15 --dsos lib.so --percentage relative
same "thresholds of a hierarchy with a garbled chain" garbled.data --hierarchy --percent-limit 15 -s comm,dso

# Three programs that are large, in C, C++ and with an interpreter, in one process each.
cat >input.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int f(int a) { int s = 0; for (int i = 0; i < a; i++) s += i * a ^ (s >> 3); return s; }
int main(void) { return f(10); }
END
for i in $(seq 400); do
	sed -n 's/int f(/int f'"$i"'(/p' input.c
done >many.c
record compiler.data -e cpu-clock -F 4000 -g -- "$(gcc -print-prog-name=cc1)" -quiet -O2 many.c -o many.s
record_named awk.data -e cpu-clock -F 2000 -g -- awk 'BEGIN { for (i = 0; i < 900000; i++) s = s + length(i "x"); print s }'
record_named perl.data -e cpu-clock -F 2000 -g -- perl -e 'my %h; $h{$_ % 977} .= chr($_ % 64) for 1 .. 900000; print length $h{5}'
record events.data -e cpu-clock,page-faults,context-switches -g -- sh -c 'ls -lR /usr/lib | wc -l'
record group.data -e '{cpu-clock,task-clock}' -g -- awk 'BEGIN { for (i = 0; i < 900000; i++) s += i; print s }'
record machine.data -a -e cpu-clock -F 2000 -g -- sh -c 'ls -lR /usr/lib | gzip | wc -c'
record switches.data -a -e sched:sched_switch -e sched:sched_wakeup -- perl -e 'sub nap { select undef, undef, undef, 0.05 } nap;
	fork; $0 = "perl: named"; nap for 1 .. 9'
cut_at_blanks switches.data

for program in compiler awk perl; do
	file=$program.data
	same "$program: rows and call trees" $file --no-children
	same "$program: rows alone" $file --no-children -g none
	callers "$program: with callers" $file -g none
	same "$program: callers first" $file --no-children -g caller
	same "$program: by command and object" $file --no-children -s comm,dso
	names=as_wide_as_addresses same "$program: addresses, and where their symbols came from" $file --no-children -g none -v -s comm,sym
	same "$program: fractal" $file --no-children -g fractal,5 -s dso
	same "$program: flat" $file --no-children -g flat -s dso,sym
	same "$program: folded" $file --no-children -g folded -s dso,sym
	same "$program: counts" $file --no-children -g count -s dso,sym
	same "$program: samples and periods" $file --no-children -g none -n --show-total-period
	same "$program: a hierarchy" $file --no-children -g none --hierarchy
	names="name_addresses $file" same "$program: above 2 percent of a hierarchy" $file --hierarchy --percent-limit 2 -s comm,dso,sym
done

# Of names of one address one is shown. The longer one of these is shorter where it is demangled.
cat >aliases.c <<'END'
void first(void) __asm__("_Z12long_named_fv");
void second(void) __asm__("_Z1fiiiii") __attribute__((alias("_Z12long_named_fv")));
void third(void) __asm__("_Z1giiiii");
void fourth(void) __asm__("_Z12long_named_gv") __attribute__((alias("_Z1giiiii")));
volatile long sum;
__attribute__((noinline)) void first(void) { for (long i = 0; i < 100000000; i++) sum += i; }
__attribute__((noinline)) void third(void) { for (long i = 0; i < 100000000; i++) sum -= i; }
int main(void) { first(); third(); return 0; }
END
gcc -O1 -o aliases aliases.c && record aliases.data -e cpu-clock:u -F 1000 -- ./aliases
same "names of one address" aliases.data -s sym
same "objects with their share" compiler.data -g none --no-children -s dso -F overhead,sample,dso
same "order by name" compiler.data -g none -F comm,overhead,sample
same "kernel and user" compiler.data -g none --no-children --show-cpu-utilization -s comm,dso
same "fields of -t" compiler.data -g none --no-children -t , -s comm,dso
same "widths of -w" compiler.data -g none --no-children -w 8,20,30 -s comm,dso
same "one object" compiler.data -g none --no-children --dsos libc.so.6 -s comm,dso,sym
same "one command, relative" compiler.data -g none --no-children --comms cc1 --percentage relative -s comm,dso,sym
same "a part of the time" compiler.data -g none --no-children --time 10%-40% -s comm,dso,sym
same "a symbol by part of its name" compiler.data -g none --no-children --symbol-filter alloc -s comm,dso,sym
same "threads" events.data -g none --no-children -s pid,dso
same "CPUs" machine.data -g none --no-children -s cpu,dso
same "times" machine.data -g none --no-children -s time,dso
same "several events" events.data -g none --no-children -s comm,dso
even=even_out_exec same "several events and call trees" events.data --no-children -s comm -g graph,5
same "a group" group.data -g none --no-children
same "a group's call trees" group.data --no-children -s comm,dso
same "a group in columns of numbers" group.data -g none --no-children -n --show-total-period -s dso
same "a group by its second event" group.data -g none --no-children --group-sort-idx 1 -s dso
same "a group taken apart" group.data -g none --no-children --no-group -s comm,dso
even=even_out_names same "tracepoints" switches.data
even=even_out_texts same "tracepoints by command" switches.data -n -s comm,trace
if record lone.data -e sched:sched_process_exec -- sh -c '/usr/bin/true; /usr/bin/true; /usr/bin/../bin/../bin/../bin/../bin/false; /usr/bin/true'; then
	even=even_out_texts same "the text of a command's only sample" lone.data -n -s comm,trace
else
	skip_refused "the text of a command's only sample" record.log
fi
even=even_out_names same "fields of tracepoints" switches.data -s next_comm,prev_state
even=even_out_names same "all fields of tracepoints" switches.data -s trace_fields
even=even_out_names same "fields of one tracepoint" switches.data -s 'comm,sched_wakeup.*'
even=even_out_zeros same "a tracepoint's field as a number" switches.data \
	-s 'sched:sched_switch.prev_state/raw,%2.pid,common_pid'
even=even_out_zeros same "all fields as numbers" switches.data --raw-trace -s trace_fields
even=even_out_zeros same "tracepoints without their words" switches.data --raw-trace -s trace
same "quiet" compiler.data -q -g none --no-children -s comm,dso

# A pipe, and a compressed file: what is said is the same.
"$STOCK_PERF" record -q -e cpu-clock -F 2000 -g -o - -- awk 'BEGIN { for (i = 0; i < 900000; i++) s += i; print s }' \
	2>/dev/null >pipe.raw
"$STOCK_PERF" report --stdio -i - --no-children <pipe.raw 2>/dev/null | even_out | sort_ties >stock.txt
"$PERF" report --stdio -i - --no-children --no-inline --raw-chains <pipe.raw 2>ours.err | even_out | sort_ties >ours.txt
if (($(wc -l <stock.txt) > 12)) && diff stock.txt ours.txt >diff.txt; then
	echo "ok - a pipe"
else
	head -20 diff.txt ours.err | sed 's/^/# /'
	echo "not ok - a pipe"
fi
if record z.data -z -e cpu-clock -F 2000 -g -- awk 'BEGIN { for (i = 0; i < 900000; i++) s += i; print s }'; then
	same "a compressed file" z.data --no-children
else
	skip "a compressed file" "stock perf cannot compress"
fi

"$STOCK_PERF" report --stats -i events.data 2>/dev/null | sed -E "${stock_6_1:+s/^ *[A-Z0-9_]+ events:/    &/}" >stock.txt
"$PERF" report --stats -i events.data 2>/dev/null >ours.txt
if (($(wc -l <stock.txt) > 5)) && diff stock.txt ours.txt >diff.txt; then
	echo "ok - --stats"
else
	sed 's/^/# /' diff.txt
	echo "not ok - --stats"
fi
