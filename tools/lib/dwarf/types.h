/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which types does a debug file describe, and which member lies at an offset?
 *
 * A type is interned the first time that something refers to it, and its target and
 * members are read when they are asked for, so only what is looked at costs anything.
 * Identity is the entry's place in the debug information (file, section, offset), so that
 * type units, dwz's common file and split units never alias.
 *
 * const, volatile, restrict and atomic are dropped where they stand; typedefs are kept.
 *
 * A debuginfo and its types serve one thread at a time. Types live as long as it does.
 */
#ifndef DWARF_TYPES_H
#define DWARF_TYPES_H

#include <glib.h>
#include <stdio.h>

#include "base/types.h"

struct debuginfo;

enum type_kind {
	TYPE_VOID,
	TYPE_BASE,
	TYPE_ENUM,
	TYPE_POINTER, /* to type_target(); references of C++ too */
	TYPE_STRUCT,
	TYPE_CLASS, /* C++ "class": as a struct, but its name stands bare */
	TYPE_UNION,
	TYPE_ARRAY,	     /* of type_target(); one type per dimension */
	TYPE_TYPEDEF,	     /* of type_target() */
	TYPE_FUNCTION,	     /* type_target() is what it returns */
	TYPE_MEMBER_POINTER, /* C++'s pointer to a member of type type_target(): an offset */
	TYPE_OTHER,	     /* what the tables above have no word for (sets, files ...) */
};

/* What a TYPE_BASE holds, as far as it matters which registers it travels in. */
enum type_encoding {
	TYPE_NUMBER, /* an integer, a character, a truth value, whatever is no floating point */
	TYPE_FLOAT,
	TYPE_QUAD, /* __float128 */
	TYPE_COMPLEX,
};

struct type {
	u32 id;		 /* dense within the debuginfo, in order of first use */
	u8 kind;	 /* enum type_kind */
	u8 encoding;	 /* enum type_encoding */
	bool incomplete; /* declared only: size and members are not known here */
	bool reference;	 /* a TYPE_POINTER that the source writes as a reference */
	bool vector;	 /* a TYPE_ARRAY that is a vector of the processor: __m128i */
	bool vtable;	 /* a TYPE_ARRAY: the table behind a trait object of Rust, or a class's */
	u64 size;	 /* bytes; 0 where unknown or flexible */
	/*
	 * As upstream perf prints it: "struct page", "union foo", "enum e", "int", "struct
	 * node*", "int[]", "(function_type)*", "void*"; C++ classes, base types and typedefs
	 * bare; an anonymous struct is "struct " (type_shown_name() tells more) and other
	 * nameless types "(unknown type)".
	 * Beyond upstream: what lies in namespaces, classes and functions is qualified
	 * ("struct store::Item", "std::string"); references are "T&", "T&&"; Rust's names are
	 * as Rust writes them ("core::option::Option<u32>", "[u8; 16]", "&mut T").
	 */
	const char *name;
	struct debuginfo *debug;
};

/*
 * Members, targets and much else is read when it is first asked for. Where several threads look at types of one
 * file, each holds this lock while it calls a function below; the fields above need none.
 */
void type_lock(const struct type *type);
void type_unlock(const struct type *type);

struct member {
	const char *name;	 /* NULL: anonymous, or a base class */
	const struct type *type; /* never NULL */
	u64 offset;		 /* bytes from the start of the parent */
	u64 size;		 /* bytes that it takes there; a bitfield's storage */
	u16 bit_size;		 /* bitfield: its bits, else 0 */
	u16 bit_offset;	 /* bitfield: from the start of @offset's byte, least significant first */
	bool base;	 /* DW_TAG_inheritance */
	bool variant;	 /* Rust: what an enum holds when it is @name; lies where others do */
	const u8 *entry; /* types.c's own: of the type, until that is asked for */
};

/*
 * @type's name for people: as above, but a struct, union or enum without a name, and what points to
 * one or is an array of it, is called by what its unit declares with it: a typedef ("named_t"), a member of another
 * type ("struct outer.point", "union outer.{bits}" where the member has no name either), a variable
 * ("struct of counters"), else by its first member or value ("enum {RED}"). Lives as the type does.
 */
const char *type_shown_name(const struct type *type);

/*
 * @name of any type without its template or generic arguments: "std::vector", "struct
 * Holder*"; std::__cxx11::basic_string<char, ...> is "std::string". Cut where it does not fit.
 * Returns @buffer.
 */
const char *type_name_short(const char *name, char *buffer, size_t size);

/* Pointee, element, typedef's or function's result type; void's type where DWARF has none. */
const struct type *type_target(const struct type *type);

/*
 * A pointer to @type, as if the program had declared one: for values whose declaration is not known but
 * what they point to. Rust's are raw ones.
 */
