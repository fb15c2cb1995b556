/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types: which types does a file's debug information describe, and which member is at an offset?
 *
 * A type is interned when something first refers to it. Its target and members are read when they are first asked for,
 * so unused types cost nothing. The key of a type is its entry's position in the debug information (file, section,
 * offset). So entries of type units, dwz's common file and split units cannot be confused.
 *
 * const, volatile, restrict and atomic are dropped; typedefs are kept.
 *
 * A debuginfo and its types serve one thread at a time. Types live as long as their debuginfo.
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
	TYPE_POINTER, /* to type_target(); also C++ references */
	TYPE_STRUCT,
	TYPE_CLASS, /* C++ "class": a struct, but its name has no keyword */
	TYPE_UNION,
	TYPE_ARRAY,	     /* of type_target(); one type per dimension */
	TYPE_TYPEDEF,	     /* of type_target() */
	TYPE_FUNCTION,	     /* type_target() is what it returns */
	TYPE_MEMBER_POINTER, /* C++'s pointer to a member of type type_target(): an offset */
	TYPE_OTHER,	     /* any other kind (sets, files ...) */
};

/* The kind of value in a TYPE_BASE, as far as the choice of registers depends on it. */
enum type_encoding {
	TYPE_NUMBER, /* any value that is not floating point: integer, character, bool */
	TYPE_FLOAT,
	TYPE_QUAD, /* __float128 */
	TYPE_COMPLEX,
};

struct type {
	u32 id;		 /* numbered within the debuginfo, in order of first use, without gaps */
	u8 kind;	 /* enum type_kind */
	u8 encoding;	 /* enum type_encoding */
	bool incomplete; /* declared only: size and members are not known here */
	bool reference;	 /* a TYPE_POINTER that the source writes as a reference */
	bool vector;	 /* a TYPE_ARRAY that is a vector of the processor, such as __m128i */
	/* a TYPE_ARRAY that is the virtual table of a Rust trait object or of a class */
	bool vtable;
	u64 size; /* bytes; 0: unknown or flexible */
	/*
	 * The name as upstream perf prints it: "struct page", "union foo", "enum e", "int", "struct node*", "int[]",
	 * "(function_type)*", "void*". C++ classes, base types and typedefs have no keyword. An anonymous struct is
	 * "struct " (see type_shown_name()); other nameless types are "(unknown type)".
	 *
	 * Differences from upstream: types in namespaces, classes and functions have qualified names ("struct
	 * store::Item", "std::string"). References are "T&", "T&&". Rust's names are as Rust writes them
	 * ("core::option::Option<u32>", "[u8; 16]", "&mut T").
	 */
	const char *name;
	struct debuginfo *debug;
};

/*
 * Members, targets and more are read when they are first asked for. If several threads use types of one file, each must
 * hold this lock while it calls a function below. The fields above need no lock.
 */
void type_lock(const struct type *type);
void type_unlock(const struct type *type);

struct member {
	const char *name;	 /* NULL: anonymous, or a base class */
	const struct type *type; /* never NULL */
	u64 offset;		 /* bytes from the start of the parent */
	u64 size;		 /* bytes; for a bitfield: of its storage */
	u16 bit_size;		 /* bitfield: number of bits; else 0 */
	/* bitfield: from the start of @offset's byte, least significant bit first */
	u16 bit_offset;
	bool base;	 /* DW_TAG_inheritance */
	bool variant;	 /* Rust: the content of an enum in variant @name; variants overlap */
	const u8 *entry; /* for types.c only: the type's entry, until the type is asked for */
};

/*
 * @type's name for users. As type.name, except for a nameless struct, union or enum, and for pointers to and arrays of
 * one. These are named after a declaration with that type in the unit: a typedef ("named_t"), a member of another type
 * ("struct outer.point", or "union outer.{bits}" if the member has no name either), a variable ("struct of counters").
 * If there is none, they are named after the first member or value ("enum {RED}"). Lives as long as the type.
 */
