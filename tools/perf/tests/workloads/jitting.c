// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Simulates a just-in-time compiler that writes a jitdump. It has three functions of machine code with line numbers. One
 * of them is moved while the program runs, one has call-frame information. Each uses CPU time.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* push %rbx; mov $n,%ecx; loop: dec %ecx; jne loop; pop %rbx; ret */
static const unsigned char burn[] = { 0x53, 0xb9, 0, 0, 0, 0, 0xff, 0xc9, 0x75, 0xfc, 0x5b, 0xc3 };

/* .eh_frame of burn, 16 bytes after its start (8-aligned): one CIE, and one FDE with a row for push and one for pop. */
static const unsigned char eh_frame[] = {
	0x14, 0,    0,	  0,	0,    0,    0,	  0,	1,    'z', 'R',	 0, 1, 0x78,
	0x10, 1,    0x1b, 0x0c, 7,    8,    0x90, 1,	0,    0,   0x18, 0, 0, 0,
	0x1c, 0,    0,	  0,	0xd0, 0xff, 0xff, 0xff, 0x0c, 0,   0,	 0, 0, 0x41,
	0x0e, 0x10, 0x83, 2,	0x4a, 0x0e, 8,	  0,	0,    0,   0,	 0, 0, 0,
};

static FILE *dump;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void put32(uint32_t v)
{
	fwrite(&v, 1, sizeof(v), dump);
}

static void put64(uint64_t v)
{
	fwrite(&v, 1, sizeof(v), dump);
}

static void head(uint32_t kind, size_t size)
{
	put32(kind);
	put32((uint32_t)(16 + size));
	put64(now());
}

static void put_lines(const void *code, uint32_t line)
{
	const char *file = "/jitted/source.js";

	head(2, 16 + 2 * 16 + strlen(file) + 1 + 2);
	put64((uintptr_t)code);
	put64(2);
	put64((uintptr_t)code);
	put32(line);
	put32(0);
	fwrite(file, 1, strlen(file) + 1, dump);
	put64((uintptr_t)code + 6);
	put32(line + 1);
	put32(0);
	fwrite("\xff", 1, 2, dump);
}

static void put_unwinding(void)
{
	head(4, 24 + sizeof(eh_frame));
	put64(sizeof(eh_frame));
	put64(0);
	put64(sizeof(eh_frame));
	fwrite(eh_frame, 1, sizeof(eh_frame), dump);
}

static void put_place(const void *was, const void *code, size_t size, uint64_t index)
{
	put32((uint32_t)getpid());
	put32((uint32_t)getpid());
	put64((uintptr_t)code);
	if (was)
		put64((uintptr_t)was);
	put64((uintptr_t)code);
	put64(size);
	put64(index);
}

static void put_load(const char *name, const void *code, size_t size, uint64_t index)
{
	head(0, 40 + strlen(name) + 1 + size);
	put_place(NULL, code, size, index);
	fwrite(name, 1, strlen(name) + 1, dump);
	fwrite(code, 1, size, dump);
}

static unsigned char *make(unsigned char *at, uint32_t turns)
{
	memcpy(at, burn, sizeof(burn));
	memcpy(at + 2, &turns, sizeof(turns));
	memcpy(at + 16, eh_frame, sizeof(eh_frame));
	return at;
}

static void run(const unsigned char *code, int times)
{
	for (int i = 0; i < times; i++)
		((void (*)(void))(uintptr_t)code)();
}

static void begin_dump(void)
{
	char name[64];

	snprintf(name, sizeof(name), "jit-%d.dump", getpid());
	dump = fopen(name, "w+");
	if (!dump)
		exit(1);
	put32(0x4a695444);
	put32(1);
	put32(40);
	put32(62);
	put32(0);
	put32((uint32_t)getpid());
	put64(now());
	put64(0);
	fflush(dump);
	/* A recorder learns of the dump by this executable mapping. */
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		exit(1);
}

int main(void)
{
	unsigned char *room = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const uint32_t turns = 20 * 1000 * 1000;
	unsigned char *one = make(room, turns), *two = make(room + 4096, turns),
		      *three = room + 8192;

	begin_dump();
	put_lines(one, 10);
	put_load("jitted_one", one, sizeof(burn), 0);
	fflush(dump);
	run(one, 10);
	put_unwinding();
	put_load("jitted_two", two, sizeof(burn), 1);
	fflush(dump);
	run(two, 5);
	make(three, turns);
	head(1, 48);
	put_place(two, three, sizeof(burn), 1);
	fflush(dump);
	run(three, 5);
	/* Reuses the address of the first function. */
	put_load("jitted_late", one, sizeof(burn), 2);
	fflush(dump);
	run(one, 10);
	head(3, 0);
	return fclose(dump) ? 1 : 0;
}
