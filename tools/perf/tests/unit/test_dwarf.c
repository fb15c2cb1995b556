// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * types/shapes.* compiled by each compiler in each format, and what the debug information is
 * read to say of them: names as the language writes them, prototypes, registers by the ABI,
 * call sites, variables with static storage wherever they are declared.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dso/dso.h"
#include "dwarf/abi.h"
#include "dwarf/abi_go.h"
#include "dwarf/debuginfo.h"
#include "dwarf/go.h"
#include "dwarf/protos.h"
#include "have.h"

struct opened {
	char *folder;
	struct dsos *dsos;
	struct dso *dso;
	struct debuginfo *debug;
};

/* The program in @o's folder. */
static void open_program(struct opened *o)
{
	g_autofree char *path = g_strdup_printf("%s/program", o->folder);
	struct debuginfo_source from = { 0 };

	o->dsos = dsos_new(&(struct dso_options){ .buildid_dir = o->folder });
	o->dso = dsos_get(o->dsos, path, NULL, 0, DSO_USER);
	from.dwarf = dso_dwarf(o->dso, &from.dwarf_bias);
	assert_non_null(from.dwarf);
	from.package = dso_dwarf_package(o->dso);
	from.eh_cfi = dso_eh_cfi(o->dso, &from.eh_bias);
	o->debug = debuginfo_new(&from);
}

/* @pack: the split units' files go into one package. */
static void build_as(struct opened *o, const char *compile, const char *source, bool pack)
{
	const char *top = getenv("SRC");
	g_autofree char *command = NULL;

	if (!have(compile) || (pack && !have("llvm-dwp"))) {
		print_message("%s or llvm-dwp is not installed\n", compile);
		skip();
	}
	o->folder = g_dir_make_tmp("dwarf-XXXXXX", NULL);
	command = g_strdup_printf("cd %s && %s -o program %s/tools/perf/tests/unit/types/%s",
				  o->folder, compile, top ? top : "$OLDPWD", source);
	assert_int_equal(system(command), 0);
	if (pack) {
		g_free(command);
		command = g_strdup_printf("cd %s && timeout 60 llvm-dwp -e program -o program.dwp "
					  "&& rm *.dwo",
					  o->folder);
		assert_int_equal(system(command), 0);
	}
	open_program(o);
}

static void build(struct opened *o, const char *compile, const char *source)
{
	build_as(o, compile, source, false);
}

static void discard(struct opened *o)
{
	g_autofree char *command = g_strdup_printf("rm -rf '%s'", o->folder);

	debuginfo_free(o->debug);
	dsos_free(o->dsos);
	assert_int_equal(system(command), 0);
	g_free(o->folder);
}

static u64 address(struct opened *o, const char *symbol)
{
	const struct symbol *found = dso_symbol_named(o->dso, symbol);

	if (!found)
		fail_msg("no symbol %s", symbol);
	return found->start;
}

static const struct proto *proto_at(struct opened *o, const char *symbol)
{
	const struct proto *proto = debuginfo_proto_at(o->debug, address(o, symbol));

	if (!proto)
		fail_msg("no prototype of %s", symbol);
	return proto;
}

/* One line per part: "0+0:8=5" is bytes 0 to 7 of parameter 0 in register 5; "&": its address. */
static char *parts_text(const struct abi_part *parts, u32 nr)
{
	GString *text = g_string_new(NULL);

	for (u32 i = 0; i < nr; i++) {
		const struct abi_part *p = &parts[i];

		g_string_append_printf(text, "%s%s", i ? " " : "", p->address ? "&" : "");
		if (p->param == ABI_RESULT)
			g_string_append_c(text, 'r');
		else
			g_string_append_printf(text, "%u", p->param);
		g_string_append_printf(text, "+%u:%u=", p->offset, p->size);
		if (p->reg == ABI_STACK)
			g_string_append_printf(text, "stack%d", p->stack);
		else
			g_string_append_printf(text, "%u", p->reg);
	}
	return g_string_free(text, false);
}

static void check_abi(struct opened *o, const char *symbol, const char *parameters,
		      const char *result)
{
	const struct proto *proto = proto_at(o, symbol);
	struct abi_part parts[ABI_MAX_PARTS];
	g_autofree char *in = parts_text(parts, abi_parameters(proto, parts, ABI_MAX_PARTS));
	g_autofree char *out = parts_text(parts, abi_result(proto, parts));

	assert_string_equal(in, parameters);
	assert_string_equal(out, result);
}

static const char *const c_builds[] = {
	"gcc -g -O1 -gdwarf-5",
	"gcc -g -O2 -gdwarf-4",
	"gcc -g -O0 -gdwarf-5",
	"clang -g -O1 -gdwarf-5",
	"clang -g -O0 -gdwarf-4",
	"gcc -g -O2 -gdwarf-5 -gsplit-dwarf",
	"gcc -g -O2 -flto",
	"gcc -g -O2 -gdwarf-5 -gdwarf64",
	"gcc -g -O2 -gdwarf-4 -gdwarf64",
	NULL,
};

