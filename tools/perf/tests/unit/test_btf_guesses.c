// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What BTF does not say, but the code, names and neighbours do: objects on the stack, global variables, records of
 * tracepoints, structures around a link, casts. And a module, whose BTF continues the kernel's. The kernel is forged: its
 * BTF below, its code in assembly.
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
#include "typeflow/typeflow.h"

#define TEXT 0xffffffff81000000

/*
 * Each function begins at a label with its name. The labels with at_ are instructions that the tests ask for. The data of
 * the kernel is 2 MB behind the code, at `nodes`.
 */
#if defined(__x86_64__)
/* clang-format off */
asm(".pushsection .rodata\n"
    ".set nodes, _text + 0x200000\n"
    "_text:\n"
    /* void fill(struct node *) */
    "fill:		ret\n"
    "		.skip 15, 0xcc\n"
    /* void other(struct other *) */
    "other:		ret\n"
    "		.skip 15, 0xcc\n"
    /* struct node n; long set; fill(&n); bump(&set); n.key */
    "frame:		sub $0x38,%rsp\n"
    "		lea 8(%rsp),%rdi\n"
    "		call fill\n"
    "		lea 0x28(%rsp),%rdi\n"
    "		call bump\n"
    "at_object:		mov 0x20(%rsp),%rax\n"
    "at_number:		mov 0x28(%rsp),%rdx\n"
    "		add $0x38,%rsp\n"
    "		ret\n"
    /* One place has two objects, one after the other. */
    "both:		sub $0x28,%rsp\n"
    "		mov %rsp,%rdi\n"
    "		call fill\n"
    "		mov %rsp,%rdi\n"
    "		call other\n"
    "at_both:		mov 8(%rsp),%rax\n"
    "		add $0x28,%rsp\n"
    "		ret\n"
    "bump:		ret\n"
    /* fill(&nodes[0]); fill(nodes); nodes->key */
    "global:		lea nodes(%rip),%rdi\n"
    "		call fill\n"
    "		lea nodes(%rip),%rbx\n"
    "		mov %rbx,%rdi\n"
    "		call fill\n"
    "at_global:		mov nodes+0x18(%rip),%rax\n"
    /* first = make(); fill(first); first->key */
    "		call make\n"
    "		mov %rax,nodes+0x80(%rip)\n"
    "		mov nodes+0x80(%rip),%rdi\n"
    "		call fill\n"
    "		mov nodes+0x80(%rip),%rax\n"
    "at_pointer:		mov 0x18(%rax),%rax\n"
    /* One votes for a node, one for another structure. */
    "		lea nodes+0x100(%rip),%rdi\n"
    "		call fill\n"
    "		lea nodes+0x100(%rip),%rdi\n"
    "		call other\n"
    "at_contradiction:	mov nodes+0x108(%rip),%rax\n"
    "at_tracepoint:	mov nodes+0x208(%rip),%rax\n"
    "at_short:		mov nodes+0x308(%rip),%rax\n"
    "		ret\n"
    "make:		ret\n"
    /* long walk(struct list_head *l): list_entry(l->next, struct node, link)->id */
    "walk:		mov (%rdi),%rdi\n"
    "at_around:		mov -8(%rdi),%rax\n"
    "		ret\n"
    "trace_event_raw_event_tick:	call reserve\n"
    "at_record:		mov %rdx,8(%rax)\n"
    "		ret\n"
    "trace_raw_output_tick:	mov (%rdi),%rax\n"
    "at_print:		mov 8(%rax),%rax\n"
    "		ret\n"
    "reserve:		ret\n"
    /* long cast(u8 *data) */
    "cast:		movzbl (%rdi),%eax\n"
    "at_cast:		mov 4(%rdi),%eax\n"
    "		ret\n"
    /* long behind(struct device *d): d->id, a member of a structure in d->priv, one of a structure that d->places[2] leads to */
    "behind:		mov 8(%rdi),%rax\n"
    "at_private:		mov 0x18(%rdi),%rax\n"
    "		movzbl 2(%rdi),%ecx\n"
    "		add %rcx,%rdi\n"
    "at_stepped:		mov (%rdi),%rax\n"
    "		ret\n"
    /* The rest of an alternative that was patched: nothing leads there. void rest(struct node *n): n->key */
    "rest:		sub $0x18,%rsp\n"
    "		mov %rdi,8(%rsp)\n"
    "		jmp 1f\n"
    "		int3\n"
    "		movabs $0x7ff0000000000ffb,%rdx\n"
    "1:		mov 8(%rsp),%rax\n"
    "at_rest:		mov 0x18(%rax),%rax\n"
    "		add $0x18,%rsp\n"
    "		ret\n"
    /* struct node *take(void): reserve(), which returns a void *, gives a node. */
    "take:		sub $8,%rsp\n"
    "		call reserve\n"
    "at_returned:		mov 0x18(%rax),%rdx\n"
    "		add $8,%rsp\n"
    "		jmp srso_alias_return_thunk\n"
    "srso_alias_return_thunk:	ret\n"
    "text_end:\n"
    ".popsection\n");
