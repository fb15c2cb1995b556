// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs in types/ compiled here by each compiler at each level, then every instruction
 * asked for its type and held against the marks of its source line: none may be typed
 * wrongly, and what the debug information says directly must be typed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <elf.h>

#include "dso/lines.h"
#include "dwarf/debuginfo.h"
#include "have.h"
#include "insn/insn.h"
#include "programs.h"
#include "typeflow/answers/identity.h"
#include "typeflow/answers/store.h"
#include "typeflow/typeflow.h"

enum mark_kind { MARK_TYPE = 1, MARK_MUST, MARK_ZERO, MARK_GCC };

struct mark {
	enum mark_kind kind;
	char **types;
	bool met;
};

struct program {
	const char *source; /* in types/ */
	const char *other;  /* beside it, or NULL */
	const char *compiler;
	const char *flags;
	const char *after; /* a shell command on the program, or NULL */
	bool optimized, shared;
	bool behind; /* it is linked behind @other */
};

struct checked {
	const struct program *program;
	GHashTable *marks; /* line -> struct mark * */
	GPtrArray *locals; /* char * */
	char *folder, *path;
	u32 typed, wrong;
};

static void mark_free(struct mark *mark)
{
	g_strfreev(mark->types);
	g_free(mark);
}

static char **split_types(const char *text)
{
	char **types = g_strsplit(text, "|", -1);

	for (char **t = types; *t; t++)
		g_strstrip(*t);
	return types;
}

static void read_marks(struct checked *c)
{
	static const char *const words[] = { "@locals ", "@type ", "@must ", "@zero ", "@gcc " };
	g_autofree char *path = program_source(c->program->source);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	for (u32 i = 0; lines[i]; i++) {
		for (u32 w = 0; w < ARRAY_SIZE(words); w++) {
			const char *at = strstr(lines[i], words[w]);
			char **types = at ? split_types(at + strlen(words[w])) : NULL;
			struct mark *mark;

			if (at && w == 0) {
				for (char **t = types; *t; t++)
					g_ptr_array_add(c->locals, *t);
				g_free(types);
			} else if (at && !g_str_has_prefix(lines[i], " *\t@")) {
				mark = g_new0(struct mark, 1);
				mark->kind = w;
				mark->types = types;
				g_hash_table_insert(c->marks, GUINT_TO_POINTER(i + 1), mark);
			} else {
				g_strfreev(types);
			}
		}
	}
	assert_true(g_hash_table_size(c->marks) > 0);
}

static bool is_local(const struct checked *c, const struct access *access, const char *text)
{
	for (u32 i = 0; i < c->locals->len; i++) {
		const char *local = g_ptr_array_index(c->locals, i);

		if (!strcmp(local, text) || !strcmp(local, access->type->name))
			return true;
	}
	return false;
}

static void check_access(struct checked *c, struct dso *dso, u64 vaddr, const struct access *access)
{
	struct mark *mark = NULL;
	struct type_use use = access_use(access);
	g_autoptr(GString) whole = g_string_new(NULL);
	g_autofree char *beside = NULL, *unsure = NULL;
	const char *file, *text;
	u32 line;

	type_use_append(access->type, type_shown_name(access->type), access->offset, &use, whole);
	text = whole->str;
	if (!dso_line(dso, vaddr, &file, &line) || !g_str_has_suffix(file, c->program->source))
		return;
	c->typed++;
	mark = g_hash_table_lookup(c->marks, GUINT_TO_POINTER(line));
	if (mark && g_strv_contains((const char *const *)mark->types, text)) {
		mark->met = true;
		return;
	}
	beside = g_strconcat("~", text, NULL);
	if (mark && g_strv_contains((const char *const *)mark->types, beside))
		return;
	unsure = g_strconcat("?", text, NULL);
	if (mark && access_rank(access) < ACCESS_RANK_VARIABLE &&
	    g_strv_contains((const char *const *)mark->types, unsure))
		return;
	if ((access->how == ACCESS_LOCAL || access->how == ACCESS_KEPT) &&
	    is_local(c, access, text))
		return;
	if (!mark && access->how != ACCESS_LOCAL && access->how != ACCESS_KEPT)
		return;
	c->wrong++;
	print_message("%s %s: line %u, %#llx: typed %s (how %u)\n", c->program->compiler,
		      c->program->flags, line, (unsigned long long)vaddr, text, access->how);
}

static void check_program(struct checked *c)
{
	struct dsos *dsos = dsos_new(&(struct dso_options){ .buildid_dir = c->folder });
	struct dso *dso = dsos_get(dsos, c->path, NULL, 0, DSO_USER);
	struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);
	struct insn_decoder *dec = insn_decoder_new(INSN_X86_64, NULL);

	for (u32 i = 0; i < dso_nr_symbols(dso); i++) {
		const struct symbol *symbol = dso_symbol(dso, i);
		size_t left;
		const u8 *code = dso_code(dso, symbol->start, &left);

		if (symbol->type != STT_FUNC || !code)
			continue;
		for (u64 at = symbol->start; at < symbol->end && left;) {
			struct access access;
			struct insn insn;

			if (typeflow_lookup(flow, dso, at, &access) && access.type)
				check_access(c, dso, at, &access);
			insn_decode(dec, code, left, at, &insn);
			code += insn.size;
			left -= insn.size;
			at += insn.size;
		}
	}
	insn_decoder_free(dec);
	typeflow_free(flow);
	dsos_free(dsos);
}

static void check_marks(const struct checked *c)
{
	GHashTableIter iter;
	void *line, *value;
	u32 unmet = 0;

	g_hash_table_iter_init(&iter, c->marks);
	while (g_hash_table_iter_next(&iter, &line, &value)) {
		const struct mark *mark = value;
		bool wanted =
			mark->kind == MARK_ZERO ||
			(mark->kind == MARK_MUST && c->program->optimized) ||
			(mark->kind == MARK_GCC && g_str_has_prefix(c->program->compiler, "g"));

		if (!wanted || mark->met || c->program->shared)
			continue;
		unmet++;
		print_message("%s %s: line %u of %s: not typed %s\n", c->program->compiler,
			      c->program->flags, GPOINTER_TO_UINT(line), c->program->source,
			      mark->types[0]);
	}
	assert_int_equal(unmet, 0);
	assert_int_equal(c->wrong, 0);
	assert_true(c->typed > 0);
}

