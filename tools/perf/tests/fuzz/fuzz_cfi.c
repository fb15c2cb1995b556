// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as an ELF file with call-frame information: every function's rows are compiled, and walks
 * over a stack by rules taken from it end, with frames that are not more than wanted.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unwind/cfi.h"
#include "unwind/unwind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FRAMES 64

static bool find(void *process, u64 ip, struct unwind_code *code)
{
	*code = (struct unwind_code){ .cfi = process };
	return ip < 1 << 24;
}

/* A stack whose words are addresses in the file and in the stack itself. */
static void walk(struct cfi *cfi, u64 ip, bool vary)
{
	static u64 words[64];
	struct unwind_stack s = { .known = (1u << CFI_NR_REGS) - 1,
				  .address = 0x100000,
				  .bytes = (const u8 *)words,
				  .size = sizeof(words),
				  .process = cfi,
				  .narrow = cfi_is_narrow(cfi) };
	static const struct unwind_ops ops = { find, NULL };
	struct unwind_frame frames[FRAMES];
	struct unwinder *u = unwinder_new(&ops);
	struct unwind_end end;

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = vary && i % 2 ? s.address + i * 8 : ip + i % 5;
	for (u32 i = 0; i < CFI_NR_REGS; i++)
		s.regs[i] = s.address + 8 * i;
	s.regs[CFI_RIP] = ip;
	/* The second answer comes from what the first left in the cache. */
	for (u32 i = 0; i < 2; i++) {
		u32 nr = unwinder_walk(u, &s, frames, FRAMES, &end);

		if (!nr || nr > FRAMES || !unwind_why_text(end.why))
			abort();
	}
	unwinder_free(u);
}

static void look_around(struct cfi *cfi)
{
	struct cfi_stats stats;
	u32 walks = 0;

	for (u64 vaddr = 0; vaddr < 1 << 14; vaddr++) {
		const struct cfi_rule *rule = cfi_find(cfi, vaddr);

		if (rule && walks < 64 && ++walks)
			walk(cfi, vaddr, vaddr & 1);
	}
	cfi_compile(cfi);
	stats = cfi_stats(cfi);
	if (stats.nr_compiled > stats.nr_functions)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct image *image;
	struct cfi *cfi;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	image = image_open(path, NULL);
	cfi = image ? cfi_open(image, image) : NULL;
	if (cfi)
		look_around(cfi);
	cfi_close(cfi);
	image_close(image);
	close(fd);
	return 0;
}
