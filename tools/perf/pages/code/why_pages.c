// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/code/why_pages.h"

#include <inttypes.h>

#include "base/table.h"
#include "dso/dso.h"
#include "dso/lines.h"
#include "pages/base/about.h"
#include "pages/base/list_rows.h"
#include "pages/code/instruction.h"

static const struct rows_column columns[WHY_NR_COLUMNS] = {
	[WHY_ADDRESS] = { "address", "Address", .kind = CELL_ADDRESS, .right = true },
	[WHY_INSTRUCTION] = { "instruction", "Instruction", .kind = CELL_TEXT },
	[WHY_FILE] = { "file", "File", .kind = CELL_TEXT },
	[WHY_LINE] = { "line", "Line", .kind = CELL_ID, .right = true },
	[WHY_STEP] = { "step", "Step", .kind = CELL_TEXT },
};

struct why_pages {
	struct pages pages;
	const GArray *places;
	struct typeflow *types;
	struct insn_decoder *decoder;
	bool before;
};

static const struct why_pages *of(const struct pages *pages)
{
	return container_of(pages, struct why_pages, pages);
}

struct why_step {
	u64 vaddr;
	bool is_remark; /* the step has no instruction */
	char *text;
};

struct why_page {
	const struct why_pages *pages;
	struct dso *dso;
	struct rows *rows;
	GArray *steps; /* struct why_step */
};

static const struct why_step *step_at(const struct why_page *p, u32 i)
{
	return &g_array_index(p->steps, struct why_step, i);
}

static void step_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct why_page *p = arg;
	const struct why_step *step = step_at(p, line);
	const char *file;
	u32 nr = 0;
	bool known = !step->is_remark && dso_line(p->dso, step->vaddr, &file, &nr) && nr;

	if (column == WHY_STEP)
		return;
	if (step->is_remark || ((column == WHY_FILE || column == WHY_LINE) && !known))
		out->kind = CELL_NONE;
	else if (column == WHY_ADDRESS)
		out->number = step->vaddr;
	else if (column == WHY_LINE)
		out->number = nr;
}

static void step_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	const struct why_page *p = arg;
	const struct why_step *step = step_at(p, line);
	const char *file;
	u32 nr;

	if (column == WHY_STEP)
		g_string_append(out, step->text);
	else if (column == WHY_INSTRUCTION)
		instruction_append(p->pages->decoder, p->dso, step->vaddr, out);
	else if (dso_line(p->dso, step->vaddr, &file, &nr))
		g_string_append(out, file);
}

/* An instruction can be in several steps, so the key includes the step. */
static u64 step_key(const void *arg, u32 line)
{
	return table_mix(line, step_at(arg, line)->vaddr);
}

static void add_step(struct why_page *p, struct why_step step)
{
	g_array_append_val(p->steps, step);
	list_rows_add(p->rows, LIST_TOP);
}

static void take_step(void *data, u64 vaddr, const char *text)
{
	add_step(data, (struct why_step){ .vaddr = vaddr, .text = g_strdup(text) });
}

static void add_remark(struct why_page *p, const char *text)
{
	add_step(p, (struct why_step){ .is_remark = true, .text = g_strdup(text) });
}

static void explain(struct why_page *p, u64 vaddr)
{
	struct explain_sink sink = { take_step, p };
	struct typeflow *types = p->pages->types;
	struct access access;

	if (dso_is_by_btf(p->dso))
		add_remark(p, "by BTF: no locals, no globals");
	typeflow_explain(types, p->dso, vaddr, &sink);
	typeflow_lookup(types, p->dso, vaddr, &access);
	if (access.why == ACCESS_NO_DEBUGINFO) {
		/* The reason why no instruction of the object has a type. */
		struct dso_absence absence = dso_no_debug_info(p->dso);

		if (absence.why != DSO_PRESENT)
			add_remark(p, absence.text);
	}
}

/* What came before, if it is not an instruction of the function. */
static const char *remark_of(enum waited_how how)
{
	static const char *const remarks[NR_WAITED_HOW] = {
		[WAITED_UNKNOWN] = "before: the way by which control comes here is not known",
		[WAITED_HERE] = "before: the instruction repeats itself, its samples are its own",
		[WAITED_ENTRY] = "before: the call of this function, in a caller",
		[WAITED_RETURN] = "before: the return of the function that is called here",
		[WAITED_KERNEL] = "before: the kernel's way back from this system call",
		[WAITED_MASKED] = "before: code without interrupts, which are allowed here",
	};

	return remarks[how];
}

