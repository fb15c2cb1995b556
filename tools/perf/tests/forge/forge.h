/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.data from text, for tests: `forge case.txt case.data` (or from stdin to stdout), or forge_text() in a program.
 *
 * One line is one thing: a word, then key=value pairs and bare words, as a shell splits them
 * (quotes keep blanks together). '#' starts a comment. Numbers are decimal or 0x. Lists are joined
 * by ','. Bytes are hexadecimal digits, blanks and '_' between them ignored, or "text:abc". What is not
 * given is 0, except where stated.
 *
 * The file
 *   file [pipe] [zstd=LEVEL] [unfinished]      the form; unfinished: as a killed recorder leaves it
 *   info hostname=H osrelease=R version=V arch=A cpudesc=D cpuid=I nrcpus=N total_mem=KB
 *        cmdline="a b c" first_time=NS last_time=NS cacheline=BYTES clockid_res=NS
 *        sockets=N,N (of each CPU)
 *        mem_block=BYTES mem_nodes=NODE:FROM:TO,.. (blocks of physical memory)
 *        numa=NODE:FROM:TO,.. (CPUs)
 *        wall=NS clock=NS (CLOCK_DATA: the same instant by both)
 *   note KEY=VALUE ...                         our notes
 *   buildid file=PATH id=HEX [pid=-1] [misc=user|kernel|...]
 *
 * Events come before records. Defaults: software cpu-clock, sample_type IP|TID|TIME|PERIOD,
 * sample_id_all, read_format ID, and one id, 101 for the first event, 102 for the second, ...;
 * with several events IDENTIFIER is added unless sample_type is given.
 *   event NAME [type=software|hardware|tracepoint|hw_cache|raw|breakpoint|N] [config=N]
 *        [config1=N] [config2=N] [config3=N] [period=N | freq=N] [sample_type=IP|TID|..]
 *        [read_format=..] [flags=mmap|comm|..] [precise=N] [branch_type=ANY|HW_INDEX|..]
 *        [regs_user=MASK] [regs_intr=MASK] [stack_user=N] [tls_user=N] [clockid=N] [bp_type=N]
 *        [ids=N,N] [group=IDX] [unit=TEXT] [scale=X]
 *   (flags replaces sample_id_all; group=IDX puts it into the group led by event IDX.)
 *
 * Records, in the order of the lines. All take misc=WORD|WORD|N (kernel user hypervisor
 * guest_kernel guest_user; exec data out preempt build_id), event=IDX (whose layout and id; 0), and
 * for the trailer time=NS cpu=N id=N stream_id=N (id is the event's first); its pid and tid are the
 * record's own, or tpid= ttid=.
 *   comm pid=N [tid=PID] text=NAME
 *   mmap|mmap2 pid=N [tid=PID] start=VA len=N [pgoff=N] [prot=5] [flags=2] [maj= min= ino= gen=]
 *        [build_id=HEX] file=PATH
 *   fork|exit pid= ppid= [tid=PID] [ptid=PPID] [time=]
 *   lost id=N lost=N        lost_samples lost=N
 *   throttle|unthrottle time=NS id=N stream_id=N
 *   switch                  switch_cpu_wide other_pid=N other_tid=N
 *   namespaces pid=N [tid=PID] links=DEV:INO,DEV:INO,..
 *   cgroup cgid=N path=P    ksymbol addr=VA len=N type=N kflags=N name=S
 *   bpf_event type=N bflags=N bid=N tag=HEX
 *   text_poke addr=VA old=HEX new=HEX
 *   aux offset=N size=N aflags=N               itrace_start pid=N tid=N
 *   read pid=N tid=N value=N [enabled=N] [running=N] [lost=N]
 *   sample [ip=VA] [pid=N] [tid=PID] [time=NS] [cpu=N] [addr=VA] [period=1] [id=] [stream_id=]
 *        [chain=user,VA,VA,kernel,VA..] [raw=HEX] [weight=N] [ins_lat=N] [p_stage_cyc=N]
 *        [data_src=N] [transaction=N] [phys_addr=N] [cgroup=N] [data_page_size=N]
 *        [code_page_size=N] [uregs=N,N,..] [iregs=N,N,..] [abi=2] [stack=HEX] [stack_size=N]
 *        [tls=HEX | activity=TRACE:SPAN[:PARENT:ROOT]] [context=N]
 *        [frame=PUBLISHER:FORMAT:HEX[:STATE[:CUT[:MISSING]]],..] [tls_size=N] [aux=HEX] [branches=FROM:TO:FLAGS,..] [hw_idx=N]
 *        [read=VALUE:ID:LOST,..] [enabled=N] [running=N]
 *   callchain_deferred cookie=N [chain=user,VA,..]     (tpid= ttid= time= as in every trailer)
 *   finished_round          finished_init
 *   tls_layout pid=N [state=N] [at=NS] tp_offset=N size=N [kind=N] layout=S [symbol=S] [object=S]
 *        [publisher=N] [where=N] [framed] [fresh] [mark=N]
 *   process pid=N [at=NS] form=N [data=HEX | attributes=KEY=VALUE,.. keys=NAME,.. (form 1)
 *        | service=S environment=S (form 2)]   what it states of itself
 *   record type=N [misc=..] data=HEX           any record; the header's size follows from data
 *   bytes data=HEX                             no record at all
 *
 * Damage, done to the finished bytes in the order of the lines:
 *   patch at=N data=HEX                        truncate size=N                 append data=HEX
 */
#ifndef FORGE_H
#define FORGE_H

#include <glib.h>

/* The bytes, or NULL with @error, which names the line. */
GBytes *forge_text(const char *text, GError **error);

#endif
