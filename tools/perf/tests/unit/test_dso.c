// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is at an address of an ELF file: on programs compiled here, with the system's
 * compiler, in every arrangement of debug files that a distribution uses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chains/objects.h"
#include "dso/demangle.h"
#include "dso/dso.h"
#include "dso/kallsyms.h"
#include "dso/lines.h"
#include "dso/symtab.h"

static char *dir;

static char *in_dir(const char *name)
{
	return g_build_filename(dir, name, NULL);
}

static void shell(const char *fmt, ...)
{
	g_autofree char *command = NULL, *line = NULL;
	va_list ap;

	va_start(ap, fmt);
	command = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	line = g_strdup_printf("cd %s && { %s; } >log 2>&1", dir, command);
	if (system(line) != 0)
		fail_msg("%s: see %s/log", command, dir);
}

static const char program[] = "#include <string.h>\n"
			      "#include <stdlib.h>\n"
			      "int table[16];\n"
			      "static inline __attribute__((always_inline)) int twice(int x)\n"
			      "{\n"
			      "	return x * table[x & 15];\n"
			      "}\n"
			      "__attribute__((noinline)) int work(int n)\n"
			      "{\n"
			      "	int sum = 0;\n"
			      "	for (int i = 0; i < n; i++)\n"
			      "		sum +=\n"
			      "			twice(i);\n"
			      "	return sum;\n"
			      "}\n"
			      "int main(int argc, char **argv)\n"
			      "{\n"
			      "	return work(argc) + atoi(argv[0]);\n"
			      "}\n";

static int set_up(void **state)
{
	g_autofree char *source = NULL;

	dir = g_dir_make_tmp("test-dso-XXXXXX", NULL);
	source = in_dir("prog.c");
	g_file_set_contents(source, program, -1, NULL);
	return 0;
}

static int tear_down(void **state)
{
	g_autofree char *command = g_strdup_printf("rm -rf %s", dir);

	return system(command);
}

static struct dsos *plain_dsos(void)
{
	g_autofree char *debug = in_dir("debug"), *cache = in_dir("cache");
	struct dso_options options = { .debug_dir = debug, .buildid_dir = cache };

	return dsos_new(&options);
}

static u64 address_of(struct dso *dso, const char *name)
{
	const struct symbol *s = dso_symbol_named(dso, name);

	assert_non_null(s);
	return s->start;
}

static const char *name_at(struct dso *dso, u64 vaddr)
{
	const struct symbol *s = dso_find_symbol(dso, vaddr);

	return s ? dso_symbol_name(dso, s) : NULL;
}

static void test_symbols_of_a_program(void **state)
{
	struct dsos *dsos = plain_dsos();
	g_autofree char *path = in_dir("prog");
	const struct symbol *s;
	struct dso *dso;
	size_t left;
	u64 foff, back;

	shell("gcc -O2 -g -o prog prog.c");
	dso = dsos_get(dsos, path, NULL, 0, DSO_USER);
	assert_ptr_equal(dso, dsos_get(dsos, path, NULL, 0, DSO_USER));
	assert_string_equal(dso_short_name(dso), "prog");
	s = dso_symbol_named(dso, "work");
	assert_non_null(s);
	assert_int_equal(s->type, STT_FUNC);
	assert_int_equal(s->binding, STB_GLOBAL);
	assert_string_equal(name_at(dso, s->start), "work");
	assert_string_equal(name_at(dso, s->end - 1), "work");
	assert_ptr_equal(dso_symbol(dso, s->id), s);
	assert_string_equal(name_at(dso, address_of(dso, "table") + 63), "table");
	assert_true(dso_vaddr_to_foff(dso, s->start, &foff));
	assert_true(dso_foff_to_vaddr(dso, foff, &back));
	assert_int_equal(back, s->start);
	assert_non_null(dso_code(dso, s->start, &left));
	assert_true(left >= s->end - s->start);
	assert_int_equal(dso_no_symbols(dso).why, DSO_PRESENT);
	assert_int_equal(dso_no_debug_info(dso).why, DSO_PRESENT);
	assert_null(dso_find_symbol(dso, 0x10));
	dsos_free(dsos);
}

/* Each stub is named for what it calls, whatever the linker makes of the PLT. */
/* The constants and the code share the first page of the file, as lld does it. */
static void test_shared_page(void **state)
{
	struct dsos *dsos = plain_dsos();
	g_autofree char *path = in_dir("shared");
	struct dso *dso;
	u64 vaddr;

	(void)state;
	shell("echo 'const int table[4] = { 1 }; int value = 1; void _start(void) { for (;;); }' "
	      ">shared.c");
	shell("echo 'PHDRS { ro PT_LOAD FILEHDR PHDRS FLAGS(4); code PT_LOAD FLAGS(5); data "
	      "PT_LOAD FLAGS(6); } "
	      "SECTIONS { . = 0x400000 + SIZEOF_HEADERS; .rodata : { *(.rodata*) } :ro "
	      ". = 0x401400; .text : { *(.text*) } :code . = 0x402600; .data : { *(.data*) } :data "
	      "/DISCARD/ : { *(.note*) *(.eh_frame*) *(.comment*) } }' >shared.ld");
	shell("gcc -O1 -nostdlib -static -no-pie -Wl,--build-id=none,-T,shared.ld -o shared "
	      "shared.c");
	dso = dsos_get(dsos, path, NULL, 0, DSO_USER);
	assert_true(dso_foff_to_vaddr(dso, 0, &vaddr));
	assert_int_equal(vaddr, 0x400000);
	assert_true(dso_code_start(dso, 0, &vaddr));
	assert_int_equal(vaddr, 0x401000);
	assert_false(dso_code_start(dso, 0x7f000000, &vaddr));
	dsos_free(dsos);
}