const struct type *type_pointer_to(const struct type *type);

/* @type without typedefs. */
const struct type *type_strip_typedefs(const struct type *type);

static inline const struct type *type_strip(const struct type *type)
{
	return type->kind == TYPE_TYPEDEF ? type_strip_typedefs(type) : type;
}

/*
 * Non-static data members and bases in order of the debug information; typedefs are
 * looked through. NULL with *@nr 0 for what has none. Rust's enums with data (variant
 * parts) yield the discriminant and the members of all variants.
 */
const struct member *type_members(const struct type *type, u32 *nr);

/*
 * The next member, from index *@at on, that covers @offset; *@at becomes the index behind it. NULL: none. A flexible array at
 * the end covers all bytes behind it. Only the type of the member found is read.
 */
const struct member *type_member_at(const struct type *type, u64 offset, u32 *at);
const struct member *type_last_member(const struct type *type);

static inline bool type_is_compound(const struct type *type)
{
	return type->kind == TYPE_STRUCT || type->kind == TYPE_CLASS || type->kind == TYPE_UNION;
}

/*
 * The member path at @offset as upstream perf writes it after a type and its offset:
 * "lru.next", "arr", "u.a"; anonymous members and base classes add no step; in a union the
 * first member that covers the byte. An array of structures is stepped into without an
 * index ("arr.y"), which upstream does not. Returns false, with @path empty, where no named member covers the byte.
 */
bool type_member_path(const struct type *type, u64 offset, char *path, size_t size);

/* An offset that says: somewhere in the type, at one of several members. */
#define TYPE_OFFSET_ANY (-0x80000000LL)

/*
 * "struct node +0x8 (lru.next)", "int +0 (no field)": upstream's typeoff text; with
 * TYPE_OFFSET_ANY "struct node (one of several)".
 */
void type_offset_text(const struct type *type, s64 offset, char *text, size_t size);

/* The same of any length, with @name (its own, or the short one) for the type. */
void type_offset_append(const struct type *type, const char *name, s64 offset, GString *out);

/*
 * The same number for types with the same name, size and members: several compilation units describe one
 * type of the source.
 */
u32 type_identity(const struct type *type);

/*
 * out: a number by which debuginfo_type_numbered() finds the type in another debuginfo of the same file, in this run or
 * a later one. False: the type is in a split unit, or has no entry in the debug information.
 */
bool type_number(const struct type *type, u64 *number);
/* NULL where @number is not one of those. */
const struct type *debuginfo_type_numbered(struct debuginfo *debug, u64 number);

/* What compilers call an element of any virtual table of C++. */
bool type_is_virtual_table(const struct type *type);

/*
 * The virtual table of the @class at @offset of an @object (the object itself, a base or a member). --why names it
 * after the class. NULL: @class is no class.
 */
const struct type *type_vtable(const struct type *object, u64 offset, const struct type *class);

/* The declared type (TYPE_FUNCTION) of the virtual function at byte @at of such a table; NULL: not known. */
const struct type *type_virtual(const struct type *vtable, s64 at);

/*
 * The virtual base whose offset is stored at @at (negative) of the virtual table. NULL: none is. out: the object and
 * offset that the table was asked for with.
 */
const struct type *type_virtual_base(const struct type *vtable, s64 at, const struct type **object,
				     u64 *offset);

/* How far structures around an object of a type extend: bytes from the object's start. */
struct type_reach {
	u64 before;
	u64 after; /* at least the type's size */
};

/*
 * The reach of all structures in the unit of @type that have a member (no array of them) or a
 * base of that type, or hold such a structure. False where it is not to be found out.
 */
bool type_reach(const struct type *type, struct type_reach *reach);

/*
 * Could a pointer that moves by @stride bytes walk over larger structures that contain a @type? False: it walks over an
 * array of @type itself.
 */
bool type_may_step(const struct type *type, u64 stride);

/* A structure with an object of a type @offset bytes into it. */
struct type_holder {
	const struct type *type;
	u64 offset;
	bool derived; /* as a base class, or one of a base class */
};

/*
 * The smallest structures of @type's unit that contain a @type and extend to @offset bytes from its start, which is
 * outside of @type. out: *@nr of them, at most @max. False: there may be others.
 */
bool type_holders(const struct type *type, s64 offset, struct type_holder *holders, u32 max,
		  u32 *nr);

/*
 * Structures, unions and classes of at least @size bytes in the unit of the function at @code. out: *@nr of them, at most
 * @max. False: there may be others.
 */
bool debuginfo_structures(struct debuginfo *debug, u64 code, u64 size, const struct type **found,
			  u32 max, u32 *nr);

/* A C++ class that is not trivially copyable: functions take and return it by address. */
bool type_passed_by_reference(const struct type *type);

#endif
