// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compiled rows are kept between runs: dso/kept.h has one file per object, with the functions that earlier runs asked
 * for. The file is mapped, and the slots of these functions point into it. So they need no time to compile and no
 * memory of their own. The file's layout:
 *
 *	struct rows_head
 *	struct cfi_rule		nr_rules of them, number 1 first
 *	struct kept_function	nr_functions of them
 *	struct fde_rows		of each, at the offset that its kept_function states
 *
 * The function of cfi.c's head, if it is the fifth in the table and its rules have the numbers 1 to 3:
 *
 *	kept_function		table 0, fde 4, at 0
 *	fde_rows		size e, nr 3, starts 0 1 d, rules 1 2 3: 8 + 3 * 6 = 26 bytes, filled up to 28
 *
 * dso/kept.h has checked that the file is complete and was written by this program. Indexes are checked here, once,
 * when the file is mapped. A file with an index out of range is not used.
 */
#include <string.h>

#include "unwind/private.h"

#define MAGIC	"PERFROWS"
#define VERSION 3

/*
 * Do not write the file for fewer new functions than this, or than an eighth of the kept ones: compiling them again is
 * as fast.
 */
#define NEW_LEAST 128u

struct rows_head {
	u32 nr_rules, nr_functions;
	u32 rule_size; /* of struct cfi_rule */
	u32 rows_size; /* total bytes of all struct fde_rows */
};

struct kept_function {
	u32 table, fde; /* cfi.tables[table].slots[fde] */
	u32 at;		/* offset in the rows, a multiple of 4 */
};

/*
 * Checksum of what the rows depend on. The table has the addresses of all functions, so another build of the program
 * has another sum.
 */
static u64 contents_of(const struct cfi *cfi)
{
	u64 sum = cfi->narrow;

	for (u32 i = 0; i < ARRAY_SIZE(cfi->tables); i++) {
		const struct table_of_fdes *t = &cfi->tables[i];
		const u64 facts[] = { t->nr,	       t->base,		 t->section_off,
				      t->section.size, t->section.vaddr, t->sframe.version };

		sum = kept_sum(facts, sizeof(facts), sum);
		sum = kept_sum(t->pairs, (size_t)t->nr * 8, sum);
	}
	return sum;
}

static struct kept_key key_of(const struct cfi *cfi)
{
	return (struct kept_key){ .folder = cfi->folder,
				  .magic = MAGIC,
				  .version = VERSION,
				  .object = cfi->build_id,
				  .contents = contents_of(cfi) };
}

/* Positions of the arrays in a file. */
struct kept_layout {
	const struct rows_head *head;
	const struct cfi_rule *rules;
	const struct kept_function *functions;
	const u8 *rows;
};

static bool lay_out(const struct kept_file *kept, struct kept_layout *l)
{
	const struct rows_head *head = (const void *)kept->bytes;
	u64 size;

	if (kept->size < sizeof(*head) || head->rule_size != sizeof(struct cfi_rule) ||
	    head->nr_rules > UINT16_MAX)
		return false;
	size = sizeof(*head) + head->nr_rules * sizeof(struct cfi_rule) +
	       head->nr_functions * (u64)sizeof(struct kept_function) + head->rows_size;
	l->head = head;
	l->rules = (const void *)(head + 1);
	l->functions = (const void *)(l->rules + head->nr_rules);
	l->rows = (const u8 *)(l->functions + head->nr_functions);
	return size == kept->size;
}

static bool place_is_good(const struct cfi_place *p, size_t section_size)
{
	bool by_register = p->how == CFI_REG || p->how == CFI_AT_REG;

	if (p->how > CFI_EXPR || (by_register && p->reg >= CFI_NR_REGS))
		return false;
	if (p->how != CFI_EXPR && p->how != CFI_AT_EXPR)
		return true;
	return p->value >= 0 && p->size <= section_size && p->value <= section_size - p->size;
}

/* Checks only the registers that are set: others are not read when the rule is used. */
static bool rule_is_good(const struct cfi *cfi, const struct cfi_rule *rule)
{
	u8 signal, debug_frame;
	size_t size;

	memcpy(&signal, &rule->signal, 1);
	memcpy(&debug_frame, &rule->debug_frame, 1);
	if (signal > 1 || debug_frame > 1 || rule->set >> CFI_NR_REGS ||
	    (rule->cfa.how != CFI_REG && rule->cfa.how != CFI_AT_REG && rule->cfa.how != CFI_EXPR))
		return false;
	size = cfi->tables[debug_frame].section.size;
	for (u32 set = rule->set; set; set &= set - 1)
		if (!place_is_good(&rule->regs[__builtin_ctz(set)], size))
			return false;
	return place_is_good(&rule->cfa, size);
}

