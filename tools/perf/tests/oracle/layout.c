// SPDX-License-Identifier: GPL-2.0-or-later
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "layout.h"

#define MAX_DEPTH 40

struct layout {
	int fd;
	Dwarf *dwarf;
	GHashTable *by_name;   /* normal name -> GArray of u64 DIE offsets */
	GHashTable *by_bare;   /* the same without namespaces and template arguments */
	GHashTable *qualified; /* DIE offset -> name with its namespaces */
	GHashTable *normal;    /* name as asked for or printed -> layout_normal() of it */
};

/* A path from the object to a byte: ancestors whose offsets lose the array's index. */
struct step {
	Dwarf_Die die;
	s64 offset;
	const char *member; /* by which it was reached */
};

struct walk {
	struct layout *layout;
	GArray *views;
	struct step path[MAX_DEPTH];
	u32 depth;
	const char *next_member;
	bool bits; /* it is a bit field */
	u64 extra; /* bytes behind the object that its flexible member has */
};

static void view_clear(void *p)
{
	g_free(((struct view *)p)->name);
	g_free(((struct view *)p)->bare);
	g_free(((struct view *)p)->member);
}

GArray *layout_views_new(void)
{
	GArray *views = g_array_new(FALSE, FALSE, sizeof(struct view));

	g_array_set_clear_func(views, view_clear);
	return views;
}

/* Takes @name, in normal form. */
static void add_view(GArray *views, struct view view, char *name)
{
	view.name = name;
	view.bare = strstr(name, "::") || strchr(name, '<') ? layout_bare(name) : NULL;
	g_array_append_val(views, view);
}

/* The words of integer types, which have several orders: "long unsigned int", "unsigned long". */
struct integer_words {
	u32 nr_long;
	bool any, is_unsigned, is_signed, is_short, is_char, is_int;
};

static bool take_integer_word(struct integer_words *w, const char *word, size_t n)
{
	static const char words[][9] = { "long", "unsigned", "signed", "short", "char", "int" };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (*word == *words[i] && strlen(words[i]) == n && !memcmp(word, words[i], n))
			break;
	switch (i) {
	case 0:
		w->nr_long++;
		break;
	case 1:
		w->is_unsigned = true;
		break;
	case 2:
		w->is_signed = true;
		break;
	case 3:
		w->is_short = true;
		break;
	case 4:
		w->is_char = true;
		break;
	case 5:
		w->is_int = true;
		break;
	default:
		return false;
	}
	w->any = true;
	return true;
}

static void put_integer(struct integer_words *w, GString *out)
{
	if (!w->any)
		return;
	if (w->is_unsigned)
		g_string_append_c(out, 'u');
	if (w->is_signed && w->is_char)
		g_string_append_c(out, 's');
	if (w->is_char)
		g_string_append(out, "char");
	else if (w->is_short)
		g_string_append(out, "short");
	else if (w->nr_long)
		g_string_append(out, w->nr_long > 1 ? "longlong" : "long");
	else
		g_string_append(out, "int");
	*w = (struct integer_words){ 0 };
}

static bool is_noise(const char *word, size_t n)
{
	static const char *const words[] = { "struct", "union",	   "class", "enum",
					     "const",  "volatile", "mut" };

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (*word == *words[i] && strlen(words[i]) == n && !memcmp(word, words[i], n))
			return true;
	return false;
}

/*
 * "union page.{lru}", "struct of counters", "enum {RED}": the type has no name, and is called by what is
 * declared with it. Where that ends; @name itself where the type has one.
 */
static const char *skip_declarer(const char *name)
{
	static const char *const keywords[] = { "struct ", "union ", "class ", "enum " };

	for (u32 i = 0; i < ARRAY_SIZE(keywords); i++) {
		const char *rest = name + strlen(keywords[i]);
		bool of;
		size_t n;

		if (!g_str_has_prefix(name, keywords[i]))
			continue;
		of = g_str_has_prefix(rest, "of ");
		rest += of ? strlen("of ") : 0;
		n = strcspn(rest, " <*[&");
		return of || memchr(rest, '.', n) || *rest == '{' ? rest + n : name;
	}
	return name;
}