static void test_plt_stubs(void **state)
{
	static const char *const flags[] = { "-fcf-protection=full -Wl,-z,ibtplt", "-Wl,-z,now",
					     "-Wl,-z,lazy -no-pie",
					     "-Wl,-z,lazy -fcf-protection=none" };

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		struct dsos *dsos = plain_dsos();
		g_autofree char *path = in_dir("plt"), *text = NULL, *log = in_dir("plt.txt");
		struct dso *dso;
		char *line;
		u32 checked = 0;

		shell("gcc -O0 -fno-builtin %s -o plt prog.c -Wl,--no-relax && "
		      "objdump -d -j .plt -j .plt.sec -j .plt.got plt | grep '@plt>:$' >plt.txt",
		      flags[i]);
		g_file_get_contents(log, &text, NULL, NULL);
		dso = dsos_get(dsos, path, NULL, 0, DSO_USER);
		for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
			u64 va = g_ascii_strtoull(line, NULL, 16);
			g_autofree char *want = g_strdup(strchr(line, '<') + 1);

			*strchr(want, '>') = 0;
			assert_string_equal(name_at(dso, va), want);
			checked++;
		}
		assert_true(checked >= 1);
		dsos_free(dsos);
	}
}

static void check_has_debug(const char *path, const char *debug_suffix, char origin)
{
	struct dsos *dsos = plain_dsos();
	struct dso *dso = dsos_get(dsos, path, NULL, 0, DSO_USER);
	const char *file;
	u32 line;

	assert_non_null(dso_debug_file(dso));
	if (!g_str_has_suffix(dso_debug_file(dso), debug_suffix))
		fail_msg("%s, not %s", dso_debug_file(dso), debug_suffix);
	assert_int_equal(dso_symbols_origin(dso), origin);
	assert_non_null(dso_symbol_named(dso, "work"));
	assert_true(dso_line(dso, address_of(dso, "work"), &file, &line));
	assert_true(g_str_has_suffix(file, "prog.c"));
	assert_in_range(line, 8, 11);
	dsos_free(dsos);
}

static void test_separate_debug_files(void **state)
{
	g_autofree char *path = in_dir("stripped");
	struct dsos *dsos;
	struct dso *dso;

	shell("gcc -O2 -g -Wl,--build-id -o full prog.c && objcopy --only-keep-debug full "
	      "full.debug && "
	      "objcopy -S --add-gnu-debuglink=full.debug full stripped && mkdir .debug && "
	      "mv full.debug .debug/");
	check_has_debug(path, "/.debug/full.debug", 'l');
	shell("mkdir -p debug%s && mv .debug/full.debug debug%s/", dir, dir);
	check_has_debug(path, "/full.debug", 'l');
	shell("id=$(readelf -n full | sed -n 's|.*Build ID: \\(..\\)|\\1/|p') && "
	      "d=debug/.build-id/$id && "
	      "mkdir -p $(dirname $d) && mv debug%s/full.debug $d.debug",
	      dir);
	check_has_debug(path, ".debug", 'b');
	shell("id=$(readelf -n full | sed -n 's|.*Build ID: \\(..\\)|\\1/|p') && "
	      "c=cache/.build-id/$id && "
	      "mkdir -p $c && mv debug/.build-id/*/*.debug $c/debug");
	check_has_debug(path, "/debug", 'D');

	shell("rm -rf cache debug");
	dsos = plain_dsos();
	dso = dsos_get(dsos, path, NULL, 0, DSO_USER);
	assert_null(dso_symbol_named(dso, "work"));
	assert_int_equal(dso_symbols_origin(dso), 'd');
	assert_non_null(dso_symbol_named(dso, "strtol@plt"));
	assert_int_equal(dso_no_debug_info(dso).why, DSO_NO_DEBUG_INFO);
	assert_non_null(strstr(dso_no_debug_info(dso).text, "stripped"));
	assert_non_null(strstr(dso_no_debug_info(dso).text, "build-id"));
	assert_non_null(strstr(dso_no_debug_info(dso).text, "DEBUGINFOD_URLS"));
	dsos_free(dsos);
}

/* Without build-ids only the checksum tells whether a debuglink's file belongs. */
static void test_debuglink_crc(void **state)
{
	g_autofree char *path = in_dir("nolink");
	struct dsos *dsos;
	struct dso *dso;

	shell("gcc -O2 -g -Wl,--build-id=none -o n prog.c && objcopy --only-keep-debug n n.debug "
	      "&& "
	      "objcopy -S --add-gnu-debuglink=n.debug n nolink");
	check_has_debug(path, "/n.debug", 'l');
	shell("printf x >>n.debug");
	dsos = plain_dsos();
	dso = dsos_get(dsos, path, NULL, 0, DSO_USER);
	assert_null(dso_debug_file(dso));
	assert_int_equal(dso_no_debug_info(dso).why, DSO_OTHER_FILE);
	dsos_free(dsos);
}

static void test_another_build_id_is_absent(void **state)
{
	static const u8 other[20] = { 1, 2, 3, 4 };
	g_autofree char *path = in_dir("prog");
	struct dsos *dsos = plain_dsos();
	struct dso *dso = dsos_get(dsos, path, other, sizeof(other), DSO_USER);
	struct dso_absence why;
	u64 vaddr;

	assert_false(dso_foff_to_vaddr(dso, 0x1000, &vaddr));
	assert_null(dso_find_symbol(dso, 0x1000));
	assert_int_equal(dso_symbols_origin(dso), '!');
	why = dso_no_symbols(dso);
	assert_int_equal(why.why, DSO_OTHER_FILE);
	assert_non_null(strstr(why.text, "another build-id"));
	assert_non_null(strstr(why.text, "01020304"));
	dsos_free(dsos);
}

static void test_no_file(void **state)
{
	struct dsos *dsos = plain_dsos();
	struct dso *dso = dsos_get(dsos, "/proc/self/absent/lib.so", NULL, 0, DSO_USER);

	assert_int_equal(dso_no_code(dso).why, DSO_NO_FILE);
	assert_int_equal(dso_no_symbols(dso).why, DSO_NO_FILE);
	assert_int_equal(dso_no_debug_info(dso).why, DSO_NO_FILE);
	dso = dsos_get(dsos, "[heap]", NULL, 0, DSO_ANON);
	assert_int_equal(dso_no_symbols(dso).why, DSO_NOT_A_FILE);
	dso = dsos_get(dsos, "/dev/null", NULL, 0, DSO_USER);
	assert_int_equal(dso_no_symbols(dso).why, DSO_BAD_FILE);
	dsos_free(dsos);
}

