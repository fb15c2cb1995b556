// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Data types of a kernel without a debug package: a forged BTF, forged symbols, and the code that a recording has. The
 * kernel consists of these functions:
 *
 *	int get(struct node *n)			{ return n->next->key; }	its cold part: n->flags
 *	void more(long, long, long, long, long, long, struct node *n)	reads n->key; n is on the stack
 *	get.isra.0				a copy with other parameters
 *	current_node				reads the per-CPU variable current_node, after the stack's guard
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "base/bytes.h"
#include "btf/to_dwarf.h"
#include "dso/dso.h"
#include "dwarf/debuginfo.h"
#include "dwarf/protos.h"
#include "tests/unit/forged.h"
#include "typeflow/typeflow.h"

#define NAMES                                                                                      \
	"\0int\0node\0next\0key\0flags\0get\0n\0more\0.data..percpu\0__stack_chk_guard\0"          \
	"current_node\0long\0"

enum { /* offsets in NAMES */
       N_INT = 1,
       N_NODE = 5,
       N_NEXT = 10,
       N_KEY = 15,
       N_FLAGS = 19,
       N_GET = 25,
       N_N = 29,
       N_MORE = 31,
       N_PERCPU = 36,
       N_GUARD = 50,
       N_CURRENT = 68,
       N_LONG = 81,
};

enum { T_INT = 1, T_NODE, T_NODES, T_GET, T_LONG, T_MORE, T_GUARD, T_CURRENT, NR_TYPES = 13 };

#define INFO(kind, nr)	    ((u32)(kind) << 24 | (nr))
#define WITH_BITS(kind, nr) (INFO(kind, nr) | 1u << 31)

/* clang-format off */
static const u32 types[] = {
	/* 1 int */
	N_INT, INFO(BTF_KIND_INT, 0), 4, BTF_INT_SIGNED << 24 | 32,
	/* 2 struct node { struct node *next; int key; int flags : 3; } */
	N_NODE, WITH_BITS(BTF_KIND_STRUCT, 3), 16,
		N_NEXT, 3, 0,
		N_KEY, 1, 64,
		N_FLAGS, 1, 3u << 24 | 96,
	/* 3 struct node * */
	0, INFO(BTF_KIND_PTR, 0), 2,
	/* 4 int (struct node *n) */
	0, INFO(BTF_KIND_FUNC_PROTO, 1), 1, N_N, 3,
	/* 5 long */
	N_LONG, INFO(BTF_KIND_INT, 0), 8, BTF_INT_SIGNED << 24 | 64,
	/* 6 void (long, long, long, long, long, long, struct node *) */
	0, INFO(BTF_KIND_FUNC_PROTO, 7), 0,
		N_KEY, 5, N_KEY, 5, N_KEY, 5, N_KEY, 5, N_KEY, 5, N_KEY, 5, N_N, 3,
	/* 7 long __stack_chk_guard */
	N_GUARD, INFO(BTF_KIND_VAR, 0), 5, 1,
	/* 8 struct node *current_node */
	N_CURRENT, INFO(BTF_KIND_VAR, 0), 3, 1,
	/* 9 */
	N_PERCPU, INFO(BTF_KIND_DATASEC, 2), 0x2000, 7, 0x1008, 8, 8, 0x1010, 8,
	/* 10, 11 */
	N_GET, INFO(BTF_KIND_FUNC, 0), 4,
	N_MORE, INFO(BTF_KIND_FUNC, 0), 6,
	/* 12 enum flags { key = 1, n = -1 } */
	N_FLAGS, WITH_BITS(BTF_KIND_ENUM, 2), 4, N_KEY, 1, N_N, ~0u,
};
/* clang-format on */

#define TEXT   0xffffffff81000000
#define PERCPU 0xffffffff83000000

#define GET	0
#define CURRENT 0x10
#define MORE	0x30
#define ISRA	0x40
#define COLD	0x50

