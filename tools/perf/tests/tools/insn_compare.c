// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * insn_compare [-a | -t] FILE...: compares our decoder with capstone on every executable section of ELF files.
 *
 * Prints each kind of difference by instruction, most frequent first, with its count and one example. Differences that
 * tests/insn/compare.c explains are printed only with -a. With -t it prints the run time of both instead.
 *
 * After each instruction both continue at the end that our decoder states. So one difference in length causes no others.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <glib.h>

#include "tests/insn/reference.h"

struct difference {
	char *what, *example;
	u64 nr;
};

struct run {
	struct insn_decoder *decoder;
	struct reference *reference;
	GHashTable *differences; /* what -> struct difference */
	u64 instructions, unknown_to_both, differing;
	u64 ours_ns, reference_ns;
	bool timing, all;
};

static u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec;
}

static void note(struct run *run, const char *mnemonic, const char *aspect, const char *example)
{
	g_autofree char *what = g_strdup_printf("%s: %s", mnemonic, aspect);
	struct difference *d = g_hash_table_lookup(run->differences, what);

	if (!d) {
		d = g_new0(struct difference, 1);
		d->what = g_strdup(what);
		d->example = g_strdup(example);
		g_hash_table_insert(run->differences, d->what, d);
	}
	d->nr++;
}

static void compare_at(struct run *run, const u8 *code, size_t left, u64 vaddr, struct insn *ours)
{
	const char *mnemonic, *operands;
	struct insn theirs;
	bool known = insn_decode(run->decoder, code, left, vaddr, ours);
	bool also =
		reference_decode(run->reference, code, left, vaddr, &theirs, &mnemonic, &operands);
	g_autofree char *aspect = NULL, *example = NULL;
	g_autoptr(GString) hex = g_string_new(NULL);

	run->instructions++;
	run->unknown_to_both += !known && !also;
	if (known && also)
		aspect = reference_compare(ours, &theirs);
	else if (known != also)
		aspect = g_strdup(known ? "only ours knows it" : "only capstone knows it");
	if (!aspect || (!run->all && reference_explains(mnemonic, aspect)))
		return;
	run->differing++;
	for (u32 i = 0; i < 15 && i < left && (i < ours->size || i < theirs.size); i++)
		g_string_append_printf(hex, "%02x", code[i]);
	example = g_strdup_printf("%llx %s %s %s", (unsigned long long)vaddr, hex->str, mnemonic,
				  operands);
	if (!*mnemonic) {
		g_string_set_size(hex, MIN(hex->len, 4u));
		mnemonic = hex->str;
	}
	note(run, mnemonic, aspect, example);
}

static void time_section(struct run *run, const u8 *code, size_t size, u64 vaddr)
{
	const char *mnemonic, *operands;
	struct insn insn;
	u64 start = now_ns(), middle;

	for (size_t at = 0; at < size; at += insn.size, run->instructions++)
		insn_decode(run->decoder, code + at, size - at, vaddr + at, &insn);
	middle = now_ns();
	for (size_t at = 0; at < size;
	     at += reference_decode(run->reference, code + at, size - at, vaddr + at, &insn,
				    &mnemonic, &operands)
			   ? insn.size
			   : 1)
		continue;
	run->ours_ns += middle - start;
	run->reference_ns += now_ns() - middle;
}

static void read_section(struct run *run, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_rawdata(section, NULL);
	const u8 *code = data ? data->d_buf : NULL;
	struct insn insn;

	if (!code)
		return;
	if (run->timing) {
		time_section(run, code, data->d_size, header->sh_addr);
		return;
	}
	for (size_t at = 0; at < data->d_size; at += insn.size)
		compare_at(run, code + at, data->d_size - at, header->sh_addr + at, &insn);
}

static void read_file(struct run *run, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	Elf_Scn *section = NULL;
	GElf_Ehdr ehdr;

	if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &ehdr) &&
	    ehdr.e_machine == EM_X86_64) {
		while ((section = elf_nextscn(elf, section))) {
			GElf_Shdr header;

			if (gelf_getshdr(section, &header) && header.sh_type == SHT_PROGBITS &&
			    header.sh_flags & SHF_EXECINSTR)
				read_section(run, section, &header);
		}
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

static int by_number(const void *a, const void *b)
{
	const struct difference *const *x = a, *const *y = b;

	return (*x)->nr < (*y)->nr ? 1 : (*x)->nr > (*y)->nr ? -1 : 0;
}

static void print_differences(const struct run *run)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, run->differences);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		g_ptr_array_add(list, value);
	g_ptr_array_sort(list, by_number);
	printf("%llu instructions, %llu differ in %u ways, %llu known to neither\n",
	       (unsigned long long)run->instructions, (unsigned long long)run->differing, list->len,
	       (unsigned long long)run->unknown_to_both);
	for (u32 i = 0; i < list->len; i++) {
		const struct difference *d = list->pdata[i];

		printf("%8llu  %-50s  %s\n", (unsigned long long)d->nr, d->what, d->example);
	}
}

int main(int argc, char **argv)
{
	struct run run = { .timing = argc > 1 && !strcmp(argv[1], "-t"),
			   .all = argc > 1 && !strcmp(argv[1], "-a") };

	elf_version(EV_CURRENT);
	run.decoder = insn_decoder_new(INSN_X86_64, NULL);
	run.reference = reference_new();
	run.differences = g_hash_table_new(g_str_hash, g_str_equal);
	for (int i = 1 + (run.timing || run.all); i < argc; i++)
		read_file(&run, argv[i]);
	if (run.timing && run.instructions)
		printf("%llu instructions: ours %.1f ns, capstone with details %.1f ns each\n",
		       (unsigned long long)run.instructions,
		       (double)run.ours_ns / (double)run.instructions,
		       (double)run.reference_ns / (double)run.instructions);
	else
		print_differences(&run);
	insn_decoder_free(run.decoder);
	reference_free(run.reference);
	return 0;
}
