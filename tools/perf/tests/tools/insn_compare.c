// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * insn_compare [-t] FILE...: every executable section of ELF files, decoded by our decoder
 * and by capstone. Prints the kinds of difference by instruction, with the number of
 * instructions and one example each, most frequent first; with -t instead what both cost.
 *
 * Both go on where ours says that an instruction ends, so that one difference in length
 * does not make others.
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
	bool timing;
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

static const char *class_of(u32 reg)
{
	return reg < 16		   ? "general"
	       : reg < X86_ST0	   ? "xmm"
	       : reg < X86_RFLAGS  ? "x87"
	       : reg == X86_RFLAGS ? "flags"
	       : reg < 67	   ? "segment"
	       : reg < X86_K0	   ? "xmm"
				   : "mask";
}

/* Which classes of register only one of the two has. */
static void compare_sets(const char *name, const u64 *ours, const u64 *theirs, GString *out)
{
	static const char *const signs[] = { "-", "+" };

	for (u32 sign = 0; sign < 2; sign++) {
		const char *last = "";

		for (u32 r = 0; r < INSN_NR_REGS; r++) {
			bool a = ours[r / 64] >> (r % 64) & 1, b = theirs[r / 64] >> (r % 64) & 1;

			if (a == b || a != sign || !strcmp(last, class_of(r)))
				continue;
			last = class_of(r);
			g_string_append_printf(out, " %s%s%s", name, signs[sign], last);
		}
	}
}

static void compare_operand(u32 i, const struct insn_operand *a, const struct insn_operand *b,
			    GString *out)
{
	if (a->kind != b->kind) {
		g_string_append_printf(out, " operand %u kind %u for %u", i, a->kind, b->kind);
		return;
	}
	if (a->width != b->width && a->kind != INSN_IMM)
		g_string_append_printf(out, " operand %u width %u for %u", i, a->width, b->width);
	if (a->access != b->access)
		g_string_append_printf(out, " operand %u access %u for %u", i, a->access,
				       b->access);
	if (a->implicit != b->implicit || a->relative != b->relative)
		g_string_append_printf(out, " operand %u flags", i);
	if (a->kind == INSN_REG && (a->reg != b->reg || a->high != b->high))
		g_string_append_printf(out, " operand %u register", i);
	if (a->kind == INSN_IMM && a->imm != b->imm)
		g_string_append_printf(out, " operand %u value", i);
	if (a->kind == INSN_MEM && (a->mem.base != b->mem.base || a->mem.index != b->mem.index ||
				    a->mem.segment != b->mem.segment ||
				    a->mem.scale != b->mem.scale || a->mem.disp != b->mem.disp))
		g_string_append_printf(out, " operand %u address", i);
}

static char *compare(const struct insn *a, const struct insn *b)
{
	g_autoptr(GString) out = g_string_new(NULL);

	if (a->size != b->size)
		g_string_append_printf(out, " size %u for %u", a->size, b->size);
	if (a->op != b->op)
		g_string_append_printf(out, " op %u for %u", a->op, b->op);
	if (a->flow != b->flow || a->target != b->target || a->indirect != b->indirect)
		g_string_append_printf(out, " flow %u for %u", a->flow, b->flow);
	if (a->rep != b->rep || a->lock != b->lock || a->stack_op != b->stack_op ||
	    a->notrack != b->notrack || a->zero != b->zero || a->extends != b->extends ||
	    a->cond != b->cond)
		g_string_append(out, " flags");
	if (a->nr_operands != b->nr_operands)
		g_string_append_printf(out, " %u operands for %u", a->nr_operands, b->nr_operands);
	else
		for (u32 i = 0; i < a->nr_operands; i++)
			compare_operand(i, &a->operands[i], &b->operands[i], out);
	compare_sets("reads", a->reads, b->reads, out);
	compare_sets("writes", a->writes, b->writes, out);
	return out->len ? g_strdup(out->str + 1) : NULL;
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
		aspect = compare(ours, &theirs);
	else if (known != also)
		aspect = g_strdup(known ? "only ours knows it" : "only capstone knows it");
	if (!aspect)
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
	struct run run = { .timing = argc > 1 && !strcmp(argv[1], "-t") };

	elf_version(EV_CURRENT);
	run.decoder = insn_decoder_new(INSN_X86_64, NULL);
	run.reference = reference_new();
	run.differences = g_hash_table_new(g_str_hash, g_str_equal);
	for (int i = 1 + run.timing; i < argc; i++)
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
