// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions as binutils encodes them, against what the manuals say that they read,
 * write and jump to. An operand reads: ~ implicit, r read, w written, width in bytes, then
 * %register or segment[base+index*scale+displacement], registers by DWARF number; the
 * registers written stand in braces, the flags left out. Behind stand what a move extends by,
 * a condition's number, and where each 8 bytes of a vector come from: operand.number, zero (z)
 * or anything (?).
 */
#include <setjmp.h>
#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "insn/fusion.h"
#include "insn/insn.h"
#include "insn/x86-call.h"

static const struct {
	const char *assembly, *bytes, *expected;
} rows[] = {
	{ "mov 8(%rdi),%rax", "488b4708", "mov w8%0 r8[5+8] {0}" },
	{ "mov %al,-1(%rbp,%rcx,4)", "88448dff", "mov w1[6+2*4-1] r1%0 {}" },
	{ "movl $5,8(%r12)", "41c744240805000000", "mov w4[12+8] $5 {}" },
	{ "movabs 0x1122334455667788,%rax", "48a18877665544332211",
	  "mov w8%0 r8[+1234605616436508552] {0}" },
	{ "movzbl 8(%r13),%eax", "410fb64508", "mov w4%0 r1[13+8] {0} zx" },
	{ "movsbl %ah,%eax", "0fbec4", "mov w4%0 r1%0h {0} sx" },
	{ "lea 8(%rdi,%rsi,4),%rax", "488d44b708", "lea w8%0 8[5+4*4+8] {0}" },
	{ "mov 0x1000(%rip),%rdx", "488b1500100000", "mov w8%1 r8[+8199] {1}" },
	{ "mov 0x404048(,%rax,8),%rbx", "488b1cc548404000", "mov w8%3 r8[+0*8+4210760] {3}" },
	{ "mov 0x404048,%rbx", "488b1c2548404000", "mov w8%3 r8[+4210760] {3}" },
	{ "mov %fs:0x28,%rax", "64488b042528000000", "mov w8%0 r8fs[+40] {0}" },
	{ "mov %fs:-8(%r9),%ecx", "64418b49f8", "mov w4%2 r4fs[9-8] {2}" },
	{ "mov %gs:0x28,%rax", "65488b042528000000", "mov w8%0 r8gs[+40] {0}" },
	{ "add %rax,8(%rdi)", "48014708", "add rw8[5+8] r8%0 {}" },
	{ "add 8(%rdi),%rax", "48034708", "add rw8%0 r8[5+8] {0}" },
	{ "incl 8(%rdi)", "ff4708", "inc rw4[5+8] {}" },
	{ "notl 8(%rdi)", "f75708", "not rw4[5+8] {}" },
	{ "rolw $2,8(%rdi)", "66c1470802", "rotate rw2[5+8] $2 {}" },
	{ "shl %cl,8(%rdi)", "d36708", "shl rw4[5+8] r1%2 {}" },
	{ "mulq 8(%rdi)", "48f76708", "mulwide r8[5+8] {0 1}" },
	{ "divl 8(%rdi)", "f77708", "div r4[5+8] {0 1}" },
	{ "imul $12,8(%rdi),%rax", "486b47080c", "mul w8%0 r8[5+8] $12 {0}" },
	{ "cmpb $3,8(%rdi)", "807f0803", "cmp r1[5+8] $3 {}" },
	{ "cmp 8(%rdi),%rax", "483b4708", "cmp r8%0 r8[5+8] {}" },
	{ "testb $1,8(%rdi)", "f6470801", "test r1[5+8] $1 {}" },
	{ "bt %rax,8(%rdi)", "480fa34708", "bt r8[5+8] r8%0 {}" },
	{ "btsl $3,8(%rdi)", "0fba6f0803", "bts rw4[5+8] $3 {}" },
	{ "popcnt 8(%rdi),%rax", "f3480fb84708", "count w8%0 r8[5+8] {0}" },
	{ "movbe %rax,8(%rdi)", "480f38f14708", "bswap w8[5+8] r8%0 {}" },
	{ "cmovne 8(%rdi),%rax", "480f454708", "cmov rw8%0 r8[5+8] {0} if6" },
	{ "sete 8(%rdi)", "0f944708", "setcc w1[5+8] {} if5" },
	{ "xchg %rax,8(%rdi)", "48874708", "xchg rw8[5+8] rw8%0 {0}" },
	{ "lock xadd %rax,8(%rdi)", "f0480fc14708", "xadd rw8[5+8] rw8%0 {0} lock" },
	{ "lock cmpxchg %rdx,8(%rdi)", "f0480fb15708", "cmpxchg rw8[5+8] r8%1 {0} lock" },
	{ "lock cmpxchg16b 8(%rdi)", "f0480fc74f08", "other rw16[5+8] {0 1} lock" },
	{ "push %rbx", "53", "push r8%3 ~w8[7-8] {7} stack" },
	{ "push 8(%rdi)", "ff7708", "push r8[5+8] ~w8[7-8] {7} stack" },
	{ "pop %rbx", "5b", "pop w8%3 ~r8[7+0] {3 7} stack" },
	{ "pop 8(%rdi)", "8f4708", "pop w8[5+8] ~r8[7+0] {7} stack" },
	{ "pushfq", "9c", "push ~w8[7-8] {7} stack" },
	{ "call .+16", "e80b000000", "calls $4112 ~w8[7-8] {7} call stack ->1010" },
	{ "call *8(%rdi)", "ff5708", "calls r8[5+8] ~w8[7-8] {7} call indirect stack" },
	{ "call *%rax", "ffd0", "calls r8%0 ~w8[7-8] {7} call indirect stack" },
	{ "jmp .+16", "eb0e", "jumps $4112 {} jump ->1010" },
	{ "jmp *8(%rdi)", "ff6708", "jumps r8[5+8] {} jump indirect" },
	{ "notrack jmp *0x400000(,%rax,8)", "3eff24c500004000",
	  "jumps r8[+0*8+4194304] {} jump indirect notrack" },
	{ "jne .+16", "750e", "other $4112 {} cond if6 ->1010" },
	{ "ret", "c3", "returns ~r8[7+0] {7} ret stack" },
	{ "leave", "c9", "leave ~r8[6+0] {6 7} stack" },
	{ "enter $8,$0", "c8080000", "other $8 $0 ~w8[7-8] {6 7} stack" },
	{ "ud2", "0f0b", "other {} stop" },
	{ "hlt", "f4", "other {} stop" },
	{ "endbr64", "f30f1efa", "other {}" },
	{ "nopw 8(%rdi)", "660f1f4708", "nop 2[5+8] {}" },
	{ "rep movsq", "f348a5", "string w8[5+0] r8[4+0] {2 4 5} rep" },
	{ "rep stosq", "f348ab", "string w8[5+0] r8%0 {2 5} rep" },
	{ "lodsb", "ac", "string w1%0 r1[4+0] {0 4}" },
	{ "repe cmpsb", "f3a6", "string r1[4+0] r1[5+0] {2 4 5} rep" },
	{ "xlat", "d7", "other r1[3+0*1+0] {0}" },
	{ "prefetcht0 8(%rdi)", "0f184f08", "prefetch r1[5+8] {}" },
	{ "clflush 8(%rdi)", "0fae7f08", "other r1[5+8] {}" },
	{ "ldmxcsr 8(%rdi)", "0fae5708", "other r4[5+8] {}" },
	{ "stmxcsr 8(%rdi)", "0fae5f08", "other w4[5+8] {}" },
	{ "fldt 8(%rdi)", "db6f08", "other r10[5+8] {x87}" },
	{ "fstps 8(%rdi)", "d95f08", "other w4[5+8] {x87}" },
	{ "fadds 8(%rdi)", "d84708", "other r4[5+8] {x87}" },
	{ "fnstcw 8(%rdi)", "d97f08", "other w2[5+8] {x87}" },
	{ "fisttpll 8(%rdi)", "dd4f08", "other w8[5+8] {x87}" },
	{ "movss %xmm0,8(%rdi)", "f30f114708", "mov w4[5+8] r16%17 {}" },
	{ "movups %xmm9,8(%rdi)", "440f114f08", "mov w16[5+8] r16%26 {}" },
	{ "movdqa 8(%rdi),%xmm0", "660f6f4708", "mov w16%17 r16[5+8] {17}" },
	{ "movdqa %xmm0,8(%rdi)", "660f7f4708", "mov w16[5+8] r16%17 {}" },
	{ "movq %xmm0,8(%rdi)", "660fd64708", "mov w8[5+8] r16%17 {}" },
	{ "movhps %xmm0,8(%rdi)", "0f174708", "lanes w8[5+8] r16%17 {} 1.1" },
	{ "movnti %eax,8(%rdi)", "0fc34708", "mov w4[5+8] r4%0 {}" },
	{ "addsd 8(%rdi),%xmm0", "f20f584708", "other rw16%17 r8[5+8] {17}" },
	{ "ucomisd 8(%rdi),%xmm0", "660f2e4708", "other r16%17 r8[5+8] {}" },
	{ "cvtsi2sdl 8(%rdi),%xmm0", "f20f2a4708", "other rw16%17 r4[5+8] {17}" },
	{ "movsd 8(%rdi),%xmm0", "f20f104708", "mov w16%17 r8[5+8] {17} zx" },
	{ "pextrd $1,%xmm0,8(%rdi)", "660f3a16470801", "other w4[5+8] r16%17 $1 {}" },
	{ "vmovdqu %ymm0,8(%rdi)", "c5fe7f4708", "mov w32[5+8] r32%17 {}" },
	{ "vmovdqu 8(%rdi),%ymm0", "c5fe6f4708", "mov w32%17 r32[5+8] {17}" },
	{ "vmovdqu64 %zmm17,64(%rdi)", "62e1fe487f4f01", "mov w64[5+64] r64%68 {}" },
	{ "vpaddd 8(%rdi),%ymm1,%ymm0", "c5f5fe4708", "other w32%17 r32%18 r32[5+8] {17}" },
	{ "vpaddd 8(%rdi){1to16},%zmm1,%zmm0", "62f17558fe4702",
	  "other w64%17 r64%18 r4[5+8] {17}" },
	{ "vextracti128 $1,%ymm0,8(%rdi)", "c4e37d39470801",
	  "lanes w16[5+8] r32%17 $1 {} 1.2 1.3" },
	{ "vfmadd231sd 8(%rdi),%xmm1,%xmm0", "c4e2f1b94708", "other rw16%17 r16%18 r8[5+8] {17}" },
	{ "vpgatherdd %ymm1,8(%rdi,%ymm2,4),%ymm0", "c4e27590449708",
	  "gather rw32%17 r4[5+19*4+8] rw32%18 {17 18}" },
	{ "vbroadcasti128 8(%rdi),%ymm0", "c4e27d5a4708",
	  "lanes w32%17 r16[5+8] {17} 1.0 1.1 1.0 1.1" },
	{ "kmovq 8(%rdi),%k1", "c4e1f8904f08", "other w8%119 r8[5+8] {119}" },
	{ "vpcmpeqb 0x1000(%rdi),%zmm1,%k0", "62f17548744740",
	  "other w8%118 r64%18 r64[5+4096] {118}" },
	{ "vpcmpeqb 64(%rdi),%zmm1,%k0", "62f17548744701", "other w8%118 r64%18 r64[5+64] {118}" },
	{ "rdsspq %rax", "f3480f1ec8", "other w8%0 {0}" },
	{ "syscall", "0f05", "syscall {0 2 11}" },
	{ "cpuid", "0fa2", "other {0 1 2 3}" },
	{ "cltq", "4898", "mov ~w8%0 ~r4%0 {0} sx" },
	{ "cwtl", "98", "mov ~w4%0 ~r2%0 {0} sx" },
	{ "cqto", "4899", "sign ~w8%1 ~r8%0 {1}" },
	{ "movslq %ecx,%rdx", "4863d1", "mov w8%1 r4%2 {1} sx" },
	{ "movsbw 8(%rdi),%ax", "660fbe4708", "mov w2%0 r1[5+8] {0} sx" },
	{ "movzwl %dx,%eax", "0fb7c2", "mov w4%0 r2%1 {0} zx" },
	{ "movl $-1,%eax", "b8ffffffff", "mov w4%0 $4294967295 {0}" },
	{ "mov $-1,%rax", "48c7c0ffffffff", "mov w8%0 $-1 {0}" },
	{ "add $-16,%eax", "83c0f0", "add rw4%0 $-16 {0}" },
	{ "cmp $-56,%al", "3cc8", "cmp r1%0 $200 {}" },
	{ "and $-16,%esp", "83e4f0", "and rw4%7 $4294967280 {7}" },
	{ "xor %eax,%eax", "31c0", "xor rw4%0 r4%0 {0} zero" },
	{ "sub %rdx,%rdx", "4829d2", "sub rw8%1 r8%1 {1} zero" },
	{ "sub %al,%ah", "28c4", "sub rw1%0h r1%0 {0}" },
	{ "pxor %xmm1,%xmm1", "660fefc9", "other rw16%18 r16%18 {18} zero" },
	{ "vpxor %xmm1,%xmm1,%xmm0", "c5f1efc1", "other w16%17 r16%18 r16%18 {17} zero" },
	{ "vpxor %xmm1,%xmm2,%xmm2", "c5e9efd1", "other w16%19 r16%19 r16%18 {19}" },
	{ "xchg %r8,%rax", "4990", "xchg rw8%0 rw8%8 {0 8}" },
	{ "xchg %ax,%ax", "6690", "nop {}" },
	{ "pause", "f390", "nop {}" },
	{ "jrcxz .+16", "e30e", "other $4112 {} cond if17 ->1010" },
	{ "loop .+16", "e20e", "other $4112 {2} cond if17 ->1010" },
	{ "ja .+0x100", "0f87fa000000", "other $4352 {} cond if8 ->1100" },
	{ "data16 data16 rex.W call .+8", "666648e804000000",
	  "calls $4108 ~w8[7-8] {7} call stack ->100c" },
	{ "jmp *%rax", "ffe0", "jumps r8%0 {} jump indirect" },
	{ "notrack jmp *%rax", "3effe0", "jumps r8%0 {} jump indirect notrack" },
	{ "ret $8", "c20800", "returns $8 ~r8[7+0] {7} ret stack" },
	{ "iretq", "48cf", "returns ~r8[7+0] {7} ret stack" },
	{ "sysretq", "480f07", "other {} ret" },
	{ "ud1 (%eax),%eax", "670fb900", "other 4%0 4[0+0] {} stop" },
	{ "push $-1", "6aff", "push $-1 ~w8[7-8] {7} stack" },
	{ "pushw $8", "666a08", "push $8 ~w2[7-2] {7} stack" },
	{ "push %fs", "0fa0", "push r2%54 ~w8[7-8] {7} stack" },
	{ "pop %r12", "415c", "pop w8%12 ~r8[7+0] {7 12} stack" },
	{ "rdtsc", "0f31", "other {0 1}" },
	{ "rdtscp", "0f01f9", "other {0 1 2}" },
	{ "rdmsr", "0f32", "other {0 1}" },
	{ "xgetbv", "0f01d0", "other {0 1}" },
	{ "xsave 8(%rdi)", "0fae6708", "other w0[5+8] {}" },
	{ "rdfsbase %rax", "f3480faec0", "other w8%0 {0}" },
	{ "mfence", "0faef0", "other {}" },
	{ "mov %cr3,%rax", "0f20d8", "other w8%0 r8%255 {0}" },
	{ "mov %ds,%eax", "8cd8", "mov w4%0 r2%53 {0} zx" },
	{ "shlx %rcx,8(%rdi),%rax", "c4e2f1f74708", "shl w8%0 r8[5+8] r8%2 {0}" },
	{ "mulx 8(%rdi),%rcx,%rax", "c4e2f3f64708", "other w8%0 w8%2 r8[5+8] {0 2}" },
	{ "andn %rcx,%rdx,%rax", "c4e2e8f2c1", "other w8%0 r8%1 r8%2 {0}" },
	{ "blsr %rcx,%rax", "c4e2f8f3c9", "other w8%0 r8%2 {0}" },
	{ "rorx $3,8(%rdi),%rax", "c4e3fbf0470803", "rotate w8%0 r8[5+8] $3 {0}" },
	{ "crc32b 8(%rdi),%eax", "f20f38f04708", "other rw4%0 r1[5+8] {0}" },
	{ "shrd $3,%rdx,8(%rdi)", "480fac570803", "other rw8[5+8] r8%1 $3 {}" },
	{ "cmpsq", "48a7", "string r8[4+0] r8[5+0] {4 5}" },
	{ "rep movsb %fs:(%rsi),(%rdi)", "64f3a4", "string w1[5+0] r1fs[4+0] {2 4 5} rep" },
	{ "mov %fs:(%rax),%rdx", "64488b10", "mov w8%1 r8fs[0+0] {1}" },
	{ "mov 8(%eax),%edx", "678b5008", "mov w4%1 r4[0+8] {1}" },
	{ "mov (%rsp,%riz,2),%eax", "8b0464", "mov w4%0 r4[7+0] {0}" },
	{ "mov (%r12),%rax", "498b0424", "mov w8%0 r8[12+0] {0}" },
	{ "mov 0(%r13,%r12,8),%rax", "4b8b44e500", "mov w8%0 r8[13+12*8+0] {0}" },
	{ "mov %spl,%al", "4088e0", "mov w1%0 r1%7 {0}" },
	{ "bt %r9,%rax", "4c0fa3c8", "bt r8%0 r8%9 {}" },
	{ "tzcnt %rax,%rdx", "f3480fbcd0", "count w8%1 r8%0 {1}" },
	{ "bsf %rax,%rdx", "480fbcd0", "count rw8%1 r8%0 {1}" },
	{ "movq %rax,%xmm0", "66480f6ec0", "mov w16%17 r8%0 {17} zx" },
	{ "movq %xmm0,%rax", "66480f7ec0", "mov w8%0 r16%17 {0}" },
	{ "movd %xmm0,%eax", "660f7ec0", "mov w4%0 r16%17 {0}" },
	{ "movq 8(%rdi),%xmm0", "f30f7e4708", "mov w16%17 r8[5+8] {17} zx" },
	{ "movq %xmm1,%xmm0", "f30f7ec1", "lanes w16%17 r16%18 {17} 1.0 z" },
	{ "movss %xmm1,%xmm0", "f30f10c1", "lanes rw16%17 r16%18 {17} ? 0.1" },
	{ "movsd %xmm1,%xmm0", "f20f10c1", "lanes rw16%17 r16%18 {17} 1.0 0.1" },
	{ "vmovsd %xmm1,%xmm2,%xmm0", "c5eb10c1", "lanes w16%17 r16%19 r16%18 {17} 2.0 1.1" },
	{ "movhps 8(%rdi),%xmm0", "0f164708", "lanes rw16%17 r8[5+8] {17} 0.0 1.0" },
	{ "vmovhps 8(%rdi),%xmm1,%xmm0", "c5f0164708", "lanes w16%17 r16%18 r8[5+8] {17} 1.0 2.0" },
	{ "movlps 8(%rdi),%xmm0", "0f124708", "lanes rw16%17 r8[5+8] {17} 1.0 0.1" },
	{ "movhlps %xmm1,%xmm0", "0f12c1", "lanes rw16%17 r16%18 {17} 1.1 0.1" },
	{ "movlhps %xmm1,%xmm0", "0f16c1", "lanes rw16%17 r16%18 {17} 0.0 1.0" },
	{ "movddup 8(%rdi),%xmm0", "f20f124708", "lanes w16%17 r8[5+8] {17} 1.0 1.0" },
	{ "punpcklqdq %xmm1,%xmm0", "660f6cc1", "lanes rw16%17 r16%18 {17} 0.0 1.0" },
	{ "vpunpcklqdq %ymm1,%ymm2,%ymm0", "c5ed6cc1",
	  "lanes w32%17 r32%19 r32%18 {17} 1.0 2.0 1.2 2.2" },
	{ "punpckhqdq %xmm1,%xmm0", "660f6dc1", "lanes rw16%17 r16%18 {17} 0.1 1.1" },
	{ "unpcklpd %xmm1,%xmm0", "660f14c1", "lanes rw16%17 r16%18 {17} 0.0 1.0" },
	{ "pshufd $0x4e,%xmm1,%xmm0", "660f70c14e", "lanes w16%17 r16%18 $78 {17} 1.1 1.0" },
	{ "pshufd $0x39,%xmm1,%xmm0", "660f70c139", "lanes w16%17 r16%18 $57 {17} ? ?" },
	{ "shufpd $1,%xmm1,%xmm0", "660fc6c101", "lanes rw16%17 r16%18 $1 {17} 0.1 1.0" },
	{ "palignr $8,%xmm1,%xmm0", "660f3a0fc108", "lanes rw16%17 r16%18 $8 {17} 1.1 0.0" },
	{ "psrldq $8,%xmm0", "660f73d808", "lanes rw16%17 $8 {17} 0.1 z" },
	{ "vpslldq $8,%ymm1,%ymm0", "c5fd73f908", "lanes w32%17 r32%18 $8 {17} z 1.0 z 1.2" },
	{ "pinsrq $1,8(%rdi),%xmm0", "66480f3a22470801", "lanes rw16%17 r8[5+8] $1 {17} 0.0 1.0" },
	{ "pinsrd $1,8(%rdi),%xmm0", "660f3a22470801", "other rw16%17 r4[5+8] $1 {17}" },
	{ "vpinsrq $1,%rax,%xmm1,%xmm0", "c4e3f122c001",
	  "lanes w16%17 r16%18 r8%0 $1 {17} 1.0 2.0" },
	{ "pextrq $1,%xmm0,%rax", "66480f3a16c001", "lanes w8%0 r16%17 $1 {0} 1.1" },
	{ "vinserti128 $1,8(%rdi),%ymm1,%ymm0", "c4e37538470801",
	  "lanes w32%17 r32%18 r16[5+8] $1 {17} 1.0 1.1 2.0 2.1" },
	{ "vpermq $0x50,%ymm1,%ymm0", "c4e3fd00c150",
	  "lanes w32%17 r32%18 $80 {17} 1.0 1.0 1.1 1.1" },
	{ "vperm2i128 $0x31,%ymm1,%ymm2,%ymm0", "c4e36d46c131",
	  "lanes w32%17 r32%19 r32%18 $49 {17} 1.2 1.3 2.2 2.3" },
	{ "vpblendd $0xf0,%ymm1,%ymm2,%ymm0", "c4e36d02c1f0",
	  "lanes w32%17 r32%19 r32%18 $240 {17} 1.0 1.1 2.2 2.3" },
	{ "vpbroadcastq %xmm1,%ymm0", "c4e27d59c1", "lanes w32%17 r16%18 {17} 1.0 1.0 1.0 1.0" },
	{ "vpbroadcastq %rax,%zmm0", "62f2fd487cc0",
	  "lanes w64%17 r8%0 {17} 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0" },
	{ "vbroadcastsd 8(%rdi),%ymm0", "c4e27d194708",
	  "lanes w32%17 r8[5+8] {17} 1.0 1.0 1.0 1.0" },
	{ "vmovdqu8 (%rdi),%ymm16{%k1}", "62e17f296f07", "other rw32%67 r32[5+0] {67}" },
	{ "vmovdqu64 %ymm16,-32(%rdi)", "62e1fe287f47ff", "mov w32[5-32] r32%67 {}" },
	{ "vmovsd 16(%rdi),%xmm16", "62e1ff08104702", "mov w16%67 r8[5+16] {67} zx" },
	{ "vcvtsi2sd %rax,%xmm0,%xmm0", "c4e1fb2ac0", "other w16%17 r16%17 r8%0 {17}" },
	{ "vaddps {rn-sae},%zmm1,%zmm2,%zmm0", "62f16c1858c1", "other w64%17 r64%19 r64%18 {17}" },
	{ "vpmovqb %zmm0,8(%rdi)", "62f27e48324701", "other w8[5+8] r64%17 {}" },
	{ "vpscatterqq %zmm0,8(%rdi,%zmm1,8){%k1}", "62f2fd49a144cf01",
	  "gather w8[5+18*8+8] r64%17 {119}" },
	{ "vzeroupper", "c5f877", "other {17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32}" },
	{ "vfmaddpd %xmm1,8(%rdi),%xmm2,%xmm0", "c4e3e969470810",
	  "other w16%17 r16%19 r16%18 r16[5+8] {17}" },
	{ "maskmovdqu %xmm1,%xmm0", "660ff7c1", "other r16%17 r16%18 w16[5+0] {}" },
	{ "pshufb 8(%rdi),%mm0", "0f38004708", "other rw8%41 r8[5+8] {}" },
	{ "pfadd 8(%rdi),%mm0", "0f0f47089e", "other rw8%41 r8[5+8] $158 {}" },
	{ "fxch", "d9c9", "other {x87}" },
	{ "fcomi %st(1),%st", "dbf1", "other {x87}" },
	{ "fnstsw %ax", "dfe0", "other w2%0 {0}" },
	{ "vprotd $14,8(%rdi),%xmm5", "8fe878c26f080e",
	  "other rw16[5+8] rw16%22 rw16%17 {0 6 17 22}" },
	{ "vpcmov %xmm1,8(%rdi),%xmm4,%xmm5", "8fe858a26f0810",
	  "other rw16[5+8] rw16%22 rw16%21 {6 7 21 22}" },
	{ "bextr $0x102,8(%rdi),%eax", "8fea7810470802010000",
	  "other rw16[5+8] rw16%17 rw16%17 {0 17}" },
	{ "vcmppd $1,%zmm1,%zmm2,%k1{%k2}", "62f1ed4ac2c901",
	  "other w8%119 r64%19 r64%18 $1 {119}" },
};

