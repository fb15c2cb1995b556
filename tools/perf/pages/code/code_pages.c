// SPDX-License-Identifier: GPL-2.0-or-later
/* The page of a function: its instructions, each with its share, source line and accessed data. */
#include <inttypes.h>
#include <string.h>

#include "dso/lines.h"
#include "pages/code/annotate_private.h"
#include "pages/base/about.h"
#include "pages/code/instruction.h"
#include "pages/base/list_rows.h"
#include "dso/sources.h"
#include "session/session.h"

static const struct rows_column columns[CODE_NR_COLUMNS] = {
	[ANNOTATE_SHARE] = { "overhead", "Percent", .kind = CELL_SHARE, .value = true },
	[ANNOTATE_SAMPLES] = { "sample", "Samples", "samples", CELL_COUNT, .value = true },
	[CODE_SAMPLED] = { "sampled_overhead", "Sampled", .kind = CELL_SHARE, .value = true },
	[CODE_SAMPLED_SAMPLES] = { "sampled", "Sampled", "samples", CELL_COUNT, .value = true },
	[CODE_ADDRESS] = { "address", "Address", .kind = CELL_ADDRESS, .right = true },
	[CODE_BYTES] = { "bytes", "Bytes", .kind = CELL_TEXT },
	[CODE_INSTRUCTION] = { "instruction", "Instruction", .kind = CELL_TEXT },
	[CODE_REFERENCES] = { "references", "References", .kind = CELL_TEXT },
	[CODE_FILE] = { "file", "File", .kind = CELL_TEXT },
	[CODE_LINE] = { "line", "Line", .kind = CELL_ID, .right = true },
	[CODE_SOURCE] = { "source", "Source", .kind = CELL_TEXT },
	[CODE_FLOW] = { "flow", "Flow", .kind = CELL_TEXT },
	[CODE_TARGET] = { "target", "Target", .kind = CELL_ADDRESS, .right = true },
	[CODE_TYPE] = { "type", "Data Type", .kind = CELL_TEXT },
	[CODE_OFFSET] = { "type_offset", "Offset", .kind = CELL_BYTES, .right = true },
	[CODE_MEMBER] = { "member", "Field", .kind = CELL_TEXT },
	[CODE_ACCESS] = { "access", "Access", .kind = CELL_TEXT },
};

struct code_pages {
	struct pages pages;
	struct code_profiles *profiles;
	struct annotate_pages_options o;
	GArray *list; /* struct annotated */
	struct sources *sources;
	u32 without_code;
	bool cut; /* a page has only a part of its instructions */
};

static const struct code_pages *of(const struct pages *pages)
{
	return container_of(pages, struct code_pages, pages);
}

struct code_page {
	const struct code_pages *pages;
	const struct code_profile *profile;
	struct annotated_events events;
	struct rows_column *columns;
	const u8 *code;
	size_t size;
	GArray *starts; /* u32: offsets of instructions from the function's start */
};

static u64 vaddr_of(const struct code_page *p, u32 line)
{
	return p->profile->symbol->start + g_array_index(p->starts, u32, line);
}

static u32 size_of(const struct code_page *p, u32 line)
{
	u32 end = line + 1 < p->starts->len ? g_array_index(p->starts, u32, line + 1)
					    : (u32)p->size;

	return end - g_array_index(p->starts, u32, line);
}

static const u8 *code_at(const struct code_page *p, u32 line, size_t *left)
{
	u32 start = g_array_index(p->starts, u32, line);

	*left = p->size - start;
	return p->code + start;
}

static bool source_of(const struct code_page *p, u32 line, const char **file, u32 *nr)
{
	return dso_line(p->profile->dso, vaddr_of(p, line), file, nr) && *nr;
}

/* The text of the source line; NULL: the file does not have it. */
static const char *source_text(const struct code_page *p, u32 line)
{
	const char *file;
	u32 nr;

	return source_of(p, line, &file, &nr) ? sources_line(p->pages->sources, file, nr) : NULL;
}

/* Does the instruction's access have data to show? */
static bool access_of(const struct code_page *p, u32 line, struct access *access)
{
	if (!p->pages->o.types)
		return false;
	typeflow_lookup(p->pages->o.types, p->profile->dso, vaddr_of(p, line), access);
	return access->type || (p->pages->o.pseudo_types && access->how != ACCESS_UNKNOWN);
}