static void run_program(const struct program *program)
{
	struct checked c = {
		.program = program,
		.marks = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)mark_free),
		.locals = g_ptr_array_new_with_free_func(g_free),
		.folder = g_dir_make_tmp("types-XXXXXX", NULL),
	};
	g_autofree char *source = program_source(program->source);
	const char *with = program->other			     ? program->other
			   : g_str_has_suffix(program->source, ".c") ? "elsewhere.c"
								     : NULL;
	g_autofree char *other = with ? program_source(with) : g_strdup("");
	g_autofree char *command = NULL;
	g_autofree char *cleanup = g_strdup_printf("rm -rf '%s'", c.folder);

	c.path = g_strdup_printf("%s/program", c.folder);
	command = g_strdup_printf("%s -g %s -o '%s' %s %s && cd '%s' && %s", program->compiler,
				  program->flags, c.path, program->behind ? other : source,
				  program->behind ? source : other, c.folder,
				  program->after ? program->after : "true");
	assert_int_equal(system(command), 0);
	read_marks(&c);
	check_program(&c);
	assert_int_equal(system(cleanup), 0);
	check_marks(&c);
	g_hash_table_unref(c.marks);
	g_ptr_array_unref(c.locals);
	g_free(c.folder);
	g_free(c.path);
}

static void run_levels(const char *source, const char *compiler, const char *const *flags)
{
	if (!have(compiler)) {
		print_message("%s is not installed\n", compiler);
		skip();
	}
	for (; *flags; flags++) {
		struct program program = {
			.source = source,
			.compiler = compiler,
			.flags = *flags,
			.optimized = !strstr(*flags, "-O0"),
			.shared = strstr(*flags, "-shared") != NULL,
		};

		run_program(&program);
	}
}

static const char *const c_flags[] = {
	"-O0 -gdwarf-5",
	"-O1 -gdwarf-4",
	"-O2 -gdwarf-5",
	"-O2 -gdwarf-4 -no-pie -fno-pie",
	"-O3 -gdwarf-5 -fno-omit-frame-pointer",
	"-Os -gdwarf-5",
	"-O2 -gdwarf-5 -shared -fPIC",
	"-O2 -gdwarf-4 -fdebug-types-section",
	NULL,
};

static const char *const cc_flags[] = { "-O0 -gdwarf-5", "-O1 -gdwarf-4", "-O2 -gdwarf-5", NULL };

static void test_gcc(void **state)
{
	run_levels("fields.c", "gcc", c_flags);
}

static void test_clang(void **state)
{
	run_levels("fields.c", "clang", c_flags);
}

/* Addresses of variables are read from the GOT, which has them as relocations. */
static const char *const got_flags[] = { "-O2 -fPIC -Wl,--no-relax", NULL };

static void test_got_gcc(void **state)
{
	run_levels("fields.c", "gcc", got_flags);
}

static void test_got_clang(void **state)
{
	run_levels("fields.c", "clang", got_flags);
}

static const char *const flow_flags[] = {
	"-O0 -gdwarf-5",
	"-O1 -gdwarf-4",
	"-O2 -gdwarf-5",
	"-O2 -no-pie -fno-pie",
	"-O2 -fcf-protection=full -fno-omit-frame-pointer",
	NULL,
};

static void test_flow_gcc(void **state)
{
	run_levels("flow.c", "gcc", flow_flags);
}

static void test_flow_clang(void **state)
{
	run_levels("flow.c", "clang", flow_flags);
}

/* What is cast, tagged, or found by a distance. */
static void test_told_apart_gcc(void **state)
{
	run_levels("told_apart.c", "gcc", flow_flags);
}

static void test_told_apart_clang(void **state)
{
	run_levels("told_apart.c", "clang", flow_flags);
}

/* Parameters that only the callers tell; gcc makes clones from -O2 on. */
static const char *const clone_flags[] = { "-O2 -gdwarf-5", "-O2 -no-pie -fno-pie",
					   "-O3 -fcf-protection=full", NULL };

static void test_clones_gcc(void **state)
{
	run_levels("clones.c", "gcc", clone_flags);
}

static void test_clones_clang(void **state)
{
	run_levels("clones.c", "clang", clone_flags);
}

/* What va_arg() returns, which gcc does not track. */
static void test_untracked_gcc(void **state)
{
	run_levels("untracked.c", "gcc", flow_flags);
}

static void test_untracked_clang(void **state)
{
	run_levels("untracked.c", "clang", flow_flags);
}

/* Headers that are repeated, and what lies before and behind what a pointer points to. */
static void test_headers_gcc(void **state)
{
	run_levels("headers.c", "gcc", flow_flags);
}

static void test_headers_clang(void **state)
{
	run_levels("headers.c", "clang", flow_flags);
}

/* The same causes and others in other shapes. */
static const char *const unseen_flags[] = { "-O1 -gdwarf-4", "-O2 -gdwarf-5", "-O3 -gdwarf-5",
					    "-Os -gdwarf-5", NULL };

static void test_unseen_gcc(void **state)
{
	run_levels("unseen.c", "gcc", unseen_flags);
}

static void test_unseen_clang(void **state)
{
	run_levels("unseen.c", "clang", unseen_flags);
}

static void test_holders_gcc(void **state)
{
	run_levels("holders.c", "gcc", unseen_flags);
}

static void test_holders_clang(void **state)
{
	run_levels("holders.c", "clang", unseen_flags);
}

/* gcc unrolls loops from -O3 on. */
static const char *const index_flags[] = {
	"-O0 -gdwarf-5",	"-O1 -gdwarf-4",
	"-O2 -gdwarf-5",	"-O2 -fcf-protection=full -fno-omit-frame-pointer",
	"-O2 -no-pie -fno-pie", "-Os -no-pie -fno-pie",
	"-O3 -gdwarf-5",	NULL
};

/* Several variables at one address. */
static void test_views_gcc(void **state)
{
	run_levels("views.c", "gcc", index_flags);
}

static void test_views_clang(void **state)
{
	run_levels("views.c", "clang", index_flags);
}

/* Numbers in unions that are pointers. */
static void test_numbers_gcc(void **state)
{
	run_levels("numbers.c", "gcc", index_flags);
}

static void test_numbers_clang(void **state)
{
	run_levels("numbers.c", "clang", index_flags);
}

/* Variables of the frame that are changed through a pointer. */
static void test_aliased_gcc(void **state)
{
	run_levels("aliased.c", "gcc", index_flags);
}

static void test_aliased_clang(void **state)
{
	run_levels("aliased.c", "clang", index_flags);
}

static void test_opaque_gxx(void **state)
{
	run_levels("opaque.cc", "g++", cc_flags);
}

static void test_opaque_clangxx(void **state)
{
	run_levels("opaque.cc", "clang++", cc_flags);
}

/* Slots of the frame that variables share. */
static void test_slots_gcc(void **state)
{
	run_levels("slots.c", "gcc", clone_flags);
}

static void test_slots_clang(void **state)
{
	run_levels("slots.c", "clang", clone_flags);
}

/* Static numbers of which clang makes bytes; gcc does not. */
static void test_packed(void **state)
{
	static const char *const flags[] = { "-O1", "-O2", NULL };

	run_levels("packed.c", "clang", flags);
}

/* Merged functions, thunks. */
static void test_one_address_gcc(void **state)
{
	run_levels("one_address.cc", "g++", cc_flags);
}

