// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Identical code folding: of several functions with the same code the linker or the compiler kept one (LLVM's
 * MergeFunctions, --icf, -fipa-icf):
 *
 *	fn first(v: &Vec<Order>) -> u32		mov 8(%rdi),%rax
 *	fn first(v: &Vec<Customer>) -> u32	the same code: both symbols have one address
 *
 * The debug information describes only one of them. When the code runs as the other function, its parameters have
 * other types, and a sample does not tell which function it was.
 *
 * Two names of one function are not folding: C++ constructors and destructors have one name for the whole object and
 * one for a base; C has aliases. Two C names count as folding only if both have a prototype and the prototypes
 * differ.
 */
#include <string.h>

#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

static bool is_mangled(const char *name)
{
	return g_str_has_prefix(name, "_Z") || g_str_has_prefix(name, "_R");
}

/* _ZN5LabelC1Ev and _ZN5LabelC2Ev. A derived class may also share its base's destructor. */
static bool is_same_constructor(const char *a, const char *b)
{
	if (strlen(a) != strlen(b))
		return g_str_has_suffix(a, "Ev") && strstr(a, "D2Ev") && strstr(b, "D1Ev");
	for (u32 i = 0; a[i]; i++)
		if (a[i] != b[i] && (!i || (a[i - 1] != 'C' && a[i - 1] != 'D') ||
				     !g_ascii_isdigit(a[i]) || !g_ascii_isdigit(b[i])))
			return false;
	return true;
}

/* label, label.localalias and label.llvm.77 are one function. */
static bool is_same_name(const char *a, const char *b)
{
	size_t size = strcspn(a, ".");

	return size == strcspn(b, ".") && !strncmp(a, b, size);
}

static bool is_other_type(const struct type *a, const struct type *b)
{
	return a != b && strcmp(a->name, b->name) != 0;
}

static bool is_other_proto(const struct proto *a, const struct proto *b)
{
	if (!a || !b || a == b)
		return false;
	if (a->nr_params != b->nr_params || is_other_type(a->returns, b->returns))
		return true;
	for (u32 i = 0; i < a->nr_params; i++)
		if (is_other_type(a->params[i], b->params[i]))
			return true;
	return false;
}

bool merged_is(const struct object *object, const struct symbol *symbol, const struct proto *proto)
{
	const struct symbol *other;

	if (!object->debug || symbol->type != STT_FUNC)
		return false;
	for (u32 n = 0; (other = dso_alias(object->dso, symbol->start, n)); n++) {
		if (other->type != STT_FUNC || is_same_name(symbol->raw, other->raw))
			continue;
		if (is_mangled(symbol->raw) && is_mangled(other->raw)
			    ? !is_same_constructor(symbol->raw, other->raw) &&
				      !is_same_constructor(other->raw, symbol->raw)
			    : is_other_proto(proto, debuginfo_proto_named(object->debug, other->raw,
									  symbol->start)))
			return true;
	}
	return false;
}

void merged_doubt(struct access *access)
{
	switch (access->how) {
	case ACCESS_VARIABLE:
	case ACCESS_LOCAL:
	case ACCESS_FLOW:
	case ACCESS_CALL:
	case ACCESS_INFERRED:
	case ACCESS_KEPT:
		break;
	default:
		return;
	}
	access->how = ACCESS_INFERRED;
	if (!type_is_compound(type_strip(access->type)))
		return;
	access->type = NULL;
	access->how = ACCESS_UNKNOWN;
	access->why = ACCESS_AMBIGUOUS;
}