static void test_symfs(void **state)
{
	g_autofree char *root = in_dir("root");
	struct dso_options options = { .symfs = root };
	struct dsos *dsos;

	shell("mkdir -p root/opt/bin && cp prog root/opt/bin/prog && cp prog root/flat");
	dsos = dsos_new(&options);
	assert_non_null(
		dso_symbol_named(dsos_get(dsos, "/opt/bin/prog", NULL, 0, DSO_USER), "work"));
	dsos_free(dsos);
	options.symfs_flat = true;
	dsos = dsos_new(&options);
	assert_non_null(
		dso_symbol_named(dsos_get(dsos, "/opt/bin/flat", NULL, 0, DSO_USER), "work"));
	dsos_free(dsos);
}

static void test_build_ids_of_the_header(void **state)
{
	static const u8 id[20] = { 9, 8, 7 };
	struct dsos *dsos = plain_dsos();
	struct dso *early = dsos_get(dsos, "/bin/early", NULL, 0, DSO_USER), *late;

	dsos_know_build_id(dsos, "/bin/early", id, sizeof(id));
	dsos_know_build_id(dsos, "/bin/late", id, sizeof(id));
	late = dsos_get(dsos, "/bin/late", NULL, 0, DSO_USER);
	assert_int_equal(dso_build_id(early).bytes[0], 9);
	assert_int_equal(dso_build_id(late).bytes[0], 9);
	assert_ptr_equal(dsos_get(dsos, "/bin/early", id, sizeof(id), DSO_USER), early);
	assert_ptr_equal(dsos_get(dsos, "/bin/early", NULL, 0, DSO_USER), early);
	assert_int_equal(dsos_count(dsos), 2);
	dsos_free(dsos);
}

/* A recorder that did not find the file writes zeros: what has the name here, or in the header, may be another file. */
static void test_unknown_files(void **state)
{
	static const u8 zeros[20], id[20] = { 9 };
	struct dsos *dsos = plain_dsos();
	struct dso *by_name = dsos_get(dsos, "/proc/self/exe", NULL, 0, DSO_USER);
	struct dso *unknown = dsos_get(dsos, "/proc/self/exe", zeros, sizeof(zeros), DSO_USER);

	assert_ptr_not_equal(unknown, by_name);
	assert_ptr_equal(dsos_get(dsos, "/proc/self/exe", zeros, sizeof(zeros), DSO_USER), unknown);
	dsos_know_build_id(dsos, "/proc/self/exe", id, sizeof(id));
	assert_int_equal(dso_recorded_build_id(unknown).size, 0);
	assert_null(dso_file(unknown));
	assert_non_null(strstr(dso_no_code(unknown).text, "had ended before record could open it"));
	assert_null(dso_symbol_named(unknown, "main"));
	dsos_free(dsos);
}

/* A later statement holds for what is entered after it: what was entered keeps its id. */
static void test_build_ids_stated_twice(void **state)
{
	static const u8 first[20] = { 1 }, second[20] = { 2 };
	struct dsos *dsos = plain_dsos();
	struct dso *a = dsos_get(dsos, "/bin/a", NULL, 0, DSO_USER), *b, *opened;

	dsos_know_build_id(dsos, "/bin/a", first, sizeof(first));
	dsos_know_build_id(dsos, "/bin/a", second, sizeof(second));
	b = dsos_get(dsos, "/bin/a", NULL, 0, DSO_USER);
	assert_ptr_not_equal(a, b);
	assert_int_equal(dso_recorded_build_id(a).bytes[0], 1);
	assert_int_equal(dso_recorded_build_id(b).bytes[0], 2);
	assert_ptr_equal(dsos_get(dsos, "/bin/a", first, sizeof(first), DSO_USER), a);
	assert_ptr_equal(dsos_get(dsos, "/bin/a", second, sizeof(second), DSO_USER), b);

	/* One whose file was looked for already stays what it was. */
	opened = dsos_get(dsos, "/no/such/file", NULL, 0, DSO_USER);
	assert_null(dso_file(opened));
	dsos_know_build_id(dsos, "/no/such/file", first, sizeof(first));
	assert_int_equal(dso_recorded_build_id(opened).size, 0);
	assert_ptr_not_equal(dsos_get(dsos, "/no/such/file", NULL, 0, DSO_USER), opened);
	assert_int_equal(dsos_count(dsos), 4);

	/* One id stated for two files of one name, of which one has it already. */
	a = dsos_get(dsos, "/bin/c", first, sizeof(first), DSO_USER);
	b = dsos_get(dsos, "/bin/c", NULL, 0, DSO_USER);
	dsos_know_build_id(dsos, "/bin/c", first, sizeof(first));
	assert_int_equal(dso_recorded_build_id(b).bytes[0], 1);
	assert_ptr_equal(dsos_get(dsos, "/bin/c", NULL, 0, DSO_USER), a);
	dsos_free(dsos);
}

static void test_a_table_beside(void **state)
{
	static const u8 id[20] = { 1 };
	struct dsos *first = plain_dsos(), *beside = dsos_new_beside(first, NULL);
	struct dso *same = dsos_get(beside, "/bin/a", id, sizeof(id), DSO_USER);
	struct dso *b = dsos_get(beside, "/some/b", NULL, 0, DSO_USER);
	struct dso *a = dsos_get(first, "/bin/a", id, sizeof(id), DSO_USER);

	assert_ptr_not_equal(dsos_get(first, "/some/b", NULL, 0, DSO_USER), b);
	dsos_join(beside);
	assert_ptr_equal(dsos_joined(same), a);
	assert_ptr_equal(dsos_joined(b), b);
	assert_int_equal(dso_id(b), 2);
	assert_int_equal(dsos_count(first), 3);
	assert_null(dso_file(b));
	dsos_free(beside);
	/* The first one keeps it, as reports of several files do. */
	assert_ptr_equal(dsos_at(first, 2), b);
	assert_string_equal(dso_short_name(b), "b");
	assert_null(dso_find_symbol(b, 1));
	dsos_free(first);
}

