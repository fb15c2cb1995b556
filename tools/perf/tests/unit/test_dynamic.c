// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files without section headers: their symbols are found by PT_DYNAMIC. The same file with its section headers says
 * which symbols these are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "allocated.h"
#include "dso/dso.h"
#include "dso/dynamic.h"
#include "dso/go.h"
#include "dso/tls.h"
#include "sectionless.h"

static char *dir;

static const char source[] = "#include <stdlib.h>\n"
			     "#ifdef WHOLE\n"
			     "__thread char elsewhere[16];\n"
			     "#else\n"
			     "extern __thread char elsewhere[16];\n"
			     "#endif\n"
			     "__thread char before[8], wanted[16];\n"
			     "int table[16];\n"
			     "int work(int n) { return n * table[n & 15] + elsewhere[n & 15]; }\n"
			     "int OTHER(int nr, char **argv)\n"
			     "{ return nr + atoi(argv[0]) + work(wanted[0]); }\n";

static int set_up(void **state)
{
	g_autofree char *path = NULL;

	(void)state;
	elf_version(EV_CURRENT);
	dir = g_dir_make_tmp("test-dynamic-XXXXXX", NULL);
	path = g_build_filename(dir, "lib.c", NULL);
	return !g_file_set_contents(path, source, -1, NULL);
}

static int tear_down(void **state)
{
	g_autofree char *command = g_strdup_printf("rm -rf %s", dir);

	(void)state;
	return system(command);
}

static void shell(const char *command)
{
	g_autofree char *line = g_strdup_printf("cd %s && { %s; } >log 2>&1", dir, command);

	if (system(line) != 0)
		fail_msg("%s: see %s/log", command, dir);
}

/* lib.so, and cut.so that is the same without section headers. */
static char *build(const char *flags)
{
	g_autofree char *command = g_strdup_printf(
		"${CC:-cc} -w -O2 -fPIC %s -o lib.so lib.c && strip lib.so && cp lib.so cut.so",
		flags);
	char *cut = g_build_filename(dir, "cut.so", NULL);

	shell(command);
	assert_true(cut_sections(cut));
	return cut;
}

/* The file's bytes, changed at will. */
struct bytes {
	char *bytes;
	gsize size;
	Elf *elf;
};

static void load(struct bytes *b, const char *path)
{
	assert_true(g_file_get_contents(path, &b->bytes, &b->size, NULL));
	b->elf = elf_memory(b->bytes, b->size);
	assert_non_null(b->elf);
}

static void unload(struct bytes *b)
{
	elf_end(b->elf);
	g_free(b->bytes);
}

static Elf64_Phdr *segment_of(const struct bytes *b, u32 type)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)b->bytes;
	Elf64_Phdr *phdr = (Elf64_Phdr *)(b->bytes + header->e_phoff);

	for (u32 i = 0; i < header->e_phnum; i++) {
		if (phdr[i].p_type == type)
			return &phdr[i];
	}
	fail_msg("no segment of type %u", type);
	return NULL;
}

static Elf64_Dyn *entry_of(const struct bytes *b, s64 tag)
{
	Elf64_Dyn *dyn = (Elf64_Dyn *)(b->bytes + segment_of(b, PT_DYNAMIC)->p_offset);

	while (dyn->d_tag != tag) {
		assert_int_not_equal(dyn->d_tag, DT_NULL);
		dyn++;
	}
	return dyn;
}

/* The tables of symbols are in the first segment, whose addresses are offsets. */
static u32 *words_of(const struct bytes *b, s64 tag)
{
	return (u32 *)(b->bytes + entry_of(b, tag)->d_un.d_val);
}

static struct dso *dso_of(struct dsos *dsos, const char *name)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);

	return dsos_get(dsos, path, NULL, 0, DSO_USER);
}

/* All symbols of lib.so are in cut.so, but stubs of the PLT and labels, which only section headers tell. */
static void check_same_symbols(void)
{
	struct dso_options options = { .debug_dir = dir, .buildid_dir = dir };
	struct dsos *dsos = dsos_new(&options);
	struct dso *whole = dso_of(dsos, "lib.so"), *cut = dso_of(dsos, "cut.so");
	struct build_id id = dso_build_id(whole), same = dso_build_id(cut);
	u32 nr = 0;

	assert_true(build_id_equal(&id, &same));
	for (u32 i = 0; i < dso_nr_symbols(whole); i++) {
		const struct symbol *s = dso_symbol(whole, i), *found;

		if (strstr(s->raw, "plt") || s->type == STT_NOTYPE)
			continue;
		found = dso_symbol_named(cut, s->raw);
		if (!found)
			fail_msg("%s is missing", s->raw);
		assert_int_equal(found->start, s->start);
		assert_int_equal(found->end, s->end);
		nr++;
	}
	assert_true(nr >= 3);
	assert_int_equal(dso_nr_symbols(cut), nr);
	assert_non_null(dso_symbol_named(cut, "work"));
	assert_int_equal(dso_no_symbols(cut).why, DSO_PRESENT);
	dsos_free(dsos);
}