/* "{lambda#1}", "(lambda at line 7)" and "(unknown type)" are as good as no name. */
static void drop_nameless(GString *name)
{
	char *from, *to;

	while ((to = strchr(name->str, '}')) &&
	       (from = g_strrstr_len(name->str, to - name->str, "{")))
		g_string_erase(name, from - name->str, to + 1 - from);
	while ((from = strstr(name->str, "(lambdaat")) && (to = strchr(from, ')')))
		g_string_erase(name, from - name->str, to + 1 - from);
	g_string_replace(name, "(unknowntype)", "", 0);
}

/* Rust's "[u32; 4]", without blanks, as it is written here: "u32[]". Inner ones first. */
static void turn_arrays(GString *name)
{
	char *semicolon;

	while ((semicolon = strrchr(name->str, ';'))) {
		char *open = g_strrstr_len(name->str, semicolon - name->str, "[");
		char *close = strchr(semicolon, ']');

		if (!open || !close)
			return;
		g_string_erase(name, semicolon - name->str, close + 1 - semicolon);
		g_string_insert(name, semicolon - name->str, "[]");
		g_string_erase(name, open - name->str, 1);
	}
}

/* "f(int)::T" is T to its debug information, which has no name for a scope in a function. */
static void drop_function_scope(GString *name)
{
	int depth = 0;

	for (gsize i = name->len; i-- > 2;) {
		depth += name->str[i] == '>' && name->str[i - 1] != '-';
		depth -= name->str[i] == '<';
		if (!depth && name->str[i] == ':' && name->str[i - 1] == ':' &&
		    name->str[i - 2] == ')') {
			g_string_erase(name, 0, (gssize)i + 1);
			return;
		}
	}
}

char *layout_normal(const char *name)
{
	struct integer_words integer = { 0 };
	GString *out = g_string_new(NULL);

	for (const char *p = skip_declarer(name); *p;) {
		size_t n = 0;

		/* The lifetimes in Rust's own name of a type, which all read '_. */
		if (*p == '<' && g_str_has_prefix(p, "<'_>")) {
			p += 4;
			continue;
		}
		while (g_ascii_isalnum(p[n]) || p[n] == '_')
			n++;
		if (n && !is_noise(p, n) && !take_integer_word(&integer, p, n)) {
			put_integer(&integer, out);
			g_string_append_len(out, p, (gssize)n);
		} else if (!n && !g_ascii_isspace(*p)) {
			put_integer(&integer, out);
			g_string_append_c(out, *p);
		}
		p += n ? n : 1;
	}
	put_integer(&integer, out);
	drop_nameless(out);
	drop_function_scope(out);
	turn_arrays(out);
	/* Rust's own name of a type leaves the usual allocator out, its debug information does not. */
	g_string_replace(out, ",alloc::alloc::Global", "", 0);
	return g_string_free(out, FALSE);
}

/* The same names are asked for again and again: of each member around each place. */
static char *known_normal(struct layout *layout, const char *name)
{
	const char *normal = g_hash_table_lookup(layout->normal, name);

	if (!normal) {
		normal = layout_normal(name);
		g_hash_table_insert(layout->normal, g_strdup(name), (char *)normal);
	}
	return g_strdup(normal);
}

static void add_die(GHashTable *index, char *name, u64 offset)
{
	GArray *dies = g_hash_table_lookup(index, name);

	if (dies) {
		g_free(name);
	} else {
		dies = g_array_new(FALSE, FALSE, sizeof(u64));
		g_hash_table_insert(index, name, dies);
	}
	g_array_append_val(dies, offset);
}

char *layout_bare(const char *name)
{
	GString *out = g_string_new(NULL);
	int depth = 0;

	for (const char *p = name; *p; p++) {
		depth += *p == '<';
		if (!depth && g_str_has_prefix(p, "::")) {
			g_string_truncate(out, 0);
			p++;
			continue;
		}
		if (!depth)
			g_string_append_c(out, *p);
		depth -= *p == '>' && depth;
	}
	return g_string_free(out, FALSE);
}

static void index_name(struct layout *layout, const char *name, u64 offset)
{
	char *normal = known_normal(layout, name);

	add_die(layout->by_bare, layout_bare(normal), offset);
	add_die(layout->by_name, normal, offset);
}

static bool is_named_type(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_base_type:
	case DW_TAG_typedef:
	case DW_TAG_unspecified_type:
		return true;
	default:
		return false;
	}
}