/* The instructions executed before the one at @vaddr: its samples are charged to one of them. */
static void explain_before(struct why_page *p, u64 vaddr)
{
	g_autoptr(GArray) ways = g_array_new(FALSE, FALSE, sizeof(struct waited_way));
	struct explain_sink sink = { take_step, p };
	struct typeflow *types = p->pages->types;

	typeflow_waited(types, p->dso, vaddr, true, ways);
	add_remark(
		p,
		ways->len > 1
			? "a timer's samples that name it are charged to one of those executed "
			  "before:"
			: "a timer's samples that name it are charged to the one executed before:");
	for (u32 i = 0; i < ways->len; i++) {
		const struct waited_way *way = &g_array_index(ways, struct waited_way, i);
		const char *remark = remark_of(way->how);

		if (way->how == WAITED_BEFORE)
			typeflow_explain(types, p->dso, way->vaddr, &sink);
		else if (way->how == WAITED_UNKNOWN || way->how == WAITED_HERE ||
			 way->how == WAITED_ENTRY)
			add_remark(p, remark);
		else
			take_step(p, way->vaddr, remark);
	}
}

static char *title_of(struct dso *dso, u64 vaddr)
{
	const struct symbol *symbol = dso_find_symbol(dso, vaddr);

	if (symbol)
		return g_strdup_printf("%s+0x%" PRIx64, dso_symbol_name(dso, symbol),
				       vaddr - symbol->start);
	return g_strdup_printf("0x%" PRIx64, vaddr);
}

static void why_page_free(void *arg)
{
	struct why_page *p = arg;

	for (u32 i = 0; i < p->steps->len; i++)
		g_free(step_at(p, i)->text);
	g_array_unref(p->steps);
	g_free(p);
}

static bool about_step(const struct page *page, struct row row, struct about *out)
{
	const struct why_page *p = page->own;
	const struct why_step *step = step_at(p, list_rows_line(row));

	*out = (struct about){ .dso = step->is_remark ? NULL : p->dso,
			       .symbol = dso_find_symbol(p->dso, step->vaddr),
			       .vaddr = step->vaddr };
	return !step->is_remark;
}

static struct page *open_page(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { step_cell, step_text, step_key };
	const struct why_pages *w = of(pages);
	const struct why_place *place = &g_array_index(w->places, struct why_place, i);
	struct why_page *p = g_new0(struct why_page, 1);
	struct page *page = page_new(title_of(place->dso, place->vaddr));
	g_autoptr(GString) insn = g_string_new(NULL);

	p->pages = w;
	p->dso = place->dso;
	p->steps = g_array_new(FALSE, FALSE, sizeof(struct why_step));
	page->own = p;
	page->free_own = why_page_free;
	page->about = about_step;
	instruction_append(w->decoder, p->dso, place->vaddr, insn);
	notes_add_words(&page->notes, "dso", dso_short_name(p->dso));
	notes_add_number(&page->notes, "address", CELL_ADDRESS, place->vaddr);
	notes_add_words(&page->notes, "instruction", insn->str);
	if (place->samples)
		notes_add_number(&page->notes, "samples", CELL_COUNT, place->samples);
	page->rows = p->rows = list_rows_new(columns, WHY_NR_COLUMNS, &ops, p);
	explain(p, place->vaddr);
	if (w->before)
		explain_before(p, place->vaddr);
	return page;
}

static void why_pages_free(struct pages *pages)
{
	struct why_pages *w = (struct why_pages *)of(pages);

	pages_release(pages);
	g_free(w);
}

struct pages *why_pages_new(const GArray *places, struct typeflow *types,
			    struct insn_decoder *decoder, bool before)
{
	static const struct pages_ops ops = { .open = open_page, .free = why_pages_free };
	struct why_pages *w = g_new0(struct why_pages, 1);

	pages_init(&w->pages, &ops, "annotate", "why");
	w->places = places;
	w->types = types;
	w->decoder = decoder;
	w->before = before;
	w->pages.nr = places->len;
	return &w->pages;
}