static void check_same_slots(Elf *whole, Elf *cut, const char *name,
			     const struct tls_symbol *symbol)
{
	g_autoptr(GArray) expected = tls_find_slots(whole, name, symbol);
	g_autoptr(GArray) slots = tls_find_slots(cut, name, symbol);

	assert_true(expected->len > 0);
	assert_int_equal(slots->len, expected->len);
	assert_memory_equal(slots->data, expected->data, slots->len * sizeof(struct tls_slot));
}

static void check_same_variables(void)
{
	g_autofree char *whole_path = g_build_filename(dir, "lib.so", NULL);
	g_autofree char *cut_path = g_build_filename(dir, "cut.so", NULL);
	struct tls_symbol expected, symbol;
	struct bytes whole, cut;
	u64 table, same;

	load(&whole, whole_path);
	load(&cut, cut_path);
	assert_true(tls_find_symbol(whole.elf, "wanted", &expected));
	assert_true(tls_find_symbol(cut.elf, "wanted", &symbol));
	assert_int_equal(symbol.value, expected.value);
	assert_int_equal(symbol.size, 16);
	assert_false(tls_find_symbol(cut.elf, "elsewhere", &symbol));
	assert_false(tls_find_symbol(cut.elf, "unwanted", &symbol));
	check_same_slots(whole.elf, cut.elf, "wanted", &expected);
	check_same_slots(whole.elf, cut.elf, "elsewhere", NULL);
	assert_true(tls_find_object(whole.elf, "table", &table));
	assert_true(tls_find_object(cut.elf, "table", &same));
	assert_int_equal(same, table);
	unload(&cut);
	unload(&whole);
}

static void test_each_hash_table(void **state)
{
	static const char *const flags[] = {
		"-shared -Wl,--hash-style=gnu",
		"-shared -Wl,--hash-style=sysv",
		"-shared -Wl,--hash-style=both",
		"-shared -mtls-dialect=gnu2 -Wl,--hash-style=gnu -Wl,-z,lazy",
		"-shared -ftls-model=initial-exec -Wl,--hash-style=gnu -Wl,-z,pack-relative-relocs",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		g_autofree char *cut = NULL;

		print_message("%s\n", flags[i]);
		cut = build(flags[i]);
		check_same_symbols();
		check_same_variables();
	}
}

static void test_program(void **state)
{
	g_autofree char *cut = NULL;
	struct tls_symbol symbol;
	struct bytes b;

	(void)state;
	cut = build("-pie -rdynamic -Wl,--hash-style=gnu -DWHOLE -DOTHER=main");
	check_same_symbols();
	load(&b, cut);
	assert_true(tls_is_program(b.elf));
	assert_true(tls_find_symbol(b.elf, "wanted", &symbol));
	unload(&b);
}

/* A program exports nothing: its hash table is empty, and it still has slots of a library's variable. */
static void test_only_undefined(void **state)
{
	static const char text[] = "extern __thread char wanted[16];\n"
				   "int main(void) { return wanted[0]; }\n";
	g_autofree char *path = g_build_filename(dir, "main.c", NULL), *lib = NULL;
	g_autofree char *cut = g_build_filename(dir, "main", NULL);
	g_autoptr(GArray) slots = NULL;
	struct bytes b;

	(void)state;
	lib = build("-shared -DWHOLE");
	assert_true(g_file_set_contents(path, text, -1, NULL));
	shell("${CC:-cc} -O2 -fPIE -pie -Wl,--hash-style=gnu -o main main.c ./lib.so");
	assert_true(cut_sections(cut));
	load(&b, cut);
	slots = tls_find_slots(b.elf, "wanted", NULL);
	assert_int_equal(slots->len, 1);
	unload(&b);
}