static const char *const cc_builds[] = {
	"g++ -g -O1 -gdwarf-5",	    "g++ -g -O1 -gdwarf-4 -fdebug-types-section",
	"clang++ -g -O1 -gdwarf-5", "clang++ -g -O1 -gdwarf-5 -fdebug-types-section",
	"clang++ -g -O0 -gdwarf-4", NULL,
};

static void each_build(const char *const *builds, const char *source,
		       void (*check)(struct opened *))
{
	for (; *builds; builds++) {
		struct opened o;

		build(&o, *builds, source);
		check(&o);
		discard(&o);
	}
}

static const char *const packed_c[] = {
	"gcc -g -O2 -gdwarf-4 -gsplit-dwarf",
	"clang -g -O1 -gdwarf-4 -gsplit-dwarf",
	"clang -g -O1 -gdwarf-5 -gsplit-dwarf",
	NULL,
};

static const char *const packed_cc[] = {
	"g++ -g -O2 -gdwarf-4 -gsplit-dwarf -fdebug-types-section",
	"clang++ -g -O1 -gdwarf-5 -gsplit-dwarf -fdebug-types-section",
	NULL,
};

static void each_packed(const char *const *builds, const char *source,
			void (*check)(struct opened *))
{
	for (; *builds; builds++) {
		struct opened o;

		build_as(&o, *builds, source, true);
		check(&o);
		discard(&o);
	}
}

/* Figure 3.4 and 3.5 of the ABI: eight bytes by what they hold, memory above sixteen. */
static void check_c_abi(struct opened *o)
{
	check_abi(o, "mixed", "0+0:8=17 0+8:8=5 1+0:4=4", "r+0:8=0 r+8:8=17");
	check_abi(o, "large", "&r+0:8=5 0+0:24=stack0 1+0:4=4", "&r+0:8=0");
	check_abi(o, "many",
		  "0+0:8=5 1+0:8=4 2+0:8=1 3+0:8=2 4+0:8=8 5+0:8=9 6+0:8=stack0 7+0:8=17 "
		  "8+0:16=stack16 9+0:4=stack32",
		  "r+0:4=17");
	check_abi(o, "reals", "0+0:8=17 0+8:8=18 1+0:8=5 1+8:8=4 2+0:4=19", "r+0:8=17 r+8:8=18");
	check_abi(o, "wide", "0+0:8=5 0+8:8=4 1+0:8=17 1+8:8=18", "r+0:8=0 r+8:8=1");
	check_abi(o, "uneven", "0+0:8=17 0+8:4=18 1+0:8=5 1+8:4=4", "r+0:8=17 r+8:4=18");
	check_abi(o, "precise", "0+0:16=stack0 1+0:8=17", "r+0:16=33");
}

static void test_c_abi(void **state)
{
	each_build(c_builds, "shapes.c", check_c_abi);
}

static void check_protos(struct opened *o)
{
	const struct proto *proto = proto_at(o, "report");

	assert_string_equal(proto->name, "report");
	assert_true(proto->varargs);
	assert_int_equal(proto->nr_params, 1);
	assert_string_equal(proto->params[0]->name, "char*");
	assert_int_equal(proto->returns->kind, TYPE_VOID);
	assert_true(proto_at(o, "give_up")->noreturn);

	assert_ptr_equal(debuginfo_proto_named(o->debug, "large", address(o, "main")),
			 debuginfo_proto_named(o->debug, "large@plt", address(o, "main")));
	assert_null(debuginfo_proto_named(o->debug, "no_such_function", address(o, "main")));
	assert_null(debuginfo_proto_at(o->debug, address(o, "report") + 1));

	/* Through the function pointer in the structure. */
	proto = type_proto(proto_at(o, "through")->params[0]);
	assert_non_null(proto);
	assert_int_equal(proto->nr_params, 2);
	assert_string_equal(proto->params[1]->name, "struct large*");
	assert_string_equal(proto->returns->name, "struct mixed*");

	assert_true(proto_is_altered("large.isra.0"));
	assert_true(proto_is_altered("large.constprop.0"));
	assert_false(proto_is_altered("large.cold"));
}

static void test_protos(void **state)
{
	each_build(c_builds, "shapes.c", check_protos);
	each_packed(packed_c, "shapes.c", check_protos);
}

/* What an optimizing compiler says of a call: whom, and what it hands over. */
static void test_call_sites(void **state)
{
	static const char *const builds[] = { "gcc -g -O2 -gdwarf-5", "gcc -g -O2 -gdwarf-4",
					      NULL };

	for (u32 i = 0; builds[i]; i++) {
		enum debuginfo_absence why;
		const struct func_vars *vars;
		bool found = false;
		struct opened o;

		build(&o, builds[i], "shapes.c");
		vars = debuginfo_function(o.debug, address(&o, "caller"), &why);
		assert_non_null(vars);
		for (u32 k = 0; k < vars->nr_calls; k++) {
			const struct call_site *call = &vars->calls[k];
			const struct proto *proto = debuginfo_call_proto(o.debug, call);

			if (!proto || strcmp(proto->name, "take") != 0)
				continue;
			found = true;
			assert_true(call->return_pc > address(&o, "caller"));
		}
		assert_true(found);
		discard(&o);
	}
}

