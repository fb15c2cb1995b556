// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An example. This C function saves one register and calls another function:
 *
 *	long twice(long x) { return x + f(x); }
 *
 * gcc -O2 makes this of it, and states for each address where the caller's registers are. CFA (canonical frame
 * address) is the value of rsp before the call instruction pushed the return address:
 *
 *	address  instruction          CFA     return address  rbx
 *	0        push %rbx            rsp+8   at CFA-8        unchanged
 *	1        mov  %rdi,%rbx       rsp+16  at CFA-8        at CFA-16
 *	4        call f               rsp+16  at CFA-8        at CFA-16
 *	9        add  %rbx,%rax       rsp+16  at CFA-8        at CFA-16
 *	c        pop  %rbx            rsp+16  at CFA-8        at CFA-16
 *	d        ret                  rsp+8   at CFA-8        at CFA-16 (below rsp now, still there)
 *
 * To unwind from address 9 with rsp = 0x7ff0: CFA = 0x8000. The caller's pc is the 8 bytes at 0x7ff8, its rbx the 8 bytes
 * at 0x7ff0, its rsp 0x8000. The file does not hold the table but a program that makes it:
 *
 *	CIE   (for all functions)  CFA is rsp+8; return address is at CFA-8
 *	FDE   pc 0..e              advance 1; CFA offset 16; rbx is at CFA-16; advance c; CFA offset 8
 *
 * We compile that into rows, one per address where something changes:
 *
 *	start  rule			rules of the whole file, each once
 *	0      1			1: CFA rsp+8,  rip at CFA-8
 *	1      2			2: CFA rsp+16, rip at CFA-8, rbx at CFA-16
 *	d      3			3: CFA rsp+8,  rip at CFA-8, rbx at CFA-16
 *
 * A row is 6 bytes, a 32-bit start and a 16-bit number of a rule. libc has 25,000 rows and 400 rules, because
 * functions save the same registers at the same places.
 *
 * How an address is looked up: .eh_frame_hdr is a table of (function's address, its FDE), in order. We search in it where
 * it lies in the file. Where there is none (.debug_frame, object files) we walk the section once and make such a table.
 * Each FDE has a slot with a pointer to its rows, filled at the first question. A filled slot does not change, so it is
 * read without a lock.
 *
 * Input from outside: an entry of the table counts only if its FDE states the same address, so an FDE has at most one
 * slot. FDEs that overlap could still make many rows of few bytes. Therefore no more bytes of programs are
 * run than twice the section's size; behind that, the answer is that there is no rule.
 */
#include "unwind/cfi.h"

#include <string.h>

#include "base/search.h"
#include "base/table.h"
#include "unwind/entries.h"
#include "unwind/program.h"

/* Rules are numbered from 1 to 65535 and stay where they are: pages of them. */
#define RULES_PER_PAGE 64
#define RULE_PAGES     (65536 / RULES_PER_PAGE)

/* The rows of one FDE: rows[nr] starts relative to the FDE's address, then as many numbers of rules (0: none). */
struct fde_rows {
	u32 size; /* of the function */
	u32 nr;
	u32 starts[];
};

/* One section and its table. */
struct table_of_fdes {
	struct frame_section section;
	u64 base;	 /* addresses in @pairs are relative to it */
	u64 section_off; /* section.vaddr - base: what FDEs in @pairs are relative to */
	const u8 *pairs; /* of s32: address, FDE; in order of addresses */
	u32 nr;
	s32 *own_pairs;
	const struct fde_rows **slots; /* NULL: not asked yet */
	u64 budget;		       /* bytes of programs that may still be run */
};

struct cfi {
	struct table_of_fdes tables[2]; /* .eh_frame, .debug_frame */
	GMutex lock;			/* for compiling, and all below */
	struct table index;		/* of rules by contents */
	struct cfi_rule *pages[RULE_PAGES];
	u32 nr_rules;
	GArray *starts; /* u32: rows of the FDE being compiled */
	GArray *rules;	/* u16 */
	struct cfi_stats stats;
};

/* Answers for FDEs that are garbled. */
static const struct fde_rows no_rows;

static s32 pair_half(const struct table_of_fdes *t, u32 i, u32 half)
{
	s32 v;

	memcpy(&v, t->pairs + (size_t)i * 8 + half * 4, sizeof(v));
	return v;
}

static u64 pair_low(const struct table_of_fdes *t, u32 i)
{
	return t->base + (u64)(s64)pair_half(t, i, 0);
}

static u64 pair_offset(const struct table_of_fdes *t, u32 i)
{
	return (u64)(s64)pair_half(t, i, 1) - t->section_off;
}

static struct cfi_rule *rule_at(const struct cfi *cfi, u32 number)
{
	return &cfi->pages[number / RULES_PER_PAGE][number % RULES_PER_PAGE];
}

static u64 place_word(const struct cfi_place *p)
{
	u64 word;

	_Static_assert(sizeof(*p) == sizeof(word), "a place is hashed as one word");
	memcpy(&word, p, sizeof(word));
	return word;
}

static u32 rule_hash(const struct cfi_rule *rule)
{
	u64 h = table_mix(rule->set | (u64)rule->signal << 32 | (u64)rule->debug_frame << 33,
			  place_word(&rule->cfa));

	for (u32 set = rule->set; set; set &= set - 1)
		h = table_mix(h, place_word(&rule->regs[__builtin_ctz(set)]));
	return table_fold(h);
}

static bool rules_equal(const struct cfi_rule *a, const struct cfi_rule *b)
{
	return a->set == b->set && a->signal == b->signal && a->debug_frame == b->debug_frame &&
	       !memcmp(&a->cfa, &b->cfa, sizeof(a->cfa)) &&
	       !memcmp(a->regs, b->regs, sizeof(a->regs));
}

/* The number of @rule; 0 where the file has too many. */
static u16 rule_number(struct cfi *cfi, const struct cfi_rule *rule)
{
	u32 hash = rule_hash(rule), at = hash, number;
	struct cfi_rule **page;
	s64 found;

	while ((found = table_next(&cfi->index, hash, &at)) >= 0)
		if (rules_equal(rule_at(cfi, (u32)found), rule))
			return (u16)found;
	if (cfi->nr_rules == UINT16_MAX)
		return 0;
	number = ++cfi->nr_rules;
	page = &cfi->pages[number / RULES_PER_PAGE];
	if (!*page)
		*page = g_new0(struct cfi_rule, RULES_PER_PAGE);
	*rule_at(cfi, number) = *rule;
	table_add(&cfi->index, hash, number);
	return (u16)number;
}

static void add_row(void *arg, u32 start, const struct cfi_rule *rule)
{
	struct cfi *cfi = arg;
	u16 number = rule && rule->cfa.how != CFI_UNDEFINED ? rule_number(cfi, rule) : 0;

	if (cfi->rules->len && g_array_index(cfi->rules, u16, cfi->rules->len - 1) == number)
		return;
	g_array_append_val(cfi->starts, start);
	g_array_append_val(cfi->rules, number);
}

static const u16 *block_rules(const struct fde_rows *b)
{
	return (const u16 *)(b->starts + b->nr);
}

static const struct fde_rows *compile(struct cfi *cfi, struct table_of_fdes *t, u32 i)
{
	struct fde_rows *b;
	struct fde fde;
	u64 work;
	u32 nr;

	if (!fde_read(&t->section, pair_offset(t, i), &fde) || fde.low != pair_low(t, i))
		return &no_rows;
	work = cursor_left(&fde.program);
	if (work > t->budget)
		return &no_rows;
	t->budget -= work;
	g_array_set_size(cfi->starts, 0);
	g_array_set_size(cfi->rules, 0);
	program_run(&t->section, &fde, add_row, cfi);
	nr = cfi->starts->len;
	b = g_malloc(sizeof(*b) + nr * (sizeof(u32) + sizeof(u16)));
	b->size = (u32)fde.size;
	b->nr = nr;
	if (nr) {
		memcpy(b->starts, cfi->starts->data, nr * sizeof(u32));
		memcpy(b->starts + nr, cfi->rules->data, nr * sizeof(u16));
	}
	cfi->stats.nr_compiled++;
	cfi->stats.nr_rows += nr;
	cfi->stats.bytes += sizeof(*b) + nr * (sizeof(u32) + sizeof(u16));
	return b;
}

static const struct fde_rows *block_of(struct cfi *cfi, struct table_of_fdes *t, u32 i)
{
	const struct fde_rows *b = __atomic_load_n(&t->slots[i], __ATOMIC_ACQUIRE);

	if (b)
		return b;
	g_mutex_lock(&cfi->lock);
	b = t->slots[i];
	if (!b) {
		b = compile(cfi, t, i);
		__atomic_store_n(&t->slots[i], b, __ATOMIC_RELEASE);
	}
	g_mutex_unlock(&cfi->lock);
	return b;
}

static const struct cfi_rule *find_in(struct cfi *cfi, struct table_of_fdes *t, u64 vaddr)
{
	s64 address = (s64)(vaddr - t->base);
	const struct fde_rows *b;
	u32 nth, row;
	u64 in;

	if (!t->nr || address != (s32)address)
		return NULL;
	nth = SEARCH(i, 0, t->nr, pair_half(t, i, 0) <= address);
	if (!nth)
		return NULL;
	b = block_of(cfi, t, nth - 1);
	in = vaddr - pair_low(t, nth - 1);
	if (in >= b->size)
		return NULL;
	row = SEARCH(i, 0, b->nr, b->starts[i] <= in);
	if (!row || !block_rules(b)[row - 1])
		return NULL;
	return rule_at(cfi, block_rules(b)[row - 1]);
}

const struct cfi_rule *cfi_find(struct cfi *cfi, u64 vaddr)
{
	const struct cfi_rule *rule = find_in(cfi, &cfi->tables[0], vaddr);

	return rule ? rule : find_in(cfi, &cfi->tables[1], vaddr);
}

const u8 *cfi_expression(const struct cfi *cfi, const struct cfi_rule *rule,
			 const struct cfi_place *place)
{
	return cfi->tables[rule->debug_frame].section.bytes + place->value;
}

struct cfi_stats cfi_stats(struct cfi *cfi)
{
	struct cfi_stats s;

	g_mutex_lock(&cfi->lock);
	s = cfi->stats;
	s.nr_rules = cfi->nr_rules;
	s.bytes += (u64)(cfi->nr_rules / RULES_PER_PAGE + 1) * RULES_PER_PAGE *
		   sizeof(struct cfi_rule);
	g_mutex_unlock(&cfi->lock);
	s.nr_functions = cfi->tables[0].nr + cfi->tables[1].nr;
	return s;
}

void cfi_compile(struct cfi *cfi)
{
	for (u32 i = 0; i < ARRAY_SIZE(cfi->tables); i++)
		for (u32 fde = 0; fde < cfi->tables[i].nr; fde++)
			block_of(cfi, &cfi->tables[i], fde);
}

struct found_fde {
	u64 low, offset;
};

static gint by_address(gconstpointer a, gconstpointer b)
{
	const struct found_fde *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/*
 * A table of a section that has none. Linkers that drop a function leave its FDE in .debug_frame, at address 0.
 * Addresses more than 2 GiB apart from the first are left out.
 */
static void walk_section(struct table_of_fdes *t)
{
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(struct found_fde));
	u64 next;

	for (u64 offset = 0; (next = frame_entry_next(&t->section, offset)); offset = next) {
		struct fde fde;

		if (fde_read(&t->section, offset, &fde) && fde.low) {
			struct found_fde f = { fde.low, offset };

			g_array_append_val(found, f);
		}
	}
	if (!found->len)
		return;
	g_array_sort(found, by_address);
	t->base = g_array_index(found, struct found_fde, 0).low;
	t->own_pairs = g_new(s32, (gsize)found->len * 2);
	for (u32 i = 0; i < found->len; i++) {
		const struct found_fde *f = &g_array_index(found, struct found_fde, i);

		if (f->low - t->base > INT32_MAX)
			break;
		t->own_pairs[2 * i] = (s32)(f->low - t->base);
		t->own_pairs[2 * i + 1] = (s32)f->offset;
		t->nr++;
	}
	t->pairs = (const u8 *)t->own_pairs;
}

static void set_section(struct table_of_fdes *t, const u8 *bytes, size_t size, u64 vaddr, bool eh)
{
	t->section = (struct frame_section){ bytes, MIN(size, INT32_MAX), vaddr, eh };
	t->budget = 2 * (u64)t->section.size;
}

/* .eh_frame_hdr (LSB 5.0 core, section 10.6.2), found by its program header. */
static bool open_header(struct table_of_fdes *t, const struct image *image, u64 vaddr)
{
	struct frame_section hdr = { .vaddr = vaddr };
	struct cursor c;
	u64 frames, nr;
	u8 encodings[4]; /* version, then those of the pointer, the count, the table */
	const u8 *at;
	size_t left;

	hdr.bytes = image_at(image, vaddr, &hdr.size);
	if (!hdr.bytes)
		return false;
	c = cursor_of(hdr.bytes, hdr.size);
	cursor_read(&c, encodings, sizeof(encodings));
	if (encodings[0] != 1 || encodings[1] == EH_PE_OMIT || encodings[2] == EH_PE_OMIT)
		return false;
	frames = frame_pointer_read(&c, &hdr, encodings[1], vaddr);
	nr = frame_pointer_read(&c, &hdr, encodings[2], vaddr);
	if (c.failed || !(at = image_at(image, frames, &left)))
		return false;
	set_section(t, at, left, frames, true);
	/* 0x3b: relative to the header, signed, 4 bytes. Nothing else is written by linkers. */
	if (encodings[3] != 0x3b || !nr || nr > cursor_left(&c) / 8 || nr > UINT32_MAX) {
		walk_section(t);
		return t->nr;
	}
	t->base = vaddr;
	t->section_off = frames - vaddr;
	t->pairs = c.pos;
	t->nr = (u32)nr;
	return true;
}

static void open_eh_frame(struct table_of_fdes *t, const struct image *image)
{
	GElf_Shdr shdr;
	GElf_Phdr ph;
	Elf_Scn *scn;
	const u8 *bytes;
	size_t size, nr = 0;

	if (elf_getphdrnum(image->elf, &nr) < 0)
		nr = 0;
	for (size_t i = 0; i < nr && gelf_getphdr(image->elf, (int)i, &ph); i++)
		if (ph.p_type == PT_GNU_EH_FRAME && open_header(t, image, ph.p_vaddr))
			return;
	/* The addresses in a relocatable file are not known before it is linked or loaded. */
	scn = image_section(image, ".eh_frame", &shdr);
	bytes = scn && image->ehdr.e_type != ET_REL ? image_section_bytes(scn, &size) : NULL;
	if (!bytes)
		return;
	set_section(t, bytes, size, shdr.sh_addr, true);
	walk_section(t);
}

static void open_debug_frame(struct table_of_fdes *t, const struct image *image)
{
	GElf_Shdr shdr;
	Elf_Scn *scn = image_section(image, ".debug_frame", &shdr);
	const u8 *bytes;
	size_t size;

	bytes = scn && image->ehdr.e_type != ET_REL ? image_section_bytes(scn, &size) : NULL;
	if (!bytes)
		return;
	set_section(t, bytes, size, 0, false);
	walk_section(t);
}

static bool readable(const struct image *image)
{
	return image && image->ehdr.e_machine == EM_X86_64 &&
	       image->ehdr.e_ident[EI_CLASS] == ELFCLASS64 &&
	       image->ehdr.e_ident[EI_DATA] == ELFDATA2LSB;
}

struct cfi *cfi_open(const struct image *code, const struct image *debug)
{
	struct cfi *cfi = g_new0(struct cfi, 1);

	g_mutex_init(&cfi->lock);
	table_init(&cfi->index);
	cfi->starts = g_array_new(FALSE, FALSE, sizeof(u32));
	cfi->rules = g_array_new(FALSE, FALSE, sizeof(u16));
	if (readable(code))
		open_eh_frame(&cfi->tables[0], code);
	if (readable(code))
		open_debug_frame(&cfi->tables[1], code);
	if (readable(debug) && !cfi->tables[1].nr)
		open_debug_frame(&cfi->tables[1], debug);
	for (u32 i = 0; i < ARRAY_SIZE(cfi->tables); i++)
		cfi->tables[i].slots = g_new0(const struct fde_rows *, cfi->tables[i].nr);
	if (cfi->tables[0].nr || cfi->tables[1].nr)
		return cfi;
	cfi_close(cfi);
	return NULL;
}

void cfi_close(struct cfi *cfi)
{
	if (!cfi)
		return;
	for (u32 i = 0; i < ARRAY_SIZE(cfi->tables); i++) {
		struct table_of_fdes *t = &cfi->tables[i];

		for (u32 fde = 0; fde < t->nr; fde++)
			if (t->slots[fde] != &no_rows)
				g_free((void *)t->slots[fde]);
		g_free(t->slots);
		g_free(t->own_pairs);
	}
	for (u32 i = 0; i < RULE_PAGES; i++)
		g_free(cfi->pages[i]);
	table_release(&cfi->index);
	g_array_unref(cfi->starts);
	g_array_unref(cfi->rules);
	g_mutex_clear(&cfi->lock);
	g_free(cfi);
}