static const char *const op_names[] = {
	[INSN_OTHER] = "other",
	[INSN_NOP] = "nop",
	[INSN_MOV] = "mov",
	[INSN_LEA] = "lea",
	[INSN_ADD] = "add",
	[INSN_SUB] = "sub",
	[INSN_INC] = "inc",
	[INSN_DEC] = "dec",
	[INSN_AND] = "and",
	[INSN_OR] = "or",
	[INSN_XOR] = "xor",
	[INSN_SHL] = "shl",
	[INSN_MUL] = "mul",
	[INSN_CMP] = "cmp",
	[INSN_TEST] = "test",
	[INSN_CMOV] = "cmov",
	[INSN_XCHG] = "xchg",
	[INSN_XADD] = "xadd",
	[INSN_CMPXCHG] = "cmpxchg",
	[INSN_PUSH] = "push",
	[INSN_POP] = "pop",
	[INSN_LEAVE] = "leave",
	[INSN_CALLS] = "calls",
	[INSN_RETURNS] = "returns",
	[INSN_JUMPS] = "jumps",
	[INSN_STRING] = "string",
	[INSN_PREFETCH] = "prefetch",
	[INSN_GATHER] = "gather",
	[INSN_ADC] = "adc",
	[INSN_SBB] = "sbb",
	[INSN_SHR] = "shr",
	[INSN_SAR] = "sar",
	[INSN_ROTATE] = "rotate",
	[INSN_NOT] = "not",
	[INSN_NEG] = "neg",
	[INSN_BSWAP] = "bswap",
	[INSN_SETCC] = "setcc",
	[INSN_BT] = "bt",
	[INSN_BTS] = "bts",
	[INSN_COUNT] = "count",
	[INSN_MULWIDE] = "mulwide",
	[INSN_DIV] = "div",
	[INSN_SIGN] = "sign",
	[INSN_LANES] = "lanes",
	[INSN_SYSCALL] = "syscall",
	[INSN_IRQ_ON] = "irq_on",
	[INSN_VECTOR_AND] = "vector_and",
};