static const struct fde_rows *rows_at(const struct kept_layout *l, u32 at)
{
	u32 left = l->head->rows_size - MIN(at, l->head->rows_size);
	const struct fde_rows *b = (const void *)(l->rows + at);

	if (at % sizeof(u32) || left < sizeof(*b) ||
	    b->nr > (left - sizeof(*b)) / (sizeof(u32) + sizeof(u16)))
		return NULL;
	for (u32 i = 0; i < b->nr; i++)
		if (fde_rows_rules(b)[i] > l->head->nr_rules)
			return NULL;
	return b;
}

static bool is_good(const struct cfi *cfi, const struct kept_layout *l)
{
	for (u32 i = 0; i < l->head->nr_rules; i++)
		if (!rule_is_good(cfi, &l->rules[i]))
			return false;
	for (u32 i = 0; i < l->head->nr_functions; i++) {
		const struct kept_function *f = &l->functions[i];

		if (f->table >= ARRAY_SIZE(cfi->tables) || f->fde >= cfi->tables[f->table].nr ||
		    !rows_at(l, f->at))
			return false;
	}
	return true;
}

void cfi_keep(struct cfi *cfi, const char *folder, const struct build_id *object)
{
	struct kept_key key;
	struct kept_layout l;

	cfi->folder = g_strdup(folder);
	cfi->build_id = *object;
	key = key_of(cfi);
	if (!kept_open(&key, &cfi->kept))
		return;
	if (!lay_out(&cfi->kept, &l) || !is_good(cfi, &l)) {
		kept_close(&cfi->kept);
		return;
	}
	for (u32 i = 0; i < l.head->nr_rules; i++)
		cfi_put_rule(cfi, i + 1, &l.rules[i]);
	cfi->nr_rules = l.head->nr_rules;
	for (u32 i = 0; i < l.head->nr_functions; i++) {
		const struct kept_function *f = &l.functions[i];

		cfi->tables[f->table].slots[f->fde] = rows_at(&l, f->at);
	}
	cfi->nr_kept = l.head->nr_functions;
}

static void add_function(const struct fde_rows *b, u32 table, u32 fde, GArray *functions,
			 GByteArray *rows)
{
	static const u8 zeros[sizeof(u32)];
	struct kept_function f = { table, fde, rows->len };
	u32 size = (u32)fde_rows_size(b->nr);

	g_array_append_val(functions, f);
	g_byte_array_append(rows, (const u8 *)b, size);
	g_byte_array_append(rows, zeros, ALIGN_UP(size, (u32)sizeof(u32)) - size);
}

void kept_rows_write(const struct cfi *cfi)
{
	g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(struct kept_function));
	g_autoptr(GByteArray) rows = g_byte_array_new(), all = g_byte_array_new();
	struct rows_head head = { .nr_rules = cfi->nr_rules, .rule_size = sizeof(struct cfi_rule) };
	struct kept_key key;

	if (!cfi->folder || cfi->stats.nr_compiled < NEW_LEAST ||
	    cfi->stats.nr_compiled < cfi->nr_kept / 8)
		return;
	for (u32 i = 0; i < ARRAY_SIZE(cfi->tables); i++)
		for (u32 fde = 0; fde < cfi->tables[i].nr; fde++)
			if (cfi->tables[i].slots[fde] && cfi->tables[i].slots[fde]->size)
				add_function(cfi->tables[i].slots[fde], i, fde, functions, rows);
	head.nr_functions = functions->len;
	head.rows_size = rows->len;
	g_byte_array_append(all, (const void *)&head, sizeof(head));
	for (u32 i = 1; i <= cfi->nr_rules; i++)
		g_byte_array_append(all, (const void *)cfi_rule_at(cfi, i),
				    sizeof(struct cfi_rule));
	g_byte_array_append(all, (const void *)functions->data,
			    functions->len * (guint)sizeof(struct kept_function));
	g_byte_array_append(all, rows->data, rows->len);
	key = key_of(cfi);
	kept_write(&key, all->data, all->len);
}
