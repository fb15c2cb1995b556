// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys of the accessed data: type, member, cache line within the type. */
#include <elf.h>
#include <string.h>

#include "base/text.h"
#include "fields/private.h"
#include "resolve/data_address.h"
#include "resolve/resolve.h"
#include "session/session.h"
#include "typeflow/typeflow.h"

#define MAX_SHORT_NAME 512

/* The type's name in the form that --type-names sets. The result may be in @buffer. */
static const char *type_name(const struct lexicon *lex, const struct access *access,
			     char buffer[MAX_SHORT_NAME])
{
	const char *name = access_type_name(access);

	if (!lex->short_types || !access->type)
		return name;
	return type_name_short(name, buffer, MAX_SHORT_NAME);
}

/*
 * The width limit of a column of types on a terminal: Overhead, Samples and the column fit into 80 columns. Longer
 * names are cut in the middle, which is the least useful part.
 */
#define TERMINAL_COLUMNS 56

static void print_cut(const struct lexicon *lex, const char *text, GString *out)
{
	char buffer[MAX_SHORT_NAME];
	const char *name = lex->cut_types ? type_name_short(text, buffer, sizeof(buffer)) : text;
	size_t size = strlen(name);
	u32 half = (TERMINAL_COLUMNS - 3) / 2, columns = text_columns(name, size), left = columns;
	const char *tail = name;

	if (!lex->cut_types || columns <= TERMINAL_COLUMNS) {
		g_string_append(out, name);
		return;
	}
	while (left > half) {
		do
			tail++;
		while ((*tail & 0xc0) == 0x80);
		left = text_columns(tail, strlen(tail));
	}
	g_string_append_len(out, name, (gssize)text_fit(name, size, half));
	g_string_append(out, "...");
	g_string_append(out, tail);
}

static void print_type(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	print_cut(lex, intern_text(lex->texts, (u32)key), out);
}

/* Names and members are read at the first request. Only one thread at a time may do that. */
static void lock_type(const struct place *p)
{
	if (p->access && p->access->type)
		type_lock(p->access->type);
}

static void unlock_type(const struct place *p)
{
	if (p->access && p->access->type)
		type_unlock(p->access->type);
}

static u64 key_type(const struct field *field, struct lexicon *lex, const struct place *p)
{
	char buffer[MAX_SHORT_NAME];
	u64 id;

	lock_type(p);
	id = intern_id(lex->texts, p->access ? type_name(lex, p->access, buffer) : "(unknown)");
	unlock_type(p);
	return id;
}

static u64 key_typeoff(const struct field *field, struct lexicon *lex, const struct place *p)
{
	g_autoptr(GString) text = NULL;
	char buffer[MAX_SHORT_NAME];
	struct type_use use;

	if (!p->access || !p->access->type)
		return key_type(field, lex, p);
	text = g_string_new(NULL);
	use = access_use(p->access);
	lock_type(p);
	type_use_append(p->access->type, type_name(lex, p->access, buffer), p->access->offset, &use,
			text);
	unlock_type(p);
	return intern_id(lex->texts, text->str);
}

#define NO_LINE UINT32_MAX /* several members: line not known; or no memory access */

/* The key combines the cache line's number and the type's name. */
static u64 key_typecln(const struct field *field, struct lexicon *lex, const struct place *p)
{
	u64 line = 0;

	if (p->access && (p->access->why == ACCESS_NO_MEMORY ||
			  (p->access->type && p->access->offset == TYPE_OFFSET_ANY)))
		line = NO_LINE;
	else if (p->access && p->access->type)
		line = (u64)(p->access->offset / (s64)lex->cache_line_size);
	return (line & UINT32_MAX) << 32 | (u32)key_type(field, lex, p);
}

static int order_typecln(const struct lexicon *lex, u64 a, u64 b)
{
	int by_name = order_texts(lex, (u32)a, (u32)b);

	return by_name ? by_name : (a >> 32) < (b >> 32) ? -1 : (a >> 32) > (b >> 32);
}