static void test_one_address_clang(void **state)
{
	run_levels("one_address.cc", "clang++", cc_flags);
}

/* What an index can reach. */
static void test_indexes_gcc(void **state)
{
	run_levels("indexes.c", "gcc", index_flags);
}

static void test_indexes_clang(void **state)
{
	run_levels("indexes.c", "clang", index_flags);
}

/* Indexes that begin before their array. */
/* Loops that count up to 0. */
static void test_counted_gcc(void **state)
{
	run_levels("counted.c", "gcc", index_flags);
}

static void test_counted_clang(void **state)
{
	run_levels("counted.c", "clang", index_flags);
}

static void test_biased_gcc(void **state)
{
	run_levels("biased.c", "gcc", index_flags);
}

static void test_biased_clang(void **state)
{
	run_levels("biased.c", "clang", index_flags);
}

static const char *const gather_flags[] = { "-O1 -gdwarf-4", "-O2 -gdwarf-5", NULL };

static void test_gathers_gcc(void **state)
{
	run_levels("gathers.c", "gcc", gather_flags);
}

static void test_gathers_clang(void **state)
{
	run_levels("gathers.c", "clang", gather_flags);
}

static void test_gxx(void **state)
{
	run_levels("classes.cc", "g++", cc_flags);
}

static void test_clangxx(void **state)
{
	run_levels("classes.cc", "clang++", cc_flags);
}

static void test_temporaries_gxx(void **state)
{
	run_levels("temporaries.cc", "g++", cc_flags);
}

static void test_temporaries_clangxx(void **state)
{
	run_levels("temporaries.cc", "clang++", cc_flags);
}

/* Classes that another unit defines. */
static void run_virtual(const char *compiler)
{
	static const char *const flags[] = { "-O0 -gdwarf-5", "-O2 -gdwarf-4", "-O2 -gdwarf-5" };

	if (!have(compiler)) {
		print_message("%s is not installed\n", compiler);
		skip();
	}
	for (u32 i = 0; i < ARRAY_SIZE(flags); i++) {
		struct program program = {
			.source = "virtual.cc",
			.other = "virtual_elsewhere.cc",
			.compiler = compiler,
			.flags = flags[i],
			.optimized = i > 0,
		};

		run_program(&program);
	}
}

static void test_virtual_gxx(void **state)
{
	run_virtual("g++");
}

static void test_virtual_clangxx(void **state)
{
	run_virtual("clang++");
}

static const char *const rust_flags[] = { "-C opt-level=0", "-C opt-level=2",
					  "-C opt-level=s -C panic=abort", NULL };

static void test_rust(void **state)
{
	run_levels("ownership.rs", "rustc --crate-name ownership", rust_flags);
}

/* Without .eh_frame the frame's address comes from .debug_frame. */
static void test_debug_frame(void **state)
{
	static const char *const flags[] = {
		"-O0 -fno-asynchronous-unwind-tables -fno-unwind-tables",
		"-O2 -fno-asynchronous-unwind-tables -fno-unwind-tables", NULL
	};

	run_levels("fields.c", "gcc", flags);
}

/* Units are found by their own ranges when nothing else lists them. */
static void test_no_aranges(void **state)
{
	struct program program = {
		.source = "fields.c",
		.compiler = "gcc",
		.flags = "-O2 -gdwarf-5",
		.after = "objcopy --remove-section .debug_aranges program",
		.optimized = true,
	};

	run_program(&program);
}

static void test_debuglink(void **state)
{
	struct program program = {
		.source = "fields.c",
		.compiler = "gcc",
		.flags = "-O2 -gdwarf-5",
		.after = "objcopy --only-keep-debug program program.debug && "
			 "objcopy --strip-debug --add-gnu-debuglink=program.debug program",
		.optimized = true,
	};

	run_program(&program);
}

static void test_split_dwarf(void **state)
{
	struct program program = {
		.source = "fields.c",
		.compiler = "gcc",
		.flags = "-O2 -gdwarf-5 -gsplit-dwarf",
		.optimized = true,
	};

	run_program(&program);
}

/*
 * In DWARF 4, the lists of a split unit's entries are relative to a base, that of the skeleton is not. Without
 * .debug_aranges, which clang does not make, the skeleton's list tells which unit has an address.
 */
static void test_split_ranges(void **state)
{
	static const char *const compilers[] = { "gcc", "clang" };

	for (u32 i = 0; i < ARRAY_SIZE(compilers); i++) {
		struct program program = {
			.source = "ranges.c",
			.other = "ranges_elsewhere.c",
			.compiler = compilers[i],
			.flags = "-O2 -gdwarf-4 -gsplit-dwarf -ffunction-sections",
			.after = "objcopy --remove-section .debug_aranges program",
			.optimized = true,
			.behind = true,
		};

		if (have(compilers[i]))
			run_program(&program);
	}
}

/* dwz moves what two objects share into a third file. */
static void test_dwz(void **state)
{
	struct program program = {
		.source = "fields.c",
		.compiler = "gcc",
		.flags = "-O2 -gdwarf-5",
		.after = "cp program twin && dwz -q -m common.debug program twin",
		.optimized = true,
	};

	if (!have("dwz")) {
		print_message("dwz is not installed\n");
		skip();
	}
	run_program(&program);
}

/* Samples in a function cost its analysis once, however many they are. */
static void test_analysed_once(void **state)
{
	struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);
	struct typeflow_counts first, last;
	const struct symbol *symbol;
	struct access access;
	struct dsos *dsos;
	struct dso *dso;
	char *folder;

	dso = program_build("gcc -g -O2", &folder, &dsos);
	symbol = dso_symbol_named(dso, "many");
	assert_non_null(symbol);
	typeflow_lookup(flow, dso, symbol->start, &access);
	typeflow_counts(flow, &first);
	for (u32 i = 0; i < 100000; i++)
		typeflow_lookup(flow, dso, symbol->start + i % (symbol->end - symbol->start),
				&access);
	typeflow_counts(flow, &last);
	assert_int_equal(first.functions, 1);
	assert_int_equal(last.functions, 1);
	assert_int_equal(last.instructions, first.instructions);
	assert_int_equal(last.lookups, 100001);
	typeflow_free(flow);
	dsos_free(dsos);
	program_remove(folder);
}

/* Without symbols too, what is missing is the debug information. */
static void test_stripped(void **state)
{
	struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);
	g_autofree char *command = NULL, *bare = NULL;
	struct access access;
	struct dsos *dsos;
	struct dso *dso;
	char *folder;
	u64 vaddr;

	dso = program_build("gcc -g -O2", &folder, &dsos);
	vaddr = dso_symbol_named(dso, "get_key")->start;
	bare = g_build_filename(folder, "bare", NULL);
	command = g_strdup_printf("strip -R .note.gnu.build-id -o %s %s", bare, dso_file(dso));
	assert_int_equal(system(command), 0);
	assert_false(
		typeflow_lookup(flow, dsos_get(dsos, bare, NULL, 0, DSO_USER), vaddr, &access));
	assert_int_equal(access.why, ACCESS_NO_DEBUGINFO);
	typeflow_free(flow);
	dsos_free(dsos);
	program_remove(folder);
}

