// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gathers: which member of an element is read depends on what divides the indexes. The addresses are 8 bytes times the index apart, so
 * indexes that are multiples of 8 are of one member of all nodes.
 */
struct node {
	struct node *next;
	long id, value, rest[5];
};

static const unsigned long multiples[2] __attribute__((aligned(16))) = { 0xff8, 0x7f8 };
static const unsigned long others[2] __attribute__((aligned(16))) = { 0xff8, 0x7fc };

/* Two indexes from %1 and %2, after what is done with them in %rcx and %rdx; then the gather from %0. */
#define COPY "mov %1,%%rcx; mov %2,%%rdx;"
#define TWO  "vmovq %%rcx,%%xmm3; vpinsrq $1,%%rdx,%%xmm3,%%xmm1;"
#define BOTH "vmovq %%rcx,%%xmm3; vpbroadcastq %%xmm3,%%xmm1;"
#define READ "vpcmpeqd %%xmm2,%%xmm2,%%xmm2; vpgatherqq %%xmm2,8(%0,%%xmm1,8),%%xmm0;"
#define HIGH                                                                                       \
	"kxnorw %%k1,%%k1,%%k1; vmovdqa64 %%xmm1,%%xmm17; vpgatherqq "                             \
	"8(%0,%%xmm17,8),%%xmm0%{%%k1%};"
#define CHANGED "xmm0", "xmm1", "xmm2", "xmm3", "rcx", "rdx", "memory"

/* clang-format off */
#define DO(code) asm volatile(COPY code : : "r"(all), "r"(a), "r"(b) : CHANGED)
#define MASK(v) asm volatile(COPY TWO "vpand %3,%%xmm1,%%xmm1;" READ : : "r"(all), "r"(a), "r"(b), "m"(v) : CHANGED)

__attribute__((noinline)) void masked(const struct node *all, long a, long b)
{
	DO("and $0xff8,%%ecx; and $0x7f8,%%edx;" TWO READ); // @must struct node +0x8 (id)
	DO("and $0xff8,%%ecx; and $0x7fc,%%edx;" TWO READ); // @type struct node (one of several)
}

__attribute__((noinline)) void scaled(const struct node *all, long a, long b)
{
	DO("shl $3,%%rcx; lea 16(,%2,8),%%rdx;" TWO READ); // @must struct node +0x8 (id)
	DO("imul $24,%1,%%rcx; mov %%rcx,%%rdx; sub $64,%%rdx;" TWO READ); // @must struct node +0x8 (id)
	DO("imul $20,%1,%%rcx;" BOTH READ); // @type struct node (one of several)
}

__attribute__((noinline)) void by_vector(const struct node *all, long a, long b)
{
	MASK(multiples); // @must struct node +0x8 (id) | long unsigned int[] +0 (no field) | unsigned long[] +0 (no field)
	MASK(others); // @type struct node (one of several) | long unsigned int[] +0 (no field) | unsigned long[] +0 (no field)
	DO(TWO READ); // @type struct node (one of several)
	DO(BOTH HIGH); // @type struct node (one of several)
	DO("shl $3,%%rcx;" BOTH HIGH); // @must struct node +0x8 (id)
}

/* The register is set in another block; then also behind the gather, for the next time. */
__attribute__((noinline)) void around(const struct node *all, long a, long b)
{
	DO("and $-8,%%rcx;" BOTH "1:" READ "sub $1,%%rdx; jne 1b; vzeroupper"); // @must struct node +0x8 (id)
	DO("and $-8,%%rcx;" BOTH "1:" READ "vmovq %2,%%xmm1; sub $1,%%rdx; jne 1b"); // @type struct node (one of several)
}

/* An index into an array of one object. */
__attribute__((noinline)) void inside(const struct node *all, long a, long b)
{
	DO(TWO "vpcmpeqd %%xmm2,%%xmm2,%%xmm2; vpgatherqq %%xmm2,24(%0,%%xmm1,8),%%xmm0"); // @must struct node +0x18 (rest)
}
/* clang-format on */

int main(int argc, char **argv)
{
	const struct node *all = (const struct node *)(void *)argv;

	if (argc < 99)
		return 0;
	masked(all, argc, argc);
	scaled(all, argc, argc);
	by_vector(all, argc, argc);
	around(all, argc, argc);
	inside(all, argc, argc);
	return 0;
}