/* Recording reads files without a mapping, so a large sparse file must not be read. */
static void test_large_file(void **state)
{
	g_autofree char *cut = build("-shared");
	struct tls_symbol symbol;

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		int fd = g_open(cut, O_RDWR, 0);
		Elf *elf;

		if (i)
			assert_int_equal(ftruncate(fd, 600 << 20), 0);
		elf = elf_begin(fd, ELF_C_READ, NULL);
		assert_int_equal(tls_find_symbol(elf, "wanted", &symbol), i == 0);
		elf_end(elf);
		close(fd);
	}
}

/* The file ends before its segments: nothing names a table in it, so it is not read. */
static void test_segments_outside_the_file(void **state)
{
	const Elf64_Ehdr header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
						 ELFDATA2LSB, EV_CURRENT },
				    .e_type = ET_DYN,
				    .e_machine = EM_X86_64,
				    .e_version = EV_CURRENT,
				    .e_phoff = 1ull << 40,
				    .e_ehsize = sizeof(header),
				    .e_phentsize = sizeof(Elf64_Phdr),
				    .e_phnum = 1 };
	g_autofree char *path = g_build_filename(dir, "outside", NULL);
	struct dynamic dynamic;
	size_t before;
	Elf *elf;
	int fd;

	(void)state;
	assert_true(g_file_set_contents(path, (const char *)&header, sizeof(header), NULL));
	fd = g_open(path, O_RDWR, 0);
	assert_int_equal(ftruncate(fd, 64 << 20), 0);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	assert_non_null(elf);
	before = allocated_bytes();
	assert_false(dynamic_find(elf, &dynamic));
	assert_true(allocated_bytes() - before < 1u << 20);
	elf_end(elf);
	close(fd);
}

/* Go's build information has a section of its own. Without section headers, it is found in the data. */
static void test_go(void **state)
{
	static const char *const texts[] = {
		"__attribute__((section(\".go.buildinfo\"), aligned(16))) char info[48] =\n"
		"\"\\xff Go buildinf:\\x08\\x02\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\""
		"\"\\x08\" \"go1.22.3\";\n",
		"char info[48] = \"\\xff Go buildinf\";\n",
	};
	g_autofree char *path = g_build_filename(dir, "go.c", NULL);
	g_autofree char *file = g_build_filename(dir, "go", NULL);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct go_program whole = { 0 }, cut = { 0 };
		struct bytes b;

		assert_true(g_file_set_contents(path, texts[i], -1, NULL));
		shell("${CC:-cc} -fPIC -shared -o go go.c");
		load(&b, file);
		assert_int_equal(go_find_program(b.elf, &whole), i == 0);
		unload(&b);
		assert_true(cut_sections(file));
		load(&b, file);
		assert_int_equal(go_find_program(b.elf, &cut), i == 0);
		assert_int_equal(cut.minor, i == 0 ? 22 : 0);
		assert_int_equal(cut.curg, whole.curg);
		assert_int_equal(cut.labels, whole.labels);
		unload(&b);
	}
}

enum damage {
	SYMBOLS_OUTSIDE,
	NAMES_OUTSIDE,
	NAMES_TOO_LARGE,
	ENTRY_SIZE,
	BUCKETS_TOO_MANY,
	MASKS_TOO_MANY,
	FIRST_TOO_LARGE,
	CHAIN_WITHOUT_END,
	HASH_OUTSIDE,
	TABLE_OUTSIDE_THE_FILE,
	DYNAMIC_OUTSIDE_THE_FILE,
	NR_DAMAGES
};

static void damage(const struct bytes *b, enum damage what)
{
	u32 *hash = words_of(b, DT_GNU_HASH), *chains = hash + 4 + 2 * hash[2] + hash[0];

	switch (what) {
	case SYMBOLS_OUTSIDE:
		entry_of(b, DT_SYMTAB)->d_un.d_val = ~0ull - 23;
		break;
	case NAMES_OUTSIDE:
		entry_of(b, DT_STRTAB)->d_un.d_val = 1ull << 40;
		break;
	case NAMES_TOO_LARGE:
		entry_of(b, DT_STRSZ)->d_un.d_val = ~0ull;
		break;
	case ENTRY_SIZE:
		entry_of(b, DT_SYMENT)->d_un.d_val = 1;
		break;
	case BUCKETS_TOO_MANY:
		hash[0] = ~0u;
		break;
	case MASKS_TOO_MANY:
		hash[2] = ~0u;
		break;
	case FIRST_TOO_LARGE:
		hash[1] = ~0u;
		break;
	case CHAIN_WITHOUT_END:
		while ((char *)chains < b->bytes + segment_of(b, PT_LOAD)->p_filesz)
			*chains++ &= ~1u;
		break;
	case HASH_OUTSIDE:
		entry_of(b, DT_GNU_HASH)->d_un.d_val = ~0ull;
		break;
	case TABLE_OUTSIDE_THE_FILE:
		segment_of(b, PT_LOAD)->p_offset = ~0ull;
		break;
	case DYNAMIC_OUTSIDE_THE_FILE:
		segment_of(b, PT_DYNAMIC)->p_filesz = 1ull << 60;
		break;
	case NR_DAMAGES:
		break;
	}
}