static size_t parse_hex(const char *hex, u8 *out)
{
	size_t size = strlen(hex) / 2;

	for (size_t i = 0; i < size; i++)
		out[i] = (u8)(g_ascii_xdigit_value(hex[2 * i]) * 16 +
			      g_ascii_xdigit_value(hex[2 * i + 1]));
	return size;
}

static void describe_operand(const struct insn_operand *op, GString *out)
{
	static const char *const segments[] = { "", "fs", "gs" };

	if (op->kind == INSN_IMM) {
		g_string_append_printf(out, " $%lld", (long long)op->imm);
		return;
	}
	g_string_append_printf(out, " %s%s%s%u", op->implicit ? "~" : "",
			       op->access & INSN_READ ? "r" : "",
			       op->access & INSN_WRITE ? "w" : "", op->width);
	if (op->kind == INSN_REG) {
		g_string_append_printf(out, "%%%u%s", op->reg, op->high ? "h" : "");
		return;
	}
	g_string_append_printf(out, "%s[", segments[op->mem.segment]);
	if (op->mem.base != INSN_NO_REG)
		g_string_append_printf(out, "%u", op->mem.base);
	if (op->mem.index != INSN_NO_REG)
		g_string_append_printf(out, "+%u*%u", op->mem.index, op->mem.scale);
	g_string_append_printf(out, "%+lld]", (long long)op->mem.disp);
}

