// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where our decoder and capstone differ, and which differences are capstone's: each with what
 * the manual says (Intel SDM volume 2 by instruction, where no other is named).
 */
#include <string.h>

#include <glib.h>

#include "tests/insn/reference.h"

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

			if (r == X86_RIP || a == b || a != sign || !strcmp(last, class_of(r)))
				continue;
			last = class_of(r);
			g_string_append_printf(out, ", %s%s%s", name, signs[sign], last);
		}
	}
}

static void compare_operand(u32 i, const struct insn_operand *a, const struct insn_operand *b,
			    u64 mask, GString *out)
{
	if (a->kind != b->kind) {
		g_string_append_printf(out, ", operand %u kind %u for %u", i, a->kind, b->kind);
		return;
	}
	if (a->width != b->width && a->kind != INSN_IMM)
		g_string_append_printf(out, ", operand %u width %u for %u", i, a->width, b->width);
	if (a->access != b->access)
		g_string_append_printf(out, ", operand %u access %u for %u", i, a->access,
				       b->access);
	if (a->implicit != b->implicit || a->relative != b->relative)
		g_string_append_printf(out, ", operand %u flags", i);
	if (a->kind == INSN_REG && (a->reg != b->reg || a->high != b->high))
		g_string_append_printf(out, ", operand %u register", i);
	if (a->kind == INSN_IMM && ((u64)a->imm ^ (u64)b->imm) & mask)
		g_string_append_printf(out, ", operand %u value", i);
	if (a->kind == INSN_MEM && (a->mem.base != b->mem.base || a->mem.index != b->mem.index ||
				    a->mem.segment != b->mem.segment ||
				    a->mem.scale != b->mem.scale || a->mem.disp != b->mem.disp))
		g_string_append_printf(out, ", operand %u address", i);
}

char *reference_compare(const struct insn *a, const struct insn *b)
{
	g_autoptr(GString) out = g_string_new(NULL);
	/* Whether a constant has its sign, capstone decides by the instruction and its size. */
	u16 width = a->nr_operands ? a->operands[0].width : 8;
	u64 mask = width < 8 ? ((u64)1 << (8 * width)) - 1 : UINT64_MAX;

	if (a->size != b->size)
		g_string_append_printf(out, ", size %u for %u", a->size, b->size);
	if (a->op != b->op)
		g_string_append_printf(out, ", op %u for %u", a->op, b->op);
	if (a->flow != b->flow || a->target != b->target || a->indirect != b->indirect)
		g_string_append_printf(out, ", flow %u for %u", a->flow, b->flow);
	if (a->rep != b->rep || a->lock != b->lock || a->stack_op != b->stack_op ||
	    a->notrack != b->notrack || a->cond != b->cond)
		g_string_append(out, ", flags");
	if (a->nr_operands != b->nr_operands)
		g_string_append_printf(out, ", %u operands for %u", a->nr_operands, b->nr_operands);
	else
		for (u32 i = 0; i < a->nr_operands; i++)
			compare_operand(i, &a->operands[i], &b->operands[i], mask, out);
	compare_sets("reads", a->reads, b->reads, out);
	compare_sets("writes", a->writes, b->writes, out);
	return out->len ? g_strdup(out->str + 2) : NULL;
}