/* Where the variables of the function are, by addresses from its start. */
static char *locations_text(struct opened *o, const char *symbol)
{
	u64 start = address(o, symbol);
	enum debuginfo_absence why;
	const struct func_vars *vars = debuginfo_function(o->debug, start, &why);
	GString *text = g_string_new(NULL);

	assert_non_null(vars);
	for (u32 i = 0; i < vars->nr_locations; i++) {
		const struct location *l = &vars->locations[i];

		g_string_append_printf(text, "%s: %" PRId64 " to %" PRId64 " kind %u register %u\n",
				       vars->variables[l->variable].name, (s64)(l->low - start),
				       (s64)(l->high - start), l->kind, l->reg);
	}
	return g_string_free(text, false);
}

/* clang writes lists of locations by numbers. Each unit counts them from a place of its own. */
static void test_lists_of_a_second_unit(void **state)
{
	const char *top = getenv("SRC");
	g_autofree char *command = NULL, *alone = NULL, *second = NULL;
	struct opened o;

	build(&o, "clang -g -O1 -gdwarf-5", "shapes.c");
	alone = locations_text(&o, "main");
	assert_non_null(strstr(alone, "argc: 0 to "));
	discard(&o);
	o.folder = g_dir_make_tmp("dwarf-XXXXXX", NULL);
	command = g_strdup_printf(
		"cd %s && echo 'int rand(void); int first(void) { int a = rand(), b = rand(); "
		"return a * b + rand(); }' | clang -g -O1 -gdwarf-5 -x c -c -o first.o - && "
		"clang -g -O1 -gdwarf-5 -o program first.o %s/tools/perf/tests/unit/types/shapes.c",
		o.folder, top ? top : "$OLDPWD");
	assert_int_equal(system(command), 0);
	open_program(&o);
	second = locations_text(&o, "main");
	assert_string_equal(second, alone);
	discard(&o);
}

/* Split DWARF 4 has lists of its own format. They say the same. */
static void test_lists_of_split_units(void **state)
{
	g_autofree char *whole = NULL, *split = NULL;
	struct opened o;

	build(&o, "clang -g -O1 -gdwarf-4", "shapes.c");
	whole = locations_text(&o, "main");
	assert_non_null(strstr(whole, "argc: 0 to "));
	discard(&o);
	build(&o, "clang -g -O1 -gdwarf-4 -gsplit-dwarf", "shapes.c");
	split = locations_text(&o, "main");
	assert_string_equal(split, whole);
	discard(&o);
}

/* gcc writes -1 as the length of some ranges. */
static void test_negative_lengths_of_split_units(void **state)
{
	enum debuginfo_absence why;
	const struct func_vars *vars;
	struct opened o;
	u64 start;

	build(&o, "gcc -g -O2 -gdwarf-4 -gsplit-dwarf", "shapes.c");
	start = address(&o, "main");
	vars = debuginfo_function(o.debug, start, &why);
	assert_non_null(vars);
	assert_true(vars->nr_locations > 0);
	for (u32 i = 0; i < vars->nr_locations; i++)
		assert_in_range(vars->locations[i].high, vars->locations[i].low,
				start + UINT16_MAX);
	discard(&o);
}

/* types/cfa.S has a rule for each of its bytes. */
static void test_cfa(void **state)
{
	static const struct {
		bool found;
		u8 reg;
		s64 offset;
	} rules[] = { { true, 7, 8 },
		      { true, 33, 24 },
		      { true, 127, -8 },
		      { false, 0, 0 },
		      { false, 0, 0 } };
	struct opened o;
	u64 start;

	build(&o, "gcc -g", "cfa.S");
	start = address(&o, "main");
	for (u32 i = 0; i < ARRAY_SIZE(rules); i++) {
		u64 low, high;
		u8 reg = 0;
		s64 offset = 0;

		assert_int_equal(debuginfo_cfa(o.debug, start + i, &reg, &offset, &low, &high),
				 rules[i].found);
		if (!rules[i].found)
			continue;
		assert_int_equal(reg, rules[i].reg);
		assert_int_equal(offset, rules[i].offset);
		assert_int_equal(low, start + i);
		assert_int_equal(high, start + i + 1);
	}
	discard(&o);
}

static const struct variable *global(struct opened *o, const char *symbol, u64 offset)
{
	u64 at = address(o, symbol), start = 0;
	const struct variable *variable =
		debuginfo_global(o->debug, at + offset, address(o, "main"), symbol, at, &start);

	if (!variable)
		fail_msg("no variable at %s", symbol);
	assert_int_equal(start, at);
	return variable;
}

