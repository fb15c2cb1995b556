// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Our decoder against capstone's, over this program's own code: the same of every instruction,
 * but for what tests/insn/compare.c explains. tools/insn_compare does it over any files.
 */
#include <fcntl.h>
#include <gelf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/insn/reference.h"

#define AT_MOST 60000 /* instructions: a second under the sanitizers */

static u32 compare_code(const u8 *code, size_t size, u64 vaddr)
{
	struct insn_decoder *decoder = insn_decoder_new(INSN_X86_64, NULL);
	struct reference *reference = reference_new();
	struct insn ours, theirs;
	u32 nr = 0, failed = 0;

	for (size_t at = 0; at < size && nr < AT_MOST; at += ours.size, nr++) {
		const char *mnemonic, *operands;
		bool known = insn_decode(decoder, code + at, size - at, vaddr + at, &ours);
		g_autofree char *difference = NULL;

		if (!reference_decode(reference, code + at, size - at, vaddr + at, &theirs,
				      &mnemonic, &operands))
			continue;
		difference = known ? reference_compare(&ours, &theirs) : g_strdup("not known");
		if (!difference || reference_explains(mnemonic, difference))
			continue;
		print_message("%llx %s %s: %s\n", (unsigned long long)(vaddr + at), mnemonic,
			      operands, difference);
		failed++;
	}
	insn_decoder_free(decoder);
	reference_free(reference);
	assert_true(nr > 1000);
	return failed;
}

static void test_own_code(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Elf_Scn *section = NULL;
	bool found = false;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	assert_non_null(elf);
	while (!found && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;
		size_t names;

		assert_non_null(gelf_getshdr(section, &header));
		assert_int_equal(elf_getshdrstrndx(elf, &names), 0);
		if (strcmp(elf_strptr(elf, names, header.sh_name), ".text"))
			continue;
		found = true;
		data = elf_rawdata(section, NULL);
		assert_non_null(data);
		assert_int_equal(compare_code(data->d_buf, data->d_size, header.sh_addr), 0);
	}
	assert_true(found);
	elf_end(elf);
	close(fd);
}

/* The comparison sees what is different, and excuses nothing else. */
static void test_differences(void **state)
{
	static const u8 code[] = { 0x48, 0x8b, 0x47, 0x08 }; /* mov 8(%rdi),%rax */
	struct insn_decoder *decoder = insn_decoder_new(INSN_X86_64, NULL);
	struct insn a, b;
	char *difference;

	assert_true(insn_decode(decoder, code, sizeof(code), 0, &a));
	b = a;
	assert_null(reference_compare(&a, &b));
	b.operands[1].mem.disp = 16;
	b.writes[0] |= (u64)1 << X86_RDX;
	difference = reference_compare(&a, &b);
	assert_string_equal(difference, "operand 1 address, writes-general");
	assert_false(reference_explains("mov", difference));
	assert_true(reference_explains("test", "operand 0 access 1 for 3, writes-general"));
	g_free(difference);
	insn_decoder_free(decoder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_code),
		cmocka_unit_test(test_differences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