/* Of the debug information only the units that were asked about are read. */
static void test_units_touched(void **state)
{
	struct debuginfo_source source = { 0 };
	struct debuginfo_counts counts;
	enum debuginfo_absence why;
	struct debuginfo *debug;
	struct dsos *dsos;
	struct dso *dso;
	char *folder;

	dso = program_build("gcc -g -O2", &folder, &dsos);
	source.dwarf = dso_dwarf(dso, &source.dwarf_bias);
	debug = debuginfo_new(&source);
	assert_non_null(debuginfo_function(debug, dso_symbol_named(dso, "get_key")->start, &why));
	debuginfo_counts(debug, &counts);
	assert_int_equal(counts.units, 2);
	assert_int_equal(counts.units_read, 1);
	assert_int_equal(counts.functions, 1);
	debuginfo_free(debug);
	dsos_free(dsos);
	program_remove(folder);
}

/*
 * Two units that see one variable and one function, both without debug information of their own,
 * as they declare them.
 */
static struct dso *build_views(char **folder, struct dsos **dsos)
{
	static const char view[] = "struct VIEW { long pad[N]; struct VIEW *next; };\n"
				   "extern struct VIEW shared; struct VIEW *get_shared(void);\n"
				   "struct VIEW *VIEW_next(void) { return shared.next; }\n"
				   "struct VIEW *VIEW_got(void) { return get_shared()->next; }\n";
	static const char both[] = ".globl shared, get_shared\n.data\nshared: .zero 64\n"
				   ".type shared, @object\n.size shared, 64\n.text\n"
				   "get_shared: lea shared(%rip), %rax\nret\n"
				   ".type get_shared, @function\n.size get_shared, 8\n"
				   ".section .note.GNU-stack,\"\",@progbits\n";
	g_autofree char *c = NULL, *assembly = NULL, *path = NULL, *command = NULL;

	*folder = g_dir_make_tmp("types-XXXXXX", NULL);
	c = g_build_filename(*folder, "view.c", NULL);
	assembly = g_build_filename(*folder, "both.S", NULL);
	path = g_build_filename(*folder, "program", NULL);
	assert_true(g_file_set_contents(c, view, -1, NULL));
	assert_true(g_file_set_contents(assembly, both, -1, NULL));
	command = g_strdup_printf(
		"cd '%s' && gcc -g -O2 -DVIEW=near -DN=1 -DVIEW_next=near_next "
		"-DVIEW_got=near_got -c view.c -o near.o && "
		"gcc -g -O2 -DVIEW=far -DN=3 -DVIEW_next=far_next -DVIEW_got=far_got "
		"-c view.c -o far.o && "
		"gcc -shared -o program near.o far.o both.S -Wl,-Bsymbolic",
		*folder);
	assert_int_equal(system(command), 0);
	*dsos = dsos_new(&(struct dso_options){ .buildid_dir = *folder });
	return dsos_get(*dsos, path, NULL, 0, DSO_USER);
}

/* The one type that is touched in the function through neither stack nor GOT. */
static void assert_touches(struct typeflow *flow, struct dso *dso, const char *function,
			   const char *type)
{
	const struct symbol *symbol = dso_symbol_named(dso, function);
	struct access access;
	bool met = false;

	assert_non_null(symbol);
	for (u64 at = symbol->start; at < symbol->end; at++) {
		if (!typeflow_lookup(flow, dso, at, &access) || !access.type)
			continue;
		assert_string_equal(access.type->name, type);
		met = true;
	}
	assert_true(met);
}

/* What one unit says is no answer for another: whoever is asked first. */
static void test_order_of_questions(void **state)
{
	static const char *const units[] = { "near", "far" };
	struct dsos *dsos;
	struct dso *dso;
	char *folder;

	dso = build_views(&folder, &dsos);
	for (u32 first = 0; first < 2; first++) {
		struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);

		for (u32 i = 0; i < 2; i++) {
			const char *unit = units[(first + i) % 2];
			g_autofree char *type = g_strconcat("struct ", unit, NULL);
			g_autofree char *next = g_strconcat(unit, "_next", NULL);
			g_autofree char *got = g_strconcat(unit, "_got", NULL);

			assert_touches(flow, dso, next, type);
			assert_touches(flow, dso, got, type);
		}
		typeflow_free(flow);
	}
	dsos_free(dsos);
	program_remove(folder);
}

/* Compiles @source; the caller frees all. */
static struct dso *build_source(const char *source, const char *command, char **folder,
				struct dsos **dsos)
{
	g_autofree char *c = NULL, *path = NULL, *line = NULL;

	*folder = g_dir_make_tmp("types-XXXXXX", NULL);
	c = g_build_filename(*folder, "source.c", NULL);
	path = g_build_filename(*folder, "program", NULL);
	assert_true(g_file_set_contents(c, source, -1, NULL));
	line = g_strdup_printf("%s -o '%s' '%s'", command, path, c);
	assert_int_equal(system(line), 0);
	*dsos = dsos_new(&(struct dso_options){ .buildid_dir = *folder });
	return dsos_get(*dsos, path, NULL, 0, DSO_USER);
}

/* How many instructions of @function say "@type..." of @offset; of that type they say nothing else. */
static u32 count_touches(struct typeflow *flow, struct dso *dso, const char *function,
			 const char *type, s64 offset)
{
	const struct symbol *symbol = dso_symbol_named(dso, function);
	struct access access;
	u32 met = 0;

	assert_non_null(symbol);
	for (u64 at = symbol->start; at < symbol->end; at++) {
		if (!typeflow_lookup(flow, dso, at, &access) || !access.type ||
		    strcmp(access.type->name, type) != 0)
			continue;
		assert_int_equal(access.offset, offset);
		assert_int_not_equal(access_rank(&access), ACCESS_RANK_INFERRED);
		met++;
	}
	return met;
}

static void assert_same_answer(struct typeflow *flow, struct typeflow *whole, struct dso *dso,
			       u64 vaddr)
{
	struct access got, wanted;

	assert_int_equal(typeflow_lookup(flow, dso, vaddr, &got),
			 typeflow_lookup(whole, dso, vaddr, &wanted));
	assert_int_equal(got.how, wanted.how);
	assert_int_equal(got.why, wanted.why);
	assert_int_equal(got.offset, wanted.offset);
	assert_int_equal(got.width, wanted.width);
	assert_int_equal(got.roles, wanted.roles);
	assert_int_equal(got.type != NULL, wanted.type != NULL);
	if (got.type)
		assert_string_equal(got.type->name, wanted.type->name);
}

