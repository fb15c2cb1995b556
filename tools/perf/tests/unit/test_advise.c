// SPDX-License-Identifier: GPL-2.0-or-later
/* Parts of types, and layouts of parts: the cost by hand, the best order by trying all orders, parts of one compiled program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "advise/advice.h"
#include "dwarf/debuginfo.h"
#include "programs.h"

#define LINE 64

struct forged {
	struct advise_parts parts;
	struct advise_uses uses;
};

static void use_free(void *arg)
{
	struct advise_use *use = arg;

	g_array_unref(use->parts);
	g_free(use);
}

static void forged_init(struct forged *f)
{
	*f = (struct forged){ .parts = { .align = 1 } };
	f->parts.parts = g_array_new(FALSE, TRUE, sizeof(struct advise_part));
	f->uses.uses = g_ptr_array_new_with_free_func(use_free);
}

static void forged_release(struct forged *f)
{
	advise_parts_release(&f->parts);
	advise_uses_release(&f->uses);
}

/* At the end, as a compiler places it. */
static void add_part(struct forged *f, u64 size, u32 align, enum part_place place)
{
	u64 end = 0;
	struct advise_part part = { .size = size, .align = align, .place = place };

	if (f->parts.parts->len) {
		const struct advise_part *last = advise_part(&f->parts, f->parts.parts->len - 1);

		end = last->offset + last->size;
	}
	part.offset = advise_align(end, align);
	f->parts.align = MAX(f->parts.align, align);
	f->parts.size = advise_align(part.offset + size, f->parts.align);
	g_array_append_val(f->parts.parts, part);
}

/* @parts: bits. */
static struct advise_use *add_use(struct forged *f, u32 parts, u64 period)
{
	struct advise_use *use = g_new0(struct advise_use, 1);

	use->parts = g_array_new(FALSE, FALSE, sizeof(struct use_part));
	use->count.period = period;
	for (u32 i = 0; i < f->parts.parts->len; i++) {
		struct use_part touched = { i, 0, advise_part(&f->parts, i)->size, INSN_READ };

		if (parts >> i & 1)
			g_array_append_val(use->parts, touched);
	}
	g_ptr_array_add(f->uses.uses, use);
	return use;
}

static double lines_of(const struct forged *f)
{
	struct advise_layout l;
	double lines;

	advise_layout_init(&l, &f->parts);
	lines = advise_lines(&l, &f->uses, LINE);
	advise_layout_release(&l);
	return lines;
}

/* The example of layouts.h, and objects that begin at a line. */
static void test_lines(void **state)
{
	struct forged f;

	forged_init(&f);
	for (u32 i = 0; i < 5; i++)
		add_part(&f, 8, 8, PART_FREE);
	add_use(&f, 1 | 1 << 4, 1);
	assert_float_equal(lines_of(&f), 1.5, 1e-9);
	f.parts.align = LINE;
	assert_float_equal(lines_of(&f), 1, 1e-9);
	forged_release(&f);
}

/* Where samples saw objects begin counts, instead of all places; not for another size, nor for a larger alignment. */
static void test_lines_by_addresses(void **state)
{
	struct advise_begins begins = { .line = LINE, .size = 40, .samples = 30 };
	struct advise_layout l;
	struct forged f;

	forged_init(&f);
	for (u32 i = 0; i < 5; i++)
		add_part(&f, 8, 8, PART_FREE);
	add_use(&f, 0x11, 1);
	advise_layout_init(&l, &f.parts);
	assert_float_equal(advise_lines(&l, &f.uses, LINE), 1.5, 1e-9);
	l.begins = &begins;
	begins.weights[0] = 3;
	begins.weights[32] = 1;
	assert_float_equal(advise_lines(&l, &f.uses, LINE), 1.25, 1e-9);
	begins.size = 48;
	assert_float_equal(advise_lines(&l, &f.uses, LINE), 1.5, 1e-9);
	begins.size = 40;
	l.least = 64;
	assert_float_equal(advise_lines(&l, &f.uses, LINE), 1, 1e-9);
	advise_layout_release(&l);
	forged_release(&f);
}

