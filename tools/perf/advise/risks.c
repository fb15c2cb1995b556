// SPDX-License-Identifier: GPL-2.0-or-later
#include "advise/risks.h"

#include <string.h>

#define MOST_CODE  (16u << 20) /* bytes of a file that are searched for calls */
#define MOST_CALLS 400u	       /* that are asked for their argument */

/* Functions that give the bytes of an object away, or compare them, and the argument that points to it. */
static const struct {
	const char *name;
	u32 argument;
	const char *what;
} givers[] = {
	{ "write", 1, "writes" },
	{ "pwrite", 1, "writes" },
	{ "pwrite64", 1, "writes" },
	{ "fwrite", 0, "writes" },
	{ "send", 1, "sends" },
	{ "sendto", 1, "sends" },
	{ "read", 1, "reads" },
	{ "pread", 1, "reads" },
	{ "pread64", 1, "reads" },
	{ "fread", 0, "reads" },
	{ "recv", 1, "receives" },
	{ "recvfrom", 1, "receives" },
	{ "memcmp", 0, "compares the bytes of" },
};

struct hunt {
	const struct advice_question *q;
	const struct advice_list *list;
	struct dso *dso;
	GPtrArray *risks;
	u32 nr_calls;
};

static s32 giver_of(struct hunt *h, u64 target)
{
	const struct symbol *callee = dso_find_symbol(h->dso, target);
	const char *name = callee ? callee->raw : "";
	size_t size = strcspn(name, "@");

	for (u32 i = 0; i < ARRAY_SIZE(givers); i++)
		if (strlen(givers[i].name) == size && !memcmp(givers[i].name, name, size))
			return (s32)i;
	return -1;
}

static void add_risk(GPtrArray *risks, char *text)
{
	for (u32 i = 0; i < risks->len; i++)
		if (!strcmp(risks->pdata[i], text)) {
			g_free(text);
			return;
		}
	g_ptr_array_add(risks, text);
}

static void take_call(struct hunt *h, const struct symbol *caller, const struct insn *insn)
{
	s32 giver = insn->flow == INSN_CALL && insn->target ? giver_of(h, insn->target) : -1;
	struct pointee object;

	if (giver < 0 || h->nr_calls++ >= MOST_CALLS)
		return;
	if (typeflow_argument(h->q->types, h->dso, insn->vaddr, givers[giver].argument, &object) &&
	    object.type && advise_parts_is(&h->list->parts, object.type))
		add_risk(h->risks,
			 g_strdup_printf("%s() %s such objects by %s(): files, peers and other "
					 "programs would see other bytes",
					 dso_symbol_name(h->dso, caller), givers[giver].what,
					 givers[giver].name));
}

static void search_function(struct hunt *h, const struct symbol *symbol, u64 *bytes)
{
	for (u64 at = symbol->start; at < symbol->end && *bytes < MOST_CODE;) {
		size_t left = 0;
		const u8 *code = dso_code(h->dso, at, &left);
		struct insn insn;

		if (!code || !left)
			return;
		if (insn_decode(h->q->decoder, code, left, at, &insn))
			take_call(h, symbol, &insn);
		at += MAX(insn.size, 1);
		*bytes += MAX(insn.size, 1);
	}
}

static void search_calls(struct hunt *h)
{
	u64 bytes = 0;

	if (!h->q->decoder)
		return;
	for (u32 i = 0; i < dso_nr_symbols(h->dso) && bytes < MOST_CODE; i++)
		search_function(h, dso_symbol(h->dso, i), &bytes);
}

/* Programs that were not sampled may have it, too; those that were are known. */
static void name_others(struct hunt *h)
{
	for (u32 i = 0; h->q->others && i < h->q->others->len; i++) {
		const struct type_profile *other = g_ptr_array_index(h->q->others, i);

		if (other->dso != h->dso && advise_parts_is(&h->list->parts, other->type))
			add_risk(h->risks, g_strdup_printf("%s uses the type, too: build both",
							   dso_short_name(other->dso)));
	}
}

static void look_at_declaration(struct hunt *h)
{
	const struct type_declaration *d = &h->list->declared;

	if (!d->file)
		return;
	if (g_str_has_prefix(d->file, "/usr/include/") ||
	    g_str_has_prefix(d->file, "/usr/local/include/"))
		add_risk(h->risks, g_strdup_printf("%s is an installed header: all programs and "
						   "libraries that use it must be built anew",
						   d->file));
}

/* True if some proposal has another part at offset 0. */
static bool first_moves(const struct advice_list *l)
{
	for (u32 i = 0; i < l->list->len; i++)
		if (advice_at(l, i)->after.offset[0])
			return true;
	return false;
}

GPtrArray *advise_risks(const struct advice_question *q, const struct advice_list *list)
{
	struct hunt h = { .q = q,
			  .list = list,
			  .dso = q->profile->dso,
			  .risks = g_ptr_array_new_with_free_func(g_free) };
	const struct member *first;

	if (list->nothing)
		return h.risks;
	search_calls(&h);
	name_others(&h);
	look_at_declaration(&h);
	if (list->like)
		add_risk(h.risks, g_strdup_printf("its first members are also those of %s, so they "
						  "stay in front: other types may begin so, too",
						  type_shown_name(list->like)));
	first = advise_part_member(&list->parts, 0);
	if (first_moves(list) && first->name)
		add_risk(h.risks,
			 g_strdup_printf("'%s' is no longer the first member: code may cast "
					 "a pointer to the object to one to it",
					 first->name));
	add_risk(h.risks,
		 g_strdup("initial values without names ({ 1, 2 }), and offsets in assembly "
			  "or in files, are not seen here"));
	return h.risks;
}