static void check_globals(struct opened *o)
{
	u64 start;

	assert_string_equal(global(o, "table", 16)->type->name, "struct large[]");
	assert_string_equal(global(o, "origin", 8)->type->name, "struct mixed");
	assert_null(debuginfo_global(o->debug, address(o, "main"), address(o, "main"), "main",
				     address(o, "main"), &start));
}

static void test_globals(void **state)
{
	each_build(c_builds, "shapes.c", check_globals);
	each_packed(packed_c, "shapes.c", check_globals);
}

static void test_large_codes(void **state)
{
	struct opened o;

	build(&o, "gcc", "codes.S");
	assert_string_equal(global(&o, "far", 0)->type->name, "number");
	discard(&o);
}

/* DW_OP_plus adds the two topmost entries, in either order; DW_OP_minus subtracts the topmost one (DWARF 5, 2.5.1.4). */
static void test_sums(void **state)
{
	static const char *const names[] = { "first", "second", "third" };
	struct opened o;
	u64 table;

	build(&o, "gcc", "sums.S");
	table = address(&o, "table");
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		u64 at = table + i * 4, start = 0;
		const struct variable *variable = debuginfo_global(
			o.debug, at + 3, address(&o, "main"), "table", table, &start);

		assert_non_null(variable);
		assert_string_equal(variable->name, names[i]);
		assert_int_equal(start, at);
	}
	discard(&o);
}

static u32 nr_places(const struct func_vars *vars, const char *name)
{
	u32 nr = 0;

	for (u32 i = 0; i < vars->nr_locations; i++)
		nr += !strcmp(vars->variables[vars->locations[i].variable].name, name);
	return nr;
}

/* A register has eight bytes, so it has not all of an interface of Go; the places in memory beside it are not the interface's either. */
static void test_go_words(void **state)
{
	enum debuginfo_absence why;
	const struct func_vars *vars;
	struct opened o;

	build(&o, "gcc", "words.S");
	vars = debuginfo_function(o.debug, address(&o, "main"), &why);
	assert_non_null(vars);
	assert_true(vars->go);
	assert_int_equal(nr_places(vars, "part"), 0);
	assert_int_equal(nr_places(vars, "both"), 2);
	assert_int_equal(nr_places(vars, "small"), 2);
	discard(&o);
}

static const char *shown_member(struct opened *o, const char *variable, u32 nth)
{
	u32 nr;
	const struct member *members = type_members(global(o, variable, 0)->type, &nr);

	assert_true(nth < nr);
	return type_shown_name(members[nth].type);
}

/* A type without a name is called by what is declared with it. */
static void check_nameless(struct opened *o)
{
	const struct type *named = global(o, "named", 0)->type;
	u32 nr;

	assert_string_equal(shown_member(o, "object", 0), "int");
	assert_string_equal(shown_member(o, "object", 1), "union outer.{bits}");
	assert_string_equal(shown_member(o, "object", 2), "struct outer.point");
	assert_string_equal(shown_member(o, "object", 3), "struct outer.row[]");
	assert_string_equal(
		type_shown_name(
			type_members(type_members(global(o, "object", 0)->type, &nr)[2].type,
				     &nr)[2]
				.type),
		"union outer.point.{inner}");
	assert_string_equal(shown_member(o, "named", 1), "struct named_t.at");
	assert_string_equal(type_shown_name(named), "named_t");
	assert_string_equal(type_shown_name(type_strip(named)), "named_t");
	assert_string_equal(type_shown_name(global(o, "counters", 0)->type), "struct of counters");
	assert_string_equal(type_shown_name(global(o, "cursor", 0)->type), "struct of cursor*");
	assert_string_equal(type_shown_name(type_pointer_to(global(o, "counters", 0)->type)),
			    "struct of counters*");
	assert_string_equal(type_shown_name(global(o, "colour", 0)->type), "enum of colour");
}

static void test_nameless(void **state)
{
	each_build(c_builds, "nameless.c", check_nameless);
	each_packed(packed_c, "nameless.c", check_nameless);
}

static void check_names(struct opened *o)
{
	const struct proto *proto = proto_at(o, "names");
	const char *bare;
	static const char *const want[] = {
		"struct store::Item*", "store::Holder<int>&", "struct store::Holder<int>::Inner*",
		"enum store::Color",   "int store::Item::*",  "store::Base&&",
	};

	assert_int_equal(proto->nr_params, G_N_ELEMENTS(want));
	for (u32 i = 0; i < G_N_ELEMENTS(want); i++)
		assert_string_equal(proto->params[i]->name, want[i]);
	assert_string_equal(global(o, "_ZN5store7currentE", 0)->type->name, "struct store::Item");
	assert_string_equal(global(o, "_ZN5store4Base5totalE", 0)->name, "total");
	assert_string_equal(global(o, "_ZZ4tickvE5count", 0)->type->name, "int");
	/* A template's alias is no name for it. In a unit of its own it is called by its first member. */
	bare = type_shown_name(global(o, "bare", 0)->type);
	if (strcmp(bare, "struct {depth}") != 0)
		assert_string_equal(bare, "struct of bare");
}

