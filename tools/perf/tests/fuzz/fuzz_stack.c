// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as registers and a stack, over the real rules of this program: walks end, with frames that are not more than
 * wanted and are in code that is mapped, and give the same again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/cfi.h"
#include "unwind/unwind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FRAMES	64
#define STACK	0x7ff000000000ull
#define WORDS	512
#define NO_CODE 0x10000ull /* bytes behind the program that are code without rules */

struct program {
	struct image *image;
	struct cfi *cfi;
	u64 low, size; /* of its code, vaddr */
};

static bool find(void *arg, u64 ip, struct unwind_code *code)
{
	const struct program *p = arg;

	if (ip - p->low >= p->size + NO_CODE)
		return false;
	*code = (struct unwind_code){ ip - p->low < p->size ? p->cfi : NULL, 0,
				      p->image->ehdr.e_entry };
	return true;
}

static bool read_code(void *arg, u64 address, u32 size, void *to)
{
	const struct program *p = arg;
	size_t left;
	const u8 *bytes = image_constant_at(p->image, address, &left);

	if (!bytes || left < size)
		return false;
	memcpy(to, bytes, size);
	return true;
}

static struct program *this_program(void)
{
	static struct program p;

	if (p.image)
		return &p;
	p.image = image_open("/proc/self/exe", NULL);
	p.cfi = p.image ? cfi_open(p.image, p.image) : NULL;
	if (!p.cfi)
		abort();
	for (u32 i = 0; i < p.image->nr_segments; i++) {
		const struct segment *s = &p.image->segments[i];

		if (s->flags & PF_X) {
			p.low = s->vaddr;
			p.size = s->mem_size;
		}
	}
	return &p;
}

/* Plain numbers lead nowhere: two of four become addresses of code and of the stack. */
static u64 meaning(const struct program *p, u64 word)
{
	switch (word & 3) {
	case 1:
		return p->low + (word >> 2) % (p->size + NO_CODE);
	case 2:
		return STACK + (word >> 2) % (WORDS + 2) * 8;
	default:
		return word;
	}
}

static void walk(struct unwinder *u, struct program *p, const struct unwind_stack *s)
{
	struct unwind_frame frames[FRAMES], again[FRAMES];
	struct unwind_end end, end_again;
	u32 nr = unwinder_walk(u, s, frames, FRAMES, &end);
	struct unwind_code code;

	if (nr > FRAMES || !unwind_why_text(end.why))
		abort();
	for (u32 i = 1; i < nr; i++)
		if (!find(p, frames[i].ip - !frames[i].exact, &code))
			abort();
	if (unwinder_walk(u, s, again, FRAMES, &end_again) != nr || end_again.why != end.why)
		abort();
	for (u32 i = 0; i < nr; i++)
		if (again[i].ip != frames[i].ip || again[i].sp != frames[i].sp)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct unwind_ops ops = { find, read_code };
	struct program *p = this_program();
	static u64 words[WORDS];
	struct unwind_stack s = { .address = STACK, .bytes = (const u8 *)words, .process = p };
	struct unwinder *u;
	size_t nr = size / sizeof(u64);

	if (nr <= CFI_NR_REGS)
		return 0;
	for (u32 i = 0; i < CFI_NR_REGS; i++) {
		u64 word;

		memcpy(&word, data + i * sizeof(word), sizeof(word));
		s.regs[i] = meaning(p, word);
	}
	nr = MIN(nr - CFI_NR_REGS, WORDS);
	for (size_t i = 0; i < nr; i++) {
		memcpy(&words[i], data + (CFI_NR_REGS + i) * sizeof(u64), sizeof(u64));
		words[i] = meaning(p, words[i]);
	}
	s.size = nr * sizeof(u64) - size % 8;
	s.known = (1u << CFI_NR_REGS) - 1;
	u = unwinder_new(&ops);
	walk(u, p, &s);
	s.space = 1;
	s.known &= ~(1u << CFI_RBP);
	walk(u, p, &s);
	unwinder_free(u);
	return 0;
}
