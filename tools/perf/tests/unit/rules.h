/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints call-frame rules as text: one line for each address where the rule changes. */
#ifndef UNIT_RULES_H
#define UNIT_RULES_H

#include <glib.h>

#include "unwind/cfi.h"

static const char *const rule_registers[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi",
					      "rbp", "rsp", "r8",  "r9",  "r10", "r11",
					      "r12", "r13", "r14", "r15", "rip" };

static inline void say_expression(GString *out, struct cfi *cfi, const struct cfi_rule *rule,
				  const struct cfi_place *p)
{
	const u8 *at = cfi_expression(cfi, rule, p);

	g_string_append_c(out, '[');
	for (u32 i = 0; i < p->size; i++)
		g_string_append_printf(out, "%s%02x", i && i % 2 == 0 ? " " : "", at[i]);
	g_string_append_c(out, ']');
}

static inline void say_place(GString *out, struct cfi *cfi, const struct cfi_rule *rule,
			     const struct cfi_place *p)
{
	switch ((enum cfi_how)p->how) {
	case CFI_SAME:
		g_string_append(out, "same");
		break;
	case CFI_UNDEFINED:
		g_string_append_c(out, '?');
		break;
	case CFI_AT:
		g_string_append_printf(out, "@%d", p->value);
		break;
	case CFI_PLUS:
		g_string_append_printf(out, "=%+d", p->value);
		break;
	case CFI_REG:
		g_string_append_printf(out, "=%s%+d", rule_registers[p->reg], p->value);
		break;
	case CFI_AT_REG:
		g_string_append_printf(out, "@(%s%+d)", rule_registers[p->reg], p->value);
		break;
	case CFI_AT_EXPR:
	case CFI_EXPR:
		g_string_append_c(out, p->how == CFI_AT_EXPR ? '@' : '=');
		say_expression(out, cfi, rule, p);
		break;
	}
}

static inline void say_rule(GString *out, struct cfi *cfi, const struct cfi_rule *rule)
{
	if (!rule) {
		g_string_append(out, " none\n");
		return;
	}
	g_string_append_c(out, ' ');
	if (rule->cfa.how == CFI_EXPR)
		say_expression(out, cfi, rule, &rule->cfa);
	else
		g_string_append_printf(out, rule->cfa.how == CFI_AT_REG ? "(%s%+d)" : "%s%+d",
				       rule_registers[rule->cfa.reg], rule->cfa.value);
	for (u32 i = 0; i < CFI_NR_REGS; i++) {
		if (!(rule->set >> i & 1))
			continue;
		g_string_append_printf(out, " %s", rule_registers[i]);
		say_place(out, cfi, rule, &rule->regs[i]);
	}
	g_string_append(out, rule->signal ? " signal\n" : "\n");
}

/* One line for each address whose rule differs from that of the previous address. */
static inline char *rules_text(struct cfi *cfi, u64 from, u64 size)
{
	g_autoptr(GString) out = g_string_new(NULL);
	const struct cfi_rule *last = NULL;

	for (u64 vaddr = from; vaddr < from + size; vaddr++) {
		const struct cfi_rule *rule = cfi_find(cfi, vaddr);

		if (rule == last)
			continue;
		g_string_append_printf(out, "%llx:", (unsigned long long)(vaddr - from));
		say_rule(out, cfi, rule);
		last = rule;
	}
	return g_string_free(g_steal_pointer(&out), FALSE);
}

#endif