static void index_types(struct layout *layout, Dwarf_Die *parent, const char *prefix, int depth)
{
	Dwarf_Die die;

	if (depth > 64 || dwarf_child(parent, &die))
		return;
	do {
		const char *name = dwarf_diename(&die);
		g_autofree char *full = name ? g_strconcat(prefix, name, NULL) : NULL;
		int tag = dwarf_tag(&die);

		if (full && is_named_type(tag)) {
			g_hash_table_insert(layout->qualified,
					    (gpointer)(uintptr_t)dwarf_dieoffset(&die),
					    g_strdup(full));
			if (!dwarf_hasattr(&die, DW_AT_declaration))
				index_name(layout, full, dwarf_dieoffset(&die));
		}
		if (!name && (tag == DW_TAG_structure_type || tag == DW_TAG_class_type))
			add_die(layout->by_bare, g_strdup(""), dwarf_dieoffset(&die));
		if (full && (tag == DW_TAG_namespace || is_named_type(tag))) {
			g_autofree char *inner = g_strconcat(full, "::", NULL);

			index_types(layout, &die, inner, depth + 1);
		} else {
			index_types(layout, &die, prefix, depth + 1);
		}
	} while (!dwarf_siblingof(&die, &die));
}

struct layout *layout_open(const char *path)
{
	struct layout *layout = g_new0(struct layout, 1);
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	u8 unit_type;

	layout->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (layout->fd < 0)
		err(2, "%s", path);
	layout->dwarf = dwarf_begin(layout->fd, DWARF_C_READ);
	if (!layout->dwarf)
		errx(2, "%s: %s", path, dwarf_errmsg(-1));
	layout->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						(GDestroyNotify)g_array_unref);
	layout->by_bare = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						(GDestroyNotify)g_array_unref);
	layout->qualified = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	layout->normal = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	while (!dwarf_get_units(layout->dwarf, cu, &cu, NULL, &unit_type, &die, &split))
		index_types(layout, unit_type == DW_UT_skeleton && split.addr ? &split : &die, "",
			    0);
	return layout;
}

void layout_close(struct layout *layout)
{
	g_hash_table_unref(layout->by_name);
	g_hash_table_unref(layout->by_bare);
	g_hash_table_unref(layout->qualified);
	g_hash_table_unref(layout->normal);
	dwarf_end(layout->dwarf);
	close(layout->fd);
	g_free(layout);
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, type);
}

static u64 size_of(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) ? 0 : size;
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/*
 * In normal form but for blanks and words, which the caller takes out. @peeled: what pointers point
 * to without its typedefs.
 */
static void print_name(struct layout *layout, Dwarf_Die *die, GString *out, bool peeled, int depth)
{
	const char *full = g_hash_table_lookup(layout->qualified,
					       (gconstpointer)(uintptr_t)dwarf_dieoffset(die));
	Dwarf_Die target;
	bool has_target = type_of(die, &target);
	int tag = dwarf_tag(die);

	if (depth > 32)
		return;
	if (peeled && depth && tag == DW_TAG_typedef && has_target) {
		print_name(layout, &target, out, peeled, depth + 1);
		return;
	}
	if (is_named_type(tag)) {
		g_string_append(out, full ? full : dwarf_diename(die) ? dwarf_diename(die) : "");
		return;
	}
	/* In Go, arrays and types of functions have names. */
	if ((tag == DW_TAG_subroutine_type || tag == DW_TAG_array_type) && dwarf_diename(die)) {
		g_string_append(out, dwarf_diename(die));
		return;
	}
	if (tag == DW_TAG_subroutine_type) {
		g_string_append(out, "(function_type)");
		return;
	}
	if (has_target)
		print_name(layout, &target, out, peeled, depth + 1);
	else
		g_string_append(out, "void");
	if (tag == DW_TAG_pointer_type)
		g_string_append_c(out, '*');
	else if (tag == DW_TAG_reference_type)
		g_string_append_c(out, '&');
	else if (tag == DW_TAG_rvalue_reference_type)
		g_string_append(out, "&&");
	else if (tag == DW_TAG_array_type)
		g_string_append(out, "[]");
}

static char *normal_name(struct layout *layout, Dwarf_Die *die, bool peeled)
{
	GString *name = g_string_new(NULL);
	char *normal;

	print_name(layout, die, name, peeled, 0);
	normal = known_normal(layout, name->str);
	g_string_free(name, TRUE);
	return normal;
}