static const u8 code[] = {
	[GET] = 0x48,
	0x8b,
	0x07, /* mov (%rdi),%rax */
	0x8b,
	0x40,
	0x08, /* mov 8(%rax),%eax */
	0xe9,
	0x45,
	0x00,
	0x00,
	0x00, /* jmp get.cold */
	[CURRENT] = 0x65,
	0x48,
	0x8b,
	0x05, /* mov %gs:__stack_chk_guard(%rip),%rax */
	0xf0,
	0x0f,
	0x00,
	0x02, /* 0x81000018 + 0x02000ff0 = 0x83001008 */
	0x65,
	0x48,
	0x8b,
	0x05, /* mov %gs:current_node(%rip),%rax */
	0xf0,
	0x0f,
	0x00,
	0x02,
	0x8b,
	0x40,
	0x08,
	0xc3, /* mov 8(%rax),%eax; ret */
	[MORE] = 0x48,
	0x8b,
	0x44,
	0x24,
	0x08, /* mov 8(%rsp),%rax */
	0x8b,
	0x40,
	0x08,
	0xc3, /* mov 8(%rax),%eax; ret */
	[ISRA] = 0x48,
	0x8b,
	0x07,
	0xc3, /* mov (%rdi),%rax; ret */
	[COLD] = 0x8b,
	0x47,
	0x0c,
	0xc3, /* mov 12(%rdi),%eax; ret */
};

static const char kallsyms[] = "ffffffff81000000 T _text\n"
			       "ffffffff81000000 T get\n"
			       "ffffffff81000010 T current_node\n"
			       "ffffffff81000030 T more\n"
			       "ffffffff81000040 t get.isra.0\n"
			       "ffffffff81000050 t get.cold\n"
			       "ffffffff81000060 T _end\n";

/* Makes a BTF of these types and names. */
static GBytes *btf_bytes(const u32 *all, size_t size, const char *names, size_t names_size)
{
	GByteArray *out = g_byte_array_new();
	struct btf_header header = { 0xeb9f, 1,		0,	   sizeof(header),
				     0,	     (u32)size, (u32)size, (u32)names_size };

	put(out, &header, sizeof(header));
	put(out, all, size);
	put(out, names, names_size);
	return g_byte_array_free_to_bytes(out);
}

static GBytes *kernel_btf(void)
{
	return btf_bytes(types, sizeof(types), NAMES, sizeof(NAMES));
}

struct kernel {
	char *folder;
	struct dsos *dsos;
	struct dso *dso;
	struct typeflow *flow;
};

static void write_file(const struct kernel *k, const char *name, const void *bytes, size_t size)
{
	g_autofree char *path = g_build_filename(k->folder, name, NULL);
	g_autofree char *parent = g_path_get_dirname(path);

	g_mkdir_with_parents(parent, 0700);
	assert_true(g_file_set_contents(path, bytes, (gssize)size, NULL));
}

/* The kernel with build-id aabb01. Its BTF and symbols are in the build-id cache, recorded @moved bytes farther. */
static void kernel_open(struct kernel *k, bool with_btf, u64 moved)
{
	static const u8 id[] = { 0xaa, 0xbb, 0x01 };
	g_autoptr(GBytes) btf = kernel_btf();

	k->folder = g_dir_make_tmp("test-btf-XXXXXX", NULL);
	if (with_btf)
		write_file(k, ".build-id/aa/bb01/btf", g_bytes_get_data(btf, NULL),
			   g_bytes_get_size(btf));
	write_file(k, ".build-id/aa/bb01/kallsyms", kallsyms, strlen(kallsyms));
	k->dsos =
		dsos_new(&(struct dso_options){ .buildid_dir = k->folder, .debug_dir = k->folder });
	k->dso = dsos_get(k->dsos, "[kernel.kallsyms]", id, sizeof(id), DSO_KERNEL);
	dso_kernel_reference(k->dso, "_text", TEXT + moved);
	dso_add_text(k->dso, TEXT + moved, code, sizeof(code));
	k->flow = typeflow_new(FUSION_NONE, NULL);
}

static void kernel_close(struct kernel *k)
{
	g_autofree char *command = g_strdup_printf("rm -r '%s'", k->folder);

	typeflow_free(k->flow);
	dsos_free(k->dsos);
	assert_int_equal(system(command), 0);
	g_free(k->folder);
}

/* The access at @at of the code is to @type + @offset. */
static void assert_access(struct kernel *k, u64 va, const char *type, s64 offset,
			  enum access_how how)
{
	struct access access;

	assert_true(typeflow_lookup(k->flow, k->dso, dso_kernel_vaddr(k->dso, va), &access));
	assert_string_equal(access_type_name(&access), type);
	assert_int_equal(access.offset, offset);
	assert_int_equal(access.how, how);
}