static void test_kernels_of_two_boots(void **state)
{
	static const u8 id[20] = { 1 };
	struct dsos *first = plain_dsos(), *moved = dsos_new_beside(first, NULL);
	struct dsos *same = dsos_new_beside(first, NULL);
	struct dso *kernels[3];

	kernels[0] = dsos_get(first, "[kernel.kallsyms]", id, sizeof(id), DSO_KERNEL);
	kernels[1] = dsos_get(moved, "[kernel.kallsyms]", id, sizeof(id), DSO_KERNEL);
	kernels[2] = dsos_get(same, "[kernel.kallsyms]", id, sizeof(id), DSO_KERNEL);
	dso_kernel_reference(kernels[0], "_text", 0xffffffff81000000);
	dso_kernel_reference(kernels[1], "_text", 0xffffffff92000000);
	dso_kernel_reference(kernels[2], "_text", 0xffffffff81000000);
	dsos_join(moved);
	dsos_join(same);
	assert_ptr_equal(dsos_joined(kernels[1]), kernels[1]);
	assert_ptr_equal(dsos_joined(kernels[2]), kernels[0]);
	assert_int_equal(dsos_count(first), 2);
	dsos_free(first);
}

static void check_inlined(const char *compile)
{
	struct dsos *dsos = plain_dsos();
	g_autofree char *path = in_dir("inl");
	const struct source_frame *frames;
	const struct symbol *work;
	u32 lines_in_twice = 0;
	bool found = false;
	struct dso *dso;

	shell("%s -o inl prog.c", compile);
	dso = dsos_get(dsos, path, NULL, 0, DSO_USER);
	work = dso_symbol_named(dso, "work");
	for (u64 at = work->start; at < work->end; at++) {
		u32 nr = dso_functions(dso, at, &frames);

		/* Its lines come later, to the same frames. */
		assert_true(nr >= 1);
		assert_string_equal(frames[nr - 1].function, "work");
		assert_null(frames[0].file);
		assert_int_equal(dso_frames(dso, at, &frames), nr);
		assert_string_equal(frames[nr - 1].function, "work");
		assert_false(frames[nr - 1].inlined);
		if (nr != 2)
			continue;
		found = true;
		assert_string_equal(frames[0].function, "twice");
		assert_true(frames[0].inlined);
		lines_in_twice += frames[0].line >= 4 && frames[0].line <= 7;
		assert_true(g_str_has_suffix(frames[1].file, "prog.c"));
		assert_int_equal(frames[1].line, 13);
	}
	assert_true(found);
	assert_true(lines_in_twice > 0);
	assert_int_equal(dso_frames(dso, 0x3, &frames), 0);
	dsos_free(dsos);
}

static void test_inlined_frames(void **state)
{
	check_inlined("gcc -O2 -g");
	check_inlined("gcc -O2 -gdwarf-4");
	check_inlined("gcc -O2 -g -gsplit-dwarf");
}

static void test_inlined_frames_clang(void **state)
{
	if (system("clang --version >/dev/null 2>&1") != 0)
		skip();
	check_inlined("clang -O2 -g -fno-vectorize -fno-unroll-loops");
}

static void test_dwz(void **state)
{
	g_autofree char *path = in_dir("dwza");
	struct dsos *dsos;
	Dwarf_Addr bias;
	Dwarf *dwarf;

	if (system("dwz --version >/dev/null 2>&1") != 0)
		skip();
	shell("for i in a b; do gcc -O2 -g -Wl,--build-id -o dwz$i prog.c -DX=\\\"$i$i$i$i$i\\\"; "
	      "done && "
	      "dwz -m common.dwz dwza dwzb");
	check_has_debug(path, "/dwza", 'd');
	dsos = plain_dsos();
	dwarf = dso_dwarf(dsos_get(dsos, path, NULL, 0, DSO_USER), &bias);
	assert_non_null(dwarf_getalt(dwarf));
	dsos_free(dsos);
}

static void test_minidebuginfo(void **state)
{
	g_autofree char *path = in_dir("mini");
	struct dsos *dsos = plain_dsos();
	struct dso *dso;

	if (system("xz --version >/dev/null 2>&1") != 0)
		skip();
	shell("gcc -O2 -g -o m prog.c && objcopy -S --keep-symbol=work m tiny && "
	      "objcopy --only-keep-debug m syms && strip --strip-debug syms && xz -k syms && "
	      "objcopy -S --add-section .gnu_debugdata=syms.xz m mini");
	dso = dsos_get(dsos, path, NULL, 0, DSO_USER);
	if (!dso_symbol_named(dso, "work"))
		skip(); /* built without liblzma */
	assert_string_equal(name_at(dso, address_of(dso, "work")), "work");
	assert_int_equal(dso_symbols_origin(dso), 'n');
	dsos_free(dsos);
}

static void test_vdso(void **state)
{
	struct dsos *dsos = plain_dsos();
	struct dso *dso = dsos_get(dsos, "[vdso]", NULL, 0, DSO_VDSO);

	assert_non_null(dso_symbol_named(dso, "__vdso_clock_gettime"));
	assert_int_equal(dso_symbols_origin(dso), 'd');
	dsos_free(dsos);
}

static void test_jit_map(void **state)
{
	g_autofree char *path = in_dir("perf-77.map");
	struct dsos *dsos = plain_dsos();
	struct dso *dso;
	u64 vaddr;

	g_file_set_contents(path,
			    "7f0000001000 40 Foo::bar(int) const\n7f0000001040 10 baz\n"
			    "nonsense\n7f0000002000\n",
			    -1, NULL);
	dso = dsos_get(dsos, path, NULL, 0, DSO_JIT);
	assert_string_equal(dso_short_name(dso), "[JIT] tid 77");
	assert_int_equal(dso_symbols_origin(dso), 'j');
	assert_string_equal(name_at(dso, 0x7f000000103f), "Foo::bar(int) const");
	assert_string_equal(name_at(dso, 0x7f0000001040), "baz");
	assert_null(name_at(dso, 0x7f0000001050));
	assert_true(dso_foff_to_vaddr(dso, 0x7f0000001000, &vaddr));
	dsos_free(dsos);
}

static void assert_no_jit_map(const char *path, bool force, const char *why)
{
	struct dsos *dsos = dsos_new(&(struct dso_options){ .force = force });
	struct dso *dso = dsos_get(dsos, path, NULL, 0, DSO_JIT);

	assert_null(dso_find_symbol(dso, 0x7f0000001000));
	assert_non_null(strstr(dso_no_symbols(dso).text, why));
	dsos_free(dsos);
}