/* The member's path, or a text in its place. */
static bool member_of(const struct access *access, char path[256])
{
	struct type_use use = access_use(access);

	if (access->type && access->offset == TYPE_OFFSET_ANY)
		return g_strlcpy(path, "one of several", 256);
	return access->type && type_use_path(access->type, (u64)access->offset, &use, path, 256);
}

static void decode(const struct code_page *p, u32 line, struct insn *insn)
{
	size_t left;
	const u8 *code = code_at(p, line, &left);

	insn_decoder_select(p->pages->o.decoder, dso_machine(p->profile->dso));
	insn_decode(p->pages->o.decoder, code, left, vaddr_of(p, line), insn);
}

/* The instruction's control flow: jump, call, return; NULL: it goes on to the next instruction. */
static const char *flow_of(const struct code_page *p, u32 line)
{
	static const char *const words[] = {
		[INSN_JUMP] = "jump",  [INSN_COND] = "branch", [INSN_CALL] = "call",
		[INSN_RET] = "return", [INSN_STOP] = "stop",
	};
	struct insn insn;

	decode(p, line, &insn);
	return words[insn.flow];
}

static bool has_text(const struct code_page *p, u32 line, u32 column)
{
	struct access access;
	char path[256];
	const char *file;
	u32 nr;

	if (column == CODE_FILE)
		return source_of(p, line, &file, &nr);
	if (column == CODE_SOURCE)
		return source_text(p, line);
	if (column == CODE_TYPE)
		return access_of(p, line, &access);
	if (column == CODE_MEMBER)
		return access_of(p, line, &access) && member_of(&access, path);
	if (column == CODE_ACCESS)
		return access_of(p, line, &access) && access.roles;
	if (column == CODE_FLOW)
		return flow_of(p, line);
	return true;
}

static void insn_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct code_page *p = arg;
	struct access access;
	struct insn insn;
	const char *file;
	u32 nr;

	if (column < CODE_NR_VALUES) {
		annotated_cell(&p->events, column, part,
			       (column < ANNOTATE_NR_VALUES ? code_profile_sum
							    : code_profile_sampled)(
				       p->profile, p->events.events[part], vaddr_of(p, line),
				       size_of(p, line)),
			       out);
	} else if (column == CODE_ADDRESS) {
		out->number = vaddr_of(p, line);
	} else if (column == CODE_LINE && source_of(p, line, &file, &nr)) {
		out->number = nr;
	} else if (column == CODE_OFFSET && access_of(p, line, &access) && access.type &&
		   access.offset != TYPE_OFFSET_ANY) {
		out->number = (u64)access.offset;
		out->is_signed = true;
	} else if (column == CODE_TARGET) {
		decode(p, line, &insn);
		out->number = insn.target;
		out->kind = insn.target ? CELL_ADDRESS : CELL_NONE;
	} else if (columns[column].kind != CELL_TEXT || !has_text(p, line, column)) {
		out->kind = CELL_NONE;
	}
}

static void append_bytes(const struct code_page *p, u32 line, GString *out)
{
	size_t left;
	const u8 *code = code_at(p, line, &left);

	for (u32 i = 0; i < size_of(p, line); i++)
		g_string_append_printf(out, "%s%02x", i ? " " : "", code[i]);
}

/* Appends " <name+0x8>"; nothing if no symbol covers the address. */
static void append_symbol(const struct code_page *p, u64 vaddr, GString *out)
{
	const struct symbol *symbol = dso_find_symbol(p->profile->dso, vaddr);

	if (!symbol)
		return;
	g_string_append_printf(out, " <%s", dso_symbol_name(p->profile->dso, symbol));
	if (vaddr != symbol->start)
		g_string_append_printf(out, "+0x%" PRIx64, vaddr - symbol->start);
	g_string_append_c(out, '>');
}

static void append_references(const struct code_page *p, u32 line, GString *out)
{
	struct insn insn;

	decode(p, line, &insn);
	if (insn.target)
		append_symbol(p, insn.target, out);
	for (u32 i = 0; i < insn.nr_operands; i++) {
		if (insn.operands[i].kind != INSN_MEM || !insn.operands[i].relative)
			continue;
		g_string_append_printf(out, "        # %" PRIx64, (u64)insn.operands[i].mem.disp);
		append_symbol(p, (u64)insn.operands[i].mem.disp, out);
	}
}