/* clang-format on */
#endif

#define FUNCTIONS                                                                                  \
	F(fill), F(other), F(frame), F(both), F(bump), F(global), F(make), F(walk),                \
		F(trace_event_raw_event_tick), F(trace_raw_output_tick), F(reserve), F(cast),      \
		F(behind), F(rest), F(take), F(srso_alias_return_thunk)

extern const u8 _text[], text_end[], fill[], other[], frame[], both[], bump[], global[], make[],
	walk[], trace_event_raw_event_tick[], trace_raw_output_tick[], reserve[], cast[], rest[],
	behind[], take[], srso_alias_return_thunk[];
extern const u8 at_object[], at_number[], at_both[], at_global[], at_pointer[], at_contradiction[],
	at_tracepoint[], at_short[], at_around[], at_record[], at_print[], at_cast[], at_rest[],
	at_returned[], at_private[], at_stepped[];

static const struct {
	const char *name;
	const u8 *at;
} functions[] = {
#define F(name)                                                                                    \
	{                                                                                          \
#name, name                                                                        \
	}
	FUNCTIONS
#undef F
};

/* A BTF in the making. A module's: @nr and @names_start begin with the kernel's. */
struct made {
	GByteArray *types, *names;
	u32 nr, names_start;
	u32 node; /* id of the kernel's struct node */
};

static u32 text(struct made *m, const char *name)
{
	u32 at = m->names_start + m->names->len;

	if (!*name)
		return 0;
	put(m->names, name, strlen(name) + 1);
	return at;
}

/* Begins a type. Returns its id. */
static u32 add(struct made *m, u32 kind, const char *name, u32 nr, u32 size_or_type)
{
	put_u32(m->types, text(m, name));
	put_u32(m->types, kind << 24 | nr);
	put_u32(m->types, size_or_type);
	return ++m->nr;
}

static u32 add_int(struct made *m, const char *name, u32 size)
{
	u32 id = add(m, BTF_KIND_INT, name, 0, size);

	put_u32(m->types, size * 8);
	return id;
}

static u32 pointer(struct made *m, u32 to)
{
	return add(m, BTF_KIND_PTR, "", 0, to);
}

static void member(struct made *m, const char *name, u32 type, u32 offset)
{
	put_u32(m->types, text(m, name));
	put_u32(m->types, type);
	put_u32(m->types, offset * 8);
}

/* A function of one parameter; @param 0: of none. */
static void function(struct made *m, const char *name, u32 returns, u32 param)
{
	u32 proto = add(m, BTF_KIND_FUNC_PROTO, "", !!param, returns);

	if (param) {
		put_u32(m->types, 0);
		put_u32(m->types, param);
	}
	add(m, BTF_KIND_FUNC, name, 0, proto);
}

