// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A core dump that streams through gets a note, and stays the core that it was; anything else goes through unchanged.
 * The handler of cores chooses the recording that is in the note.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <elf.h>
#include <glib.h>
#include <grp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "detached/core_handler.h"
#include "detached/core_stream.h"
#include "detached/core_words.h"
#include "detached/shelf.h"
#include "perfdata/image/image_core.h"
#include "perfdata/image/image_store.h"
#include "perfdata/write/encode.h"

#define NR_LOADS 3
#define MEMORY	 8192 /* of each */

static GByteArray *make_core(u32 phnum)
{
	static const char notes[] = "\5\0\0\0\0\0\0\0\1\0\0\0CORE\0\0\0"; /* an empty NT_PRSTATUS */
	Elf64_Ehdr e = { .e_type = ET_CORE,
			 .e_machine = EM_X86_64,
			 .e_phoff = sizeof(e),
			 .e_ehsize = sizeof(e),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = (u16)phnum,
			 .e_shoff = phnum == PN_XNUM ? 4096 + NR_LOADS * MEMORY : 0 };
	Elf64_Phdr p[1 + NR_LOADS] = {
		{ .p_type = PT_NOTE, .p_offset = sizeof(e) + sizeof(p), .p_filesz = sizeof(notes) }
	};
	GByteArray *core = g_byte_array_new();

	memcpy(e.e_ident, ELFMAG, SELFMAG);
	e.e_ident[EI_CLASS] = ELFCLASS64;
	e.e_ident[EI_DATA] = ELFDATA2LSB;
	for (u32 i = 1; i <= NR_LOADS; i++)
		p[i] = (Elf64_Phdr){ .p_type = PT_LOAD,
				     .p_offset = 4096 + (i - 1) * MEMORY,
				     .p_vaddr = 0x10000 * i,
				     .p_filesz = MEMORY };
	g_byte_array_append(core, (const u8 *)&e, sizeof(e));
	g_byte_array_append(core, (const u8 *)p, sizeof(p));
	g_byte_array_append(core, (const u8 *)notes, sizeof(notes));
	g_byte_array_set_size(core, 4096 + NR_LOADS * MEMORY + sizeof(Elf64_Shdr));
	for (u32 i = 0; i < NR_LOADS; i++)
		memset(core->data + 4096 + i * MEMORY, 'a' + (int)i, MEMORY);
	return core;
}

/* What comes out of it. */
static GByteArray *pass(const void *data, size_t size, const char *note, u64 limit, bool *added)
{
	int in = memfd_create("in", 0), out = memfd_create("out", 0);
	GByteArray *result = g_byte_array_new();
	u8 piece[4096];
	ssize_t n;

	assert_int_equal(write(in, data, size), size);
	lseek(in, 0, SEEK_SET);
	assert_true(core_stream(in, out, note, note ? strlen(note) : 0, limit, added, NULL));
	lseek(out, 0, SEEK_SET);
	while ((n = read(out, piece, sizeof(piece))) > 0)
		g_byte_array_append(result, piece, (guint)n);
	close(in);
	close(out);
	return result;
}

static void check_core(u32 phnum)
{
	g_autoptr(GByteArray) core = make_core(phnum), with = NULL;
	const char *note = "PERFILE2 and what else there is";
	struct image_in_core found;
	const Elf64_Phdr *p;
	bool added;

	with = pass(core->data, core->len, note, G_MAXUINT64, &added);
	assert_true(added);
	assert_int_equal((with->len - core->len) % 4096, 0);
	p = (const void *)(with->data + sizeof(Elf64_Ehdr));
	for (u32 i = 1; i <= NR_LOADS; i++) {
		assert_int_equal(p[i].p_offset % 4096, 0);
		assert_int_equal(p[i].p_vaddr, 0x10000 * i);
		assert_int_equal(with->data[p[i].p_offset], 'a' + i - 1);
		assert_int_equal(with->data[p[i].p_offset + MEMORY - 1], 'a' + i - 1);
	}
	if (phnum == PN_XNUM)
		assert_int_equal(((const Elf64_Ehdr *)with->data)->e_shoff,
				 4096 + NR_LOADS * MEMORY + with->len - core->len);
	else
		assert_true(image_find_in_core("core", with->data, with->len, &found, NULL) &&
			    !memcmp(found.perfdata, note, strlen(note)));
}

static void a_core_gets_a_note(void **state)
{
	check_core(1 + NR_LOADS);
}

/* More than 65534 headers: their number is in a section header, which moves too. */
static void a_core_with_counted_headers_gets_a_note(void **state)
{
	check_core(PN_XNUM);
}

static void without_a_recording_it_is_the_same(void **state)
{
	g_autoptr(GByteArray) core = make_core(1 + NR_LOADS), with = NULL;
	bool added;

	with = pass(core->data, core->len, NULL, G_MAXUINT64, &added);
	assert_false(added);
	assert_int_equal(with->len, core->len);
	assert_memory_equal(with->data, core->data, core->len);
}

static void the_limit_cuts_it(void **state)
{
	g_autoptr(GByteArray) core = make_core(1 + NR_LOADS), with = NULL;
	bool added;

	with = pass(core->data, core->len, "note", 5000, &added);
	assert_int_equal(with->len, 5000);
}