static u8 family_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding;

	switch (dwarf_tag(die)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return 'p';
	case DW_TAG_enumeration_type:
		return 'i';
	case DW_TAG_base_type:
		if (!dwarf_attr(die, DW_AT_encoding, &attr) || dwarf_formudata(&attr, &encoding))
			return 0;
		if (encoding == DW_ATE_float)
			return 'f';
		return size_of(die) == 1 ? 'c' : 'i';
	default:
		return 0;
	}
}

/* The names of the members below the object at @i, then the last type: "where.line int". */
static char *member_of(struct walk *walk, u32 i)
{
	GString *text = g_string_new(NULL);

	for (u32 j = i + 1; j < walk->depth; j++)
		if (walk->path[j].member)
			g_string_append_printf(text, ".%s", walk->path[j].member);
	if (text->len) {
		g_autofree char *last =
			normal_name(walk->layout, &walk->path[walk->depth - 1].die, true);

		g_string_append_printf(text, " %s", last);
	}
	return g_string_free(text, !text->len);
}

/* The byte is reached: every ancestor is a view, with its typedefs. */
static void emit(struct walk *walk, bool scalar)
{
	for (u32 i = 0; i < walk->depth; i++) {
		struct step *step = &walk->path[i];
		bool last = i + 1 == walk->depth;
		int tag = dwarf_tag(&step->die);
		struct view view = {
			.offset = step->offset,
			.level = i == 0		  ? LEVEL_OBJECT
				 : last && scalar ? LEVEL_SCALAR
						  : LEVEL_MEMBER,
		};

		if (is_qualifier(tag) || (tag == DW_TAG_array_type && i))
			continue;
		/* Names for the object itself: typedefs and arrays come before it in the path. */
		for (u32 j = 0; view.level != LEVEL_OBJECT && j < i; j++) {
			int above = dwarf_tag(&walk->path[j].die);

			if (!is_qualifier(above) && above != DW_TAG_typedef &&
			    above != DW_TAG_array_type)
				break;
			if (j + 1 == i)
				view.level = LEVEL_OBJECT;
		}
		view.member = member_of(walk, i);
		if (scalar && last) {
			u64 size = size_of(&step->die);

			view.size = size < 255 ? (u8)size : 0;
			view.family = family_of(&step->die);
			view.bits = walk->bits;
		}
		add_view(walk->views, view, normal_name(walk->layout, &step->die, false));
		view.member = NULL;
		if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
		    tag == DW_TAG_rvalue_reference_type)
			add_view(walk->views, view, normal_name(walk->layout, &step->die, true));
		/* Rust names its pointers, "&mut T"; either form will do. */
		if (tag == DW_TAG_pointer_type && dwarf_diename(&step->die))
			add_view(walk->views, view,
				 known_normal(walk->layout, dwarf_diename(&step->die)));
	}
}

static void descend(struct walk *walk, Dwarf_Die *die, s64 offset);

static bool member_place(Dwarf_Die *member, s64 *at, u64 *size)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;
	Dwarf_Die type;

	if (!type_of(member, &type))
		return false;
	*size = size_of(&type);
	*at = 0;
	if (dwarf_attr(member, DW_AT_data_bit_offset, &attr) && !dwarf_formudata(&attr, &value)) {
		Dwarf_Attribute bits;
		Dwarf_Word nr = 0;

		if (dwarf_attr(member, DW_AT_bit_size, &bits))
			dwarf_formudata(&bits, &nr);
		*at = (s64)(value / 8);
		*size = (value + nr + 7) / 8 - value / 8;
	} else if (dwarf_attr(member, DW_AT_data_member_location, &attr)) {
		if (dwarf_formudata(&attr, &value))
			return false; /* a virtual base */
		*at = (s64)value;
	} else if (dwarf_hasattr(member, DW_AT_external)) {
		return false;
	}
	return true;
}

/* No bounds, or the old way: an array of one at the end. */
static bool is_flexible(Dwarf_Die *member, Dwarf_Die *type, u64 size)
{
	Dwarf_Die next = *member, element;

	if (!size)
		return true;
	if (dwarf_tag(type) != DW_TAG_array_type || !type_of(type, &element) ||
	    size_of(&element) != size)
		return false;
	while (!dwarf_siblingof(&next, &next))
		if (dwarf_tag(&next) == DW_TAG_member)
			return false;
	return true;
}

