// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/big.h"

#include <glib.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/types.h"

#define CACHE_LINE 64u
#define LEAST	   ((size_t)1 << 20)
#define HUGE_PAGE  ((size_t)2 << 20)

/* Maps more than needed, keeps the part that consists of whole huge pages, and unmaps the rest. */
void *big_new0(size_t size)
{
	size_t whole = ALIGN_UP(size, HUGE_PAGE), before;
	u8 *all;

	if (size < LEAST)
		return g_aligned_alloc0(1, size, CACHE_LINE);
	all = mmap(NULL, whole + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		   0);
	if (all == MAP_FAILED)
		g_error("cannot allocate %zu bytes", size);
	before = ALIGN_UP((uintptr_t)all, HUGE_PAGE) - (uintptr_t)all;
	if (before)
		munmap(all, before);
	if (before < HUGE_PAGE)
		munmap(all + before + whole, HUGE_PAGE - before);
	madvise(all + before, whole, MADV_HUGEPAGE);
	return all + before;
}

void big_free(void *big, size_t size)
{
	if (size < LEAST)
		g_aligned_free(big);
	else if (big)
		munmap(big, ALIGN_UP(size, HUGE_PAGE));
}