static void describe_lanes(const struct insn *insn, GString *out)
{
	for (u32 i = 0; insn->op == INSN_LANES && i < insn->operands[0].width / 8; i++) {
		u8 lane = insn->lanes[i];

		if (lane == INSN_LANE_ZERO)
			g_string_append(out, " z");
		else if (lane == INSN_LANE_UNKNOWN)
			g_string_append(out, " ?");
		else
			g_string_append_printf(out, " %u.%u", INSN_LANE_OPERAND(lane),
					       INSN_LANE_NR(lane));
	}
}

static char *describe(const struct insn *insn)
{
	static const char *const flows[] = { "", " jump", " cond", " call", " ret", " stop" };
	GString *out = g_string_new(op_names[insn->op]);
	const char *blank = "";

	for (u32 i = 0; i < insn->nr_operands; i++)
		describe_operand(&insn->operands[i], out);
	g_string_append(out, " {");
	for (u8 r = 0; r < INSN_NR_REGS; r++) {
		if (!insn_writes(insn, r) || r == X86_RFLAGS)
			continue;
		if (r >= X86_ST0 && r < X86_RFLAGS) {
			/* The x87 stack turns as a whole. */
			if (r == X86_ST0)
				g_string_append_printf(out, "%sx87", blank);
			blank = " ";
			continue;
		}
		g_string_append_printf(out, "%s%u", blank, r);
		blank = " ";
	}
	g_string_append_printf(out, "}%s%s%s%s%s", flows[insn->flow],
			       insn->indirect ? " indirect" : "", insn->rep ? " rep" : "",
			       insn->lock ? " lock" : "", insn->stack_op ? " stack" : "");
	if (insn->extends)
		g_string_append(out, insn->extends == INSN_EXTEND_SIGN ? " sx" : " zx");
	if (insn->cond)
		g_string_append_printf(out, " if%u", insn->cond);
	if (insn->zero)
		g_string_append(out, " zero");
	if (insn->notrack)
		g_string_append(out, " notrack");
	describe_lanes(insn, out);
	if (insn->target)
		g_string_append_printf(out, " ->%llx", (unsigned long long)insn->target);
	return g_string_free(out, false);
}