/* The answer is the same whether or not it was said before what would be asked for. */
static void test_expected(void **state)
{
	enum { APART = 29 };
	struct typeflow *whole = typeflow_new(FUSION_NONE, NULL);
	g_autoptr(GArray) all = NULL;
	struct dsos *dsos;
	struct dso *dso;
	char *folder;

	dso = program_build("gcc -g -O2", &folder, &dsos);
	all = program_instructions(dso);
	assert_true(all->len > 1000);
	for (u32 first = 0; first < APART; first++) {
		struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);

		for (u32 i = first; i < all->len; i += APART)
			typeflow_expect(flow, dso, g_array_index(all, u64, i), false, 1);
		for (u32 i = first; i < all->len; i += APART)
			assert_same_answer(flow, whole, dso, g_array_index(all, u64, i));
		for (u32 i = APART - first; i < all->len; i += APART)
			assert_same_answer(flow, whole, dso, g_array_index(all, u64, i));
		typeflow_free(flow);
	}
	typeflow_free(whole);
	dsos_free(dsos);
	program_remove(folder);
}

/* A sample at a function's first instruction asks for no access: nothing is analysed until one is looked up. */
static void test_expected_ways(void **state)
{
	struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);
	struct typeflow *whole = typeflow_new(FUSION_NONE, NULL);
	g_autoptr(GArray) ways = g_array_new(false, false, sizeof(struct waited_way));
	struct typeflow_counts counts;
	const struct symbol *symbol;
	struct dsos *dsos;
	struct dso *dso;
	char *folder;

	dso = program_build("gcc -g -O2", &folder, &dsos);
	symbol = dso_symbol_named(dso, "main");
	assert_non_null(symbol);
	typeflow_expect_waited(flow);
	typeflow_expect(flow, dso, symbol->start, true, 1);
	typeflow_waited(flow, dso, symbol->start, true, ways);
	assert_int_equal(ways->len, 1);
	assert_int_equal(g_array_index(ways, struct waited_way, 0).how, WAITED_ENTRY);
	typeflow_counts(flow, &counts);
	assert_int_equal(counts.functions, 0);
	assert_same_answer(flow, whole, dso, symbol->start);
	typeflow_counts(flow, &counts);
	assert_int_equal(counts.functions, 1);
	typeflow_free(flow);
	typeflow_free(whole);
	dsos_free(dsos);
	program_remove(folder);
}

/* The instruction of @symbol whose answer has the type of this name; NULL: whose answer is missing because of @why. 0: none. */
static u64 find_answered(struct typeflow *flow, struct dso *dso, const struct symbol *symbol,
			 const char *type, enum access_why why)
{
	g_autoptr(GArray) all = program_instructions(dso);

	for (u32 i = 0; i < all->len; i++) {
		u64 vaddr = g_array_index(all, u64, i);
		struct access access;

		if (vaddr < symbol->start || vaddr >= symbol->end)
			continue;
		typeflow_lookup(flow, dso, vaddr, &access);
		if (type ? access.type && !strcmp(access.type->name, type)
			 : !access.type && access.why == why)
			return vaddr;
	}
	return 0;
}

/*
 * In both() of the source, no round answers the first access whose answer is @why. A later use tells that another one is to
 * struct item +8. So a function is analysed further only for the latter.
 */
static void check_settled(const char *text, enum access_why why)
{
	g_autofree char *source = g_strconcat(
		"struct item { long id, size; };\n"
		"__attribute__((noinline)) void drop(struct item *item) { item->id = 0; }\n",
		text, "int main(void) { return 0; }\n", NULL);
	struct typeflow *whole = typeflow_new(FUSION_NONE, NULL);
	struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);
	struct typeflow_counts first, settled, open;
	const struct symbol *symbol;
	struct access access;
	struct dsos *dsos;
	struct dso *dso;
	u64 never, size;
	char *folder;

	dso = build_source(source, "gcc -g -O1", &folder, &dsos);
	symbol = dso_symbol_named(dso, "both");
	assert_non_null(symbol);
	never = find_answered(whole, dso, symbol, NULL, why);
	size = find_answered(whole, dso, symbol, "struct item", ACCESS_WHY_NONE);
	assert_true(never && size);

	typeflow_lookup(flow, dso, symbol->start, &access);
	typeflow_counts(flow, &first);
	assert_false(typeflow_lookup(flow, dso, never, &access));
	typeflow_counts(flow, &settled);
	assert_int_equal(settled.instructions, first.instructions);
	assert_true(typeflow_lookup(flow, dso, size, &access));
	assert_int_equal(access.offset, 8);
	typeflow_counts(flow, &open);
	assert_true(open.instructions > settled.instructions);
	assert_same_answer(flow, whole, dso, never);
	typeflow_free(flow);
	typeflow_free(whole);
	dsos_free(dsos);
	program_remove(folder);
}

#define BOX                                                                                        \
	"struct small { char tag; int x; };\nstruct large { char tag; long y; };\n"                \
	"struct box { union { struct small *small; struct large *large; } u; };\n"

/* What the union's pointer is, no use tells; what the void * is, the call behind the access tells. */
static void test_settled(void **state)
{
	check_settled(BOX "__attribute__((noinline)) long both(struct box *box, void **at)\n{\n"
			  "void *item = *at;\nlong sum = box->u.small->tag + ((long *)item)[1];\n"
			  "drop(item);\nreturn sum;\n}\n",
		      ACCESS_AMBIGUOUS);
}

/* The index is computed from a pointer of which a later use tells the type. A remainder is a number, whatever it is of. */
static void test_settled_number(void **state)
{
	check_settled(
		"__attribute__((noinline)) long both(void **at, unsigned long n)\n{\n"
		"void *item = at[0];\n"
		"long sum = ((const long *)at[2])[(unsigned long)item % n] + ((long *)item)[1];\n"
		"drop(item);\nreturn sum;\n}\n",
		ACCESS_NO_TYPE);
}

/* It is new that `one` points into an array. What the pointers to different structures are joined to, that does not tell. */
static void test_settled_view(void **state)
{
	check_settled("struct one { long a, b; };\nstruct two { int x[6]; };\n"
		      "__attribute__((noinline)) long both(struct one *one, struct two *two, void "
		      "**at, long n)\n"
		      "{\nvoid *item = *at;\nlong sum = one[n].a + two->x[3];\n"
		      "const void *either = sum & 1 ? (void *)one : (void *)two;\n"
		      "sum += ((const long *)either)[1] + ((long *)item)[1];\n"
		      "drop(item);\nreturn sum;\n}\n",
		      ACCESS_MERGED);
}