static void test_damaged(void **state)
{
	g_autofree char *cut = build("-shared -Wl,--hash-style=gnu");
	struct tls_symbol symbol;

	(void)state;
	for (enum damage what = 0; what <= NR_DAMAGES; what++) {
		struct dynamic dynamic;
		struct bytes b;
		bool found;

		load(&b, cut);
		damage(&b, what);
		elf_end(b.elf);
		b.elf = elf_memory(b.bytes, b.size);
		found = dynamic_find(b.elf, &dynamic);
		if (found != (what == NR_DAMAGES) ||
		    tls_find_symbol(b.elf, "wanted", &symbol) != found)
			fail_msg("damage %d: %s", what, found ? "found" : "refused");
		unload(&b);
	}
}

/* The count of DT_HASH, and relocations of symbols that do not exist. */
static void test_damaged_counts(void **state)
{
	g_autofree char *cut = build("-shared -Wl,--hash-style=sysv");
	struct dynamic dynamic;
	Elf64_Rela *rela;
	size_t expected;
	struct bytes b;

	(void)state;
	load(&b, cut);
	assert_true(dynamic_find(b.elf, &dynamic));
	expected = dynamic.nr_symbols;
	assert_int_equal(words_of(&b, DT_HASH)[1], expected);
	rela = (Elf64_Rela *)words_of(&b, DT_RELA);
	rela->r_info = ELF64_R_INFO(~0u, R_X86_64_TPOFF64);
	assert_true(dynamic_find(b.elf, &dynamic));
	assert_int_equal(dynamic.nr_symbols, expected);
	words_of(&b, DT_HASH)[1] = ~0u;
	assert_false(dynamic_find(b.elf, &dynamic));
	words_of(&b, DT_HASH)[1] = (u32)b.size / 4;
	assert_false(dynamic_find(b.elf, &dynamic));
	unload(&b);
}

/* libelf keeps a copy of such a table for each search. */
static void test_large_table_of_another_byte_order(void **state)
{
	const size_t size = 64u << 20, at = 4096;
	g_autofree char *bytes = g_malloc0(size);
	Elf64_Ehdr *header = (Elf64_Ehdr *)bytes;
	Elf64_Phdr *segment = (Elf64_Phdr *)(header + 1);
	struct dynamic dynamic;
	size_t before;
	Elf *elf;

	(void)state;
	*header = (Elf64_Ehdr){ .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					     ELFDATA2MSB, EV_CURRENT },
				.e_type = GUINT16_TO_BE(ET_DYN),
				.e_machine = GUINT16_TO_BE(EM_PPC64),
				.e_version = GUINT32_TO_BE(EV_CURRENT),
				.e_phoff = GUINT64_TO_BE(sizeof(*header)),
				.e_ehsize = GUINT16_TO_BE(sizeof(*header)),
				.e_phentsize = GUINT16_TO_BE(sizeof(*segment)),
				.e_phnum = GUINT16_TO_BE(1) };
	*segment = (Elf64_Phdr){ .p_type = GUINT32_TO_BE(PT_DYNAMIC),
				 .p_offset = GUINT64_TO_BE(at),
				 .p_filesz = GUINT64_TO_BE(size - at) };
	memset(bytes + at, 1, size - at); /* no DT_NULL */
	elf = elf_memory(bytes, size);
	assert_non_null(elf);
	before = allocated_bytes();
	for (u32 i = 0; i < 4; i++)
		assert_false(dynamic_find(elf, &dynamic));
	assert_true(allocated_bytes() - before < 16u << 20);
	elf_end(elf);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_hash_table),
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_only_undefined),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_damaged_counts),
		cmocka_unit_test(test_go),
		cmocka_unit_test(test_large_table_of_another_byte_order),
		cmocka_unit_test(test_large_file),
		cmocka_unit_test(test_segments_outside_the_file),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