static void test_operands(void **state)
{
	u32 failed = 0;
	struct insn_decoder *dec = insn_decoder_new(INSN_X86_64, NULL);

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u8 code[16];
		size_t size = parse_hex(rows[i].bytes, code);
		struct insn insn;
		g_autofree char *text = insn_decode(dec, code, size, 0x1000, &insn)
						? describe(&insn)
						: g_strdup_printf("bad %u", insn.size);

		if (strcmp(text, rows[i].expected) || insn.size != size)
			print_message("%s: '%s', %u bytes, expected '%s', %zu bytes\n",
				      rows[i].assembly, text, insn.size, rows[i].expected, size),
				failed++;
	}
	if (failed)
		fail_msg("%u instructions are read wrongly", failed);
	insn_decoder_free(dec);
}

/* An instruction cut short is none, and nothing is read or claimed beyond its end. */
static void test_truncated(void **state)
{
	struct insn_decoder *dec = insn_decoder_new(INSN_X86_64, NULL);

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u8 code[16];
		size_t size = parse_hex(rows[i].bytes, code);

		for (size_t left = 1; left < size; left++) {
			u8 *exact = g_memdup2(code, left);
			struct insn insn;

			insn_decode(dec, exact, left, 0x1000, &insn);
			assert_in_range(insn.size, 1, left);
			g_free(exact);
		}
	}
	insn_decoder_free(dec);
}