/* The byte is in no structure that contains a `struct base`, and not in a neighbour in an array, whatever else is accessed. */
static void test_settled_shape(void **state)
{
	check_settled(
		"struct base { long a, b; };\nstruct more { struct base base; long c; };\n"
		"struct other { struct base base; double d; } other;\nstruct more more;\n"
		"__attribute__((noinline)) long both(struct base *base, void **at)\n"
		"{\nvoid *item = *at;\nlong sum = ((const char *)base)[17] + ((long *)item)[1];\n"
		"drop(item);\nreturn sum;\n}\n",
		ACCESS_OUTSIDE);
}

/* The callee has stored the pointer in the frame; it does so in each round. */
static void test_settled_slot(void **state)
{
	check_settled(
		"__attribute__((noinline)) void fill(void **slot, void *value) { *slot = value; }\n"
		"__attribute__((noinline)) long both(void **at)\n"
		"{\nvoid *item = *at, *filled = 0;\nfill(&filled, at);\n"
		"long sum = ((long *)filled)[2] + ((long *)item)[1];\n"
		"drop(item);\nreturn sum;\n}\n",
		ACCESS_NO_TYPE);
}

/* Instructions that are walked for those of @symbol whose answer has the type of this name, announced or not. */
static u64 walked_for(struct dso *dso, const struct symbol *symbol, const char *type, bool announce)
{
	struct typeflow *whole = typeflow_new(FUSION_NONE, NULL);
	struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);
	g_autoptr(GArray) all = program_instructions(dso);
	g_autoptr(GArray) asked = g_array_new(false, false, sizeof(u64));
	struct typeflow_counts counts;

	for (u32 i = 0; i < all->len; i++) {
		u64 vaddr = g_array_index(all, u64, i);
		struct access access;

		if (vaddr < symbol->start || vaddr >= symbol->end ||
		    !typeflow_lookup(whole, dso, vaddr, &access) || !access.type ||
		    strcmp(access.type->name, type) != 0)
			continue;
		g_array_append_val(asked, vaddr);
		if (announce)
			typeflow_expect(flow, dso, vaddr, false, 1);
	}
	assert_true(asked->len);
	for (u32 i = 0; i < asked->len; i++)
		assert_same_answer(flow, whole, dso, g_array_index(asked, u64, i));
	typeflow_counts(flow, &counts);
	typeflow_free(flow);
	typeflow_free(whole);
	return counts.walked;
}

/* An access at a fixed address needs no walk, if it is announced. */
static void test_expected_fixed(void **state)
{
	static const char source[] = "struct fixed { long a, b; } fixed;\n"
				     "long get(long n)\n{\nlong s = n;\n"
				     "if (n & 1) s = s * 3 + 2;\nreturn s + fixed.b;\n}\n"
				     "int main(void) { return 0; }\n";
	const struct symbol *symbol;
	struct dsos *dsos;
	struct dso *dso;
	char *folder;

	dso = build_source(source, "gcc -g -O1", &folder, &dsos);
	symbol = dso_symbol_named(dso, "get");
	assert_non_null(symbol);
	assert_int_equal(walked_for(dso, symbol, "struct fixed", true), 0);
	assert_true(walked_for(dso, symbol, "struct fixed", false) > 0);
	dsos_free(dsos);
	program_remove(folder);
}

/* However many instructions of a function are announced, code that does not lead to them is not walked. */
static void test_expected_many(void **state)
{
	static const char source[] =
		"struct wide { long f[24]; };\nlong twice(long);\n"
		"long many(struct wide *w, long n)\n{\nlong s = n;\n"
		"#define X(i) s = s * 3 + w->f[i];\n"
		"X(0) X(2) X(4) X(6) X(8) X(10) X(12) X(14) X(16) X(18) X(20) X(22)\n"
		"X(1) X(3) X(5) X(7) X(9) X(11) X(13) X(15) X(17) X(19) X(21) X(23)\n"
		"if (s & 1) { s = twice(s) + twice(s + 2); s ^= twice(s * s); }\nreturn s;\n}\n"
		"__attribute__((noinline)) long twice(long n) { return n * 2; }\n"
		"int main(void) { return 0; }\n";
	const struct symbol *symbol;
	struct dsos *dsos;
	struct dso *dso;
	char *folder;

	dso = build_source(source, "gcc -g -O1", &folder, &dsos);
	symbol = dso_symbol_named(dso, "many");
	assert_non_null(symbol);
	assert_true(walked_for(dso, symbol, "struct wide", true) <
		    walked_for(dso, symbol, "struct wide", false));
	dsos_free(dsos);
	program_remove(folder);
}

/*
 * The call behind the access tells its type, so a second round is needed. The blocks that lead to the access are walked
 * until they do not change once for each round, and a last time only where that is needed: to record uses, or to answer.
 */
static void test_expected_later(void **state)
{
	static const char source[] =
		"struct item { long id, size; };\n"
		"__attribute__((noinline)) void drop(struct item *item) { item->id = 0; }\n"
		"long all(void **at, long n)\n{\nlong s = 0;\n"
		"for (long i = 0; i < n; i++) {\nvoid *item = at[i];\n"
		"#define X(bit) if (i & bit) s = s * (bit + 1) ^ (s >> 3) ^ (n + i * (bit + 5));\n"
		"X(1) X(2) X(4) X(8) X(16) X(32) X(64) X(128)\n"
		"s += ((long *)item)[1];\ndrop(item);\n}\nreturn s;\n}\n"
		"int main(void) { return 0; }\n";
	const struct symbol *symbol;
	struct dsos *dsos;
	struct dso *dso;
	char *folder;

	dso = build_source(source, "gcc -g -O1", &folder, &dsos);
	symbol = dso_symbol_named(dso, "all");
	assert_non_null(symbol);
	assert_true(walked_for(dso, symbol, "struct item", true) <
		    walked_for(dso, symbol, "struct item", false));
	dsos_free(dsos);
	program_remove(folder);
}

/*
 * The call tells the type of what is loaded in the same block, and nothing else is new for the access. So only that block is
 * walked again; the blocks before are walked once for the first round, and once to record uses.
 */
static void test_expected_direct(void **state)
{
	static const char source[] =
		"struct item { long id, size; };\n"
		"__attribute__((noinline)) void drop(struct item *item) { item->id = 0; }\n"
		"long all(void **at, long n)\n{\nlong s = n;\n"
		"#define X(bit) if (n & bit) s = s * (bit + 1) ^ (s >> 3) ^ (n + s * (bit + 5));\n"
		"X(1) X(2) X(4) X(8) X(16) X(32) X(64) X(128)\n"
		"void *item = at[1];\ns += ((long *)item)[1];\ndrop(item);\nreturn s;\n}\n"
		"int main(void) { return 0; }\n";
	g_autoptr(GArray) all = NULL;
	const struct symbol *symbol;
	struct dsos *dsos;
	struct dso *dso;
	char *folder;
	u64 nr = 0;

	dso = build_source(source, "gcc -g -O1", &folder, &dsos);
	symbol = dso_symbol_named(dso, "all");
	assert_non_null(symbol);
	all = program_instructions(dso);
	for (u32 i = 0; i < all->len; i++)
		nr += g_array_index(all, u64, i) >= symbol->start &&
		      g_array_index(all, u64, i) < symbol->end;
	assert_true(walked_for(dso, symbol, "struct item", true) < nr * 5 / 2);
	dsos_free(dsos);
	program_remove(folder);
}

