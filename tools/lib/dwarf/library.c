// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One row per function or variable. Its types are letters, the result first:
 *
 *	{ "strchr", "cci" }		char *strchr(const char *, int)
 *	{ "__ctype_b_loc", "U" }	const unsigned short **__ctype_b_loc(void)
 *
 *	v	nothing			p	void *
 *	i	int			I	int *		J	int **
 *	l	long			z	size_t		U	unsigned short **
 *	c	char *			C	char **		F	FILE *
 *	.	other arguments
 *
 * Functions whose arguments and result are floating-point numbers are left out: they lead to no memory.
 */
#include <string.h>

#include "dwarf/internal.h"
#include "dwarf/library.h"

#define MAX_LIBRARY_PARAMS 5

struct library_row {
	const char *name, *types;
};

static const struct library_row functions[] = {
	/* where the thread's errno, and the tables of <ctype.h> for its locale, are */
	{ "__errno_location", "I" },
	{ "__h_errno_location", "I" },
	{ "__ctype_b_loc", "U" },
	{ "__ctype_tolower_loc", "J" },
	{ "__ctype_toupper_loc", "J" },
	{ "__ctype_get_mb_cur_max", "z" },
	/* <string.h> */
	{ "memchr", "ppiz" },
	{ "memcmp", "ippz" },
	{ "memcpy", "pppz" },
	{ "memmove", "pppz" },
	{ "memset", "ppiz" },
	{ "strcat", "ccc" },
	{ "strchr", "cci" },
	{ "strcmp", "icc" },
	{ "strcoll", "icc" },
	{ "strcpy", "ccc" },
	{ "strcspn", "zcc" },
	{ "strerror", "ci" },
	{ "strlen", "zc" },
	{ "strncat", "cccz" },
	{ "strncmp", "iccz" },
	{ "strncpy", "cccz" },
	{ "strpbrk", "ccc" },
	{ "strrchr", "cci" },
	{ "strspn", "zcc" },
	{ "strstr", "ccc" },
	{ "strtok", "ccc" },
	{ "strxfrm", "zccz" },
	/* <stdlib.h> */
	{ "calloc", "pzz" },
	{ "free", "vp" },
	{ "getenv", "cc" },
	{ "malloc", "pz" },
	{ "realloc", "ppz" },
	{ "atoi", "ic" },
	{ "atol", "lc" },
	{ "strtol", "lcCi" },
	{ "strtoll", "lcCi" },
	{ "strtoul", "zcCi" },
	{ "strtoull", "zcCi" },
	/* <stdio.h> */
	{ "fclose", "iF" },
	{ "feof", "iF" },
	{ "ferror", "iF" },
	{ "fflush", "iF" },
	{ "fgetc", "iF" },
	{ "fgets", "cciF" },
	{ "fopen", "Fcc" },
	{ "fprintf", "iFc." },
	{ "fputc", "iiF" },
	{ "fputs", "icF" },
	{ "fread", "zpzzF" },
	{ "fwrite", "zpzzF" },
	{ "getc", "iF" },
	{ "printf", "ic." },
	{ "putc", "iiF" },
	{ "puts", "ic" },
	{ "remove", "ic" },
	{ "rename", "icc" },
	{ "snprintf", "iczc." },
	{ "sprintf", "icc." },
	{ "sscanf", "icc." },
	{ "tmpfile", "F" },
	{ "ungetc", "iiF" },
	/* the names that glibc's headers give to some of these */
	{ "__isoc99_sscanf", "icc." },
	{ "__strdup", "cc" },
	{ "fopen64", "Fcc" },
	{ "tmpfile64", "F" },
	/* POSIX */
	{ "strdup", "cc" },
	{ "strndup", "ccz" },
	{ "strcasecmp", "icc" },
	{ "strncasecmp", "iccz" },
	{ "strnlen", "zcz" },
	{ "stpcpy", "ccc" },
	{ "stpncpy", "cccz" },
};

static const struct library_row variables[] = {
	{ "stdin", "F" },
	{ "stdout", "F" },
	{ "stderr", "F" },
	{ "environ", "C" },
	{ "__environ", "C" },
	{ "optarg", "c" },
	{ "opterr", "i" },
	{ "optind", "i" },
	{ "optopt", "i" },
	{ "daylight", "i" },
	{ "__daylight", "i" },
	{ "timezone", "l" },
	{ "__timezone", "l" },
	{ "signgam", "i" },
	{ "program_invocation_name", "c" },
	{ "program_invocation_short_name", "c" },
	{ "__progname", "c" },
	{ "__progname_full", "c" },
};

struct library_entry {
	struct proto proto;
	const struct type *params[MAX_LIBRARY_PARAMS];
};

static const struct type *type_of_letter(struct debuginfo *debug, char letter)
{
	static const struct {
		char letter, pointers;
		enum abi_type type;
	} letters[] = {
		{ 'i', 0, ABI_INT },  { 'I', 1, ABI_INT },   { 'J', 2, ABI_INT },
		{ 'c', 1, ABI_CHAR }, { 'C', 2, ABI_CHAR },  { 'U', 2, ABI_USHORT },
		{ 'l', 0, ABI_LONG }, { 'z', 0, ABI_ULONG }, { 'F', 1, ABI_FILE },
	};

	for (u32 i = 0; i < ARRAY_SIZE(letters); i++) {
		const struct type *type;

		if (letters[i].letter != letter)
			continue;
		type = debuginfo_abi_type(debug, letters[i].type);
		for (char n = letters[i].pointers; n > 0; n--)
			type = type_pointer_to(type);
		return type;
	}
	return letter == 'p' ? type_pointer_to(type_void(debug)) : type_void(debug);
}

static const struct library_row *find_row(const struct library_row *rows, size_t nr,
					  const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static const struct proto *entry_of(struct debuginfo *debug, const struct library_row *row)
{
	struct library_entry *entry = g_hash_table_lookup(debug->library, row);

	if (entry)
		return &entry->proto;
	entry = g_new0(struct library_entry, 1);
	g_hash_table_insert(debug->library, (void *)row, entry);
	entry->proto.name = row->name;
	entry->proto.returns = type_of_letter(debug, row->types[0]);
	entry->proto.params = entry->params;
	for (const char *at = row->types + 1; *at; at++) {
		if (*at == '.')
			entry->proto.varargs = true;
		else if (entry->proto.nr_params < MAX_LIBRARY_PARAMS)
			entry->params[entry->proto.nr_params++] = type_of_letter(debug, *at);
	}
	return &entry->proto;
}

const struct proto *library_proto(struct debuginfo *debug, const char *name)
{
	const struct library_row *row = find_row(functions, ARRAY_SIZE(functions), name);

	if (!row)
		return NULL;
	if (!debug->library)
		debug->library = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return entry_of(debug, row);
}

const struct type *library_variable(struct debuginfo *debug, const char *name)
{
	const struct library_row *row = find_row(variables, ARRAY_SIZE(variables), name);

	return row ? type_of_letter(debug, row->types[0]) : NULL;
}

void library_free(struct debuginfo *debug)
{
	g_clear_pointer(&debug->library, g_hash_table_unref);
}