#define JE    "7405"
#define NEVER 0

/* Which instruction and jump are interrupted as one, by the processors that do so. */
static const struct {
	const char *assembly, *first, *second;
	u32 fusing; /* bits by enum insn_fusion */
} pairs[] = {
	{ "cmp 8(%rdi),%rax; je", "483b4708", JE, 0x0e },
	{ "cmp %rax,8(%rdi); je", "48394708", JE, 0x0e },
	{ "test %rax,8(%rdi); je", "48854708", JE, 0x0e },
	{ "cmp %rax,%rbx; je", "4839c3", JE, 0x1e },
	{ "or %rcx,%rax; je", "4809c8", JE, 1 << FUSION_AMD },
	{ "cmpl $5,8(%rdi); je", "837f0805", JE, 1 << FUSION_AMD_COMPARE },
	{ "add 8(%rdi),%rax; je", "48034708", JE, 1 << FUSION_INTEL },
	{ "or 8(%rdi),%rax; je", "480b4708", JE, 0 },
	{ "add %rax,8(%rdi); je", "48014708", JE, NEVER },
	{ "decl 8(%rdi); je", "ff4f08", JE, NEVER },
	{ "mov 8(%rdi),%rax; je", "488b4708", JE, NEVER },
	{ "cmp 8(%rdi),%rax; jmp", "483b4708", "eb05", NEVER },
	{ "cmp 8(%rdi),%rax; jrcxz", "483b4708", "e305", NEVER },
	{ "cmp 8(%rdi),%rax; mov %rax,%rbx", "483b4708", "4889c3", NEVER },
	{ "cmp 8(%rdi),%rax; sete %al", "483b4708", "0f94c0", NEVER },
};

static void test_fusion(void **state)
{
	struct insn_decoder *dec = insn_decoder_new(INSN_X86_64, NULL);

	for (u32 i = 0; i < ARRAY_SIZE(pairs); i++) {
		struct insn first, second;
		u32 fusing = 0;
		u8 code[16];

		assert_true(
			insn_decode(dec, code, parse_hex(pairs[i].first, code), 0x1000, &first));
		assert_true(insn_decode(dec, code, parse_hex(pairs[i].second, code),
					0x1000 + first.size, &second));
		for (u32 fusion = FUSION_NONE; fusion <= FUSION_AMD; fusion++)
			if (insn_fuses(fusion, &first, &second))
				fusing |= 1u << fusion;
		if (fusing != pairs[i].fusing)
			fail_msg("%s: fuses for %#x, expected %#x", pairs[i].assembly, fusing,
				 pairs[i].fusing);
		second.vaddr++;
		for (u32 fusion = FUSION_NONE; fusion <= FUSION_AMD; fusion++)
			assert_false(insn_fuses(fusion, &first, &second));
	}
	insn_decoder_free(dec);
}

struct text_row {
	const char *bytes, *expected;
};

