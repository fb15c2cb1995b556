// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that steps itself (x86's trap flag) through functions of every kind, and writes at each instruction, or each
 * N-th: its registers, a copy of its stack, and the call chain as libgcc's backtrace() has it.
 *
 *	stepped FILE N		FILE: records as in tests/unwind/stacks.h; FILE.maps, FILE.vdso
 *
 * Built at test time by several compilers with several options. It stands alone, so that these are what is tested.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define TRAP_FLAG   0x100
#define RECORDS_MAX 6000
#define FRAMES_MAX  512

static int out = -1;
static char *stack_end;
static unsigned long stride, nr_steps, nr_records;
static volatile int stepping;

static void write_record(const ucontext_t *u, uint64_t trampoline)
{
	/* DWARF's order of registers. */
	static const int order[17] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
				       REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
				       REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };
	uint64_t head[20], ips[FRAMES_MAX];
	int nr = backtrace((void **)ips, FRAMES_MAX), first = 0;
	struct iovec v[3];

	for (int i = 0; i < 17; i++)
		head[i] = u->uc_mcontext.gregs[order[i]];
	/* The handler's own frames are in front, up to where it returns to. */
	while (first < nr && ips[first++] != trampoline)
		;
	head[17] = head[7];
	head[18] = stack_end - (char *)head[7];
	head[19] = nr - first;
	v[0] = (struct iovec){ head, sizeof(head) };
	v[1] = (struct iovec){ ips + first, (nr - first) * sizeof(ips[0]) };
	v[2] = (struct iovec){ (void *)head[17], head[18] };
	if (writev(out, v, 3) < 0)
		_exit(3);
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t *u = context;

	if (!stepping || nr_records == RECORDS_MAX) {
		u->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
		return;
	}
	u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
	if (nr_steps++ % stride == 0) {
		nr_records++;
		write_record(u, (uint64_t)__builtin_return_address(0));
	}
}

#define START()                                                                                    \
	do {                                                                                       \
		stepping = 1;                                                                      \
		asm volatile("int3");                                                              \
	} while (0)

#define FUNCTION __attribute__((noinline))

static volatile long sink;

FUNCTION static long leaf(long a)
{
	return a * 3 + sink;
}

FUNCTION static long with_alloca(long n)
{
	char *p = alloca(n * 8 + 16);

	memset(p, (int)n, n);
	sink += p[n / 2];
	return leaf(n) + p[0];
}

FUNCTION static long realigned(long n)
{
	volatile long a[8] __attribute__((aligned(64)));

	a[n & 7] = leaf(n);
	return a[n & 7] + leaf(n + 1);
}

/* Both: gcc keeps the frame by r10 and rbp, clang by rbx. */
FUNCTION static long realigned_alloca(long n)
{
	volatile long a[4] __attribute__((aligned(64)));
	char *p = alloca(n + 8);

	memset(p, 1, n);
	a[n & 3] = with_alloca(n) + p[0];
	return a[n & 3] + leaf(n);
}

FUNCTION static long many_arguments(long a, long b, long c, long d, long e, long f, long g, long h,
				    long i)
{
	return leaf(a + g) + leaf(b + h) * leaf(c + i) + d * e * f;
}

FUNCTION static long registers(long n)
{
	long a = leaf(n), b = leaf(a), c = leaf(b), d = leaf(c), e = leaf(d), f = leaf(e);

	return a + b * leaf(c) + d * leaf(e) + f * leaf(a + b + c + d + e + f) +
	       many_arguments(a, b, c, d, e, f, n, a + b, c + d);
}

FUNCTION static long recursive(long n)
{
	return n ? recursive(n - 1) * 2 + leaf(n) : realigned_alloca(3);
}

FUNCTION static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static jmp_buf back;

/* Its last instruction is a call, so the return address is behind the function. */
FUNCTION __attribute__((noreturn)) static void leaves(long n)
{
	leaf(n);
	longjmp(back, 1);
}

FUNCTION static void on_user(int sig)
{
	START();
	realigned_alloca(sig & 3);
}

FUNCTION static long libraries(void)
{
	int numbers[] = { 3, 1, 2 };
	struct timespec t;
	char text[64];

	clock_gettime(CLOCK_MONOTONIC, &t); /* the vdso */
	qsort(numbers, 3, sizeof(int), compare);
	snprintf(text, sizeof(text), "%d %s", numbers[0], "x");
	return t.tv_sec + (long)strlen(text);
}

FUNCTION static void work(void)
{
	START();
	sink += registers(1);
	sink += realigned(2);
	sink += realigned_alloca(5);
	if (!setjmp(back))
		leaves(7);
	sink += recursive(4);
	raise(SIGUSR1);
	sink += libraries();
	stepping = 0;
}

static int save(const char *name, const char *suffix, const void *bytes, size_t size)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s%s", name, suffix);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		_exit(4);
	return fd;
}

static void save_surroundings(const char *name)
{
	const Elf64_Ehdr *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	static char maps[1 << 16];
	size_t size = 0;
	ssize_t got;
	int fd = open("/proc/self/maps", O_RDONLY);

	while ((got = read(fd, maps + size, sizeof(maps) - size)) > 0)
		size += got;
	close(fd);
	close(save(name, ".maps", maps, size));
	if (vdso)
		close(save(name, ".vdso", vdso,
			   vdso->e_shoff + (size_t)vdso->e_shentsize * vdso->e_shnum));
}

int main(int argc, char **argv)
{
	struct sigaction trap = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER },
			 user = { .sa_handler = on_user };
	void *first[4];

	if (argc != 3)
		return 2;
	stride = strtoul(argv[2], NULL, 10);
	stack_end = (char *)argv;
	backtrace(first, 4); /* loads libgcc now */
	save_surroundings(argv[1]);
	out = save(argv[1], "", "", 0);
	sigaction(SIGTRAP, &trap, NULL);
	sigaction(SIGUSR1, &user, NULL);
	work();
	return nr_records ? 0 : 1;
}