static void test_cxx_names(void **state)
{
	each_build(cc_builds, "shapes.cc", check_names);
	each_packed(packed_cc, "shapes.cc", check_names);
}

/* Objects with a destructor go by their address, `this` first, the result's address before. */
static void check_cxx_abi(struct opened *o)
{
	check_abi(o, "_ZN5store4Base4pickE5TokenNS_4ItemE", "&r+0:8=5 0+0:8=4 &1+0:8=1 2+0:8=2",
		  "&r+0:8=0");
	assert_true(proto_at(o, "_ZN5store4Base4pickE5TokenNS_4ItemE")->has_this);
}

static void test_cxx_abi(void **state)
{
	each_build(cc_builds, "shapes.cc", check_cxx_abi);
}

/* A class that states the normal convention (DWARF 5, 5.7.1) has stated nothing: the declarations say how it goes. */
static void test_cxx_normal_convention(void **state)
{
	const char *top = getenv("SRC");
	g_autofree char *command = NULL;
	struct opened o;

	if (!have("clang++")) {
		print_message("clang++ is not installed\n");
		skip();
	}
	o.folder = g_dir_make_tmp("dwarf-XXXXXX", NULL);
	command = g_strdup_printf(
		"cd %s && clang++ -g -O1 -gdwarf-5 -S -o stated.s "
		"%s/tools/perf/tests/unit/types/shapes.cc && "
		"sed 's/[[:space:]][45]\\([[:space:]].*DW_AT_calling_convention\\)/ 1\\1/' "
		"stated.s >normal.s && ! cmp -s stated.s normal.s && clang++ -o program normal.s",
		o.folder, top ? top : "$OLDPWD");
	assert_int_equal(system(command), 0);
	open_program(&o);
	check_cxx_abi(&o);
	discard(&o);
}

/* A class without a declared destructor or copy constructor goes in registers, if its members and bases do. */
static void check_local_classes(struct opened *o)
{
	static const char *const closures[] = { "_Z6calledIZ9of_localslEUlvE_ElT_l",
						"_Z6calledIZ9of_localslE3$_0ElT_l" };
	bool clang = dso_symbol_named(o->dso, closures[1]) != NULL;
	const struct type *optional;
	char path[64];

	check_abi(o, "_Z8first_ofIZ9of_localslE5LocalElT_l", "0+0:8=5 0+8:8=4 1+0:8=1", "r+0:8=0");
	check_abi(o, "_Z7made_ofIZ9of_localslE5LocalET_l", "0+0:8=5", "r+0:8=0 r+8:8=1");
	check_abi(o, "_Z8first_ofIZ9of_localslE7GuardedElT_l", "&0+0:8=5 1+0:8=4", "r+0:8=0");
	check_abi(o, "_Z8first_ofIZ9of_localslE7DerivedElT_l", "&0+0:8=5 1+0:8=4", "r+0:8=0");
	check_abi(o, "_Z8first_ofIZ9of_localslE7VirtualElT_l", "&0+0:8=5 1+0:8=4", "r+0:8=0");
	check_abi(o, "_Z8first_ofIZ9of_localslE5MovedElT_l", "0+0:8=5 0+8:8=4 1+0:8=1", "r+0:8=0");
	check_abi(o, "_Z8first_ofIZ9of_localslE6PinnedElT_l", "&0+0:8=5 1+0:8=4", "r+0:8=0");
	check_abi(o, closures[clang], "0+0:8=5 0+8:8=4 1+0:8=1", "r+0:8=0");
	optional = type_target(proto_at(o, "_Z8first_ofIZ9of_localslE8OptionalElPT_l")->params[0]);
	assert_true(type_member_path(optional, 8, path, sizeof(path)));
	assert_string_equal(path, "none");
}

static void test_local_classes(void **state)
{
	each_build(cc_builds, "shapes.cc", check_local_classes);
}

static bool reach_of(struct opened *o, const char *variable, u32 levels, u32 nth,
		     struct type_reach *reach)
{
	const struct type *type = type_strip(global(o, variable, 0)->type);
	u32 nr;

	if (type->kind == TYPE_ARRAY)
		type = type_target(type);
	for (u32 i = 0; i < levels; i++)
		type = type_members(type, &nr)[0].type;
	return type_reach(type_members(type, &nr)[nth].type, reach);
}

/* If not all structures around a type are examined, its reach is not known. */
static void check_reach(struct opened *o)
{
	struct type_reach reach;

	assert_true(reach_of(o, "one", 0, 1, &reach));
	assert_int_equal(reach.before, 8);
	assert_int_equal(reach.after, 16);
	assert_true(reach_of(o, "deepest", 5, 1, &reach));
	assert_int_equal(reach.before, 8);
	assert_int_equal(reach.after, 808);
	assert_false(reach_of(o, "deepest", 6, 0, &reach));
	assert_false(reach_of(o, "large", 0, 0, &reach));
}