static u32 array(struct made *m, u32 element, u32 nr)
{
	u32 id = add(m, BTF_KIND_ARRAY, "", 0, 0);

	put_u32(m->types, element);
	put_u32(m->types, element); /* of the index: not read */
	put_u32(m->types, nr);
	return id;
}

static u32 structure(struct made *m, const char *name, u32 nr, u32 size)
{
	return add(m, BTF_KIND_STRUCT, name, nr, size);
}

static void add_functions(struct made *m, u32 number, u32 byte, u32 node, u32 another, u32 list,
			  u32 iterator, u32 device)
{
	function(m, "fill", 0, pointer(m, node));
	function(m, "other", 0, pointer(m, another));
	function(m, "bump", 0, pointer(m, number));
	function(m, "frame", 0, 0);
	function(m, "both", 0, 0);
	function(m, "global", 0, 0);
	function(m, "make", pointer(m, node), 0);
	function(m, "walk", number, pointer(m, list));
	function(m, "trace_event_raw_event_tick", 0, 0);
	function(m, "trace_raw_output_tick", 0, pointer(m, iterator));
	function(m, "reserve", pointer(m, 0), 0);
	function(m, "cast", number, pointer(m, byte));
	function(m, "behind", number, pointer(m, device));
	function(m, "rest", 0, pointer(m, node));
	function(m, "take", pointer(m, node), 0);
}

static void add_percpu(struct made *m, u32 number)
{
	u32 var = add(m, BTF_KIND_VAR, "counter", 0, number);

	put_u32(m->types, 1);
	add(m, BTF_KIND_DATASEC, ".data..percpu", 1, 4096);
	put_u32(m->types, var);
	put_u32(m->types, 64);
	put_u32(m->types, 8);
}

/* Frees @m. */
static GBytes *end_btf(struct made *m)
{
	struct btf_header header = { 0xeb9f, 1, 0, sizeof(header), 0, 0, 0, 0 };
	GByteArray *out = g_byte_array_new();

	header.type_len = header.str_off = m->types->len;
	header.str_len = m->names->len;
	put(out, &header, sizeof(header));
	put(out, m->types->data, m->types->len);
	put(out, m->names->data, m->names->len);
	g_byte_array_unref(m->types);
	g_byte_array_unref(m->names);
	return g_byte_array_free_to_bytes(out);
}

static struct made make_types(void)
{
	struct made m = { g_byte_array_new(), g_byte_array_new(), 0, 0, 0 };
	u32 number, byte, list, lists, node, another, entry, iterator, device, places, private;

	put(m.names, "", 1);
	number = add_int(&m, "long", 8);
	byte = add_int(&m, "u8", 1);
	lists = pointer(&m, 4);
	list = structure(&m, "list_head", 2, 16);
	member(&m, "next", lists, 0);
	member(&m, "prev", lists, 8);
	node = m.node = structure(&m, "node", 3, 32);
	member(&m, "id", number, 0);
	member(&m, "link", list, 8);
	member(&m, "key", number, 24);
	/* Far from walk(): no function near it names this structure. */
	structure(&m, "unnamed", 2, 24);
	member(&m, "id", number, 0);
	member(&m, "link", list, 8);
	another = structure(&m, "other", 2, 16);
	member(&m, "a", number, 0);
	member(&m, "b", number, 8);
	structure(&m, "tracepoint", 2, 16);
	member(&m, "name", number, 0);
	member(&m, "funcs", number, 8);
	entry = structure(&m, "trace_entry", 1, 8);
	member(&m, "type", number, 0);
	structure(&m, "trace_event_raw_tick", 2, 16);
	member(&m, "ent", entry, 0);
	member(&m, "ticks", number, 8);
	entry = pointer(&m, entry);
	iterator = structure(&m, "iterator", 1, 8);
	member(&m, "ent", entry, 0);
	structure(&m, "fixed_percpu_data", 1, 48);
	member(&m, "stack_canary", number, 40);
	places = array(&m, byte, 8);
	private = array(&m, byte, 0);
	device = structure(&m, "device", 3, 16);
	member(&m, "places", places, 0);
	member(&m, "id", number, 8);
	member(&m, "priv", private, 16);
	add_functions(&m, number, byte, node, another, list, iterator, device);
	add_percpu(&m, number);
	return m;
}