/* Elements of an array of 24 bytes begin at all multiples of 8, those of malloc() at multiples of 16. */
static void test_lines_of_arrays(void **state)
{
	struct forged f;
	struct advise_use *use;

	forged_init(&f);
	for (u32 i = 0; i < 3; i++)
		add_part(&f, 8, 8, PART_FREE);
	use = add_use(&f, 7, 1);
	assert_float_equal(lines_of(&f), 1.25, 1e-9); /* at 48 of 0, 16, 32, 48 */
	use->steps = true;
	assert_float_equal(lines_of(&f), 1.25, 1e-9); /* at 48 and 56 of 8 places */
	g_array_set_size(use->parts, 2);
	assert_float_equal(lines_of(&f), 1.125, 1e-9); /* at 56 */
	forged_release(&f);
}

/* A part larger than a line: only the bytes that are touched count. */
static void test_lines_of_large_parts(void **state)
{
	struct forged f;
	struct advise_use *use;

	forged_init(&f);
	add_part(&f, 4096, 1, PART_FREE);
	f.parts.align = LINE;
	use = add_use(&f, 1, 1);
	assert_float_equal(lines_of(&f), 64, 1e-9);
	g_array_index(use->parts, struct use_part, 0).from = 100;
	g_array_index(use->parts, struct use_part, 0).to = 130;
	assert_float_equal(lines_of(&f), 2, 1e-9);
	forged_release(&f);
}

struct whole_search {
	const struct forged *f;
	struct advise_layout l;
	u64 room;
	double lines;
	u64 size;
};

static void all_orders(struct whole_search *s, u32 at)
{
	if (at == s->l.nr) {
		advise_layout_place(&s->l, &s->f->parts);
		s->size = MIN(s->size, s->l.size);
		if (s->l.size <= s->room)
			s->lines = MIN(s->lines, advise_lines(&s->l, &s->f->uses, LINE));
		return;
	}
	for (u32 i = at; i < s->l.nr; i++) {
		u32 part = s->l.order[i];

		s->l.order[i] = s->l.order[at];
		s->l.order[at] = part;
		all_orders(s, at + 1);
		s->l.order[at] = s->l.order[i];
		s->l.order[i] = part;
	}
}

static struct whole_search search_all(const struct forged *f)
{
	struct whole_search s = {
		.f = f, .room = f->parts.size, .size = UINT64_MAX, .lines = lines_of(f)
	};

	advise_layout_init(&s.l, &f->parts);
	all_orders(&s, 0);
	advise_layout_release(&s.l);
	return s;
}

static u32 draw(u64 *seed, u32 below)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(*seed >> 33) % below;
}

static void draw_type(struct forged *f, u64 *seed)
{
	u32 nr = 3 + draw(seed, 4);

	forged_init(f);
	for (u32 i = 0; i < nr; i++) {
		u32 align = 1u << draw(seed, 4);

		add_part(f, align * (1 + (draw(seed, 3) ? 0 : draw(seed, 9))), align, PART_FREE);
	}
	for (u32 i = 1 + draw(seed, 3); i; i--)
		add_use(f, 1 + draw(seed, (1u << nr) - 1), 1 + draw(seed, 100));
}

/* Of 500 small types: never worse than it was, and nearly always as good as any order. */
static void test_best_order(void **state)
{
	u32 best = 0, smallest = 0;
	u64 seed = 1;

	for (u32 i = 0; i < 500; i++) {
		struct advise_layout l;
		struct whole_search all;
		struct forged f;
		double lines;

		draw_type(&f, &seed);
		all = search_all(&f);
		advise_layout_init(&l, &f.parts);
		advise_layout_best(&l, &f.parts, &f.uses, LINE);
		lines = advise_lines(&l, &f.uses, LINE);
		assert_true(l.size <= f.parts.size);
		assert_true(lines <= lines_of(&f) + 1e-9);
		assert_true(lines >= all.lines - 1e-9);
		best += lines <= all.lines + 1e-9;
		advise_layout_release(&l);

		advise_layout_init(&l, &f.parts);
		advise_layout_smallest(&l, &f.parts);
		assert_true(l.size <= f.parts.size && l.size >= all.size);
		smallest += l.size == all.size;
		advise_layout_release(&l);
		forged_release(&f);
	}
	assert_true(best >= 490);
	assert_int_equal(smallest, 500);
}