static void test_reach(void **state)
{
	each_build(c_builds, "holders.c", check_reach);
}

static void test_members(void **state)
{
	struct opened o;
	const struct type *type;
	char path[64];

	build(&o, "g++ -g -O1", "shapes.cc");
	type = type_target(proto_at(&o, "names")->params[5]);
	assert_true(type_member_path(type, 0, path, sizeof(path)));
	assert_string_equal(path, "_vptr.Base");
	assert_true(type_member_path(type, 8, path, sizeof(path)));
	assert_string_equal(path, "item.a");
	discard(&o);
}

/*
 * Functions of the C library that no unit declares. Their types have no entry, but numbers by which another debuginfo
 * finds them.
 */
static void test_library(void **state)
{
	static const char *const cases[][2] = {
		{ "__errno_location", "int*" },
		{ "__ctype_b_loc@plt", "unsigned short**" },
		{ "strerror@GLIBC_2.2.5", "char*" },
		{ "fopen", "FILE*" },
	};
	struct opened o, again;
	u64 number = 0;

	build(&o, "clang -g -O1", "shapes.c");
	again.folder = o.folder;
	open_program(&again);
	assert_null(debuginfo_proto_named(o.debug, "qsort", address(&o, "caller")));
	for (u32 i = 0; i < G_N_ELEMENTS(cases); i++) {
		const struct proto *proto =
			debuginfo_proto_named(o.debug, cases[i][0], address(&o, "caller"));
		const struct type *same;

		assert_non_null(proto);
		assert_string_equal(proto->returns->name, cases[i][1]);
		assert_int_equal(proto->returns->size, 8);
		assert_true(type_number(proto->returns, &number));
		same = debuginfo_type_numbered(again.debug, number);
		assert_non_null(same);
		assert_ptr_not_equal(same, proto->returns);
		assert_string_equal(same->name, cases[i][1]);
		assert_true(type_identity(same) == type_identity(proto->returns));
	}
	assert_null(debuginfo_type_numbered(o.debug, number | 0xff));
	assert_null(debuginfo_type_numbered(o.debug, number + (200ULL << 8)));
	debuginfo_free(again.debug);
	dsos_free(again.dsos);
	discard(&o);
}

static void test_rust_names(void **state)
{
	enum debuginfo_absence why;
	const struct func_vars *vars;
	const struct type *shape;
	char path[64];
	struct opened o;

	build(&o, "rustc -g -C opt-level=1 -C panic=abort --crate-name shapes", "shapes.rs");
	vars = debuginfo_function(o.debug, address(&o, "area"), &why);
	assert_non_null(vars);
	assert_string_equal(vars->variables[0].type->name, "&shapes::deep::Shape");
	shape = type_target(vars->variables[0].type);
	assert_string_equal(shape->name, "shapes::deep::Shape");
	assert_true(type_member_path(shape, 8, path, sizeof(path)));
	assert_true(g_str_has_prefix(path, "Circle.") || g_str_has_prefix(path, "Rect."));
	vars = debuginfo_function(o.debug, address(&o, "sum"), &why);
	assert_non_null(vars);
	assert_string_equal(vars->variables[0].type->name, "&[u64]");
	discard(&o);
}