/* Cut off anywhere, or damaged: nothing is read beyond it, and what is no core comes out as it went in. */
static void what_is_no_core_goes_through(void **state)
{
	g_autoptr(GByteArray) core = make_core(1 + NR_LOADS);
	GRand *rand = g_rand_new_with_seed(1);
	bool added;

	for (u32 size = 0; size < 400; size++) {
		g_autoptr(GByteArray) out = pass(core->data, size, "note", G_MAXUINT64, &added);

		if (!added) {
			assert_int_equal(out->len, size);
			assert_true(!size || !memcmp(out->data, core->data, size));
		}
	}
	for (int i = 0; i < 500; i++) {
		g_autoptr(GByteArray) damaged = make_core(1 + NR_LOADS), out = NULL;

		for (int k = 0; k < 3; k++)
			damaged->data[g_rand_int_range(rand, 0, 320)] = (u8)g_rand_int(rand);
		out = pass(damaged->data, damaged->len, "note", G_MAXUINT64, &added);
		assert_true(out->len >= damaged->len);
	}
	g_rand_free(rand);
}

#define MARK	   16 /* bytes of a sample */
#define OF_ALL	   "of all the CPUs!"
#define OF_PROCESS "of the process!!"
#define OF_OTHERS  "of a different 1"
#define NO_HANDLER 77 /* exit status: this user cannot become another */

/* A recording that has ended, with one sample. Its key is a process, or with @by_cpu a CPU. */
static void shelve(const char *dir, const char *name, bool by_cpu, u64 key, const char *mark)
{
	const struct image_layout layout = {
		.facts_room = 4096, .side_room = 8192, .chunks_room = 4 * 4096, .chunk_size = 4096
	};
	const struct perfdata_file_header facts = { .magic = PERFDATA_MAGIC,
						    .size = sizeof(facts),
						    .data.offset = sizeof(facts) };
	struct {
		struct perf_event_header header;
		char mark[MARK];
	} sample = { { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(sample) }, "" };
	u64 size = image_layout_size(&layout);
	g_autofree char *path = g_build_filename(dir, "shelf", name, NULL);
	void *memory = aligned_alloc(4096, size);
	struct image_store *store;

	memset(memory, 0, size);
	store = image_store_new(memory, &layout);
	assert_true(image_store_facts(store, &facts, sizeof(facts), NULL));
	image_store_header(store)->time_word = image_store_header(store)->tid_word = -1;
	image_store_header(store)->by_cpu = by_cpu;
	shelf_sign(image_store_header(store)); /* since this start of the machine */
	memcpy(sample.mark, mark, MARK);
	image_store_put(store, key, 1, &sample.header);
	image_store_header(store)->state = IMAGE_ENDED;
	assert_true(g_file_set_contents(path, memory, (gssize)size, NULL));
	image_store_free(store);
	free(memory);
}

/* As the kernel starts it for a process of root, which has the id 42. Its exit status. */
static int handle(const char *dir)
{
	char *words[1 + NR_WORDS] = { (char *)dir };
	g_autofree char *shelf = g_build_filename(dir, "shelf", NULL);
	g_autoptr(GByteArray) core = make_core(1 + NR_LOADS);
	int in = memfd_create("in", 0), status;
	pid_t child;

	for (u32 i = 0; i < NR_WORDS; i++)
		words[1 + i] = i <= WORD_TID_INITIAL ? "42" : "0";
	words[1 + WORD_DUMPABLE] = "1";
	words[1 + WORD_LIMIT] = "1000000000";
	assert_int_equal(write(in, core->data, core->len), core->len);
	lseek(in, 0, SEEK_SET);
	child = fork();
	if (!child) {
		if (geteuid() || setgroups(0, NULL))
			_exit(NO_HANDLER);
		dup2(in, STDIN_FILENO);
		setenv("PERF_DETACHED_DIR", shelf, true);
		_exit(core_handler_run(1 + NR_WORDS, words));
	}
	close(in);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static bool is_in_core(const char *dir, const char *mark)
{
	g_autofree char *path = g_build_filename(dir, "core.42", NULL), *core = NULL;
	gsize size;

	assert_true(g_file_get_contents(path, &core, &size, NULL));
	return memmem(core, size, mark, MARK);
}

/* A recording of all CPUs has the process, too, among all others: it is second. */
static void the_recording_of_the_process_is_chosen(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("test-core-XXXXXX", NULL);
	g_autofree char *pattern = g_strdup_printf("%s/core.%%p", dir);
	g_autofree char *kept = g_build_filename(dir, "core_pattern", NULL);
	g_autofree char *shelf = g_build_filename(dir, "shelf", NULL);
	g_autofree char *line = g_strdup_printf("rm -r '%s'", dir);
	int status;

	assert_true(g_file_set_contents(kept, pattern, -1, NULL));
	assert_int_equal(mkdir(shelf, 0700), 0);
	shelve(dir, "all", true, 0, OF_ALL);
	status = handle(dir);
	if (!status) {
		assert_true(is_in_core(dir, OF_ALL));
		shelve(dir, "others", false, 43, OF_OTHERS);
		shelve(dir, "process", false, 42, OF_PROCESS);
		status = handle(dir);
		assert_true(is_in_core(dir, OF_PROCESS));
		assert_false(is_in_core(dir, OF_ALL));
	}
	assert_int_equal(system(line), 0);
	if (status == NO_HANDLER)
		skip();
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_core_gets_a_note),
		cmocka_unit_test(a_core_with_counted_headers_gets_a_note),
		cmocka_unit_test(without_a_recording_it_is_the_same),
		cmocka_unit_test(the_limit_cuts_it),
		cmocka_unit_test(what_is_no_core_goes_through),
		cmocka_unit_test(the_recording_of_the_process_is_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