static void append_file(const struct code_page *p, u32 line, GString *out)
{
	const char *file;
	u32 nr;

	source_of(p, line, &file, &nr);
	g_string_append(out, file);
}

static void append_access(const struct code_page *p, u32 line, u32 column, GString *out)
{
	struct access access;
	char path[256];

	access_of(p, line, &access);
	if (column == CODE_TYPE)
		g_string_append(out, access_type_name(&access));
	else if (column == CODE_ACCESS)
		g_string_append(out, annotated_roles(access.roles));
	else if (member_of(&access, path))
		g_string_append(out, path);
}

static void insn_cell_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	const struct code_page *p = arg;

	switch (column) {
	case CODE_BYTES:
		append_bytes(p, line, out);
		break;
	case CODE_INSTRUCTION:
		instruction_append(p->pages->o.decoder, p->profile->dso, vaddr_of(p, line), out);
		break;
	case CODE_REFERENCES:
		append_references(p, line, out);
		break;
	case CODE_FILE:
		append_file(p, line, out);
		break;
	case CODE_FLOW:
		g_string_append(out, flow_of(p, line));
		break;
	case CODE_SOURCE:
		g_string_append(out, source_text(p, line));
		break;
	default:
		append_access(p, line, column, out);
	}
}

static bool about_insn(const struct page *page, struct row row, struct about *out)
{
	const struct code_page *p = page->own;
	u32 line = list_rows_line(row);
	struct access access;
	struct insn insn;

	decode(p, line, &insn);
	*out = (struct about){ .dso = p->profile->dso,
			       .symbol = p->profile->symbol,
			       .vaddr = vaddr_of(p, line),
			       .target = insn.target,
			       .calls = insn.flow == INSN_CALL };
	if (access_of(p, line, &access) && access.type) {
		out->type = access.type;
		if (access.offset != TYPE_OFFSET_ANY) {
			out->offset = (u64)access.offset;
			out->size = 1;
		}
	}
	return true;
}

static u64 insn_key(const void *arg, u32 line)
{
	return vaddr_of(arg, line);
}

static void code_page_free(void *arg)
{
	struct code_page *p = arg;

	annotated_release(&p->events);
	g_array_unref(p->starts);
	g_free(p->columns);
	g_free(p);
}

/* Limit for a function. With a damaged symbol table, a function can have any size. */
#define MAX_INSTRUCTIONS (1 << 21)

/* Finds the starts of the instructions. Their text is made only when they are shown. */
static void add_instructions(struct code_page *p, struct rows *rows)
{
	for (u32 at = 0; at < p->size && p->starts->len < MAX_INSTRUCTIONS;) {
		struct insn insn;

		insn_decode(p->pages->o.decoder, p->code + at, p->size - at,
			    p->profile->symbol->start + at, &insn);
		g_array_append_val(p->starts, at);
		list_rows_add(rows, LIST_TOP);
		at += insn.size;
	}
}

/* Sets what 100% is. */
static void set_whole(struct code_page *p)
{
	for (u32 k = 0; k < p->events.nr; k++) {
		u32 event = p->events.events[k];

		annotated_whole(&p->pages->o, &p->events, k, p->profile->total[event],
				p->pages->profiles->total[event]);
	}
}

void code_pages_look(struct pages *pages, struct page *page, enum annotate_percent percent)
{
	struct code_pages *c = (struct code_pages *)of(pages);

	c->o.percent = percent;
	set_whole(page->own);
	notes_set_words(&page->notes, "percent_of", annotate_percent_name(percent));
}