/* What rustc 1.95 does at opt-level 1, read from its code for these functions. */
static void test_rust_abi(void **state)
{
	static const char *const cases[][3] = {
		{ "unit", "1+0:8=5 2+0:8=4", "" },
		{ "two_numbers", "0+0:4=5 0+4:4=4 1+0:8=1 2+0:8=2", "r+0:4=0 r+4:4=1" },
		{ "number_and_float", "0+0:8=5 0+8:8=17 1+0:8=4 2+0:8=1", "r+0:8=0 r+8:8=17" },
		{ "floats", "0+0:4=17 0+4:4=18 1+0:8=5 2+0:8=4", "r+0:4=17 r+4:4=18" },
		{ "wide", "0+0:8=5 0+8:8=4 1+0:8=1 2+0:8=2", "r+0:8=0 r+8:8=1" },
		{ "wrapped", "0+0:8=17 1+0:8=5 2+0:8=4", "r+0:8=17" },
		{ "bytes", "0+0:7=5 1+0:8=4 2+0:8=1", "r+0:7=0" },
		{ "words", "&r+0:8=5 &0+0:8=4 1+0:8=1 2+0:8=2", "&r+0:8=0" },
		{ "three", "&r+0:8=5 &0+0:8=4 1+0:8=1 2+0:8=2", "&r+0:8=0" },
		{ "slice", "0+0:8=5 0+8:8=4 1+0:8=1 2+0:8=2", "r+0:8=0 r+8:8=1" },
		{ "object", "0+0:8=5 0+8:8=4 1+0:8=1 2+0:8=2", "r+0:8=0 r+8:8=1" },
		{ "maybe_slice", "0+0:8=5 0+8:8=4 1+0:8=1 2+0:8=2", "r+0:8=0 r+8:8=1" },
		{ "maybe_float", "0+0:8=5 0+8:8=17 1+0:8=4 2+0:8=1", "r+0:8=0 r+8:8=17" },
		{ "maybe_pair", "&r+0:8=5 &0+0:8=4 1+0:8=1 2+0:8=2", "&r+0:8=0" },
		{ "nested", "0+0:4=5 0+4:4=4 1+0:8=1 2+0:8=2", "r+0:4=0 r+4:4=1" },
		{ "maybe_error", "0+0:8=5 0+8:8=4 1+0:8=1 2+0:8=2", "r+0:8=0 r+8:8=1" },
		{ "sizes", "&r+0:8=5 &0+0:8=4 1+0:8=1 2+0:8=2", "&r+0:8=0" },
		{ "either", "0+0:8=5 0+8:8=4 1+0:8=1 2+0:8=2", "r+0:8=0 r+8:8=1" },
		{ "text", "&r+0:8=5 &0+0:8=4 1+0:8=1 2+0:8=2", "&r+0:8=0" },
		{ "unwritten", "0+0:8=5 0+8:8=4 1+0:8=1 2+0:8=2", "r+0:8=0 r+8:8=1" },
		{ "number_and_wide", "&r+0:8=5 0+0:8=4 0+16:8=1 0+24:8=2 1+0:8=8 2+0:8=9",
		  "&r+0:8=0" },
		{ "two_wide", "&r+0:8=5 0+0:8=4 0+8:8=1 0+16:8=2 0+24:8=8 1+0:8=9 2+0:8=stack0",
		  "&r+0:8=0" },
		{ "float_and_wide", "&r+0:8=5 0+0:8=17 0+16:8=4 0+24:8=1 1+0:8=2 2+0:8=8",
		  "&r+0:8=0" },
		{ "one_left", "0+0:8=5 1+0:8=4 2+0:8=1 3+0:8=2 4+0:8=8 5+0:16=stack0 6+0:8=9",
		  "r+0:8=0" },
		{ "none_left",
		  "&0+0:8=5 1+0:8=4 1+8:8=1 2+0:8=2 2+8:8=8 3+0:8=9 4+0:8=stack0 5+0:16=stack16",
		  "r+0:8=0" },
	};
	struct opened o;

	build(&o,
	      "rustc -g -A warnings -C opt-level=1 -C panic=abort -C link-dead-code --crate-name "
	      "conventions",
	      "conventions.rs");
	for (u32 i = 0; i < G_N_ELEMENTS(cases); i++)
		check_abi(&o, cases[i][0], cases[i][1], cases[i][2]);
	discard(&o);
}

/* The object that a closure holds is its first parameter, or the address of it is. */
static void test_rust_closures(void **state)
{
	u32 by_address = 0, by_value = 0;
	struct opened o;

	build(&o, "rustc -g -A warnings -C opt-level=0 -C panic=abort --crate-name conventions",
	      "conventions.rs");
	for (u32 i = 0; i < dso_nr_symbols(o.dso); i++) {
		const struct symbol *symbol = dso_symbol(o.dso, i);
		const struct proto *proto;

		if (!strstr(symbol->raw, "conventions4main") || !strstr(symbol->raw, "closure"))
			continue;
		proto = debuginfo_proto_at(o.debug, symbol->start);
		assert_non_null(proto);
		assert_int_equal(proto->nr_params, 1);
		if (proto->this_by_address)
			assert_string_equal(proto->params[0]->name,
					    "conventions::main::{closure_env#0}");
		else
			assert_string_equal(proto->params[0]->name,
					    "conventions::main::{closure_env#1}");
		by_address += proto->this_by_address;
		by_value += !proto->this_by_address;
	}
	assert_int_equal(by_address, 1);
	assert_int_equal(by_value, 1);
	discard(&o);
}

static void check_go_abi(struct opened *o, const char *function, const char *parameters,
			 const char *results)
{
	const struct proto *proto = proto_at(o, function);
	struct abi_part parts[ABI_MAX_PARTS];
	g_autofree char *in = parts_text(parts, abi_parameters(proto, parts, ABI_MAX_PARTS));
	g_autofree char *out = parts_text(parts, abi_go_results(proto, parts, ABI_MAX_PARTS));

	assert_string_equal(in, parameters);
	assert_string_equal(out, results);
	assert_int_equal(abi_result(proto, parts), 0);
}