static const struct {
	const char *mnemonics; /* globs; NULL: any */
	const char *aspect;    /* glob */
	const char *why;
} explained[] = {
	{ NULL, "op * for 0", "capstone's names are not all sorted into kinds" },
	{ "imul", "op * for 12", "IMUL with one operand writes rdx:rax" },
	{ "vp*,v*i32x*,v*i64x*,v*f32x*,v*f64x*", "op 0 for 27",
	  "capstone 4 takes a displacement of 8 bits in EVEX for an index" },
	{ "vp*,v*i32x*,v*i64x*,v*f32x*,v*f64x*", "operand * address", "the same" },
	{ "vp*,v*i32x*,v*i64x*,v*f32x*,v*f64x*", "operand * width * for 0", "the same" },
	{ "vp*,v*i32x*,v*i64x*,v*f32x*,v*f64x*", "reads*", "the same" },
	{ "vp*,v*i32x*,v*i64x*,v*f32x*,v*f64x*", "writes-xmm", "the same" },
	{ NULL, "writes+flags", "'Flags affected' of XADD, LAR, VERW, CLI, STI, IRET ..." },
	{ "clac,stac", "writes-flags", "AC is no flag that arithmetic sets" },
	{ "test", "operand 0 access 1 for 3", "TEST discards its result" },
	{ "test", "writes-general", "the same" },
	{ "cdq,cqo,cwd", "writes-general", "CWD, CDQ, CQO write rdx alone" },
	{ "cbw,cwde,cdqe,cwd,cdq,cqo", "2 operands for 0", "implicit operands of the manual" },
	{ "bsf,bsr", "operand 0 access 3 for 2", "of 0 they leave the destination (APM volume 3)" },
	{ "cvtsi2s?,cvtss2sd,cvtsd2ss,sqrts?,rounds?,rcpss,rsqrtss", "operand 0 access 3 for 2",
	  "the upper part of the destination is kept" },
	{ "pins*,insertps", "operand 0 access 3 for 2", "the rest of the destination is kept" },
	{ "bsf,bsr,cvt*,sqrts?,rounds?,rcpss,rsqrtss,pins*,insertps", "reads+*", "the same" },
	{ "*cmp*", "* operands for *", "the predicate is part of the name" },
	{ "f*,wait,emms", "* operands for *", "the x87 stack is read and written as a whole" },
	{ "f*,wait,emms", "reads+*", "the same" },
	{ "f*,wait,emms", "writes+*", "the same" },
	{ "f*", "operand 0 width *", "FXSAVE: 512 bytes, FNSTSW: 2, FLDENV: 28" },
	{ "xsave*,xrstor*,xsaves*", "operand 0 width *", "as long as what is enabled" },
	{ "xrstor*,fxrstor*", "writes+*", "the vector registers are restored" },
	{ "mov", "operand 1 width 2 for *", "a segment register takes 16 bits" },
	{ "mov", "op 0 for 2", "control registers have no number here" },
	{ "ljmp,lcall", "operand 0 width *", "an offset of 4 bytes and a selector" },
	{ "kmov*,kor*,kand*,kx*,kn*,ksh*,kun*,ktest*,kadd*", "operand * width 8 for *",
	  "mask registers have 64 bits" },
	{ "v*", "operand * width 8 for *", "the same" },
	{ "v*", "* operands for *", "a mask is no operand of its own" },
	{ "v*", "operand 0 access 3 for 2", "a mask without zeroing keeps elements" },
	{ "v*", "reads+*", "the same" },
	{ "syscall,sysret*,monitor*,mwait*,vm*,clgi,stgi,inv*,swapgs,rep*,rdtscp", "reads+*",
	  "registers that the manual names" },
	{ "vm*,clgi,stgi,swapgs", "writes+*", "who runs outside may change them" },
	{ "ud2b,ud1,ud0", "*", "UD1 has a ModRM byte, and no successor" },
	{ "rep *,outs*,ins*,cmps*", "operand 0 access *", "OUTS writes to a port" },
	{ "rep *,outs*", "writes-general", "the same" },
	{ "rep *,ins*,outs*", "flags", "INS and OUTS are string instructions" },
	{ "vpgather*,vgather*,vpscatter*,vscatter*", "*",
	  "both the mask and the destination are read and written; an element has a width" },
	{ "vpmovm2?,vpmov?2m,vp*,vinsert*", "op * for 27", "an index that capstone 4 makes up" },
	{ "vpmovm2?,vpmov?2m", "*", "capstone 4 has the operands reversed" },
	{ "vpcmp*", "operand *", "capstone 4 lists the mask among the sources" },
	{ "vpcmp*", "op 0 for 27", "an index that capstone 4 makes up" },
	{ "punpckl*", "operand 1 width 4 for 8", "PUNPCKL mm, mm/m32" },
	{ "vph*,vpperm,vpcom*,vprot*,vpsha*,vpshl*,vpmac*,vpmad*,vpcmov,vfrcz*", "*",
	  "of XOP we know the length alone" },
	{ "rcr,rcl", "reads+flags", "RCL and RCR rotate through the carry" },
	{ "xabort,xend,enc*", "*", "XABORT leaves its reason in eax; the others are of 0f 01" },
	{ "xbegin", "flags", "no flag decides" },
	{ "movq", "op 43 for 2", "MOVQ of registers moves 8 bytes of the 16" },
	{ "v*", "writes-xmm", "an index that capstone 4 makes up" },
	{ "*", "only ours knows it", "capstone 4 lacks it" },
};

static bool matches(const char *globs, const char *text)
{
	g_auto(GStrv) each = g_strsplit(globs, ",", -1);

	for (u32 i = 0; each[i]; i++)
		if (g_pattern_match_simple(each[i], text))
			return true;
	return false;
}

static bool explains(const char *mnemonic, const char *aspect)
{
	for (u32 i = 0; i < G_N_ELEMENTS(explained); i++)
		if (g_pattern_match_simple(explained[i].aspect, aspect) &&
		    (!explained[i].mnemonics || matches(explained[i].mnemonics, mnemonic)))
			return true;
	return false;
}

bool reference_explains(const char *mnemonic, const char *difference)
{
	g_auto(GStrv) aspects = g_strsplit(difference, ", ", -1);

	for (u32 i = 0; aspects[i]; i++)
		if (!explains(mnemonic, aspects[i]))
			return false;
	return true;
}
