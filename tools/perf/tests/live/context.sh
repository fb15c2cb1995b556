#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What sampling events hit: a load of softirqs, tracepoints that are hit in one context only, and
# call chains, which tell the same in another way.
. "$SRC/tools/perf/tests/live/common"
needs_activities contexts

# Sends itself packets over the loopback device, which softirqs carry, and publishes an activity.
cat >flood.c <<'END'
#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
__thread void *otel_thread_ctx_v1;
int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int to = socket(AF_INET, SOCK_DGRAM, 0), from = socket(AF_INET, SOCK_DGRAM, 0);
	socklen_t size = sizeof(address);
	static uint8_t record[28], packet[1000];
	double seconds = atof(argv[1]);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (int i = 0; i < 24; i++)
		record[i] = (uint8_t)i;
	record[24] = 1;
	otel_thread_ctx_v1 = record;
	if (bind(from, (void *)&address, size) || getsockname(from, (void *)&address, &size))
		return 1;
	while (clock() < seconds * CLOCKS_PER_SEC) {
		for (int i = 0; i < 500; i++) {
			sendto(to, packet, sizeof(packet), MSG_DONTWAIT, (void *)&address, size);
			recv(from, packet, sizeof(packet), MSG_DONTWAIT);
		}
	}
	return argc > 2;
}
END
${CC:-cc} -O1 -fPIE -pie -rdynamic -o flood flood.c || echo "not ok - flood does not build"
ip link set lo up 2>/dev/null
ids=000102030405060708090a0b0c0d0e0f:1011121314151617
if ! ./flood 0.01; then
	skip_all "contexts" "no loopback device"
fi

"$PERF" record -q -e cpu-clock -g -F 1999 --sample-tls -o perf.data -- ./flood 1.5 2>err
if [[ -s perf.data ]] && ! grep -qa tls.context perf.data; then
	skip_all "contexts" "this kernel does not tell where it counts them"
fi
plan 18
rows() { "$PERF" report --stdio -q -g none --no-children -t, -F "$1" "${@:2}" 2>>err | grep '%' | sed -E 's/ +//g' >out; }
share() { # ROW LEAST MOST: its percent is between
	awk -F, -v want="$1" -v least="$2" -v most="$3" '
		{ percent = $1 + 0; sub(/^[^,]*,/, ""); if ($0 == want) found = percent }
		END { exit !(found >= least && found <= most) }' out
}
rows overhead,context
check "softirqs are marked" share softirq 3 70
check "the rest is the task's: the timer that samples is no hardirq" share task 30 97
check "nothing is unknown" share "(unknown)" 0 0
check "a timer sees no NMI" share nmi 0 0
rows overhead,context,activity
check "softirqs are not the activity's" share "softirq,(interrupt)" 3 70
check "no interrupt has an activity" share "softirq,$ids" 0 0
rows overhead,context,activity --irq-activity
check "unless it is asked for" share "softirq,$ids" 3 70
"$PERF" record -q -e cpu-clock -F 1999 --sample-tls -o closing.data -- ./flood 0.5 2>/dev/null
"$PERF" record -e cpu-clock -F 1999 --sample-tls -o closing.data -- ./flood 0.5 2>err
check "the closing line counts them" grep -qE 'activities of samples: .*, [0-9]+ interrupt' err

# Each sample's chain against its context, where the kernel's count and the chain are of one moment.
"$PERF" script -i perf.data -F comm,context,ip,sym 2>>err >lines
awk '
	/^flood / { context = $NF; chain = ""; next }
	/^[ \t]+[0-9a-f]+ / {
		border = $2 ~ /^(asm_sysvec|asm_common_int|sysvec_|irqentry_exit|irq_exit|__irq_exit)/
		if (chain == "")
			chain = border || $2 ~ /^(handle_softirqs|__do_softirq)/ ? "border" : "inner"
		else if (chain == "inner" && $2 ~ /^(handle_softirqs|__do_softirq)/)
			chain = "softirq"
		else if (chain == "inner" && border)
			chain = "border"
		else if (chain == "inner" && $2 == "do_syscall_64")
			chain = "task"
		next
	}
	/^$/ {
		if (chain == "softirq") { all++; good += context == "softirq" }
		if (chain == "task") { rest++; wrong += context != "task" }
		chain = ""
	}
	END { printf "%d below a softirq, %d of them marked; %d below a system call only, %d of them marked\n",
	             all, good, rest, wrong
	      exit !(all >= 20 && good == all && rest >= 20 && wrong == 0) }' lines >out
check "call chains tell the same" test $? = 0

# If the BPF program does not state the context, it is taken from the call chains.
"$PERF" record -q -e cpu-clock -g -F 1999 -o chains.data -- ./flood 1.5 2>err
rows overhead,context -i chains.data
check "a recording without activities has contexts by its chains" share softirq 3 70
check "a recording without activities: most is the task's" share task 30 97

# Tracepoints that are hit in one context only.
only() { # EVENT CONTEXT
	if ! "$PERF" record -q -a -e "$1" --sample-tls -o point.data -- ./flood 0.3 2>err; then
		skip_refused "$1 is $2" err
		return
	fi
	rows overhead,context -i point.data
	if [[ $1 == *reschedule* && ! -s out ]]; then # CPUs that wait in a loop are woken without an interrupt
		skip "$1 is $2" "no CPU was woken by an interrupt"
		return
	fi
	check "$1 is $2" share "$2" 99.9 100
}
only irq:softirq_entry softirq
only irq_vectors:local_timer_entry hardirq
only irq_vectors:reschedule_entry hardirq
only syscalls:sys_enter_sendto task
only sched:sched_process_exit task

# Threads without an activity, and without a thread pointer, are told apart as well.
"$PERF" record -q -a -e cpu-clock -g -F 499 --sample-tls -o all.data -- ./flood 1 2>err
rows overhead,context -i all.data
check "every thread of the machine has a context" share "(unknown)" 0 0
check "every thread of the machine: softirqs" share softirq 0.1 70
