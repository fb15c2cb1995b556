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
 * To unwind from address 9 with rsp = 0x7ff0: CFA = 0x8000. The caller's pc is the 8 bytes at 0x7ff8, its rbx the 8
 * bytes at 0x7ff0, its rsp 0x8000. The file does not hold the table but a program that makes it:
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
 * A row is 6 bytes: a 32-bit start and a 16-bit number of a rule. libc has 25,000 rows and 400 rules, because most
 * functions save the same registers at the same places.
 *
 * Look-up of an address: .eh_frame_hdr is a sorted table of (function's address, its FDE). It is searched in the mapped
 * file. If there is no such table (.debug_frame, object files), the section is read once from start to end, and a table
 * is built. Each FDE has a slot with a pointer to its rows. The slot is filled when the FDE is first asked for. A
 * filled slot does not change, so it is read without a lock.
 *
 * Malformed input: an entry of the table is valid only if its FDE states the same address, so an FDE has at most one
 * slot. Overlapping FDEs could still make many rows from few bytes. Therefore the total size of the programs that are
 * run is limited to twice the section's size. After that, cfi_find() finds no rule.
 */
#include "unwind/cfi.h"

#include <string.h>

#include "base/search.h"
#include "unwind/private.h"
#include "unwind/program.h"

#define ANSWERS_LEAST 256u
#define ANSWERS_MOST  32768u

/* Marks malformed FDEs. */
static const struct fde_rows no_rows;

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

/* Builds the index of the kept rules. It is needed only when something is compiled. */
static void index_rules(struct cfi *cfi)
{
	while (cfi->nr_indexed < cfi->nr_rules) {
		u32 number = ++cfi->nr_indexed;

		table_add(&cfi->index, rule_hash(cfi_rule_at(cfi, number)), number);
	}
}

/* The number of @rule; 0: the file has too many rules. */
static u16 rule_number(struct cfi *cfi, const struct cfi_rule *rule)
{
	u32 hash = rule_hash(rule), at = hash, number;
	s64 found;

	index_rules(cfi);
	while ((found = table_next(&cfi->index, hash, &at)) >= 0)
		if (rules_equal(cfi_rule_at(cfi, (u32)found), rule))
			return (u16)found;
	if (cfi->nr_rules == UINT16_MAX)
		return 0;
	number = ++cfi->nr_rules;
	cfi_put_rule(cfi, number, rule);
	table_add(&cfi->index, hash, number);
	cfi->nr_indexed = number;
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

/* Copies the rows collected in @cfi. @size: the function's size. */
static const struct fde_rows *take_rows(struct cfi *cfi, u32 size)
{
	u32 nr = cfi->starts->len;
	struct fde_rows *b = g_malloc(fde_rows_size(nr));

	b->size = size;
	b->nr = nr;
	if (nr) {
		memcpy(b->starts, cfi->starts->data, nr * sizeof(u32));
		memcpy(b->starts + nr, cfi->rules->data, nr * sizeof(u16));
	}
	cfi->stats.nr_compiled++;
	cfi->stats.nr_rows += nr;
	cfi->stats.bytes += fde_rows_size(nr);
	return b;
}

static const struct fde_rows *compile_sframe(struct cfi *cfi, struct table_of_fdes *t, u32 i)
{
	struct sframe_fde fde;

	if (!sframe_fde_read(&t->sframe, (u32)table_fde(t, i), &fde) ||
	    fde.low != table_low(t, i) || !sframe_rows(&t->sframe, &fde, &t->budget, add_row, cfi))
		return &no_rows;
	return take_rows(cfi, fde.size);
}

static const struct fde_rows *compile(struct cfi *cfi, struct table_of_fdes *t, u32 i)
{
	struct fde fde;
	u64 work;

	g_array_set_size(cfi->starts, 0);
	g_array_set_size(cfi->rules, 0);
	if (t->sframe.bytes)
		return compile_sframe(cfi, t, i);
	if (!fde_read(&t->section, table_fde(t, i), &fde) || fde.low != table_low(t, i))
		return &no_rows;
	work = cursor_left(&fde.program);
	if (work > t->budget)
		return &no_rows;
	t->budget -= work;
	program_run(&t->section, &fde, add_row, cfi);
	return take_rows(cfi, (u32)fde.size);
}

static const struct fde_rows *block_of(struct cfi *cfi, struct table_of_fdes *t, u32 i)
{
	const struct fde_rows *b = __atomic_load_n(&t->slots[i], __ATOMIC_ACQUIRE);

	if (b)
		return b;
	pthread_mutex_lock(&cfi->lock);
	b = t->slots[i];
	if (!b) {
		b = compile(cfi, t, i);
		__atomic_store_n(&t->slots[i], b, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&cfi->lock);
	return b;
}

/* The number of the rule; 0: there is none. */
static u16 find_in(struct cfi *cfi, struct table_of_fdes *t, u64 vaddr)
{
	s64 address = (s64)(vaddr - t->base);
	const struct fde_rows *b;
	u32 nth, row;
	u64 in;

	if (!t->nr || address != (s32)address)
		return 0;
	nth = SEARCH(i, 0, t->nr, table_half(t, i, 0) <= address);
	if (!nth)
		return 0;
	b = block_of(cfi, t, nth - 1);
	in = vaddr - table_low(t, nth - 1);
	if (in >= b->size)
		return 0;
	row = SEARCH(i, 0, b->nr, b->starts[i] <= in);
	return row ? fde_rows_rules(b)[row - 1] : 0;
}

void cfi_end_calls(struct cfi *cfi, u64 low, u64 high)
{
	const struct cfi_range range = { low, high };
	struct cfi_rule rule = { .set = 1u << CFI_RIP | 1u << CFI_RSP,
				 .cfa = { .how = CFI_REG, .reg = CFI_RSP } };

	rule.regs[CFI_RIP].how = rule.regs[CFI_RSP].how = CFI_UNDEFINED;
	pthread_mutex_lock(&cfi->lock);
	cfi->end_rule = rule_number(cfi, &rule);
	g_array_append_val(cfi->ends, range);
	pthread_mutex_unlock(&cfi->lock);
}

static u16 find_number(struct cfi *cfi, u64 vaddr)
{
	u16 number;

	for (u32 i = 0; i < cfi->ends->len; i++) {
		const struct cfi_range *r = &g_array_index(cfi->ends, struct cfi_range, i);

		if (vaddr >= r->low && vaddr < r->high)
			return cfi->end_rule;
	}
	number = find_in(cfi, &cfi->tables[0], vaddr);
	return number ? number : find_in(cfi, &cfi->tables[1], vaddr);
}

/*
 * Many processes ask for the same addresses of an object, so answers are cached. An answer is one word: threads read
 * and write it without a lock. A thread that reads a number written by another thread also sees that rule.
 */
const struct cfi_rule *cfi_find(struct cfi *cfi, u64 vaddr)
{
	u64 *kept = &cfi->answers[table_fold(vaddr) & (cfi->nr_answers - 1)];
	u64 answer = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
	u16 number = (u16)answer;

	if (answer >> 16 != vaddr || !answer) {
		number = find_number(cfi, vaddr);
		if (!(vaddr >> 48))
			__atomic_store_n(kept, vaddr << 16 | number, __ATOMIC_RELEASE);
	}
	return number ? cfi_rule_at(cfi, number) : NULL;
}

const u8 *cfi_expression(const struct cfi *cfi, const struct cfi_rule *rule,
			 const struct cfi_place *place)
{
	return cfi->tables[rule->debug_frame].section.bytes + place->value;
}

struct cfi_stats cfi_stats(struct cfi *cfi)
{
	struct cfi_stats s;

	pthread_mutex_lock(&cfi->lock);
	s = cfi->stats;
	s.nr_rules = cfi->nr_rules;
	s.bytes += (u64)(cfi->nr_rules / RULES_PER_PAGE + 1) * RULES_PER_PAGE *
		   sizeof(struct cfi_rule);
	pthread_mutex_unlock(&cfi->lock);
	s.nr_kept = cfi->nr_kept;
	s.nr_functions = cfi->tables[0].nr + cfi->tables[1].nr;
	return s;
}

void cfi_compile(struct cfi *cfi)
{
	for (u32 i = 0; i < ARRAY_SIZE(cfi->tables); i++)
		for (u32 fde = 0; fde < cfi->tables[i].nr; fde++)
			block_of(cfi, &cfi->tables[i], fde);
}

static bool readable(const struct image *image)
{
	const u8 *ident = image ? image->ehdr.e_ident : NULL;

	return image && ident[EI_DATA] == ELFDATA2LSB &&
	       ((image->ehdr.e_machine == EM_X86_64 && ident[EI_CLASS] == ELFCLASS64) ||
		(image->ehdr.e_machine == EM_386 && ident[EI_CLASS] == ELFCLASS32));
}

/* Size of the cache of answers for an object with @nr_functions. */
static u32 answers_for(u32 nr_functions)
{
	u32 nr = ANSWERS_LEAST;

	while (nr < nr_functions && nr < ANSWERS_MOST)
		nr *= 2;
	return nr;
}

struct cfi *cfi_open(const struct image *code, const struct image *debug)
{
	struct cfi *cfi = g_new0(struct cfi, 1);

	pthread_mutex_init(&cfi->lock, NULL);
	table_init(&cfi->index);
	cfi->starts = g_array_new(FALSE, FALSE, sizeof(u32));
	cfi->rules = g_array_new(FALSE, FALSE, sizeof(u16));
	cfi->ends = g_array_new(FALSE, FALSE, sizeof(struct cfi_range));
	cfi->narrow = code && code->ehdr.e_ident[EI_CLASS] == ELFCLASS32;
	if (readable(code))
		table_open_eh_frame(&cfi->tables[0], code);
	if (readable(code) && !cfi->tables[0].nr)
		table_open_sframe(&cfi->tables[0], code);
	if (readable(code))
		table_open_debug_frame(&cfi->tables[1], code);
	if (readable(debug) && !cfi->tables[1].nr)
		table_open_debug_frame(&cfi->tables[1], debug);
	for (u32 i = 0; i < ARRAY_SIZE(cfi->tables); i++)
		cfi->tables[i].slots = g_new0(const struct fde_rows *, cfi->tables[i].nr);
	if (!cfi->tables[0].nr && !cfi->tables[1].nr) {
		cfi_close(cfi);
		return NULL;
	}
	cfi->nr_answers = answers_for(cfi->tables[0].nr + cfi->tables[1].nr);
	cfi->answers = g_new0(u64, cfi->nr_answers);
	return cfi;
}

bool cfi_is_narrow(const struct cfi *cfi)
{
	return cfi->narrow;
}

void cfi_close(struct cfi *cfi)
{
	if (!cfi)
		return;
	kept_rows_write(cfi);
	for (u32 i = 0; i < ARRAY_SIZE(cfi->tables); i++) {
		struct table_of_fdes *t = &cfi->tables[i];

		for (u32 fde = 0; fde < t->nr; fde++)
			if (t->slots[fde] != &no_rows && !kept_rows_has(cfi, t->slots[fde]))
				g_free((void *)t->slots[fde]);
		table_close(t);
	}
	for (u32 i = 0; i < RULE_PAGES; i++)
		g_free(cfi->pages[i]);
	if (cfi->kept.bytes)
		kept_close(&cfi->kept);
	table_release(&cfi->index);
	g_array_unref(cfi->starts);
	g_array_unref(cfi->rules);
	g_array_unref(cfi->ends);
	pthread_mutex_destroy(&cfi->lock);
	g_free(cfi->folder);
	g_free(cfi->answers);
	g_free(cfi);
}