static GBytes *make_btf(void)
{
	struct made m = make_types();

	return end_btf(&m);
}

/* The module's types: struct item { struct node *node; }, and void use(struct item *). */
static GBytes *make_module_btf(void)
{
	struct made kernel = make_types();
	struct made m = { g_byte_array_new(), g_byte_array_new(), kernel.nr, kernel.names->len,
			  kernel.node };
	u32 item, nodes;

	put(m.names, "", 1);
	nodes = pointer(&m, m.node);
	item = structure(&m, "item", 1, 8);
	member(&m, "node", nodes, 0);
	function(&m, "use", 0, pointer(&m, item));
	g_bytes_unref(end_btf(&kernel));
	return end_btf(&m);
}

struct kernel {
	char *folder;
	struct dsos *dsos;
	struct dso *dso;
	struct typeflow *flow;
};

static char *kallsyms(void)
{
	GString *out = g_string_new(NULL);
	u64 data = TEXT + 0x200000;

	g_string_append_printf(out, "%lx T _text\n", TEXT);
	for (u32 i = 0; i < ARRAY_SIZE(functions); i++)
		g_string_append_printf(out, "%lx T %s\n", TEXT + (functions[i].at - _text),
				       functions[i].name);
	g_string_append_printf(out, "%lx T _etext\n", TEXT + (text_end - _text));
	/* A tracepoint has 16 bytes; the second symbol is larger. */
	g_string_append_printf(out, "%lx D __tracepoint_tick\n", data + 0x200);
	g_string_append_printf(out, "%lx D later\n", data + 0x210);
	g_string_append_printf(out, "%lx D __tracepoint_no\n", data + 0x300);
	g_string_append_printf(out, "%lx D _end\n", data + 0x400);
	return g_string_free(out, FALSE);
}

static void write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
	g_autofree char *path = g_build_filename(folder, ".build-id/aa/bb01", NULL);
	g_autofree char *file = g_build_filename(path, name, NULL);

	g_mkdir_with_parents(path, 0700);
	assert_true(g_file_set_contents(file, bytes, (gssize)size, NULL));
}

static int kernel_open(void **state)
{
	static const u8 id[] = { 0xaa, 0xbb, 0x01 };
	struct kernel *k = g_new0(struct kernel, 1);
	g_autoptr(GBytes) btf = make_btf();
	g_autofree char *symbols = kallsyms();

	k->folder = g_dir_make_tmp("test-btf-XXXXXX", NULL);
	write_file(k->folder, "btf", g_bytes_get_data(btf, NULL), g_bytes_get_size(btf));
	write_file(k->folder, "kallsyms", symbols, strlen(symbols));
	k->dsos =
		dsos_new(&(struct dso_options){ .buildid_dir = k->folder, .debug_dir = k->folder });
	k->dso = dsos_get(k->dsos, "[kernel.kallsyms]", id, sizeof(id), DSO_KERNEL);
	dso_kernel_reference(k->dso, "_text", TEXT);
	dso_add_text(k->dso, TEXT, _text, (size_t)(text_end - _text));
	k->flow = typeflow_new(FUSION_NONE, NULL);
	*state = k;
	return 0;
}

static int kernel_close(void **state)
{
	struct kernel *k = *state;
	g_autofree char *command = g_strdup_printf("rm -r '%s'", k->folder);

	typeflow_free(k->flow);
	dsos_free(k->dsos);
	assert_int_equal(system(command), 0);
	g_free(k->folder);
	g_free(k);
	return 0;
}