/* Who may write to /tmp may put anything there under that name. */
static void test_jit_map_of_others(void **state)
{
	g_autofree char *path = in_dir("perf-78.map"), *target = in_dir("target");
	struct dsos *dsos;

	g_file_set_contents(target, "7f0000001000 40 secret\n", -1, NULL);
	assert_int_equal(symlink(target, path), 0);
	assert_no_jit_map(path, true, "is a link");
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_no_jit_map(path, true, "not a regular file");
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_no_jit_map(path, true, "not a regular file");
	rmdir(path);
	assert_int_equal(rename(target, path), 0);
	assert_int_equal(truncate(path, (off_t)1 << 40), 0);
	assert_no_jit_map(path, true, "more than");
	if (geteuid())
		skip();
	g_file_set_contents(path, "7f0000001000 40 secret\n", -1, NULL);
	assert_int_equal(chown(path, 65534, 65534), 0);
	assert_no_jit_map(path, false, "not owned by current user or root");
	dsos = dsos_new(&(struct dso_options){ .force = true });
	assert_string_equal(name_at(dsos_get(dsos, path, NULL, 0, DSO_JIT), 0x7f0000001000),
			    "secret");
	dsos_free(dsos);
}

static void test_jit_map_of_its_process(void **state)
{
	g_autofree char *path = NULL;
	struct dsos *dsos;
	pid_t pid;

	if (geteuid())
		skip();
	pid = fork();
	if (!pid) {
		if (!setresuid(65534, 65534, 65534))
			pause();
		_exit(1);
	}
	g_usleep(100000); /* for its user */
	path = g_strdup_printf("%s/perf-%d.map", dir, pid);
	g_file_set_contents(path, "7f0000001000 40 its_own\n", -1, NULL);
	assert_int_equal(chown(path, 65534, 65534), 0);
	dsos = plain_dsos();
	assert_string_equal(name_at(dsos_get(dsos, path, NULL, 0, DSO_JIT), 0x7f0000001000),
			    "its_own");
	dsos_free(dsos);
	assert_int_equal(chown(path, 12345, 12345), 0);
	assert_no_jit_map(path, false, "not owned by");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_bpf_symbols(void **state)
{
	struct dsos *dsos = plain_dsos();
	struct dso *dso = dsos_get(dsos, "bpf_prog_1234_f", NULL, 0, DSO_BPF);
	const struct symbol *first;

	dso_add_symbol(dso, 0xffffffffc0000000, 0x100, "bpf_prog_1234_f");
	first = dso_find_symbol(dso, 0xffffffffc00000ff);
	assert_string_equal(first->raw, "bpf_prog_1234_f");
	dso_add_symbol(dso, 0xffffffffc0001000, 0x100, "bpf_prog_1234_f");
	assert_non_null(dso_find_symbol(dso, 0xffffffffc0001000));
	assert_int_equal(dso_symbols_origin(dso), '!'); /* a record's, of no file */
	assert_string_equal(first->raw, "bpf_prog_1234_f");
	dsos_free(dsos);
}

static const char kallsyms[] = "0000000000000000 A fixed_percpu_data\n"
			       "ffffffff91000000 T _stext\n"
			       "ffffffff91000000 T _text\n"
			       "ffffffff91000100 t local_one\n"
			       "ffffffff91000200 T strong_one\n"
			       "ffffffff91000200 t last_one\n"
			       "ffffffff91000300 r rodata\n"
			       "ffffffff92000000 D data_one\n"
			       "ffffffffc0400000 t helper\t[fat]\n"
			       "ffffffffc0400080 t other\t[fat]\n";

static void test_kallsyms_of_another_boot(void **state)
{
	g_autofree char *path = in_dir("kallsyms");
	struct dso_options options = { .kallsyms = path };
	struct dsos *dsos;
	struct dso *kernel;

	g_file_set_contents(path, kallsyms, -1, NULL);
	dsos = dsos_new(&options);
	kernel = dsos_get(dsos, "[kernel.kallsyms]", NULL, 0, DSO_KERNEL);
	assert_string_equal(dso_short_name(kernel), "[kernel.kallsyms]");
	dso_kernel_reference(kernel, "_stext", 0xffffffff81000000);
	assert_int_equal(dso_kernel_vaddr(kernel, 0xffffffff81000123), 0xffffffff91000123);
	assert_string_equal(name_at(kernel, 0xffffffff91000110), "local_one");
	assert_string_equal(name_at(kernel, 0xffffffff91000201), "last_one");
	assert_string_equal(name_at(kernel, 0xffffffff92000000), "data_one");
	assert_null(dso_symbol_named(kernel, "helper"));
	assert_int_equal(dso_symbols_origin(kernel), 'k');
	dsos_free(dsos);
}

static void test_module_of_this_boot(void **state)
{
	g_autofree char *path = in_dir("kallsyms");
	struct dso_options options = { .kallsyms = path };
	struct dsos *dsos = dsos_new(&options);
	struct dso *kernel = dsos_get(dsos, "[kernel.kallsyms]", NULL, 0, DSO_KERNEL);
	struct dso *fat = dsos_get(dsos, "[fat]", NULL, 0, DSO_MODULE);

	dso_kernel_reference(kernel, "_stext", 0xffffffff91000000);
	dso_kernel_reference(fat, "", 0xffffffffc0400000);
	assert_string_equal(name_at(fat, dso_kernel_vaddr(fat, 0xffffffffc0400010)), "helper");
	assert_string_equal(name_at(fat, dso_kernel_vaddr(fat, 0xffffffffc0400081)), "other");
	assert_int_equal(dso_symbols_origin(fat), 'k');
	dsos_free(dsos);
}

/* A relocatable file has no addresses: code lies where the kernel would have put it. */
static void test_module_file(void **state)
{
	g_autofree char *path = in_dir("my-mod.ko"), *source = in_dir("mod.c");
	struct dsos *dsos = plain_dsos();
	struct dso *dso = dsos_get(dsos, path, NULL, 0, DSO_MODULE);
	const char *file;
	u64 vaddr, text_size;
	size_t left;
	u32 line;

	g_file_set_contents(source,
			    "int d = 1;\n"
			    "__attribute__((section(\".init.text\"))) int in(void) { return 7; }\n"
			    "int first(int a)\n{\n	return a + d;\n}\n"
			    "__attribute__((cold)) int chilly(int a)\n{\n	return a - d;\n}\n",
			    -1, NULL);
	shell("gcc -O2 -g -c -o my-mod.ko mod.c");
	assert_string_equal(dso_short_name(dso), "[my_mod]");
	dso_kernel_reference(dso, "", 0xffffffffc0000000);
	vaddr = dso_kernel_vaddr(dso, 0xffffffffc0000000);
	assert_string_equal(name_at(dso, vaddr), "first");
	assert_true(dso_line(dso, vaddr, &file, &line));
	assert_in_range(line, 3, 5);
	text_size = dso_symbol_named(dso, "first")->end - dso_symbol_named(dso, "first")->start;
	vaddr = dso_kernel_vaddr(dso, 0xffffffffc0000000 + text_size);
	assert_string_equal(name_at(dso, vaddr), "chilly");
	assert_true(dso_line(dso, vaddr, &file, &line));
	assert_in_range(line, 7, 9);
	assert_non_null(dso_code(dso, vaddr, &left));
	assert_int_equal(dso_no_debug_info(dso).why, DSO_PRESENT);
	assert_int_equal(dso_symbols_origin(dso), 'K');
	dsos_free(dsos);
}

/* The recorded boot's addresses are neither vmlinux's nor those of the given kallsyms. */
static void test_vmlinux(void **state)
{
	g_autofree char *path = in_dir("vmlinux"), *source = in_dir("k.S"),
			*text = in_dir("kallsyms");
	struct dso_options options = { .vmlinux = path };
	struct dsos *dsos;
	struct dso *kernel;
	size_t left;

	g_file_set_contents(source,
			    ".text\n.globl _text, start\n_text: .fill 256\n"
			    ".globl local_one\n.type local_one, @function\nlocal_one: .fill 256\n"
			    "start: nop\n",
			    -1, NULL);
	shell("gcc -nostdlib -static -no-pie -Wl,-Ttext=0xffffffff81000000 -Wl,-estart "
	      "-Wl,--build-id -o vmlinux k.S");
	dsos = dsos_new(&options);
	kernel = dsos_get(dsos, "[kernel.kallsyms]", NULL, 0, DSO_KERNEL);
	assert_string_equal(dso_short_name(kernel), "[kernel.vmlinux]");
	dso_kernel_reference(kernel, "_text", 0xffffffffa3000000);
	assert_int_equal(dso_kernel_vaddr(kernel, 0xffffffffa3000110), 0xffffffff81000110);
	assert_string_equal(name_at(kernel, 0xffffffff81000110), "local_one");
	assert_non_null(dso_code(kernel, 0xffffffff81000110, &left));
	assert_int_equal(dso_symbols_origin(kernel), 'v');
	dsos_free(dsos);

	/* kallsyms for the names, vmlinux for the bytes: the names move. */
	options.kallsyms = text;
	g_file_set_contents(text, kallsyms, -1, NULL);
	dsos = dsos_new(&options);
	kernel = dsos_get(dsos, "[kernel.kallsyms]", NULL, 0, DSO_KERNEL);
	dso_kernel_reference(kernel, "_text", 0xffffffffa3000000);
	assert_int_equal(dso_kernel_vaddr(kernel, 0xffffffffa3000110), 0xffffffff81000110);
	assert_string_equal(name_at(kernel, 0xffffffff81000110), "local_one");
	assert_string_equal(name_at(kernel, 0xffffffff81000210), "last_one");
	assert_int_equal(dso_symbols_origin(kernel), 'k');
	dsos_free(dsos);
}

static void test_plt_of_other_machines(void **state)
{
	static const char bti[] = "aarch64-linux-gnu -mbranch-protection=standard -Wl,-z,force-bti";
	const char *const targets[] = { "aarch64-linux-gnu", bti, "i386-linux-gnu" };

	if (system("clang --version >/dev/null 2>&1 && ld.lld --version >/dev/null 2>&1") != 0)
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		g_autofree char *path = in_dir("foreign.so"), *source = in_dir("foreign.c");
		struct dsos *dsos = plain_dsos();
		const struct symbol *stub;
		struct dso *dso;

		g_file_set_contents(source,
				    "int puts(const char *), abs(int);\n"
				    "int f(int a) { return puts(\"x\") + abs(a); }\n",
				    -1, NULL);
		shell("clang -target %s -O1 -fno-builtin -fuse-ld=lld -nostdlib -shared -fPIC "
		      "-o foreign.so foreign.c",
		      targets[i]);
		dso = dsos_get(dsos, path, NULL, 0, DSO_USER);
		stub = dso_symbol_named(dso, "abs@plt");
		assert_non_null(stub);
		assert_int_equal(dso_symbol_named(dso, "puts@plt")->start, stub->start - 16);
		assert_string_equal(name_at(dso, dso_symbol_named(dso, ".plt")->start), ".plt");
		dsos_free(dsos);
	}
}

