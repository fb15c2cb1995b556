// SPDX-License-Identifier: GPL-2.0-or-later
#include <elf.h>
#include <string.h>

#include "insn/arch.h"

static const struct insn_arch_ops *const arches[] = {
	[INSN_X86_64] = &insn_x86_64,
	[INSN_I386] = &insn_i386,
	[INSN_AARCH64] = &insn_aarch64,
};

struct insn_decoder {
	const struct insn_arch_ops *ops;
	void *opened;
	bool intel;
	csh detail; /* for operands as data; in Intel's syntax */
	csh text;   /* for the assembly text: capstone orders operands by the syntax */
	cs_insn *detail_insn;
	cs_insn *text_insn;
};

static void close_arch(struct insn_decoder *dec)
{
	if (dec->opened)
		dec->ops->close(dec->opened);
	if (dec->detail_insn)
		cs_free(dec->detail_insn, 1);
	if (dec->text_insn)
		cs_free(dec->text_insn, 1);
	if (dec->detail)
		cs_close(&dec->detail);
	if (dec->text)
		cs_close(&dec->text);
}

/* @dec has no architecture, only settings. */
static cs_err open_arch(struct insn_decoder *dec, const struct insn_arch_ops *ops)
{
	cs_err err;

	dec->ops = ops;
	dec->opened = ops->open();
	err = cs_open(ops->arch, ops->mode, &dec->detail);
	if (err == CS_ERR_OK)
		err = cs_open(ops->arch, ops->mode, &dec->text);
	if (err != CS_ERR_OK)
		return err;
	cs_option(dec->detail, CS_OPT_DETAIL, CS_OPT_ON);
	cs_option(dec->text, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	dec->detail_insn = cs_malloc(dec->detail);
	dec->text_insn = cs_malloc(dec->text);
	return CS_ERR_OK;
}

void insn_decoder_free(struct insn_decoder *dec)
{
	if (!dec)
		return;
	close_arch(dec);
	g_free(dec);
}

struct insn_decoder *insn_decoder_new(enum insn_arch arch, GError **error)
{
	struct insn_decoder *dec = g_new0(struct insn_decoder, 1);
	cs_err err = open_arch(dec, arches[arch]);

	if (err == CS_ERR_OK)
		return dec;
	error_set(error, PERF_ERROR_UNSUPPORTED, "capstone: %s", cs_strerror(err));
	insn_decoder_free(dec);
	return NULL;
}

static const struct insn_arch_ops *ops_of(u16 machine)
{
	switch (machine) {
	case EM_NONE:
	case EM_X86_64:
		return arches[INSN_X86_64];
	case EM_386:
		return arches[INSN_I386];
	case EM_AARCH64:
		return arches[INSN_AARCH64];
	default:
		return NULL;
	}
}

bool insn_decoder_select(struct insn_decoder *dec, u16 machine)
{
	const struct insn_arch_ops *ops = ops_of(machine);
	struct insn_decoder other = { .intel = dec->intel };

	if (!ops || ops == dec->ops)
		return ops;
	if (open_arch(&other, ops) != CS_ERR_OK) {
		close_arch(&other);
		return false;
	}
	close_arch(dec);
	*dec = other;
	return true;
}

bool insn_decode(struct insn_decoder *dec, const u8 *code, size_t left, u64 vaddr, struct insn *out)
{
	if (dec->ops->decode(dec->opened, code, left, vaddr, out))
		return true;
	if (out->size == 0)
		out->size = 1;
	return false;
}

static bool disassemble(csh handle, const u8 *code, size_t left, u64 vaddr, cs_insn *out)
{
	return cs_disasm_iter(handle, &code, &left, &vaddr, out);
}

void insn_set_intel(struct insn_decoder *dec)
{
	dec->intel = true;
}

/* The text of dec->text_insn, or in Intel's syntax of dec->detail_insn, which are the same instruction. */
static void take_text(const struct insn_decoder *dec, bool has_detail, char *mnemonic,
		      char *operands, size_t size)
{
	const cs_insn *from = dec->intel && has_detail ? dec->detail_insn : dec->text_insn;

	g_strlcpy(mnemonic, from->mnemonic, 32);
	g_strlcpy(operands, from->op_str, size);
	if (!has_detail)
		return;
	if (dec->intel && dec->ops->tidy_intel)
		dec->ops->tidy_intel(dec->detail_insn, mnemonic, operands, size);
	else if (!dec->intel && dec->ops->tidy)
		dec->ops->tidy(dec->detail_insn, mnemonic, operands, size);
}

u8 insn_text(struct insn_decoder *dec, const u8 *code, size_t left, u64 vaddr, char mnemonic[32],
	     char operands[192])
{
	struct insn insn;

	insn_decode(dec, code, left, vaddr, &insn);
	/* If the two lengths differ, the text is of another instruction. */
	if (disassemble(dec->text, code, left, vaddr, dec->text_insn) &&
	    dec->text_insn->size == insn.size) {
		take_text(dec, disassemble(dec->detail, code, left, vaddr, dec->detail_insn),
			  mnemonic, operands, 192);
	} else if (!dec->ops->more_text ||
		   !dec->ops->more_text(dec->intel, code, insn.size, vaddr, mnemonic, operands)) {
		g_strlcpy(mnemonic, "(bad)", 32);
		operands[0] = '\0';
	}
	return insn.size;
}