/* A header stays in front and a flexible array at the end, whatever that costs. */
static void test_fixed_parts(void **state)
{
	struct advise_layout l;
	struct forged f;

	forged_init(&f);
	add_part(&f, 60, 4, PART_FIRST);
	add_part(&f, 100, 4, PART_FREE);
	add_part(&f, 8, 8, PART_FREE);
	add_part(&f, 4, 4, PART_FREE);
	add_part(&f, 0, 8, PART_LAST);
	add_use(&f, 1 << 2 | 1 << 3, 1);
	advise_layout_init(&l, &f.parts);
	advise_layout_best(&l, &f.parts, &f.uses, LINE);
	assert_int_equal(l.order[0], 0);
	assert_int_equal(l.order[4], 4);
	assert_int_equal(l.offset[0], 0);
	assert_true(l.offset[4] >= l.offset[1] + 100 && l.offset[4] >= l.offset[2] + 8);
	advise_layout_release(&l);
	advise_layout_init(&l, &f.parts);
	advise_layout_smallest(&l, &f.parts);
	assert_int_equal(l.order[0], 0);
	assert_int_equal(l.order[4], 4);
	advise_layout_release(&l);
	forged_release(&f);
}

/* As it is, if nothing is better. */
/* An object is as large as what is in front of its flexible array, and its elements: no layout may move that farther behind. */
static void test_flexible_stays(void **state)
{
	struct advise_layout l;
	struct forged f;

	forged_init(&f);
	add_part(&f, 8, 8, PART_FREE);
	add_part(&f, 1, 1, PART_FREE);
	add_part(&f, 4, 4, PART_FREE);
	add_part(&f, 8, 8, PART_FREE);
	add_part(&f, 1, 1, PART_LAST);
	assert_int_equal(advise_part(&f.parts, 4)->offset, 24);
	add_use(&f, 1 << 1 | 1 << 3, 1);
	add_use(&f, 1 << 3 | 1 << 4, 1);
	advise_layout_init(&l, &f.parts);
	advise_layout_best(&l, &f.parts, &f.uses, LINE);
	assert_true(l.offset[4] <= 24);
	advise_layout_smallest(&l, &f.parts);
	assert_true(l.offset[4] <= 24);
	advise_layout_release(&l);
	forged_release(&f);
}

static void test_nothing_better(void **state)
{
	struct advise_layout l;
	struct forged f;

	forged_init(&f);
	for (u32 i = 0; i < 6; i++)
		add_part(&f, 8, 8, PART_FREE);
	add_use(&f, 3, 1);
	advise_layout_init(&l, &f.parts);
	advise_layout_best(&l, &f.parts, &f.uses, LINE);
	assert_int_equal(advise_layout_moved(&l), 0);
	advise_layout_smallest(&l, &f.parts);
	assert_int_equal(advise_layout_moved(&l), 0);
	advise_layout_release(&l);
	forged_release(&f);
}

static const char source[] =
	"typedef unsigned long u64;\n"
	"struct order { char side; u64 id; unsigned a : 3, b : 5; int items[]; } order;\n"
	"struct __attribute__((packed)) packed { char c; int i; } packed;\n"
	"union both { int i; char c; } both;\n"
	"struct lines { long r; long w __attribute__((aligned(64))); } lines;\n"
	"struct __attribute__((aligned(32))) wide { long a; } wide;\n"
	"struct __attribute__((aligned(64))) full { long a[8]; } full;\n"
	"struct head { int len; }; struct framed { struct head h; long v; } framed;\n"
	"struct node { int k; struct node *next; void *other; } node;\n"
	"struct arrays { int m[2][3]; char *names[4]; long double d; } arrays;\n"
	"struct handle { void *value; unsigned refs; char key[1]; } handle;\n"
	"struct flags { char flag[1]; long v; } flags;\n"
	"struct object { void *next; char tt; char marked; } object;\n"
	"struct table { void *next; char tt; char marked; int size; void *array; } table;\n"
	"struct string { void *next; char tt; short length; } string;\n"
	"int main(void) { return 0; }\n";