static void print_typecln(const struct field *field, const struct lexicon *lex, u64 key,
			  GString *out)
{
	print_cut(lex, intern_text(lex->texts, (u32)key), out);
	if (key >> 32 != NO_LINE)
		g_string_append_printf(out, ": cache-line %d", (int)(key >> 32));
}

/* How far behind the start of its variable the object of @access begins. False: it is not in a variable. */
static bool find_in_variable(const struct code *addr, const struct access *access, u64 *at)
{
	if (!code_name(addr) || addr->symbol->type != STT_OBJECT)
		return false;
	*at = addr->vaddr - addr->symbol->start - (u64)access->offset;
	return *at <= addr->symbol->end - addr->symbol->start;
}

#define MOST_DEPTH 16 /* members in members */

/* The debug information of several files may describe one type. */
static bool same_type(const struct type *a, const struct type *b)
{
	return a == b || (a->kind == b->kind && a->size == b->size && !strcmp(a->name, b->name));
}

/* Which element of an array an object is. */
struct element {
	const struct type *type; /* of the element */
	bool within;		 /* it may begin before the address that is looked for */
	u64 index;		 /* out */
	u64 outside; /* out: how far behind the start of the variable the array begins */
};

/*
 * Finds the element at @at of an object of type @whole. Example: struct { long nr, size; struct pair at[4]; } list. The pair at list + 24
 * is element 1 of list.at. False: there is no element of the type.
 */
static bool find_element(const struct type *whole, u64 at, u32 depth, struct element *e)
{
	const struct type *target;
	const struct member *member;
	u32 i = 0;

	whole = type_strip(whole);
	if (whole->kind == TYPE_ARRAY && depth < MOST_DEPTH) {
		target = type_strip(type_target(whole));
		if (!target->size)
			return false;
		e->index = at / target->size;
		if ((e->within || !(at % target->size)) && same_type(target, e->type))
			return true;
		e->outside += e->index * target->size;
		return find_element(target, at % target->size, depth + 1, e);
	}
	if (!type_is_compound(whole) || depth >= MOST_DEPTH)
		return false;
	while ((member = type_member_at(whole, at, &i))) {
		u64 before = e->outside;

		e->outside += member->offset;
		if (find_element(member->type, at - member->offset, depth + 1, e))
			return true;
		e->outside = before;
	}
	return false;
}

/*
 * Which element of an array within its variable the object of @p is, by the variable's type. The symbol alone does not tell: of
 * struct { struct pair first, second; }, second is no element. @at is what find_in_variable() found.
 */
static bool find_index(const struct place *p, u64 at, struct element *e)
{
	struct pointee variable;
	bool found = false;

	*e = (struct element){ 0 };
	lock_type(p);
	e->type = type_strip(p->access->type);
	e->within = e->type->kind == TYPE_ARRAY;
	if (e->within)
		e->type = type_strip(type_target(e->type));
	unlock_type(p);
	if (!session_data_variable(p, &variable) || variable.offset - p->access->offset != (s64)at)
		return false;
	type_lock(variable.type);
	found = find_element(variable.type, e->within ? (u64)variable.offset : at, 0, e);
	type_unlock(variable.type);
	return found;
}

/* "table", "table[2]" or "table+0x8", if the object of @p is within a variable. */
static bool append_in_variable(const struct place *p, GString *out)
{
	struct element e;
	u64 at;

	if (!find_in_variable(p->addr, p->access, &at))
		return false;
	g_string_append(out, code_name(p->addr));
	if (find_index(p, at, &e) && !e.outside)
		g_string_append_printf(out, "[%" G_GUINT64_FORMAT "]", e.index);
	else if (at)
		g_string_append_printf(out, "+0x%" G_GINT64_MODIFIER "x", at);
	return true;
}