const char *type_shown_name(const struct type *type);

/*
 * @name without template or generic arguments: "std::vector", "struct Holder*". std::__cxx11::basic_string<char, ...>
 * becomes "std::string". Truncated to @size. Returns @buffer.
 */
const char *type_name_short(const char *name, char *buffer, size_t size);

/*
 * The type of the pointee, of an array's element, of a typedef, or of a function's result. The void type if DWARF has
 * none.
 */
const struct type *type_target(const struct type *type);

/*
 * The type "pointer to @type", even if the program declares none. For values without a known declaration whose target
 * is known. In Rust it is a raw pointer.
 */
const struct type *type_pointer_to(const struct type *type);

/* Types that the ABI has, whether or not the program's debug information declares them. */
enum abi_type {
	ABI_CHAR,
	ABI_SHORT,
	ABI_USHORT,
	ABI_INT,
	ABI_LONG,
	ABI_ULONG,
	ABI_FILE, /* of <stdio.h>: its members are not known */
	NR_ABI_TYPES,
};

/* Equal calls return equal pointers. */
const struct type *debuginfo_abi_type(struct debuginfo *debug, enum abi_type which);

/* @type with all typedefs resolved. */
const struct type *type_strip_typedefs(const struct type *type);

static inline const struct type *type_strip(const struct type *type)
{
	return type->kind == TYPE_TYPEDEF ? type_strip_typedefs(type) : type;
}

/*
 * Non-static data members and base classes in order of the debug information; typedefs are resolved. NULL and *@nr 0:
 * the type has none. For Rust enums with data (variant parts): the discriminant and the members of all variants.
 */
const struct member *type_members(const struct type *type, u32 *nr);

/*
 * The next member that covers @offset, starting at index *@at. *@at becomes the index after it. NULL: there is none. A
 * flexible array at the end covers all bytes after its start. Only this member's type is read.
 */
const struct member *type_member_at(const struct type *type, u64 offset, u32 *at);
const struct member *type_last_member(const struct type *type);

static inline bool type_is_compound(const struct type *type)
{
	return type->kind == TYPE_STRUCT || type->kind == TYPE_CLASS || type->kind == TYPE_UNION;
}

/*
 * The member path at @offset, as upstream perf writes it after a type and its offset: "lru.next", "arr", "u.a".
 * Anonymous members and base classes are left out. In a union, the first member that covers the byte is taken. For an
 * array of structures the path goes on in the element, without an index ("arr.y"); upstream's does not. Returns false,
 * with @path empty, if no named member covers the byte.
 */
bool type_member_path(const struct type *type, u64 offset, char *path, size_t size);

/*
 * The kinds of all numbers and pointers of @width bytes that begin at @offset of @type, one bit of enum type_number each;
 * of a union, those of all members.
 */
enum type_number { TYPE_NUMBER_INTEGER = 1, TYPE_NUMBER_FLOAT = 2, TYPE_NUMBER_POINTER = 4 };
u8 type_numbers(const struct type *type, u64 offset, u16 width);

/* What an instruction makes of the bytes at an offset. */
struct type_use {
	u16 width;  /* bytes */
	u8 numbers; /* bits of enum type_number that it may access; 0: any */
};

/*
 * As type_member_path(), for an access. In a union, the only member that has such a number there is taken. If several
 * have, the path ends with the union: "u", or goes on with the first of them if the union has no name.
 */
bool type_use_path(const struct type *type, u64 offset, const struct type_use *use, char *path,
		   size_t size);

/* An offset that means: in the type, at one of several members. */
#define TYPE_OFFSET_ANY (-0x80000000LL)

/*
 * "struct node +0x8 (lru.next)", "int +0 (no field)": upstream's typeoff text. For TYPE_OFFSET_ANY: "struct node (one
 * of several)".
 */
void type_offset_text(const struct type *type, s64 offset, char *text, size_t size);

