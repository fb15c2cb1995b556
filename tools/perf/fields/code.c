// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys of the code that ran: object, function, source line, address. */
#include "fields/private.h"

#include <string.h>

#include "base/append.h"
#include "base/digits.h"
#include "dso/dso.h"
#include "machine/machine.h"
#include "resolve/waited.h"
#include "session/session.h"

static const struct code *function_of(const struct lexicon *lex, u64 key)
{
	return resolver_function(session_resolver(lex->session), (u32)key);
}

const struct code *lexicon_function(const struct lexicon *lex, u64 key)
{
	return key ? function_of(lex, key) : NULL;
}

static const struct code *code_of(const struct lexicon *lex, u64 key)
{
	return resolver_code(session_resolver(lex->session), (u32)key);
}

/* As upstream: two dsos with one name are one row. */
u64 key_dso(struct lexicon *lex, const struct dso *dso)
{
	GArray *names = lex->own->dso_names;
	u32 at = dso ? dso_id(dso) + 1 : 0, *known;

	if (at >= names->len)
		g_array_set_size(names, at + 1);
	known = &g_array_index(names, u32, at);
	if (!*known)
		*known = intern_id(lex->texts, !dso	      ? "[unknown]"
					       : lex->verbose ? dso_long_name(dso)
							      : dso_short_name(dso));
	return *known;
}

static bool append_line(const struct lexicon *lex, const struct code *code, GString *out,
			struct line_place *place)
{
	const char *slash;

	*place = (struct line_place){ .dso = code->dso };
	if (!code_line(code, &place->path, &place->line))
		return false;
	slash = strrchr(place->path, '/');
	g_string_append_printf(out, "%s:%u",
			       slash && !lex->full_source_path ? slash + 1 : place->path,
			       place->line);
	return true;
}

/* "libc.so.6[cf439]": the address as in the ELF file. A file that is none has the offset in the file. */
static void append_address(const struct code *code, GString *out)
{
	u64 address = code->vaddr, offset;

	if (code->map && dso_kind(code->dso) == DSO_USER &&
	    !dso_vaddr_to_foff(code->dso, code->vaddr, &offset))
		address = code->va - code->map->start + code->map->pgoff;
	g_string_append_printf(out, "%s[%" G_GINT64_MODIFIER "x]", dso_short_name(code->dso),
			       address);
}

/* Lines of two files of one name have one text: then neither is its place. */
static void remember_line(struct lexicon *lex, u32 text, const struct line_place *place)
{
	struct line_place *known = g_hash_table_lookup(lex->own->lines, GUINT_TO_POINTER(text));

	if (!known)
		g_hash_table_insert(lex->own->lines, GUINT_TO_POINTER(text),
				    g_memdup2(place, sizeof(*place)));
	else if (known->path != place->path && strcmp(known->path, place->path))
		known->line = 0;
}

bool lexicon_line_place(const struct lexicon *lex, u32 text, struct line_place *out)
{
	const struct line_place *place =
		g_hash_table_lookup(lex->own->lines, GUINT_TO_POINTER(text));

	if (!place || !place->line)
		return false;
	*out = *place;
	return true;
}

u32 lexicon_line(struct lexicon *lex, const struct code *code)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct line_place place;
	u32 id;

	if (append_line(lex, code, text, &place)) {
		id = intern_id(lex->texts, text->str);
		remember_line(lex, id, &place);
		return id;
	}
	if (code->symbol)
		g_string_append_printf(text, "%s+%" G_GUINT64_FORMAT, code_name(code),
				       code->vaddr - code->symbol->start);
	else if (code->dso)
		append_address(code, text);
	else
		g_string_append(text, "??:0");
	return intern_id(lex->texts, text->str);
}

u32 lexicon_line_or_address(struct lexicon *lex, const struct code *code)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct line_place place;

	if (!code->dso)
		return 0;
	if (!append_line(lex, code, text, &place))
		append_address(code, text);
	return intern_id(lex->texts, text->str);
}

static u64 key_place_dso(const struct field *field, struct lexicon *lex, const struct place *p)
{
	lex->unresolved |= !p->ip->dso || (p->ip->function && !p->ip->symbol);
	return key_dso(lex, p->ip->dso);
}

/* Samples without a dso come last. */
static int order_dsos(const struct lexicon *lex, u64 a, u64 b)
{
	const char *x = intern_text(lex->texts, (u32)a), *y = intern_text(lex->texts, (u32)b);

	if (!strcmp(x, "[unknown]") != !strcmp(y, "[unknown]"))
		return !strcmp(x, "[unknown]") ? 1 : -1;
	return strcmp(x, y);
}

/*
 * Remembers where a function was first sampled, for -v. The first code of the function is not enough: it may be a
 * return address on a chain. First means first by time: the file stores all samples of one CPU before those of the
 * next.
 */
