// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory_samples ELF-FILE NUMBER [SEED]: prints text for the forge: a recording with one sample on each of NUMBER
 * instructions of the file. They are instructions that read or write memory, chosen at random, each at most once. Stack
 * operations (push, call ...), address computations and prefetches do not count.
 *
 * A kernel image (it has the symbol _stext) is mapped as the kernel. A relocatable file is mapped as a kernel module; its
 * path must look like one: /lib/modules/.../x.ko. Any other file is mapped as the program of process 1000. Every function
 * is decoded from its start, so data between functions is not taken for instructions.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "insn/insn.h"

#define PAGE 4096

struct program {
	const char *path;
	Elf *elf;
	GElf_Ehdr header;
	GArray *functions; /* struct function */
	GArray *found;	   /* u64: addresses */
	u64 kernel_text;   /* 0: not a kernel */
	u64 *places;	   /* of a module's sections, as the kernel loads them; NULL: no module */
	u64 module_size;
	struct insn_decoder *decoder;
};

struct function {
	u64 start, size;
	u32 section;
};

#define MODULE_BASE 0xffffffffc0400000
#define NOT_LOADED  UINT64_MAX

static void die(const char *path, const char *what)
{
	fprintf(stderr, "memory_samples: %s: %s\n", path, what);
	exit(1);
}

static void read_symbols(struct program *p)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(p->elf, section))) {
		Elf_Data *data;
		GElf_Sym sym;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
			struct function f = { sym.st_value, sym.st_size, sym.st_shndx };
			const char *name = elf_strptr(p->elf, header.sh_link, sym.st_name);

			if (GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_size)
				g_array_append_val(p->functions, f);
			if (name && !strcmp(name, "_stext"))
				p->kernel_text = sym.st_value;
		}
	}
}

/* Places code sections in the order of the file, as the kernel does (kernel/module/main.c), without init sections. */
static void place_sections(struct program *p)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t nr;

	if (p->header.e_type != ET_REL || elf_getshdrnum(p->elf, &nr))
		return;
	p->places = g_new(u64, nr);
	for (size_t i = 0; i < nr; i++)
		p->places[i] = NOT_LOADED;
	while ((section = elf_nextscn(p->elf, section))) {
		const char *name;

		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    !(header.sh_flags & SHF_EXECINSTR))
			continue;
		name = elf_strptr(p->elf, p->header.e_shstrndx, header.sh_name);
		if (!name || g_str_has_prefix(name, ".init"))
			continue;
		p->module_size = ALIGN_UP(p->module_size, MAX(header.sh_addralign, 1));
		p->places[elf_ndxscn(section)] = p->module_size;
		p->module_size += header.sh_size;
	}
	/* Values of symbols are relative to their section. */
	for (u32 i = 0; i < p->functions->len; i++) {
		struct function *f = &g_array_index(p->functions, struct function, i);

		if (f->section >= nr || p->places[f->section] == NOT_LOADED)
			f->size = 0;
		else
			f->start += p->places[f->section];
	}
}