/* The instruction @at accesses @type + @offset. What only the code tells has no higher rank than inferred. */
static void assert_inferred(const struct kernel *k, const u8 *at, const char *type, s64 offset)
{
	struct access access;

	typeflow_lookup(k->flow, k->dso, TEXT + (u64)(at - _text), &access);
	assert_string_equal(access_type_name(&access), type);
	assert_int_equal(access.offset, offset);
	assert_int_equal(access_rank(&access), ACCESS_RANK_INFERRED);
}

static void assert_unknown(const struct kernel *k, const u8 *at)
{
	struct access access;

	typeflow_lookup(k->flow, k->dso, TEXT + (u64)(at - _text), &access);
	assert_null(access.type);
}

/* What is passed to a parameter with a type. */
static void test_frame(void **state)
{
	assert_inferred(*state, at_object, "struct node", 24);
	assert_inferred(*state, at_number, "long", 0);
	assert_unknown(*state, at_both);
}

/* What calls, names and sizes tell of a variable. */
static void test_globals(void **state)
{
	assert_inferred(*state, at_global, "struct node", 24);
	assert_inferred(*state, at_pointer, "struct node", 24);
	assert_unknown(*state, at_contradiction);
	assert_inferred(*state, at_tracepoint, "struct tracepoint", 8);
	assert_unknown(*state, at_short);
}

/* Of the structures with a list_head and a number before it, the functions near this one name one. */
static void test_around(void **state)
{
	assert_inferred(*state, at_around, "struct node", 0);
}

/* The functions of a tracepoint fill and print the structure of its name. */
static void test_records(void **state)
{
	assert_inferred(*state, at_record, "struct trace_event_raw_tick", 8);
	assert_inferred(*state, at_print, "struct trace_event_raw_tick", 8);
}

/* Four bytes are no u8: the pointer was cast, and no local variable tells to what. */
static void test_cast(void **state)
{
	struct kernel *k = *state;
	struct access access;

	assert_true(typeflow_lookup(k->flow, k->dso, TEXT + (u64)(cast - _text), &access));
	assert_string_equal(access_type_name(&access), "u8");
	assert_unknown(k, at_cast);
}

/* Bytes at a structure's end, and what an offset in bytes leads to, are places of structures that no type names. */
static void test_behind(void **state)
{
	struct kernel *k = *state;
	struct access access;

	assert_true(typeflow_lookup(k->flow, k->dso, TEXT + (u64)(behind - _text), &access));
	assert_string_equal(access_type_name(&access), "struct device");
	assert_unknown(k, at_private);
	assert_unknown(k, at_stepped);
}

/* Code that the entry does not reach has no stack pointer, and takes none away. */
static void test_rest(void **state)
{
	struct kernel *k = *state;
	struct access access;

	assert_true(typeflow_lookup(k->flow, k->dso, TEXT + (u64)(at_rest - _text), &access));
	assert_string_equal(access_type_name(&access), "struct node");
	assert_int_equal(access.how, ACCESS_FLOW);
}

/* Kernels with mitigations return by a jump. */
static void test_return_thunk(void **state)
{
	assert_inferred(*state, at_returned, "struct node", 24);
}

/* pahole leaves out the variable at the start of the per-CPU section. */
static void test_fixed_percpu(void **state)
{
	g_autoptr(GBytes) bytes = make_btf(), dwarf = NULL;
	struct btf *btf = btf_new(bytes, NULL, NULL);
	struct btf_code none = { .has_percpu = true };
	struct debuginfo_source source = { 0 };
	const struct variable *variable;
	struct debuginfo *debug;
	u64 start;
	size_t size;
	char *data;
	Elf *elf;

	dwarf = btf_to_dwarf(btf, &none);
	data = (char *)g_bytes_get_data(dwarf, &size);
	elf = elf_memory(data, size);
	source.dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	debug = debuginfo_new(&source);
	variable = debuginfo_global(debug, 40, 0, NULL, 0, &start);
	assert_non_null(variable);
	assert_string_equal(variable->type->name, "struct fixed_percpu_data");
	assert_int_equal(start, 0);
	assert_null(debuginfo_global(debug, 56, 0, NULL, 0, &start));
	debuginfo_free(debug);
	dwarf_end(source.dwarf);
	elf_end(elf);
	btf_free(btf);
}

