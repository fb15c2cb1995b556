// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys of the accessed data: type, member, cache line within the type. */
#include <elf.h>
#include <string.h>

#include "base/text.h"
#include "fields/private.h"
#include "resolve/resolve.h"

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

/* False: the variable is no array of the object's type. */
static bool find_index(const struct code *addr, const struct access *access, u64 at, u64 *index)
{
	u64 size = type_strip(access->type)->size;

	if (!size || at % size || addr->symbol->end - addr->symbol->start <= size)
		return false;
	*index = at / size;
	return true;
}

/* "table", "table[2]" or "table+0x8", if the object of @access is within a variable. */
static bool append_in_variable(const struct code *addr, const struct access *access, GString *out)
{
	u64 at, index;

	if (!find_in_variable(addr, access, &at))
		return false;
	g_string_append(out, code_name(addr));
	if (find_index(addr, access, at, &index))
		g_string_append_printf(out, "[%" G_GUINT64_FORMAT "]", index);
	else if (at)
		g_string_append_printf(out, "+0x%" G_GINT64_MODIFIER "x", at);
	return true;
}

/* The start of the accessed object: "struct stats table[2]", or with its address, "struct stats 0x7f3ac8001200". */
static u64 key_object(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct access *access = p->access;
	g_autoptr(GString) text = NULL;
	char buffer[MAX_SHORT_NAME];

	if (!p->addr || !access || !access->type || access->offset == TYPE_OFFSET_ANY)
		return intern_id(lex->texts, "N/A");
	lock_type(p);
	text = g_string_new(type_name(lex, access, buffer));
	unlock_type(p);
	g_string_append_c(text, ' ');
	if (!append_in_variable(p->addr, access, text))
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

/* The key is the index + 1; 0: the object is no element of an array that is a variable. */
static u64 key_index(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct access *access = p->access;
	u64 at, index;
	bool found;

	if (!p->addr || !access || !access->type || access->offset == TYPE_OFFSET_ANY)
		return 0;
	lock_type(p);
	found = find_in_variable(p->addr, access, &at) && find_index(p->addr, access, at, &index);
	unlock_type(p);
	return found ? index + 1 : 0;
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
