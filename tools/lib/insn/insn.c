// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "insn/arch.h"

static const struct insn_arch_ops *const arches[] = {
	[INSN_X86_64] = &insn_x86_64,
};

struct insn_decoder {
	const struct insn_arch_ops *ops;
	csh detail; /* operands as data */
	csh text;   /* the assembler's text; capstone orders operands by syntax */
	cs_insn *insn;
	cs_insn *text_insn;
};

void insn_decoder_free(struct insn_decoder *dec)
{
	if (!dec)
		return;
	if (dec->insn)
		cs_free(dec->insn, 1);
	if (dec->text_insn)
		cs_free(dec->text_insn, 1);
	if (dec->detail)
		cs_close(&dec->detail);
	if (dec->text)
		cs_close(&dec->text);
	g_free(dec);
}

struct insn_decoder *insn_decoder_new(enum insn_arch arch, GError **error)
{
	struct insn_decoder *dec = g_new0(struct insn_decoder, 1);
	cs_err err;

	dec->ops = arches[arch];
	err = cs_open(dec->ops->arch, dec->ops->mode, &dec->detail);
	if (err == CS_ERR_OK)
		err = cs_open(dec->ops->arch, dec->ops->mode, &dec->text);
	if (err != CS_ERR_OK) {
		error_set(error, PERF_ERROR_UNSUPPORTED, "capstone: %s", cs_strerror(err));
		insn_decoder_free(dec);
		return NULL;
	}
	cs_option(dec->detail, CS_OPT_DETAIL, CS_OPT_ON);
	cs_option(dec->text, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	dec->insn = cs_malloc(dec->detail);
	dec->text_insn = cs_malloc(dec->text);
	return dec;
}

bool insn_decode(struct insn_decoder *dec, const u8 *code, size_t left, u64 vaddr, struct insn *out)
{
	const u8 *at = code;
	size_t rest = left;
	u64 next = vaddr;

	memset(out, 0, sizeof(*out));
	out->vaddr = vaddr;
	if (cs_disasm_iter(dec->detail, &at, &rest, &next, dec->insn)) {
		out->size = (u8)dec->insn->size;
		dec->ops->read(dec->insn, out);
		return true;
	}
	if (dec->ops->fallback(code, left, out))
		return true;
	if (out->size == 0)
		out->size = 1;
	return false;
}

u8 insn_text(struct insn_decoder *dec, const u8 *code, size_t left, u64 vaddr, char mnemonic[32],
	     char operands[192])
{
	const u8 *at = code;
	size_t rest = left;
	u64 next = vaddr;
	struct insn insn;

	if (cs_disasm_iter(dec->text, &at, &rest, &next, dec->text_insn)) {
		g_strlcpy(mnemonic, dec->text_insn->mnemonic, 32);
		g_strlcpy(operands, dec->text_insn->op_str, 192);
		at = code;
		rest = left;
		next = vaddr;
		if (cs_disasm_iter(dec->detail, &at, &rest, &next, dec->insn))
			dec->ops->tidy(dec->insn, mnemonic, operands, 192);
		return (u8)dec->text_insn->size;
	}
	g_strlcpy(mnemonic, "(bad)", 32);
	operands[0] = '\0';
	insn_decode(dec, code, left, vaddr, &insn);
	return insn.size;
}