/* Parameters are where the ABI passes them, but no answer claims the certainty of a variable in a register. */
static void test_parameters(void **state)
{
	struct kernel k;

	kernel_open(&k, true, 0);
	assert_access(&k, TEXT + GET, "struct node", 0, ACCESS_FLOW);
	assert_access(&k, TEXT + GET + 3, "struct node", 8, ACCESS_FLOW);
	assert_access(&k, TEXT + MORE + 5, "struct node", 8, ACCESS_FLOW);
	assert_true(dso_is_by_btf(k.dso));
	assert_int_equal(dso_no_debug_info(k.dso).why, DSO_PRESENT);
	kernel_close(&k);
}

static void test_cold_part(void **state)
{
	struct kernel k;

	kernel_open(&k, true, 0);
	assert_access(&k, TEXT + COLD, "struct node", 12, ACCESS_FLOW);
	kernel_close(&k);
}

/* The compiler may have replaced its parameters by others. */
static void test_altered_copy(void **state)
{
	struct access access;
	struct kernel k;

	kernel_open(&k, true, 0);
	assert_false(typeflow_lookup(k.flow, k.dso, TEXT + ISRA, &access));
	assert_null(access.type);
	assert_int_equal(access.why, ACCESS_NO_SOURCE);
	kernel_close(&k);
}

/* No symbol tells where the per-CPU section is: the guard's operand does. */
static void test_percpu(void **state)
{
	struct kernel k;

	kernel_open(&k, true, 0);
	assert_access(&k, TEXT + CURRENT + 8, "struct node*", 0, ACCESS_GLOBAL);
	assert_access(&k, TEXT + CURRENT + 16, "struct node", 8, ACCESS_FLOW);
	kernel_close(&k);
}

/* kallsyms in the cache is of another boot than the recording. */
static void test_another_boot(void **state)
{
	struct kernel k;

	kernel_open(&k, true, 0x3000000);
	assert_access(&k, TEXT + 0x3000000 + GET + 3, "struct node", 8, ACCESS_FLOW);
	assert_string_equal(
		dso_find_symbol(k.dso, dso_kernel_vaddr(k.dso, TEXT + 0x3000000 + MORE))->raw,
		"more");
	kernel_close(&k);
}

static void test_no_btf(void **state)
{
	struct access access;
	struct kernel k;

	kernel_open(&k, false, 0);
	assert_false(typeflow_lookup(k.flow, k.dso, TEXT + GET, &access));
	assert_int_equal(access.why, ACCESS_NO_DEBUGINFO);
	assert_false(dso_is_by_btf(k.dso));
	assert_non_null(strstr(dso_no_debug_info(k.dso).text, "BTF"));
	kernel_close(&k);
}

/* The code is shown without a vmlinux; there is no file to pack or to copy. */
static void test_code(void **state)
{
	struct kernel k;
	size_t left;

	kernel_open(&k, false, 0);
	assert_memory_equal(dso_code(k.dso, TEXT, &left), code, sizeof(code));
	assert_int_equal(left, sizeof(code));
	assert_null(dso_code(k.dso, TEXT + sizeof(code), &left));
	assert_null(dso_file(k.dso));
	assert_int_equal(dso_machine(k.dso), EM_X86_64);
	kernel_close(&k);
}

/* Opens the translation of @btf for a function at each of @nr names. */
static void look_at_all(const struct btf *btf)
{
	static const struct btf_function functions[] = {
		{ 0x1000, 0x1010, "get" },
		{ 0x1010, 0x1020, "more" },
		{ 0x1020, 0x1030, "get.cold" },
	};
	const struct btf_text text = { TEXT, code, sizeof(code) };
	struct btf_code all = { functions, ARRAY_SIZE(functions), 0, false };
	struct debuginfo_source source = { 0 };
	g_autoptr(GBytes) bytes = NULL;
	enum debuginfo_absence why;
	struct debuginfo *debug;
	size_t size;
	char *data;
	Elf *elf;

	all.has_percpu = btf_percpu_base(btf, &text, 1, &all.percpu);
	bytes = btf_to_dwarf(btf, &all);
	data = (char *)g_bytes_get_data(bytes, &size);
	elf = elf_memory(data, size);
	source.dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	assert_non_null(source.dwarf);
	debug = debuginfo_new(&source);
	for (u64 at = 0x1000; at < 0x1030; at += 8) {
		const struct proto *proto = debuginfo_proto_at(debug, at);

		debuginfo_function(debug, at, &why);
		for (u32 i = 0; proto && i < proto->nr_params; i++) {
			char path[64];

			type_member_path(proto->params[i], 8, path, sizeof(path));
			type_member_path(type_target(proto->params[i]), 8, path, sizeof(path));
		}
	}
	debuginfo_free(debug);
	dwarf_end(source.dwarf);
	elf_end(elf);
}

