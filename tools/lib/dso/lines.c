// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds for an address its unit, its function, and the inlined calls around it.
 *
 * libdw can do each step, but has no index: dwarf_addrdie() needs .debug_aranges, which clang does not write, and
 * dwarf_getscopes() walks the whole tree of a unit for each address (100,000 entries in a large unit). So two indexes
 * are built here: the address ranges of all units, and, for each unit that is looked up, the address ranges of its
 * functions. Then one look-up walks only one function.
 */
#include "dso/lines.h"

#include <dwarf.h>
#include <string.h>

#include "base/search.h"
#include "base/text.h"
#include "dso/demangle.h"
#include "dso/private.h"

#define SCOPES_DEEP	256 /* nesting of blocks and inlined calls in one function */
#define NAMESPACES_DEEP 32
#define RANGES_MAX	(64u << 20)

struct line_range {
	u64 low, high;
	u32 index; /* unit, or function of a unit */
};

struct line_unit {
	Dwarf_Die die;	   /* the unit's, for the line table */
	Dwarf_Die body;	   /* for functions: the DIE of the split unit, if there is one */
	GArray *functions; /* struct line_range by low; NULL: not yet indexed */
	GArray *dies;	   /* Dwarf_Die of each function */
};

struct frames {
	u64 vaddr;
	struct source_frame *frame;
	u32 nr;
	bool lined; /* they have files and lines, where these are known */
};

struct lines {
	bool indexed;	      /* units and ranges are filled */
	GArray *units;	      /* struct line_unit */
	GArray *ranges;	      /* struct line_range by low, index of a unit */
	GHashTable *by_vaddr; /* u64 * -> struct frames * */
	GStringChunk *texts;
	GHashTable *names; /* raw name -> demangled name in texts */
};

static void frames_free(void *p)
{
	struct frames *f = p;

	g_free(f->frame);
	g_free(f);
}

void lines_free(struct lines *lines)
{
	if (!lines)
		return;
	for (u32 i = 0; i < lines->units->len; i++) {
		struct line_unit *u = &g_array_index(lines->units, struct line_unit, i);

		if (u->functions) {
			g_array_free(u->functions, TRUE);
			g_array_free(u->dies, TRUE);
		}
	}
	g_array_free(lines->units, TRUE);
	g_array_free(lines->ranges, TRUE);
	g_hash_table_destroy(lines->by_vaddr);
	g_hash_table_destroy(lines->names);
	g_string_chunk_free(lines->texts);
	g_free(lines);
}

static int by_low(const void *a, const void *b)
{
	const struct line_range *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static bool add_ranges(GArray *ranges, Dwarf_Die *die, u32 index)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	u32 before = ranges->len;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0 && ranges->len < RANGES_MAX) {
		struct line_range r = { low, high, index };

		/* The linker sets functions that it removes to address 0 or to the last address. */
		if (low < high && low)
			g_array_append_val(ranges, r);
	}
	return ranges->len > before;
}

/* The innermost range that contains @addr: ranges of functions may nest. */
static const struct line_range *find_range(const GArray *ranges, u64 addr)
{
	const struct line_range *all = (const void *)ranges->data;
	u32 from = SEARCH(i, 0, ranges->len, all[i].low <= addr);

	for (u32 back = 0; from && back < 64; back++)
		if (addr < all[--from].high)
			return &all[from];
	return NULL;
}

/* If a unit has no ranges of its own: uses the ranges of its functions. */
static void add_function_ranges(struct lines *lines, Dwarf_Die *unit, u32 index)
{
	Dwarf_Die child;

	if (dwarf_child(unit, &child) != 0)
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_subprogram)
			add_ranges(lines->ranges, &child, index);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static struct lines *lines_new(void)
{
	struct lines *lines = g_new0(struct lines, 1);

	lines->units = g_array_new(FALSE, TRUE, sizeof(struct line_unit));
	lines->ranges = g_array_new(FALSE, FALSE, sizeof(struct line_range));
	lines->by_vaddr = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, frames_free);
	lines->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	lines->texts = g_string_chunk_new(4096);
	return lines;
}

/* Reads the entries of all units: libdw reads the abbreviations of each one for that. */
static void index_units(struct lines *lines, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, sub;
	u8 type;

	if (lines->indexed)
		return;
	lines->indexed = true;
	while (dwarf && dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &sub) == 0) {
		struct line_unit u = { .die = die, .body = die };

		if (type == DW_UT_skeleton && dwarf_tag(&sub) != DW_TAG_invalid && sub.cu)
			u.body = sub;
		else if (dwarf_tag(&die) != DW_TAG_compile_unit && type != DW_UT_skeleton)
			continue;
		if (!add_ranges(lines->ranges, &die, lines->units->len))
			add_function_ranges(lines, &u.body, lines->units->len);
		g_array_append_val(lines->units, u);
	}
	g_array_sort(lines->ranges, by_low);
}