/* A stripped program has no names of its own functions, but .eh_frame has their bounds. */
static void test_functions_without_a_name(void **state)
{
	g_autofree char *whole = in_dir("whole"), *bare = in_dir("bare"), *cache = in_dir("cache");
	struct dsos *dsos = plain_dsos();
	struct dsos *by_address = dsos_new(&(struct dso_options){
		.debug_dir = cache, .buildid_dir = cache, .no_unnamed = true });
	struct dso *named = dsos_get(dsos, whole, NULL, 0, DSO_USER);
	struct dso *stripped = dsos_get(dsos, bare, NULL, 0, DSO_USER);
	struct dso *addresses = dsos_get(by_address, bare, NULL, 0, DSO_USER);
	const struct symbol *work, *found;
	g_autofree char *name = NULL;

	shell("gcc -O2 -g -Wl,--build-id=none -o whole prog.c && strip -o bare whole");
	work = dso_symbol_named(named, "work");
	assert_non_null(work);
	found = dso_find_symbol(stripped, work->end - 1);
	assert_non_null(found);
	assert_true(symbol_is_unnamed(found));
	assert_int_equal(found->start, work->start);
	assert_int_equal(found->end, work->end);
	name = g_strdup_printf("func@0x%" G_GINT64_MODIFIER "x", work->start);
	assert_string_equal(dso_symbol_name(stripped, found), name);
	assert_false(symbol_is_unnamed(work));
	assert_null(dso_find_symbol(addresses, work->end - 1));
	dsos_free(dsos);
	dsos_free(by_address);
}