static void run(const char *folder, const char *command)
{
	g_autofree char *all = g_strdup_printf("cd '%s' && %s", folder, command);

	assert_int_equal(system(all), 0);
}

/* @at: bytes from the start of use(). */
static void assert_in_module(const struct kernel *k, struct dso *module, u64 at, const char *type,
			     s64 offset, enum access_how how)
{
	struct access access;

	typeflow_lookup(k->flow, module, dso_symbol_named(module, "use")->start + at, &access);
	assert_string_equal(access_type_name(&access), type);
	assert_int_equal(access.offset, offset);
	assert_int_equal(access.how, how);
}

/* The module's own types, the kernel's types, functions and per-CPU variables of the kernel. */
static void test_module(void **state)
{
	static const char source[] = ".globl use\n.type use, @function\n"
				     "use:		mov (%rdi),%rdi\n" /* 0 */
				     "		mov 0x18(%rdi),%rax\n"	   /* 3 */
				     "		mov %gs:counter,%rax\n"	   /* 7 */
				     "		call make\n"		   /* 16 */
				     "		mov 0x18(%rax),%rax\n"	   /* 21 */
				     "		ret\n"
				     ".size use, . - use\n";
	const struct kernel *k = *state;
	g_autofree char *path = g_build_filename(k->folder, "mod.ko", NULL);
	g_autofree char *code = g_build_filename(k->folder, "mod.s", NULL);
	g_autofree char *types = g_build_filename(k->folder, "mod.btf", NULL);
	g_autoptr(GBytes) btf = make_module_btf();
	struct dso *module;

	assert_true(g_file_set_contents(code, source, -1, NULL));
	assert_true(g_file_set_contents(types, g_bytes_get_data(btf, NULL),
					(gssize)g_bytes_get_size(btf), NULL));
	run(k->folder, "gcc -c -o mod.o mod.s && objcopy --add-section .BTF=mod.btf mod.o mod.ko");
	module = dsos_get(k->dsos, path, NULL, 0, DSO_MODULE);
	assert_in_module(k, module, 0, "struct item", 0, ACCESS_FLOW);
	assert_in_module(k, module, 3, "struct node", 24, ACCESS_FLOW);
	assert_in_module(k, module, 7, "long", 0, ACCESS_GLOBAL);
	assert_in_module(k, module, 21, "struct node", 24, ACCESS_CALL);
	assert_true(dso_is_by_btf(module));
}

/* Types that do not continue the kernel's are refused, with the reason. */
static void test_foreign_module(void **state)
{
	const struct kernel *k = *state;
	g_autofree char *path = g_build_filename(k->folder, "foreign.ko", NULL);
	struct dso *module;

	run(k->folder, "echo ret | as -o foreign.o - && printf abc >foreign.btf && "
		       "objcopy --add-section .BTF=foreign.btf foreign.o foreign.ko");
	module = dsos_get(k->dsos, path, NULL, 0, DSO_MODULE);
	assert_false(dso_is_by_btf(module));
	assert_non_null(strstr(dso_no_debug_info(module).text,
			       "Types by BTF: BTF: not BTF of this machine"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frame),	       cmocka_unit_test(test_globals),
		cmocka_unit_test(test_around),	       cmocka_unit_test(test_records),
		cmocka_unit_test(test_cast),	       cmocka_unit_test(test_behind),
		cmocka_unit_test(test_rest),	       cmocka_unit_test(test_return_thunk),
		cmocka_unit_test(test_fixed_percpu),   cmocka_unit_test(test_module),
		cmocka_unit_test(test_foreign_module),
	};

	return cmocka_run_group_tests(tests, kernel_open, kernel_close);
}