static struct page *open_page(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { insn_cell, insn_cell_text, insn_key };
	struct code_pages *c = (struct code_pages *)of(pages);
	const struct annotated *a = &g_array_index(c->list, struct annotated, i);
	const struct code_profile *profile = a->profile;
	const struct symbol *symbol = profile->symbol;
	u32 nr_columns = c->o.types ? CODE_NR_COLUMNS : CODE_TYPE;
	size_t size;
	const u8 *code = dso_listed_code(profile->dso, c->o.decoder, symbol->start, &size);
	struct code_page *p;
	struct page *page;
	u64 samples = 0;

	if (!code) {
		c->without_code++;
		return NULL;
	}
	p = g_new0(struct code_page, 1);
	p->pages = c;
	p->profile = profile;
	p->code = code;
	p->size = MIN(MIN(size, symbol->end - symbol->start), UINT32_MAX / 2);
	p->starts = g_array_new(FALSE, FALSE, sizeof(u32));
	page = annotated_page(&c->o, a, g_strdup(dso_symbol_name(profile->dso, symbol)),
			      &p->events);
	set_whole(p);
	p->columns = annotated_columns(columns, nr_columns, &p->events);
	for (u32 k = a->first; k < a->first + a->nr; k++)
		samples += profile->total[k].samples;
	notes_add_words(&page->notes, "dso",
			c->o.full_paths ? dso_long_name(profile->dso)
					: dso_short_name(profile->dso));
	notes_add_number(&page->notes, "samples", CELL_COUNT, samples);
	notes_add_number(&page->notes, "start", CELL_ADDRESS, symbol->start);
	page->rows = list_rows_new(p->columns, nr_columns, &ops, p);
	page->own = p;
	page->free_own = code_page_free;
	page->about = about_insn;
	add_instructions(p, page->rows);
	if (p->starts->len == MAX_INSTRUCTIONS)
		c->cut = true;
	return page;
}

static void code_pages_free(struct pages *pages)
{
	struct code_pages *c = (struct code_pages *)of(pages);

	sources_free(c->sources);
	g_array_unref(c->list);
	pages_release(pages);
	g_free(c);
}

static void remark(struct pages *pages, struct notes *notes)
{
	const struct code_pages *c = of(pages);

	if (c->cut)
		notes_add(notes, NOTE_REMARK,
			  "only the first %u instructions of a function are listed",
			  MAX_INSTRUCTIONS);
	annotated_remark(&c->o, notes);
}

/* Adds the requested function, even if it has no samples. */
static void list_function(struct code_pages *c, struct annotated a)
{
	struct code ip = { .dso = c->o.function->dso, .symbol = c->o.function->symbol };

	a.profile = code_profiles_get(c->profiles, &ip);
	g_array_append_val(c->list, a);
}

static void list_group(struct code_pages *c, struct annotated a)
{
	code_profiles_sort(c->profiles, a.first, a.nr);
	for (u32 i = 0; i < c->profiles->profiles->len; i++) {
		const struct code_profile *profile;
		u64 samples = 0;

		a.profile = g_ptr_array_index(c->profiles->profiles, i);
		profile = a.profile;
		for (u32 k = a.first; k < a.first + a.nr; k++)
			samples += profile->total[k].samples;
		if (samples && !annotated_below_limit(&c->o, profile->total[a.first].period,
						      &c->profiles->total[a.first]))
			g_array_append_val(c->list, a);
	}
}

struct pages *code_pages_new(struct code_profiles *profiles, const struct annotate_pages_options *o)
{
	static const struct pages_ops ops = { open_page, remark, code_pages_free };
	struct code_pages *c = g_new0(struct code_pages, 1);
	struct annotated a = { 0 };

	pages_init(&c->pages, &ops, "annotate", "code");
	c->profiles = profiles;
	c->o = *o;
	c->list = g_array_new(FALSE, FALSE, sizeof(struct annotated));
	c->sources = sources_new(session_packed(o->session), o->source_prefix, o->source_strip);
	while (annotated_next(o, profiles->nr_events, &a)) {
		if (o->function)
			list_function(c, a);
		else
			list_group(c, a);
	}
	c->pages.nr = c->list->len;
	return &c->pages;
}

u32 code_pages_without(const struct pages *pages)
{
	return of(pages)->without_code;
}

void code_pages_function(const struct pages *pages, u32 i, struct annotate_function *out)
{
	const struct code_profile *profile =
		g_array_index(of(pages)->list, struct annotated, i).profile;

	*out = (struct annotate_function){ profile->dso, profile->symbol };
}

char *code_pages_event(const struct pages *pages, u32 i)
{
	const struct annotated *a = &g_array_index(of(pages)->list, struct annotated, i);

	return annotated_event(&of(pages)->o, a);
}