/* The address is known, and at which offset of which type it is. */
static bool has_object(const struct place *p)
{
	return p->addr && p->addr_how != ADDRESS_NONE && p->access && p->access->type &&
	       p->access->offset != TYPE_OFFSET_ANY;
}

/* The start of the accessed object: "struct stats table[2]", or with its address, "struct stats 0x7f3ac8001200". */
static u64 key_object(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct access *access = p->access;
	g_autoptr(GString) text = NULL;
	char buffer[MAX_SHORT_NAME];

	if (!has_object(p))
		return intern_id(lex->texts, "N/A");
	lock_type(p);
	text = g_string_new(type_name(lex, access, buffer));
	unlock_type(p);
	g_string_append_c(text, ' ');
	if (!append_in_variable(p, text))
		g_string_append_printf(text, "0x%" G_GINT64_MODIFIER "x",
				       p->addr->va - (u64)access->offset);
	return intern_id(lex->texts, text->str);
}

const struct field field_object = {
	.name = "object",
	.header = "Data Object of a Type",
	.family = FIELD_NORMAL,
	.needs = NEED_ADDR | NEED_SYMBOL | NEED_DATA_TYPE | NEED_CHARGED,
	.key = key_object,
	.order = order_texts,
	.print = print_type,
};

/* The key is the index + 1; 0: the object is no element of an array in a variable. */
static u64 key_index(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct element e;
	u64 at;

	if (!has_object(p) || !find_in_variable(p->addr, p->access, &at) || !find_index(p, at, &e))
		return 0;
	return e.index + 1;
}

static void print_index(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	if (key)
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, key - 1);
	else
		g_string_append(out, "N/A");
}

const struct field field_index = {
	.name = "index",
	.header = "Index",
	.family = FIELD_NORMAL,
	.needs = NEED_ADDR | NEED_SYMBOL | NEED_DATA_TYPE | NEED_CHARGED,
	.key = key_index,
	.print = print_index,
};

const struct field field_type = {
	.name = "type",
	.header = "Data Type",
	.family = FIELD_NORMAL,
	.needs = NEED_DATA_TYPE | NEED_CHARGED,
	.key = key_type,
	.order = order_texts,
	.print = print_type,
};

#define NO_RANK	    0x100 /* + enum access_why */
#define PSEUDO_TYPE (NO_RANK + NR_ACCESS_WHY)

/* How certain the type is; without a type, why there is none. */
static u64 key_type_rank(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct access *access = p->access;

	if (!access)
		return NO_RANK + ACCESS_NO_SYMBOL;
	if (access->type)
		return (u64)access_rank(access);
	if (access->why != ACCESS_WHY_NONE)
		return NO_RANK + (u64)access->why;
	return access->how == ACCESS_SEVERAL ? NO_RANK + ACCESS_AMBIGUOUS : PSEUDO_TYPE;
}

static void print_type_rank(const struct field *field, const struct lexicon *lex, u64 key,
			    GString *out)
{
	g_string_append(out, key < NO_RANK ? access_rank_name((enum access_rank)key)
			     : key == PSEUDO_TYPE
				     ? "pseudo"
				     : access_why_word((enum access_why)(key - NO_RANK)));
}

const struct field field_type_rank = {
	.name = "type_rank",
	.header = "Type Rank",
	.family = FIELD_NORMAL,
	.needs = NEED_DATA_TYPE | NEED_CHARGED,
	.key = key_type_rank,
	.print = print_type_rank,
};

const struct field field_typeoff = {
	.name = "typeoff",
	.header = "Data Type Offset",
	.family = FIELD_NORMAL,
	.needs = NEED_DATA_TYPE | NEED_CHARGED,
	.key = key_typeoff,
	.order = order_texts,
	.print = print_type,
};

const struct field field_typecln = {
	.name = "typecln",
	.header = "Data Type Cacheline",
	.family = FIELD_NORMAL,
	.needs = NEED_DATA_TYPE | NEED_CHARGED,
	.key = key_typecln,
	.order = order_typecln,
	.print = print_typecln,
};