/* Members at the byte, through variants. true: there was one. */
static bool descend_members(struct walk *walk, Dwarf_Die *parent, s64 offset, u64 parent_size)
{
	bool any = false;
	Dwarf_Die child, type;
	u64 size = 0;
	s64 at;

	if (dwarf_child(parent, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_variant_part || tag == DW_TAG_variant) {
			any |= descend_members(walk, &child, offset, parent_size);
			continue;
		}
		if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
			continue;
		if (!member_place(&child, &at, &size))
			continue;
		type_of(&child, &type);
		if (is_flexible(&child, &type, size) && (u64)at <= parent_size)
			size = walk->extra + parent_size - (u64)at; /* flexible */
		if (offset < at || offset - at >= (s64)size)
			continue;
		any = true;
		walk->next_member = dwarf_diename(&child);
		walk->bits = dwarf_hasattr(&child, DW_AT_bit_size);
		descend(walk, &type, offset - at);
	} while (!dwarf_siblingof(&child, &child));
	return any;
}

/* The first virtual base of a class or of its bases. */
static bool find_virtual_base(Dwarf_Die *class, Dwarf_Die *base, int depth)
{
	Dwarf_Die child, deeper;

	if (depth > 16 || dwarf_child(class, &child))
		return false;
	do {
		if (dwarf_tag(&child) != DW_TAG_inheritance || !type_of(&child, base))
			continue;
		if (dwarf_hasattr(&child, DW_AT_virtuality))
			return true;
		deeper = *base;
		if (find_virtual_base(&deeper, base, depth + 1))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

/* It lies at the end of a whole object, and nowhere fixed in a part of one. */
static bool descend_virtual_base(struct walk *walk, Dwarf_Die *class, s64 offset)
{
	Dwarf_Die base;
	s64 at;

	if (walk->depth != 1 || !find_virtual_base(class, &base, 0))
		return false;
	at = (s64)(size_of(class) - size_of(&base));
	if (offset < at)
		return false;
	descend(walk, &base, offset - at);
	return true;
}

/* Raw storage of the standard library for a T holds a T. */
static void descend_storage(struct walk *walk, Dwarf_Die *class, s64 offset)
{
	const char *name = dwarf_diename(class);
	Dwarf_Die child, type;

	if (!name || !g_str_has_prefix(name, "__aligned_") || dwarf_child(class, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter && type_of(&child, &type)) {
			descend(walk, &type, offset);
			return;
		}
	} while (!dwarf_siblingof(&child, &child));
}

static void descend_array(struct walk *walk, Dwarf_Die *array, s64 offset)
{
	Dwarf_Die element;
	s64 size, index;

	if (!type_of(array, &element) || !(size = (s64)size_of(&element))) {
		emit(walk, true);
		return;
	}
	index = offset / size * size;
	for (u32 i = 0; i < walk->depth; i++)
		walk->path[i].offset -= index;
	descend(walk, &element, offset - index);
	for (u32 i = 0; i < walk->depth; i++)
		walk->path[i].offset += index;
}

static void descend(struct walk *walk, Dwarf_Die *die, s64 offset)
{
	Dwarf_Die target;
	int tag = dwarf_tag(die);

	if (walk->depth == MAX_DEPTH)
		return;
	walk->path[walk->depth++] = (struct step){ *die, offset, walk->next_member };
	walk->next_member = NULL;
	if (is_qualifier(tag) || tag == DW_TAG_typedef) {
		if (type_of(die, &target))
			descend(walk, &target, offset);
		else
			emit(walk, true);
	} else if (tag == DW_TAG_array_type) {
		descend_array(walk, die, offset);
	} else if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		   tag == DW_TAG_union_type) {
		bool any = descend_members(walk, die, offset, size_of(die));

		descend_storage(walk, die, offset);
		if (!descend_virtual_base(walk, die, offset) && !any)
			emit(walk, false);
	} else {
		emit(walk, true);
	}
	walk->depth--;
}

static void views_of_die(struct layout *layout, Dwarf_Die *die, s64 offset, u64 size, u64 count,
			 GArray *views)
{
	struct walk walk = { .layout = layout, .views = views };
	u64 one = size_of(die);

	if (count > 1 && one && offset >= (s64)one)
		offset %= (s64)one;
	/* What lies behind the object is its flexible member's, where it has one. */
	if (count <= 1 && offset >= (s64)one)
		walk.extra = (u64)offset - one + 1;
	descend(&walk, die, offset);
}

static void plain_view(char *name, s64 offset, u64 size, u64 count, GArray *views)
{
	/* Go writes "*T". */
	bool pointer = g_str_has_suffix(name, "*") || g_str_has_suffix(name, "&") || *name == '*';
	u64 one = pointer ? 8 : count ? size / count : 0;
	struct view view = {
		.offset = one && count > 1 ? offset % (s64)one : offset,
		.level = LEVEL_OBJECT,
		.size = pointer ? 8 : 0,
		.family = pointer ? 'p' : 0,
	};

	add_view(views, view, name);
}

/* Takes "[12]" or "[]" off the end; "&[u8; 7]" is no array. */
static bool cut_bounds(char *name)
{
	char *open = strrchr(name, '[');

	if (*name == '&' || *name == '*' || !open ||
	    open[1 + strspn(open + 1, "0123456789")] != ']' || !g_str_has_suffix(name, "]"))
		return false;
	*open = '\0';
	return true;
}

/* Go's "[12]T": the same at the front. "[]T" is a slice, a structure. */
static bool cut_go_bounds(char *name)
{
	size_t digits = *name == '[' ? strspn(name + 1, "0123456789") : 0;

	if (!digits || name[digits + 1] != ']' || !name[digits + 2])
		return false;
	memmove(name, name + digits + 2, strlen(name + digits + 2) + 1);
	return true;
}

void layout_views(struct layout *layout, const char *name, s64 offset, u64 size, u64 count,
		  GArray *views)
{
	/* It is what will be there. */
	static const char uninit[] = "core::mem::maybe_uninit::MaybeUninit<";
	g_autofree char *normal = NULL;
	GArray *dies;
	Dwarf_Die die;

	if (*name == '@') {
		if (dwarf_offdie(layout->dwarf, g_ascii_strtoull(name + 1, NULL, 16), &die))
			views_of_die(layout, &die, offset, size, count, views);
		return;
	}
	normal = known_normal(layout, name);
	if (g_str_has_prefix(normal, uninit) && g_str_has_suffix(normal, ">")) {
		memmove(normal, normal + strlen(uninit), strlen(normal + strlen(uninit)) + 1);
		normal[strlen(normal) - 1] = '\0';
	}
	while (cut_bounds(normal) || cut_go_bounds(normal))
		count = 2; /* folds */
	dies = g_hash_table_lookup(layout->by_name, normal);
	if (!dies) {
		g_autofree char *bare = layout_bare(normal);

		dies = g_hash_table_lookup(layout->by_bare, bare);
		if (dies)
			plain_view(g_strdup(normal), offset, size, count, views);
	}
	for (u32 i = 0; dies && i < dies->len; i++)
		if (dwarf_offdie(layout->dwarf, g_array_index(dies, u64, i), &die))
			views_of_die(layout, &die, offset, size, count, views);
	if (!dies)
		plain_view(g_steal_pointer(&normal), offset, size, count, views);
}

/* By their members' names, down to a scalar: those that have a byte of the object. */
static GPtrArray *members_at(struct layout *layout, const char *name, s64 offset, bool *bits)
{
	g_autoptr(GArray) views = layout_views_new();
	GPtrArray *members = g_ptr_array_new_with_free_func(g_free);
	bool scalar = false;

	layout_views(layout, name, offset, 0, 1, views);
	for (u32 i = 0; i < views->len; i++) {
		const struct view *view = &g_array_index(views, struct view, i);

		scalar |= view->family || view->size;
		*bits |= view->bits;
		if (view->level == LEVEL_OBJECT && view->member)
			g_ptr_array_add(members, g_strdup(view->member));
	}
	if (!scalar)
		g_ptr_array_set_size(members, 0);
	return members;
}

bool layout_is_one(struct layout *layout, const char *name, s64 offset, u64 width)
{
	bool bits = false, pointer = strchr("*&", *name) || strchr("*&", name[strlen(name) - 1]);
	g_autoptr(GPtrArray) left = pointer ? NULL : members_at(layout, name, offset, &bits);

	if (!left || !left->len)
		return true;
	for (u64 i = 1; i < width; i++) {
		g_autoptr(GPtrArray) here = members_at(layout, name, offset + (s64)i, &bits);

		for (u32 j = left->len; here->len && j-- > 0;)
			if (!g_ptr_array_find_with_equal_func(here, g_ptr_array_index(left, j),
							      g_str_equal, NULL))
				g_ptr_array_remove_index_fast(left, j);
	}
	return left->len || bits;
}