/* oracle/idioms/shapes.go, as the golden case has it: no Go compiler is needed. */
static void test_go(void **state)
{
	const char *top = getenv("SRC");
	g_autofree char *command = NULL;
	const struct type *type;
	struct opened o;

	o.folder = g_dir_make_tmp("dwarf-XXXXXX", NULL);
	command = g_strdup_printf("tar -C %s -xJf %s/tools/perf/tests/data/idioms/shapes.tar.xz && "
				  "mv %s/shapes %s/program",
				  o.folder, top ? top : ".", o.folder, o.folder);
	assert_int_equal(system(command), 0);
	open_program(&o);

	/* type rect struct { w, h float64; tag string }; func (r rect) scale(by float64) shape */
	check_go_abi(&o, "main.rect.scale", "0+0:8=17 0+8:8=18 0+16:8=0 0+24:8=3 1+0:8=19",
		     "0+0:8=0 0+8:8=3");
	/* func count(s shape) (squares, rects, deepest int) */
	check_go_abi(&o, "main.count", "0+0:8=0 0+8:8=3", "0+0:8=0 1+0:8=3 2+0:8=2");
	/* func labels(all []shape) (bytes int) */
	check_go_abi(&o, "main.labels", "0+0:8=0 0+8:8=3 0+16:8=2", "0+0:8=0");
	/* The compiler made it for interfaces; it calls main.rect.label. Its entry lists no parameter. */
	check_go_abi(&o, "main.(*rect).label", "0+0:8=0", "0+0:8=0 0+8:8=3");
	/* func first(g *group) (_ int, err error), which is also inlined: its abstract entry lists only err. */
	check_go_abi(&o, "main.first", "0+0:8=0", "0+0:8=0 1+0:8=3 1+8:8=2");
	/* func fits(_ *rect, s *square, _ string) (_ int, inner *square): s is the first that is listed, but in rbx. */
	check_go_abi(&o, "main.fits", "", "0+0:8=0 1+0:8=3");
	assert_true(proto_at(&o, "main.fits")->rest_unknown);
	assert_false(proto_at(&o, "main.first")->rest_unknown);
	type = proto_at(&o, "main.(*rect).label")->params[0];
	assert_int_equal(type->kind, TYPE_POINTER);
	assert_string_equal(type_target(type)->name, "main.rect");

	type = debuginfo_go_named(o.debug, "main.group");
	assert_non_null(type);
	assert_string_equal(type->name, "main.group");
	assert_null(debuginfo_go_named(o.debug, "main.nothing"));
	type = debuginfo_go_named(o.debug, "noalg.struct { F uintptr; runtime.ok *bool }");
	assert_string_equal(type_shown_name(type), "noalg.struct {...}");
	type = debuginfo_go_named(o.debug, "struct { runtime.base uintptr; runtime.end uintptr }");
	assert_string_equal(type_shown_name(type), "struct runtime.mheap.curArena");
	assert_string_equal(type_shown_name(type_pointer_to(type)),
			    "struct runtime.mheap.curArena*");
	assert_null(debuginfo_go_type(o.debug, 1));
	type = proto_at(&o, "main.describe")->params[0];
	assert_string_equal(type->name, "[]interface {}");
	assert_string_equal(type_go_element(type)->name, "interface {}");
	discard(&o);
}

static void test_short_names(void **state)
{
	static const char *const cases[][2] = {
		{ "struct page*", "struct page*" },
		{ "std::map<int, std::vector<char> >", "std::map" },
		{ "store::Holder<int>::Inner*", "store::Holder::Inner*" },
		{ "&core::option::Option<&u32>", "&core::option::Option" },
		{ "f()::<lambda(int)>", "f()::<lambda(int)>" },
		{ "core::cell::Cell<fn(i32) -> i32>", "core::cell::Cell" },
		{ "fn(i32) -> i32", "fn(i32) -> i32" },
		{ "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> "
		  ">*",
		  "std::string*" },
		{ "std::basic_string<wchar_t>", "std::wstring" },
		{ "basic_string<char>::_Rep", "string::_Rep" },
		{ "std::__cxx11::basic_string<Letter>", "std::basic_string" },
		{ "my_basic_string<char>", "my_basic_string" },
		{ "std::__cxx11::list<std::__cxx11::basic_string<char> >", "std::list" },
		{ "std::__1::vector<int>", "std::vector" },
		{ "", "" },
	};
	char text[64];

	for (u32 i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_string_equal(type_name_short(cases[i][0], text, sizeof(text)), cases[i][1]);
	assert_string_equal(type_name_short("struct page", text, 7), "struct");
}

/* An argument: a pattern of the tests to run, as of a shell. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c_abi),
		cmocka_unit_test(test_protos),
		cmocka_unit_test(test_call_sites),
		cmocka_unit_test(test_globals),
		cmocka_unit_test(test_cxx_names),
		cmocka_unit_test(test_cxx_abi),
		cmocka_unit_test(test_cxx_normal_convention),
		cmocka_unit_test(test_rust_abi),
		cmocka_unit_test(test_rust_closures),
		cmocka_unit_test(test_cfa),
		cmocka_unit_test(test_lists_of_a_second_unit),
		cmocka_unit_test(test_lists_of_split_units),
		cmocka_unit_test(test_negative_lengths_of_split_units),
		cmocka_unit_test(test_large_codes),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_rust_names),
		cmocka_unit_test(test_go),
		cmocka_unit_test(test_go_words),
		cmocka_unit_test(test_short_names),
		cmocka_unit_test(test_nameless),
		cmocka_unit_test(test_local_classes),
		cmocka_unit_test(test_reach),
		cmocka_unit_test(test_library),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