/*
 * The call tells the type of f. Pointers that are compared have one type, so each round tells that of one pointer more: e, d.
 * There are four rounds at most, however long the chain is.
 */
static void test_rounds(void **state)
{
	static const char source[] =
		"struct item { long a, b, c, d, e, f; };\n"
		"__attribute__((noinline)) void drop(struct item *item) { item->a = 0; }\n"
		"long chain(void **v)\n{\n"
		"void *a = v[0], *b = v[1], *c = v[2], *d = v[3], *e = v[4], *f = v[5];\n"
		"long sum = ((struct item *)a)->a + ((struct item *)b)->b +\n"
		"((struct item *)c)->c + ((struct item *)d)->d +\n"
		"((struct item *)e)->e + ((struct item *)f)->f;\n"
		"sum += (a == b) + (b == c) + (c == d) + (d == e) + (e == f);\n"
		"drop(f);\nreturn sum;\n}\n"
		"int main(void) { return 0; }\n";
	struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);
	const struct symbol *symbol;
	struct access access;
	u32 known = 0;
	struct dsos *dsos;
	struct dso *dso;
	char *folder;

	dso = build_source(source, "gcc -g -O1", &folder, &dsos);
	symbol = dso_symbol_named(dso, "chain");
	assert_non_null(symbol);
	for (u64 at = symbol->start; at < symbol->end; at++)
		if (typeflow_lookup(flow, dso, at, &access) && access.type &&
		    !strcmp(access.type->name, "struct item"))
			known |= 1u << access.offset / 8;
	assert_int_equal(known, 1u << 5 | 1u << 4 | 1u << 3);
	typeflow_free(flow);
	dsos_free(dsos);
	program_remove(folder);
}

/*
 * Structures that are walked in numbers, or of which one of two members is chosen: the structure
 * is known of the instruction, the member is not.
 */
static void test_steps_inside(void **state)
{
	static const char source[] =
		"struct cell { long key; long count; long *next; };\n"
		"struct leaf { long key; };\nstruct tree { struct leaf *left, *right; };\n"
		"struct row { int id; short a, b; float weight; };\n"
		"struct cell one;\n"
		"void mix(struct cell *to, const struct cell *from, unsigned long n)\n{\n"
		"for (unsigned long i = 0; i < n * 3; i++)\n"
		"((unsigned long *)to)[i] ^= ((const unsigned long *)from)[i];\n}\n"
		"long hash(long n)\n{\nlong sum = 0;\n"
		"for (long i = 0; i < n; i++) sum = sum * 31 + ((long *)&one)[i];\n"
		"return sum;\n}\n"
		"long choose(struct tree *t, int right)\n{\nstruct leaf *son;\n"
		"__asm__(\"mov (%1,%2,8), %0\" : \"=r\"(son) : \"r\"(t), \"r\"((long)right));\n"
		"return son->key;\n}\n"
		"void put(struct row *rows, long *nr, float weight)\n{\n"
		"long twice, at;\n"
		"__asm__ volatile(\"mov (%3), %0; lea 0(,%0,2), %1; add %0, %1; movss %4, "
		"8(%2,%1,4)\""
		" : \"=&r\"(at), \"=&r\"(twice) : \"r\"(rows), \"r\"(nr), \"x\"(weight) : "
		"\"memory\");\n}\n"
		"int main(void) { return 0; }\n";
	struct typeflow *flow = typeflow_new(FUSION_NONE, NULL);
	struct dsos *dsos;
	struct dso *dso;
	char *folder;

	dso = build_source(source, "gcc -g -O1", &folder, &dsos);
	assert_int_equal(count_touches(flow, dso, "mix", "struct cell", TYPE_OFFSET_ANY), 2);
	assert_int_equal(count_touches(flow, dso, "hash", "struct cell", TYPE_OFFSET_ANY), 1);
	assert_int_equal(count_touches(flow, dso, "choose", "struct tree", TYPE_OFFSET_ANY), 1);
	assert_int_equal(count_touches(flow, dso, "choose", "struct leaf", 0), 1);
	/* An index in whole elements, though it was multiplied in two steps. */
	assert_int_equal(count_touches(flow, dso, "put", "struct row", 8), 1);
	typeflow_free(flow);
	dsos_free(dsos);
	program_remove(folder);
}

struct kept {
	struct store_row row;
	u32 function_why;
	struct store_type off; /* what is wrong with the type that the row names */
	bool believed;
};

/* One function with one row, or none, as an earlier run would have left it. */
static void keep(const struct store_key *key, const struct kept *kept, const struct symbol *symbol,
		 u64 vaddr, const struct type *type)
{
	struct store_parts parts = {
		.pieces = g_array_new(false, false, sizeof(struct store_piece)),
		.functions = g_array_new(false, false, sizeof(struct store_function)),
		.rows = g_array_new(false, false, sizeof(struct store_row)),
		.types = g_array_new(false, false, sizeof(struct store_type)),
		.waits = g_array_new(false, false, sizeof(struct wait_row)),
		.ways = g_array_new(false, false, sizeof(struct wait_way)),
	};
	struct store_piece piece = { symbol->start, symbol->end, 0 };
	struct store_function function = { .low = symbol->start,
					   .nr = !kept->function_why,
					   .why = kept->function_why };
	struct store_type known = { .size = (u32)type->size + kept->off.size,
				    .name_hash = g_str_hash(type->name) + kept->off.name_hash };
	struct store_row row = kept->row;

	assert_true(type_number(type, &known.place));
	known.place += kept->off.place;
	row.at = (u32)(vaddr - symbol->start);
	g_array_append_val(parts.pieces, piece);
	g_array_append_val(parts.functions, function);
	if (function.nr)
		g_array_append_val(parts.rows, row);
	g_array_append_val(parts.types, known);
	store_write(key, &parts);
	g_array_unref(parts.pieces);
	g_array_unref(parts.functions);
	g_array_unref(parts.rows);
	g_array_unref(parts.types);
	g_array_unref(parts.waits);
	g_array_unref(parts.ways);
}

/*
 * What an earlier run left is believed where it says what an answer can say: a type exactly where
 * its kind has one, and one that is there. Of all else the file may hold the function is analysed.
 */
