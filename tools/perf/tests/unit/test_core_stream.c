// SPDX-License-Identifier: GPL-2.0-or-later
/* A core dump that streams through gets a note, and stays the core that it was; anything else goes through unchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <elf.h>
#include <glib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "detached/core_stream.h"
#include "perfdata/image/image_core.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_core_gets_a_note),
		cmocka_unit_test(a_core_with_counted_headers_gets_a_note),
		cmocka_unit_test(without_a_recording_it_is_the_same),
		cmocka_unit_test(the_limit_cuts_it),
		cmocka_unit_test(what_is_no_core_goes_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