/* Functions are children of the unit, of namespaces and (member functions, old GCC) of classes. */
static void index_functions(struct line_unit *u, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > NAMESPACES_DEEP || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			if (add_ranges(u->functions, &die, u->dies->len))
				g_array_append_val(u->dies, die);
			/* Nested functions (Rust closures, Ada, Fortran) have ranges of their own. */
			index_functions(u, &die, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_lexical_block:
			index_functions(u, &die, depth + 1);
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

static Dwarf_Die *find_function(struct line_unit *u, u64 addr)
{
	const struct line_range *r;

	if (!u->functions) {
		u->functions = g_array_new(FALSE, FALSE, sizeof(struct line_range));
		u->dies = g_array_new(FALSE, FALSE, sizeof(Dwarf_Die));
		index_functions(u, &u->body, 0);
		g_array_sort(u->functions, by_low);
	}
	r = find_range(u->functions, addr);
	return r ? &g_array_index(u->dies, Dwarf_Die, r->index) : NULL;
}

/* The inlined calls around @addr in @parent, outermost first. */
static void find_inlined(Dwarf_Die *parent, u64 addr, GArray *inlined, int depth)
{
	Dwarf_Die die;

	if (depth > SCOPES_DEEP || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_inlined_subroutine:
			if (dwarf_haspc(&die, addr) <= 0)
				continue;
			g_array_append_val(inlined, die);
			find_inlined(&die, addr, inlined, depth + 1);
			return;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			if (dwarf_haspc(&die, addr) <= 0)
				continue;
			find_inlined(&die, addr, inlined, depth + 1);
			return;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

static const char *keep(struct lines *lines, const char *text)
{
	g_autofree char *shown = !text || text_is_shown(text) ? NULL : text_shown(text);

	text = shown ?: text;
	return text ? g_string_chunk_insert_const(lines->texts, text) : NULL;
}

static const char *demangled(struct dso *dso, struct lines *lines, const char *raw)
{
	const char *known = g_hash_table_lookup(lines->names, raw);
	g_autofree char *text = NULL;

	if (known)
		return known;
	if (!dso->table->options.no_demangle)
		text = demangle(raw);
	known = keep(lines, text ?: raw);
	g_hash_table_insert(lines->names, g_strdup(raw), (void *)known);
	return known;
}

static const char *function_name(struct dso *dso, struct lines *lines, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	if (name)
		return demangled(dso, lines, name);
	if (dwarf_attr_integrate(die, DW_AT_name, &attr))
		name = dwarf_formstring(&attr);
	return keep(lines, name);
}

/* In DWARF, the path of a file may be relative to the compiler's working directory. */
static const char *full_path(struct lines *lines, struct line_unit *u, const char *file)
{
	g_autofree char *joined = NULL;
	Dwarf_Attribute attr;
	const char *dir = NULL;

	if (!file || file[0] == '/')
		return keep(lines, file);
	if (dwarf_attr(&u->die, DW_AT_comp_dir, &attr))
		dir = dwarf_formstring(&attr);
	joined = dir ? g_build_filename(dir, file, NULL) : NULL;
	return keep(lines, joined ?: file);
}

static void line_at(struct lines *lines, struct line_unit *u, u64 addr, struct source_frame *out)
{
	Dwarf_Line *line = dwarf_getsrc_die(&u->die, addr);
	int nr = 0;

	if (!line)
		return;
	out->file = full_path(lines, u, dwarf_linesrc(line, NULL, NULL));
	if (dwarf_lineno(line, &nr) == 0 && nr > 0)
		out->line = nr;
}

static void call_site(struct lines *lines, struct line_unit *u, Dwarf_Die *inlined,
		      struct source_frame *out)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word file, line;
	size_t nr;

	if (dwarf_attr(inlined, DW_AT_call_line, &attr) && dwarf_formudata(&attr, &line) == 0)
		out->line = line;
	if (dwarf_attr(inlined, DW_AT_call_file, &attr) && dwarf_formudata(&attr, &file) == 0 &&
	    dwarf_getsrcfiles(&u->body, &files, &nr) == 0 && file < nr)
		out->file = full_path(lines, u, dwarf_filesrc(files, file, NULL, NULL));
}

/* What is around an address. */
struct scopes {
	struct line_unit *unit; /* NULL: nothing is known */
	Dwarf_Die *function;	/* NULL: not known */
	GArray *inlined;	/* Dwarf_Die, outermost first */
};

/* NULL: nothing is known of the address. */
static struct line_unit *unit_at(struct lines *lines, u64 addr)
{
	const struct line_range *r = find_range(lines->ranges, addr);

	return r ? &g_array_index(lines->units, struct line_unit, r->index) : NULL;
}

static struct scopes scopes_at(struct lines *lines, u64 addr)
{
	struct scopes s = { .unit = unit_at(lines, addr) };

	if (!s.unit)
		return s;
	s.inlined = g_array_new(FALSE, FALSE, sizeof(Dwarf_Die));
	s.function = find_function(s.unit, addr);
	if (s.function)
		find_inlined(s.function, addr, s.inlined, 0);
	return s;
}

/* That of the call behind the frame @i, from the innermost one on. */
static Dwarf_Die *inlined_in(const struct scopes *s, u32 i)
{
	return &g_array_index(s->inlined, Dwarf_Die, s->inlined->len - 1 - i);
}

static void set_functions(struct dso *dso, struct frames *f, const struct scopes *s)
{
	struct lines *lines = in(dso)->lines;

	f->nr = s->inlined->len + 1;
	f->frame = g_new0(struct source_frame, f->nr);
	for (u32 i = 0; i < s->inlined->len; i++) {
		f->frame[i].function = function_name(dso, lines, inlined_in(s, i));
		f->frame[i].inlined = true;
	}
	if (s->function)
		f->frame[f->nr - 1].function = function_name(dso, lines, s->function);
}

static void set_lines(struct lines *lines, u64 addr, struct frames *f, const struct scopes *s)
{
	line_at(lines, s->unit, addr, &f->frame[0]);
	for (u32 i = 0; i < s->inlined->len; i++)
		call_site(lines, s->unit, inlined_in(s, i), &f->frame[i + 1]);
	if (!s->function && !f->frame[0].file)
		f->nr = 0;
	f->lined = true;
}

/* Most callers ask for functions only: the table of lines of a unit is large. */
static void complete(struct dso *dso, struct frames *f, u64 addr, bool lined)
{
	struct scopes s = scopes_at(in(dso)->lines, addr);

	if (!s.unit) {
		f->lined = true;
		return;
	}
	if (!f->frame)
		set_functions(dso, f, &s);
	if (lined || !s.function)
		set_lines(in(dso)->lines, addr, f, &s);
	g_array_unref(s.inlined);
}

/* With the lock held. */
static struct lines *lines_of(struct dso *dso)
{
	if (!in(dso)->lines)
		in(dso)->lines = lines_new();
	return in(dso)->lines;
}

static const struct frames *frames_at(struct dso *dso, u64 vaddr, bool lined)
{
	Dwarf_Addr bias;
	struct frames *f;

	dso_lock(dso);
	index_units(lines_of(dso), dso_dwarf(dso, &bias));
	f = g_hash_table_lookup(in(dso)->lines->by_vaddr, &vaddr);
	if (!f) {
		f = g_new0(struct frames, 1);
		f->vaddr = vaddr;
		g_hash_table_insert(in(dso)->lines->by_vaddr, &f->vaddr, f);
		complete(dso, f, vaddr + bias, lined);
	} else if (lined && !f->lined) {
		complete(dso, f, vaddr + bias, true);
	}
	dso_unlock(dso);
	return f;
}

/* The unit that .debug_aranges tells, for which no other one is read; or else that of the index. NULL: nothing is known of the address. */
static struct line_unit *unit_of_line(struct lines *lines, Dwarf *dwarf, u64 addr,
				      struct line_unit *told)
{
	if (!lines->indexed && dwarf_addrdie(dwarf, addr, &told->die))
		return told;
	index_units(lines, dwarf);
	return unit_at(lines, addr);
}

bool dso_line(struct dso *dso, u64 vaddr, const char **file, u32 *line)
{
	struct source_frame found = { NULL };
	struct line_unit told = { .functions = NULL }, *unit;
	Dwarf_Addr bias;
	Dwarf *dwarf;

	dso_lock(dso);
	dwarf = dso_dwarf(dso, &bias);
	unit = unit_of_line(lines_of(dso), dwarf, vaddr + bias, &told);
	if (unit) /* its functions need not be read */
		line_at(in(dso)->lines, unit, vaddr + bias, &found);
	dso_unlock(dso);
	if (!found.file)
		return false;
	*file = found.file;
	*line = found.line;
	return true;
}

u32 dso_frames(struct dso *dso, u64 vaddr, const struct source_frame **frames)
{
	const struct frames *f = frames_at(dso, vaddr, true);

	*frames = f->frame;
	return f->nr;
}

u32 dso_functions(struct dso *dso, u64 vaddr, const struct source_frame **frames)
{
	const struct frames *f = frames_at(dso, vaddr, false);

	*frames = f->frame;
	return f->nr;
}