static void test_kept_answers(void **state)
{
	static const char source[] = "struct node { long key; struct node *next; };\n"
				     "void *next_of(struct node *n) { return n->next; }\n"
				     "int main(void) { return 0; }\n";
	static const struct kept all[] = {
		{ .row = { .how = ACCESS_FLOW, .type = 1 }, .believed = true },
		{ .row = { .how = ACCESS_UNKNOWN, .why = ACCESS_CLOBBERED }, .believed = true },
		{ .row = { .how = ACCESS_CANARY }, .believed = true },
		{ .function_why = ACCESS_NO_CODE, .believed = true },
		{ .row = { .how = ACCESS_FLOW } },
		{ .row = { .how = ACCESS_INFERRED } },
		{ .row = { .how = ACCESS_UNKNOWN, .type = 1 } },
		{ .row = { .how = ACCESS_STACK_OP, .type = 1 } },
		{ .row = { .how = NR_ACCESS_HOW, .type = 1 } },
		{ .row = { .how = NR_ACCESS_HOW } },
		{ .row = { .how = ACCESS_UNKNOWN, .why = NR_ACCESS_WHY } },
		{ .row = { .how = ACCESS_FLOW, .type = 2 } },
		{ .row = { .how = ACCESS_FLOW, .type = 1 }, .off.size = 8 },
		{ .row = { .how = ACCESS_FLOW, .type = 1 }, .off.name_hash = 1 },
		{ .row = { .how = ACCESS_FLOW, .type = 1 }, .off.place = 1 },
		{ .row = { .how = ACCESS_FLOW, .type = 1 }, .off.place = (u64)1 << 40 },
		{ .function_why = NR_ACCESS_WHY },
	};
	struct typeflow *flow = typeflow_new(FUSION_NONE, NULL), *other;
	const struct symbol *symbol;
	struct access right, access;
	struct store_key key;
	struct dsos *dsos;
	struct dso *dso;
	char *folder;
	u64 vaddr;

	dso = build_source(source, "gcc -g -O2 -fcf-protection=none -Wl,--build-id", &folder,
			   &dsos);
	symbol = dso_symbol_named(dso, "next_of");
	assert_non_null(symbol);
	vaddr = symbol->start;
	assert_true(typeflow_lookup(flow, dso, vaddr, &right));
	assert_string_equal(right.type->name, "struct node");
	assert_int_equal(right.offset, 8);
	key = (struct store_key){ .folder = folder,
				  .object = dso_build_id(dso),
				  .variant = FUSION_NONE,
				  .contents = object_identity(dso) };
	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		const struct kept *kept = &all[i];
		struct typeflow *later = typeflow_new(FUSION_NONE, folder);
		u8 why = kept->function_why ? (u8)kept->function_why : kept->row.why;

		keep(&key, kept, symbol, vaddr, right.type);
		typeflow_lookup(later, dso, vaddr, &access);
		assert_int_equal(access.how, kept->believed ? kept->row.how : right.how);
		assert_int_equal(access.why, kept->believed ? why : right.why);
		assert_int_equal(access.type != NULL, kept->believed ? kept->row.type : 1);
		assert_int_equal(access.offset, kept->believed ? 0 : 8);
		typeflow_free(later);
	}
	/* Of another object with this build-id. */
	key.contents++;
	keep(&key, &all[2], symbol, vaddr, right.type);
	other = typeflow_new(FUSION_NONE, folder);
	typeflow_lookup(other, dso, vaddr, &access);
	assert_int_equal(access.how, right.how);
	typeflow_free(other);
	typeflow_free(flow);
	dsos_free(dsos);
	program_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gcc),
		cmocka_unit_test(test_clang),
		cmocka_unit_test(test_packed),
		cmocka_unit_test(test_got_gcc),
		cmocka_unit_test(test_got_clang),
		cmocka_unit_test(test_flow_gcc),
		cmocka_unit_test(test_flow_clang),
		cmocka_unit_test(test_views_gcc),
		cmocka_unit_test(test_views_clang),
		cmocka_unit_test(test_numbers_gcc),
		cmocka_unit_test(test_numbers_clang),
		cmocka_unit_test(test_aliased_gcc),
		cmocka_unit_test(test_aliased_clang),
		cmocka_unit_test(test_counted_gcc),
		cmocka_unit_test(test_counted_clang),
		cmocka_unit_test(test_biased_gcc),
		cmocka_unit_test(test_biased_clang),
		cmocka_unit_test(test_gathers_gcc),
		cmocka_unit_test(test_gathers_clang),
		cmocka_unit_test(test_indexes_gcc),
		cmocka_unit_test(test_indexes_clang),
		cmocka_unit_test(test_told_apart_gcc),
		cmocka_unit_test(test_told_apart_clang),
		cmocka_unit_test(test_clones_gcc),
		cmocka_unit_test(test_clones_clang),
		cmocka_unit_test(test_untracked_gcc),
		cmocka_unit_test(test_untracked_clang),
		cmocka_unit_test(test_headers_gcc),
		cmocka_unit_test(test_headers_clang),
		cmocka_unit_test(test_unseen_gcc),
		cmocka_unit_test(test_unseen_clang),
		cmocka_unit_test(test_holders_gcc),
		cmocka_unit_test(test_holders_clang),
		cmocka_unit_test(test_opaque_gxx),
		cmocka_unit_test(test_opaque_clangxx),
		cmocka_unit_test(test_slots_gcc),
		cmocka_unit_test(test_slots_clang),
		cmocka_unit_test(test_one_address_gcc),
		cmocka_unit_test(test_one_address_clang),
		cmocka_unit_test(test_gxx),
		cmocka_unit_test(test_clangxx),
		cmocka_unit_test(test_temporaries_gxx),
		cmocka_unit_test(test_temporaries_clangxx),
		cmocka_unit_test(test_virtual_gxx),
		cmocka_unit_test(test_virtual_clangxx),
		cmocka_unit_test(test_rust),
		cmocka_unit_test(test_debug_frame),
		cmocka_unit_test(test_no_aranges),
		cmocka_unit_test(test_debuglink),
		cmocka_unit_test(test_split_dwarf),
		cmocka_unit_test(test_split_ranges),
		cmocka_unit_test(test_dwz),
		cmocka_unit_test(test_analysed_once),
		cmocka_unit_test(test_settled),
		cmocka_unit_test(test_settled_number),
		cmocka_unit_test(test_settled_view),
		cmocka_unit_test(test_settled_shape),
		cmocka_unit_test(test_settled_slot),
		cmocka_unit_test(test_expected_fixed),
		cmocka_unit_test(test_expected_many),
		cmocka_unit_test(test_expected_later),
		cmocka_unit_test(test_expected_direct),
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_stripped),
		cmocka_unit_test(test_units_touched),
		cmocka_unit_test(test_order_of_questions),
		cmocka_unit_test(test_steps_inside),
		cmocka_unit_test(test_kept_answers),
		cmocka_unit_test(test_expected),
		cmocka_unit_test(test_expected_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