/* A BTF with any few bytes changed, or cut off anywhere, is refused, or is translated to what can be read. */
static void test_hostile(void **state)
{
	g_autoptr(GBytes) good = kernel_btf();
	size_t size = g_bytes_get_size(good);
	u64 seed = 0x1234567;
	u32 read = 0;

	for (u32 i = 0; i < 20000; i++) {
		g_autofree u8 *bad = g_memdup2(g_bytes_get_data(good, NULL), size);
		g_autoptr(GBytes) bytes = NULL;
		struct btf *btf;

		for (u64 n = 1 + forged_draw(&seed, 3); n; n--)
			bad[forged_draw(&seed, size)] = (u8)forged_draw(&seed, 256);
		bytes = g_bytes_new(bad, forged_draw(&seed, 4) ? size : forged_draw(&seed, size));
		btf = btf_new(bytes, NULL, NULL);
		if (!btf)
			continue;
		look_at_all(btf);
		btf_free(btf);
		read++;
	}
	assert_in_range(read, 100, 19900);
}

static void assert_refused(const u32 *all, size_t size, const char *message)
{
	g_autoptr(GBytes) bytes = btf_bytes(all, size, NAMES, sizeof(NAMES));
	g_autoptr(GError) error = NULL;

	assert_null(btf_new(bytes, NULL, &error));
	assert_string_equal(error->message, message);
}

static void test_refused(void **state)
{
	static const u32 unknown[] = { 0, INFO(30, 0), 0 };
	static const u32 beyond[] = { 0, INFO(BTF_KIND_PTR, 0), 2 };
	static const u32 name[] = { 4096, INFO(BTF_KIND_FLOAT, 0), 8 };
	static const u32 cut[] = { N_NODE, INFO(BTF_KIND_STRUCT, 3), 16, N_KEY, 0, 0 };
	static const u32 no_proto[] = { N_INT, INFO(BTF_KIND_FLOAT, 0), 4,
					N_GET, INFO(BTF_KIND_FUNC, 0),	1 };

	assert_refused(unknown, sizeof(unknown), "BTF: a kind of type that is not known here");
	assert_refused(beyond, sizeof(beyond),
		       "BTF: a type refers to a type or name that is not there");
	assert_refused(name, sizeof(name),
		       "BTF: a type refers to a type or name that is not there");
	assert_refused(cut, sizeof(cut), "BTF: the types end inside a type");
	assert_refused(no_proto, sizeof(no_proto),
		       "BTF: a type refers to a type or name that is not there");
}

/* A module's ids and names continue the kernel's. */
static void test_split(void **state)
{
	static const u32 more[] = { sizeof(NAMES) + 1,
				    INFO(BTF_KIND_TYPEDEF, 0),
				    T_NODES,
				    N_NODE,
				    INFO(BTF_KIND_TYPEDEF, 0),
				    NR_TYPES };
	g_autoptr(GBytes) kernel = kernel_btf(), module = NULL;
	struct btf *base = btf_new(kernel, NULL, NULL), *split;

	module = btf_bytes(more, sizeof(more), "\0nodes_t", sizeof("\0nodes_t"));
	assert_null(btf_new(module, NULL, NULL));
	split = btf_new(module, base, NULL);
	assert_int_equal(btf_first_type(split), NR_TYPES);
	assert_int_equal(btf_nr_types(split), NR_TYPES + 2);
	assert_string_equal(btf_name(split, btf_type(split, NR_TYPES)->name_off), "nodes_t");
	assert_string_equal(btf_name(split, btf_type(split, NR_TYPES + 1)->name_off), "node");
	assert_ptr_equal(btf_type(split, T_NODE), btf_type(base, T_NODE));
	look_at_all(split);
	btf_free(split);
	btf_free(base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parameters),   cmocka_unit_test(test_cold_part),
		cmocka_unit_test(test_altered_copy), cmocka_unit_test(test_percpu),
		cmocka_unit_test(test_another_boot), cmocka_unit_test(test_no_btf),
		cmocka_unit_test(test_code),	     cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_refused),	     cmocka_unit_test(test_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