/* libdebuginfod takes file:// too: DIR/buildid/ID/debuginfo. */
static void test_debuginfod(void **state)
{
	g_autofree char *url = g_strdup_printf("file://%s/server/", dir);
	g_autofree char *cache = in_dir("client"), *path = in_dir("far");
	struct dsos *dsos = plain_dsos(), *without_consent = plain_dsos();
	struct dso *dso = dsos_get(dsos, path, NULL, 0, DSO_USER), *not_fetched;

	shell("gcc -O2 -g -Wl,--build-id -o far prog.c && "
	      "d=server/buildid/$(readelf -n far | sed -n 's|.*Build ID: ||p') && mkdir -p $d && "
	      "objcopy --only-keep-debug far $d/debuginfo && strip far");
	g_setenv("DEBUGINFOD_URLS", url, TRUE);
	g_setenv("DEBUGINFOD_CACHE_PATH", cache, TRUE);
	not_fetched = dsos_get(without_consent, path, NULL, 0, DSO_USER);
	assert_int_equal(dso_no_debug_info(not_fetched).why, DSO_NO_DEBUG_INFO);
	assert_non_null(
		strstr(dso_no_debug_info(not_fetched).text, "perf config debuginfod.fetch=ask"));
	assert_false(g_file_test(cache, G_FILE_TEST_EXISTS)); /* the library was not called */
	dsos_free(without_consent);
	g_setenv("PERF_DEBUGINFOD", "yes", TRUE);
	assert_int_equal(dso_no_symbols(dso).why, DSO_PRESENT);
	g_unsetenv("DEBUGINFOD_URLS");
	g_unsetenv("PERF_DEBUGINFOD");
	if (!dso_debug_file(dso))
		skip(); /* no libdebuginfod.so.1 here */
	assert_string_equal(name_at(dso, address_of(dso, "work")), "work");
	assert_int_equal(dso_symbols_origin(dso), 'D');
	dsos_free(dsos);
}

static void test_restricted_kallsyms(void **state)
{
	g_autofree char *path = in_dir("zeros");
	struct dso_options options = { .kallsyms = path };
	struct dsos *dsos = dsos_new(&options);
	struct dso *kernel = dsos_get(dsos, "[kernel.kallsyms]", NULL, 0, DSO_KERNEL);

	g_file_set_contents(path, "0000000000000000 T _text\n0000000000000000 T start\n", -1, NULL);
	assert_null(dso_symbol_named(kernel, "start"));
	assert_int_equal(dso_no_symbols(kernel).why, DSO_RESTRICTED);
	assert_non_null(strstr(dso_no_symbols(kernel).text, "kptr_restrict"));
	dsos_free(dsos);
}

static struct symtab *symtab_from(const char *const *rows, size_t nr, bool demangle)
{
	struct symtab *t = symtab_new(demangle);

	for (size_t i = 0; i < nr; i++) {
		char name[64], bind;
		unsigned long start, size;

		assert_int_equal(sscanf(rows[i], "%lx %lx %c %63s", &start, &size, &bind, name), 4);
		symtab_add(t, start, size, symtab_text(t, name),
			   bind == 'n' ? STT_NOTYPE : STT_FUNC,
			   bind == 'g'	 ? STB_GLOBAL
			   : bind == 'w' ? STB_WEAK
					 : STB_LOCAL);
	}
	symtab_finish(t, SYMTAB_FILL_NEXT, 0);
	return t;
}

static void test_which_alias_stays(void **state)
{
	static const struct {
		const char *a, *b, *stays;
		const char *stays_raw; /* with --no-demangle, where that differs */
	} rows[] = {
		{ "100 0 g longer_without_size", "100 10 l sized", "sized" },
		{ "100 0 g of_two_without_size", "100 0 l last", "last" },
		{ "100 10 g sized", "100 0 w last", "sized" },
		{ "100 10 w weak_symbol", "100 10 l locl", "locl" },
		{ "100 10 l a_local_one", "100 10 g glob", "glob" },
		{ "100 10 g __under_scored", "100 10 g plain", "plain" },
		{ "100 10 g short", "100 10 g longer", "longer" },
		{ "100 10 g first", "100 10 g other", "first" },
		{ "100 10 g SyS_read", "100 10 g sys_read", "sys_read" },
		{ "100 10 g _ZN1AC1Ev", "100 10 g _ZN1AC2Ev", "_ZN1AC1Ev" },
		{ "100 10 g _Z12long_named_fv", "100 10 g _Z1fiiiii", "_Z1fiiiii",
		  "_Z12long_named_fv" },
		{ "100 10 g _Z1fiiiii", "100 10 g _Z12long_named_fv", "_Z1fiiiii",
		  "_Z12long_named_fv" },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
		const typeof(rows[0]) *row = &rows[i / 2];
		const char *const two[] = { row->a, row->b };
		bool demangle = i % 2;
		struct symtab *t = symtab_from(two, 2, demangle);

		assert_int_equal(symtab_count(t), 1);
		assert_string_equal(symtab_find(t, 0x105)->raw,
				    demangle || !row->stays_raw ? row->stays : row->stays_raw);
		assert_non_null(symtab_named(t, strrchr(row->a, ' ') + 1));
		assert_non_null(symtab_named(t, strrchr(row->b, ' ') + 1));
		symtab_free(t);
	}
}

static void test_sizes_and_nesting(void **state)
{
	static const char *const rows[] = {
		"500 0 g last",	 "100 100 g outer", "140 10 g inner",
		"150 0 n label", "200 0 g unsized", "300 10 g next",
	};
	struct symtab *t = symtab_from(rows, ARRAY_SIZE(rows), true);

	assert_string_equal(symtab_find(t, 0x145)->raw, "inner");
	assert_string_equal(symtab_find(t, 0x155)->raw, "outer");
	assert_string_equal(symtab_find(t, 0x1ff)->raw, "outer");
	assert_string_equal(symtab_find(t, 0x2ff)->raw, "unsized");
	assert_null(symtab_find(t, 0x310));
	assert_string_equal(symtab_find(t, 0x1fff)->raw, "last");
	assert_null(symtab_find(t, 0x2000));
	assert_null(symtab_find(t, 0xff));
	symtab_free(t);
}