static int by_start(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static bool touches_memory(const struct insn *insn)
{
	for (u32 i = 0; i < insn->nr_operands; i++)
		if (insn->operands[i].kind == INSN_MEM && insn->operands[i].access &&
		    !insn->operands[i].implicit && insn->op != INSN_PREFETCH)
			return true;
	return false;
}

static void scan_function(struct program *p, const struct function *f)
{
	Elf_Scn *section = elf_getscn(p->elf, f->section);
	GElf_Shdr header;
	Elf_Data *data;
	struct insn insn;
	u64 first, low;

	if (!f->size || !section || !gelf_getshdr(section, &header) ||
	    !(header.sh_flags & SHF_EXECINSTR) || header.sh_type != SHT_PROGBITS)
		return;
	low = p->places ? p->places[f->section] : header.sh_addr;
	if (f->start < low)
		return;
	/* The kernel frees its init code after boot; stock perf maps nothing there. */
	if (p->kernel_text &&
	    g_strcmp0(elf_strptr(p->elf, p->header.e_shstrndx, header.sh_name), ".text"))
		return;
	data = elf_rawdata(section, NULL);
	first = f->start - low;
	if (!data || first > data->d_size || f->size > data->d_size - first)
		return;
	for (u64 at = 0; at < f->size; at += insn.size) {
		u64 vaddr = f->start + at;

		if (insn_decode(p->decoder, (const u8 *)data->d_buf + first + at, f->size - at,
				vaddr, &insn) &&
		    touches_memory(&insn))
			g_array_append_val(p->found, vaddr);
	}
}

/* Several symbols may name one function, and functions may overlap. */
static void scan(struct program *p)
{
	u64 end = 0;

	g_array_sort(p->functions, by_start);
	for (u32 i = 0; i < p->functions->len; i++) {
		const struct function *f = &g_array_index(p->functions, struct function, i);

		if (f->start < end || !f->size)
			continue;
		scan_function(p, f);
		end = f->start + f->size;
	}
}

static u64 next_random(u64 *state)
{
	/* Marsaglia's xorshift64. */
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void print_maps(const struct program *p, u64 base)
{
	size_t nr;

	if (p->kernel_text) {
		printf("mmap misc=kernel pid=-1 tid=0 start=%#llx len=0x3fffffff pgoff=%#llx "
		       "file=[kernel.kallsyms]_stext\n",
		       (unsigned long long)p->kernel_text, (unsigned long long)p->kernel_text);
		return;
	}
	if (p->places) {
		printf("mmap misc=kernel pid=-1 tid=0 start=%#llx len=%#llx pgoff=0 file=%s\n",
		       (unsigned long long)base, (unsigned long long)ALIGN_UP(p->module_size, PAGE),
		       p->path);
		return;
	}
	printf("comm pid=1000 text=prog\n");
	if (elf_getphdrnum(p->elf, &nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr h;

		if (!gelf_getphdr(p->elf, (int)i, &h) || h.p_type != PT_LOAD || !(h.p_flags & PF_X))
			continue;
		printf("mmap2 misc=user pid=1000 start=%#llx len=%#llx pgoff=%#llx file=%s\n",
		       (unsigned long long)(base + h.p_vaddr / PAGE * PAGE),
		       (unsigned long long)(h.p_filesz + h.p_vaddr % PAGE),
		       (unsigned long long)(h.p_offset / PAGE * PAGE), p->path);
	}
}

static void print_recording(const struct program *p, u32 nr, u64 seed)
{
	u64 base = p->header.e_type == ET_DYN ? 0x555555554000 : p->places ? MODULE_BASE : 0;
	u64 state = seed;

	printf("info arch=x86_64\n"
	       "event cpu-clock sample_type=IP|TID|TIME|PERIOD\n");
	print_maps(p, base);
	for (u32 i = 0; i < nr; i++) {
		u32 other = i + (u32)(next_random(&state) % (p->found->len - i));
		u64 *a = &g_array_index(p->found, u64, i);
		u64 *b = &g_array_index(p->found, u64, other), vaddr = *b;

		*b = *a;
		*a = vaddr;
		printf("sample misc=%s ip=%#llx pid=1000 time=%u period=1\n",
		       p->kernel_text || p->places ? "kernel" : "user",
		       (unsigned long long)(base + vaddr), i + 1);
	}
}

int main(int argc, char **argv)
{
	u64 seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 20240601;
	struct program p = { .path = argc > 2 ? argv[1] : "usage" };
	u32 nr = argc > 2 ? (u32)strtoul(argv[2], NULL, 0) : 0;
	int fd;

	if (argc < 3 || !nr || !seed)
		die(p.path, "needs an ELF file, a number and a seed that is not 0");
	elf_version(EV_CURRENT);
	fd = open(p.path, O_RDONLY | O_CLOEXEC);
	p.elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!p.elf || !gelf_getehdr(p.elf, &p.header) || p.header.e_machine != EM_X86_64)
		die(p.path, "not an ELF file for x86-64");
	p.functions = g_array_new(false, false, sizeof(struct function));
	p.found = g_array_new(false, false, sizeof(u64));
	p.decoder = insn_decoder_new(INSN_X86_64, NULL);
	read_symbols(&p);
	place_sections(&p);
	scan(&p);
	if (p.found->len == 0)
		die(p.path, "no symbols, or no code");
	print_recording(&p, MIN(nr, p.found->len), seed);
	fprintf(stderr, "%u instructions that touch memory\n", p.found->len);
	insn_decoder_free(p.decoder);
	g_array_free(p.functions, true);
	g_array_free(p.found, true);
	g_free(p.places);
	elf_end(p.elf);
	close(fd);
	return 0;
}
