#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A 32-bit program: its code is disassembled as what it is, its chains are complete, and data types and addresses, which
# are found in x86-64 code only, are told as not known with this reason. The program needs no 32-bit C library.

. "$SRC/tools/perf/tests/live/common"

cat >narrow.c <<'END'
struct node { struct node *next; int key; int pad[14]; };
static struct node nodes[4096];
volatile int sink;
__attribute__((noinline)) int leaf(int key)
{
	int found = 0;
	for (struct node *n = nodes; n; n = n->next)
		found += n->key == key;
	return found;
}
__attribute__((noinline)) void middle(int key) { sink += leaf(key); sink++; }
__attribute__((noinline)) void outer(int key) { middle(key); sink++; }
static void leave(int status) { __asm__ volatile("int $0x80" : : "a"(1), "b"(status)); }
void _start(void)
{
	for (int i = 0; i < 4095; i++) {
		nodes[i].next = &nodes[i + 1];
		nodes[i].key = i % 7;
	}
	for (int i = 0; i < 30000; i++)
		outer(i % 7);
	leave(0);
}
END
if ! ${CC:-cc} -m32 -O2 -g -ffreestanding -fno-stack-protector -fno-pie -no-pie -static -nostdlib -fomit-frame-pointer \
	-fasynchronous-unwind-tables -o narrow narrow.c 2>err; then
	skip_all "a 32-bit program" "$(head -n 1 err)"
fi
plan 8

for mode in dwarf live; do
	"$PERF" record -q -F 2000 --call-graph $mode -o $mode.data ./narrow 2>err
	check "$mode: chains are complete" test "$("$PERF" report -i $mode.data --stdio --no-children --symbols leaf -g caller,0.5,callee --percent-limit 5 2>>err |
		grep -cE '^ +(middle|outer|_start)$')" -eq 3
done
"$PERF" annotate -i live.data --stdio -s leaf >code 2>err
check "code: 32-bit registers" grep -qE '\(%e[a-d]x\)' code
check "code: no 64-bit registers" test "$(grep -cE '%r[a-ds]' code)" -eq 0
"$PERF" script -i live.data -F disasm >text 2>err
check "script: the same" grep -qE '\(%e[a-d]x\)|%e[a-d]x,%e[a-d]x' text
"$PERF" annotate -i live.data --data-type --type-stat --stdio >types 2>&1
check "types: the reason is counted" grep -qE '[0-9]+ : other_machine +([6-9][0-9]|100)' types
address=0x$(sed -nE 's/^.* ([0-9a-f]+): +(mov|cmp) .*\(%e.*/\1/p' code | head -n 1)
"$PERF" annotate -i live.data --data-type --why "$address" >why 2>&1
check "types: the reason is explained" grep -q 'the code is not of x86-64' why
"$PERF" record -q -F 2000 -d -o address.data ./narrow 2>err
"$PERF" report -i address.data --stdio -s daddr_how >how 2>err
check "addresses: none is computed" test "$(grep -c '(computed)\|computed ' how)" -eq 0 -a "$(grep -c unclear how)" -ge 1