static void test_hostile_sizes(void **state)
{
	struct symtab *t = symtab_new(true);

	for (u32 i = 0; i < 100000; i++)
		symtab_add(t, i, UINT64_MAX, "nested", STT_FUNC, STB_GLOBAL);
	symtab_add(t, UINT64_MAX - 1, 0, "end", STT_FUNC, STB_GLOBAL);
	symtab_finish(t, SYMTAB_FILL_NEXT, 0);
	assert_string_equal(symtab_find(t, 500)->raw, "nested");
	assert_string_equal(symtab_find(t, UINT64_MAX - 1)->raw, "end");
	symtab_free(t);
}

static void test_demangle(void **state)
{
	static const struct {
		const char *raw, *text, *bare;
	} rows[] = {
		{ "main", NULL, NULL },
		{ "_ZNK2ns3BoxIdE3getEi", "ns::Box<double>::get(int) const",
		  "ns::Box<double>::get" },
		{ "_ZNK2ns3BoxIdEcvbEv", "ns::Box<double>::operator bool() const",
		  "ns::Box<double>::operator bool" },
		{ "_Z4tmplIlLi3EET_S0_", "long tmpl<long, 3>(long)", "tmpl<long, 3>" },
		{ "_ZL3loci.constprop.0", "loc(int) [clone .constprop.0]", "loc" },
		{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad",
		  "core::fmt::Formatter::pad" },
		{ "_ZN60_$LT$alloc..string..String$u20$as$u20$core..fmt..Display$GT$"
		  "3fmt17h0123456789abcdefE",
		  "<alloc::string::String as core::fmt::Display>::fmt",
		  "<alloc::string::String as core::fmt::Display>::fmt" },
		{ "_RNvCs1234_7mycrate3foo", "mycrate::foo", "mycrate::foo" },
		{ "_Znwm@plt", "operator new(unsigned long)@plt", "operator new@plt" },
		{ "_Z", NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		g_autofree char *text = demangle(rows[i].raw);
		g_autofree char *bare = demangle_bare(rows[i].raw);

		if (!rows[i].text) {
			assert_null(text);
			assert_null(bare);
			continue;
		}
		assert_string_equal(text, rows[i].text);
		assert_string_equal(bare, rows[i].bare);
	}
}

static void test_build_id_notes(void **state)
{
	static const u8 notes[] = {
		4, 0, 0, 0, 16, 0, 0, 0, 1,   0,   0,	0, 'G',	 'N',  'U',  0,	   0, 0,
		0, 0, 3, 0, 0,	0, 2, 0, 0,   0,   0,	0, 0,	 0,    4,    0,	   0, 0,
		4, 0, 0, 0, 3,	0, 0, 0, 'G', 'N', 'U', 0, 0xde, 0xad, 0xbe, 0xef,
	};
	struct build_id id, parsed;
	char hex[BUILD_ID_HEX];

	assert_true(build_id_from_notes(notes, sizeof(notes), &id));
	assert_string_equal(build_id_hex(&id, hex), "deadbeef");
	assert_true(build_id_parse("deadbeef", &parsed));
	assert_true(build_id_equal(&id, &parsed));
	assert_false(build_id_parse("deadbee", &parsed));
	assert_false(build_id_parse("xy", &parsed));
	for (size_t size = 0; size < sizeof(notes); size++)
		assert_false(build_id_from_notes(notes, size, &id));
}

/* Neither its code nor its build-id is there: no rules for stacks, however often they are asked for. */
static void test_no_rules_without_a_file(void **state)
{
	struct dsos *dsos = dsos_new(&(struct dso_options){ 0 });
	struct dso *dso = dsos_get(dsos, "/none/such/file", NULL, 0, DSO_USER);
	struct objects *objects = objects_new();

	for (u32 i = 0; i < 2; i++)
		assert_null(objects_cfi(objects, dso));
	objects_free(objects);
	dsos_free(dsos);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_rules_without_a_file),
		cmocka_unit_test(test_symbols_of_a_program),
		cmocka_unit_test(test_shared_page),
		cmocka_unit_test(test_plt_stubs),
		cmocka_unit_test(test_separate_debug_files),
		cmocka_unit_test(test_debuglink_crc),
		cmocka_unit_test(test_another_build_id_is_absent),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_symfs),
		cmocka_unit_test(test_build_ids_of_the_header),
		cmocka_unit_test(test_unknown_files),
		cmocka_unit_test(test_build_ids_stated_twice),
		cmocka_unit_test(test_a_table_beside),
		cmocka_unit_test(test_kernels_of_two_boots),
		cmocka_unit_test(test_inlined_frames),
		cmocka_unit_test(test_inlined_frames_clang),
		cmocka_unit_test(test_dwz),
		cmocka_unit_test(test_minidebuginfo),
		cmocka_unit_test(test_vdso),
		cmocka_unit_test(test_jit_map),
		cmocka_unit_test(test_jit_map_of_others),
		cmocka_unit_test(test_jit_map_of_its_process),
		cmocka_unit_test(test_bpf_symbols),
		cmocka_unit_test(test_kallsyms_of_another_boot),
		cmocka_unit_test(test_module_of_this_boot),
		cmocka_unit_test(test_module_file),
		cmocka_unit_test(test_vmlinux),
		cmocka_unit_test(test_plt_of_other_machines),
		cmocka_unit_test(test_functions_without_a_name),
		cmocka_unit_test(test_debuginfod),
		cmocka_unit_test(test_restricted_kallsyms),
		cmocka_unit_test(test_which_alias_stays),
		cmocka_unit_test(test_sizes_and_nesting),
		cmocka_unit_test(test_hostile_sizes),
		cmocka_unit_test(test_demangle),
		cmocka_unit_test(test_build_id_notes),
	};

	unsetenv("DEBUGINFOD_URLS");
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