/* As binutils prints it: a negative immediate as the number of its size, a negative displacement with its sign. */
static const struct text_row att_rows[] = {
	{ "55", "push %rbp" },
	{ "90", "nop " },
	{ "6690", "xchg %ax,%ax" },
	{ "48897df8", "mov %rdi,-0x8(%rbp)" },
	{ "428b440a04", "mov 0x4(%rdx,%r9,1),%eax" },
	{ "428b0482", "mov (%rdx,%r8,4),%eax" },
	{ "4c6314f500404000", "movslq 0x404000(,%rsi,8),%r10" },
	{ "8b051a300000", "mov 0x301a(%rip),%eax" },
	{ "64488b042528000000", "mov %fs:0x28,%rax" },
	{ "660f1f440000", "nopw 0x0(%rax,%rax,1)" },
	{ "4883f8ff", "cmp $0xffffffffffffffff,%rax" },
	{ "83f8ff", "cmp $0xffffffff,%eax" },
	{ "6683c0ff", "add $0xffff,%ax" },
	{ "48c1f803", "sar $0x3,%rax" },
	{ "4883c4f8", "add $0xfffffffffffffff8,%rsp" },
	{ "c745fcffffffff", "movl $0xffffffff,-0x4(%rbp)" },
	{ "f30f6f4810", "movdqu 0x10(%rax),%xmm1" },
	{ "e8fb0f0000", "call 2000" },
	{ "74fe", "je 1000" },
	{ "ff15e40f0000", "call *0xfe4(%rip)" },
	{ "ffe0", "jmp *%rax" },
	/* Where capstone does not know them (4.0), they are Zydis'. */
	{ "c5fb93c9", "kmovd %k1,%ecx" },
	{ "62b2752026d1", "vptestmb %ymm17,%ymm17,%k2" },
	{ "06", "(bad) " },
};

/* Intel's syntax, as binutils prints it. */
static const struct text_row intel_rows[] = {
	{ "55", "push rbp" },
	{ "90", "nop " },
	{ "6690", "xchg ax,ax" },
	{ "48897df8", "mov QWORD PTR [rbp-0x8],rdi" },
	{ "428b440a04", "mov eax,DWORD PTR [rdx+r9*1+0x4]" },
	{ "428b0482", "mov eax,DWORD PTR [rdx+r8*4]" },
	{ "4c6314f500404000", "movsxd r10,DWORD PTR [rsi*8+0x404000]" },
	{ "8b051a300000", "mov eax,DWORD PTR [rip+0x301a]" },
	{ "64488b042528000000", "mov rax,QWORD PTR fs:0x28" },
	{ "660f1f440000", "nop WORD PTR [rax+rax*1+0x0]" },
	{ "662e0f1f840000000000", "cs nop WORD PTR [rax+rax*1+0x0]" },
	{ "4883f8ff", "cmp rax,0xffffffffffffffff" },
	{ "83f8ff", "cmp eax,0xffffffff" },
	{ "48d1f8", "sar rax,1" },
	{ "48c1f803", "sar rax,0x3" },
	{ "f30f6f4810", "movdqu xmm1,XMMWORD PTR [rax+0x10]" },
	{ "e8fb0f0000", "call 2000" },
	{ "74fe", "je 1000" },
	{ "ff15e40f0000", "call QWORD PTR [rip+0xfe4]" },
	{ "c5fb93c9", "kmovd ecx,k1" },
	{ "06", "(bad) " },
};

static void check_texts(struct insn_decoder *dec, const struct text_row *texts, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		u8 code[16];
		char mnemonic[32], operands[192];
		g_autofree char *text = NULL;

		insn_text(dec, code, parse_hex(texts[i].bytes, code), 0x1000, mnemonic, operands);
		text = g_strdup_printf("%s %s", mnemonic, operands);
		assert_string_equal(text, texts[i].expected);
	}
}

static void test_text(void **state)
{
	struct insn_decoder *dec = insn_decoder_new(INSN_X86_64, NULL);

	check_texts(dec, att_rows, ARRAY_SIZE(att_rows));
	insn_set_intel(dec);
	check_texts(dec, intel_rows, ARRAY_SIZE(intel_rows));
	insn_decoder_free(dec);
}

static void test_processors(void **state)
{
	assert_int_equal(insn_fusion_of(NULL), FUSION_NONE);
	assert_int_equal(insn_fusion_of(""), FUSION_NONE);
	assert_int_equal(insn_fusion_of("GenuineIntel"), FUSION_NONE);
	assert_int_equal(insn_fusion_of("0x00000000410fd0c0"), FUSION_NONE);
	assert_int_equal(insn_fusion_of("GenuineIntel,6,29,1"), FUSION_NONE);
	assert_int_equal(insn_fusion_of("GenuineIntel,6,30,5"), FUSION_INTEL_COMPARE);
	assert_int_equal(insn_fusion_of("GenuineIntel,6,85,7"), FUSION_INTEL);
	assert_int_equal(insn_fusion_of("GenuineIntel,15,85,7"), FUSION_NONE);
	assert_int_equal(insn_fusion_of("AuthenticAMD,16,2,3"), FUSION_NONE);
	assert_int_equal(insn_fusion_of("AuthenticAMD,23,49,0"), FUSION_AMD_COMPARE);
	assert_int_equal(insn_fusion_of("AuthenticAMD,25,33,2"), FUSION_AMD);
	assert_int_equal(insn_fusion_of("HygonGenuine,24,0,1"), FUSION_NONE);
}