static void remember_sampled(struct lexicon *lex, const struct place *p)
{
	GArray *all = lex->own->sampled;
	struct sampled *first;

	if (p->ip->function >= all->len)
		g_array_set_size(all, p->ip->function + 1);
	first = &g_array_index(all, struct sampled, p->ip->function);
	if (!first->code || p->time < first->time)
		*first = (struct sampled){ p->time, p->ip->id };
}

static const struct code *shown_code(const struct lexicon *lex, u64 key)
{
	GArray *all = lex->own->sampled;
	u32 first = key < all->len ? g_array_index(all, struct sampled, key).code : 0;

	return first ? code_of(lex, first) : function_of(lex, key);
}

static u64 key_symbol(const struct field *field, struct lexicon *lex, const struct place *p)
{
	lex->unresolved |= !p->ip->symbol;
	if (lex->verbose && p->sample)
		remember_sampled(lex, p);
	return p->ip->function;
}

/* Orders by name; functions without a name come last. */
int order_functions(const struct lexicon *lex, u64 a, u64 b)
{
	const char *x = a ? code_name(function_of(lex, a)) : NULL;
	const char *y = b ? code_name(function_of(lex, b)) : NULL;

	if (!x || !y)
		return x ? -1 : y ? 1 : 0;
	return strcmp(x, y);
}

static u64 start_of(const struct lexicon *lex, u64 key)
{
	const struct code *code;

	if (!key)
		return 0;
	code = function_of(lex, key);
	return code->symbol ? code->symbol->start : code_bare_address(code);
}

/* Orders by object, then by address. */
static int tie_functions(const struct lexicon *lex, u64 a, u64 b)
{
	const struct dso *m = a ? function_of(lex, a)->dso : NULL;
	const struct dso *n = b ? function_of(lex, b)->dso : NULL;
	int by_dso = !m || !n ? !m - !n : strcmp(dso_short_name(m), dso_short_name(n));
	s64 x = (s64)start_of(lex, a), y = (s64)start_of(lex, b); /* the kernel's come first */

	return by_dso ? by_dso : x < y ? -1 : x > y;
}

/* A name never begins with byte 0xff, which is not valid in UTF-8. So it can mark "no name". */
static void rank_function(const struct lexicon *lex, u64 key, struct field_rank *out)
{
	const struct code *code = key ? function_of(lex, key) : NULL;
	const char *name = code ? code_name(code) : NULL;

	*out = (struct field_rank){ .order = UINT64_MAX, .whole = true };
	if (name) {
		out->order = 0;
		for (u32 i = 0; i < sizeof(u64); i++) {
			out->order = out->order << 8 | (u8)*name;
			name += *name != 0;
		}
		out->whole = !(u8)out->order;
	}
	if (!code || !code->dso)
		return;
	out->group = code->dso;
	out->tie = start_of(lex, key) ^ 1ull << 63;
}

static void print_code(const struct lexicon *lex, const struct code *code, GString *out)
{
	const char *name = code_name(code);

	if (lex->verbose)
		g_string_append_printf(out, "%#-18" G_GINT64_MODIFIER "x %c ",
				       code_bare_address(code),
				       code->dso ? dso_symbols_origin(code->dso) : '!');
	append_char(out, '[');
	append_char(out, code->level);
	append_text(out, "] ");
	if (name) {
		append_text(out, name);
		if (code->inlined)
			append_text(out, " (inlined)");
	} else {
		digits_address(out, code_bare_address(code));
	}
}

void print_function(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	if (key)
		print_code(lex, shown_code(lex, key), out);
	else
		g_string_append(out, "N/A");
}

static u64 key_srcline(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return lexicon_line(lex, p->ip);
}

static u64 key_srcfile(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const char *file, *slash;
	u32 line;

	if (!code_line(p->ip, &file, &line))
		return 0;
	slash = strrchr(file, '/');
	return intern_id(lex->texts, slash && !lex->full_source_path ? slash + 1 : file);
}

static u64 key_symbol_size(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->ip->symbol ? p->ip->symbol->end - p->ip->symbol->start : 0;
}

static u64 key_dso_size(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->ip->map ? p->ip->map->end - p->ip->map->start : 0;
}

static void print_size(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	if (key)
		print_number(field, lex, key, out);
	else
		g_string_append(out, "unknown");
}

static u64 key_addr(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->ip->va;
}

static u64 key_waited(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->waited ? p->waited->code->va : p->ip->va;
}

static u64 key_sampled(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->sampled ? p->sampled->va : p->ip->va;
}

/* Compares addresses as signed numbers: the kernel's come first. */
static int order_va(const struct lexicon *lex, u64 a, u64 b)
{
	return (s64)a < (s64)b ? -1 : (s64)a > (s64)b;
}

static u64 number_of_va(const struct lexicon *lex, u64 key)
{
	return key ^ 1ull << 63;
}

static const struct field_split split_va = { .number = number_of_va };

static void print_va(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	g_string_append_printf(out, "%#" G_GINT64_MODIFIER "x", key);
}

static u64 key_symoff(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->ip->id;
}