struct opened {
	char *folder;
	struct dsos *dsos;
	struct dso *dso;
	struct debuginfo *debug;
};

static int open_source(void **state)
{
	struct opened *o = g_new0(struct opened, 1);
	struct debuginfo_source from = { 0 };
	g_autofree char *path = NULL, *command = NULL, *c = NULL;

	o->folder = g_dir_make_tmp("advise-XXXXXX", NULL);
	path = g_build_filename(o->folder, "program", NULL);
	c = g_build_filename(o->folder, "source.c", NULL);
	command = g_strdup_printf("gcc -g -o '%s' '%s'", path, c);
	if (!g_file_set_contents(c, source, -1, NULL) || system(command))
		return -1;
	o->dsos = dsos_new(&(struct dso_options){ .buildid_dir = o->folder });
	o->dso = dsos_get(o->dsos, path, NULL, 0, DSO_USER);
	from.dwarf = dso_dwarf(o->dso, &from.dwarf_bias);
	o->debug = debuginfo_new(&from);
	*state = o;
	return 0;
}

static int close_source(void **state)
{
	struct opened *o = *state;

	debuginfo_free(o->debug);
	dsos_free(o->dsos);
	program_remove(o->folder);
	g_free(o);
	return 0;
}

static const struct type *type_of(const struct opened *o, const char *variable)
{
	const struct symbol *symbol = dso_symbol_named(o->dso, variable);
	const struct variable *found;
	u64 start;

	assert_non_null(symbol);
	found = debuginfo_global(o->debug, symbol->start, 0, variable, symbol->start, &start);
	assert_non_null(found);
	return found->type;
}

/* "0+1/1 8+8/8 ...": offset, size and alignment of each part, F or L for its place, l for links; or the refusal. */
static char *parts_text(const struct opened *o, const char *variable)
{
	struct advise_parts parts;
	GString *out = g_string_new(NULL);

	advise_parts_init(&parts, type_of(o, variable));
	for (u32 i = 0; !parts.refusal && i < parts.parts->len; i++) {
		const struct advise_part *p = advise_part(&parts, i);

		g_string_append_printf(out, "%s%d+%d/%u%s%s", i ? " " : "", (int)p->offset,
				       (int)p->size, p->align,
				       p->place == PART_FIRST  ? "F"
				       : p->place == PART_LAST ? "L"
							       : "",
				       p->links ? "l" : "");
	}
	if (parts.refusal)
		g_string_assign(out, parts.refusal);
	else
		g_string_append_printf(out, " = %d/%u", (int)parts.size, parts.align);
	advise_parts_release(&parts);
	return g_string_free(out, FALSE);
}

