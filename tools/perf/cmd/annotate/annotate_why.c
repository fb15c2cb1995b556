// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/annotate/annotate_why.h"

#include <string.h>

#include "dso/dso.h"
#include "pages/code/why_pages.h"
#include "perfdata/read/reader.h"

struct question {
	const char *text;
	char *function; /* without "+OFFSET" */
	u64 offset;
	bool is_address;
	u64 address;
	GPtrArray *dsos; /* struct dso *: those with samples, in order of their first one */
	GArray *spots;	 /* struct why_place */
};

/* Parses a hexadecimal number, with or without 0x, to the end of the text. */
static bool parse_number(const char *text, u64 *number)
{
	if (g_str_has_prefix(text, "0x"))
		text += 2;
	return g_ascii_string_to_unsigned(text, 16, 0, UINT64_MAX, number, NULL);
}

static void question_init(struct question *q, const char *text)
{
	const char *plus = strrchr(text, '+');

	*q = (struct question){ .text = text };
	q->is_address = parse_number(text, &q->address);
	/* "operator+" has no offset. */
	if (plus && parse_number(plus + 1, &q->offset))
		q->function = g_strndup(text, (gsize)(plus - text));
	else
		q->function = g_strdup(text);
	q->dsos = g_ptr_array_new();
	q->spots = g_array_new(false, false, sizeof(struct why_place));
}

static void question_release(struct question *q)
{
	g_free(q->function);
	g_ptr_array_unref(q->dsos);
	g_array_unref(q->spots);
}

static void add_spot(struct question *q, struct dso *dso, u64 vaddr)
{
	struct why_place spot = { dso, vaddr };

	for (u32 i = 0; i < q->spots->len; i++) {
		const struct why_place *known = &g_array_index(q->spots, struct why_place, i);

		if (known->dso == dso && known->vaddr == vaddr)
			return;
	}
	g_array_append_val(q->spots, spot);
}

static bool take_sample(const struct place *place, u32 filtered, void *arg, GError **error)
{
	const struct code *ip = place->ip;
	struct question *q = arg;

	if (filtered || !ip->dso)
		return true;
	if (!g_ptr_array_find(q->dsos, ip->dso, NULL))
		g_ptr_array_add(q->dsos, ip->dso);
	if (q->is_address && (ip->va == q->address || ip->vaddr == q->address))
		add_spot(q, ip->dso, ip->vaddr);
	return true;
}

static bool is_called(struct dso *dso, const struct symbol *symbol, const char *name)
{
	g_autofree char *bare = dso_symbol_bare_name(symbol);

	return !strcmp(dso_symbol_name(dso, symbol), name) || (bare && !strcmp(bare, name));
}

/* Compares the name in the file, or the printed name with or without parameters. */
static const struct symbol *find_function(struct dso *dso, const char *name)
{
	const struct symbol *symbol = dso_symbol_named(dso, name);

	for (u32 i = 0; !symbol && i < dso_nr_symbols(dso); i++)
		if (is_called(dso, dso_symbol(dso, i), name))
			symbol = dso_symbol(dso, i);
	return symbol;
}

static void find_spots(struct question *q)
{
	for (u32 i = 0; i < q->dsos->len; i++) {
		struct dso *dso = g_ptr_array_index(q->dsos, i);
		const struct symbol *symbol = find_function(dso, q->function);

		if (symbol)
			add_spot(q, dso, symbol->start + q->offset);
	}
	for (u32 i = 0; !q->spots->len && q->is_address && i < q->dsos->len; i++) {
		struct dso *dso = g_ptr_array_index(q->dsos, i);

		if (dso_find_symbol(dso, q->address))
			add_spot(q, dso, q->address);
	}
}

static bool print_spots(const struct question *q, const char *cpuid, bool before,
			const struct view *view, GError **error)
{
	struct insn_decoder *decoder = insn_decoder_new(INSN_X86_64, error);
	struct view_options look = { .beside = stderr };
	struct typeflow *types;
	struct pages *pages;
	bool ok;

	if (!decoder)
		return false;
	types = typeflow_new(insn_fusion_of(cpuid), NULL);
	pages = why_pages_new(q->spots, types, decoder, before);
	ok = view->print(pages, &look, stdout, error);
	pages_free(pages);
	typeflow_free(types);
	insn_decoder_free(decoder);
	return ok;
}

bool annotate_why(struct session *session, const char *place, bool before, const struct view *view,
		  GError **error)
{
	struct question q;
	bool ok;

	question_init(&q, place);
	ok = session_each_sample(session, NEED_SYMBOL, take_sample, &q, error);
	if (ok)
		find_spots(&q);
	if (ok && !q.spots->len)
		ok = error_set(
			error, PERF_ERROR_ABSENT,
			"--why: no file with samples has a function or an address '%s': give "
			"FUNCTION, FUNCTION+OFFSET or 0xADDRESS as perf annotate prints them",
			place);
	if (ok)
		ok = print_spots(&q, perfdata_info(session_perfdata(session))->cpuid, before, view,
				 error);
	question_release(&q);
	return ok;
}