static int order_symoffs(const struct lexicon *lex, u64 a, u64 b)
{
	int by_name = order_functions(lex, code_of(lex, a)->function, code_of(lex, b)->function);
	u64 x = code_of(lex, a)->vaddr, y = code_of(lex, b)->vaddr;

	return by_name ? by_name : x < y ? -1 : x > y;
}

static u64 symoff_function(const struct lexicon *lex, u64 key)
{
	return code_of(lex, key)->function;
}

static u64 symoff_address(const struct lexicon *lex, u64 key)
{
	return code_of(lex, key)->vaddr;
}

static const struct field_split split_symoff = { symoff_function, order_functions, symoff_address };

static void print_symoff(const struct field *field, const struct lexicon *lex, u64 key,
			 GString *out)
{
	const struct code *code = code_of(lex, key);

	print_code(lex, code, out);
	if (code->symbol)
		g_string_append_printf(out, "+0x%" G_GINT64_MODIFIER "x",
				       code->vaddr - code->symbol->start);
}

static void print_ipc_null(const struct field *field, const struct lexicon *lex, u64 key,
			   GString *out)
{
	g_string_append(out, "-      -            ");
}

const struct field field_dso = {
	.name = "dso",
	.header = "Shared Object",
	.family = FIELD_NORMAL,
	.width_unresolved = 16,
	.per_frame = true,
	.key = key_place_dso,
	.order = order_dsos,
	.print = print_text,
};

const struct field field_symbol = {
	.name = "symbol",
	.header = "Symbol",
	.family = FIELD_NORMAL,
	.needs = NEED_SYMBOL,
	.loose = true,
	.per_frame = true,
	.key = key_symbol,
	.order = order_functions,
	.tie = tie_functions,
	.rank = rank_function,
	.print = print_function,
};

const struct field field_srcline = {
	.name = "srcline",
	.header = "Source:Line",
	.family = FIELD_NORMAL,
	.needs = NEED_SYMBOL | NEED_LINE | NEED_CHARGED | NEED_INSN,
	.loose = true,
	.per_frame = true,
	.key = key_srcline,
	.order = order_texts,
	.print = print_text,
};

const struct field field_srcfile = {
	.name = "srcfile",
	.header = "Source File",
	.family = FIELD_NORMAL,
	.needs = NEED_SYMBOL | NEED_LINE | NEED_CHARGED | NEED_INSN,
	.loose = true,
	.per_frame = true,
	.key = key_srcfile,
	.order = order_texts,
	.print = print_text,
};

const struct field field_symbol_size = {
	.name = "symbol_size",
	.kind = CELL_BYTES,
	.zero_is_none = true,
	.header = "Symbol size",
	.family = FIELD_NORMAL,
	.needs = NEED_SYMBOL,
	.right = true,
	.per_frame = true,
	.key = key_symbol_size,
	.print = print_size,
};

const struct field field_dso_size = {
	.name = "dso_size",
	.kind = CELL_BYTES,
	.zero_is_none = true,
	.header = "DSO size",
	.family = FIELD_NORMAL,
	.right = true,
	.per_frame = true,
	.key = key_dso_size,
	.print = print_size,
};

const struct field field_addr = {
	.name = "addr",
	.kind = CELL_ADDRESS,
	.header = "Address",
	.family = FIELD_NORMAL,
	.needs = NEED_INSN,
	.width = 18,
	.per_frame = true,
	.key = key_addr,
	.order = order_va,
	.split = &split_va,
	.print = print_va,
};

const struct field field_waited = {
	.name = "waited",
	.kind = CELL_ADDRESS,
	.header = "Waited",
	.family = FIELD_NORMAL,
	.needs = NEED_WAITED,
	.width = 18,
	.key = key_waited,
	.order = order_va,
	.split = &split_va,
	.print = print_va,
};

const struct field field_sampled = {
	.name = "sampled",
	.kind = CELL_ADDRESS,
	.header = "Sampled",
	.family = FIELD_NORMAL,
	.width = 18,
	.key = key_sampled,
	.order = order_va,
	.split = &split_va,
	.print = print_va,
};

const struct field field_symoff = {
	.name = "symoff",
	.header = "Symbol Offset",
	.family = FIELD_NORMAL,
	.needs = NEED_SYMBOL | NEED_INSN,
	.loose = true,
	.per_frame = true,
	.key = key_symoff,
	.order = order_symoffs,
	.split = &split_symoff,
	.print = print_symoff,
};

/*
 * The column that upstream adds to `-s symbol` for a value that only branch records have. It keeps symbols apart that
 * `-s symbol_size` alone would merge into one row.
 */
const struct field field_ipc_null = {
	.name = "ipc_null",
	.header = "IPC   [IPC Coverage]",
	.family = FIELD_NORMAL,
	.needs = NEED_SYMBOL,
	.per_frame = true,
	.key = key_symbol,
	.order = order_functions,
	.print = print_ipc_null,
};
