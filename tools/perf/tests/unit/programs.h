/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles the programs of types/ in a temporary folder, and reads them. */
#ifndef UNIT_PROGRAMS_H
#define UNIT_PROGRAMS_H

#include <elf.h>
#include <stdlib.h>

#include <glib.h>

#include "dso/dso.h"
#include "insn/insn.h"

/* The path of types/@name. */
static inline char *program_source(const char *name)
{
	const char *top = getenv("SRC");

	return g_strdup_printf("%s/tools/perf/tests/unit/types/%s", top ? top : ".", name);
}

static inline void program_remove(char *folder)
{
	g_autofree char *command = g_strdup_printf("rm -rf '%s'", folder);

	assert_int_equal(system(command), 0);
	g_free(folder);
}

/* Compiles types/fields.c to "program" in a new folder; @compiler: command with flags. out: *@folder. */
static inline struct dso *program_build(const char *compiler, char **folder, struct dsos **dsos)
{
	g_autofree char *source = program_source("fields.c");
	g_autofree char *other = program_source("elsewhere.c");
	g_autofree char *path = NULL, *command = NULL;

	*folder = g_dir_make_tmp("types-XXXXXX", NULL);
	path = g_build_filename(*folder, "program", NULL);
	command = g_strdup_printf("%s -o '%s' '%s' '%s'", compiler, path, source, other);
	assert_int_equal(system(command), 0);
	*dsos = dsos_new(&(struct dso_options){ .buildid_dir = *folder });
	return dsos_get(*dsos, path, NULL, 0, DSO_USER);
}

/* Addresses (u64) of all instructions, function by function. */
static inline GArray *program_instructions(struct dso *dso)
{
	struct insn_decoder *dec = insn_decoder_new(INSN_X86_64, NULL);
	GArray *all = g_array_new(false, false, sizeof(u64));

	for (u32 i = 0; i < dso_nr_symbols(dso); i++) {
		const struct symbol *s = dso_symbol(dso, i);
		size_t left;
		const u8 *code = dso_code(dso, s->start, &left);
		struct insn insn;

		for (u64 at = s->start; code && s->type == STT_FUNC && at < s->end;
		     at += insn.size) {
			g_array_append_val(all, at);
			insn_decode(dec, code + (at - s->start), left - (at - s->start), at, &insn);
		}
	}
	insn_decoder_free(dec);
	return all;
}

#endif