static void test_parts(void **state)
{
	static const char *const want[][2] = {
		{ "order", "0+1/1 8+8/8 16+1/4 20+0/4L = 24/8" },
		{ "packed", "it is packed" },
		{ "both", "members of a union lie over each other" },
		{ "lines", "0+8/8 64+8/64 = 128/64" },
		{ "wide", "0+8/8 = 32/32" },
		{ "full", "0+64/8 = 64/64" },
		{ "framed", "0+4/4F 8+8/8 = 16/8" },
		{ "node", "0+4/4 8+8/8l 16+8/8 = 24/8" },
		{ "handle", "0+8/8 8+4/4 12+1/1L = 16/8" },
		{ "flags", "0+1/1 8+8/8 = 16/8" },
		{ "arrays", "0+24/4 24+32/8 64+16/16 = 80/16" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(want); i++) {
		g_autofree char *got = parts_text(*state, want[i][0]);

		assert_string_equal(got, want[i][1]);
	}
}

/* What another type begins with, too, stays in front. */
static void test_common_members(void **state)
{
	struct advise_parts parts;

	advise_parts_init(&parts, type_of(*state, "table"));
	assert_int_equal(advise_parts_common(&parts, type_of(*state, "table")), 0);
	assert_int_equal(advise_parts_common(&parts, type_of(*state, "order")), 0);
	assert_int_equal(advise_parts_common(&parts, type_of(*state, "string")), 2);
	assert_int_equal(advise_parts_common(&parts, type_of(*state, "object")), 3);
	advise_parts_hold(&parts, 3);
	assert_int_equal(advise_part(&parts, 2)->place, PART_FIRST);
	assert_int_equal(advise_part(&parts, 3)->place, PART_FREE);
	advise_parts_release(&parts);
	/* One member of the same name is none. */
	advise_parts_init(&parts, type_of(*state, "lines"));
	assert_int_equal(advise_parts_common(&parts, type_of(*state, "full")), 0);
	advise_parts_release(&parts);
}

static void test_parts_at(void **state)
{
	struct advise_parts parts;

	advise_parts_init(&parts, type_of(*state, "order"));
	assert_int_equal(advise_part_at(&parts, 0), 0);
	assert_int_equal(advise_part_at(&parts, 1), -1);
	assert_int_equal(advise_part_at(&parts, 15), 1);
	assert_int_equal(advise_part_at(&parts, 16), 2);
	assert_int_equal(advise_part_at(&parts, 400), 3);
	advise_parts_release(&parts);
}

static void test_declarations(void **state)
{
	static const char *const want[] = { "int m[2][3];", "char*names[4];", "long double d;" };
	struct advice_list list = { 0 };

	advise_parts_init(&list.parts, type_of(*state, "arrays"));
	for (u32 i = 0; i < ARRAY_SIZE(want); i++) {
		g_autoptr(GString) out = g_string_new(NULL);

		advice_declare(&list, i, out);
		assert_string_equal(out->str, want[i]);
	}
	advise_parts_release(&list.parts);
	advise_parts_init(&list.parts, type_of(*state, "order"));
	for (u32 i = 2; i < 4; i++) {
		g_autoptr(GString) out = g_string_new(NULL);

		advice_declare(&list, i, out);
		assert_string_equal(out->str, i == 2 ? "unsigned int a : 3; unsigned int b : 5;"
						     : "int items[];");
	}
	advise_parts_release(&list.parts);
}

/* Types of two views of the debug information are the same; types of equal members and other names are not. */
static void test_same(void **state)
{
	struct opened *o = *state, other;
	struct debuginfo_source from = { 0 };
	struct advise_parts parts;

	other = *o;
	from.dwarf = dso_dwarf(o->dso, &from.dwarf_bias);
	other.debug = debuginfo_new(&from);
	advise_parts_init(&parts, type_of(o, "order"));
	assert_true(advise_parts_is(&parts, type_of(&other, "order")));
	assert_false(advise_parts_is(&parts, type_of(&other, "node")));
	assert_false(advise_parts_is(&parts, type_of(o, "framed")));
	advise_parts_release(&parts);
	debuginfo_free(other.debug);
}

static void test_declared(void **state)
{
	const struct opened *o = *state;
	struct type_declaration d;

	assert_true(type_declared(type_of(o, "order"), &d));
	assert_true(g_str_has_suffix(d.file, "source.c"));
	assert_int_equal(d.line, 2);
	assert_int_equal(d.language, TYPE_LANGUAGE_C);
	assert_false(type_declared(type_pointer_to(type_of(o, "wide")), &d));
	assert_int_equal(type_asked_alignment(type_of(o, "wide")), 32);
	assert_int_equal(type_asked_alignment(type_of(o, "order")), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_lines_by_addresses),
		cmocka_unit_test(test_lines_of_arrays),
		cmocka_unit_test(test_lines_of_large_parts),
		cmocka_unit_test(test_best_order),
		cmocka_unit_test(test_fixed_parts),
		cmocka_unit_test(test_flexible_stays),
		cmocka_unit_test(test_nothing_better),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_common_members),
		cmocka_unit_test(test_parts_at),
		cmocka_unit_test(test_declarations),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_declared),
	};

	return cmocka_run_group_tests(tests, open_source, close_source);
}
