// SPDX-License-Identifier: GPL-2.0-or-later
#include "chains/go_stacks.h"

#include <glib.h>
#include <string.h>

#include "insn/insn.h"

/* Functions that switch stacks. cgocallback does, too, but it builds a frame for its caller. */
static const char *const changers[] = {
	"runtime.systemstack",
	"runtime.mcall",
	"runtime.morestack",
	"runtime.asmcgocall",
	"runtime.asmcgocall_no_g",
	"runtime.gogo",
	"gogo",
};

#define ABI0	      ".abi0" /* suffix of functions in assembly */
#define SIZE_MAX_HERE 4096u

static bool is_changer(const char *name)
{
	size_t length = strlen(name);

	if (g_str_has_suffix(name, ABI0))
		length -= strlen(ABI0);
	for (u32 i = 0; i < ARRAY_SIZE(changers); i++)
		if (strlen(changers[i]) == length && !strncmp(name, changers[i], length))
			return true;
	return false;
}

/* Does the instruction set rsp in a way that rules cannot follow: to a value from elsewhere, or rounded down? */
static bool moves_stack(const struct insn *insn)
{
	return insn->writes[0] >> X86_RSP & 1 && !insn->stack_op &&
	       (insn->op == INSN_MOV || insn->op == INSN_AND);
}

/*
 * Finds the instructions that switch the stack, and the next one that switches back, which is a mov. Declares that
 * there is no caller between them.
 */
static void tell_function(struct cfi *cfi, struct insn_decoder *dec, const u8 *code, size_t size,
			  u64 low)
{
	u64 moved = 0; /* address after the switch; 0: not switched */
	struct insn insn;

	for (size_t at = 0; at < size; at += insn.size) {
		bool known = insn_decode(dec, code + at, size - at, low + at, &insn);

		if (!known || !moves_stack(&insn))
			continue;
		if (!moved) {
			moved = low + at + insn.size;
		} else if (insn.op == INSN_MOV) {
			cfi_end_calls(cfi, moved, low + at + insn.size);
			moved = 0;
		}
	}
	if (moved)
		cfi_end_calls(cfi, moved, low + size);
}

static void tell_symbol(const struct image *image, struct cfi *cfi, struct insn_decoder *dec,
			const GElf_Sym *sym)
{
	size_t left, size;
	const u8 *code = image_constant_at(image, sym->st_value, &left);

	if (!code)
		return;
	size = MIN(MIN(left, sym->st_size), SIZE_MAX_HERE);
	if (dec)
		tell_function(cfi, dec, code, size, sym->st_value);
	else
		cfi_end_calls(cfi, sym->st_value, sym->st_value + size);
}

void go_stacks_tell(const struct image *image, struct cfi *cfi)
{
	struct insn_decoder *dec = NULL;
	GElf_Shdr shdr;
	Elf_Scn *scn;
	Elf_Data *data;
	GElf_Sym sym;

	if (image->ehdr.e_machine != EM_X86_64 || !image_section(image, ".gopclntab", &shdr))
		return;
	scn = image_section_of_type(image, SHT_SYMTAB, &shdr);
	data = scn ? elf_getdata(scn, NULL) : NULL;
	for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(image->elf, shdr.sh_link, sym.st_name);

		if (!name || GELF_ST_TYPE(sym.st_info) != STT_FUNC || !is_changer(name))
			continue;
		if (!dec)
			dec = insn_decoder_new(INSN_X86_64, NULL);
		tell_symbol(image, cfi, dec, &sym);
	}
	insn_decoder_free(dec);
}
