// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints text for the forge: large recordings for benchmarks. Random values come from a fixed seed.
 *
 *	many_samples ELF-FILE SAMPLES ADDRESSES [CHAINS]
 *		SAMPLES samples of sixteen threads, spread evenly over ADDRESSES addresses of the file's code;
 *		with CHAINS, each sample has one of CHAINS call chains of thirty frames
 *	many_samples maps NUMBER
 *		NUMBER mappings, each of another file, and a sample in every thousandth mapping
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "base/types.h"

#define BASE	0x555500000000ull
#define THREADS 16
#define FRAMES	30
/* Distinct addresses in chains. */
#define CALLERS 5000

static u64 state = 88172645463325252ull;

static u64 draw(u64 below)
{
	/* Marsaglia's xorshift64. */
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static void die(const char *path, const char *what)
{
	fprintf(stderr, "many_samples: %s: %s\n", path, what);
	exit(1);
}

/* The segment with the code. */
static GElf_Phdr code_of(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd >= 0 && elf_version(EV_CURRENT) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	GElf_Phdr header;
	size_t nr = 0;

	if (!elf || elf_getphdrnum(elf, &nr))
		die(path, "no ELF file");
	for (size_t i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD ||
		    !(header.p_flags & PF_X))
			continue;
		elf_end(elf);
		close(fd);
		return header;
	}
	die(path, "no code");
	abort();
}

static u64 *addresses(u64 nr, u64 size)
{
	u64 *all = g_new(u64, nr);

	for (u64 i = 0; i < nr; i++)
		all[i] = BASE + draw(size);
	return all;
}

static void print_chain(const u32 *chain, const u64 *callers)
{
	printf(" chain=user");
	for (u32 i = 0; i < FRAMES; i++)
		printf(",%#llx", (unsigned long long)callers[chain[i]]);
}

static void print_samples(const char *path, u64 nr, u64 nr_addresses, u64 nr_chains)
{
	GElf_Phdr code = code_of(path);
	g_autofree u64 *all = addresses(nr_addresses, code.p_filesz);
	g_autofree u64 *callers = addresses(CALLERS, code.p_filesz);
	g_autofree u32 *chains = g_new(u32, nr_chains * FRAMES + 1);

	for (u64 i = 0; i < nr_chains * FRAMES; i++)
		chains[i] = (u32)draw(CALLERS);
	printf("event cpu-clock sample_type=IP|TID|TIME|CPU|PERIOD%s\n",
	       nr_chains ? "|CALLCHAIN" : "");
	for (u32 t = 0; t < THREADS; t++)
		printf("comm pid=1000 tid=%u text=worker-%u\n", 1000 + t, t);
	printf("mmap2 pid=1000 start=%#llx len=%#llx pgoff=%#llx file=%s misc=user\n", BASE,
	       (unsigned long long)code.p_filesz, (unsigned long long)code.p_offset, path);
	for (u64 i = 0; i < nr; i++) {
		const u32 *chain = nr_chains ? chains + draw(nr_chains) * FRAMES : NULL;
		u64 ip = chain ? callers[chain[0]] : all[draw(nr_addresses)];

		printf("sample pid=1000 tid=%llu ip=%#llx time=%llu cpu=%llu period=250000 "
		       "misc=user",
		       (unsigned long long)(1000 + draw(THREADS)), (unsigned long long)ip,
		       (unsigned long long)(1000 + i * 100), (unsigned long long)(i % 8));
		if (chain)
			print_chain(chain, callers);
		putchar('\n');
	}
}

static void print_maps(u64 nr)
{
	puts("event cpu-clock sample_type=IP|TID|TIME|CPU|PERIOD");
	puts("comm pid=1000 text=many");
	for (u64 i = 0; i < nr; i++)
		printf("mmap2 pid=1000 start=%#llx len=0x1000 file=/none/some/folder/lib%llu.so "
		       "misc=user time=%llu\n",
		       BASE + i * 0x2000, (unsigned long long)i, (unsigned long long)i);
	for (u64 i = 0; i < nr; i += 1000)
		printf("sample pid=1000 ip=%#llx time=%llu period=250000 misc=user\n",
		       BASE + i * 0x2000 + 16, (unsigned long long)(nr + i));
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "maps")) {
		print_maps(strtoull(argv[2], NULL, 0));
	} else if (argc >= 4) {
		print_samples(argv[1], strtoull(argv[2], NULL, 0),
			      MAX(strtoull(argv[3], NULL, 0), 1),
			      argc > 4 ? strtoull(argv[4], NULL, 0) : 0);
	} else {
		fprintf(stderr, "usage: many_samples ELF-FILE SAMPLES ADDRESSES [CHAINS]\n"
				"       many_samples maps NUMBER\n");
		return 2;
	}
	return fflush(stdout) ? 1 : 0;
}