/* The same without a limit of length. @name: the type's own name, or the short one. */
void type_offset_append(const struct type *type, const char *name, s64 offset, GString *out);
/* The same for an access: see type_use_path(). */
void type_use_append(const struct type *type, const char *name, s64 offset,
		     const struct type_use *use, GString *out);

/*
 * A number that is equal for types with the same name, size and members: several compilation units may describe the
 * same type of the source.
 */
u32 type_identity(const struct type *type);

/*
 * out: a number with which debuginfo_type_numbered() finds the type in another debuginfo of the same file, in this run
 * or a later one. False: the type is in a split unit, or has no entry in the debug information.
 */
bool type_number(const struct type *type, u64 *number);
/* NULL: @number is not a type's number. */
const struct type *debuginfo_type_numbered(struct debuginfo *debug, u64 number);

enum type_language {
	TYPE_LANGUAGE_OTHER, /* its compiler may choose the layout, as Rust's does */
	TYPE_LANGUAGE_C,
	TYPE_LANGUAGE_CPLUSPLUS,
};

/* The declaration of a structure, union or class in the source. */
struct type_declaration {
	const char *file;   /* NULL: not known */
	u32 line;	    /* 0: not known */
	const char *folder; /* in which the unit was compiled; NULL: not known */
	enum type_language language;
};

/* The alignment that the source asks for a structure, in bytes; 0: none, or its compiler does not tell. */
u32 type_asked_alignment(const struct type *type);

/* False: file or line is not known. The texts live as long as the type's debuginfo. */
bool type_declared(const struct type *type, struct type_declaration *out);

/* The name that compilers give to the element type of all C++ virtual tables. */
bool type_is_virtual_table(const struct type *type);

/*
 * The virtual table of the @class at @offset of an @object: the object itself, a base or a member. --why uses the
 * class's name for it. NULL: @class is no class.
 */
const struct type *type_vtable(const struct type *object, u64 offset, const struct type *class);

/* The declared type (TYPE_FUNCTION) of the virtual function at byte offset @at of such a table; NULL: not known. */
const struct type *type_virtual(const struct type *vtable, s64 at);

/*
 * The virtual base whose offset is stored at @at (negative) of the virtual table; NULL: none. out: the object and the
 * offset for which type_vtable() was called.
 */
const struct type *type_virtual_base(const struct type *vtable, s64 at, const struct type **object,
				     u64 *offset);

/* The range of bytes, relative to an object's start, that structures around it can cover. */
struct type_reach {
	u64 before;
	u64 after; /* at least the type's size */
};

/*
 * The reach over all structures in @type's unit that have a member or a base of that type (arrays of it do not count),
 * or that contain such a structure. False: it cannot be determined.
 */
bool type_reach(const struct type *type, struct type_reach *reach);

/*
 * Can a pointer that advances by @stride bytes point to a @type inside larger structures? False: it walks over an array
 * of @type itself.
 */
bool type_may_step(const struct type *type, u64 stride);

/* A structure that contains an object of a type, @offset bytes after its own start. */
struct type_holder {
	const struct type *type;
	u64 offset;
	bool derived; /* the object is a base class, or inside of one */
};

/*
 * The smallest structures in @type's unit that contain a @type and also cover @offset, counted from that object's
 * start. @offset is outside of @type. out: *@nr holders, at most @max. False: there may be more.
 */
bool type_holders(const struct type *type, s64 offset, struct type_holder *holders, u32 max,
		  u32 *nr);

/*
 * Structures, unions and classes of at least @size bytes in the unit of the function at @code. out: *@nr types, at most
 * @max. False: there may be more.
 */
bool debuginfo_structures(struct debuginfo *debug, u64 code, u64 size, const struct type **found,
			  u32 max, u32 *nr);

/* A C++ class that is not trivially copyable: functions take and return it by address. */
bool type_passed_by_reference(const struct type *type);

#endif