/* Calls of all sizes, and instructions that end in the bytes of a call of another size. */
static void test_ends_in_call(void **state)
{
	static const struct {
		u8 bytes[X86_MAX_CALL];
		bool call;
	} ends[] = {
		{ { 0x90, 0x90, 0xe8, 1, 2, 3, 4 }, true },		 /* call 0x4030201 */
		{ { 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0 }, true },	 /* call *%rax */
		{ { 0x90, 0x90, 0x90, 0x90, 0x41, 0xff, 0xd4 }, true },	 /* call *%r12 */
		{ { 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0x13 }, true },	 /* call *(%rbx) */
		{ { 0x90, 0x90, 0x90, 0x90, 0xff, 0x14, 0xc3 }, true },	 /* call *(%rbx,%rax,8) */
		{ { 0x90, 0x90, 0x90, 0x90, 0xff, 0x50, 0x18 }, true },	 /* call *0x18(%rax) */
		{ { 0x90, 0x90, 0x90, 0xff, 0x54, 0x24, 0x08 }, true },	 /* call *8(%rsp) */
		{ { 0x90, 0xff, 0x15, 1, 2, 0, 0 }, true },		 /* call *0x201(%rip) */
		{ { 0x90, 0xff, 0x90, 0, 1, 0, 0 }, true },		 /* call *0x100(%rax) */
		{ { 0xff, 0x94, 0x24, 0, 1, 0, 0 }, true },		 /* call *0x100(%rsp) */
		{ { 0xff, 0x14, 0xc5, 0, 1, 0, 0 }, true },		 /* call *0x100(,%rax,8) */
		{ { 0x90, 0x90, 0x90, 0x90, 0xff, 0xd0, 0x90 }, false }, /* the call is earlier */
		{ { 0x90, 0x90, 0xff, 0x15, 0, 0, 0 }, false },		 /* its operand is cut */
		{ { 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0xe0 }, false }, /* jmp *%rax */
		{ { 0x90, 0x90, 0x90, 0x90, 0x90, 0xff, 0x18 }, false }, /* lcall *(%rax) */
		{ { 0x90, 0x90, 0xe9, 1, 2, 3, 4 }, false },		 /* jmp */
		{ { 0x66, 0x0f, 0x1f, 0x44, 0, 0, 0x90 }, false },	 /* padding */
	};

	for (u32 i = 0; i < ARRAY_SIZE(ends); i++)
		if (x86_ends_in_call(ends[i].bytes) != ends[i].call)
			fail_msg("row %u", i);
}

/* Code to which functions return without a call, and bytes that only begin like it. */
static void test_landings(void **state)
{
	static const u8 restore[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05, 0x90 };
	static const u8 other_call[] = { 0x48, 0xc7, 0xc0, 0x0e, 0, 0, 0, 0x0f, 0x05, 0x90 };
	static const u8 context[] = { 0x48, 0x89, 0xdc, 0x48, 0x8b, 0x3c, 0x24, 0x48, 0x85, 0xff };

	assert_string_equal(x86_landing_at(restore, sizeof(restore))->name, "__restore_rt");
	assert_string_equal(x86_landing_at(context, sizeof(context))->name, "__start_context");
	assert_null(x86_landing_at(restore, 8));
	assert_null(x86_landing_at(context, 9));
	assert_null(x86_landing_at(other_call, sizeof(other_call)));
}

/* Listed machines: the same bytes are another instruction there. A decoder keeps its syntax. */
static void test_machines(void **state)
{
	static const struct {
		u16 machine;
		const char *text;
		u8 size, flow;
		u64 target;
		u8 bytes[8];
	} machines[] = {
		{ EM_386, "inc %eax", 1, INSN_NEXT, 0, { 0x40, 0x8b, 0x00 } },
		{ EM_X86_64, "mov (%rax),%eax", 3, INSN_NEXT, 0, { 0x40, 0x8b, 0x00 } },
		{ EM_386, "mov 0x4(%esp),%edx", 4, INSN_NEXT, 0, { 0x8b, 0x54, 0x24, 0x04 } },
		{ EM_386, "mov 0x804b000,%eax", 5, INSN_NEXT, 0, { 0xa1, 0, 0xb0, 0x04, 0x08 } },
		{ EM_386, "jne 1005", 2, INSN_COND, 0x1005, { 0x75, 0x03 } },
		{ EM_386, "call 1009", 5, INSN_CALL, 0x1009, { 0xe8, 4, 0, 0, 0 } },
		{ EM_386, "jmp *(%eax)", 2, INSN_JUMP, 0, { 0xff, 0x20 } },
		{ EM_386, "ret", 1, INSN_RET, 0, { 0xc3 } },
		{ EM_AARCH64, "bl #0x100c", 4, INSN_CALL, 0x100c, { 0x03, 0, 0, 0x94 } },
		{ EM_AARCH64, "b.ne #0xffc", 4, INSN_COND, 0xffc, { 0xe1, 0xff, 0xff, 0x54 } },
		{ EM_AARCH64, "cbz x0, #0x1008", 4, INSN_COND, 0x1008, { 0x40, 0, 0, 0xb4 } },
		{ EM_AARCH64, "br x16", 4, INSN_JUMP, 0, { 0, 2, 0x1f, 0xd6 } },
		{ EM_AARCH64, "ret", 4, INSN_RET, 0, { 0xc0, 3, 0x5f, 0xd6 } },
		/* Reserved. (0 is udf #0, which capstone 4 does not know.) */
		{ EM_AARCH64, "(bad)", 4, INSN_NEXT, 0, { 0, 0, 1, 0 } },
		{ EM_NONE, "mov (%rax),%rax", 3, INSN_NEXT, 0, { 0x48, 0x8b, 0 } },
	};
	struct insn_decoder *dec = insn_decoder_new(INSN_X86_64, NULL);

	for (u32 i = 0; i < ARRAY_SIZE(machines); i++) {
		char mnemonic[32], operands[192];
		g_autofree char *text = NULL;
		struct insn insn;

		assert_true(insn_decoder_select(dec, machines[i].machine));
		assert_int_equal(insn_text(dec, machines[i].bytes, 8, 0x1000, mnemonic, operands),
				 machines[i].size);
		text = g_strdup_printf(*operands ? "%s %s" : "%s", mnemonic, operands);
		assert_string_equal(text, machines[i].text);
		insn_decode(dec, machines[i].bytes, 8, 0x1000, &insn);
		assert_int_equal(insn.size, machines[i].size);
		assert_int_equal(insn.flow, machines[i].flow);
		assert_int_equal(insn.target, machines[i].target);
	}
	assert_true(insn_decoder_select(dec, EM_386));
	assert_false(insn_decoder_select(dec, EM_S390));
	insn_set_intel(dec);
	assert_true(insn_decoder_select(dec, EM_X86_64));
	{
		char mnemonic[32], operands[192];

		insn_text(dec, machines[14].bytes, 3, 0x1000, mnemonic, operands);
		assert_string_equal(operands, "rax,QWORD PTR [rax]");
	}
	insn_decoder_free(dec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operands),   cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_fusion),	   cmocka_unit_test(test_text),
		cmocka_unit_test(test_processors), cmocka_unit_test(test_ends_in_call),
		cmocka_unit_test(test_landings),   cmocka_unit_test(test_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
